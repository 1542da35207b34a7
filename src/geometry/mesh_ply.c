/* Stanford PLY: a header that says what records there are and what they are made of, then the records, as lines of
 * text or as bytes of either order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_reader.h"
#include "io/bytes.h"

enum { LONGEST_LINE = 1024, MOST_HEADER_LINES = 1000, MOST_ELEMENTS = 16, MOST_PROPERTIES = 128, MOST_WORDS = 5 };

typedef enum Format { FORMAT_NONE, FORMAT_ASCII, FORMAT_LITTLE_ENDIAN, FORMAT_BIG_ENDIAN } Format;

typedef struct Type {
    const char *name, *other_name;
    int size;
    bool is_integer, is_signed;
} Type;

static const Type types[] = {{"char", "int8", 1, true, true},       {"uchar", "uint8", 1, true, false},
                             {"short", "int16", 2, true, true},     {"ushort", "uint16", 2, true, false},
                             {"int", "int32", 4, true, true},       {"uint", "uint32", 4, true, false},
                             {"float", "float32", 4, false, false}, {"double", "float64", 8, false, false}};

typedef enum Role { ROLE_NONE, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS } Role;

typedef struct Property {
    const Type *type;
    const Type *count; /* of a list's length; NULL: not a list */
    Role role;
} Property;

typedef struct Element {
    char name[32];
    int64_t count;
    int first, properties; /* its properties are `first` and those that follow */
    bool has_axis[3];      /* x, y, z, each a single number */
    bool is_vertex, is_face;
} Element;

typedef struct Ply {
    mnMeshReader *reader;
    Format format;
    Element elements[MOST_ELEMENTS];
    int element_count;
    Property properties[MOST_PROPERTIES];
    int property_count;
} Ply;

/* ---- header ------------------------------------------------------------------------------------------------------ */

/* Copies the next line without its end. */
static bool take_line(Ply *ply, char line[LONGEST_LINE]) {
    const char *newline = memchr(ply->reader->at, '\n', (size_t)(ply->reader->end - ply->reader->at));
    if (!newline) return mn_mesh_fail(ply->reader, "its header has no end_header");
    size_t length = (size_t)(newline - ply->reader->at);
    if (length >= LONGEST_LINE)
        return mn_mesh_fail(ply->reader, "its header has a line of %zu characters, allowed are %d", length,
                            LONGEST_LINE - 1);
    memcpy(line, ply->reader->at, length);
    if (length > 0 && line[length - 1] == '\r') length--;
    line[length] = '\0';
    ply->reader->at = newline + 1;
    return true;
}

/* Cuts a line into words; returns how many there are, at most MOST_WORDS + 1. */
static int cut_words(char *line, const char *words[MOST_WORDS]) {
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t", &rest); word && count <= MOST_WORDS; word = strtok_r(NULL, " \t", &rest)) {
        if (count < MOST_WORDS) words[count] = word;
        count++;
    }
    return count;
}

/* A count written in digits; −1 when it is none. */
static int64_t whole_number(const char *text, size_t length) {
    if (length == 0 || length > 12 || strspn(text, "0123456789") < length) return -1;
    return strtoll(text, NULL, 10);
}

static const Type *find_type(const char *name) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0 || strcmp(name, types[i].other_name) == 0) return &types[i];
    return NULL;
}

static bool take_format(Ply *ply, const char *name) {
    static const char *const names[] = {"", "ascii", "binary_little_endian", "binary_big_endian"};
    for (Format f = FORMAT_ASCII; f <= FORMAT_BIG_ENDIAN; f++)
        if (strcmp(name, names[f]) == 0) ply->format = f;
    return ply->format != FORMAT_NONE || mn_mesh_fail(ply->reader, "its format \"%.40s\" is not known", name);
}

