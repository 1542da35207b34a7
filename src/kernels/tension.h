/* Surface tension: the force that follows from the surface energy, and, since the same neighbours are visited, the
 * predicted volume error.
 *
 * eq. 22, with the weights of measure.h and gradients at time t; the rows are fluid–vapor, fluid–fluid, the vapor
 * interfaces of fluid and boundary at walls, fluid–boundary and boundary–fluid:
 *
 *     −∂E/∂x_i = Σ_f [(a_i V_f + a_f V_i) ∇W^ST − (b_i V_f + b_f V_i) ∇W^P]
 *              − Σ_{f∉F} (c_i V_f + c_f V_i) ∇W^ST
 *              + Σ_b [(a_i V_b + a_b V_i) ∇W^ST − (b_i V_b + b_b V_i) ∇W^P]
 *              − Σ_b (d_i V_b + ω_bf c_b V_i) ∇W^ST
 *
 * The sum of a pair's terms changes sign with the pair's order: linear and angular momentum are conserved exactly
 * (appendix C). With k = 0 (the paper's measure) all b are zero.
 *
 * Gradients do not change while the solver runs, so the sums in which a particle's own weights, velocity or pressure
 * can be taken out are made once in a step (slopes.h), and an iteration adds up what neighbours contribute:
 *     −∂E/∂x_i = a_i Σ V_j ∇W^ST − b_i Σ V_j ∇W^P + V_i Σ_j (a_j ∇W^ST − b_j ∇W^P) …
 *     V_i^err  = … − Δt [v_i·s_i − Σ_f V_f v_f·∇W^P − Σ_b β V_b v_b·∇W^P] */
#ifndef MN_KERNELS_TENSION_H
#define MN_KERNELS_TENSION_H

#include "kernels/repulsion.h"
#include "kernels/slopes.h"

typedef struct mnGradient {
    mnVec force;         /* −∂E/∂x_i, N */
    mnReal volume_error; /* V_i^err(t+Δt), eq. 21, without its constant part 1 − fill */
} mnGradient;

/* Σ_j (a_j ∇W^ST − b_j ∇W^P) over the fluid in x, y, z and Σ_f V_f v_f·∇W^P in w. `site` are positions with a in w,
 * `flow` is V·v with b in w, `own` that of i. With late repulsion the former holds its share of F_i over V_i as well.
 */
MN_BODY mnVec mn_tension_near_at(mnVec x, mnConstants c, mnAround around, MN_GLOBAL const mnVec *site,
                                 MN_GLOBAL const mnVec *flow, int is_late, mnVec own) {
    mnReal late = -c.lateness * c.dt / x.w;
    mnReal fx[MN_WIDTH] = {0}, fy[MN_WIDTH] = {0}, fz[MN_WIDTH] = {0}, gain[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = 0; k < around.near_fluid; k += MN_WIDTH) {
        mnLanes sites = mn_load_lanes(site, mn_entries(around.near, k)),
                flows = mn_load_lanes(flow, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&sites, l), vj = mn_lane(&flows, l);
            mnPair pair = mn_pair(x, xj);
            mnReal near = mn_spline_gradient(c.near, pair), s = xj.w * mn_spline_gradient(c.wide, pair) - vj.w * near;
            gain[l] += near * mn_dot(vj, pair.d);
            if (is_late) s += late * mn_repulsion_rate(c, own, vj, pair);
            fx[l] += s * pair.d.x;
            fy[l] += s * pair.d.y;
            fz[l] += s * pair.d.z;
        }
    }
    return mn_totals(fx, fy, fz, gain);
}

/* Σ_f V_f v_f·∇W^P alone. */
MN_BODY mnReal mn_gain_near_at(mnVec x, mnConstants c, mnAround around, MN_GLOBAL const mnVec *site,
                               MN_GLOBAL const mnVec *flow) {
    mnReal gain[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = 0; k < around.near_fluid; k += MN_WIDTH) {
        mnLanes sites = mn_load_lanes(site, mn_entries(around.near, k)),
                flows = mn_load_lanes(flow, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnPair pair = mn_pair(x, mn_lane(&sites, l));
            gain[l] += mn_spline_gradient(c.near, pair) * mn_dot(mn_lane(&flows, l), pair.d);
        }
    }
    return mn_total(gain);
}

/* Σ_j a_j ∇W^ST over the fluid beyond the near neighbours. */
MN_BODY mnVec mn_tension_far_at(mnVec x, mnConstants c, mnAround around, MN_GLOBAL const mnVec *site) {
    mnReal fx[MN_WIDTH] = {0}, fy[MN_WIDTH] = {0}, fz[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = 0; k < around.far_fluid; k += MN_WIDTH) {
        mnLanes sites = mn_load_lanes(site, mn_entries(around.far, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&sites, l);
            mnPair pair = mn_pair(x, xj);
            mnReal s = xj.w * mn_spline_outer_gradient(c.wide, pair);
            fx[l] += s * pair.d.x;
            fy[l] += s * pair.d.y;
            fz[l] += s * pair.d.z;
        }
    }
    return mn_total_vec(fx, fy, fz);
}

