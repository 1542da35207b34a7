#include "io/inspect.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 4096, HEADER_LINES = 1000, VTP_HEADER = 1 << 16, CHUNK = 1 << 16 };

static FILE *open_file(const char *path, mnError *error) {
    FILE *stream = fopen(path, "rb");
    if (!stream) mn_error_set(error, MN_ERROR_FILE, "cannot read %s: %s", path, strerror(errno));
    return stream;
}

static void add_field(mnFileInfo *info, const char *name, size_t length) {
    size_t used = strlen(info->fields);
    if (used + length + 2 > sizeof info->fields) return;
    if (used) info->fields[used++] = ' ';
    memcpy(info->fields + used, name, length);
    info->fields[used + length] = '\0';
}

static void add_point(mnFileInfo *info, const double x[3]) {
    for (int axis = 0; axis < 3; axis++) {
        if (!info->has_bounds || x[axis] < info->lower[axis]) info->lower[axis] = x[axis];
        if (!info->has_bounds || x[axis] > info->upper[axis]) info->upper[axis] = x[axis];
    }
    info->has_bounds = true;
}

static double read_f32(const unsigned char *bytes) {
    union {
        uint32_t bits;
        float real;
    } pun = {.bits =
                 (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24};
    return (double)pun.real;
}

static int64_t rest_of_file(FILE *stream) {
    long here = ftell(stream);
    if (here < 0 || fseek(stream, 0, SEEK_END) != 0) return -1;
    long end = ftell(stream);
    if (end < 0 || fseek(stream, here, SEEK_SET) != 0) return -1;
    return end - here;
}

/* Reads `count` records whose first twelve bytes are a position. */
static mnStatus read_points(FILE *stream, const char *path, int64_t count, int64_t record, mnFileInfo *info,
                            mnError *error) {
    int64_t rest = rest_of_file(stream);
    if (rest < 0 || count > rest / record)
        return mn_error_set(error, MN_ERROR_FILE, "%s: cut short: %lld points of %lld bytes are announced, %lld follow",
                            path, (long long)count, (long long)record, (long long)rest);
    unsigned char buffer[CHUNK];
    int64_t at_once = CHUNK / record;
    for (int64_t done = 0; done < count;) {
        int64_t now = count - done < at_once ? count - done : at_once;
        if (fread(buffer, (size_t)record, (size_t)now, stream) != (size_t)now)
            return mn_error_set(error, MN_ERROR_FILE, "cannot read %s: %s", path, strerror(errno));
        for (int64_t k = 0; k < now; k++) {
            const unsigned char *at = buffer + k * record;
            add_point(info, (double[3]){read_f32(at), read_f32(at + 4), read_f32(at + 8)});
        }
        done += now;
    }
    return MN_OK;
}

/* ---- PLY --------------------------------------------------------------------------------------------------------- */

typedef struct PlyHeader {
    bool binary_little;
    bool in_vertices;     /* the element being described */
    bool vertices_first;  /* nothing comes before the vertices */
    bool positions_first; /* x, y, z are the first three properties and floats */
    bool fixed_record;    /* no lists among the vertices' properties */
    int elements, properties;
    int64_t record; /* bytes */
} PlyHeader;

static int type_bytes(const char *type) {
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"char", 1},  {"uchar", 1},   {"int8", 1},   {"uint8", 1},  {"short", 2}, {"ushort", 2},
                 {"int16", 2}, {"uint16", 2},  {"int", 4},    {"uint", 4},   {"int32", 4}, {"uint32", 4},
                 {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i].name) == 0) return types[i].bytes;
    return 0;
}

static void ply_property(PlyHeader *header, const char *type, const char *name, mnFileInfo *info) {
    static const char axes[3][2] = {"x", "y", "z"};
    if (!header->in_vertices) return;
    int bytes = type_bytes(type);
    if (!bytes) header->fixed_record = false;
    if (header->properties < 3 &&
        (strcmp(name, axes[header->properties]) != 0 || strncmp(type, "float", 5) != 0 || bytes != 4))
        header->positions_first = false;
    header->properties++;
    header->record += bytes;
    add_field(info, name, strlen(name));
}

static mnStatus ply_element(PlyHeader *header, const char *path, const char *name, const char *number, mnFileInfo *info,
                            mnError *error) {
    char *end;
    errno = 0;
    long long count = strtoll(number, &end, 10);
    if (errno || end == number || *end || count < 0)
        return mn_error_set(error, MN_ERROR_FILE, "%s: bad number of %.40s in the header: %.40s", path, name, number);
    header->in_vertices = strcmp(name, "vertex") == 0;
    if (header->in_vertices) {
        header->vertices_first = header->elements == 0;
        info->points = count;
    } else if (strcmp(name, "face") == 0) {
        info->faces = count;
    }
    header->elements++;
    return MN_OK;
}

static mnStatus ply_header(FILE *stream, const char *path, PlyHeader *header, mnFileInfo *info, mnError *error) {
    char line[LINE], first[64], second[64], third[64];
    if (!fgets(line, sizeof line, stream) || strncmp(line, "ply", 3) != 0)
        return mn_error_set(error, MN_ERROR_FILE, "%s: not a PLY file", path);
    for (int lines = 0; lines < HEADER_LINES && fgets(line, sizeof line, stream); lines++) {
        int words = sscanf(line, "%63s %63s %63s", first, second, third);
        if (words >= 1 && strcmp(first, "end_header") == 0) return MN_OK;
        if (words >= 2 && strcmp(first, "format") == 0)
            header->binary_little = strcmp(second, "binary_little_endian") == 0;
        else if (words == 3 && strcmp(first, "comment") == 0 && strcmp(second, "time") == 0)
            info->has_time = sscanf(third, "%lf", &info->time) == 1;
        else if (words == 3 && strcmp(first, "property") == 0)
            ply_property(header, second, third, info);
        else if (words == 3 && strcmp(first, "element") == 0 &&
                 ply_element(header, path, second, third, info, error) != MN_OK)
            return MN_ERROR_FILE;
    }
    return mn_error_set(error, MN_ERROR_FILE, "%s: the PLY header has no end", path);
}

