#include "sim.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "guard.h"
#include "run/disorder.h"
#include "scene/copy.h"
#include "scene/motion.h"
#include "scene/populate.h"
#include "scene/scene.h"
#include "scene/validate.h"
#include "state/rest_areas.h"

#ifndef MN_VERSION
#define MN_VERSION "0.0.0"
#endif

static const double GROWTH = 1.05; /* of Δt per step after a retry */
enum { STIFFNESS_STEPS = 4 };      /* how stiff tension is changes slowly, and asking takes as long as an iteration */
enum { HALVINGS = 12 };            /* of a step that fails, at most */

const char *mn_version(void) {
    return MN_VERSION;
}

const char *mn_stage_name(mnStage stage) {
    static const char *const names[MN_STAGE_COUNT] = {
        [MN_STAGE_SCENE] = "scene",
        [MN_STAGE_NEIGHBOURS] = "neighbours",
        [MN_STAGE_VISCOSITY] = "viscosity",
        [MN_STAGE_DIAGONALS] = "diagonals",
        [MN_STAGE_SOLVER] = "solver",
        [MN_STAGE_SOLVER_FORCE] = "force",
        [MN_STAGE_SOLVER_MEASURE] = "measure",
        [MN_STAGE_SOLVER_GRADIENT] = "gradient",
        [MN_STAGE_SOLVER_ACCELERATE] = "accelerate",
        [MN_STAGE_INTEGRATE] = "integrate",
    };
    return names[stage];
}

