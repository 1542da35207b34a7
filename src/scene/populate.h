/* Particles from shapes: fills an empty simulation with what its scene describes. */
#ifndef MN_SCENE_POPULATE_H
#define MN_SCENE_POPULATE_H

#include "meniscus/meniscus.h"

/* Samples all solids, then all bodies of fluid. Fluid that would lie in a solid, or in a body that came before, is left
 * out and counted in mnSampling. */
mnStatus mn_populate(mnSim *sim, mnError *error);

/* Gives particles the velocities of their bodies, which are at rest until then: a body that turns does so where its
 * particles are in the end. */
void mn_populate_velocities(mnSim *sim);

#endif
