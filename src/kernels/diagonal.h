/* Step sizes of the fixed-point iteration: how strongly each unknown acts on its own equation (appendix A).
 *
 * Pressure, eq. 30–32. A unit of p_i accelerates i and each fluid neighbour; with
 *     s_i = Σ_j V_j ∇W^P_ij (fluid and boundary),   ∂v_i/∂p_i = −Δt/m_i V_i s_i,   ∂v_f/∂p_i = +Δt/m_f V_f V_i ∇W^P_if
 *     ∂V_i^err/∂p_i = −Δt·[∂v_i/∂p_i·s_i − Σ_f V_f ∂v_f/∂p_i·∇W^P_if]
 *                   = Δt²·[V_i/m_i |s_i|² + Σ_f V_f² V_i/m_f |∇W^P_if|²]
 * and α_i^P is its inverse.
 *
 * Tension, eq. 34b and 35: the trace of ∂(F_i + ∂E/∂x_i)/∂F_i. A unit of F_i moves x_i by τ = Δt²/m_i, which changes
 * the number densities of i by Σ V_j ∇W and those of a neighbour j by V_i ∇W, hence the weights of both. With σ = n^ST,
 * π = n^P, D = π^−k:
 *     dC = −D dσ + k σ D/π dπ
 *     da = γA⁰·[S' D dC − k S D/π dπ]
 *     db = k γA⁰·[S' σ D/π dC + S D/π dσ − (k+1) S σ D/π² dπ]
 *     dc = γ^FF A⁰ S'(C^FF) dC^FF,   dd = γ^FB A⁰ S'(C^FB) dC^FB
 * S' is taken at time t (eq. 37), so that the step size is constant while the solver runs. */
#ifndef MN_KERNELS_DIAGONAL_H
#define MN_KERNELS_DIAGONAL_H

#include "kernels/measure.h"

/* ∂V_i^err/∂p_i, 1/Pa. */
MN_BODY mnReal mn_diagonal_pressure_at(int32_t i, mnConstants c, mnSpan span, MN_GLOBAL const int32_t *list,
                                       MN_GLOBAL const mnVec *position, MN_GLOBAL const int32_t *phase,
                                       MN_GLOBAL const mnVec *boundary_position,
                                       MN_GLOBAL const mnFluidConstants *fluids) {
    mnVec x = position[i];
    mnReal sum_x = 0, sum_y = 0, sum_z = 0, squares = 0;
    MN_LANES(sum_x, sum_y, sum_z, squares)
    for (int32_t k = 0; k < span.fluid_near; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        mnVec xj = mn_load(position, j);
        mnVec d = mn_sub(x, xj);
        mnReal rr = mn_dot(d, d);
        mnReal s = xj.w * mn_spline_gradient(c.near, mn_sqrt(rr));
        sum_x += s * d.x;
        sum_y += s * d.y;
        sum_z += s * d.z;
        squares += s * s * rr / (fluids[phase[j]].density * xj.w);
    }
    mnVec sum = mn_vec(sum_x, sum_y, sum_z, 0);
    for (int32_t k = span.fluid_all; k < span.boundary_near; k++) {
        mnVec xj = boundary_position[MN_NEIGHBOUR(list, span, k)];
        mnVec d = mn_sub(x, xj);
        sum = mn_axpy(c.wall * xj.w * mn_spline_gradient(c.near, mn_sqrt(mn_dot(d, d))), d, sum);
    }
    mnReal own = mn_dot(sum, sum) / (fluids[phase[i]].density * x.w);
    return c.dt * c.dt * x.w * (own + squares);
}

/* Derivatives of the weights (a, b) in the directions dσ and dπ:
 *     da = x·dσ + y·dπ,   db = z·dσ + w·dπ */
MN_BODY mnVec mn_diagonal_weight_slopes(mnConstants c, mnReal energy, mnReal sigma, mnReal pi) {
    mnReal divisor = mn_measure_divisor(c, pi);
    mnReal contribution = c.inside - sigma * divisor;
    mnReal slope = mn_smooth_slope(contribution, c.smoothing);
    mnReal curvature = mn_smooth_curvature(contribution, c.smoothing);
    if (!c.normalised) return mn_vec(-energy * curvature, 0, 0, 0);
    mnReal k = MN_REAL(0.5), ratio = divisor / pi;
    mnReal by_sigma = -divisor, by_pi = k * sigma * ratio; /* of C */
    return mn_vec(energy * curvature * divisor * by_sigma, energy * (curvature * divisor * by_pi - k * slope * ratio),
                  energy * k * ratio * (curvature * sigma * by_sigma + slope),
                  energy * k * ratio * (curvature * sigma * by_pi - (k + 1) * slope * sigma / pi));
}

/* (1/d)·tr[∂(F_i + ∂E/∂x_i)/∂F_i] − 1. `numbers` are the number densities of measure.h at time t, `slopes` the
 * derivatives above of every particle. */
