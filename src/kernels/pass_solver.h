/* Passes of one iteration of the solver. */
#ifndef MN_KERNELS_PASS_SOLVER_H
#define MN_KERNELS_PASS_SOLVER_H

#include "kernels/friction.h"
#include "kernels/models.h"
#include "kernels/pass_accelerate.h"
#include "kernels/pass_prepare.h"
#include "kernels/pressure.h"
#include "kernels/repulsion.h"
#include "kernels/tension.h"

/* F_i^P of slope_pressure and push (eq. 4). */
MN_BODY mnVec mn_own_pressure_force(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    return mn_pressure_force_at(fluid->position[i], fluid->pressure[i], fluid->slope_pressure[i], world->constants,
                                mn_around_fluid(world, i), fluid->push);
}

/* start, pressure, tension, friction → predicted, ahead, flow (eq. 4, 20) */
MN_BODY void mn_force_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    mnVec force = mn_vec(0, 0, 0, 0);
    mn_fetch_near(world, mn_later(world, i));
    if (world->turn.parts & MN_PART_PRESSURE) force = mn_axpy(1, fluid->friction[i], mn_own_pressure_force(world, i));
    if (world->turn.parts & MN_PART_TENSION) force = mn_axpy(1, fluid->tension[i], force);
    mnVec velocity = mn_axpy(fluid->start[i].w, force, fluid->start[i]), x = fluid->position[i];
    fluid->predicted[i] = velocity;
    fluid->ahead[i] = mn_with_place(x, mn_axpy(world->constants.dt, velocity, x));
    fluid->flow[i] = mn_scale(x.w, velocity); /* its weight is found next, where there is tension */
}

/* What was inside the fluid when all was looked at, a = b = 0, is taken to be there still: most of a large drop. */
MN_BODY int mn_is_inside(const mnWorld *world, int64_t i) {
    return world->turn.leaves_out && world->fluid.weights[i].x == 0;
}

/* ahead → numbers, weights of fluid and walls, w of site and flow (eq. 23, 24) */
MN_BODY void mn_measure_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    int is_inside = mn_is_inside(world, i);
    if (!mn_is_inside(world, mn_later(world, i))) mn_fetch_all(world, mn_later(world, i));
    if (is_inside && fluid->numbers[i].z == 0 && fluid->numbers[i].w == 0) return;
    mnAround around = mn_around_fluid(world, i);
    mnVec numbers = mn_measure_fluid_numbers(i, world->constants, around, fluid->ahead, boundary->ahead, fluid->phase);
    mnVec weights = mn_model_fluid_weights_at(i, world->constants, around, fluid->ahead, numbers, fluid->phase,
                                              boundary->ahead, boundary->solid, world->fluids, world->pairs);
    if (is_inside) weights.x = weights.y = 0;
    fluid->numbers[i] = numbers;
    fluid->weights[i] = weights;
    fluid->site[i].w = weights.x;
    fluid->flow[i].w = weights.y;
}

MN_BODY void mn_measure_wall_at(const mnWorld *world, int32_t b) {
    const mnBoundaryState *boundary = &world->boundary;
    mnConstants c = world->constants;
    int32_t solid = boundary->solid[b];
    boundary->numbers[b] =
        mn_measure_boundary_numbers(boundary->ahead[b], boundary->own[b], c, mn_around_boundary(world, b),
                                    world->fluid.ahead, world->fluid.phase, world->pairs + solid * c.fluid_count);
    boundary->weights[b] =
        mn_model_boundary_weights(c, world->solids[solid], boundary->ahead[b].w, boundary->numbers[b]);
}

/* What the fluid around i adds to its gradient and, in w, to its volume error. Where nobody pulled when all was looked
 * at, nobody does yet. */
MN_BODY mnVec mn_own_pull(const mnWorld *world, int32_t i, mnAround around, int is_late) {
    const mnFluidState *fluid = &world->fluid;
    mnConstants c = world->constants;
    mnVec x = fluid->position[i];
    int is_calm = !(world->turn.parts & MN_PART_TENSION) || (world->turn.leaves_out && fluid->calm[i]);
    if (is_calm) return mn_vec(0, 0, 0, mn_gain_near_at(x, c, around, fluid->site, fluid->flow));
    mnVec near = mn_tension_near_at(x, c, around, fluid->site, fluid->flow, is_late, fluid->flow[i]);
    mnVec pull = mn_axpy(1, mn_tension_far_at(x, c, around, fluid->site), near);
    pull.w = near.w;
    /* Without a weight of its own: between two neighbours that pull alike there is a balance, but no calm. */
    if (!world->turn.leaves_out) fluid->calm[i] = fluid->weights[i].x == 0 && pull.x == 0 && pull.y == 0 && pull.z == 0;
    return pull;
}

