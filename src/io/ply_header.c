#include "io/ply_header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, HEADER_LINES = 1000 };

/* Sets kind and size by the name of a type; a list has none. */
static void find_type(const char *type, mnPlyProperty *property) {
    static const struct {
        const char *name;
        int bytes;
        char kind;
    } types[] = {{"char", 1, 'i'},  {"uchar", 1, 'u'},   {"int8", 1, 'i'},   {"uint8", 1, 'u'},
                 {"short", 2, 'i'}, {"ushort", 2, 'u'},  {"int16", 2, 'i'},  {"uint16", 2, 'u'},
                 {"int", 4, 'i'},   {"uint", 4, 'u'},    {"int32", 4, 'i'},  {"uint32", 4, 'u'},
                 {"float", 4, 'f'}, {"float32", 4, 'f'}, {"double", 8, 'f'}, {"float64", 8, 'f'}};
    property->kind = 'l';
    property->bytes = 0;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i].name) == 0) {
            property->kind = types[i].kind;
            property->bytes = types[i].bytes;
        }
}

typedef struct Progress {
    int elements;
    bool in_vertices; /* the element being described */
} Progress;

static void add_property(mnPlyHeader *header, const Progress *progress, const char *type, const char *name) {
    if (!progress->in_vertices) return;
    mnPlyProperty property = {.offset = header->record};
    snprintf(property.name, sizeof property.name, "%s", name);
    find_type(type, &property);
    if (property.kind == 'l') header->has_records = false;
    if (header->property_count < MN_PLY_PROPERTIES) header->properties[header->property_count++] = property;
    header->record += property.bytes;
}

static mnStatus add_element(mnPlyHeader *header, Progress *progress, const char *path, const char *name,
                            const char *number, mnError *error) {
    char *end;
    errno = 0;
    long long count = strtoll(number, &end, 10);
    if (errno || end == number || *end || count < 0)
        return mn_error_set(error, MN_ERROR_FILE, "%s: bad number of %.40s in the header: %.40s", path, name, number);
    progress->in_vertices = strcmp(name, "vertex") == 0;
    if (progress->in_vertices) {
        if (progress->elements > 0) header->has_records = false;
        header->vertices = count;
    } else if (strcmp(name, "face") == 0) {
        header->faces = count;
    }
    progress->elements++;
    return MN_OK;
}

mnStatus mn_ply_header_read(FILE *stream, const char *path, mnPlyHeader *header, mnError *error) {
    *header = (mnPlyHeader){.has_records = true};
    Progress progress = {0};
    char line[LINE], first[64], second[64], third[64];
    if (!fgets(line, sizeof line, stream) || strncmp(line, "ply", 3) != 0)
        return mn_error_set(error, MN_ERROR_FILE, "%s: not a PLY file", path);
    for (int lines = 0; lines < HEADER_LINES && fgets(line, sizeof line, stream); lines++) {
        int words = sscanf(line, "%63s %63s %63s", first, second, third);
        if (words >= 1 && strcmp(first, "end_header") == 0) return MN_OK;
        if (words >= 2 && strcmp(first, "format") == 0)
            header->is_binary = strcmp(second, "binary_little_endian") == 0;
        else if (words == 3 && strcmp(first, "comment") == 0 && strcmp(second, "time") == 0)
            header->has_time = sscanf(third, "%lf", &header->time) == 1;
        else if (words == 3 && strcmp(first, "property") == 0)
            add_property(header, &progress, second, third);
        else if (words == 3 && strcmp(first, "element") == 0 &&
                 add_element(header, &progress, path, second, third, error) != MN_OK)
            return MN_ERROR_FILE;
    }
    return mn_error_set(error, MN_ERROR_FILE, "%s: the PLY header has no end", path);
}
