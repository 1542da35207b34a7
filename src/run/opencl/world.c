#include "run/opencl/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/opencl/inside.h"
#include "run/opencl/world_inside.h"

/* Items of a group: at least as many as passes.cl can share the columns of a sum out to. */
enum { LOCAL_LEAST = 16, LOCAL_MOST = 128 };

#define FIELD_ENTRY(type, name, kept) {#name, sizeof(type), kept},
const mnField mn_fluid_fields[] = {MN_FLUID_FIELDS(FIELD_ENTRY)};
const mnField mn_boundary_fields[] = {MN_BOUNDARY_FIELDS(FIELD_ENTRY)};
const mnField mn_contact_fields[] = {MN_CONTACT_FIELDS(FIELD_ENTRY)};

/* The host's arrays in the order of the table. */
static void host_fluid(const mnWorld *world, void *arrays[MN_FLUID_FIELD_COUNT]) {
#define ARRAY(type, name, kept) arrays[MN_FLUID_##name] = world->fluid.name;
    MN_FLUID_FIELDS(ARRAY)
#undef ARRAY
}

static void host_boundary(const mnWorld *world, void *arrays[MN_BOUNDARY_FIELD_COUNT]) {
#define ARRAY(type, name, kept) arrays[MN_BOUNDARY_##name] = world->boundary.name;
    MN_BOUNDARY_FIELDS(ARRAY)
#undef ARRAY
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

typedef struct mnPassInfo {
    const char *kernel;
    mnOver over;
    int sums, maxima;
} mnPassInfo;

#define PLAIN_ENTRY(name, over) [MN_PASS_##name] = {"pass_" #name, over, 0, 0},
#define BOTH_ENTRY(name) PLAIN_ENTRY(name, FLUID_AND_WALLS)
#define SUM_ENTRY(name, over, width) [MN_PASS_##name] = {"pass_" #name, over, width, 0},
#define MAX_ENTRY(name, over, width) [MN_PASS_##name] = {"pass_" #name, over, 0, width},
static const mnPassInfo infos[MN_PASS_COUNT] = {MN_PASSES(PLAIN_ENTRY, BOTH_ENTRY, SUM_ENTRY, MAX_ENTRY)};

static void release_crowd(mnDeviceWorld *on, mnCrowd *crowd) {
    for (int f = 0; f < crowd->field_count; f++) mn_buffer_release(on->device, &crowd->buffers[f]);
}

void mn_device_world_destroy(mnDeviceWorld *on) {
    mnBuffer *buffers[] = {&on->wall_keys,       &on->fluids,        &on->solids,           &on->pairs,
                           &on->near_list,       &on->far_list,      &on->history,          &on->rows,
                           &on->results,         &on->totals,        &on->fluid_near_rooms, &on->fluid_far_rooms,
                           &on->wall_near_rooms, &on->wall_far_rooms};
    release_crowd(on, &on->fluids_crowd);
    release_crowd(on, &on->walls_crowd);
    for (int f = 0; f < MN_CONTACT_FIELD_COUNT; f++) mn_buffer_release(on->device, &on->contacts[f]);
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++) mn_buffer_release(on->device, buffers[k]);
    mn_primitives_release(&on->primitives);
    mn_program_release(on->device, &on->passes_program);
    mn_program_release(on->device, &on->search_program);
    mn_device_close(on->device);
    free(on);
}

/* Whether and why something has failed: memory that was refused, or the device. */
static mnStatus check_world(const mnDeviceWorld *on, mnError *error) {
    if (on->refused == MN_OK) return mn_device_check(on->device, error);
    if (error) *error = on->refusal;
    return on->refused;
}

static mnStatus build_programs(mnDeviceWorld *on, mnError *error) {
    char options[256];
    snprintf(options, sizeof options,
             "-DMN_LOCAL=%zu -DMN_TENSION_ENERGY=%d -DMN_TENSION_PAIRWISE=%d -DMN_TENSION_ROBUST_CSF=%d "
             "-DMN_SOLVER_JACOBI=%d -DMN_SOLVER_NNCG=%d -DMN_SOLVER_ANDERSON=%d",
             on->local, MN_TENSION_ENERGY, MN_TENSION_PAIRWISE, MN_TENSION_ROBUST_CSF, MN_SOLVER_JACOBI, MN_SOLVER_NNCG,
             MN_SOLVER_ANDERSON);
    mnSource passes = mn_source("run/opencl/passes.cl"), search = mn_source("run/opencl/search.cl");
    mnStatus status = mn_program_build(on->device, &passes, 1, options, &on->passes_program, error);
    if (status == MN_OK) status = mn_program_build(on->device, &search, 1, options, &on->search_program, error);
    for (int p = 0; status == MN_OK && p < MN_PASS_COUNT; p++)
        on->passes[p] = mn_program_kernel(on->device, &on->passes_program, infos[p].kernel);
    return status == MN_OK ? mn_device_check(on->device, error) : status;
}

