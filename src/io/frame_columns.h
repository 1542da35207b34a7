/* The readers behind mn_frame_read, one file each, and what they put their finds into. */
#ifndef MN_IO_FRAME_COLUMNS_H
#define MN_IO_FRAME_COLUMNS_H

#include <stdio.h>

#include "io/frame_read.h"

/* Numbers of a particle. */
typedef enum mnColumn {
    MN_COLUMN_X,
    MN_COLUMN_Y,
    MN_COLUMN_Z,
    MN_COLUMN_VX,
    MN_COLUMN_VY,
    MN_COLUMN_VZ,
    MN_COLUMN_PRESSURE,
    MN_COLUMN_MEASURE,
    MN_COLUMN_PHASE,
    MN_COLUMN_ID,
    MN_COLUMN_RADIUS,
    MN_COLUMN_COUNT
} mnColumn;

/* A frame that is being read. */
typedef struct mnFrameReader {
    const char *path;
    int dimension;
    FILE *stream;
    int64_t size; /* of the file, bytes */
    mnFrame *frame;
    mnVec *position, *velocity, *measure;
    mnReal *pressure;
    int32_t *phase;
    int64_t *id;
} mnFrameReader;

/* By the name in a file ("x", "vx", "pressure", …); MN_COLUMN_COUNT: none of ours. */
mnColumn mn_column_named(const char *name, size_t length);
const char *mn_column_name(mnColumn column);

/* Room for `count` particles, each of which takes at least `bytes` of the file: what it cannot hold is refused. */
mnStatus mn_frame_room(mnFrameReader *reader, int64_t count, int64_t bytes, mnError *error);
void mn_frame_set(mnFrameReader *reader, int64_t particle, mnColumn column, double value);
mnStatus mn_frame_broken(const mnFrameReader *reader, mnError *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The file's next bytes. */
mnStatus mn_frame_bytes(mnFrameReader *reader, void *to, size_t count, mnError *error);

mnStatus mn_ply_read(mnFrameReader *reader, mnError *error);
mnStatus mn_vtp_read(mnFrameReader *reader, mnError *error);
mnStatus mn_csv_read(mnFrameReader *reader, mnError *error);
mnStatus mn_bgeo_read(mnFrameReader *reader, mnError *error);
mnStatus mn_vtkhdf_read(mnFrameReader *reader, mnError *error);

#endif
