/* Number densities without lists, for those who ask now and then: frames tell the measures of a fluid that has no
 * tension, and whose lists end at 2h. */
#ifndef MN_SPACE_DENSITIES_H
#define MN_SPACE_DENSITIES_H

#include "space/neighbours.h"

/* Finds `numbers` of all fluid particles (kernels/measure.h) at the places where they and the walls are now. Needs the
 * cells of a search after which nobody has come or gone. */
void mn_densities_find(const mnNeighbours *neighbours, const mnFluidState *fluid, const mnBoundaryState *boundary,
                       mnConstants c, int threads);

#endif
