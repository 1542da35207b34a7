/* A frame that was written, back in memory. Files are not trusted. */
#ifndef MN_IO_FRAME_READ_H
#define MN_IO_FRAME_READ_H

#include <stdbool.h>
#include <stdio.h>

#include "io/frames.h"

typedef struct mnFrame {
    bool has_time;
    double time;           /* s */
    mnParticles particles; /* as the file has them; what it does not have is 0, ids are then those of its rows */
    unsigned columns;      /* that the file has: a bit for each mnColumn, see frame_columns.h */
    void *memory;          /* that the arrays are in */
} mnFrame;

/* The format that the ending of a path tells; MN_FORMAT_COUNT: none of ours. */
mnFormat mn_format_of(const char *path);

/* Rest volumes come from the radii of balls, or of discs where `dimension` is 2. The frame may be zeroed or one that
 * was read before, whose memory goes. Fails with a text that names the file and what is wrong with it. */
mnStatus mn_frame_read(const char *path, int dimension, mnFrame *frame, mnError *error);
/* The same of a stream of so many bytes; the path is for its ending and for texts. */
mnStatus mn_frame_read_stream(FILE *stream, int64_t size, const char *path, int dimension, mnFrame *frame,
                              mnError *error);
void mn_frame_clear(mnFrame *frame);

/* A frame of a scene as mn_frame_write takes it. */
mnSnapshot mn_frame_snapshot(const mnFrame *frame, const mnSceneDesc *scene);

#endif
