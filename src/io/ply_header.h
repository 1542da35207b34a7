/* The header of a PLY file: what its vertices are made of. Files are not trusted. */
#ifndef MN_IO_PLY_HEADER_H
#define MN_IO_PLY_HEADER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "meniscus/status.h"

enum { MN_PLY_PROPERTIES = 64 };

typedef struct mnPlyProperty {
    char name[64];
    char kind; /* 'f' real, 'i' signed, 'u' unsigned, 'l' a list or unknown */
    int bytes;
    int64_t offset; /* in the record */
} mnPlyProperty;

typedef struct mnPlyHeader {
    bool is_binary;   /* little-endian */
    bool has_records; /* the vertices come first and each takes `record` bytes */
    int64_t vertices, faces;
    int64_t record;
    int property_count; /* of the vertices; those beyond MN_PLY_PROPERTIES are not told */
    mnPlyProperty properties[MN_PLY_PROPERTIES];
    bool has_time;
    double time; /* s, of a comment that we write */
} mnPlyHeader;

/* Leaves the stream behind the header. */
mnStatus mn_ply_header_read(FILE *stream, const char *path, mnPlyHeader *header, mnError *error);

#endif
