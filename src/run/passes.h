/* Passes that belong together. What each reads and writes is named by the fields of kernels/fields.h. */
#ifndef MN_RUN_PASSES_H
#define MN_RUN_PASSES_H

#include "run/run.h"

/* Residuals of eq. 27, each on its own and dimensionless: means over all fluid particles. */
typedef struct mnResiduals {
    double volume;   /* mean of mn_volume_residual */
    double tension;  /* mean of |F^ST + ∂E/∂x|·Δt²/(m·h) */
    double friction; /* mean of |F^F − prox(F^F + F*)|·Δt²/(m·h) */
    bool is_finite;
} mnResiduals;

/* Number densities at the current positions, as far as the energy needs them: position → numbers. */
void mn_pass_numbers_now(mnWorld *world);
/* The same for those who look at particles whose lists do not reach that far, on this machine: position → measure.
 * Without a search that has found them it stays what it was. */
void mn_pass_measure_without_lists(const mnWorld *world);
/* position → fill, slope_…, ahead of the boundary, normal, slide, mu, pressure_step; numbers at time t → tension_step
 * (eq. 34) */
void mn_pass_diagonals(mnWorld *world);
/* predicted, weights, pressure, tension, friction → next_… (eq. 18, 21, 22, 26); all sums that it leaves, may be NULL
 */
mnResiduals mn_pass_update(mnWorld *world, double sums[MN_SUMS_OF_UPDATE]);

/* Room for sums over all fluid and boundary particles; false: no memory. */
bool mn_world_reserve_scratch(mnWorld *world, mnMemory *memory);

#endif