MN_BODY mnReal mn_diagonal_tension_at(int32_t i, mnConstants c, mnSpan span, MN_GLOBAL const int32_t *list,
                                      MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *numbers,
                                      MN_GLOBAL const mnVec *slopes, MN_GLOBAL const int32_t *phase,
                                      MN_GLOBAL const mnVec *boundary_position, MN_GLOBAL const mnVec *boundary_numbers,
                                      MN_GLOBAL const mnVec *boundary_slopes, MN_GLOBAL const int32_t *solid,
                                      MN_GLOBAL const mnFluidConstants *fluids,
                                      MN_GLOBAL const mnSolidConstants *solids,
                                      MN_GLOBAL const mnPairConstants *pairs) {
    mnVec x = position[i], own = slopes[i];
    int32_t own_phase = phase[i];
    mnFluidConstants fluid = fluids[own_phase];
    mnReal wide_x = 0, wide_y = 0, wide_z = 0, near_x = 0, near_y = 0, near_z = 0;
    mnReal theirs = 0; /* what the neighbours' weights contribute to the trace of ∂(−∂E/∂x_i)/∂x_i, over V_i² */
    MN_LANES(wide_x, wide_y, wide_z, near_x, near_y, near_z, theirs)
    for (int32_t k = 0; k < span.fluid_all; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        mnVec xj = mn_load(position, j), sj = mn_load(slopes, j);
        mnVec d = mn_sub(x, xj);
        mnReal rr = mn_dot(d, d), r = mn_sqrt(rr);
        mnReal wide = mn_spline_gradient(c.wide, r), near = mn_spline_gradient(c.near, r);
        theirs += ((sj.x * wide + sj.y * near) * wide - (sj.z * wide + sj.w * near) * near) * rr;
        wide_x += xj.w * wide * d.x;
        wide_y += xj.w * wide * d.y;
        wide_z += xj.w * wide * d.z;
        near_x += xj.w * near * d.x;
        near_y += xj.w * near * d.y;
        near_z += xj.w * near * d.z;
    }
    mnVec wide_sum = mn_vec(wide_x, wide_y, wide_z, 0), near_sum = mn_vec(near_x, near_y, near_z, 0);
    mnVec other_sum = mn_vec(0, 0, 0, 0), solid_sum = mn_vec(0, 0, 0, 0);
    for (int32_t k = 0; c.fluid_count > 1 && k < span.fluid_all; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        if (phase[j] == own_phase) continue;
        mnVec d = mn_sub(x, position[j]);
        mnReal rr = mn_dot(d, d), wide = mn_spline_gradient(c.wide, mn_sqrt(rr));
        mnReal curvature = mn_smooth_curvature(numbers[j].z, c.smoothing);
        theirs -= fluids[phase[j]].gamma_ff * c.area_ff * curvature * wide * wide * rr;
        other_sum = mn_axpy(position[j].w * wide, d, other_sum);
    }
    for (int32_t k = span.fluid_all; k < span.boundary_all; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        mnVec xj = boundary_position[j], sj = boundary_slopes[j];
        mnReal wet = pairs[solid[j] * c.fluid_count + own_phase].wet_weight;
        mnVec d = mn_sub(x, xj);
        mnReal rr = mn_dot(d, d), r = mn_sqrt(rr);
        mnReal wide = mn_spline_gradient(c.wide, r), near = mn_spline_gradient(c.near, r);
        mnReal curvature = mn_smooth_curvature(boundary_numbers[j].z, c.smoothing);
        theirs += ((sj.x * wide + sj.y * near) * wide - (sj.z * wide + sj.w * near) * near) * rr;
        theirs -=
            xj.w * c.per_volume * solids[solid[j]].gamma_bf * c.area_bf * curvature * wet * wet * wide * wide * rr;
        wide_sum = mn_axpy(xj.w * wide, d, wide_sum);
        near_sum = mn_axpy(xj.w * near, d, near_sum);
        solid_sum = mn_axpy(xj.w * wide, d, solid_sum);
    }
    mnReal cross = mn_dot(wide_sum, near_sum);
    mnReal trace = x.w * x.w * theirs;
    trace += own.x * mn_dot(wide_sum, wide_sum) + (own.y - own.z) * cross - own.w * mn_dot(near_sum, near_sum);
    trace -= fluid.gamma_ff * c.area_ff * mn_smooth_curvature(numbers[i].z, c.smoothing) * mn_dot(other_sum, other_sum);
    trace -= fluid.gamma_fb * c.area_fb * mn_smooth_curvature(numbers[i].w, c.smoothing) * mn_dot(solid_sum, solid_sum);
    mnReal moved = c.dt * c.dt / (fluid.density * x.w);
    return -moved * trace / (mnReal)c.dimension;
}

#endif
