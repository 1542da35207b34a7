/* The passes over all particles, on the CPU. Each is one law of src/kernels/ run for every particle; what a pass reads
 * and writes is named by the fields of state/fields.h. */
#ifndef MN_RUN_PASSES_H
#define MN_RUN_PASSES_H

#include "kernels/tension.h"
#include "run/world.h"

/* Residuals of eq. 27, each on its own and dimensionless: means over all fluid particles. */
typedef struct mnResiduals {
    double volume;   /* mean of mn_volume_residual */
    double tension;  /* mean of |F^ST + ∂E/∂x|·Δt²/(m·h) */
    double friction; /* mean of |F^F − prox(F^F + F*)|·Δt²/(m·h) */
    bool is_finite;
} mnResiduals;

/* position → fill */
void mn_pass_fill(mnWorld *world);
/* velocity → start: gravity added, Δt/m in w */
void mn_pass_start(mnWorld *world);
/* position → slope_…, site, push but for their w */
void mn_pass_slopes(mnWorld *world);
/* position → fill, slope_…, ahead of the boundary, normal, slide, mu, pressure_step; numbers at time t → tension_step
 * (eq. 34)
 */
void mn_pass_diagonals(mnWorld *world);
/* pressure → w of push */
void mn_pass_push(mnWorld *world);
/* start, pressure, tension, friction → predicted, ahead, flow (eq. 4, 20) */
void mn_pass_force(mnWorld *world);
/* ahead → numbers, weights of fluid and boundary, w of site and flow (eq. 23, 24) */
void mn_pass_measure(mnWorld *world);
/* predicted, weights, pressure, tension, friction → next_… (eq. 18, 21, 22, 26); the means of the residuals */
mnResiduals mn_pass_update(mnWorld *world);
/* next_… → pressure, tension, friction */
void mn_pass_accept(mnWorld *world);
/* numbers → measure */
void mn_pass_keep_measure(mnWorld *world);
/* predicted → velocity, position; the iterate → last_…; numbers → measure */
void mn_pass_integrate(mnWorld *world);
/* Number densities at the current positions, as far as the energy needs them: position → numbers. */
void mn_pass_numbers_now(mnWorld *world);

/* What one particle makes of what the passes before have left: F_i^P of slope_pressure and push (eq. 4), −∂E/∂x_i and
 * V_i^err of slope_…, site, flow and weights (eq. 21, 22). */
mnVec mn_pressure_force_of(const mnWorld *world, int64_t i);
mnGradient mn_gradient_of(const mnWorld *world, int64_t i);

/* The largest length of `count` vectors; infinite if one is not finite. */
double mn_pass_fastest(const mnWorld *world, const mnVec *velocities, int64_t count);

/* Room for sums over all fluid and boundary particles; false: no memory. */
bool mn_world_reserve_scratch(mnWorld *world, mnMemory *memory);

#endif
