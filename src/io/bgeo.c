#include "io/bgeo.h"

#include <math.h>
#include <string.h>

static bool take_u16(FILE *stream, uint32_t *value) {
    unsigned char bytes[2];
    if (fread(bytes, 1, sizeof bytes, stream) != sizeof bytes) return false;
    *value = (uint32_t)bytes[0] << 8 | bytes[1];
    return true;
}

static bool take_u32(FILE *stream, uint32_t *value) {
    unsigned char bytes[4];
    if (fread(bytes, 1, sizeof bytes, stream) != sizeof bytes) return false;
    *value = mn_bgeo_u32(bytes);
    return true;
}

/* Reads what it passes, so that the end of the file is noticed. */
static bool pass(FILE *stream, int64_t bytes) {
    char buffer[4096];
    for (; bytes > 0; bytes -= (int64_t)sizeof buffer) {
        size_t now = bytes < (int64_t)sizeof buffer ? (size_t)bytes : sizeof buffer;
        if (fread(buffer, 1, now, stream) != now) return false;
    }
    return true;
}

/* As much of it as `name` holds. */
static bool take_name(FILE *stream, char name[32]) {
    uint32_t length;
    if (!take_u16(stream, &length)) return false;
    uint32_t kept = length < 31 ? length : 31;
    if (fread(name, 1, kept, stream) != kept) return false;
    name[kept] = '\0';
    return pass(stream, length - kept);
}

static bool pass_words(FILE *stream) {
    uint32_t count;
    char word[32];
    bool good = take_u32(stream, &count);
    for (uint32_t i = 0; good && i < count; i++) good = take_name(stream, word);
    return good;
}

static bool take_definition(FILE *stream, mnBgeoAttribute *attribute) {
    uint32_t size, type;
    if (!take_name(stream, attribute->name) || !take_u16(stream, &size) || !take_u32(stream, &type)) return false;
    attribute->size = (int)size;
    attribute->type = (int)(type & 0xff);
    if (type == MN_BGEO_INDEXED) return pass_words(stream);
    return (type == MN_BGEO_FLOAT || type == MN_BGEO_INTEGER || type == MN_BGEO_VECTOR) &&
           pass(stream, 4 * (int64_t)size);
}

mnStatus mn_bgeo_header_read(FILE *stream, const char *path, mnBgeoHeader *header, mnError *error) {
    enum { POINTS, PRIMITIVES, POINT_GROUPS, PRIMITIVE_GROUPS, OF_POINTS, OF_VERTICES, OF_PRIMITIVES, OF_FILE, COUNTS };
    static const char magic[] = "BgeoV";
    char found[sizeof magic] = "";
    uint32_t version = 0, counts[COUNTS] = {0};
    *header = (mnBgeoHeader){.record = 16};
    bool good = fread(found, 1, sizeof magic - 1, stream) == sizeof magic - 1;
    if (!good || strcmp(found, magic) != 0 || !take_u32(stream, &version) || version != MN_BGEO_VERSION)
        return mn_error_set(error, MN_ERROR_FILE, "%s: not a bgeo file in the classic form, version 5", path);
    for (int i = 0; i < COUNTS && good; i++) good = take_u32(stream, &counts[i]) && counts[i] <= INT32_MAX;
    if (!good || counts[OF_POINTS] > MN_BGEO_ATTRIBUTES)
        return mn_error_set(error, MN_ERROR_FILE, "%s: cut short, or its header announces what cannot be", path);
    header->points = counts[POINTS];
    header->file_attributes = (int)counts[OF_FILE];
    header->is_plain = !counts[PRIMITIVES] && !counts[POINT_GROUPS] && !counts[PRIMITIVE_GROUPS] &&
                       !counts[OF_VERTICES] && !counts[OF_PRIMITIVES];
    for (uint32_t i = 0; i < counts[OF_POINTS]; i++) {
        mnBgeoAttribute *attribute = &header->attributes[header->attribute_count++];
        if (!take_definition(stream, attribute))
            return mn_error_set(error, MN_ERROR_FILE, "%s: cut short, or attribute %d is of an unknown type", path,
                                header->attribute_count);
        attribute->offset = header->record;
        header->record += 4 * (int64_t)attribute->size;
    }
    return MN_OK;
}

/* The decimal number that was meant: a float tells seven digits. */
static double seven_digits(double value) {
    if (value == 0 || !isfinite(value)) return value;
    double scale = pow(10, 6 - floor(log10(fabs(value))));
    return isfinite(scale) ? round(value * scale) / scale : value;
}

mnStatus mn_bgeo_end_read(FILE *stream, const char *path, const mnBgeoHeader *header, bool *has_time, double *time,
                          mnError *error) {
    *has_time = false;
    if (!header->is_plain) return MN_OK;
    int64_t before = 0, bytes = 0;
    bool good = true;
    for (int i = 0; i < header->file_attributes && good; i++) {
        mnBgeoAttribute attribute = {0};
        good = take_definition(stream, &attribute);
        if (strcmp(attribute.name, MN_BGEO_TIME) == 0 && attribute.type == MN_BGEO_FLOAT && attribute.size == 1) {
            *has_time = true;
            before = bytes;
        }
        bytes += 4 * (int64_t)attribute.size;
    }
    unsigned char value[4] = {0};
    if (good && *has_time) {
        good = pass(stream, before) && fread(value, 1, sizeof value, stream) == sizeof value;
        bytes -= before + (int64_t)sizeof value;
    }
    if (!good || !pass(stream, bytes + 2))
        return mn_error_set(error, MN_ERROR_FILE, "%s: cut short behind its points", path);
    *time = seven_digits(mn_bgeo_f32(value));
    return MN_OK;
}
