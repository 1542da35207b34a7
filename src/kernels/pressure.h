/* Pressure: forces from pressures, and how much a particle is compressed.
 *
 * eq. 4 with p_b = 0 [Bender et al. 2023]:
 *     F_i^P = −V_i Σ_f V_f (p_i + p_f) ∇W^P − V_i Σ_b β V_b p_i ∇W^P
 *           = −V_i [p_i s_i + Σ_f V_f p_f ∇W^P],   s_i = Σ_f V_f ∇W^P + Σ_b β V_b ∇W^P
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

/* F_i^P in newtons, given x, V and p of the particle, its s_i, and `push` of all: positions with V·p in w. */
MN_BODY mnVec mn_pressure_force_at(mnVec x, mnReal pressure, mnVec slope, mnConstants c, mnAround around,
                                   MN_GLOBAL const mnVec *push) {
    mnReal fx[MN_WIDTH] = {0}, fy[MN_WIDTH] = {0}, fz[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = 0; k < around.near_fluid; k += MN_WIDTH) {
        mnLanes block = mn_load_lanes(push, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&block, l);
            mnPair pair = mn_pair(x, xj);
            mnReal s = xj.w * mn_spline_gradient(c.near, pair);
            fx[l] += s * pair.d.x;
            fy[l] += s * pair.d.y;
            fz[l] += s * pair.d.z;
        }
    }
    return mn_scale(-x.w, mn_axpy(pressure, slope, mn_total_vec(fx, fy, fz)));
}

/* Σ V_j W^P over some entries of an array. */
MN_BODY mnReal mn_fill_over(mnVec x, mnConstants c, MN_GLOBAL const mnVec *array, mnAround around, int32_t from,
                            int32_t end) {
    mnReal sum[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = from; k < end; k += MN_WIDTH) {
        mnLanes block = mn_load_lanes(array, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&block, l), d = mn_sub(x, xj);
            sum[l] += xj.w * mn_spline_value(c.near, mn_sqrt(mn_dot(d, d)));
        }
    }
    return mn_total(sum);
}

/* Σ_j V_j W^P_ij, the fill of a particle's surroundings, 1 at rest, of Σ V W^P over fluid and over walls. */
MN_BODY mnReal mn_fill_of(mnConstants c, mnReal volume, mnReal fluid, mnReal walls) {
    return volume * c.near.sigma + fluid + c.wall * walls;
}

/* The same at the current positions. */
MN_BODY mnReal mn_fill_at(int32_t i, mnConstants c, mnAround around, MN_GLOBAL const mnVec *position,
                          MN_GLOBAL const mnVec *boundary_position) {
    mnVec x = position[i];
    mnReal fluid = mn_fill_over(x, c, position, around, 0, around.near_fluid);
    mnReal walls = mn_fill_over(x, c, boundary_position, around, around.near_fluid, around.near_all);
    return mn_fill_of(c, x.w, fluid, walls);
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
