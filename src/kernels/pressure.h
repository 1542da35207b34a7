/* Pressure: forces from pressures, and how much a particle is compressed.
 *
 * eq. 4 with p_b = 0 [Bender et al. 2023]:
 *     F_i^P = −V_i Σ_f V_f (p_i + p_f) ∇W^P − V_i Σ_b β V_b p_i ∇W^P
 * eq. 20:
 *     v_i(t+Δt) = v_i(t) + Δt/m_i·(F^P + F^ST + F^F)
 * eq. 21, linear in the predicted velocities, with each neighbour's own rest volume:
 *     V_i^err = 1 − Σ_j V_j W^P_ij − Δt Σ_j V_j (v_i − v_j)·∇W^P_ij,   j over fluid and boundary, self included,
 * boundary volumes times β.
 *
 * β is 1 in the paper and 1.6 by default. A layer of fluid on a wall lacks neighbours above it, so with β = 1 it is
 * compressed only when it lies 0.1h above the surface and not h/2. Down there it lends the wall so many neighbours and
 * borrows so many itself that a film of one layer costs less than a dry wall at any contact angle below 45°, and drops
 * spread that should not. With 1.6 such a film costs more than the dry wall down to about 25°. */
#ifndef MN_KERNELS_PRESSURE_H
#define MN_KERNELS_PRESSURE_H

#include "kernels/constants.h"

/* Inputs: positions (w: V), pressures, boundary positions. Returns F_i^P in newtons. */
MN_BODY mnVec mn_pressure_force_at(int32_t i, mnConstants c, mnSpan span, MN_GLOBAL const int32_t *list,
                                   MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *boundary_position,
                                   MN_GLOBAL const mnReal *pressure) {
    mnVec x = position[i];
    mnReal p = pressure[i];
    mnReal fx = 0, fy = 0, fz = 0;
    MN_LANES(fx, fy, fz)
    for (int32_t k = 0; k < span.fluid_near; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        mnVec xj = mn_load(position, j);
        mnVec d = mn_sub(x, xj);
        mnReal s = xj.w * (p + pressure[j]) * mn_spline_gradient(c.near, mn_sqrt(mn_dot(d, d)));
        fx += s * d.x;
        fy += s * d.y;
        fz += s * d.z;
    }
    MN_LANES(fx, fy, fz)
    for (int32_t k = span.fluid_all; k < span.boundary_near; k++) {
        mnVec xj = mn_load(boundary_position, MN_NEIGHBOUR(list, span, k));
        mnVec d = mn_sub(x, xj);
        mnReal s = c.wall * xj.w * p * mn_spline_gradient(c.near, mn_sqrt(mn_dot(d, d)));
        fx += s * d.x;
        fy += s * d.y;
        fz += s * d.z;
    }
    return mn_scale(-x.w, mn_vec(fx, fy, fz, 0));
}

/* Σ_j V_j W^P_ij at the current positions: the fill of the particle's surroundings, 1 at rest. */
MN_BODY mnReal mn_fill_at(int32_t i, mnConstants c, mnSpan span, MN_GLOBAL const int32_t *list,
                          MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *boundary_position) {
    mnVec x = position[i];
    mnReal fill = x.w * c.near.sigma;
    MN_LANES(fill)
    for (int32_t k = 0; k < span.fluid_near; k++) {
        mnVec xj = mn_load(position, MN_NEIGHBOUR(list, span, k));
        mnVec d = mn_sub(x, xj);
        fill += xj.w * mn_spline_value(c.near, mn_sqrt(mn_dot(d, d)));
    }
    MN_LANES(fill)
    for (int32_t k = span.fluid_all; k < span.boundary_near; k++) {
        mnVec xj = mn_load(boundary_position, MN_NEIGHBOUR(list, span, k));
        mnVec d = mn_sub(x, xj);
        fill += c.wall * xj.w * mn_spline_value(c.near, mn_sqrt(mn_dot(d, d)));
    }
    return fill;
}

/* V^err(t+Δt) that the pressure answers to. A compression that is there already, 1 − fill < 0, is undone by the share
 * `recovery` in a step and not at once as in the paper (recovery = 1). Undoing all of it in one Δt gives particles the
 * speed compression·h/Δt, which grows as steps get shorter and keeps a fluid at rest from resting; so the share is
 * proportional to Δt below a Δt that belongs to the scene and its flow (docs/physics.md). */
MN_BODY mnReal mn_volume_error(mnConstants c, mnReal fill, mnReal change) {
    mnReal strain = 1 - fill;
    return (strain < 0 ? c.recovery * strain : strain) + change;
}

/* How far pressure and V^err are from p ≥ 0, V^err ≥ 0, p·V^err = 0: the compression that is left, or the expansion
 * that a pressure causes which is higher than it need be, as far as taking it back (by α^P per V^err) can undo it. The
 * second part is not in eq. 27; a start from zero hardly needs it, a warm start does. */
MN_BODY mnReal mn_volume_residual(mnReal error, mnReal pressure, mnReal pressure_step) {
    mnReal excess = pressure_step > 0 ? pressure / pressure_step : 0;
    return mn_max(mn_min(excess, error), -error); /* in this order what is not a number comes through */
}

#endif