/* −∂E/∂x_i and V_i^err of slope_…, site, flow and weights (eq. 21, 22), `is_late` as repulsion.h has it. */
MN_BODY mnGradient mn_own_gradient(const mnWorld *world, int32_t i, int is_late) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    mnConstants c = world->constants;
    mnAround around = mn_around_fluid(world, i);
    mnGradient found = mn_tension_gradient_at(
        i, c, around, world->turn.parts & MN_PART_TENSION, mn_own_pull(world, i, around, is_late), fluid->predicted[i],
        mn_slopes_of(world, i), fluid->position, fluid->site, fluid->weights, fluid->phase, boundary->position,
        boundary->weights, boundary->solid, world->pairs);
    if (is_late && fluid->weights[i].y > 0 && around.near_all > around.near_fluid)
        found.force = mn_axpy(-c.lateness * c.dt,
                              mn_repulsion_walls_at(fluid->position[i], fluid->predicted[i], fluid->weights[i].y, c,
                                                    around, boundary->position, boundary->velocity),
                              found.force);
    return found;
}

/* Places in the sums of an update; the accelerator's follow. */
enum { MN_SUM_VOLUME, MN_SUM_TENSION, MN_SUM_FRICTION };

/* Friction on particle i under a new pressure (eq. 18c); adds its residual. `per_force` is Δt²/(m·h). */
MN_BODY mnVec mn_next_friction(const mnWorld *world, int32_t i, mnReal pressure, mnReal per_force, mnSum *sums) {
    const mnFluidState *fluid = &world->fluid;
    mnConstants c = world->constants;
    int32_t contact = fluid->contact[i];
    mnVec old = fluid->friction[i], normal = world->neighbours.contacts.normal[contact];
    mnVec slide = world->neighbours.contacts.slide[contact];
    mnReal limit = fluid->mu[i] * mn_friction_normal_force(fluid->position[i].w, pressure, normal.w);
    mnVec slip = mn_friction_tangential(fluid->predicted[i], normal, slide);
    mnReal per_slip = mn_friction_step(c, fluid->start[i].w, slide.w);
    mnVec target = mn_friction_project(mn_scale(-per_slip, slip), limit);
    mnVec missing = mn_sub(old, mn_friction_project(mn_axpy(1, target, old), limit));
    sums[MN_SUM_FRICTION] += (mnSum)(per_force * mn_sqrt(mn_dot(missing, missing)));
    return mn_friction_project(mn_axpy(c.relaxation_pressure, target, old), limit);
}

/* predicted, weights, pressure, tension, friction → J(z) (eq. 18, 21, 22, 26), the accelerator's history; adds the
 * residuals of eq. 27, each dimensionless, and the products that the accelerator needs. */
MN_BODY void mn_update_with(const mnWorld *world, int32_t i, int is_late, mnSum *sums) {
    const mnFluidState *fluid = &world->fluid;
    mnConstants c = world->constants;
    mn_fetch_near(world, mn_later(world, i));
    mnGradient found = mn_own_gradient(world, i, is_late);
    mnReal per_force = c.dt * fluid->start[i].w / c.spacing;
    mnReal next_pressure = fluid->pressure[i];
    mnVec next_friction = fluid->friction[i], next_tension = fluid->tension[i];
    if (world->turn.parts & MN_PART_PRESSURE) {
        mnReal error = mn_volume_error(c, fluid->fill[i], found.volume_error);
        mnReal pressure = fluid->pressure[i], step = fluid->pressure_step[i];
        next_pressure = mn_max(0, pressure - c.relaxation_pressure * step * error);
        sums[MN_SUM_VOLUME] += (mnSum)mn_volume_residual(error, pressure, step);
        if (fluid->mu[i] > 0) next_friction = mn_next_friction(world, i, next_pressure, per_force, sums);
    }
    if (world->turn.parts & MN_PART_TENSION) {
        mnVec missing = mn_sub(found.force, next_tension);
        mnReal step = world->turn.is_tension_old ? 1 : c.relaxation_tension * world->turn.tension_step;
        next_tension = mn_axpy(step, missing, next_tension);
        sums[MN_SUM_TENSION] += (mnSum)(per_force * mn_sqrt(mn_dot(missing, missing)));
    }
    fluid->next_pressure[i] = next_pressure;
    fluid->MN_NEXT_FRICTION[i] = next_friction;
    fluid->MN_NEXT_TENSION[i] = next_tension;
    mn_remember(world, i, sums);
}

MN_BODY void mn_update_at(const mnWorld *world, int32_t i, mnSum *sums) {
    mn_update_with(world, i, 0, sums);
}

/* With repulsion taken late: a pass of its own, so that steps up to the capillary limit have none of its arithmetic. */
MN_BODY void mn_update_late_at(const mnWorld *world, int32_t i, mnSum *sums) {
    mn_update_with(world, i, 1, sums);
}

#endif
