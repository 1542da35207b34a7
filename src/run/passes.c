#include "run/passes.h"

#include "base/parallel.h"
#include "space/densities.h"

bool mn_world_reserve_scratch(mnWorld *world, mnMemory *memory) {
    int64_t largest =
        world->fluid.capacity > world->boundary.capacity ? world->fluid.capacity : world->boundary.capacity;
    return mn_memory_grow(memory, (void **)&world->scratch, &world->scratch_capacity, 0,
                          mn_parallel_scratch(largest, MN_SUM_WIDTH_MAX), sizeof(double));
}

void mn_pass_numbers_now(mnWorld *world) {
    world->turn.leaves_out = false;
    mn_run(world, MN_PASS_hold);
    mn_run(world, MN_PASS_measure);
}

void mn_pass_measure_without_lists(const mnWorld *world) {
    if (!world->neighbours.is_listed) return;
    mn_densities_find(&world->neighbours, &world->fluid, &world->boundary, world->constants, world->threads);
    mn_run(world, MN_PASS_keep_measure);
}

/* The smallest α* is 1/(1 + the largest excess). A negative excess means steps above 1, as eq. 34 has them; they end at
 * 2. Without late repulsion the excess is proportional to Δt², and so kept for some steps. */
static mnReal tension_step(mnWorld *world, bool is_found_anew) {
    double dt = (double)world->constants.dt, largest[2];
    if (is_found_anew) {
        mn_run(world, MN_PASS_weight_slopes);
        mn_run_sums(world, MN_PASS_stiffness, largest);
        world->stiffness = largest[0] / (dt * dt);
    }
    double excess = world->constants.lateness > 0 ? largest[1] : world->stiffness * dt * dt;
    return (mnReal)(1 / (1 + fmax(excess, -0.5)));
}

void mn_pass_diagonals(mnWorld *world) {
    /* The comparison models' weights hardly follow the positions (pairwise: not at all), so 1 does for them. */
    bool has_stiffness = world->constants.model == MN_TENSION_ENERGY && world->has_tension;
    bool finds_stiffness = has_stiffness && !(world->keeps_stiffness && world->constants.lateness == 0);
    /* Without tension no iteration finds the numbers, and what frames tell of a device is found in every step. */
    if (finds_stiffness || (world->turn.sees_far && !world->has_tension)) mn_pass_numbers_now(world);
    mn_run(world, MN_PASS_find_slopes);
    mn_run(world, MN_PASS_contact);
    world->turn.tension_step = has_stiffness ? tension_step(world, finds_stiffness) : 1;
    mn_run(world, MN_PASS_advance_wall);
}

mnResiduals mn_pass_update(mnWorld *world, double sums[MN_SUMS_OF_UPDATE]) {
    double own[MN_SUMS_OF_UPDATE];
    if (!sums) sums = own;
    bool is_late = world->constants.lateness > 0 && world->turn.parts & MN_PART_TENSION;
    mn_run_sums(world, is_late ? MN_PASS_update_late : MN_PASS_update, sums);
    double n = world->fluid.count > 0 ? (double)world->fluid.count : 1.0;
    double volume = sums[MN_SUM_VOLUME] / n, tension = sums[MN_SUM_TENSION] / n, friction = sums[MN_SUM_FRICTION] / n;
    return (mnResiduals){volume, tension, friction, isfinite(volume + tension + friction)};
}