static mnStatus make(mnDeviceWorld *on, mnError *error) {
    on->local = mn_device_local(on->device, LOCAL_MOST);
    if (on->local < LOCAL_LEAST)
        return mn_error_set(error, MN_ERROR_DEVICE,
                            "%s, driver %s, has work-groups of at most %zu items, and %d are needed; take another "
                            "device or the CPU",
                            mn_device_info(on->device)->name, mn_device_info(on->device)->driver, on->local,
                            (int)LOCAL_LEAST);
    mnStatus status = build_programs(on, error);
    if (status == MN_OK) status = mn_primitives_create(on->device, &on->primitives, error);
    if (status == MN_OK && !(mn_device_world_room(on, &on->results, "of results", MN_SUM_WIDTH_MAX * sizeof(double)) &&
                             mn_device_world_room(on, &on->totals, "of totals", 64) &&
                             mn_device_world_room(on, &on->near_list, "of near neighbours", 64) &&
                             mn_device_world_room(on, &on->far_list, "of far neighbours", 64) &&
                             mn_device_world_room(on, &on->history, "of the accelerator", 64) &&
                             mn_device_world_room(on, &on->contacts[MN_CONTACT_normal], "normal", 64) &&
                             mn_device_world_room(on, &on->contacts[MN_CONTACT_slide], "slide", 64)))
        status = check_world(on, error);
    return status;
}

mnStatus mn_device_world_create(mnDevice *device, mnDeviceWorld **out, mnError *error) {
    mnDeviceWorld *on = calloc(1, sizeof *on);
    *out = NULL;
    if (!on) {
        mn_device_close(device);
        return mn_error_set(error, MN_ERROR_MEMORY, "out of memory");
    }
    on->device = device;
    on->fluids_crowd = (mnCrowd){.fields = mn_fluid_fields,
                                 .field_count = MN_FLUID_FIELD_COUNT,
                                 .buffers = on->fluid,
                                 .keys = &on->fluid[MN_FLUID_slope_wide],
                                 .spare_keys = &on->fluid[MN_FLUID_span],
                                 .spare_order = {&on->fluid[MN_FLUID_numbers], &on->fluid[MN_FLUID_weights]},
                                 .spare_field = &on->fluid[MN_FLUID_ahead]};
    on->walls_crowd = (mnCrowd){.fields = mn_boundary_fields,
                                .field_count = MN_BOUNDARY_FIELD_COUNT,
                                .buffers = on->boundary,
                                .keys = &on->wall_keys,
                                .spare_keys = &on->boundary[MN_BOUNDARY_span],
                                .spare_order = {&on->boundary[MN_BOUNDARY_numbers], &on->boundary[MN_BOUNDARY_weights]},
                                .spare_field = &on->boundary[MN_BOUNDARY_ahead]};
    mnStatus status = make(on, error);
    if (status == MN_OK)
        *out = on;
    else
        mn_device_world_destroy(on);
    return status;
}

/* ---- room -------------------------------------------------------------------------------------------------------- */

static void forget_arguments(mnDeviceWorld *on) {
    memset(on->has_arguments, 0, sizeof on->has_arguments);
}

/* Remembers the first refusal. */
static bool is_granted(mnDeviceWorld *on, mnStatus status, const mnError *error) {
    if (status != MN_OK && on->refused == MN_OK) {
        on->refused = status;
        on->refusal = *error;
    }
    return status == MN_OK;
}

bool mn_device_world_room(mnDeviceWorld *on, mnBuffer *buffer, const char *name, size_t bytes) {
    mnError error;
    if (buffer->memory && buffer->bytes >= bytes) return true;
    mn_buffer_release(on->device, buffer);
    forget_arguments(on);
    return is_granted(on, mn_buffer_create(on->device, name, bytes, buffer, &error), &error);
}

/* A larger buffer in place of another, with the first bytes of that. */
static bool grow(mnDeviceWorld *on, mnBuffer *buffer, const char *name, size_t kept, size_t bytes) {
    mnBuffer larger;
    mnError error;
    if (!is_granted(on, mn_buffer_create(on->device, name, bytes, &larger, &error), &error)) return false;
    if (kept > 0) mn_buffer_copy(on->device, buffer, 0, &larger, 0, kept);
    mn_buffer_release(on->device, buffer);
    *buffer = larger;
    return true;
}

