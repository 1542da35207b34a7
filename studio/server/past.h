/* What a finished run tells of its way: the rows of its series.csv as those of a chart, and where it ended. */
#ifndef MN_STUDIO_PAST_H
#define MN_STUDIO_PAST_H

#include "chart.h"
#include "meniscus/status.h"
#include "runner.h"

typedef struct mnPast {
    mnChart chart;
    mnRunStatus end; /* of the last row; zeros: there is none */
    mnError notice;  /* what is wrong with the file; empty: nothing */
} mnPast;

/* Takes the rows up to the first that is broken. Whatever the file holds is told and does no harm: it is read line by
 * line, up to a size that no series has. */
void mn_past_read(mnPast *past, const char *folder);

#endif
