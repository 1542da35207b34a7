/* The frames of a run as files, one after the other, each in several formats:
 *
 *     DIR/frames/frame_000000.ply …   numbered from the first one on
 *     DIR/frames/frames.pvd           the index of the VTP files, for ParaView
 *     DIR/solids/NAME.ply, NAME.csv   the solids, see io/solids.h
 *
 * A frame is there in all formats or in none. */
#ifndef MN_IO_FRAME_WRITER_H
#define MN_IO_FRAME_WRITER_H

#include <stdbool.h>

#include "io/archive.h"
#include "io/frames.h"

typedef struct mnFrameWriterDesc {
    const char *folder;
    bool formats[MN_FORMAT_COUNT];
    int64_t first; /* number of the first frame */
    bool solids;   /* whether they are written */
} mnFrameWriterDesc;

typedef struct mnFrameWriter mnFrameWriter;

/* Makes DIR/frames. */
mnStatus mn_frame_writer_begin(const mnFrameWriterDesc *desc, mnFrameWriter **writer, mnError *error);
/* A frame that cannot be written is taken back. */
mnStatus mn_frame_writer_add(mnFrameWriter *writer, const mnSnapshot *snapshot, mnError *error);
/* Takes the last frame back; `scene` is that of its snapshot. It stays where the list of frames cannot be written
 * without it. */
void mn_frame_writer_drop(mnFrameWriter *writer, const mnSceneDesc *scene);
void mn_frame_writer_end(mnFrameWriter *writer);

/* How many there are. */
int64_t mn_frame_writer_count(const mnFrameWriter *writer);
/* Appends to an error which frame is the last good one. */
void mn_frame_writer_name_last(const mnFrameWriter *writer, mnError *error);

/* What was written since the last time is on the disk when this returns. */
mnStatus mn_frame_writer_sync(mnFrameWriter *writer, mnError *error);
/* What there is of frames, in an archive, their formats included. */
void mn_frame_writer_exchange(mnFrameWriter *writer, mnArchive *archive);
/* After an archive was read: removes the frames that came later, and makes the index what it was. */
mnStatus mn_frame_writer_cut(mnFrameWriter *writer, const mnSceneDesc *scene, mnError *error);

/* Removes all frames, the index and the solids that were left in the folder before. */
void mn_frame_writer_clear(const mnFrameWriter *writer);

#endif
