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
#include "kernels/slopes.h"

/* ∂V_i^err/∂p_i, 1/Pa. `slope` is s_i, `start` has Δt/m in w. */
MN_BODY mnReal mn_diagonal_pressure_at(int32_t i, mnConstants c, mnAround around, mnVec slope,
                                       MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *start) {
    mnVec x = position[i];
    mnReal squares[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = 0; k < around.near_fluid; k += MN_WIDTH) {
        mnLanes places = mn_load_lanes(position, mn_entries(around.near, k)),
                starts = mn_load_lanes(start, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&places, l);
            mnPair pair = mn_pair(x, xj);
            mnReal s = xj.w * mn_spline_gradient(c.near, pair) * pair.r;
            squares[l] += starts.w[l] * s * s;
        }
    }
    return c.dt * x.w * (start[i].w * mn_dot(slope, slope) + mn_total(squares));
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

/* What the weights of other fluids and of walls add to `theirs` below, and Σ V_j ∇W^ST over other fluids (`others`)
 * and over walls (`walls`). */
typedef struct mnForeign {
    mnReal theirs;
    mnVec others, walls;
} mnForeign;

MN_BODY mnForeign mn_diagonal_foreign_at(
    int32_t i, mnConstants c, mnAround around, MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *numbers,
    MN_GLOBAL const int32_t *phase, MN_GLOBAL const mnVec *boundary_position, MN_GLOBAL const mnVec *boundary_numbers,
    MN_GLOBAL const mnVec *boundary_slopes, MN_GLOBAL const int32_t *solid, MN_GLOBAL const mnFluidConstants *fluids,
    MN_GLOBAL const mnSolidConstants *solids, MN_GLOBAL const mnPairConstants *pairs) {
    mnVec x = position[i];
    mnForeign sum = {0, mn_vec(0, 0, 0, 0), mn_vec(0, 0, 0, 0)};
    for (int part = 0; part < 2; part++) {
        for (int32_t k = 0; c.fluid_count > 1 && k < mn_part_fluid(around, part); k++) {
            int32_t j = mn_entry(mn_part(around, part), k);
            if (phase[j] == phase[i]) continue;
            mnPair pair = mn_pair(x, position[j]);
            mnReal wide = mn_spline_gradient(c.wide, pair), slope = wide * pair.r;
            mnReal curvature = mn_smooth_curvature(numbers[j].z, c.smoothing);
            sum.theirs -= fluids[phase[j]].gamma_ff * c.area_ff * curvature * slope * slope;
            sum.others = mn_axpy(position[j].w * wide, pair.d, sum.others);
        }
        for (int32_t k = mn_part_fluid(around, part); k < mn_part_all(around, part); k++) {
            int32_t j = mn_entry(mn_part(around, part), k);
            mnVec xj = boundary_position[j], sj = boundary_slopes[j];
            mnReal wet = pairs[solid[j] * c.fluid_count + phase[i]].wet_weight;
            mnPair pair = mn_pair(x, xj);
            mnReal wide = mn_spline_gradient(c.wide, pair), near = mn_spline_gradient(c.near, pair);
            mnReal rr = pair.r * pair.r, curvature = mn_smooth_curvature(boundary_numbers[j].z, c.smoothing);
            sum.theirs += ((sj.x * wide + sj.y * near) * wide - (sj.z * wide + sj.w * near) * near) * rr;
            sum.theirs -=
                xj.w * c.per_volume * solids[solid[j]].gamma_bf * c.area_bf * curvature * wet * wet * wide * wide * rr;
            sum.walls = mn_axpy(xj.w * wide, pair.d, sum.walls);
        }
    }
    return sum;
}

/* (1/d)·tr[∂(F_i + ∂E/∂x_i)/∂F_i] − 1. `numbers` are the number densities of measure.h at time t, `slopes` the
 * derivatives above of every particle, `sums` those of slopes.h. */
MN_BODY mnReal mn_diagonal_tension_at(int32_t i, mnConstants c, mnAround around, mnSlopes sums,
                                      MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *numbers,
                                      MN_GLOBAL const mnVec *slopes, MN_GLOBAL const int32_t *phase,
                                      MN_GLOBAL const mnVec *boundary_position, MN_GLOBAL const mnVec *boundary_numbers,
                                      MN_GLOBAL const mnVec *boundary_slopes, MN_GLOBAL const int32_t *solid,
                                      MN_GLOBAL const mnFluidConstants *fluids,
                                      MN_GLOBAL const mnSolidConstants *solids,
                                      MN_GLOBAL const mnPairConstants *pairs) {
    mnVec x = position[i], own = slopes[i];
    mnFluidConstants fluid = fluids[phase[i]];
    mnReal theirs[MN_WIDTH] = {0}; /* of the neighbours' weights in the trace of ∂(−∂E/∂x_i)/∂x_i, over V_i² */
    for (int part = 0; part < 2; part++) MN_AHEAD
    for (int32_t k = 0; k < mn_part_fluid(around, part); k += MN_WIDTH) {
        mnLanes places = mn_load_lanes(position, mn_entries(mn_part(around, part), k));
        mnLanes others = mn_load_lanes(slopes, mn_entries(mn_part(around, part), k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&places, l), sj = mn_lane(&others, l);
            mnPair pair = mn_pair(x, xj);
            mnReal wide = mn_spline_gradient(c.wide, pair) * pair.r, near = mn_spline_gradient(c.near, pair) * pair.r;
            theirs[l] += (sj.x * wide + sj.y * near) * wide - (sj.z * wide + sj.w * near) * near;
        }
    }
    mnForeign foreign = mn_diagonal_foreign_at(i, c, around, position, numbers, phase, boundary_position,
                                               boundary_numbers, boundary_slopes, solid, fluids, solids, pairs);
    mnReal trace = x.w * x.w * (mn_total(theirs) + foreign.theirs);
    trace += own.x * mn_dot(sums.wide, sums.wide) + (own.y - own.z) * mn_dot(sums.wide, sums.near) -
             own.w * mn_dot(sums.near, sums.near);
    trace -= fluid.gamma_ff * c.area_ff * mn_smooth_curvature(numbers[i].z, c.smoothing) *
             mn_dot(foreign.others, foreign.others);
    trace -= fluid.gamma_fb * c.area_fb * mn_smooth_curvature(numbers[i].w, c.smoothing) *
             mn_dot(foreign.walls, foreign.walls);
    mnReal moved = c.dt * c.dt / (fluid.density * x.w);
    return -moved * trace / (mnReal)c.dimension;
}

#endif
