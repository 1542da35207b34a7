/* What verbs that go through the frames of a run share. */
#ifndef MN_CLI_FRAMES_H
#define MN_CLI_FRAMES_H

#include "cli.h"
#include "io/run_folder.h"

/* What an option --frames says: a range such as 10-20, or one number. Or an error of usage. */
void take_frames(const char *text, int64_t *first, int64_t *last, struct argp_state *state);

/* Whether every frame of the range is there, or every one between the first and the last of the run. */
mnStatus check_frames(const mnRunFolder *run, bool has_range, int64_t first, int64_t last, mnError *error);

#endif
