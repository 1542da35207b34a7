#include "io/inspect.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/bytes.h"
#include "io/frame_columns.h"
#include "io/ply_header.h"
#include "io/vtp_header.h"

enum { LINE = 4096, CHUNK = 1 << 16 };

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
            add_point(info, (double[3]){mn_get_f32(at), mn_get_f32(at + 4), mn_get_f32(at + 8)});
        }
        done += now;
    }
    return MN_OK;
}

/* ---- PLY --------------------------------------------------------------------------------------------------------- */

/* x, y, z are the first three properties and floats. */
static bool begins_with_place(const mnPlyHeader *header) {
    static const char axes[3][2] = {"x", "y", "z"};
    for (int a = 0; a < 3; a++)
        if (header->property_count <= a || strcmp(header->properties[a].name, axes[a]) != 0 ||
            header->properties[a].kind != 'f' || header->properties[a].bytes != 4)
            return false;
    return true;
}

mnStatus mn_inspect_ply(const char *path, mnFileInfo *info, mnError *error) {
    *info = (mnFileInfo){0};
    FILE *stream = open_file(path, error);
    if (!stream) return MN_ERROR_FILE;
    mnPlyHeader header;
    mnStatus status = mn_ply_header_read(stream, path, &header, error);
    if (status == MN_OK) {
        info->points = header.vertices;
        info->faces = header.faces;
        info->has_time = header.has_time;
        info->time = header.time;
        for (int k = 0; k < header.property_count; k++)
            add_field(info, header.properties[k].name, strlen(header.properties[k].name));
        if (header.is_binary && header.has_records && begins_with_place(&header) && header.record <= CHUNK)
            status = read_points(stream, path, info->points, header.record, info, error);
    }
    fclose(stream);
    return status;
}

/* ---- VTP --------------------------------------------------------------------------------------------------------- */

static void vtp_fields(const char *header, mnFileInfo *info) {
    const char *end = strstr(header, "</PointData>");
    const char *at = strstr(header, "<PointData");
    while (at && end && (at = strstr(at, " Name=\"")) && at < end) {
        at += strlen(" Name=\"");
        add_field(info, at, strcspn(at, "\""));
    }
}

mnStatus mn_inspect_vtp(const char *path, mnFileInfo *info, mnError *error) {
    *info = (mnFileInfo){0};
    FILE *stream = open_file(path, error);
    if (!stream) return MN_ERROR_FILE;
    mnVtpHeader header;
    mnStatus status = mn_vtp_header_read(stream, path, &header, error);
    int64_t place;
    if (status == MN_OK) {
        info->points = header.points;
        info->faces = header.polygons;
        info->has_time = header.has_time;
        info->time = header.time;
        vtp_fields(header.text, info);
        if (mn_vtp_array(&header, "Points", "Float32", &place))
            status = fseek(stream, (long)(place + 8), SEEK_SET) == 0
                         ? read_points(stream, path, info->points, 12, info, error)
                         : mn_error_set(error, MN_ERROR_FILE, "%s: cut short", path);
        mn_vtp_header_clear(&header);
    }
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

/* ---- frames ------------------------------------------------------------------------------------------------------ */

mnStatus mn_inspect_frame(const char *path, mnFileInfo *info, mnError *error) {
    *info = (mnFileInfo){0};
    mnFrame frame = {0};
    mnStatus status = mn_frame_read(path, 3, &frame, error);
    if (status != MN_OK) return status;
    info->points = frame.particles.count;
    info->has_time = frame.has_time;
    info->time = frame.time;
    for (int c = 0; c < MN_COLUMN_COUNT; c++) {
        const char *name = mn_column_name((mnColumn)c);
        if (frame.columns >> c & 1) add_field(info, name, strlen(name));
    }
    for (int64_t i = 0; i < frame.particles.count; i++) {
        const mnVec *x = &frame.particles.position[i];
        add_point(info, (double[3]){(double)x->x, (double)x->y, (double)x->z});
    }
    mn_frame_clear(&frame);
    return MN_OK;
}
