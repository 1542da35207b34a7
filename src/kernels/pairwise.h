/* Tension by pairwise attraction, one of the models that the paper's section 6.2 compares with: every particle attracts
 * every other within 3h [Tartakovsky & Meakin 2005; Becker & Teschner 2007].
 *
 * It is the energy of measure.h with S = 1 for all particles (fig. 5d of the paper), κ_i V_i in the place of γ A⁰, and
 * k = 0:
 *     E = Σ_i κ_i V_i (1 − n_i^ST),   F_i = Σ_j (κ_i + κ_j) V_i V_j ∇W^ST,   κ: cohesion, Pa
 * A wall particle attracts (1 + cos θ)/2 as much as fluid would, which is what makes θ the angle of contact
 * [Tartakovsky & Meakin 2005]: F_ib = (1 + cos θ_bf) κ_i V_i V_b ∇W^ST
 *
 * In the sums of tension.h: a = κV, and for walls c_b = V_b with ω_bf = −κ_f cos θ_bf. The inside of a fluid is held
 * together too, so pressure is about κ whatever the curvature of the surface. That is the model's flaw. */
#ifndef MN_KERNELS_PAIRWISE_H
#define MN_KERNELS_PAIRWISE_H

#include "kernels/constants.h"

/* a, N·m; V in m³. */
MN_BODY mnVec mn_pairwise_fluid_weights(mnFluidConstants fluid, mnReal volume) {
    return mn_vec(fluid.attraction * volume, 0, 0, 0);
}

MN_BODY mnVec mn_pairwise_boundary_weights(mnReal volume) {
    return mn_vec(0, 0, volume, 0);
}

/* Energies by the number densities of measure.h, J: 0 deep inside the fluid. */
MN_BODY mnReal mn_pairwise_fluid_energy(mnFluidConstants fluid, mnReal volume, mnVec numbers) {
    return fluid.attraction * volume * (1 - numbers.x);
}

MN_BODY mnReal mn_pairwise_boundary_energy(mnReal volume, mnVec numbers) {
    return volume * numbers.z;
}

#endif
