/* The implicit viscous step: conjugate gradients without a matrix.
 *
 * The preconditioner is the mass alone. Then every search direction carries no momentum, and linear and angular
 * momentum of the fluid are conserved whatever the tolerance. Weiler's 3×3 blocks would save few iterations in a
 * uniform fluid and break that. */
#ifndef MN_SOLVE_VISCOSITY_H
#define MN_SOLVE_VISCOSITY_H

#include "base/memory.h"
#include "kernels/viscosity.h"
#include "run/world.h"

typedef struct mnViscosity {
    int64_t capacity;
    mnVec *solution, *residual, *direction, *image;
} mnViscosity;

bool mn_viscosity_reserve(mnViscosity *viscosity, mnMemory *memory, int64_t capacity);
void mn_viscosity_release(mnViscosity *viscosity, mnMemory *memory);
size_t mn_viscosity_bytes(void);

/* Replaces `start` by the velocities after viscosity acted for Δt. Returns the iterations. */
int mn_viscosity_solve(mnViscosity *viscosity, mnWorld *world);

#endif