static bool take_element(Ply *ply, const char *name, const char *count) {
    if (ply->element_count == MOST_ELEMENTS)
        return mn_mesh_fail(ply->reader, "it has more than %d elements", MOST_ELEMENTS);
    Element *element = &ply->elements[ply->element_count++];
    *element = (Element){.count = whole_number(count, strlen(count)), .first = ply->property_count};
    snprintf(element->name, sizeof element->name, "%s", name);
    element->is_vertex = strcmp(name, "vertex") == 0;
    element->is_face = strcmp(name, "face") == 0;
    return element->count >= 0 ||
           mn_mesh_fail(ply->reader, "the count \"%.40s\" of its element \"%.40s\" is no number", count, name);
}

static bool take_property(Ply *ply, const char *count, const char *type, const char *name) {
    if (ply->element_count == 0)
        return mn_mesh_fail(ply->reader, "its property \"%.40s\" comes before any element", name);
    if (ply->property_count == MOST_PROPERTIES)
        return mn_mesh_fail(ply->reader, "it has more than %d properties", MOST_PROPERTIES);
    Element *element = &ply->elements[ply->element_count - 1];
    Property *property = &ply->properties[ply->property_count++];
    *property = (Property){.type = find_type(type), .count = count ? find_type(count) : NULL};
    if (count && element->is_face && (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0))
        property->role = ROLE_CORNERS;
    if (!property->type || (count && !(property->count && property->count->is_integer)))
        return mn_mesh_fail(ply->reader, "its property \"%.40s\" is of no known type", name);
    element->properties++;
    if (!count && name[0] >= 'x' && name[0] <= 'z' && name[1] == '\0') {
        element->has_axis[name[0] - 'x'] = true;
        property->role = (Role)(ROLE_X + (name[0] - 'x'));
    }
    return true;
}

static bool take_statement(Ply *ply, const char *const *words, int count) {
    if (count == 3 && strcmp(words[0], "format") == 0) return take_format(ply, words[1]);
    if (count == 3 && strcmp(words[0], "element") == 0) return take_element(ply, words[1], words[2]);
    if (count == 3 && strcmp(words[0], "property") == 0) return take_property(ply, NULL, words[1], words[2]);
    if (count == 5 && strcmp(words[0], "property") == 0 && strcmp(words[1], "list") == 0)
        return take_property(ply, words[2], words[3], words[4]);
    return mn_mesh_fail(ply->reader, "its header has a line that starts with \"%.40s\" and makes no sense", words[0]);
}

/* Every element has something in it, and vertices have places. */
static bool check_elements(Ply *ply) {
    bool has_vertices = false;
    for (int e = 0; e < ply->element_count; e++) {
        const Element *element = &ply->elements[e];
        if (element->count > 0 && element->properties == 0)
            return mn_mesh_fail(ply->reader, "its element \"%s\" has no properties", element->name);
        if (!element->is_vertex) continue;
        has_vertices = true;
        if (!element->has_axis[0] || !element->has_axis[1] || !element->has_axis[2])
            return mn_mesh_fail(ply->reader, "its vertices lack x, y or z");
    }
    return has_vertices || mn_mesh_fail(ply->reader, "it has no vertices");
}

