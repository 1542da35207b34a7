/* What lives from step to step is told once, in the functions exchange_…, which serve both ways (io/archive.h).
 *
 * Neighbour lists are not saved, they are several times larger than all the rest. But sums run in the order of the
 * lists, which serve several steps, so they have to come out as they were: particles are put where they were searched
 * last, searched there with the same reach and skin, and only then put where they are. They are in sorted order already
 * and the sort is stable, so it moves nobody.
 *
 * How much room arrays have decides no bits of the fluid, but it is a column of series.csv and is told too. */
#include "sim_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/emit_source.h"
#include "sim.h"
#include "sleepers_state.h"

/* A step in which a wall goes farther than so many spacings is no step. */
static const double FARTHEST = 100;

/* More than any array has entries, less than what could overflow. */
static const int64_t MOST = INT64_C(1) << 40;

static mnStatus no_memory(mnError *error) {
    return mn_error_set(error, MN_ERROR_MEMORY, "out of memory: the state of a simulation does not fit the limit");
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Particles were made with these; another scene cannot go on with them. */
static void compare_scene(const mnSim *sim, mnArchive *archive) {
    const mnSceneDesc *scene = sim->scene;
    const struct {
        const char *name;
        double value;
    } same[] = {{"dimension", scene->dimension},
                {"spacing", scene->spacing},
                {"fluids", scene->fluid_count},
                {"solids", scene->solid_count},
                {"emitters", scene->emitter_count}};
    mn_archive_group(archive, "scene");
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        double value = same[i].value;
        mn_archive_real(archive, same[i].name, &value);
        if (value != same[i].value)
            mn_archive_refuse(archive, "is of another scene: its %s was %g and is %g now", same[i].name, value,
                              same[i].value);
    }
}

static void exchange_numbers(mnSim *sim, mnArchive *archive) {
    int64_t iterations = sim->last_iterations;
    mn_archive_group(archive, "sim");
    mn_archive_real(archive, "time", &sim->time);
    mn_archive_count(archive, "step", &sim->step, 0, INT64_MAX / 2);
    mn_archive_count(archive, "next_id", &sim->next_id, 0, INT64_MAX / 2);
    mn_archive_real(archive, "dt_ceiling", &sim->dt_ceiling);
    mn_archive_real(archive, "max_velocity", &sim->max_velocity);
    mn_archive_real(archive, "typical_velocity", &sim->typical_velocity);
    mn_archive_real(archive, "height", &sim->height);
    mn_archive_real(archive, "max_acceleration", &sim->max_acceleration);
    mn_archive_real(archive, "last_move", &sim->last_move);
    mn_archive_count(archive, "last_iterations", &iterations, 0, INT32_MAX);
    mn_archive_flag(archive, "has_failed", &sim->has_failed);
    mn_archive_real(archive, "stiffness", &sim->world.stiffness);
    mn_archive_count(archive, "sampled_fluid", &sim->sampling.fluid, 0, MOST);
    mn_archive_count(archive, "sampled_boundary", &sim->sampling.boundary, 0, MOST);
    mn_archive_count(archive, "overlap_removed", &sim->sampling.overlap_removed, 0, MOST);
    sim->last_iterations = (int)iterations;
    if (!(sim->time >= 0 && sim->time < INFINITY)) mn_archive_refuse(archive, "has no time that a scene can have");
}

/* ---- emitters ---------------------------------------------------------------------------------------------------- */

enum { DROP_NUMBERS = 7 };

static void pack_drop(const mnDrop *drop, double *numbers) {
    memcpy(numbers, drop->centre, sizeof drop->centre);
    memcpy(numbers + 3, drop->velocity, sizeof drop->velocity);
    numbers[6] = drop->radius;
}

/* No larger than the emitter gives them: how far to look for a free place depends on it. */
static bool unpack_drop(const mnSource *source, mnDrop *drop, const double *numbers) {
    if (!(numbers[6] >= 0 && numbers[6] <= mn_source_largest_drop(source))) return false;
    memcpy(drop->centre, numbers, sizeof drop->centre);
    memcpy(drop->velocity, numbers + 3, sizeof drop->velocity);
    drop->radius = numbers[6];
    drop->particles = mn_source_drop_particles(source, drop->radius);
    return true;
}

