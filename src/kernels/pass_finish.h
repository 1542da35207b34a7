/* Passes after the solver: the new state, and what is seen of it. */
#ifndef MN_KERNELS_PASS_FINISH_H
#define MN_KERNELS_PASS_FINISH_H

#include "kernels/measure.h"
#include "kernels/pass_accelerate.h"
#include "kernels/world.h"

/* The largest squares of the predicted velocity, m²/s², and of its change in this step. */
MN_BODY void mn_motion_at(const mnWorld *world, int32_t i, mnSum *largest) {
    mnVec v = world->fluid.predicted[i], change = mn_sub(v, world->fluid.velocity[i]);
    mn_raise(&largest[0], (mnSum)mn_dot(v, v));
    mn_raise(&largest[1], (mnSum)mn_dot(change, change));
}

/* predicted, pressure, tension, friction and J of them → friction, whose place is free after a step that failed: how
 * wrong volume, tension and friction still are, as in the residuals, and the speed, m/s */
MN_BODY void mn_blame_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    mnReal per_force = world->constants.dt * fluid->start[i].w / world->constants.spacing;
    mnReal pressure = fluid->next_pressure[i] - fluid->pressure[i], step = fluid->pressure_step[i];
    mnVec tension = mn_sub(fluid->MN_NEXT_TENSION[i], fluid->tension[i]);
    mnVec friction = mn_sub(fluid->MN_NEXT_FRICTION[i], fluid->friction[i]), v = fluid->predicted[i];
    fluid->friction[i] =
        mn_vec(step > 0 ? mn_max(pressure, -pressure) / step : 0, per_force * mn_sqrt(mn_dot(tension, tension)),
               per_force * mn_sqrt(mn_dot(friction, friction)), mn_sqrt(mn_dot(v, v)));
}

/* numbers → measure */
MN_BODY void mn_keep_measure_at(const mnWorld *world, int32_t i) {
    world->fluid.measure[i] = mn_measure_fluid(world->constants, world->fluid.numbers[i]);
}

/* predicted → velocity, position; pressure → last_pressure; numbers → measure, where there are any */
MN_BODY void mn_integrate_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    fluid->velocity[i] = fluid->predicted[i];
    fluid->position[i] = fluid->ahead[i];
    fluid->last_pressure[i] = fluid->pressure[i];
    if (world->turn.sees_far) mn_keep_measure_at(world, i);
}

/* Adds the square of the velocity, m²/s². */
MN_BODY void mn_speed_at(const mnWorld *world, int32_t i, mnSum *sum) {
    mnVec v = world->fluid.velocity[i];
    sum[0] += (mnSum)mn_dot(v, v);
}

/* The largest square of the velocity, and how far down and how far up along gravity, m²/s². */
MN_BODY void mn_reach_at(const mnWorld *world, int32_t i, mnSum *largest) {
    mnVec x = world->fluid.position[i], v = world->fluid.velocity[i], g = mn_gravity(world);
    mnSum down = (mnSum)x.x * (mnSum)g.x + (mnSum)x.y * (mnSum)g.y + (mnSum)x.z * (mnSum)g.z;
    mn_raise(&largest[0], (mnSum)mn_dot(v, v));
    mn_raise(&largest[1], down);
    mn_raise(&largest[2], -down);
}

/* The largest square of a wall's velocity, m²/s². */
MN_BODY void mn_wall_speed_at(const mnWorld *world, int32_t b, mnSum *largest) {
    mnVec v = world->boundary.velocity[b];
    mn_raise(&largest[0], (mnSum)mn_dot(v, v));
}

#endif
