#include <stdlib.h>
#include <string.h>

#include "io/frame_columns.h"

enum { LINE = 4096, MOST = 256 };

/* Which column is what; how many there are. */
static int find_columns(const char *line, mnColumn columns[MOST]) {
    int count = 0;
    for (const char *at = line; count < MOST; at++) {
        size_t length = strcspn(at, ",\r\n"), name = strcspn(at, " ,\r\n");
        columns[count++] = mn_column_named(at, name);
        at += length;
        if (*at != ',') break;
    }
    return count;
}

static bool has_places(const mnColumn columns[MOST], int count) {
    unsigned found = 0;
    for (int k = 0; k < count; k++)
        if (columns[k] <= MN_COLUMN_Z) found |= 1u << columns[k];
    return found == 7;
}

static bool read_row(mnFrameReader *reader, int64_t row, const char *line, const mnColumn columns[MOST], int count) {
    const char *at = line;
    for (int k = 0; k < count; k++) {
        char *end;
        double value = strtod(at, &end);
        if (end != at && *end == '\r') end++; /* of other systems */
        if (end == at || *end != (k + 1 < count ? ',' : '\n')) return false;
        mn_frame_set(reader, row, columns[k], value);
        at = end + 1;
    }
    return true;
}

mnStatus mn_csv_read(mnFrameReader *reader, mnError *error) {
    char line[LINE];
    mnColumn columns[MOST];
    if (!fgets(line, sizeof line, reader->stream)) return mn_frame_broken(reader, error, "empty");
    int count = find_columns(line, columns);
    if (!strchr(line, '\n') || !has_places(columns, count))
        return mn_frame_broken(reader, error, "not a frame: it has no columns x, y and z");
    long start = ftell(reader->stream);
    int64_t rows = 0;
    while (fgets(line, sizeof line, reader->stream)) rows++;
    if (start < 0 || fseek(reader->stream, start, SEEK_SET) != 0)
        return mn_frame_broken(reader, error, "cannot be read twice");
    mnStatus status = mn_frame_room(reader, rows, 2 * count, error);
    for (int64_t row = 0; row < rows && status == MN_OK; row++)
        if (!fgets(line, sizeof line, reader->stream) || !read_row(reader, row, line, columns, count))
            status = mn_frame_broken(reader, error, "row %lld is not %d numbers with commas between them",
                                     (long long)row, count);
    return status;
}