static void exchange_waiting(mnSource *source, mnArchive *archive) {
    int64_t count = source->tally.waiting;
    double *numbers = calloc((size_t)count * DROP_NUMBERS + 1, sizeof *numbers);
    if (!numbers) {
        mn_archive_lack(archive);
        return;
    }
    for (int64_t w = 0; w < count; w++) pack_drop(&source->waiting[w], numbers + w * DROP_NUMBERS);
    mn_archive_reals(archive, "waiting_drops", numbers, count * DROP_NUMBERS);
    for (int64_t w = 0; w < count; w++)
        if (!unpack_drop(source, &source->waiting[w], numbers + w * DROP_NUMBERS))
            mn_archive_refuse(archive, "has a drop that its emitter does not give");
    free(numbers);
}

static void exchange_source(mnSource *source, mnArchive *archive) {
    mnEmitterTally *tally = &source->tally;
    int64_t next_drop = source->next_drop;
    mn_archive_real(archive, "next", &source->next);
    mn_archive_count(archive, "particles", &tally->particles, 0, MOST);
    mn_archive_count(archive, "waiting", &tally->waiting, 0, source->waiting_capacity);
    mn_archive_count(archive, "lost", &tally->lost, 0, MOST);
    mn_archive_flag(archive, "finished", &tally->finished);
    mn_archive_count(archive, "layer_index", &source->layer_index, 0, MOST);
    mn_archive_bits(archive, "random_state", &source->random.state);
    mn_archive_bits(archive, "random_increment", &source->random.increment);
    bool is_listed = source->emitter.kind == MN_EMITTER_DROPS;
    int64_t least = is_listed && source->next < INFINITY ? 0 : -1;
    mn_archive_count(archive, "next_drop", &next_drop, least, is_listed ? source->emitter.drop_count - 1 : 0);
    source->next_drop = (int)next_drop;
    exchange_waiting(source, archive);
}

static void exchange_emitters(mnSim *sim, mnArchive *archive) {
    for (int e = 0; e < sim->emitters->count; e++) {
        char name[32];
        snprintf(name, sizeof name, "emitter_%d", e);
        mn_archive_group(archive, name);
        exchange_source(&sim->emitters->sources[e], archive);
    }
}

/* ---- rooms ------------------------------------------------------------------------------------------------------- */

/* An array that has no room yet gets as much as it had. */
static bool exchange_room(mnSim *sim, mnArchive *archive, const char *name, void **block, int64_t *capacity,
                          size_t element) {
    int64_t wanted = *capacity;
    mn_archive_count(archive, name, &wanted, 0, MOST);
    return !mn_archive_is_read(archive) || mn_memory_grow(&sim->memory, block, capacity, 0, wanted, element);
}

static bool exchange_cells(mnSim *sim, mnArchive *archive, const char *group, mnCells *cells) {
    mn_archive_group(archive, group);
    return exchange_room(sim, archive, "cells", (void **)&cells->cells, &cells->cell_capacity, sizeof *cells->cells) &&
           exchange_room(sim, archive, "table", (void **)&cells->table, &cells->table_capacity, sizeof *cells->table);
}

static bool exchange_particles_room(mnSim *sim, mnArchive *archive) {
    mnWorld *world = &sim->world;
    int64_t fluid = world->fluid.capacity, boundary = world->boundary.capacity;
    int64_t contacts = world->neighbours.contacts.capacity, history = sim->method.accelerator.capacity;
    int64_t history_contacts = sim->method.accelerator.contact_capacity;
    mn_archive_count(archive, "fluid", &fluid, 1, INT32_MAX);
    mn_archive_count(archive, "boundary", &boundary, 1, INT32_MAX);
    mn_archive_count(archive, "contacts", &contacts, 0, INT32_MAX);
    mn_archive_count(archive, "history", &history, 0, INT32_MAX);
    mn_archive_count(archive, "history_contacts", &history_contacts, 0, INT32_MAX);
    return !mn_archive_is_read(archive) ||
           (mn_fluid_reserve(&world->fluid, &sim->memory, fluid) &&
            mn_boundary_reserve(&world->boundary, &sim->memory, boundary) &&
            (contacts == 0 || mn_contacts_take(&world->neighbours.contacts, &sim->memory, contacts)) &&
            mn_accelerator_take(&sim->method.accelerator, &sim->memory, world, history, history_contacts));
}

