/* Number densities without lists, for those who ask now and then: frames tell the measures of a fluid that has no
 * tension, and whose lists end at 2h. */
#ifndef MN_SPACE_DENSITIES_H
#define MN_SPACE_DENSITIES_H

#include "space/neighbours.h"

typedef struct mnDensities {
    mnReal wide, near, other; /* Σ V W^ST, Σ V W^P, and what other fluids have in the first */
} mnDensities;

/* Adds what some particles that follow each other contribute at x to `wide` and `near`. */
void mn_densities_add(mnDensities *sum, const mnVec *position, int32_t first, int32_t end, mnVec x, mnConstants c);

/* Finds `numbers` of all fluid particles (kernels/measure.h) at the places where they and the walls are now. Needs the
 * cells of a search after which nobody has come or gone. */
void mn_densities_find(const mnNeighbours *neighbours, const mnFluidState *fluid, const mnBoundaryState *boundary,
                       mnConstants c, int threads);

#endif
