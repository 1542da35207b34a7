/* Passes that add up what a time series tells of the whole fluid. */
#ifndef MN_KERNELS_PASS_TOTAL_H
#define MN_KERNELS_PASS_TOTAL_H

#include "kernels/friction.h"
#include "kernels/models.h"
#include "kernels/pressure.h"
#include "kernels/world.h"

/* Places in the sums of mn_total_at. */
enum {
    MN_TOTAL_MASS,
    MN_TOTAL_MOMENTUM,
    MN_TOTAL_SPIN = MN_TOTAL_MOMENTUM + 3,
    MN_TOTAL_MOMENT = MN_TOTAL_SPIN + 3, /* mass times place */
    MN_TOTAL_KINETIC = MN_TOTAL_MOMENT + 3,
    MN_TOTAL_SURFACE,
    MN_TOTAL_PRESSURE,
    MN_TOTAL_NORMAL,
    MN_TOTAL_COUNT
};

MN_BODY void mn_total_at(const mnWorld *world, int32_t i, mnSum *sums) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    mnFluidConstants material = world->fluids[fluid->phase[i]];
    mnVec x = fluid->position[i], v = fluid->velocity[i];
    mnAround around = mn_around_fluid(world, i);
    mnSum mass = (mnSum)material.density * (mnSum)x.w;
    mnSum place[3] = {(mnSum)x.x, (mnSum)x.y, (mnSum)x.z};
    mnSum momentum[3] = {mass * (mnSum)v.x, mass * (mnSum)v.y, mass * (mnSum)v.z};
    sums[MN_TOTAL_MASS] += mass;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        sums[MN_TOTAL_MOMENTUM + a] += momentum[a];
        sums[MN_TOTAL_SPIN + a] += place[b] * momentum[c] - place[c] * momentum[b];
        sums[MN_TOTAL_MOMENT + a] += mass * place[a];
    }
    sums[MN_TOTAL_KINETIC] += (mnSum)0.5 * mass * (mnSum)mn_dot(v, v);
    mnVec numbers =
        mn_measure_fluid_numbers(i, world->constants, around, fluid->position, boundary->position, fluid->phase);
    sums[MN_TOTAL_SURFACE] += (mnSum)mn_model_fluid_energy(world->constants, material, x.w, numbers);
    sums[MN_TOTAL_PRESSURE] += (mnSum)fluid->last_pressure[i];
    mnContact contact = mn_friction_contact_at(i, world->constants, around, fluid->position, fluid->phase,
                                               boundary->position, boundary->velocity, boundary->solid, world->pairs);
    sums[MN_TOTAL_NORMAL] += (mnSum)mn_friction_normal_force(x.w, fluid->last_pressure[i], contact.normal.w);
}

/* Walls count by what the fluid changes: the energy now less that of the dry wall. */
MN_BODY void mn_wall_energy_at(const mnWorld *world, int32_t b, mnSum *sum) {
    const mnBoundaryState *boundary = &world->boundary;
    mnConstants c = world->constants;
    mnSolidConstants solid = world->solids[boundary->solid[b]];
    mnVec x = boundary->position[b];
    mnVec numbers =
        mn_measure_boundary_numbers(x, boundary->own[b], c, mn_around_boundary(world, b), world->fluid.position,
                                    world->fluid.phase, world->pairs + boundary->solid[b] * c.fluid_count);
    sum[0] += (mnSum)mn_model_boundary_energy(c, solid, x.w, numbers) -
              (mnSum)mn_model_boundary_energy(c, solid, x.w, boundary->own[b]);
}

MN_BODY void mn_compression_at(const mnWorld *world, int32_t i, mnSum *largest) {
    mnReal fill =
        mn_fill_at(i, world->constants, mn_around_fluid(world, i), world->fluid.position, world->boundary.position);
    mn_raise(&largest[0], (mnSum)fill - 1);
}

/* Neighbours within 2h and, as far as lists reach, within 3h; lists hold some more. */
MN_BODY void mn_pair_count_at(const mnWorld *world, int32_t i, mnSum *sums) {
    mnAround around = mn_around_fluid(world, i);
    mnVec x = world->fluid.position[i];
    mnReal h = world->constants.spacing;
    for (int part = 0; part < 2; part++)
        for (int32_t k = 0; k < mn_part_all(around, part); k++) {
            int32_t j = mn_entry(mn_part(around, part), k);
            mnVec d =
                mn_sub(x, k < mn_part_fluid(around, part) ? world->fluid.position[j] : world->boundary.position[j]);
            mnReal rr = mn_dot(d, d);
            sums[0] += rr < 4 * h * h;
            sums[1] += rr < 9 * h * h;
        }
}

#endif
