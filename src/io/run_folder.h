/* What a run has left in its folder (io/recorder.h): the scene and the frames. */
#ifndef MN_IO_RUN_FOLDER_H
#define MN_IO_RUN_FOLDER_H

#include <stdint.h>

#include "io/frame_read.h"

typedef struct mnFrameFile {
    int64_t number;
    char *path;
} mnFrameFile;

typedef struct mnRunFolder {
    char *folder;        /* of the run */
    mnScene *scene;      /* NULL: there is no scene.json, the run is older than that */
    mnFrameFile *frames; /* by rising number, each once whatever formats it is there in */
    int64_t frame_count; /* at least 1 */
} mnRunFolder;

/* `path` is the folder of a run, its folder of frames, or one frame. Fails with a text that says what was looked for;
 * afterwards nothing need be closed. */
mnStatus mn_run_folder_open(const char *path, mnRunFolder *run, mnError *error);
void mn_run_folder_close(mnRunFolder *run);

/* Keeps the frames from number `first` to `last`. */
mnStatus mn_run_folder_select(mnRunFolder *run, int64_t first, int64_t last, mnError *error);

/* Reads a frame; volumes that a frame of an older run lacks become those of the lattice. */
mnStatus mn_run_folder_read(const mnRunFolder *run, int64_t index, mnFrame *frame, mnError *error);

#endif