mnOptions mn_default_options(void) {
    return (mnOptions){0};
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static mnStatus no_memory(mnSim *sim, mnError *error) {
    mnStatus status = mn_run_check(&sim->world, error);
    if (status != MN_OK) return status;
    return mn_error_set(
        error, MN_ERROR_MEMORY,
        "out of memory: %.1f MB are held, the limit is %.1f MB; use a larger spacing or fewer particles",
        1e-6 * (double)sim->memory.held, 1e-6 * (double)sim->memory.limit);
}

mnStatus mn_sim_create_empty(const mnSceneDesc *scene, const mnOptions *options, mnSim **out, mnError *error) {
    *out = NULL;
    mnStatus status = mn_scene_validate(scene, error);
    if (status != MN_OK) return status;
    if (options->threads > MN_THREADS_MAX) /* OpenMP dies where it cannot have as many as it is asked for */
        return mn_error_set(error, MN_ERROR_INPUT, "threads must not be more than %d, they are %d", MN_THREADS_MAX,
                            options->threads);
    mnSim *sim = calloc(1, sizeof *sim);
    if (!sim) return mn_error_set(error, MN_ERROR_MEMORY, "out of memory");
    sim->shown = calloc(1, sizeof *sim->shown);
    mn_run_begin(&sim->world);
    sim->memory = mn_memory_create(options->allocator, options->memory_limit);
    sim->scene_copy = mn_scene_copy(scene);
    if (!sim->shown || !sim->scene_copy || !mn_materials_create(&sim->materials, &sim->memory, scene)) {
        mn_sim_destroy(sim);
        return mn_error_set(error, MN_ERROR_MEMORY, "out of memory");
    }
    sim->scene = mn_scene_desc(sim->scene_copy);
    status = mn_scene_now_create(sim->scene, &sim->memory, &sim->now, error);
    if (status == MN_OK) status = mn_emitters_create(sim->scene, &sim->memory, &sim->emitters, error);
    if (status != MN_OK) {
        mn_sim_destroy(sim);
        return status;
    }
    mnWorld *world = &sim->world;
    const mnSolverDesc *solver = &sim->scene->solver;
    mn_rest_areas_set(&world->constants, scene->dimension, scene->spacing, solver->measure, solver->paper_rest_areas);
    world->constants.fluid_count = scene->fluid_count;
    world->constants.model = solver->tension_model;
    world->fluids = sim->materials.fluids;
    world->solids = sim->materials.solids;
    world->solid_count = scene->solid_count;
    world->pairs = sim->materials.pairs;
    world->neighbours.spacing = scene->spacing;
    world->threads = options->threads > 0 ? options->threads : mn_parallel_cores();
    mn_unified_create(&sim->method, solver);
    sim->dt_ceiling = INFINITY;
    sim->solids_move = mn_motion_is_there(scene);
    *out = sim;
    return MN_OK;
}

void mn_sim_destroy(mnSim *sim) {
    if (!sim) return;
    mnMemory *memory = &sim->memory;
    mn_unified_release(&sim->method, memory, &sim->world);
    mn_run_release(&sim->world);
    mn_neighbours_release(&sim->world.neighbours, memory);
    mn_fluid_release(&sim->world.fluid, memory);
    mn_boundary_release(&sim->world.boundary, memory);
    mn_memory_give(memory, sim->world.scratch, (size_t)sim->world.scratch_capacity * sizeof(double));
    mn_materials_release(&sim->materials, memory);
    if (sim->now) mn_scene_now_destroy(sim->now);
    if (sim->emitters) mn_emitters_destroy(sim->emitters);
    mn_scene_destroy(sim->later_schedules);
    mn_scene_destroy(sim->scene_copy);
    if (sim->shown) mn_sim_hide_walls(sim);
    free(sim->shown);
    free(sim);
}

static double length(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static mnVec narrow(const double a[3], double w) {
    return mn_vec((mnReal)a[0], (mnReal)a[1], (mnReal)a[2], (mnReal)w);
}

/* Makes a new particle of entry i. */
static void put_fluid(mnSim *sim, int64_t i, const double position[3], const double velocity[3], int32_t phase) {
    mnFluidState *fluid = &sim->world.fluid;
    double h = sim->scene->spacing;
    fluid->position[i] = narrow(position, sim->scene->dimension == 3 ? h * h * h : h * h);
    fluid->velocity[i] = narrow(velocity, 0);
    fluid->last_pressure[i] = 0;
    fluid->tension[i] = fluid->friction[i] = fluid->measure[i] = mn_vec(0, 0, 0, 0);
    fluid->phase[i] = phase;
    fluid->id[i] = sim->next_id++;
}

bool mn_sim_add_fluid(mnSim *sim, const double position[3], const double velocity[3], int32_t phase) {
    mnFluidState *fluid = &sim->world.fluid;
    if (fluid->count == fluid->capacity &&
        !mn_fluid_reserve(fluid, &sim->memory, fluid->capacity + fluid->capacity / 4 + 256))
        return false;
    put_fluid(sim, fluid->count++, position, velocity, phase);
    return true;
}

bool mn_sim_add_boundary(mnSim *sim, const double position[3], double volume, int32_t solid) {
    mnBoundaryState *boundary = &sim->world.boundary;
    if (boundary->count == boundary->capacity &&
        !mn_boundary_reserve(boundary, &sim->memory, boundary->capacity + boundary->capacity / 4 + 256))
        return false;
    int64_t b = boundary->count++;
    boundary->position[b] = boundary->origin[b] = narrow(position, volume);
    boundary->velocity[b] = mn_vec(0, 0, 0, 0);
    boundary->solid[b] = solid;
    return true;
}

bool mn_sim_add_sleeper(mnSim *sim, const double position[3], double volume, int32_t solid) {
    return mn_sleepers_add(&sim->world.neighbours.sleepers, &sim->memory, narrow(position, volume), solid);
}

/* Room for everything that goes with the particles that are there. */
static bool reserve(mnSim *sim) {
    return mn_world_reserve_scratch(&sim->world, &sim->memory) &&
           mn_unified_reserve(&sim->method, &sim->memory, &sim->world);
}

void mn_sim_refresh(mnSim *sim) {
    mn_scene_now_update(sim->now, sim->scene, sim->time);
    mn_materials_update(&sim->materials, sim->scene, sim->now);
    sim->world.turn.has_friction = sim->materials.has_friction;
    for (int a = 0; a < 3; a++) sim->world.turn.gravity[a] = (mnReal)sim->now->gravity[a];
    sim->world.has_tension = sim->materials.has_tension;
    sim->world.turn.sees_far = sim->world.has_tension || sim->world.device;
    memcpy(sim->world.gravity, sim->now->gravity, sizeof sim->world.gravity);
    mn_run_materials_changed(&sim->world);
}

/* Puts every boundary particle where its solid is at a time. */
static void place_solids(mnSim *sim, double time) {
    static const double centre[3] = {0, 0, 0}, axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int s = 0; s < sim->scene->solid_count && sim->solids_move; s++) {
        const mnSolid *solid = &sim->scene->solids[s];
        if (solid->motion_count == 0) continue;
        mnPose pose = mn_motion_pose(solid->motion, solid->motion_count, time);
        double turn[9];
        for (int a = 0; a < 3; a++) {
            double axis[3];
            mn_pose_apply(&pose, axes[a], axis);
            for (int b = 0; b < 3; b++) turn[3 * b + a] = axis[b] - pose.translation[b];
        }
        sim->world.turn.solid = s;
        mn_turn_frame(&sim->world.turn, 0, turn, 9);
        mn_turn_frame(&sim->world.turn, 9, pose.translation, 3);
        mn_turn_frame(&sim->world.turn, 12, centre, 3);
        mn_run(&sim->world, MN_PASS_place_wall);
    }
}

/* Gives every boundary particle the velocity that takes it to where its solid will be `dt` later. Returns the largest
 * speed, m/s. */
static double steer_solids(mnSim *sim, double dt) {
    double largest;
    if (!sim->solids_move) return 0;
    for (int s = 0; s < sim->scene->solid_count; s++) {
        const mnSolid *solid = &sim->scene->solids[s];
        if (solid->motion_count == 0) continue;
        mnMotionStep step = mn_motion_step(solid->motion, solid->motion_count, sim->time, sim->time + dt);
        sim->world.turn.solid = s;
        mn_turn_frame(&sim->world.turn, 0, step.turn[0], 9);
        mn_turn_frame(&sim->world.turn, 9, step.linear, 3);
        mn_turn_frame(&sim->world.turn, 12, step.centre, 3);
        mn_run(&sim->world, MN_PASS_steer_wall);
    }
    mn_run_sums(&sim->world, MN_PASS_wall_speed, &largest);
    return sqrt(largest);
}

/* The skin, in h, with which lists cost least. When particles go δh in a step, lists that shall serve n steps need a
 * skin of 2(n + ½)δ; it makes each of a step's iterations dearer by 1.4 times as much, and lists cost as much as two
 * iterations. */
static double best_skin(const mnSim *sim) {
    double move = sim->last_move / sim->scene->spacing;
    double steps = sqrt(0.7 / (fmax(1, sim->last_iterations) * fmax(move, 1e-9)));
    return steps < 1.5 ? MN_SKIN_MIN : fmin(fmax(2 * (steps + 0.5) * move, MN_SKIN_MIN), MN_SKIN_MAX);
}

static mnStatus status_of(mnSim *sim, mnSearchResult result, mnError *error) {
    switch (result) {
    case MN_SEARCH_NO_MEMORY:
        return no_memory(sim, error);
    case MN_SEARCH_LOST:
        return mn_guard_lost(sim, error);
    case MN_SEARCH_CROWDED:
        return mn_guard_crowded(sim, error);
    case MN_SEARCH_OK:
        break;
    }
    return MN_OK;
}

/* Those of the fluid where it is now. */
static void find_measures(mnWorld *world) {
    mn_pass_numbers_now(world);
    mn_run(world, MN_PASS_keep_measure);
}

/* How far lists have to reach, h. */
static double reach_of(const mnSim *sim) {
    return sim->world.turn.sees_far ? MN_REACH_MAX : MN_REACH_MIN;
}

/* Makes the lists anew, without the `removed` particles that are marked as dead. */
static mnStatus find_neighbours(mnSim *sim, int64_t removed, double reach, double skin, mnError *error) {
    mnWorld *world = &sim->world;
    if (sim->solids_move) mn_run_walls_moved(world);
    mnStatus status = status_of(sim, mn_run_search(world, &sim->memory, removed, reach, skin), error);
    if (status != MN_OK) return status;
    if (!mn_world_reserve_scratch(world, &sim->memory)) return no_memory(sim, error); /* walls may have woken */
    bool has_new_walls = sim->solids_move || world->neighbours.sleepers.count > 0;
    if (has_new_walls && !mn_run_walls_own(world, &sim->memory, false)) return no_memory(sim, error);
    return MN_OK;
}

mnStatus mn_sim_reach_out(mnSim *sim, mnError *error) {
    mnWorld *world = &sim->world;
    double reach = reach_of(sim);
    if (world->neighbours.reach >= reach) return MN_OK;
    return status_of(
        sim,
        mn_neighbours_relist(&world->neighbours, &sim->memory, &world->fluid, &world->boundary, reach, world->threads),
        error);
}

/* What the choice of the next step needs. */
static void take_speeds(mnSim *sim) {
    mnWorld *world = &sim->world;
    double sum, largest[3], gravity = length(world->gravity);
    mn_run_sums(world, MN_PASS_speed, &sum);
    mn_run_sums(world, MN_PASS_reach, largest);
    sim->max_velocity = sqrt(largest[0]);
    sim->typical_velocity = sqrt(sum / fmax(1, (double)world->fluid.count));
    sim->height = gravity > 0 ? (largest[1] + largest[2]) / gravity : 0;
}

/* What can be seen of the fluid before the first step. */
static void take_look(mnSim *sim) {
    if (sim->world.turn.sees_far) find_measures(&sim->world);
    take_speeds(sim);
}

mnStatus mn_sim_finish(mnSim *sim, mnError *error) {
    mnWorld *world = &sim->world;
    mnStatus status = status_of(sim, mn_neighbours_settle(&world->neighbours, &sim->memory, world->threads), error);
    if (status != MN_OK) return status;
    sim->sampling.fluid = world->fluid.count;
    sim->sampling.boundary = mn_wall_count(world);
    mn_sim_refresh(sim);
    if (!mn_fluid_reserve(&world->fluid, &sim->memory, 1) || !mn_boundary_reserve(&world->boundary, &sim->memory, 1) ||
        !reserve(sim))
        return no_memory(sim, error);
    place_solids(sim, sim->time);
    steer_solids(sim, 0);
    status = find_neighbours(sim, 0, MN_REACH_MAX, MN_SKIN_MIN, error); /* disorder looks that far */
    if (status != MN_OK) return status;
    if (!mn_run_walls_own(world, &sim->memory, true)) return no_memory(sim, error);
    take_look(sim);
    return MN_OK;
}

/* Bodies were sampled as lattices; their insides become disordered. */
static mnStatus disorder(mnSim *sim, mnError *error) {
    size_t bytes = (size_t)sim->next_id + 1;
    uint8_t *inside = mn_memory_take(&sim->memory, bytes);
    if (!inside) return no_memory(sim, error);
    mnStatus status = MN_OK;
    if (mn_disorder_throw(&sim->world, sim->scene->seed, inside) > 0) {
        for (int search = 0; search < MN_DISORDER_SEARCHES && status == MN_OK; search++) {
            status = find_neighbours(sim, 0, MN_REACH_MAX, MN_SKIN_MIN, error);
            for (int k = 0; k < MN_DISORDER_SWEEPS_PER_SEARCH && status == MN_OK; k++)
                mn_disorder_sweep(&sim->world, inside);
        }
        if (status == MN_OK) status = find_neighbours(sim, 0, MN_REACH_MAX, MN_SKIN_MIN, error);
    }
    mn_memory_give(&sim->memory, inside, bytes);
    return status;
}

mnStatus mn_sim_move(mnSim *sim, const mnOptions *options, mnError *error) {
    const char *backend = options->backend ? options->backend : "cpu";
    mnStatus status = mn_run_move(&sim->world, &sim->memory, backend, options->profiled, error);
    if (status == MN_OK) mn_sim_refresh(sim); /* a device sees farther */
    if (status == MN_OK && !sim->world.neighbours.is_listed) {
        mn_unified_release(&sim->method, &sim->memory, &sim->world);
        status = find_neighbours(sim, 0, reach_of(sim), MN_SKIN_MIN, error);
        if (status == MN_OK && !reserve(sim)) status = no_memory(sim, error);
    }
    if (status != MN_OK) return status;
    take_look(sim);
    return mn_run_check(&sim->world, error);
}

mnStatus mn_sim_create(const mnSceneDesc *scene, const mnOptions *options, mnSim **out, mnError *error) {
    mnOptions standard = mn_default_options();
    if (!options) options = &standard;
    mnStatus status = mn_sim_create_empty(scene, options, out, error);
    if (status == MN_OK) status = mn_populate(*out, error);
    if (status == MN_OK && (*out)->world.fluid.count == 0 && scene->emitter_count == 0)
        status =
            mn_error_set(error, MN_ERROR_INPUT,
                         "the scene starts without fluid and has no emitter: its bodies are smaller than a particle "
                         "(spacing %g m) or lie inside solids",
                         scene->spacing);
    if (status == MN_OK) status = mn_sim_finish(*out, error);
    if (status == MN_OK) status = disorder(*out, error);
    if (status == MN_OK) {
        mn_populate_velocities(*out);
        status = mn_sim_move(*out, options, error);
    }
    if (status != MN_OK) {
        mn_sim_destroy(*out);
        *out = NULL;
    }
    return status;
}

mnStatus mn_sim_set_schedules(mnSim *sim, const mnSceneDesc *scene, mnError *error) {
    if (scene->fluid_count != sim->scene->fluid_count || scene->solid_count != sim->scene->solid_count)
        return mn_error_set(error, MN_ERROR_INPUT, "the schedules are those of a scene with other fluids or solids");
    mnStatus status = mn_schedules_check(scene, error);
    if (status != MN_OK) return status;
    mnSceneDesc schedules = {.schedules = scene->schedules, .schedule_count = scene->schedule_count};
    mnScene *kept = mn_scene_copy(&schedules);
    if (!kept) return mn_error_set(error, MN_ERROR_MEMORY, "out of memory");
    mn_scene_destroy(sim->later_schedules);
    sim->later_schedules = kept;
    sim->scene_copy->desc.schedules = mn_scene_desc(kept)->schedules;
    sim->scene_copy->desc.schedule_count = mn_scene_desc(kept)->schedule_count;
    if (sim->step == 0) { /* what was found out with the values at the start is not so any more */
        mn_sim_refresh(sim);
        status = mn_sim_reach_out(sim, error);
        if (status != MN_OK) return status;
        take_look(sim);
    }
    return mn_run_check(&sim->world, error);
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

static bool is_free(void *context, const double centre[3], double radius) {
    mnSim *sim = context;
    return mn_run_is_free(&sim->world, centre, radius);
}

/* Marks the fluid in sinks as dead; returns how much of it there is. */
static int64_t drain(mnSim *sim) {
    double taken, sum = 0;
    if (sim->scene->sink_count > 0) mn_run(&sim->world, MN_PASS_revive);
    for (int s = 0; s < sim->scene->sink_count; s++) {
        const mnSink *sink = &sim->scene->sinks[s];
        if (sim->time < sink->start || sim->time > sink->stop) continue;
        mn_turn_frame(&sim->world.turn, 0, sink->lower, 3);
        mn_turn_frame(&sim->world.turn, 3, sink->upper, 3);
        mn_run_sums(&sim->world, MN_PASS_sink, &taken);
        sum += taken;
    }
    return (int64_t)sum;
}

/* Emitters give, sinks take. */
static mnStatus exchange_fluid(mnSim *sim, mnStepReport *report, mnError *error) {
    mnFluidState *fluid = &sim->world.fluid;
    int64_t limit = sim->scene->max_particles ? sim->scene->max_particles - mn_wall_count(&sim->world) : INT32_MAX / 2;
    mnEmission emission = {0};
    mnStatus status = mn_emitters_run(sim->emitters, sim->time, limit > fluid->count ? limit - fluid->count : 0,
                                      is_free, sim, &emission, error);
    if (status != MN_OK) return status;
    int64_t at = mn_run_new_at(&sim->world), count = at + emission.count;
    if (count > fluid->capacity && !mn_fluid_reserve(fluid, &sim->memory, mn_memory_roomy(count)))
        return no_memory(sim, error);
    if (!reserve(sim)) return no_memory(sim, error);
    for (int64_t i = 0; i < emission.count; i++) {
        const mnEmittedParticle *particle = &emission.particles[i];
        put_fluid(sim, at + i, particle->position, particle->velocity, particle->fluid);
        sim->max_velocity = fmax(sim->max_velocity, length(particle->velocity));
    }
    if (emission.count > 0 && !mn_run_add(&sim->world, at, emission.count)) return no_memory(sim, error);
    report->emitted = emission.count;
    report->removed = drain(sim);
    return MN_OK;
}

/* The largest step that the scene's rules allow for a speed and an acceleration of the fluid. How fast walls go depends
 * on the step, so they are asked again after it was shortened for them. */
static double allowed_step(mnSim *sim, double speed, double acceleration) {
    const mnTimeDesc *t = &sim->scene->time;
    if (!t->adaptive) return t->step;
    double h = sim->scene->spacing, dt = fmin(t->max_step, t->capillary_ratio * sim->materials.capillary_step);
    if (acceleration > 0) dt = fmin(dt, t->cfl_acceleration * sqrt(h / acceleration));
    double wave = sqrt(length(sim->world.gravity) * sim->height); /* the speed of long gravity waves */
    if (wave > 0) dt = fmin(dt, t->cfl_velocity * h / wave);
    for (int tries = 0; tries < 3; tries++) {
        double together = speed + steer_solids(sim, dt);
        if (together * dt <= t->cfl_velocity * h) break;
        dt = t->cfl_velocity * h / together;
    }
    return fmax(dt, t->min_step);
}

/* Adaptive steps share the time up to `max_dt` evenly. The time in which compressions are undone goes by the fluid as a
 * whole and not by its fastest particle: undoing them makes particles fast, and if that made it hasten, they would
 * drive each other. */
static double choose_step(mnSim *sim, double max_dt) {
    double emitted = 0, gravity = length(sim->world.gravity);
    mn_emitters_pending(sim->emitters, &emitted);
    sim->world.recovery_dt = allowed_step(sim, sim->typical_velocity, gravity);
    double dt = allowed_step(sim, fmax(sim->max_velocity, emitted), fmax(sim->max_acceleration, gravity));
    if (!sim->scene->time.adaptive) return fmin(dt, max_dt);
    dt = fmax(fmin(dt, sim->dt_ceiling), sim->scene->time.min_step);
    return isfinite(max_dt) ? max_dt / fmax(1, ceil(max_dt / dt - 1e-6)) : dt;
}

/* Errors of forces are told by how far they move particles in a step, which grows with Δt². From 0.4 of the capillary
 * limit on, where that is less than what they are wrong by in other ways, their tolerance grows with it: otherwise
 * forces would have to be the more exact the longer the step. */
static double force_slack(const mnSim *sim, double dt) {
    double ratio = mn_felt_ratio(sim, dt) / 0.4;
    return fmax(1, ratio * ratio);
}

/* θ of kernels/repulsion.h; 0 too where there is no such repulsion. Steps of just the limit are not beyond it. */
static double lateness(const mnSim *sim, double dt) {
    const mnConstants *c = &sim->world.constants;
    double beyond = mn_felt_ratio(sim, dt) - 1;
    return c->normalised && c->model == MN_TENSION_ENERGY && beyond > 1e-6 ? beyond : 0;
}

/* One try with the given Δt; whether its result may be used. */
static bool try_step(mnSim *sim, double dt, mnStepReport *report) {
    mnWorld *world = &sim->world;
    world->constants.dt = (mnReal)dt;
    world->constants.lateness = (mnReal)lateness(sim, dt);
    world->force_slack = force_slack(sim, dt);
    world->keeps_stiffness = sim->step % STIFFNESS_STEPS != 0 && !sim->has_failed;
    double walls = steer_solids(sim, dt);
    mn_unified_step(&sim->method, world, sim->materials.largest_viscosity > 0, sim->has_failed, report);
    double largest[2];
    mn_run_sums(world, MN_PASS_motion, largest);
    double moved = sqrt(largest[0]) * dt / sim->scene->spacing;
    sim->max_acceleration = sqrt(largest[1]) / dt;
    sim->last_move = fmax(moved * sim->scene->spacing, walls * dt);
    sim->last_iterations = report->iterations;
    bool is_finite = isfinite(report->residual_volume + report->residual_tension + report->residual_friction);
    if (mn_run_check(world, NULL) != MN_OK) return true; /* the step will say so */
    return is_finite && moved <= MN_FARTHEST && (report->converged || !sim->scene->time.adaptive);
}

/* Everything up to the neighbour lists. After a failure the state can still be looked at, but not stepped. */
static mnStatus prepare_step(mnSim *sim, mnStepReport *report, mnError *error) {
    double start = mn_clock();
    mn_sim_refresh(sim);
    mnStatus status = exchange_fluid(sim, report, error);
    double exchanged = mn_clock();
    bool is_same = report->emitted == 0 && report->removed == 0;
    double likely = 1.5 * sim->last_move;
    if (status == MN_OK && !(is_same && mn_neighbours_will_hold(&sim->world.neighbours, likely)))
        status = find_neighbours(sim, report->removed, reach_of(sim), best_skin(sim), error);
    if (status == MN_OK && sim->world.neighbours.reach < reach_of(sim)) {
        status = mn_sim_reach_out(sim, error);
        if (status == MN_OK) find_measures(&sim->world); /* should this step fail, nobody else will */
    }
    if (status == MN_OK && !mn_unified_reserve(&sim->method, &sim->memory, &sim->world)) status = no_memory(sim, error);
    report->stage_seconds[MN_STAGE_SCENE] = exchanged - start;
    report->stage_seconds[MN_STAGE_NEIGHBOURS] = mn_clock() - exchanged;
    return status;
}

mnStatus mn_sim_step(mnSim *sim, double max_dt, mnStepReport *report, mnError *error) {
    mnStepReport unused;
    if (!report) report = &unused;
    *report = (mnStepReport){.step = sim->step + 1, .time = sim->time};
    mn_sim_hide_walls(sim);
    if (!(max_dt > 0))
        return mn_error_set(error, MN_ERROR_INPUT, "the longest step must be positive, it is %g s", max_dt);

    if (sim->ended != MN_OK)
        return mn_error_set(error, sim->ended, "an error ended this simulation in step %lld, it cannot go on",
                            (long long)(sim->step + 1));
    sim->ended = mn_run_check(&sim->world, error);
    if (sim->ended == MN_OK) sim->ended = prepare_step(sim, report, error);
    if (sim->ended != MN_OK) {
        mn_run_forget(&sim->world); /* arrays may have grown or been sorted without their lists */
        return sim->ended;
    }
    double dt = choose_step(sim, max_dt), then;
    while (!try_step(sim, dt, report)) {
        sim->has_failed = true;
        if (report->retries == HALVINGS || dt <= sim->scene->time.min_step)
            return mn_guard_give_up(sim, dt, report, error);
        dt = fmax(0.5 * dt, sim->scene->time.min_step);
        sim->dt_ceiling = dt;
        report->retries++;
    }
    sim->has_failed = false;

    then = mn_clock();
    mn_run(&sim->world, MN_PASS_integrate);
    mn_neighbours_moved(&sim->world.neighbours, sim->last_move);
    take_speeds(sim);
    place_solids(sim, sim->time + dt);
    sim->ended = mn_run_check(&sim->world, error);
    if (sim->ended != MN_OK) return sim->ended;
    sim->dt_ceiling *= GROWTH;
    sim->time += dt;
    sim->step++;
    report->stage_seconds[MN_STAGE_INTEGRATE] = mn_clock() - then;
    report->time = sim->time;
    report->dt = dt;
    report->dt_over_capillary = mn_capillary_ratio(sim, dt);
    report->max_velocity = sim->max_velocity;
    return MN_OK;
}
