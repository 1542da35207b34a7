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
 * (appendix C). With k = 0 (the paper's measure) all b are zero. */
#ifndef MN_KERNELS_TENSION_H
#define MN_KERNELS_TENSION_H

#include "kernels/constants.h"

typedef struct mnGradient {
    mnVec force;         /* −∂E/∂x_i, N */
    mnReal volume_error; /* V_i^err(t+Δt), eq. 21, without its constant part 1 − fill */
} mnGradient;

MN_BODY mnGradient mn_tension_gradient_at(int32_t i, mnConstants c, mnSpan span, MN_GLOBAL const int32_t *list,
                                          MN_GLOBAL const mnVec *position, MN_GLOBAL const mnVec *velocity,
                                          MN_GLOBAL const mnVec *weights, MN_GLOBAL const int32_t *phase,
                                          MN_GLOBAL const mnVec *boundary_position,
                                          MN_GLOBAL const mnVec *boundary_velocity,
                                          MN_GLOBAL const mnVec *boundary_weights, MN_GLOBAL const int32_t *solid,
                                          MN_GLOBAL const mnPairConstants *pairs) {
    mnVec x = position[i], v = velocity[i], own = weights[i];
    int32_t own_phase = phase[i];
    mnReal fx = 0, fy = 0, fz = 0, divergence = 0;
    MN_LANES(fx, fy, fz, divergence)
    for (int32_t k = 0; k < span.fluid_near; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        mnVec xj = mn_load(position, j), wj = mn_load(weights, j), vj = mn_load(velocity, j);
        mnVec d = mn_sub(x, xj);
        mnReal r = mn_sqrt(mn_dot(d, d)), near = mn_spline_gradient(c.near, r);
        mnReal s = (own.x * xj.w + wj.x * x.w) * mn_spline_gradient(c.wide, r) - (own.y * xj.w + wj.y * x.w) * near;
        divergence += xj.w * near * mn_dot(mn_sub(v, vj), d);
        fx += s * d.x;
        fy += s * d.y;
        fz += s * d.z;
    }
    MN_LANES(fx, fy, fz)
    for (int32_t k = span.fluid_near; k < span.fluid_all; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        mnVec xj = mn_load(position, j), wj = mn_load(weights, j);
        mnVec d = mn_sub(x, xj);
        mnReal s = (own.x * xj.w + wj.x * x.w) * mn_spline_gradient(c.wide, mn_sqrt(mn_dot(d, d)));
        fx += s * d.x;
        fy += s * d.y;
        fz += s * d.z;
    }
    for (int32_t k = 0; c.fluid_count > 1 && k < span.fluid_all; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        if (phase[j] == own_phase) continue;
        mnVec xj = position[j];
        mnVec d = mn_sub(x, xj);
        mnReal s = -(own.z * xj.w + weights[j].z * x.w) * mn_spline_gradient(c.wide, mn_sqrt(mn_dot(d, d)));
        fx += s * d.x;
        fy += s * d.y;
        fz += s * d.z;
    }
    MN_LANES(fx, fy, fz, divergence)
    for (int32_t k = span.fluid_all; k < span.boundary_all; k++) {
        int32_t j = MN_NEIGHBOUR(list, span, k);
        mnVec xj = mn_load(boundary_position, j), wj = mn_load(boundary_weights, j);
        mnVec d = mn_sub(x, xj);
        mnReal r = mn_sqrt(mn_dot(d, d)), near = mn_spline_gradient(c.near, r);
        mnReal wet = pairs[solid[j] * c.fluid_count + own_phase].wet_weight;
        mnReal pull = own.x * xj.w + wj.x * x.w - own.w * xj.w - wet * wj.z * x.w;
        mnReal s = pull * mn_spline_gradient(c.wide, r) - (own.y * xj.w + wj.y * x.w) * near;
        divergence += c.wall * xj.w * near * mn_dot(mn_sub(v, mn_load(boundary_velocity, j)), d);
        fx += s * d.x;
        fy += s * d.y;
        fz += s * d.z;
    }
    mnGradient result;
    result.force = mn_vec(fx, fy, fz, 0);
    result.volume_error = -c.dt * divergence;
    return result;
}

#endif
