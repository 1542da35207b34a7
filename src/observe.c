/* What can be seen of a simulation from outside; nothing here changes how it goes on. */
#include <math.h>
#include <stdlib.h>

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

mnStatus mn_sim_look(const mnSim *sim, mnError *error) {
    return mn_run_look(&sim->world, NULL, error);
}

mnParticles mn_sim_particles(const mnSim *sim) {
    mnSeen seen;
    mn_run_look(&sim->world, &seen, NULL);
    if (!sim->world.turn.sees_far) mn_pass_measure_without_lists(&sim->world);
    const mnFluidState *fluid = &sim->world.fluid;
    return (mnParticles){.count = seen.fluid,
                         .position = fluid->position,
                         .velocity = fluid->velocity,
                         .pressure = fluid->last_pressure,
                         .measure = fluid->measure,
                         .phase = fluid->phase,
                         .id = fluid->id};
}

void mn_sim_hide_walls(mnSim *sim) {
    free(sim->shown->position);
    free(sim->shown->velocity);
    free(sim->shown->solid);
    *sim->shown = (mnShownWalls){0};
}

/* Walls that sleep are told from what there is of them, in memory that no step has a use for. */
static mnBoundary show_sleepers(const mnSim *sim) {
    mnShownWalls *shown = sim->shown;
    const mnSleepers *all = &sim->world.neighbours.sleepers;
    size_t count = (size_t)all->count;
    if (!shown->position) shown->position = malloc(count * sizeof *shown->position);
    if (!shown->velocity) shown->velocity = calloc(count, sizeof *shown->velocity);
    if (!shown->solid) shown->solid = malloc(count * sizeof *shown->solid);
    if (!shown->position || !shown->velocity || !shown->solid) return (mnBoundary){0};
    if (!shown->is_told) mn_sleepers_tell(all, shown->position, shown->solid);
    shown->is_told = true;
    return (mnBoundary){all->count, shown->position, shown->velocity, shown->solid};
}

mnBoundary mn_sim_boundary(const mnSim *sim) {
    mnSeen seen;
    if (sim->world.neighbours.sleepers.count > 0) return show_sleepers(sim);
    mn_run_look(&sim->world, &seen, NULL);
    const mnBoundaryState *boundary = &sim->world.boundary;
    return (mnBoundary){.count = seen.boundary,
                        .position = boundary->position,
                        .velocity = boundary->velocity,
                        .solid = boundary->solid};
}

size_t mn_sim_memory(const mnSim *sim) {
    return sim->memory.held;
}

size_t mn_sim_device_memory(const mnSim *sim) {
    return mn_run_device_bytes(&sim->world);
}

int mn_sim_kernels(const mnSim *sim, mnKernelTime *times, int capacity) {
    return mn_run_kernels(&sim->world, times, capacity);
}

int mn_sim_threads(const mnSim *sim) {
    return sim->world.threads;
}

const mnSceneDesc *mn_sim_scene(const mnSim *sim) {
    return sim->scene;
}

mnTotals mn_sim_totals(const mnSim *sim) {
    const mnWorld *world = &sim->world;
    mnTotals totals = {0};
    if (world->fluid.count == 0) return totals;
    double sums[MN_TOTAL_COUNT], walls, compression;
    mn_run_sums(world, MN_PASS_wall_energy, &walls);
    mn_run_sums(world, MN_PASS_compression, &compression);
    mn_run_sums(world, MN_PASS_total, sums);
    if (!(sums[MN_TOTAL_MASS] > 0)) return totals; /* a device has failed, and gives zeros from then on */
    totals.mass = sums[MN_TOTAL_MASS];
    for (int a = 0; a < 3; a++) {
        totals.momentum[a] = sums[MN_TOTAL_MOMENTUM + a];
        totals.angular_momentum[a] = sums[MN_TOTAL_SPIN + a];
        totals.centre[a] = sums[MN_TOTAL_MOMENT + a] / sums[MN_TOTAL_MASS];
        totals.potential_energy -= world->gravity[a] * sums[MN_TOTAL_MOMENT + a];
    }
    totals.kinetic_energy = sums[MN_TOTAL_KINETIC];
    totals.surface_energy = sums[MN_TOTAL_SURFACE] + walls;
    totals.mean_pressure = sums[MN_TOTAL_PRESSURE] / (double)world->fluid.count;
    totals.normal_force = sums[MN_TOTAL_NORMAL];
    totals.max_compression = fmax(compression, 0.0);
    return totals;
}
