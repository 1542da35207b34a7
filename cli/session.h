/* One run from a checked scene to the last frame. */
#ifndef MN_CLI_SESSION_H
#define MN_CLI_SESSION_H

#include "io/recorder.h"

typedef struct SessionDesc {
    mnRecorderDesc record;
    int64_t steps; /* 0: as many as the duration takes */
    bool quiet, verbose;
} SessionDesc;

/* Returns the exit status of the program, after having said what there is to say. */
int session_run(const SessionDesc *desc, const mnSceneDesc *scene, const mnOptions *options);

#endif
