/* Where in a step the repulsion is taken that tension holds within 2h.
 *
 * Of eq. 22 the terms −(b_i V_j + b_j V_i) ∇W^P push apart, and the harder the nearer particles are. Taken at the
 * places of time t, as all gradients are, they are an explicit spring: from about 1.5 of the capillary limit on it
 * throws particles of the skin back and forth, by more with every step. Taken at t + θΔt instead, to first order and
 * along the line of the pair, with e = (x_i − x_j)/r and k_ij = (b_i V_j + b_j V_i) max(W^P''(r), 0), they add
 *
 *     F_i −= θΔt Σ_j k_ij ((v_i − v_j)·e) e,   v at t + Δt, j over fluid and boundary
 *
 * which changes sign with the order of the pair and lies along its line: momentum of either kind is conserved. Springs
 * that pull together further when stretched have no place in it (max): an implicit step cannot cross them.
 *
 * θ = max(0, Δt/Δt_c − 1): steps up to the capillary limit Δt_c are as they would be without, since what is taken late
 * also damps (docs/physics.md has the figures). The paper's measure has b = 0. */
#ifndef MN_KERNELS_REPULSION_H
#define MN_KERNELS_REPULSION_H

#include "kernels/constants.h"

/* k_ij of a pair. */
MN_BODY mnReal mn_repulsion_stiffness(mnConstants c, mnReal own_volume, mnReal own, mnReal volume, mnReal other,
                                      mnReal r) {
    return (own * volume + other * own_volume) * mn_max(mn_spline_curvature(c.near, r), 0);
}

/* Σ_j k_ij over some near entries of fluid or boundary, N/m. `own` is b_i, `weights` have b in y. */
MN_BODY mnReal mn_repulsion_stiffness_over(mnVec x, mnReal own, mnConstants c, mnAround around, int32_t from,
                                           int32_t end, MN_GLOBAL const mnVec *position,
                                           MN_GLOBAL const mnVec *weights) {
    mnReal sum[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = from; k < end; k += MN_WIDTH) {
        mnLanes places = mn_load_lanes(position, mn_entries(around.near, k)),
                theirs = mn_load_lanes(weights, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&places, l), d = mn_sub(x, xj);
            sum[l] += mn_repulsion_stiffness(c, x.w, own, xj.w, theirs.y[l], mn_sqrt(mn_dot(d, d)));
        }
    }
    return mn_total(sum);
}

/* Σ_j k_ij ((v_i − v_j)·e) e over the fluid, N/s. `own` is b_i; `site` are positions, `flow` is V·v with b in w. */
MN_BODY mnVec mn_repulsion_fluid_at(mnVec x, mnVec v, mnReal own, mnConstants c, mnAround around,
                                    MN_GLOBAL const mnVec *site, MN_GLOBAL const mnVec *flow) {
    mnReal fx[MN_WIDTH] = {0}, fy[MN_WIDTH] = {0}, fz[MN_WIDTH] = {0};
    mnVec own_flow = mn_scale(x.w, v);
    MN_AHEAD
    for (int32_t k = 0; k < around.near_fluid; k += MN_WIDTH) {
        mnLanes sites = mn_load_lanes(site, mn_entries(around.near, k)),
                flows = mn_load_lanes(flow, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&sites, l), vj = mn_lane(&flows, l);
            mnPair pair = mn_pair(x, xj);
            /* All fluid particles have one volume: of k it is left to the flow. */
            mnReal stiffness = (own + vj.w) * mn_max(mn_spline_curvature(c.near, pair.r), 0);
            mnReal s = stiffness * mn_dot(mn_sub(own_flow, vj), pair.d) * pair.inverse * pair.inverse;
            fx[l] += s * pair.d.x;
            fy[l] += s * pair.d.y;
            fz[l] += s * pair.d.z;
        }
    }
    return mn_total_vec(fx, fy, fz);
}

/* The same over walls; `weights` have b in y. */
MN_BODY mnVec mn_repulsion_walls_at(mnVec x, mnVec v, mnReal own, mnConstants c, mnAround around,
                                    MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *velocity,
                                    MN_GLOBAL const mnVec *weights) {
    mnReal fx[MN_WIDTH] = {0}, fy[MN_WIDTH] = {0}, fz[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = around.near_fluid; k < around.near_all; k += MN_WIDTH) {
        MN_GLOBAL const int32_t *entries = mn_entries(around.near, k);
        mnLanes places = mn_load_lanes(position, entries), speeds = mn_load_lanes(velocity, entries),
                theirs = mn_load_lanes(weights, entries);
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&places, l);
            mnPair pair = mn_pair(x, xj);
            mnReal stiffness = mn_repulsion_stiffness(c, x.w, own, xj.w, theirs.y[l], pair.r);
            mnReal closing = mn_dot(mn_sub(v, mn_lane(&speeds, l)), pair.d);
            mnReal s = stiffness * closing * pair.inverse * pair.inverse;
            fx[l] += s * pair.d.x;
            fy[l] += s * pair.d.y;
            fz[l] += s * pair.d.z;
        }
    }
    return mn_total_vec(fx, fy, fz);
}

#endif
