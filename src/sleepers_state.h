/* What is saved of walls that sleep (sim_state.h). */
#ifndef MN_SLEEPERS_STATE_H
#define MN_SLEEPERS_STATE_H

#include "io/archive.h"
#include "space/sleepers.h"

/* Walls of `solid_count` solids in cells with edges of `edge`, m, in the archive's group. False: no memory. */
bool mn_sleepers_exchange(mnSleepers *all, mnMemory *memory, mnArchive *archive, double edge, int32_t solid_count);

#endif
