/* Pressure deep inside the fluid. */
#ifndef MN_STUDIO_CORE_H
#define MN_STUDIO_CORE_H

#include "meniscus/meniscus.h"

/* The mean pressure, Pa, of the particles that lie deeper than 4h under every interface: closer to one, pressure also
 * holds the attraction of the skin. NaN where there are none. */
double mn_core_pressure(const mnParticles *particles, double spacing);

#endif
