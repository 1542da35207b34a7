/* How much of an interface a particle is, and what it then weighs in the surface force.
 *
 * Number densities at the predicted positions x + Δt·v (eq. 24, 25), self and boundary included:
 *     n^ST = Σ_j V_j W^ST,   n^P = Σ_j V_j W^P
 * Contributions to the interfaces:
 *     C^FV, C^BV = c − n^ST·(n^P)^−k      k = ½, c = 0.985: the default; k = 0, c = 1: the paper's eq. 24a, 24d
 *     C^FF, C^FB = Σ over other fluids, over the boundary, of V_j W^ST        (eq. 24b, 24c)
 *     C^BF       = Σ_f ω_bf V_f W^ST                                          (eq. 24e)
 * ω_bf is 1 in the paper; here it is the pair's energy over the solid's largest, so that each fluid can have its own
 * contact angle on a solid while the force stays an exact gradient.
 *
 * Why k = ½: uniform compression of the skin raises n^ST and √n^P alike, so C hardly changes and the skin no longer
 * pulls itself together along its normal. That attraction is negative curvature, which no implicit step can cross;
 * without it steps are three to five times longer (docs/physics.md has the figures).
 *
 * Why c < 1: inside a fluid the number densities scatter by a few thousandths. With c = 1 every second particle there
 * counts a little as surface, S = C/ε, and the pull of all of them raises the pressure of the core: by a tenth for a
 * drop of 14 spacings, more for smaller ones. With c = 0.985 the inside carries no tension at all.
 *
 * eq. 9, 10: A = A⁰·max_ε(C),  max_ε(C) = −ε + √(max(C,0)² + ε²)
 * eq. 12: S = ∂max_ε/∂C = max(C,0)/√(C² + ε²)
 *
 * −∂E/∂x_i of E = Σ γ A⁰ max_ε(C) is a sum over pairs in which each particle enters with the weights
 *     a = γ A⁰ S (n^P)^−k,   b = k γ A⁰ S n^ST (n^P)^(−k−1),   c = γ^FF A⁰ S^FF,   d = γ^FB A⁰ S^FB
 * (for boundary particles a, b of BV and c = γ^BF A⁰ S^BF): see tension.h. */
#ifndef MN_KERNELS_MEASURE_H
#define MN_KERNELS_MEASURE_H

#include "kernels/constants.h"

MN_BODY mnReal mn_smooth_max(mnReal contribution, mnReal epsilon) {
    mnReal positive = mn_max(contribution, 0);
    return mn_sqrt(positive * positive + epsilon * epsilon) - epsilon;
}

MN_BODY mnReal mn_smooth_slope(mnReal contribution, mnReal epsilon) {
    return mn_max(contribution, 0) / mn_sqrt(contribution * contribution + epsilon * epsilon);
}

/* ∂S/∂C, eq. 36. */
MN_BODY mnReal mn_smooth_curvature(mnReal contribution, mnReal epsilon) {
    mnReal root = mn_sqrt(contribution * contribution + epsilon * epsilon);
    return contribution < 0 ? 0 : epsilon * epsilon / (root * root * root);
}

/* (n^P)^−k */
MN_BODY mnReal mn_measure_divisor(mnConstants c, mnReal number_near) {
    return c.normalised ? 1 / mn_sqrt(number_near) : 1;
}

/* x: C^FV or C^BV from the two number densities. */
MN_BODY mnReal mn_measure_vapor(mnConstants c, mnReal number_wide, mnReal number_near) {
    return c.inside - number_wide * mn_measure_divisor(c, number_near);
}

/* The weights (a, b) in x and y for an energy γ·A⁰ of the vapor interface. */
MN_BODY mnVec mn_measure_weights(mnConstants c, mnReal energy, mnReal number_wide, mnReal number_near) {
    mnReal divisor = mn_measure_divisor(c, number_near);
    mnReal slope = mn_smooth_slope(c.inside - number_wide * divisor, c.smoothing);
    mnReal a = energy * slope * divisor;
    mnReal b = c.normalised ? MN_REAL(0.5) * a * number_wide / number_near : 0;
    return mn_vec(a, b, 0, 0);
}