static size_t groups_of(const mnDeviceWorld *on, int64_t items) {
    return ((size_t)items + on->local - 1) / on->local;
}

/* Room for sums over so many items. */
static bool reserve_rows(mnDeviceWorld *on, int64_t items) {
    size_t bytes = groups_of(on, items) * MN_SUM_WIDTH_MAX * sizeof(double);
    return on->rows.bytes >= bytes || grow(on, &on->rows, "of sums", 0, bytes);
}

/* Room for particles of a kind; what is kept of those that are there stays. */
static bool reserve(mnDeviceWorld *on, mnCrowd *crowd, int64_t capacity) {
    if (capacity <= crowd->capacity) return true;
    mnError error;
    bool fine = is_granted(on, mn_primitives_reserve(&on->primitives, (int32_t)capacity, &error), &error) &&
                reserve_rows(on, capacity);
    for (int f = 0; f < crowd->field_count && fine; f++) {
        const mnField *field = &crowd->fields[f];
        size_t kept = field->is_kept ? (size_t)crowd->count * field->bytes : 0;
        fine = grow(on, &crowd->buffers[f], field->name, kept, (size_t)capacity * field->bytes);
    }
    forget_arguments(on);
    if (fine) crowd->capacity = capacity;
    return fine;
}

/* What the host has of it stays behind. */
static bool history(mnWorld *world, mnMemory *memory, size_t old_bytes, size_t bytes) {
    mn_memory_give(memory, world->history, old_bytes);
    world->history = NULL;
    return bytes == 0 || mn_device_world_room(world->device, &world->device->history, "of the accelerator", bytes);
}

/* ---- to and from the host ---------------------------------------------------------------------------------------- */

/* Brings `count` entries of the host's arrays, from `at` on, behind what is there. */
static void write_fields(mnDeviceWorld *on, mnCrowd *crowd, void *const *arrays, int64_t at, int64_t count) {
    for (int f = 0; f < crowd->field_count; f++) {
        size_t bytes = crowd->fields[f].bytes;
        if (crowd->fields[f].is_kept)
            mn_buffer_write(on->device, &crowd->buffers[f], (size_t)crowd->count * bytes, (size_t)count * bytes,
                            (const char *)arrays[f] + (size_t)at * bytes);
    }
    crowd->count += count;
}

static bool add(const mnWorld *world, int64_t at, int64_t count) {
    mnDeviceWorld *on = world->device;
    void *arrays[MN_FLUID_FIELD_COUNT];
    if (!reserve(on, &on->fluids_crowd, world->fluid.capacity)) return false;
    host_fluid(world, arrays);
    write_fields(on, &on->fluids_crowd, arrays, at, count);
    on->host_is_old = true;
    return true;
}

static bool add_walls(const mnWorld *world) {
    mnDeviceWorld *on = world->device;
    void *arrays[MN_BOUNDARY_FIELD_COUNT];
    if (!reserve(on, &on->walls_crowd, world->boundary.capacity) ||
        !mn_device_world_room(on, &on->wall_keys, "of keys", (size_t)world->boundary.capacity * sizeof(uint64_t)))
        return false;
    host_boundary(world, arrays);
    write_fields(on, &on->walls_crowd, arrays, 0, world->boundary.count);
    return true;
}

/* Brings back what is kept. When the first field cannot be read nothing has been lost; when a later one cannot, rather
 * nobody was seen than a mixture of two moments. */
static void read_fields(mnDeviceWorld *on, mnCrowd *crowd, void *const *arrays) {
    for (int f = 0, read = 0; f < crowd->field_count; f++) {
        if (!crowd->fields[f].is_kept) continue;
        size_t bytes = (size_t)crowd->count * crowd->fields[f].bytes;
        if (!mn_buffer_try_read(on->device, &crowd->buffers[f], 0, bytes, arrays[f])) {
            if (read > 0) crowd->seen = 0;
            return;
        }
        read++;
    }
    crowd->seen = crowd->count;
}

static mnStatus look(const mnWorld *world, mnSeen *seen, mnError *error) {
    mnDeviceWorld *on = world->device;
    void *fluid[MN_FLUID_FIELD_COUNT], *boundary[MN_BOUNDARY_FIELD_COUNT];
    if (on->host_is_old) {
        host_fluid(world, fluid);
        host_boundary(world, boundary);
        mn_device_finish(on->device); /* what went wrong so far is found out before anything is overwritten */
        read_fields(on, &on->fluids_crowd, fluid);
        read_fields(on, &on->walls_crowd, boundary);
        on->host_is_old = !mn_device_works(on->device);
    }
    *seen = (mnSeen){on->fluids_crowd.seen, on->walls_crowd.seen};
    return mn_device_check(on->device, error);
}

