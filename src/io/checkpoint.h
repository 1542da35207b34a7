/* The checkpoints of a run, DIR/checkpoints/checkpoint_STEP.h5: archives (io/archive.h) of all that it takes to go on
 * with it. The last two are kept, so that one can be damaged. */
#ifndef MN_IO_CHECKPOINT_H
#define MN_IO_CHECKPOINT_H

#include "io/archive.h"
#include "io/pace.h"

/* Writes one, and then removes those before the last two. */
mnStatus mn_checkpoint_save(mnArchive *archive, const char *folder, int64_t step, mnError *error);

/* Opens the newest good one and tells its step. What is wrong with newer ones goes to the report. */
mnStatus mn_checkpoint_open(const char *folder, mnArchive **archive, int64_t *step, mnReport *report, mnError *error);

/* Removes those after a step. */
void mn_checkpoints_cut(const char *folder, int64_t step);

/* Removes all, for a new run. If one stays that is an error: it would go on with what the new run has overwritten. */
mnStatus mn_checkpoints_clear(const char *folder, mnError *error);

/* The steps of up to `capacity` of them, the newest first; returns how many. */
int mn_checkpoints_list(const char *folder, int64_t *steps, int capacity);

/* What a checkpoint tells of a run besides the states of its simulation and of its folder. Texts are allocated. */
typedef struct mnCheckpointHead {
    char *name;   /* of the scene */
    char *scene;  /* its text */
    char *before; /* and what it was before it was changed last; scene.json may still be that */
    mnPace pace;
} mnCheckpointHead;

void mn_checkpoint_exchange(mnCheckpointHead *head, mnArchive *archive);
void mn_checkpoint_clear(mnCheckpointHead *head);

#endif
