/* Writes a run into a folder:
 *
 *     DIR/frames, DIR/solids          frames in all formats, and the solids (io/frame_writer.h)
 *     DIR/scene.json                  the scene as it was run
 *     DIR/boundary.ply                the solids' particles as they are at the first frame
 *     DIR/series.csv, timings.csv     a row per frame
 *     DIR/summary.json                the end of the run
 *     DIR/checkpoints                 what it can go on from (io/checkpoint.h); written by others
 *
 * Files of an earlier run with these names are removed first. Everything appears whole or not at all; when the disk is
 * full the failing frame is taken back and the error names the last good one. One run at a time has the folder: others
 * are refused before they touch anything. */
#ifndef MN_IO_RECORDER_H
#define MN_IO_RECORDER_H

#include "io/summary.h"

typedef struct mnRecorder mnRecorder;

typedef struct mnRecorderDesc {
    const char *folder;
    const char *summary; /* path; NULL: summary.json in the folder */
    const char *scene;   /* text of scene.json */
    bool formats[MN_FORMAT_COUNT];
} mnRecorderDesc;

/* Whether the folder, or the nearest one above it that exists, can be written, no run is writing there, and it has no
 * scene.json or boundary.ply that is not a run's. That the scene of the run itself is not there is for the caller to
 * see to. Creates nothing. */
mnStatus mn_recorder_check(const mnRecorderDesc *desc, mnError *error);

mnStatus mn_recorder_begin(const mnRecorderDesc *desc, mnRecorder **recorder, mnError *error);
/* Goes on in the folder of a run after what an archive of it tells, which is of `step`: checkpoints, files and rows
 * that came later are removed. Formats are the archive's, not those of the description, and the scene in the folder
 * stays as it is. */
mnStatus mn_recorder_resume(const mnRecorderDesc *desc, const mnSceneDesc *scene, mnArchive *archive, int64_t step,
                            mnRecorder **recorder, mnError *error);
/* What the folder holds, in an archive. It is to be on the disk before the archive is: mn_recorder_sync. */
void mn_recorder_exchange(mnRecorder *recorder, mnArchive *archive);
mnStatus mn_recorder_sync(mnRecorder *recorder, mnError *error);
/* Writes scene.json, also in place of one of a scene that was changed while it ran. */
mnStatus mn_recorder_scene(const char *folder, const char *text, mnError *error);
/* Counts a step that took `seconds` of wall time. */
void mn_recorder_step(mnRecorder *recorder, const mnStepReport *report, double seconds);
/* What the next frame is written from; with the first go the walls. */
mnSnapshot mn_recorder_look(const mnRecorder *recorder, const mnSim *sim);
mnStatus mn_recorder_frame(mnRecorder *recorder, const mnSnapshot *snapshot, mnError *error);
/* Writes the summary. `status` and `message` as in mnOutcome. */
mnStatus mn_recorder_end(mnRecorder *recorder, const mnSnapshot *snapshot, const char *status, const char *message,
                         mnError *error);
void mn_recorder_destroy(mnRecorder *recorder);

int64_t mn_recorder_frames(const mnRecorder *recorder);
/* Whether the last step has a frame. */
bool mn_recorder_is_current(const mnRecorder *recorder);
const mnStats *mn_recorder_stats(const mnRecorder *recorder);
const char *mn_recorder_summary_path(const mnRecorder *recorder);

#endif
