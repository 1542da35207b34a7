#include "run/passes.h"

#include "base/clones.h"
#include "base/parallel.h"
#include "kernels/diagonal.h"
#include "kernels/friction.h"
#include "kernels/models.h"
#include "kernels/pressure.h"
#include "kernels/tension.h"

bool mn_world_reserve_scratch(mnWorld *world, mnMemory *memory) {
    int64_t largest =
        world->fluid.capacity > world->boundary.capacity ? world->fluid.capacity : world->boundary.capacity;
    return mn_memory_grow(memory, (void **)&world->scratch, &world->scratch_capacity, 0,
                          mn_parallel_scratch(largest, MN_SUM_WIDTH_MAX), sizeof(double));
}

static void over_fluid(mnWorld *world, mnRangeBody body) {
    mn_parallel_ranges(world->threads, world->fluid.count, body, world);
}

MN_CLONES static void fill_range(void *context, int64_t begin, int64_t end) {
    mnWorld *world = context;
    mnFluidState *fluid = &world->fluid;
    for (int64_t i = begin; i < end; i++)
        fluid->fill[i] = mn_fill_at((int32_t)i, world->constants, mn_around_fluid(world, i), fluid->position,
                                    world->boundary.position);
}

void mn_pass_fill(mnWorld *world) {
    over_fluid(world, fill_range);
}

MN_CLONES static void slopes_range(void *context, int64_t begin, int64_t end) {
    mnWorld *world = context;
    mnFluidState *fluid = &world->fluid;
    for (int64_t i = begin; i < end; i++) {
        mnSlopes slopes = mn_slopes_at((int32_t)i, world->constants, mn_around_fluid(world, i), fluid->position,
                                       world->boundary.position, world->boundary.velocity);
        fluid->slope_wide[i] = slopes.wide;
        fluid->slope_near[i] = slopes.near;
        fluid->slope_pressure[i] = slopes.pressure;
        fluid->site[i] = fluid->push[i] = fluid->position[i];
    }
}

void mn_pass_slopes(mnWorld *world) {
    over_fluid(world, slopes_range);
}

MN_BODY mnSlopes slopes_of(const mnFluidState *fluid, int64_t i) {
    return (mnSlopes){fluid->slope_wide[i], fluid->slope_near[i], fluid->slope_pressure[i]};
}

void mn_pass_start(mnWorld *world) {
    mnFluidState *fluid = &world->fluid;
    mnReal dt = world->constants.dt;
    const double *g = world->gravity;
    mnVec push = mn_vec(dt * (mnReal)g[0], dt * (mnReal)g[1], dt * (mnReal)g[2], 0);
    MN_PARALLEL_FOR(world->threads)
    for (int64_t i = 0; i < fluid->count; i++) {
        fluid->start[i] = mn_axpy(1, fluid->velocity[i], push);
        fluid->start[i].w = dt / (world->fluids[fluid->phase[i]].density * fluid->position[i].w);
    }
}

static double largest_step_excess(mnWorld *world);

MN_CLONES static void contacts_and_pressure_steps_range(void *context, int64_t begin, int64_t end) {
    mnWorld *world = context;
    mnFluidState *fluid = &world->fluid;
    mnBoundaryState *boundary = &world->boundary;
    for (int64_t i = begin; i < end; i++) {
        mnAround around = mn_around_fluid(world, i);
        mnContact contact =
            mn_friction_contact_at((int32_t)i, world->constants, around, fluid->position, fluid->phase,
                                   boundary->position, boundary->velocity, boundary->solid, world->pairs);
        fluid->normal[i] = contact.normal;
        fluid->slide[i] = contact.slide;
        fluid->mu[i] = contact.friction;
        fluid->friction[i] =
            contact.friction > 0 ? mn_friction_flatten(fluid->friction[i], contact.normal) : mn_vec(0, 0, 0, 0);
        mnReal sensitivity = mn_diagonal_pressure_at((int32_t)i, world->constants, around, fluid->slope_pressure[i],
                                                     fluid->position, fluid->start);
        fluid->pressure_step[i] = sensitivity > 0 ? 1 / sensitivity : 0;
    }
}

