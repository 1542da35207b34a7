/* How far a validation is: on a terminal one line that is drawn over, elsewhere a line for every case that ended. */
#ifndef MN_CLI_VALIDATE_PROGRESS_H
#define MN_CLI_VALIDATE_PROGRESS_H

#include "progress.h"
#include "runner.h"

typedef struct ValidateProgress {
    Progress line;
    bool *told; /* which cases were told to have ended, in the order of the run */
} ValidateProgress;

ValidateProgress validate_progress_start(const Run *run);
void validate_progress_show(ValidateProgress *progress, const Run *run);
void validate_progress_end(ValidateProgress *progress);

#endif