static void fluid_changed(const mnWorld *world) {
    mnDeviceWorld *on = world->device;
    void *arrays[MN_FLUID_FIELD_COUNT];
    host_fluid(world, arrays);
    on->fluids_crowd.count = 0;
    write_fields(on, &on->fluids_crowd, arrays, 0, world->fluid.count);
}

static int64_t seen_fluid(const mnWorld *world) {
    return world->device->fluids_crowd.seen;
}

static void write_table(mnDeviceWorld *on, mnBuffer *buffer, const char *name, const void *table, size_t bytes) {
    if (mn_device_world_room(on, buffer, name, bytes) && bytes > 0)
        mn_buffer_write(on->device, buffer, 0, bytes, table);
}

static void materials_changed(const mnWorld *world) {
    mnDeviceWorld *on = world->device;
    size_t fluids = (size_t)world->constants.fluid_count, solids = (size_t)world->solid_count;
    write_table(on, &on->fluids, "of fluids", world->fluids, fluids * sizeof *world->fluids);
    write_table(on, &on->solids, "of solids", world->solids, solids * sizeof *world->solids);
    write_table(on, &on->pairs, "of pairs", world->pairs, solids * fluids * sizeof *world->pairs);
}

/* ---- passes ------------------------------------------------------------------------------------------------------ */

enum { ARG_CONSTANTS, ARG_TURN, ARG_COUNT, ARG_WALL_COUNT, ARG_ROWS };

static void set_buffers(mnDeviceWorld *on, mnKernel *kernel) {
    int index = ARG_ROWS;
    mn_device_arg_buffer(on->device, kernel, index++, &on->rows);
    mn_device_arg_buffer(on->device, kernel, index++, &on->fluids);
    mn_device_arg_buffer(on->device, kernel, index++, &on->solids);
    mn_device_arg_buffer(on->device, kernel, index++, &on->pairs);
    for (int f = 0; f < MN_FLUID_FIELD_COUNT; f++) mn_device_arg_buffer(on->device, kernel, index++, &on->fluid[f]);
    for (int f = 0; f < MN_BOUNDARY_FIELD_COUNT; f++)
        mn_device_arg_buffer(on->device, kernel, index++, &on->boundary[f]);
    for (int f = 0; f < MN_CONTACT_FIELD_COUNT; f++)
        mn_device_arg_buffer(on->device, kernel, index++, &on->contacts[f]);
    mn_device_arg_buffer(on->device, kernel, index++, &on->near_list);
    mn_device_arg_buffer(on->device, kernel, index++, &on->far_list);
    mn_device_arg_buffer(on->device, kernel, index++, &on->history);
}

static int64_t items_of(const mnWorld *world, mnPass pass) {
    return mn_count_over(world, infos[pass].over);
}

static void launch(const mnWorld *world, mnPass pass) {
    mnDeviceWorld *on = world->device;
    mnKernel *kernel = on->passes[pass];
    int32_t count = (int32_t)items_of(world, pass), wall_count = (int32_t)world->boundary.active_count;
    size_t items = (size_t)count;
    if (infos[pass].over == FLUID_AND_WALLS) { /* the fluid takes whole groups */
        count -= wall_count;
        items = groups_of(on, count) * on->local + (size_t)wall_count;
    }
    if (items == 0) return;
    if (!on->has_arguments[pass]) set_buffers(on, kernel);
    on->has_arguments[pass] = true;
    mn_device_arg(on->device, kernel, ARG_CONSTANTS, sizeof world->constants, &world->constants);
    mn_device_arg(on->device, kernel, ARG_TURN, sizeof world->turn, &world->turn);
    mn_device_arg(on->device, kernel, ARG_COUNT, sizeof count, &count);
    mn_device_arg(on->device, kernel, ARG_WALL_COUNT, sizeof wall_count, &wall_count);
    mn_device_launch(on->device, kernel, items, on->local);
}

static void run(const mnWorld *world, mnPass pass) {
    launch(world, pass);
    world->device->host_is_old = true;
}

void mn_device_world_totals(mnDeviceWorld *on, int64_t items, int sums, int maxima, double *values) {
    mn_reduce(&on->primitives, &on->rows, (int32_t)groups_of(on, items), sums, maxima, &on->results, 0);
    mn_reduce_read(&on->primitives, &on->results, 0, sums + maxima, values);
}