typedef struct mnNumbers {
    mnReal wide, near;
} mnNumbers;

/* Σ V_j W^ST and Σ V_j W^P over some near and some far neighbours: from some entries on and before others, of an array.
 */
MN_BODY mnNumbers mn_measure_over(mnVec x, mnConstants c, MN_GLOBAL const mnVec *array, mnAround around,
                                  int32_t near_from, int32_t near_end, int32_t far_from, int32_t far_end) {
    mnReal wide_sum[MN_WIDTH] = {0}, near_sum[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = near_from; k < near_end; k += MN_WIDTH) {
        mnLanes block = mn_load_lanes(array, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&block, l), d = mn_sub(x, xj);
            mnReal r = mn_sqrt(mn_dot(d, d));
            wide_sum[l] += xj.w * mn_spline_value(c.wide, r);
            near_sum[l] += xj.w * mn_spline_value(c.near, r);
        }
    }
    MN_AHEAD
    for (int32_t k = far_from; k < far_end; k += MN_WIDTH) {
        mnLanes block = mn_load_lanes(array, mn_entries(around.far, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&block, l), d = mn_sub(x, xj);
            wide_sum[l] += xj.w * mn_spline_outer_value(c.wide, mn_sqrt(mn_dot(d, d)));
        }
    }
    mnNumbers numbers;
    numbers.wide = mn_total(wide_sum);
    numbers.near = mn_total(near_sum);
    return numbers;
}

/* Number densities of fluid particle i: x: n^ST, y: n^P, z: other fluids' share of n^ST, w: the boundary's.
 * `ahead` are predicted positions with V in w. */
MN_BODY mnVec mn_measure_fluid_numbers(int32_t i, mnConstants c, mnAround around, MN_GLOBAL const mnVec *ahead,
                                       MN_GLOBAL const mnVec *boundary_ahead, MN_GLOBAL const int32_t *phase) {
    mnVec x = ahead[i];
    mnNumbers fluid = mn_measure_over(x, c, ahead, around, 0, around.near_fluid, 0, around.far_fluid);
    mnNumbers walls = mn_measure_over(x, c, boundary_ahead, around, around.near_fluid, around.near_all,
                                      around.far_fluid, around.far_all);
    mnReal other = 0;
    for (int part = 0; c.fluid_count > 1 && part < 2; part++)
        for (int32_t k = 0; k < mn_part_fluid(around, part); k++) {
            int32_t j = mn_entry(mn_part(around, part), k);
            if (phase[j] == phase[i]) continue;
            mnVec d = mn_sub(x, ahead[j]);
            other += ahead[j].w * mn_spline_value(c.wide, mn_sqrt(mn_dot(d, d)));
        }
    return mn_vec(x.w * c.wide.sigma + fluid.wide + walls.wide, x.w * c.near.sigma + fluid.near + walls.near, other,
                  walls.wide);
}

/* Number densities of boundary particle b: x: n^ST, y: n^P, z: Σ ω V W^ST of the fluids. `own` (x, y) is what the
 * boundary itself contributes, which does not change while a solid moves as a rigid body. */
