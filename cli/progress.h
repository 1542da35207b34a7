/* How far a run is: one line that is drawn over on a terminal, a plain line now and then elsewhere. */
#ifndef MN_CLI_PROGRESS_H
#define MN_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "meniscus/meniscus.h"

typedef struct Progress {
    bool quiet, terminal;
    bool drawn;         /* a line stands on the terminal that has no end yet */
    double start, last; /* s, monotonic */
    double last_share;
} Progress;

double seconds_now(void);

Progress progress_start(bool quiet);
/* `share` of the run that is done, 0 … 1. */
void progress_show(Progress *progress, double share, const mnStepReport *report, int64_t particles);
/* The same for work that is a number of things, such as frames. */
void progress_count(Progress *progress, int64_t done, int64_t total, const char *things);
/* The same for anything else: `text` comes behind the share and the time left. */
void progress_tell(Progress *progress, double share, const char *text);
/* Draws a line over the last one on a terminal, cut to its width. */
void progress_draw(Progress *progress, char *line, size_t size);
/* Ends the drawn line, so that something else can be printed. */
void progress_break(Progress *progress);
/* Takes the drawn line away, so that a row of results can be printed in its place. */
void progress_clear(Progress *progress);

#endif
