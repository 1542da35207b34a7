/* The implicit viscous step: conjugate gradients without a matrix.
 *
 * The preconditioner is the mass alone. Then every search direction carries no momentum, and linear and angular
 * momentum of the fluid are conserved whatever the tolerance. Weiler's 3×3 blocks would save few iterations in a
 * uniform fluid and break that. */
#ifndef MN_SOLVE_VISCOSITY_H
#define MN_SOLVE_VISCOSITY_H

#include "run/run.h"

/* Replaces `start` by the velocities after viscosity acted for Δt. Returns the iterations. Uses fields of the
 * solver, which makes them anew afterwards. */
int mn_viscosity_solve(mnWorld *world);

#endif