MN_BODY mnVec mn_measure_boundary_numbers(mnVec x, mnVec own, mnConstants c, mnAround around,
                                          MN_GLOBAL const mnVec *ahead, MN_GLOBAL const int32_t *phase,
                                          MN_GLOBAL const mnPairConstants *pairs_of_solid) {
    mnReal all[MN_WIDTH] = {0}, near[MN_WIDTH] = {0}, wet[MN_WIDTH] = {0}, weight[MN_WIDTH];
    for (int part = 0; part < 2; part++) MN_AHEAD
    for (int32_t k = 0; k < mn_part_fluid(around, part); k += MN_WIDTH) {
        mnLanes block = mn_load_lanes(ahead, mn_entries(mn_part(around, part), k));
        for (int l = 0; l < MN_WIDTH; l++)
            weight[l] =
                pairs_of_solid[c.fluid_count > 1 ? phase[mn_entry(mn_part(around, part), k + l)] : 0].wet_weight;
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&block, l), d = mn_sub(x, xj);
            mnReal r = mn_sqrt(mn_dot(d, d)), wide = xj.w * mn_spline_value(c.wide, r);
            near[l] += xj.w * mn_spline_value(c.near, r);
            all[l] += wide;
            wet[l] += weight[l] * wide;
        }
    }
    return mn_vec(own.x + mn_total(all), own.y + mn_total(near), mn_total(wet), 0);
}

/* The contributions C^FV, C^FF, C^FB of a fluid particle from its number densities. */
MN_BODY mnVec mn_measure_fluid(mnConstants c, mnVec numbers) {
    return mn_vec(mn_measure_vapor(c, numbers.x, numbers.y), numbers.z, numbers.w, 0);
}

/* The weights a, b, c, d of a fluid particle. An a of zero means that it is inside and is taken to stay there for some
 * iterations; one that may come out by then has next to nothing, by which no number changes. How far C moves in that
 * time is in docs/physics.md. */
MN_BODY mnVec mn_measure_fluid_weights(mnConstants c, mnFluidConstants fluid, mnVec numbers) {
    mnReal energy = fluid.gamma_fv * c.area_fv;
    mnVec weights = mn_measure_weights(c, energy, numbers.x, numbers.y);
    mnReal contribution = mn_measure_vapor(c, numbers.x, numbers.y);
    if (contribution <= 0 && contribution > MN_REAL(-0.05) * c.smoothing) weights.x = MN_REAL(1e-12) * energy;
    weights.z = fluid.gamma_ff * c.area_ff * mn_smooth_slope(numbers.z, c.smoothing);
    weights.w = fluid.gamma_fb * c.area_fb * mn_smooth_slope(numbers.w, c.smoothing);
    return weights;
}

/* The weights a, b, c of a boundary particle of volume V. Rest areas are those of a particle of the lattice's volume.
 */
MN_BODY mnVec mn_measure_boundary_weights(mnConstants c, mnSolidConstants solid, mnReal volume, mnVec numbers) {
    mnReal share = volume * c.per_volume;
    mnVec weights = mn_measure_weights(c, share * solid.gamma_bv * c.area_bv, numbers.x, numbers.y);
    weights.z = share * solid.gamma_bf * c.area_bf * mn_smooth_slope(numbers.z, c.smoothing);
    return weights;
}

/* Surface energy of a fluid and of a boundary particle, eq. 7 and 10, J. */
MN_BODY mnReal mn_measure_fluid_energy(mnConstants c, mnFluidConstants fluid, mnVec numbers) {
    return fluid.gamma_fv * c.area_fv * mn_smooth_max(mn_measure_vapor(c, numbers.x, numbers.y), c.smoothing) +
           fluid.gamma_ff * c.area_ff * mn_smooth_max(numbers.z, c.smoothing) +
           fluid.gamma_fb * c.area_fb * mn_smooth_max(numbers.w, c.smoothing);
}

MN_BODY mnReal mn_measure_boundary_energy(mnConstants c, mnSolidConstants solid, mnReal volume, mnVec numbers) {
    mnReal dry = solid.gamma_bv * c.area_bv * mn_smooth_max(mn_measure_vapor(c, numbers.x, numbers.y), c.smoothing);
    mnReal wet = solid.gamma_bf * c.area_bf * mn_smooth_max(numbers.z, c.smoothing);
    return volume * c.per_volume * (dry + wet);
}

#endif
