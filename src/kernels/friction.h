/* Coulomb friction between fluid and solids.
 *
 * Per step, from geometry alone (the direction of F^N in eq. 14 does not depend on the pressure, and F^N itself
 * vanishes with it, so the normal is taken from the sum without p):
 *
 *     G_i = −Σ_b β V_b ∇W^F,  n_i = G_i/|G_i|,  |F_i^N| = V_i p_i |G_i|                                  eq. 14
 *     v^rel = Σ_b V_b (v_i − v_b) W^F = w_i·v_i − u_i                                                 eq. 26b
 *     w_i = Σ_b V_b W^F,  u_i = Σ_b V_b v_b W^F
 *
 * Per iteration:
 *
 *     v^tang = (I − n nᵀ) v^rel                                                                       eq. 26a
 *     F* = prox(−α^F v^tang),  F^F ← prox(F^F + ω F*),  prox(F) = min(μ|F^N|/|F|, 1)·F                eq. 18c, 13b
 *
 * μ_i is the average of the pairs' μ over the boundary neighbours, weighted by V_b W^F. */
#ifndef MN_KERNELS_FRICTION_H
#define MN_KERNELS_FRICTION_H

#include "kernels/constants.h"

typedef struct mnContact {
    mnVec normal;    /* n_i; w: |G_i|, 1/m */
    mnVec slide;     /* u_i, m/s; w: w_i, dimensionless */
    mnReal friction; /* μ_i */
} mnContact;

MN_BODY mnContact mn_friction_contact_at(int32_t i, mnConstants c, mnAround around, MN_GLOBAL const mnVec *position,
                                         MN_GLOBAL const int32_t *phase, MN_GLOBAL const mnVec *boundary_position,
                                         MN_GLOBAL const mnVec *boundary_velocity, MN_GLOBAL const int32_t *solid,
                                         MN_GLOBAL const mnPairConstants *pairs) {
    mnVec x = position[i];
    mnVec push = mn_vec(0, 0, 0, 0), slide = mn_vec(0, 0, 0, 0);
    mnReal weight = 0, friction = 0;
    for (int32_t k = around.near_fluid; k < around.near_all; k++) {
        int32_t j = mn_entry(around.near, k);
        mnVec xj = boundary_position[j];
        mnPair pair = mn_pair(x, xj);
        mnReal w = xj.w * mn_spline_value(c.near, pair.r);
        push = mn_axpy(-c.wall * xj.w * mn_spline_gradient(c.near, pair), pair.d, push);
        slide = mn_axpy(w, boundary_velocity[j], slide);
        friction += w * pairs[solid[j] * c.fluid_count + phase[i]].friction;
        weight += w;
    }
    mnReal strength = mn_sqrt(mn_dot(push, push));
    mnContact contact;
    contact.normal = strength > 0 ? mn_scale(1 / strength, push) : mn_vec(0, 0, 0, 0);
    contact.normal.w = strength;
    contact.slide = slide;
    contact.slide.w = weight;
    contact.friction = weight > 0 ? friction / weight : 0;
    return contact;
}

/* v^tang, eq. 26. */
MN_BODY mnVec mn_friction_tangential(mnVec velocity, mnVec normal, mnVec slide) {
    mnVec relative = mn_sub(mn_scale(slide.w, velocity), slide);
    return mn_axpy(-mn_dot(relative, normal), normal, relative);
}

/* α^F, eq. 39 and 40 with Δt/m: (1/d tr[(I − n nᵀ)]·Δt/m·w)⁻¹, and tr(I − n nᵀ) = d − 1. */
MN_BODY mnReal mn_friction_step(mnConstants c, mnReal dt_over_mass, mnReal weight) {
    return weight > 0 ? (mnReal)c.dimension / ((mnReal)(c.dimension - 1) * dt_over_mass * weight) : 0;
}

/* |F^N|, eq. 14, with `strength` = |G|. */
MN_BODY mnReal mn_friction_normal_force(mnReal volume, mnReal pressure, mnReal strength) {
    return volume * pressure * strength;
}

/* prox onto the disc of radius `limit`. */
MN_BODY mnVec mn_friction_project(mnVec force, mnReal limit) {
    mnReal size = mn_sqrt(mn_dot(force, force));
    return size > limit ? mn_scale(limit / size, force) : force;
}

/* The part of F that is tangential; needed where a stored force meets a normal that has turned since. */
MN_BODY mnVec mn_friction_flatten(mnVec force, mnVec normal) {
    return mn_axpy(-mn_dot(force, normal), normal, force);
}

#endif
