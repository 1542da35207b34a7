/* Tension by the squared gradient of a colour field, one of the models that the paper's section 6.2 compares with [He
 * et al. 2015, Robust Simulation of Sparsely Sampled Thin Features in SPH-Based Free Surface Flows], without that
 * text's air pressure, two-scale pressure and filtering, and with the support 3h.
 *
 * The colour is 1 in fluid and 0 in vapor. At the predicted positions, self included in the divisor:
 *     ∇c_i = Σ_j ω_j V_j ∇W^ST / Σ_j ω_j V_j W^ST,   ω = 1 for fluid, (1 + cos θ)/2 for a wall particle
 *     F_i = Σ_f κ/4 V_i V_f (|∇c_i|² + |∇c_f|²) ∇W^ST + Σ_b ω̄_i κ/2 V_i V_b |∇c_i|² ∇W^ST
 * κ is the squared gradient energy coefficient of the energy density κ/2·|∇c|², in newtons; it is not γ, and for one γ
 * it has to be chosen anew for each h. A wall particle has its fluid particle's |∇c|², so that with ω = 1 it stands for
 * more fluid and with ω = 0 for nothing. ω̄_i is the mean of ω over the walls near i, weighted by V_b W^ST.
 *
 * In the sums of tension.h: a = κ/4·V |∇c|² and d = (1 − 2ω̄) a. The force conserves momentum, but it is not the
 * gradient of an energy of the particles. */
#ifndef MN_KERNELS_ROBUST_CSF_H
#define MN_KERNELS_ROBUST_CSF_H

#include "kernels/constants.h"

/* The weights a and d of fluid particle i, N·m; `ahead` are predicted positions with V in w. */
MN_BODY mnVec mn_robust_csf_weights_at(int32_t i, mnConstants c, mnAround around, MN_GLOBAL const mnVec *ahead,
                                       MN_GLOBAL const int32_t *phase, MN_GLOBAL const mnVec *boundary_ahead,
                                       MN_GLOBAL const int32_t *solid, MN_GLOBAL const mnFluidConstants *fluids,
                                       MN_GLOBAL const mnPairConstants *pairs) {
    mnVec x = ahead[i];
    mnReal sum[MN_WIDTH] = {0}, gx[MN_WIDTH] = {0}, gy[MN_WIDTH] = {0}, gz[MN_WIDTH] = {0};
    for (int part = 0; part < 2; part++)
        for (int32_t k = 0; k < mn_part_fluid(around, part); k += MN_WIDTH) {
            mnLanes block = mn_load_lanes(ahead, mn_entries(mn_part(around, part), k));
            MN_EACH_LANE(l) {
                mnVec xj = mn_lane(&block, l);
                mnPair pair = mn_pair(x, xj);
                mnReal s = xj.w * mn_spline_gradient(c.wide, pair);
                sum[l] += xj.w * mn_spline_value(c.wide, pair.r);
                gx[l] += s * pair.d.x;
                gy[l] += s * pair.d.y;
                gz[l] += s * pair.d.z;
            }
        }
    mnVec gradient = mn_total_vec(gx, gy, gz);
    mnReal number = x.w * c.wide.sigma + mn_total(sum), walls = 0, coloured = 0;
    for (int part = 0; part < 2; part++)
        for (int32_t k = mn_part_fluid(around, part); k < mn_part_all(around, part); k++) {
            int32_t j = mn_entry(mn_part(around, part), k);
            mnVec xj = boundary_ahead[j];
            mnPair pair = mn_pair(x, xj);
            mnReal colour = pairs[solid[j] * c.fluid_count + phase[i]].adhesion;
            gradient = mn_axpy(colour * xj.w * mn_spline_gradient(c.wide, pair), pair.d, gradient);
            coloured += colour * xj.w * mn_spline_value(c.wide, pair.r);
            walls += xj.w * mn_spline_value(c.wide, pair.r);
        }
    number += coloured;
    mnReal square = mn_dot(gradient, gradient) / (number * number);
    mnReal a = MN_REAL(0.25) * fluids[phase[i]].attraction * x.w * square;
    mnReal adhesion = walls > 0 ? coloured / walls : 0;
    return mn_vec(a, 0, 0, (1 - 2 * adhesion) * a);
}

#endif
