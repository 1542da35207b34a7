/* The end of a run in one JSON file: what ran, how it went, what it cost. */
#ifndef MN_IO_SUMMARY_H
#define MN_IO_SUMMARY_H

#include "io/series.h"

typedef struct mnOutcome {
    const char *status;  /* done, interrupted, unstable or failed */
    const char *message; /* of what ended the run early; may be NULL */
    int64_t frames;
    double wall_seconds;
} mnOutcome;

mnStatus mn_summary_write(const char *path, const mnSnapshot *snapshot, const mnStats *stats, const mnOutcome *outcome,
                          mnError *error);

#endif
