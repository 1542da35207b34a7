/* One run from a checked scene, or from a checkpoint of it, to the last frame. */
#ifndef MN_CLI_SESSION_H
#define MN_CLI_SESSION_H

#include "io/checkpoint.h"
#include "io/recorder.h"

typedef struct SessionDesc {
    mnRecorderDesc record;
    int64_t steps; /* 0: as many as the duration takes */
    /* Between two checkpoints, of which there is also one at the end; both 0: there are none. */
    int64_t checkpoint_steps;
    double checkpoint_seconds; /* of wall time */
    bool quiet, verbose;
} SessionDesc;

/* What to go on from. */
typedef struct Resume {
    mnArchive *archive;
    int64_t step;
    mnCheckpointHead head;
    bool is_changed; /* the scene is not the one of the checkpoint any more */
    bool has_scene;  /* scene.json is that of the checkpoint */
    bool new_pace;   /* frames come at other times than before */
} Resume;

/* Return the exit status of the program, after having said what there is to say. */
int session_run(const SessionDesc *desc, const mnSceneDesc *scene, const mnOptions *options);
int session_resume(const SessionDesc *desc, Resume *resume, const mnSceneDesc *scene, const mnOptions *options);

#endif
