/* Why a simulation cannot go on: which particle is worst off, where it is, and the likely cause.
 *
 * Nothing of the state changes. Of the unknowns of the solver, which are no start for a step after one that failed,
 * friction is overwritten. */
#ifndef MN_GUARD_H
#define MN_GUARD_H

#include "sim.h"

/* A particle that moves more spacings in a step has run away. */
static const double MN_FARTHEST = 2.0;

/* After the last try of a step, with `dt`, whose result cannot be used: MN_ERROR_UNSTABLE with its text. */
mnStatus mn_guard_give_up(mnSim *sim, double dt, const mnStepReport *report, mnError *error);

/* After a search that has lost a particle: the same. */
mnStatus mn_guard_lost(const mnSim *sim, mnError *error);

/* After a search that has found too many neighbours: the same. */
mnStatus mn_guard_crowded(const mnSim *sim, mnError *error);

#endif
