/* Passes before the solver: the explicit part of a step, what is known of the state at time t, and the step sizes of
 * the iteration. */
#ifndef MN_KERNELS_PASS_PREPARE_H
#define MN_KERNELS_PASS_PREPARE_H

#include "kernels/diagonal.h"
#include "kernels/friction.h"
#include "kernels/pressure.h"
#include "kernels/repulsion.h"
#include "kernels/world.h"

/* velocity → start: gravity added, Δt/m in w */
MN_BODY void mn_start_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    mnReal dt = world->constants.dt;
    fluid->start[i] = mn_axpy(1, fluid->velocity[i], mn_scale(dt, mn_gravity(world)));
    fluid->start[i].w = dt / mn_mass_of(world, i);
}

/* last_pressure → pressure; tension and friction stay. The unknowns of the last step are a good guess of this one's;
 * the paper starts from zero, as does a step after one that failed. */
MN_BODY void mn_warm_start_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    mnReal warmth = world->turn.warmth;
    fluid->pressure[i] = warmth >= 0 ? warmth * fluid->last_pressure[i] : 0;
    if (warmth < 0) fluid->tension[i] = fluid->friction[i] = mn_vec(0, 0, 0, 0);
}

/* position → ahead of fluid and walls: nothing moves */
MN_BODY void mn_hold_at(const mnWorld *world, int32_t i) {
    world->fluid.ahead[i] = world->fluid.position[i];
}

MN_BODY void mn_hold_wall_at(const mnWorld *world, int32_t b) {
    world->boundary.ahead[b] = world->boundary.position[b];
}

/* Where a wall will be after the step: position, velocity → ahead */
MN_BODY void mn_advance_wall_at(const mnWorld *world, int32_t b) {
    const mnBoundaryState *boundary = &world->boundary;
    mnVec x = boundary->position[b];
    boundary->ahead[b] = mn_with_place(x, mn_axpy(world->constants.dt, boundary->velocity[b], x));
}

/* position → fill, slope_…, push, site but for its w */
MN_BODY void mn_find_slopes_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    mnConstants c = world->constants;
    mnAround around = mn_around_fluid(world, i);
    mnVec x = fluid->position[i];
    mn_fetch_all(world, mn_later(world, i));
    mnSlopes slopes = mn_slopes_at(i, c, around, fluid->position, boundary->position, boundary->velocity);
    mnReal walls = mn_fill_over(x, c, boundary->position, around, around.near_fluid, around.near_all);
    fluid->fill[i] = mn_fill_of(c, x.w, slopes.near.w, walls);
    fluid->slope_wide[i] = slopes.wide;
    fluid->slope_near[i] = slopes.near;
    fluid->slope_pressure[i] = slopes.pressure;
    fluid->site[i] = fluid->push[i] = fluid->position[i];
    fluid->push[i].w *= fluid->pressure[i];
}

MN_BODY mnSlopes mn_slopes_of(const mnWorld *world, int32_t i) {
    mnSlopes slopes;
    slopes.wide = world->fluid.slope_wide[i];
    slopes.near = world->fluid.slope_near[i];
    slopes.pressure = world->fluid.slope_pressure[i];
    return slopes;
}

/* position, slope_pressure, start → mu, pressure_step, the contact's normal and slide; friction stays tangential */
MN_BODY void mn_contact_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    mnAround around = mn_around_fluid(world, i);
    mnContact contact = mn_friction_contact_at(i, world->constants, around, fluid->position, fluid->phase,
                                               boundary->position, boundary->velocity, boundary->solid, world->pairs);
    if (fluid->contact[i] >= 0) {
        world->neighbours.contacts.normal[fluid->contact[i]] = contact.normal;
        world->neighbours.contacts.slide[fluid->contact[i]] = contact.slide;
    }
    fluid->mu[i] = contact.friction;
    fluid->friction[i] =
        contact.friction > 0 ? mn_friction_flatten(fluid->friction[i], contact.normal) : mn_vec(0, 0, 0, 0);
    mnReal sensitivity =
        mn_diagonal_pressure_at(i, world->constants, around, fluid->slope_pressure[i], fluid->position, fluid->start);
    fluid->pressure_step[i] = sensitivity > 0 ? 1 / sensitivity : 0;
}

/* numbers → the weights' derivatives, which go where the weights will be: those are made anew before they are used. */
MN_BODY void mn_weight_slopes_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    mnReal energy = world->fluids[fluid->phase[i]].gamma_fv * world->constants.area_fv;
    fluid->weights[i] = mn_diagonal_weight_slopes(world->constants, energy, fluid->numbers[i].x, fluid->numbers[i].y);
}

MN_BODY void mn_weight_slopes_wall_at(const mnWorld *world, int32_t b) {
    const mnBoundaryState *boundary = &world->boundary;
    mnConstants c = world->constants;
    mnReal share = boundary->position[b].w * c.per_volume;
    mnReal energy = share * world->solids[boundary->solid[b]].gamma_bv * c.area_bv;
    boundary->weights[b] = mn_diagonal_weight_slopes(c, energy, boundary->numbers[b].x, boundary->numbers[b].y);
}

/* numbers, flow's b of time t, the weights' derivatives → what the smallest α^ST goes by (eq. 34), the largest of all;
 * second with late repulsion. */
MN_BODY void mn_stiffness_at(const mnWorld *world, int32_t i, mnSum *largest) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    mnConstants c = world->constants;
    mnAround around = mn_around_fluid(world, i);
    mnReal excess =
        mn_diagonal_tension_at(i, c, around, mn_slopes_of(world, i), fluid->position, fluid->numbers, fluid->weights,
                               fluid->phase, boundary->position, boundary->numbers, boundary->weights, boundary->solid,
                               world->fluids, world->solids, world->pairs);
    if ((mnSum)excess > largest[0]) largest[0] = (mnSum)excess;
    if (c.lateness > 0) {
        mnReal springs = mn_repulsion_stiffness_at(fluid->position[i], fluid->flow[i].w, c, around, fluid->position,
                                                   fluid->flow, boundary->position);
        excess += c.lateness * c.dt * fluid->start[i].w * springs / (mnReal)c.dimension;
    }
    if ((mnSum)excess > largest[1]) largest[1] = (mnSum)excess;
}

#endif
