/* Where in a step the repulsion is taken that tension holds within 2h.
 *
 * Of eq. 22 the terms −(b_i V_j + b_j V_i) ∇W^P push apart, and the harder the nearer particles are. Taken at the
 * places of time t, as all gradients are, they are an explicit spring: from about 1.5 of the capillary limit on it
 * throws particles of the skin back and forth, by more with every step. Taken at t + θΔt instead, to first order and
 * along the line of the pair, with e = (x_i − x_j)/r, they add
 *
 *     F_i −= θΔt Σ_j k_ij ((v_i − v_j)·e) e,   v at t + Δt
 *     k_if = (b_i V_f + b_f V_i) max(W^P''(r), 0),   k_ib = b_i V_b max(W^P''(r), 0)
 *
 * which between fluid particles changes sign with the order of the pair and lies along its line: momentum of either
 * kind is conserved. Springs that pull together when stretched have no place in it (max): an implicit step cannot cross
 * them. Nor has a wall's own b, which is there where it is dry: fluid beside it is stable without. The step size α^ST
 * knows of the springs, but not that b itself answers to a force where particles move.
 *
 * θ = max(0, Δt/Δt_c − 1): steps up to the capillary limit Δt_c are as they would be without, since what is taken late
 * also damps (docs/physics.md has the figures). The paper's measure has b = 0. */
#ifndef MN_KERNELS_REPULSION_H
#define MN_KERNELS_REPULSION_H

#include "kernels/constants.h"

/* max(W^P''(r), 0) */
MN_BODY mnReal mn_repulsion_curvature(mnConstants c, mnReal r) {
    return mn_max(mn_spline_curvature(c.near, r), 0);
}

/* Σ_j k_ij, N/m. `own` is b_i, `flow` has b in w. */
MN_BODY mnReal mn_repulsion_stiffness_at(mnVec x, mnReal own, mnConstants c, mnAround around,
                                         MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *flow,
                                         MN_GLOBAL const mnVec *boundary_position) {
    mnReal sum[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = 0; k < around.near_fluid; k += MN_WIDTH) {
        mnLanes places = mn_load_lanes(position, mn_entries(around.near, k)),
                flows = mn_load_lanes(flow, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&places, l), d = mn_sub(x, xj);
            sum[l] += (own * xj.w + flows.w[l] * x.w) * mn_repulsion_curvature(c, mn_sqrt(mn_dot(d, d)));
        }
    }
    MN_AHEAD
    for (int32_t k = around.near_fluid; k < around.near_all; k += MN_WIDTH) {
        mnLanes places = mn_load_lanes(boundary_position, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&places, l), d = mn_sub(x, xj);
            sum[l] += own * xj.w * mn_repulsion_curvature(c, mn_sqrt(mn_dot(d, d)));
        }
    }
    return mn_total(sum);
}

/* k_if (v_i − v_f)·e/r of two fluid particles, of which `flow` is V·v with b in w. They have the same V, as all have.
 */
MN_BODY mnReal mn_repulsion_rate(mnConstants c, mnVec own, mnVec flow, mnPair pair) {
    mnReal stiffness = (own.w + flow.w) * mn_repulsion_curvature(c, pair.r);
    return stiffness * mn_dot(mn_sub(own, flow), pair.d) * pair.inverse * pair.inverse;
}

/* Σ_b k_ib ((v_i − v_b)·e) e over walls, N/s. `own` is b_i. */
MN_BODY mnVec mn_repulsion_walls_at(mnVec x, mnVec v, mnReal own, mnConstants c, mnAround around,
                                    MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *velocity) {
    mnReal fx[MN_WIDTH] = {0}, fy[MN_WIDTH] = {0}, fz[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = around.near_fluid; k < around.near_all; k += MN_WIDTH) {
        mnLanes places = mn_load_lanes(position, mn_entries(around.near, k)),
                speeds = mn_load_lanes(velocity, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&places, l);
            mnPair pair = mn_pair(x, xj);
            mnReal closing = mn_dot(mn_sub(v, mn_lane(&speeds, l)), pair.d) * pair.inverse * pair.inverse;
            mnReal s = own * xj.w * mn_repulsion_curvature(c, pair.r) * closing;
            fx[l] += s * pair.d.x;
            fy[l] += s * pair.d.y;
            fz[l] += s * pair.d.z;
        }
    }
    return mn_total_vec(fx, fy, fz);
}

#endif
