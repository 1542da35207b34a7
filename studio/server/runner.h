/* The run, in a thread of its own.
 *
 * Others leave wishes here and look at what it tells of itself; neither waits for a step to end. Between steps the run
 * looks at its wishes. It is stepped, paced and recorded as `meniscus run` does it, and what is steered is recorded in
 * its scene (steer.h), so that the scene it ends with gives the same files. */
#ifndef MN_STUDIO_RUNNER_H
#define MN_STUDIO_RUNNER_H

#include <jansson.h>

#include "chart.h"
#include "shot.h"

typedef struct mnRunner mnRunner;

typedef enum mnRunState {
    MN_RUN_NONE,
    MN_RUN_PREPARING,
    MN_RUN_RUNNING,
    MN_RUN_PAUSED,
    MN_RUN_STOPPED,
    MN_RUN_DONE,
    MN_RUN_FAILED
} mnRunState;

/* What there is to tell. */
typedef struct mnRunStatus {
    int64_t job; /* which run; 0: none yet */
    mnRunState state;
    double time;
    int64_t step, particles, boundary, frames;
    int64_t changes;    /* how often the scene was changed while it ran */
    char message[1024]; /* why it failed; else empty */
} mnRunStatus;

/* All texts are copied. */
typedef struct mnRunnerJob {
    const char *text;   /* of the scene */
    const char *name;   /* of the scene */
    const char *folder; /* where relative paths of its meshes start; NULL: here */
    const char *output; /* folder that it is recorded into; NULL: only its start is wanted, to be looked at */
    int threads;
    const char *backend;
} mnRunnerJob;

/* A change that was refused, and who had asked for it. */
typedef struct mnRefusal {
    int asker;
    char path[256];
    char text[1024];
} mnRefusal;

/* `tell` is called from the run's thread, without locks, when there is news. */
mnStatus mn_runner_create(void (*tell)(void *context), void *context, mnRunner **runner, mnError *error);
/* Ends the run, in good order; nothing begins any more. */
void mn_runner_end(mnRunner *runner);
void mn_runner_destroy(mnRunner *runner);

/* Ends the present run if there is one, then begins this. Returns its job; 0: no memory. */
int64_t mn_runner_start(mnRunner *runner, const mnRunnerJob *job);
void mn_runner_go_on(mnRunner *runner);
void mn_runner_pause(mnRunner *runner);
void mn_runner_step(mnRunner *runner); /* one, then a pause */
void mn_runner_stop(mnRunner *runner);
/* False: too many changes wait. A later value for the same path replaces one that waits. */
bool mn_runner_steer(mnRunner *runner, int asker, const char *path, const json_t *value);
/* The next moment to be shown is wanted. */
void mn_runner_want_shot(mnRunner *runner);

mnRunStatus mn_runner_status(mnRunner *runner);
/* The latest moment of a job, held; NULL: none. */
mnShot *mn_runner_shot(mnRunner *runner, int64_t job);
/* Copies rows of a job from a number on, at most MN_CHART_ROWS, and returns how many. */
int mn_runner_rows(mnRunner *runner, int64_t job, int64_t from, mnChartRow *rows);
/* The text of the scene of a job with the changes so far, to be freed; NULL where there are none. */
char *mn_runner_text(mnRunner *runner, int64_t job);
bool mn_runner_refusal(mnRunner *runner, mnRefusal *refusal);

#endif
