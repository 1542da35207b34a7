/* Sums of kernel gradients over a particle's neighbours, at the positions of time t. They stay what they are while the
 * solver runs.
 *
 *     wide:      Σ_j V_j ∇W^ST, fluid and boundary
 *     near:      Σ_j V_j ∇W^P, fluid and boundary;   w: Σ_f V_f W^P
 *     pressure:  s_i = Σ_f V_f ∇W^P + Σ_b β V_b ∇W^P;   w: Σ_b β V_b v_b·∇W^P, 1/s */
#ifndef MN_KERNELS_SLOPES_H
#define MN_KERNELS_SLOPES_H

#include "kernels/constants.h"

typedef struct mnSlopes {
    mnVec wide, near, pressure; /* 1/m */
} mnSlopes;

MN_BODY mnSlopes mn_slopes_at(int32_t i, mnConstants c, mnAround around, MN_GLOBAL const mnVec *position,
                              MN_GLOBAL const mnVec *boundary_position, MN_GLOBAL const mnVec *boundary_velocity) {
    mnVec x = position[i];
    mnReal wide_x[MN_WIDTH] = {0}, wide_y[MN_WIDTH] = {0}, wide_z[MN_WIDTH] = {0};
    mnReal near_x[MN_WIDTH] = {0}, near_y[MN_WIDTH] = {0}, near_z[MN_WIDTH] = {0}, fill[MN_WIDTH] = {0};
    MN_AHEAD
    for (int32_t k = 0; k < around.near_fluid; k += MN_WIDTH) {
        mnLanes block = mn_load_lanes(position, mn_entries(around.near, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&block, l);
            mnPair pair = mn_pair(x, xj);
            mnReal wide = xj.w * mn_spline_gradient(c.wide, pair), near = xj.w * mn_spline_gradient(c.near, pair);
            wide_x[l] += wide * pair.d.x;
            wide_y[l] += wide * pair.d.y;
            wide_z[l] += wide * pair.d.z;
            near_x[l] += near * pair.d.x;
            near_y[l] += near * pair.d.y;
            near_z[l] += near * pair.d.z;
            fill[l] += xj.w * mn_spline_value(c.near, pair.r);
        }
    }
    MN_AHEAD
    for (int32_t k = 0; k < around.far_fluid; k += MN_WIDTH) {
        mnLanes block = mn_load_lanes(position, mn_entries(around.far, k));
        MN_EACH_LANE(l) {
            mnVec xj = mn_lane(&block, l);
            mnPair pair = mn_pair(x, xj);
            mnReal wide = xj.w * mn_spline_outer_gradient(c.wide, pair);
            wide_x[l] += wide * pair.d.x;
            wide_y[l] += wide * pair.d.y;
            wide_z[l] += wide * pair.d.z;
        }
    }
    mnSlopes slopes;
    slopes.wide = mn_total_vec(wide_x, wide_y, wide_z);
    slopes.near = slopes.pressure = mn_total_vec(near_x, near_y, near_z);
    mnReal carried = 0;
    for (int part = 0; part < 2; part++)
        for (int32_t k = mn_part_fluid(around, part); k < mn_part_all(around, part); k++) {
            int32_t j = mn_entry(mn_part(around, part), k);
            mnVec xj = boundary_position[j];
            mnPair pair = mn_pair(x, xj);
            mnReal near = xj.w * mn_spline_gradient(c.near, pair);
            slopes.wide = mn_axpy(xj.w * mn_spline_gradient(c.wide, pair), pair.d, slopes.wide);
            slopes.near = mn_axpy(near, pair.d, slopes.near);
            slopes.pressure = mn_axpy(c.wall * near, pair.d, slopes.pressure);
            carried += c.wall * near * mn_dot(boundary_velocity[j], pair.d);
        }
    slopes.near.w = mn_total(fill);
    slopes.pressure.w = carried;
    return slopes;
}

#endif