/* These change nothing that is kept, so the host's copy is as good as it was. */
static void run_sums(const mnWorld *world, mnPass pass, double *sums) {
    const mnPassInfo *info = &infos[pass];
    for (int k = 0; k < info->sums + info->maxima; k++) sums[k] = 0;
    if (items_of(world, pass) == 0) return;
    launch(world, pass);
    mn_device_world_totals(world->device, items_of(world, pass), info->sums, info->maxima, sums);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static mnStatus check(const mnWorld *world, mnError *error) {
    return check_world(world->device, error);
}

static size_t device_bytes(const mnWorld *world) {
    return mn_device_held(world->device->device);
}

/* What the device's memory allows: copies between two buffers that no cache holds. */
static bool time_copies(mnDevice *device, mnKernelTime *time) {
    enum { COPIES = 20 };
    const size_t bytes = (size_t)256 << 20;
    mnBuffer from = {0}, to = {0};
    bool fine = mn_buffer_create(device, "to copy from", bytes, &from, NULL) == MN_OK &&
                mn_buffer_create(device, "to copy to", bytes, &to, NULL) == MN_OK;
    double start = mn_clock();
    for (int k = 0; k < COPIES && fine; k++) mn_buffer_copy(device, &from, 0, &to, 0, bytes);
    mn_device_finish(device);
    *time = (mnKernelTime){"(copy of 256 MiB)", COPIES, mn_clock() - start};
    mn_buffer_release(device, &from);
    mn_buffer_release(device, &to);
    return fine;
}

static int kernels(const mnWorld *world, mnKernelTime *times, int capacity) {
    mnDeviceWorld *on = world->device;
    const mnProgram *programs[] = {&on->passes_program, &on->search_program, &on->primitives.program};
    int count = 0;
    mn_device_finish(on->device);
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        for (int k = 0; k < programs[p]->kernel_count; k++) {
            const mnKernel *kernel = &programs[p]->kernels[k];
            if (kernel->launches == 0) continue;
            if (count < capacity) times[count] = (mnKernelTime){kernel->name, kernel->launches, kernel->seconds};
            count++;
        }
    if (count < capacity && time_copies(on->device, &times[count])) count++;
    return count;
}

/* Lists may be missing then, but nobody reads what spans do not name. */
static void forget(mnWorld *world) {
    mnDeviceWorld *on = world->device;
    const cl_uchar zeros[16] = {0};
    const mnBuffer *spans = &on->fluid[MN_FLUID_span];
    world->neighbours.is_listed = false;
    world->boundary.active_count = 0;
    mn_buffer_fill(on->device, spans, 0, spans->bytes, zeros, sizeof zeros);
}

static bool is_free(mnWorld *world, const double point[3], double radius) {
    double fluid = -INFINITY, walls = -INFINITY;
    mn_turn_frame(&world->turn, 0, point, 3);
    if (world->fluid.count > 0) run_sums(world, MN_PASS_nearest, &fluid);
    if (world->boundary.count > 0) run_sums(world, MN_PASS_nearest_wall, &walls);
    return -fmax(fluid, walls) >= radius * radius;
}

static void release(mnWorld *world) {
    mn_device_world_destroy(world->device);
    world->device = NULL;
}

const mnBackend mn_opencl_backend = {.run = run,
                                     .run_sums = run_sums,
                                     .add = add,
                                     .materials_changed = materials_changed,
                                     .fluid_changed = fluid_changed,
                                     .look = look,
                                     .seen = seen_fluid,
                                     .check = check,
                                     .device_bytes = device_bytes,
                                     .kernels = kernels,
                                     .history = history,
                                     .search = mn_opencl_search,
                                     .forget = forget,
                                     .walls_moved = mn_opencl_walls_moved,
                                     .walls_own = mn_opencl_walls_own,
                                     .is_free = is_free,
                                     .release = release};

mnStatus mn_opencl_move(mnWorld *world, const char *which, bool profiled, mnError *error) {
    mnDevice *device;
    mnStatus status = mn_device_open(which, profiled, &device, error);
    if (status == MN_OK) status = mn_device_world_create(device, &world->device, error);
    if (status != MN_OK) return status;
    mnDeviceWorld *on = world->device;
    world->backend = &mn_opencl_backend;
    if (add(world, 0, world->fluid.count) && add_walls(world)) materials_changed(world);
    on->fluids_crowd.seen = on->fluids_crowd.count;
    on->walls_crowd.seen = on->walls_crowd.count;
    on->host_is_old = false;
    return check_world(on, error);
}