/* Where the walls will be after `dt`. Walls that no fluid is near take no part in a step. */
static void advance_walls(mnWorld *world, mnReal dt) {
    mnBoundaryState *boundary = &world->boundary;
    MN_PARALLEL_FOR(world->threads)
    for (int64_t a = 0; a < boundary->active_count; a++) {
        int32_t b = boundary->active[a];
        boundary->ahead[b] = mn_axpy(dt, boundary->velocity[b], boundary->position[b]);
        boundary->ahead[b].w = boundary->position[b].w;
    }
}

/* Predicted positions are the current ones here, so the same pass gives the number densities at time t. */
void mn_pass_numbers_now(mnWorld *world) {
    mnFluidState *fluid = &world->fluid;
    MN_PARALLEL_FOR(world->threads)
    for (int64_t i = 0; i < fluid->count; i++) fluid->ahead[i] = fluid->position[i];
    advance_walls(world, 0);
    mn_pass_measure(world);
}

/* Away from walls the fill is n^P at time t, which is known by now. */
MN_CLONES static void known_fill_range(void *context, int64_t begin, int64_t end) {
    mnWorld *world = context;
    mnFluidState *fluid = &world->fluid;
    for (int64_t i = begin; i < end; i++) {
        mnAround around = mn_around_fluid(world, i);
        bool is_at_wall = around.near_all > around.near_fluid;
        fluid->fill[i] =
            is_at_wall ? mn_fill_at((int32_t)i, world->constants, around, fluid->position, world->boundary.position)
                       : fluid->numbers[i].y;
    }
}

void mn_pass_diagonals(mnWorld *world) {
    mn_pass_numbers_now(world);
    over_fluid(world, known_fill_range);
    mn_pass_slopes(world);
    over_fluid(world, contacts_and_pressure_steps_range);
    /* The comparison models' weights hardly follow the positions (pairwise: not at all), so 1 does for them. */
    double dt = (double)world->constants.dt;
    bool has_stiffness = world->constants.model == MN_TENSION_ENERGY && world->has_tension;
    if (has_stiffness && !world->keeps_stiffness) world->stiffness = largest_step_excess(world) / (dt * dt);
    world->tension_step = has_stiffness ? (mnReal)(1 / (1 + fmax(world->stiffness * dt * dt, -0.5))) : 1;
    advance_walls(world, world->constants.dt);
}

MN_CLONES static void excess_at(const void *context, int64_t i, double *largest) {
    const mnWorld *world = context;
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    mnReal excess = mn_diagonal_tension_at((int32_t)i, world->constants, mn_around_fluid(world, i), slopes_of(fluid, i),
                                           fluid->position, fluid->numbers, fluid->weights, fluid->phase,
                                           boundary->position, boundary->numbers, boundary->weights, boundary->solid,
                                           world->fluids, world->solids, world->pairs);
    if ((double)excess > largest[0]) largest[0] = (double)excess;
}

/* The weights' derivatives go where the weights will be: those are made anew before they are used. */
static void find_slopes(mnWorld *world) {
    mnFluidState *fluid = &world->fluid;
    mnBoundaryState *boundary = &world->boundary;
    mnConstants c = world->constants;
    MN_PARALLEL_FOR(world->threads)
    for (int64_t i = 0; i < fluid->count; i++) {
        mnReal energy = world->fluids[fluid->phase[i]].gamma_fv * c.area_fv;
        fluid->weights[i] = mn_diagonal_weight_slopes(c, energy, fluid->numbers[i].x, fluid->numbers[i].y);
    }
    MN_PARALLEL_FOR(world->threads)
    for (int64_t a = 0; a < boundary->active_count; a++) {
        int32_t b = boundary->active[a];
        mnReal share = boundary->position[b].w * c.per_volume;
        mnReal energy = share * world->solids[boundary->solid[b]].gamma_bv * c.area_bv;
        boundary->weights[b] = mn_diagonal_weight_slopes(c, energy, boundary->numbers[b].x, boundary->numbers[b].y);
    }
}

/* The smallest α* is 1/(1 + the largest excess). A negative excess means steps above 1, as eq. 34 has them; they end at
 * 2. */
static double largest_step_excess(mnWorld *world) {
    double largest = 0;
    find_slopes(world);
    if (world->fluid.count > 0)
        mn_parallel_max(world->threads, world->fluid.count, 1, excess_at, world, world->scratch, &largest);
    return largest;
}

