/* What can be seen of a simulation from outside; nothing here changes it. */
#include <math.h>

#include "base/parallel.h"
#include "kernels/friction.h"
#include "kernels/models.h"
#include "kernels/pressure.h"
#include "sim.h"

double mn_sim_time(const mnSim *sim) {
    return sim->time;
}

mnSampling mn_sim_sampling(const mnSim *sim) {
    return sim->sampling;
}

mnHeldBack mn_sim_held_back(const mnSim *sim) {
    mnHeldBack sum = {0};
    for (int e = 0; e < sim->scene->emitter_count; e++) {
        mnEmitterTally tally = mn_emitters_tally(sim->emitters, e);
        sum.waiting += tally.waiting;
        sum.lost += tally.lost;
    }
    return sum;
}

mnParticles mn_sim_particles(const mnSim *sim) {
    const mnFluidState *fluid = &sim->world.fluid;
    return (mnParticles){.count = fluid->count,
                         .position = fluid->position,
                         .velocity = fluid->velocity,
                         .pressure = fluid->last_pressure,
                         .measure = fluid->measure,
                         .phase = fluid->phase,
                         .id = fluid->id};
}

mnBoundary mn_sim_boundary(const mnSim *sim) {
    const mnBoundaryState *boundary = &sim->world.boundary;
    return (mnBoundary){.count = boundary->count,
                        .position = boundary->position,
                        .velocity = boundary->velocity,
                        .solid = boundary->solid};
}

size_t mn_sim_memory(const mnSim *sim) {
    return sim->memory.held;
}

int mn_sim_threads(const mnSim *sim) {
    return sim->world.threads;
}

const mnSceneDesc *mn_sim_scene(const mnSim *sim) {
    return sim->scene;
}

/* Places in the sums of add_fluid. */
enum {
    MASS,
    MOMENTUM,
    SPIN = MOMENTUM + 3,
    MOMENT = SPIN + 3,
    KINETIC = MOMENT + 3,
    SURFACE,
    PRESSURE,
    NORMAL,
    SUM_COUNT
};

static void add_fluid(const void *context, int64_t i, double *sums) {
    const mnWorld *world = context;
    const mnFluidState *fluid = &world->fluid;
    const mnFluidConstants *material = &world->fluids[fluid->phase[i]];
    mnVec x = fluid->position[i], v = fluid->velocity[i];
    double mass = (double)material->density * (double)x.w;
    double place[3] = {(double)x.x, (double)x.y, (double)x.z};
    double momentum[3] = {mass * (double)v.x, mass * (double)v.y, mass * (double)v.z};
    sums[MASS] += mass;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        sums[MOMENTUM + a] += momentum[a];
        sums[SPIN + a] += place[b] * momentum[c] - place[c] * momentum[b];
        sums[MOMENT + a] += mass * place[a];
    }
    sums[KINETIC] += 0.5 * mass * (double)mn_dot(v, v);
    mnVec numbers = mn_measure_fluid_numbers((int32_t)i, world->constants, mn_around_fluid(world, i), fluid->position,
                                             world->boundary.position, fluid->phase);
    sums[SURFACE] += (double)mn_model_fluid_energy(world->constants, *material, x.w, numbers);
    sums[PRESSURE] += (double)fluid->last_pressure[i];
    mnContact contact =
        mn_friction_contact_at((int32_t)i, world->constants, mn_around_fluid(world, i), fluid->position, fluid->phase,
                               world->boundary.position, world->boundary.velocity, world->boundary.solid, world->pairs);
    sums[NORMAL] += (double)mn_friction_normal_force(x.w, fluid->last_pressure[i], contact.normal.w);
}

/* Walls count by what the fluid changes: the energy now less that of the dry wall. */
static void add_boundary(const void *context, int64_t a, double *sums) {
    const mnWorld *world = context;
    const mnBoundaryState *boundary = &world->boundary;
    int32_t b = boundary->active[a];
    mnSolidConstants solid = world->solids[boundary->solid[b]];
    mnVec numbers = mn_measure_boundary_numbers(boundary->position[b], boundary->own[b], world->constants,
                                                mn_around_boundary(world, b), world->fluid.position, world->fluid.phase,
                                                world->pairs + boundary->solid[b] * world->constants.fluid_count);
    mnReal volume = boundary->position[b].w;
    sums[0] += (double)mn_model_boundary_energy(world->constants, solid, volume, numbers) -
               (double)mn_model_boundary_energy(world->constants, solid, volume, boundary->own[b]);
}

static void compression_at(const void *context, int64_t i, double *largest) {
    const mnWorld *world = context;
    const mnFluidState *fluid = &world->fluid;
    mnReal fill =
        mn_fill_at((int32_t)i, world->constants, mn_around_fluid(world, i), fluid->position, world->boundary.position);
    largest[0] = fmax(largest[0], (double)fill - 1.0);
}

mnTotals mn_sim_totals(const mnSim *sim) {
    const mnWorld *world = &sim->world;
    mnTotals totals = {0};
    if (world->fluid.count == 0) return totals;
    double sums[SUM_COUNT], walls = 0, compression = 0;
    mn_parallel_sum(world->threads, world->fluid.count, SUM_COUNT, add_fluid, world, world->scratch, sums);
    mn_parallel_sum(world->threads, world->boundary.active_count, 1, add_boundary, world, world->scratch, &walls);
    mn_parallel_max(world->threads, world->fluid.count, 1, compression_at, world, world->scratch, &compression);
    totals.mass = sums[MASS];
    for (int a = 0; a < 3; a++) {
        totals.momentum[a] = sums[MOMENTUM + a];
        totals.angular_momentum[a] = sums[SPIN + a];
        totals.centre[a] = sums[MOMENT + a] / sums[MASS];
        totals.potential_energy -= world->gravity[a] * sums[MOMENT + a];
    }
    totals.kinetic_energy = sums[KINETIC];
    totals.surface_energy = sums[SURFACE] + walls;
    totals.mean_pressure = sums[PRESSURE] / (double)world->fluid.count;
    totals.normal_force = sums[NORMAL];
    totals.max_compression = fmax(compression, 0.0);
    return totals;
}