/* Σ_{f∉F} (c_i V_f + c_f V_i) ∇W^ST. */
MN_BODY mnVec mn_tension_others_at(int32_t i, mnVec x, mnReal own, mnConstants c, mnAround around,
                                   MN_GLOBAL const mnVec *site, MN_GLOBAL const mnVec *position,
                                   MN_GLOBAL const mnVec *weights, MN_GLOBAL const int32_t *phase) {
    mnVec sum = mn_vec(0, 0, 0, 0);
    for (int part = 0; part < 2; part++)
        for (int32_t k = 0; k < mn_part_fluid(around, part); k++) {
            int32_t j = mn_entry(mn_part(around, part), k);
            if (phase[j] == phase[i]) continue;
            mnPair pair = mn_pair(x, site[j]);
            mnReal s = own * position[j].w + weights[j].z * x.w;
            sum = mn_axpy(s * mn_spline_gradient(c.wide, pair), pair.d, sum);
        }
    return sum;
}

/* Σ_b [(a_b V_i − d_i V_b − ω_bf c_b V_i) ∇W^ST − b_b V_i ∇W^P]. */
MN_BODY mnVec mn_tension_walls_at(mnVec x, mnReal own, int32_t own_phase, mnConstants c, mnAround around,
                                  MN_GLOBAL const mnVec *boundary_position, MN_GLOBAL const mnVec *boundary_weights,
                                  MN_GLOBAL const int32_t *solid, MN_GLOBAL const mnPairConstants *pairs) {
    mnReal fx[MN_WIDTH] = {0}, fy[MN_WIDTH] = {0}, fz[MN_WIDTH] = {0}, wet[MN_WIDTH];
    for (int part = 0; part < 2; part++)
        for (int32_t k = mn_part_fluid(around, part); k < mn_part_all(around, part); k += MN_WIDTH) {
            MN_GLOBAL const int32_t *entries = mn_entries(mn_part(around, part), k);
            mnLanes places = mn_load_lanes(boundary_position, entries);
            mnLanes theirs = mn_load_lanes(boundary_weights, entries);
            for (int l = 0; l < MN_WIDTH; l++) wet[l] = pairs[solid[entries[l]] * c.fluid_count + own_phase].wet_weight;
            MN_EACH_LANE(l) {
                mnVec xj = mn_lane(&places, l), wj = mn_lane(&theirs, l);
                mnPair pair = mn_pair(x, xj);
                mnReal pull = (wj.x - wet[l] * wj.z) * x.w - own * xj.w;
                mnReal s = pull * mn_spline_gradient(c.wide, pair) - wj.y * x.w * mn_spline_gradient(c.near, pair);
                fx[l] += s * pair.d.x;
                fy[l] += s * pair.d.y;
                fz[l] += s * pair.d.z;
            }
        }
    return mn_total_vec(fx, fy, fz);
}

/* `pull` is of the fluid: Σ_j (a_j ∇W^ST − b_j ∇W^P), and in w the gain. */
MN_BODY mnGradient mn_tension_gradient_at(int32_t i, mnConstants c, mnAround around, int with_tension, mnVec pull,
                                          mnVec velocity, mnSlopes slopes, MN_GLOBAL const mnVec *position,
                                          MN_GLOBAL const mnVec *site, MN_GLOBAL const mnVec *weights,
                                          MN_GLOBAL const int32_t *phase, MN_GLOBAL const mnVec *boundary_position,
                                          MN_GLOBAL const mnVec *boundary_weights, MN_GLOBAL const int32_t *solid,
                                          MN_GLOBAL const mnPairConstants *pairs) {
    mnVec x = position[i], own = weights[i];
    mnGradient result;
    result.volume_error = -c.dt * (mn_dot(velocity, slopes.pressure) - pull.w - slopes.pressure.w);
    result.force = mn_vec(0, 0, 0, 0);
    if (!with_tension) return result;
    mnVec force = mn_scale(x.w, pull);
    force = mn_axpy(own.x, slopes.wide, mn_axpy(-own.y, slopes.near, force));
    if (c.fluid_count > 1)
        force = mn_sub(force, mn_tension_others_at(i, x, own.z, c, around, site, position, weights, phase));
    if (around.far_all > around.far_fluid || around.near_all > around.near_fluid)
        force = mn_axpy(
            1, mn_tension_walls_at(x, own.w, phase[i], c, around, boundary_position, boundary_weights, solid, pairs),
            force);
    result.force = force;
    return result;
}

#endif