MN_BODY mnVec pressure_force(const mnWorld *world, int64_t i) {
    const mnFluidState *fluid = &world->fluid;
    return mn_pressure_force_at(fluid->position[i], fluid->pressure[i], fluid->slope_pressure[i], world->constants,
                                mn_around_fluid(world, i), fluid->push);
}

mnVec mn_pressure_force_of(const mnWorld *world, int64_t i) {
    return pressure_force(world, i);
}

void mn_pass_push(mnWorld *world) {
    mnFluidState *fluid = &world->fluid;
    MN_PARALLEL_FOR(world->threads)
    for (int64_t i = 0; i < fluid->count; i++) fluid->push[i].w = fluid->position[i].w * fluid->pressure[i];
}

MN_CLONES static void force_range(void *context, int64_t begin, int64_t end) {
    mnWorld *world = context;
    mnFluidState *fluid = &world->fluid;
    mnConstants c = world->constants;
    for (int64_t i = begin; i < end; i++) {
        mnVec force = mn_vec(0, 0, 0, 0);
        if (world->parts & MN_PART_PRESSURE) force = mn_axpy(1, fluid->friction[i], pressure_force(world, i));
        if (world->parts & MN_PART_TENSION) force = mn_axpy(1, fluid->tension[i], force);
        mnVec velocity = mn_axpy(fluid->start[i].w, force, fluid->start[i]);
        mnReal volume = fluid->position[i].w, weight = fluid->flow[i].w;
        fluid->predicted[i] = velocity;
        fluid->ahead[i] = mn_axpy(c.dt, velocity, fluid->position[i]);
        fluid->ahead[i].w = volume;
        fluid->flow[i] = mn_scale(volume, velocity);
        fluid->flow[i].w = weight;
    }
}

void mn_pass_force(mnWorld *world) {
    if (world->parts & MN_PART_PRESSURE) mn_pass_push(world);
    over_fluid(world, force_range);
}

MN_CLONES static void measure_range(void *context, int64_t begin, int64_t end) {
    mnWorld *world = context;
    mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    mnConstants c = world->constants;
    for (int64_t i = begin; i < end; i++) {
        mnAround around = mn_around_fluid(world, i);
        fluid->numbers[i] =
            mn_measure_fluid_numbers((int32_t)i, c, around, fluid->ahead, boundary->ahead, fluid->phase);
        fluid->weights[i] =
            mn_model_fluid_weights_at((int32_t)i, c, around, fluid->ahead, fluid->numbers[i], fluid->phase,
                                      boundary->ahead, boundary->solid, world->fluids, world->pairs);
        fluid->site[i].w = fluid->weights[i].x;
        fluid->flow[i].w = fluid->weights[i].y;
    }
}

MN_CLONES static void measure_walls_range(void *context, int64_t begin, int64_t end) {
    mnWorld *world = context;
    const mnFluidState *fluid = &world->fluid;
    mnBoundaryState *boundary = &world->boundary;
    mnConstants c = world->constants;
    for (int64_t a = begin; a < end; a++) {
        int32_t b = boundary->active[a];
        int32_t solid = boundary->solid[b];
        boundary->numbers[b] =
            mn_measure_boundary_numbers(boundary->ahead[b], boundary->own[b], c, mn_around_boundary(world, b),
                                        fluid->ahead, fluid->phase, world->pairs + solid * c.fluid_count);
        boundary->weights[b] =
            mn_model_boundary_weights(c, world->solids[solid], boundary->ahead[b].w, boundary->numbers[b]);
    }
}

void mn_pass_measure(mnWorld *world) {
    over_fluid(world, measure_range);
    mn_parallel_ranges(world->threads, world->boundary.active_count, measure_walls_range, world);
}

MN_BODY mnGradient gradient(const mnWorld *world, int64_t i) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    return mn_tension_gradient_at((int32_t)i, world->constants, mn_around_fluid(world, i),
                                  world->parts & MN_PART_TENSION, fluid->predicted[i], slopes_of(fluid, i),
                                  fluid->position, fluid->site, fluid->flow, fluid->weights, fluid->phase,
                                  boundary->position, boundary->weights, boundary->solid, world->pairs);
}

mnGradient mn_gradient_of(const mnWorld *world, int64_t i) {
    return gradient(world, i);
}