static bool exchange_rooms(mnSim *sim, mnArchive *archive) {
    mnNeighbours *n = &sim->world.neighbours;
    mnEmitters *e = sim->emitters;
    mn_archive_group(archive, "rooms");
    return exchange_particles_room(sim, archive) &&
           exchange_room(sim, archive, "scratch", (void **)&sim->world.scratch, &sim->world.scratch_capacity,
                         sizeof *sim->world.scratch) &&
           exchange_room(sim, archive, "near_list", (void **)&n->near_list, &n->near_list_capacity,
                         sizeof *n->near_list) &&
           exchange_room(sim, archive, "far_list", (void **)&n->far_list, &n->far_list_capacity, sizeof *n->far_list) &&
           exchange_room(sim, archive, "emitted", (void **)&e->particles, &e->particle_capacity,
                         sizeof *e->particles) &&
           exchange_room(sim, archive, "drop_points", (void **)&e->points, &e->point_capacity, sizeof *e->points) &&
           exchange_cells(sim, archive, "fluid_cells", &n->fluid_cells) &&
           exchange_cells(sim, archive, "boundary_cells", &n->boundary_cells);
}

/* Walls that sleep are saved as such, and those that are awake are woken again by the search below. */
static bool are_asleep(const mnSim *sim) {
    return sim->world.neighbours.sleepers.count > 0;
}

/* ---- particles --------------------------------------------------------------------------------------------------- */

#define TYPE_OF(type)                                                                                                  \
    _Generic((type *)NULL, mnVec *                                                                                     \
             : MN_ARCHIVE_VECTORS, mnReal *                                                                            \
             : MN_ARCHIVE_REALS, int32_t *                                                                             \
             : MN_ARCHIVE_INT32, int64_t *                                                                             \
             : MN_ARCHIVE_INT64, default                                                                               \
             : MN_ARCHIVE_BYTES)