static bool take_header(Ply *ply) {
    char line[LONGEST_LINE];
    const char *words[MOST_WORDS];
    if (!take_line(ply, line) || strcmp(line, "ply") != 0)
        return mn_mesh_fail(ply->reader, "it does not start with \"ply\"");
    for (int lines = 0; lines < MOST_HEADER_LINES; lines++) {
        if (!take_line(ply, line)) return false;
        int count = cut_words(line, words);
        if (count == 0 || strcmp(words[0], "comment") == 0 || strcmp(words[0], "obj_info") == 0) continue;
        if (count == 1 && strcmp(words[0], "end_header") == 0) {
            if (ply->format == FORMAT_NONE) return mn_mesh_fail(ply->reader, "its header names no format");
            return check_elements(ply);
        }
        if (!take_statement(ply, words, count)) return false;
    }
    return mn_mesh_fail(ply->reader, "its header has more than %d lines", MOST_HEADER_LINES);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* What is kept of a record: a place or a face. */
typedef struct Record {
    double position[3];
    int64_t corners[MN_MESH_CORNERS_MOST];
    int corner_count;
} Record;

/* False where the bytes of a number are not there. */
static bool take_binary_number(Ply *ply, const Type *type, double *number) {
    mnMeshReader *reader = ply->reader;
    if (reader->end - reader->at < type->size) {
        reader->at = reader->end;
        return false;
    }
    unsigned char bytes[8];
    for (int b = 0; b < type->size; b++)
        bytes[ply->format == FORMAT_BIG_ENDIAN ? type->size - 1 - b : b] = (unsigned char)reader->at[b];
    *number = mn_get_number(bytes, !type->is_integer ? 'f' : type->is_signed ? 'i' : 'u', type->size);
    reader->at += type->size;
    return true;
}

static bool take_number(Ply *ply, const Type *type, double *number) {
    if (ply->format != FORMAT_ASCII) return take_binary_number(ply, type, number);
    return mn_mesh_next_number(ply->reader, number) && (!type->is_integer || *number == floor(*number));
}

static bool take_list(Ply *ply, const Property *property, Record *record) {
    double count, entry;
    if (!take_number(ply, property->count, &count) || !(count >= 0)) return false;
    if (property->role == ROLE_CORNERS && count > MN_MESH_CORNERS_MOST)
        return mn_mesh_fail(ply->reader, "it has a face with more than %d corners; export triangles",
                            MN_MESH_CORNERS_MOST);
    for (int64_t left = count < 0x1p62 ? (int64_t)count : INT64_MAX; left > 0; left--) {
        if (!take_number(ply, property->type, &entry)) return false;
        if (property->role != ROLE_CORNERS) continue;
        record->corners[record->corner_count++] = fabs(entry) < 0x1p53 ? (int64_t)entry : -1;
    }
    return true;
}

static bool take_record(Ply *ply, const Element *element) {
    Record record;
    record.corner_count = 0;
    for (int p = 0; p < element->properties; p++) {
        const Property *property = &ply->properties[element->first + p];
        double value = 0;
        if (property->count ? !take_list(ply, property, &record) : !take_number(ply, property->type, &value))
            return false;
        if (property->role >= ROLE_X && property->role <= ROLE_Z) record.position[property->role - ROLE_X] = value;
    }
    if (ply->format == FORMAT_ASCII) {
        if (mn_mesh_next_word(ply->reader)) return false; /* its numbers are all there is in a line */
        mn_mesh_next_line(ply->reader);
        ply->reader->at += strspn(ply->reader->at, "\r\n");
    }
    return element->is_vertex ? mn_mesh_add_vertex(ply->reader, record.position)
                              : mn_mesh_add_face(ply->reader, record.corners, record.corner_count);
}

static bool name_record(Ply *ply, const Element *element, int64_t record) {
    if (ply->reader->at == ply->reader->end)
        return mn_mesh_fail(ply->reader, "it ends in record %lld of the %lld that its header announces for \"%s\"",
                            (long long)record + 1, (long long)element->count, element->name);
    return mn_mesh_fail(ply->reader, "record %lld of \"%s\" is damaged", (long long)record + 1, element->name);
}

/* Each record takes at least a byte, so this ends with the file however many there are said to be. */
bool mn_mesh_read_ply(mnMeshReader *reader) {
    Ply ply = {.reader = reader};
    if (!take_header(&ply)) return false;
    for (int e = 0; e < ply.element_count; e++) {
        const Element *element = &ply.elements[e];
        for (int64_t record = 0; record < element->count; record++) {
            if (take_record(&ply, element)) continue;
            return reader->status == MN_OK ? name_record(&ply, element, record) : false;
        }
    }
    return true;
}
