/* Houdini's classic binary geometry, version 5, which Partio reads too: a header of counts, the definitions of the
 * points' attributes, then a packed record for each point; all of it big-endian. There are no primitives and no groups.
 * The time is an attribute of the whole file. Names are those that Houdini's particle tools look for: v, pscale, id. */
#include <string.h>

#include "io/bgeo.h"
#include "io/frame_formats.h"

enum { RECORDS_AT_ONCE = 1024, HEADER_ROOM = 512 };

static const mnBgeoAttribute attributes[] = {
    {"v", MN_BGEO_VECTOR, 3, 16},       {"pscale", MN_BGEO_FLOAT, 1, 28},  {"id", MN_BGEO_INTEGER, 1, 32},
    {"pressure", MN_BGEO_FLOAT, 1, 36}, {"measure", MN_BGEO_FLOAT, 1, 40}, {"phase", MN_BGEO_INTEGER, 1, 44},
};
enum { ATTRIBUTES = sizeof attributes / sizeof attributes[0], RECORD = 48 };

static unsigned char *put_u16(unsigned char *to, uint32_t value) {
    *to++ = (unsigned char)(value >> 8);
    *to++ = (unsigned char)value;
    return to;
}

static unsigned char *put_u32(unsigned char *to, uint32_t value) {
    return put_u16(put_u16(to, value >> 16), value & 0xffff);
}

static unsigned char *put_f32(unsigned char *to, double value) {
    union {
        float real;
        uint32_t bits;
    } pun = {.real = (float)value};
    return put_u32(to, pun.bits);
}

static unsigned char *put_vector(unsigned char *to, const mnVec *v) {
    return put_f32(put_f32(put_f32(to, (double)v->x), (double)v->y), (double)v->z);
}

/* Name, number of components, type, and a default of zeros. */
static unsigned char *put_definition(unsigned char *to, const mnBgeoAttribute *attribute) {
    size_t length = strlen(attribute->name);
    to = put_u16(to, (uint32_t)length);
    memcpy(to, attribute->name, length);
    to = put_u16(to + length, (uint32_t)attribute->size);
    to = put_u32(to, (uint32_t)attribute->type);
    for (int i = 0; i < attribute->size; i++) to = put_u32(to, 0);
    return to;
}

static void put_header(mnFile *file, int64_t count) {
    unsigned char buffer[HEADER_ROOM] = "BgeoV";
    unsigned char *end = put_u32(buffer + 5, MN_BGEO_VERSION);
    end = put_u32(end, (uint32_t)count);
    for (int i = 0; i < 3; i++) end = put_u32(end, 0); /* primitives; groups of points, of primitives */
    end = put_u32(end, ATTRIBUTES);
    for (int i = 0; i < 2; i++) end = put_u32(end, 0); /* attributes of vertices, of primitives */
    end = put_u32(end, 1);                             /* of the file: the time */
    for (int a = 0; a < ATTRIBUTES; a++) end = put_definition(end, &attributes[a]);
    mn_file_put(file, buffer, (size_t)(end - buffer));
}

static void put_end(mnFile *file, double time) {
    unsigned char buffer[HEADER_ROOM];
    unsigned char *end = put_definition(buffer, &(mnBgeoAttribute){MN_BGEO_TIME, MN_BGEO_FLOAT, 1, 0});
    end = put_f32(end, time);
    *end++ = 0x00; /* an empty section of extras: its begin … */
    *end++ = 0xff; /* … and its end */
    mn_file_put(file, buffer, (size_t)(end - buffer));
}

mnStatus mn_bgeo_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error) {
    const mnParticles *p = &snapshot->particles;
    if (p->count > INT32_MAX || (p->count > 0 && p->id[order[p->count - 1]] > INT32_MAX))
        return mn_error_set(error, MN_ERROR_FILE, "%s: bgeo has no room for ids above %ld; write VTKHDF, VTP or CSV",
                            path, (long)INT32_MAX);
    mnFile file;
    mnStatus status = mn_file_create(&file, path, error);
    if (status != MN_OK) return status;
    put_header(&file, p->count);
    unsigned char buffer[RECORDS_AT_ONCE * RECORD];
    unsigned char *end = buffer;
    for (int64_t k = 0; k < p->count; k++) {
        int64_t i = order[k];
        end = put_vector(end, &p->position[i]);
        end = put_f32(end, 1);
        end = put_vector(end, &p->velocity[i]);
        end = put_f32(end, mn_snapshot_radius(snapshot, i));
        end = put_u32(end, (uint32_t)p->id[i]);
        end = put_f32(end, (double)p->pressure[i]);
        end = put_f32(end, (double)p->measure[i].x);
        end = put_u32(end, (uint32_t)p->phase[i]);
        if (end == buffer + sizeof buffer || k + 1 == p->count) {
            mn_file_put(&file, buffer, (size_t)(end - buffer));
            end = buffer;
        }
    }
    put_end(&file, snapshot->time);
    return mn_file_commit(&file, error);
}
