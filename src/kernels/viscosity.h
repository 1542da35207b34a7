/* Viscosity after Weiler et al. 2018, implicit, written as pair forces so that momentum is conserved:
 *     F_i = −Σ_j κ_ij ((v_i − v_j)·x_ij) x_ij,   κ_ij = 2(d+2) μ_ij V_i V_j·(−g(r))/(r² + 0.01·ħ²),   x_ij = x_i − x_j
 * with g = W'/r of the 2h kernel and d the dimension: V_i μ ∇²v_i for a uniform fluid. μ_ij is the harmonic mean of two
 * fluids' viscosities; against a wall it is the fluid's own, or 0 where the wall slips.
 *
 * The implicit step solves (M + Δt·K) v = M v⁰ + Δt·K_b v_b, which is symmetric and positive definite. */
#ifndef MN_KERNELS_VISCOSITY_H
#define MN_KERNELS_VISCOSITY_H

#include "kernels/constants.h"

/* κ_ij/μ_ij of a pair at squared distance rr with rest volumes V_i·V_j. */
MN_BODY mnReal mn_viscosity_pair(mnConstants c, mnReal rr, mnReal volumes) {
    mnReal soft = MN_REAL(0.01) / (c.near.inverse_support * c.near.inverse_support);
    return -(mnReal)(2 * (c.dimension + 2)) * volumes * mn_spline_gradient(c.near, mn_sqrt(rr)) / (rr + soft);
}

MN_BODY mnReal mn_viscosity_mean(mnReal a, mnReal b) {
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

/* Σ_j κ_ij ((v_i − v_j)·x_ij) x_ij over fluid and, with v_b counted only if `with_wall_velocity`, boundary. */
MN_BODY mnVec mn_viscosity_drag_at(int32_t i, mnConstants c, mnSpan span, MN_GLOBAL const int32_t *list,
                                   MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *velocity,
                                   MN_GLOBAL const int32_t *phase, MN_GLOBAL const mnVec *boundary_position,
                                   MN_GLOBAL const mnVec *boundary_velocity, MN_GLOBAL const int32_t *solid,
                                   MN_GLOBAL const mnFluidConstants *fluids, MN_GLOBAL const mnSolidConstants *solids,
                                   int with_wall_velocity) {
    mnVec x = position[i], v = velocity[i];
    mnReal viscosity = fluids[phase[i]].viscosity;
    mnReal sum_x = 0, sum_y = 0, sum_z = 0;
    MN_LANES(sum_x, sum_y, sum_z)
    for (int32_t k = 0; k < span.fluid_near; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        mnVec xj = mn_load(position, j), vj = mn_load(velocity, j);
        mnVec d = mn_sub(x, xj);
        mnReal mean = mn_viscosity_mean(viscosity, fluids[phase[j]].viscosity);
        mnReal s = mean * mn_viscosity_pair(c, mn_dot(d, d), x.w * xj.w) * mn_dot(mn_sub(v, vj), d);
        sum_x += s * d.x;
        sum_y += s * d.y;
        sum_z += s * d.z;
    }
    mnVec sum = mn_vec(sum_x, sum_y, sum_z, 0);
    for (int32_t k = span.fluid_all; k < span.boundary_near; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        mnVec xj = boundary_position[j];
        mnVec d = mn_sub(x, xj);
        mnVec relative = with_wall_velocity ? mn_sub(v, boundary_velocity[j]) : v;
        mnReal s = viscosity * solids[solid[j]].drag * mn_viscosity_pair(c, mn_dot(d, d), x.w * xj.w);
        sum = mn_axpy(s * mn_dot(relative, d), d, sum);
    }
    return sum;
}

#endif
