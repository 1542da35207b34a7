#include "io/vtp_header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 16 };

/* The value of name="…" at or after `from`, as a number. */
static bool number_named(const char *from, const char *name, int64_t *value) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "%s=\"", name);
    const char *at = strstr(from, pattern);
    if (!at) return false;
    char *end;
    errno = 0;
    *value = strtoll(at + strlen(pattern), &end, 10);
    return !errno && *end == '"' && *value >= 0;
}

mnStatus mn_vtp_header_read(FILE *stream, const char *path, mnVtpHeader *header, mnError *error) {
    static const char appended[] = "<AppendedData encoding=\"raw\">";
    *header = (mnVtpHeader){.text = calloc(1, LONGEST + 1), .data = -1};
    if (!header->text) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to read %s", path);
    size_t length = fread(header->text, 1, LONGEST, stream);
    if (!length || !strstr(header->text, "<VTKFile") || !strstr(header->text, "PolyData") ||
        !number_named(header->text, "NumberOfPoints", &header->points)) {
        mn_vtp_header_clear(header);
        return mn_error_set(error, MN_ERROR_FILE, "%s: not a VTP file", path);
    }
    if (!number_named(header->text, "NumberOfPolys", &header->polygons)) header->polygons = 0;
    const char *time = strstr(header->text, "Name=\"TimeValue\"");
    if (time && (time = strchr(time, '>'))) header->has_time = sscanf(time + 1, "%lf", &header->time) == 1;
    const char *data = strstr(header->text, "UInt64") ? strstr(header->text, appended) : NULL;
    const char *start = data ? strchr(data + sizeof appended - 1, '_') : NULL;
    if (start) header->data = start + 1 - header->text;
    return MN_OK;
}

void mn_vtp_header_clear(mnVtpHeader *header) {
    free(header->text);
    header->text = NULL;
}

bool mn_vtp_array(const mnVtpHeader *header, const char *name, const char *type, int64_t *place) {
    char named[64], typed[64];
    snprintf(named, sizeof named, "Name=\"%s\"", name);
    snprintf(typed, sizeof typed, "type=\"%s\"", type);
    for (const char *at = header->text; header->data >= 0 && (at = strstr(at, "<DataArray")); at++) {
        const char *end = strchr(at, '>'), *is_named = strstr(at, named), *is_typed = strstr(at, typed);
        if (!end || !is_named || is_named > end || !is_typed || is_typed > end) continue;
        const char *offset = strstr(at, "offset=\"");
        if (!offset || offset > end || !number_named(at, "offset", place)) return false; /* it is not appended */
        *place = *place > INT64_MAX / 2 ? INT64_MAX / 2 : *place + header->data; /* behind the end of any file */
        return true;
    }
    return false;
}

void mn_vtp_header_begin(mnFile *file, double time) {
    mn_file_print(file,
                  "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                  "<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                  "format=\"ascii\">%.12g</DataArray>\n</FieldData>\n",
                  time);
}
