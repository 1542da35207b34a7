/* Formats of frames as options name them. */
#ifndef MN_CLI_FORMATS_H
#define MN_CLI_FORMATS_H

#include <argp.h>
#include <stdbool.h>

#include "io/frames.h"

#define FORMAT_NAMES "ply,vtp,csv,bgeo,vtkhdf"

/* Marks what a list such as "ply,vtp" names, or refuses it. */
void take_formats(const char *list, bool formats[MN_FORMAT_COUNT], struct argp_state *state);

#endif