mnStatus mn_inspect_ply(const char *path, mnFileInfo *info, mnError *error) {
    *info = (mnFileInfo){0};
    FILE *stream = open_file(path, error);
    if (!stream) return MN_ERROR_FILE;
    PlyHeader header = {.positions_first = true, .fixed_record = true};
    mnStatus status = ply_header(stream, path, &header, info, error);
    bool readable = header.binary_little && header.vertices_first && header.positions_first && header.fixed_record &&
                    header.properties >= 3 && header.record <= CHUNK;
    if (status == MN_OK && readable) status = read_points(stream, path, info->points, header.record, info, error);
    fclose(stream);
    return status;
}

/* ---- VTP --------------------------------------------------------------------------------------------------------- */

/* The value of name="…" at or after `from`, as a number. */
static bool attribute(const char *from, const char *name, int64_t *value) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "%s=\"", name);
    const char *at = strstr(from, pattern);
    if (!at) return false;
    char *end;
    errno = 0;
    *value = strtoll(at + strlen(pattern), &end, 10);
    return !errno && *end == '"' && *value >= 0;
}

static void vtp_fields(const char *header, mnFileInfo *info) {
    const char *end = strstr(header, "</PointData>");
    const char *at = strstr(header, "<PointData");
    while (at && end && (at = strstr(at, " Name=\"")) && at < end) {
        at += strlen(" Name=\"");
        add_field(info, at, strcspn(at, "\""));
    }
    at = strstr(header, "Name=\"TimeValue\"");
    if (at && (at = strchr(at, '>'))) info->has_time = sscanf(at + 1, "%lf", &info->time) == 1;
}

mnStatus mn_inspect_vtp(const char *path, mnFileInfo *info, mnError *error) {
    *info = (mnFileInfo){0};
    FILE *stream = open_file(path, error);
    if (!stream) return MN_ERROR_FILE;
    static const char appended[] = "<AppendedData encoding=\"raw\">";
    char *header = calloc(1, VTP_HEADER + 1);
    size_t length = header ? fread(header, 1, VTP_HEADER, stream) : 0;
    mnStatus status = MN_OK;
    if (!header)
        status = mn_error_set(error, MN_ERROR_MEMORY, "no memory left to read %s", path);
    else if (!length || !strstr(header, "<VTKFile") || !strstr(header, "PolyData") ||
             !attribute(header, "NumberOfPoints", &info->points))
        status = mn_error_set(error, MN_ERROR_FILE, "%s: not a VTP file", path);
    if (status == MN_OK) vtp_fields(header, info);
    const char *points = status == MN_OK ? strstr(header, "<Points>") : NULL;
    const char *data = status == MN_OK ? strstr(header, appended) : NULL;
    const char *start = data ? strchr(data + sizeof appended - 1, '_') : NULL;
    int64_t offset = 0;
    /* Only the layout that this project writes is read further: raw appended Float32 points with 8-byte sizes. */
    if (points && start && strstr(points, "Float32") && strstr(header, "UInt64") &&
        attribute(points, "offset", &offset)) {
        int64_t skip = start + 1 - header + 8;
        if (offset > (int64_t)(INT64_MAX / 2) || fseek(stream, (long)(skip + offset), SEEK_SET) != 0)
            status = mn_error_set(error, MN_ERROR_FILE, "%s: cut short", path);
        else
            status = read_points(stream, path, info->points, 12, info, error);
    }
    free(header);
    fclose(stream);
    return status;
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

/* Finds the columns named x, y, z (with or without a unit) and notes all names. */
static void csv_header(const char *line, int column_of[3], mnFileInfo *info) {
    int column = 0;
    for (const char *at = line; *at; column++) {
        size_t length = strcspn(at, ",\r\n");
        size_t name = strcspn(at, " ,\r\n");
        if (name > length) name = length;
        add_field(info, at, name);
        if (name == 1 && at[0] >= 'x' && at[0] <= 'z') column_of[at[0] - 'x'] = column;
        at += length;
        if (*at == ',')
            at++;
        else
            break;
    }
}

static bool csv_number(const char *line, int column, double *value) {
    for (; column > 0; column--) {
        line = strchr(line, ',');
        if (!line) return false;
        line++;
    }
    char *end;
    *value = strtod(line, &end);
    return end != line;
}

mnStatus mn_inspect_csv(const char *path, mnFileInfo *info, mnError *error) {
    *info = (mnFileInfo){0};
    FILE *stream = open_file(path, error);
    if (!stream) return MN_ERROR_FILE;
    char line[LINE];
    int column_of[3] = {-1, -1, -1};
    mnStatus status = MN_OK;
    if (!fgets(line, sizeof line, stream))
        status = mn_error_set(error, MN_ERROR_FILE, "%s: empty", path);
    else
        csv_header(line, column_of, info);
    bool points = column_of[0] >= 0 && column_of[1] >= 0 && column_of[2] >= 0;
    while (status == MN_OK && fgets(line, sizeof line, stream)) {
        double x[3];
        info->points++;
        if (points && csv_number(line, column_of[0], &x[0]) && csv_number(line, column_of[1], &x[1]) &&
            csv_number(line, column_of[2], &x[2]))
            add_point(info, x);
    }
    fclose(stream);
    return status;
}
