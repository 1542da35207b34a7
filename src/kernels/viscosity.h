/* Viscosity after Weiler et al. 2018, implicit, written as pair forces so that momentum is conserved:
 *     F_i = −Σ_j κ_ij ((v_i − v_j)·x_ij) x_ij,   κ_ij = 2(d+2) μ_ij V_i V_j·(−g(r))/(r² + 0.01·ħ²),   x_ij = x_i − x_j
 * with g = W'/r of the 2h kernel and d the dimension: V_i μ ∇²v_i for a uniform fluid. μ_ij is the harmonic mean of two
 * fluids' viscosities; against a wall it is the fluid's own, or 0 where the wall slips.
 *
 * The implicit step solves (M + Δt·K) v = M v⁰ + Δt·K_b v_b, which is symmetric and positive definite. */
#ifndef MN_KERNELS_VISCOSITY_H
#define MN_KERNELS_VISCOSITY_H

#include "kernels/constants.h"

/* κ_ij/μ_ij of a pair with rest volumes V_i·V_j. */
MN_BODY mnReal mn_viscosity_pair(mnConstants c, mnPair pair, mnReal volumes) {
    mnReal soft = MN_REAL(0.01) / (c.near.inverse_support * c.near.inverse_support);
    return -(mnReal)(2 * (c.dimension + 2)) * volumes * mn_spline_gradient(c.near, pair) / (pair.r * pair.r + soft);
}

MN_BODY mnReal mn_viscosity_mean(mnReal a, mnReal b) {
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

/* Σ_j κ_ij ((v_i − v_j)·x_ij) x_ij over fluid and, with v_b counted only if `with_wall_velocity`, boundary. */
MN_BODY mnVec mn_viscosity_drag_at(int32_t i, mnConstants c, mnAround around, MN_GLOBAL const mnVec *position,
                                   MN_GLOBAL const mnVec *velocity, MN_GLOBAL const int32_t *phase,
                                   MN_GLOBAL const mnVec *boundary_position, MN_GLOBAL const mnVec *boundary_velocity,
                                   MN_GLOBAL const int32_t *solid, MN_GLOBAL const mnFluidConstants *fluids,
                                   MN_GLOBAL const mnSolidConstants *solids, int with_wall_velocity) {
    mnVec x = position[i], v = velocity[i];
    mnReal viscosity = fluids[phase[i]].viscosity;
    mnReal sum_x[MN_WIDTH] = {0}, sum_y[MN_WIDTH] = {0}, sum_z[MN_WIDTH] = {0}, mean[MN_WIDTH];
    MN_AHEAD
    for (int32_t k = 0; k < around.near_fluid; k += MN_WIDTH) {
        mnLanes places = mn_load_lanes(position, mn_entries(around.near, k)),
                speeds = mn_load_lanes(velocity, mn_entries(around.near, k));
        for (int l = 0; l < MN_WIDTH; l++)
            mean[l] = c.fluid_count > 1
                          ? mn_viscosity_mean(viscosity, fluids[phase[mn_entry(around.near, k + l)]].viscosity)
                          : viscosity;
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&places, l), vj = mn_lane(&speeds, l);
            mnPair pair = mn_pair(x, xj);
            mnReal s = mean[l] * mn_viscosity_pair(c, pair, x.w * xj.w) * mn_dot(mn_sub(v, vj), pair.d);
            sum_x[l] += s * pair.d.x;
            sum_y[l] += s * pair.d.y;
            sum_z[l] += s * pair.d.z;
        }
    }
    mnVec sum = mn_total_vec(sum_x, sum_y, sum_z);
    for (int32_t k = around.near_fluid; k < around.near_all; k++) {
        int32_t j = mn_entry(around.near, k);
        mnVec xj = boundary_position[j];
        mnPair pair = mn_pair(x, xj);
        mnVec relative = with_wall_velocity ? mn_sub(v, boundary_velocity[j]) : v;
        mnReal s = viscosity * solids[solid[j]].drag * mn_viscosity_pair(c, pair, x.w * xj.w);
        sum = mn_axpy(s * mn_dot(relative, pair.d), pair.d, sum);
    }
    return sum;
}

#endif