#define EXCHANGE(type, name, kept)                                                                                     \
    if (kept) mn_archive_array(archive, #name, TYPE_OF(type), state->name, state->count);

static void exchange_fluid(mnFluidState *state, mnArchive *archive) {
    mn_archive_group(archive, "fluid");
    MN_FLUID_FIELDS(EXCHANGE)
}

static void exchange_boundary(mnBoundaryState *state, mnArchive *archive) {
    mn_archive_group(archive, "boundary");
    MN_BOUNDARY_FIELDS(EXCHANGE)
}

/* How many there are, and whether they have room and can be numbered. */
static int64_t length_of(mnArchive *archive, const char *group, int64_t capacity) {
    mn_archive_group(archive, group);
    int64_t count = mn_archive_length(archive, "position");
    if (count <= capacity) return count;
    mn_archive_refuse(archive, "has more %s than there is room for", group);
    return 0;
}

static void check_indices(const mnSim *sim, mnArchive *archive) {
    const mnFluidState *fluid = &sim->world.fluid;
    const mnBoundaryState *boundary = &sim->world.boundary;
    bool is_good = true;
    for (int64_t i = 0; i < fluid->count; i++)
        is_good = is_good && fluid->phase[i] >= 0 && fluid->phase[i] < sim->scene->fluid_count && fluid->id[i] >= 0 &&
                  fluid->id[i] < sim->next_id;
    for (int64_t b = 0; !are_asleep(sim) && b < boundary->count; b++)
        is_good = is_good && boundary->solid[b] >= 0 && boundary->solid[b] < sim->scene->solid_count;
    if (!is_good) mn_archive_refuse(archive, "has particles of a fluid or a solid that is not there");
}

static bool exchange_sleepers(mnSim *sim, mnArchive *archive) {
    mnNeighbours *neighbours = &sim->world.neighbours;
    bool is_asleep = are_asleep(sim);
    mn_archive_group(archive, "walls");
    mn_archive_flag(archive, "are_asleep", &is_asleep);
    if (is_asleep && sim->solids_move) mn_archive_refuse(archive, "has walls at rest that move in this scene");
    if (!is_asleep || mn_archive_check(archive, NULL) != MN_OK) return true;
    return mn_sleepers_exchange(&neighbours->sleepers, &sim->memory, archive, mn_neighbours_cell_size(neighbours),
                                sim->scene->solid_count);
}

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

static void exchange_places(mnArchive *archive, void *spare, int64_t capacity, int64_t count) {
    static const char *const names[3] = {"searched_x", "searched_y", "searched_z"};
    for (int axis = 0; axis < 3; axis++)
        mn_archive_array(archive, names[axis], MN_ARCHIVE_REALS, mn_neighbours_searched(spare, capacity, axis), count);
}

/* Particles that are on a device are searched anew. */
static void exchange_search(mnSim *sim, mnArchive *archive, bool *is_searched) {
    mnWorld *world = &sim->world;
    mn_archive_group(archive, "neighbours");
    mn_archive_flag(archive, "is_searched", is_searched);
    mn_archive_real(archive, "reach", &world->neighbours.reach);
    mn_archive_real(archive, "skin", &world->neighbours.skin);
    mn_archive_real(archive, "travelled", &world->neighbours.travelled);
    if (!*is_searched) return;
    mn_archive_group(archive, "fluid_search");
    exchange_places(archive, world->fluid.spare, world->fluid.capacity, world->fluid.count);
    if (are_asleep(sim)) return;
    mn_archive_group(archive, "boundary_search");
    exchange_places(archive, world->boundary.spare, world->boundary.capacity, world->boundary.count);
}

static void put_at(mnVec *position, void *spare, int64_t capacity, int64_t count) {
    const mnReal *x = mn_neighbours_searched(spare, capacity, 0), *y = mn_neighbours_searched(spare, capacity, 1);
    const mnReal *z = mn_neighbours_searched(spare, capacity, 2);
    for (int64_t i = 0; i < count; i++) position[i] = mn_vec(x[i], y[i], z[i], 0);
}

/* Whether a search leaves particles in their order is seen by numbers in fields that are not read yet. */
static void number(mnWorld *world) {
    for (int64_t i = 0; i < world->fluid.count; i++) world->fluid.id[i] = i;
    for (int64_t b = 0; b < world->boundary.count; b++) world->boundary.solid[b] = (int32_t)b;
}

static bool is_unmoved(const mnSim *sim) {
    const mnWorld *world = &sim->world;
    bool is_same = true;
    for (int64_t i = 0; i < world->fluid.count; i++) is_same = is_same && world->fluid.id[i] == i;
    for (int64_t b = 0; !are_asleep(sim) && b < world->boundary.count; b++)
        is_same = is_same && world->boundary.solid[b] == b;
    return is_same;
}

static mnStatus search(mnSim *sim, mnArchive *archive, double reach, double skin, mnError *error) {
    mn_run_walls_moved(&sim->world);
    switch (mn_run_search(&sim->world, &sim->memory, 0, reach, skin)) {
    case MN_SEARCH_NO_MEMORY:
        return no_memory(error);
    case MN_SEARCH_LOST:
        mn_archive_refuse(archive, "has particles at places that are not finite");
        break;
    case MN_SEARCH_CROWDED:
        mn_archive_refuse(archive, "has too many particles in one place");
        break;
    case MN_SEARCH_OK:
        if (are_asleep(sim) && !mn_run_walls_own(&sim->world, &sim->memory, false)) return no_memory(error);
        break;
    }
    return mn_archive_check(archive, error);
}

/* The lists of the last search, before the particles themselves are there. */
static mnStatus search_again(mnSim *sim, mnArchive *archive, mnError *error) {
    mnWorld *world = &sim->world;
    mnNeighbours *neighbours = &world->neighbours;
    double travelled = neighbours->travelled, reach = neighbours->reach, skin = neighbours->skin;
    if (reach != MN_REACH_MIN && reach != MN_REACH_MAX) mn_archive_refuse(archive, "has no reach that lists can have");
    if (!(skin >= 0 && skin <= MN_SKIN_MAX)) mn_archive_refuse(archive, "has no skin that lists can have");
    if (!(travelled >= 0 && travelled <= FARTHEST * neighbours->spacing))
        mn_archive_refuse(archive, "has particles that have come too far since they were searched");
    mnStatus status = mn_archive_check(archive, error);
    if (status != MN_OK) return status;
    put_at(world->fluid.position, world->fluid.spare, world->fluid.capacity, world->fluid.count);
    if (!are_asleep(sim))
        put_at(world->boundary.position, world->boundary.spare, world->boundary.capacity, world->boundary.count);
    number(world);
    status = search(sim, archive, reach, skin, error);
    if (status != MN_OK) return status;
    neighbours->travelled = travelled;
    if (!is_unmoved(sim)) mn_archive_refuse(archive, "has particles that are not in the order of their search");
    return mn_archive_check(archive, error);
}

/* ---- whole simulations ------------------------------------------------------------------------------------------- */

mnStatus mn_sim_put(mnSim *sim, mnArchive *archive, mnError *error) {
    mnWorld *world = &sim->world;
    if (sim->ended != MN_OK)
        return mn_error_set(error, sim->ended, "an error ended this simulation, its state cannot be saved");
    mnStatus status = mn_run_look(world, NULL, error);
    if (status != MN_OK) return status;
    if (!world->turn.sees_far) mn_pass_measure_without_lists(world); /* whether or not somebody has looked before */
    bool is_searched = world->neighbours.is_listed && world->fluid.spare && world->boundary.spare;
    compare_scene(sim, archive);
    exchange_numbers(sim, archive);
    exchange_emitters(sim, archive);
    exchange_rooms(sim, archive);
    if (!exchange_sleepers(sim, archive)) return no_memory(error);
    exchange_search(sim, archive, &is_searched);
    exchange_fluid(&world->fluid, archive);
    if (!are_asleep(sim)) exchange_boundary(&world->boundary, archive);
    return mn_archive_check(archive, error);
}

static mnStatus take_particles(mnSim *sim, mnArchive *archive, mnError *error) {
    mnWorld *world = &sim->world;
    bool is_searched = false;
    world->fluid.count = length_of(archive, "fluid", world->fluid.capacity);
    if (!exchange_sleepers(sim, archive)) return no_memory(error);
    if (!are_asleep(sim)) world->boundary.count = length_of(archive, "boundary", world->boundary.capacity);
    exchange_search(sim, archive, &is_searched);
    mnStatus status = mn_archive_check(archive, error);
    if (status == MN_OK && is_searched) status = search_again(sim, archive, error);
    if (status != MN_OK) return status;
    exchange_fluid(&world->fluid, archive);
    if (!are_asleep(sim)) exchange_boundary(&world->boundary, archive);
    check_indices(sim, archive);
    if (sim->sampling.boundary != mn_wall_count(world)) mn_archive_refuse(archive, "has not all of its walls");
    status = mn_archive_check(archive, error);
    return status == MN_OK && !is_searched ? search(sim, archive, MN_REACH_MAX, MN_SKIN_MIN, error) : status;
}

static mnStatus take_all(mnSim *sim, const mnOptions *options, mnArchive *archive, mnError *error) {
    compare_scene(sim, archive);
    exchange_numbers(sim, archive);
    exchange_emitters(sim, archive);
    mnStatus status = mn_archive_check(archive, error);
    if (status != MN_OK) return status;
    mn_sim_refresh(sim);
    bool has_room = exchange_rooms(sim, archive);
    status = mn_archive_check(archive, error);
    if (status == MN_OK && !has_room) status = no_memory(error);
    if (status == MN_OK) status = take_particles(sim, archive, error);
    if (status == MN_OK && !mn_world_reserve_scratch(&sim->world, &sim->memory)) status = no_memory(error);
    if (status == MN_OK) status = mn_sim_reach_out(sim, error); /* there may be tension that was not there */
    bool is_here = !options->backend || strcmp(options->backend, "cpu") == 0;
    return status == MN_OK && !is_here ? mn_sim_move(sim, options, error) : status;
}

mnStatus mn_sim_take(const mnSceneDesc *scene, const mnOptions *options, mnArchive *archive, mnSim **out,
                     mnError *error) {
    mnOptions standard = mn_default_options();
    if (!options) options = &standard;
    mnStatus status = mn_sim_create_empty(scene, options, out, error);
    if (status == MN_OK) status = take_all(*out, options, archive, error);
    if (status != MN_OK) {
        mn_sim_destroy(*out);
        *out = NULL;
    }
    return status;
}

mnStatus mn_sim_save(mnSim *sim, const char *path, mnError *error) {
    mnArchive *archive;
    mnStatus status = mn_archive_create(&archive, error);
    if (status == MN_OK) status = mn_sim_put(sim, archive, error);
    if (status == MN_OK) status = mn_archive_save(archive, path, error);
    mn_archive_destroy(archive);
    return status;
}

mnStatus mn_sim_restore(const char *path, const mnSceneDesc *scene, const mnOptions *options, mnSim **sim,
                        mnError *error) {
    mnArchive *archive;
    *sim = NULL;
    mnStatus status = mn_archive_open(path, &archive, error);
    if (status == MN_OK) status = mn_sim_take(scene, options, archive, sim, error);
    mn_archive_destroy(archive);
    return status;
}