/* eq. 18 for particle i; adds its residuals of volume, tension and friction. */
MN_CLONES static void update_at(const void *context, int64_t i, double *sums) {
    const mnWorld *world = context;
    const mnFluidState *fluid = &world->fluid;
    mnConstants c = world->constants;
    mnGradient found = gradient(world, i);
    mnReal per_force = c.dt * fluid->start[i].w / c.spacing; /* Δt²/(m·h) */
    fluid->next_pressure[i] = fluid->pressure[i];
    fluid->next_friction[i] = fluid->friction[i];
    fluid->next_tension[i] = fluid->tension[i];
    if (world->parts & MN_PART_PRESSURE) {
        mnReal error = mn_volume_error(c, fluid->fill[i], found.volume_error);
        mnReal pressure = fluid->pressure[i], step = fluid->pressure_step[i];
        fluid->next_pressure[i] = mn_max(0, pressure - c.relaxation_pressure * step * error);
        sums[0] += (double)mn_volume_residual(error, pressure, step);
        if (fluid->mu[i] > 0) {
            mnReal limit = fluid->mu[i] *
                           mn_friction_normal_force(fluid->position[i].w, fluid->next_pressure[i], fluid->normal[i].w);
            mnVec slip = mn_friction_tangential(fluid->predicted[i], fluid->normal[i], fluid->slide[i]);
            mnReal per_slip = mn_friction_step(c, fluid->start[i].w, fluid->slide[i].w);
            mnVec target = mn_friction_project(mn_scale(-per_slip, slip), limit);
            mnVec old = fluid->friction[i];
            fluid->next_friction[i] = mn_friction_project(mn_axpy(c.relaxation_pressure, target, old), limit);
            mnVec missing = mn_sub(old, mn_friction_project(mn_axpy(1, target, old), limit));
            sums[2] += (double)(per_force * mn_sqrt(mn_dot(missing, missing)));
        }
    }
    if (world->parts & MN_PART_TENSION) {
        mnVec missing = mn_sub(found.force, fluid->tension[i]);
        mnReal step = world->is_tension_old ? 1 : c.relaxation_tension * world->tension_step;
        fluid->next_tension[i] = mn_axpy(step, missing, fluid->tension[i]);
        sums[1] += (double)(per_force * mn_sqrt(mn_dot(missing, missing)));
    }
}

mnResiduals mn_pass_update(mnWorld *world) {
    double sums[3];
    mn_parallel_sum(world->threads, world->fluid.count, 3, update_at, world, world->scratch, sums);
    double n = world->fluid.count > 0 ? (double)world->fluid.count : 1.0;
    return (mnResiduals){sums[0] / n, sums[1] / n, sums[2] / n, isfinite(sums[0] + sums[1] + sums[2])};
}

void mn_pass_accept(mnWorld *world) {
    mnFluidState *fluid = &world->fluid;
    MN_PARALLEL_FOR(world->threads)
    for (int64_t i = 0; i < fluid->count; i++) {
        fluid->pressure[i] = fluid->next_pressure[i];
        fluid->tension[i] = fluid->next_tension[i];
        fluid->friction[i] = fluid->next_friction[i];
    }
}

static void square_at(const void *context, int64_t i, double *largest) {
    const mnVec *vectors = context;
    double square = (double)mn_dot(vectors[i], vectors[i]);
    if (!(square <= largest[0])) largest[0] = isnan(square) ? INFINITY : square;
}

double mn_pass_fastest(const mnWorld *world, const mnVec *velocities, int64_t count) {
    double largest = 0;
    if (count > 0) mn_parallel_max(world->threads, count, 1, square_at, velocities, world->scratch, &largest);
    return sqrt(largest);
}

void mn_pass_keep_measure(mnWorld *world) {
    mnFluidState *fluid = &world->fluid;
    MN_PARALLEL_FOR(world->threads)
    for (int64_t i = 0; i < fluid->count; i++)
        fluid->measure[i] = mn_measure_fluid(world->constants, fluid->numbers[i]);
}

void mn_pass_integrate(mnWorld *world) {
    mnFluidState *fluid = &world->fluid;
    MN_PARALLEL_FOR(world->threads)
    for (int64_t i = 0; i < fluid->count; i++) {
        fluid->velocity[i] = fluid->predicted[i];
        fluid->position[i] = fluid->ahead[i];
        fluid->last_pressure[i] = fluid->pressure[i];
        fluid->last_tension[i] = fluid->tension[i];
        fluid->last_friction[i] = fluid->friction[i];
    }
    mn_pass_keep_measure(world);
}
