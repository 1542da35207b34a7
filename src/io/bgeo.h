/* Houdini's classic binary geometry, version 5: what its writer and its readers share. Files are not trusted.
 *
 *     "BgeoV", version                                                      5 and 4 bytes
 *     numbers of points, primitives, groups of points and of primitives,
 *     attributes of points, of vertices, of primitives and of the file      4 bytes each
 *     attributes of points: name, number of components, type, default
 *     for each point x, y, z, w and its attributes                          4 bytes each number
 *     primitives and groups, of which we write none
 *     attributes of the file: defined as those of points, then their values
 *     a section of extras, which begins with 0x00 and ends with 0xff
 *
 * All of it is big-endian. A name is its length in 2 bytes and its letters. An indexed attribute has, in place of a
 * default, a number of words and the words, written like names. */
#ifndef MN_IO_BGEO_H
#define MN_IO_BGEO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "meniscus/status.h"

enum { MN_BGEO_VERSION = 5, MN_BGEO_ATTRIBUTES = 64 };

enum { MN_BGEO_FLOAT = 0, MN_BGEO_INTEGER = 1, MN_BGEO_INDEXED = 4, MN_BGEO_VECTOR = 5 };

/* The file's own attribute that holds the time in seconds. */
#define MN_BGEO_TIME "time"

typedef struct mnBgeoAttribute {
    char name[32]; /* longer ones are cut */
    int type;
    int size;       /* components, of four bytes */
    int64_t offset; /* of the first one in a point's record */
} mnBgeoAttribute;

typedef struct mnBgeoHeader {
    int64_t points;
    int64_t record; /* bytes of a point, with its place */
    int attribute_count;
    mnBgeoAttribute attributes[MN_BGEO_ATTRIBUTES]; /* of the points */
    bool is_plain;                                  /* no primitives and no groups lie behind the points */
    int file_attributes;
} mnBgeoHeader;

/* Leaves the stream at the first point. */
mnStatus mn_bgeo_header_read(FILE *stream, const char *path, mnBgeoHeader *header, mnError *error);

/* What is behind the points of a plain file: the time, if it is there. */
mnStatus mn_bgeo_end_read(FILE *stream, const char *path, const mnBgeoHeader *header, bool *has_time, double *time,
                          mnError *error);

static inline uint32_t mn_bgeo_u32(const unsigned char *from) {
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | (uint32_t)from[3];
}

static inline double mn_bgeo_f32(const unsigned char *from) {
    union {
        uint32_t bits;
        float real;
    } pun = {.bits = mn_bgeo_u32(from)};
    return (double)pun.real;
}

#endif
