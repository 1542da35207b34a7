/* The search for neighbours on a device: search.cl in its order. */
#include <math.h>

#include "run/opencl/world_inside.h"

/* As search.cl has them. */
typedef struct mnGrid {
    float size_high, size_low;
    int32_t count;
    int32_t low[3], high[3];
    int32_t shift_y, shift_z;
} mnGrid;

typedef struct mnRadii {
    float near, wide;
} mnRadii;

/* Places in the buffer of totals: entries of lists in multiples of what a block takes at a time, particles, and whether
 * somebody has too many neighbours. */
enum { FLUID_NEAR, FLUID_FAR, WALLS_NEAR, WALLS_FAR, CONTACTS, ACTIVE, CROWDED, TOTALS };

enum { AXIS_BITS = 21 };       /* of a key */
enum { STRIDE = 32, RUN = 4 }; /* MN_STRIDE and MN_RUN of kernels/lanes.h in OpenCL */

/* ---- kernels by name --------------------------------------------------------------------------------------------- */

typedef struct mnCall {
    mnDeviceWorld *on;
    mnKernel *kernel;
    int index;
} mnCall;

static mnCall call(mnDeviceWorld *on, const char *name) {
    return (mnCall){on, mn_program_kernel(on->device, &on->search_program, name), 0};
}

static void give(mnCall *c, size_t bytes, const void *value) {
    mn_device_arg(c->on->device, c->kernel, c->index++, bytes, value);
}

static void give_buffer(mnCall *c, const mnBuffer *buffer) {
    mn_device_arg_buffer(c->on->device, c->kernel, c->index++, buffer);
}

static void give_int(mnCall *c, int32_t value) {
    give(c, sizeof value, &value);
}

static void launch(mnCall *c, int64_t items) {
    mn_device_launch(c->on->device, c->kernel, (size_t)items, c->on->local);
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static int bits_for(int32_t low, int32_t high) {
    int bits = 0;
    while (high > low && ((int64_t)high - low) >> bits) bits++;
    return bits;
}

static mnGrid grid_of(const mnCrowd *crowd) {
    mnGrid grid = {.size_high = (float)crowd->cell, .count = (int32_t)crowd->count};
    grid.size_low = (float)(crowd->cell - (double)grid.size_high);
    for (int a = 0; a < 3; a++) {
        grid.low[a] = crowd->low[a];
        grid.high[a] = crowd->high[a];
    }
    grid.shift_y = bits_for(crowd->low[0], crowd->high[0]);
    grid.shift_z = grid.shift_y + bits_for(crowd->low[1], crowd->high[1]);
    return grid;
}

/* The cells that a kind of particle lies in; false: somebody is lost. */
static bool find_extent(mnDeviceWorld *on, mnCrowd *crowd, const mnBuffer *dead, bool has_dead) {
    double found[7];
    mnGrid grid = grid_of(crowd);
    mnCall c = call(on, "search_extent");
    give(&c, sizeof grid, &grid);
    give_buffer(&c, &crowd->buffers[0]);
    give_buffer(&c, dead);
    give_int(&c, has_dead);
    give_buffer(&c, &on->rows);
    launch(&c, crowd->count);
    mn_device_world_totals(on, crowd->count, 0, 7, found);
    for (int a = 0; a < 3; a++) {
        bool has = isfinite(found[a]);
        crowd->low[a] = has ? (int32_t)-found[3 + a] : 0;
        crowd->high[a] = has ? (int32_t)found[a] : -1;
        if (bits_for(crowd->low[a], crowd->high[a]) > AXIS_BITS) return false;
    }
    return !(found[6] > 0);
}

static void move_fields(mnDeviceWorld *on, mnCrowd *crowd, const mnBuffer *order, int64_t left) {
    for (int f = 0; f < crowd->field_count; f++) {
        size_t bytes = crowd->fields[f].bytes;
        if (!crowd->fields[f].is_kept || left == 0) continue;
        int32_t words = (int32_t)(bytes / sizeof(int32_t));
        mnCall c = call(on, "search_move");
        give_buffer(&c, order);
        give_int(&c, (int32_t)left);
        give_int(&c, words);
        give_buffer(&c, &crowd->buffers[f]);
        give_buffer(&c, crowd->spare_field);
        launch(&c, left * words);
        mn_buffer_copy(on->device, crowd->spare_field, 0, &crowd->buffers[f], 0, (size_t)left * bytes);
    }
}

/* Sorts a kind of particle by cells that reach as far as lists do, and a little more for what is rounded; drops the
 * dead. */
static bool sort_crowd(mnDeviceWorld *on, mnCrowd *crowd, double reach, const mnBuffer *dead, int64_t removed) {
    crowd->cell = (1 + 1e-5) * reach;
    if (!find_extent(on, crowd, dead, removed > 0)) return false;
    mnGrid grid = grid_of(crowd);
    int bits = grid.shift_z + bits_for(crowd->low[2], crowd->high[2]) + (removed > 0);
    uint64_t end = bits < 64 ? ((uint64_t)1 << bits) - 1 : ~(uint64_t)0;
    mnBuffer keys = *crowd->keys, other_keys = *crowd->spare_keys;
    mnBuffer order = *crowd->spare_order[0], other_order = *crowd->spare_order[1];
    mnCall c = call(on, "search_keys");
    give(&c, sizeof grid, &grid);
    give_buffer(&c, &crowd->buffers[0]);
    give_buffer(&c, dead);
    give_int(&c, removed > 0);
    give(&c, sizeof end, &end);
    give_buffer(&c, &keys);
    give_buffer(&c, &order);
    launch(&c, crowd->count);
    mn_sort(&on->primitives, &keys, &other_keys, &order, &other_order, (int32_t)crowd->count, bits);
    if (keys.memory != crowd->keys->memory)
        mn_buffer_copy(on->device, &keys, 0, crowd->keys, 0, (size_t)crowd->count * sizeof(uint64_t));
    move_fields(on, crowd, &order, crowd->count - removed);
    crowd->count -= removed;
    return true;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

typedef struct mnPlan {
    mnGrid fluid, walls;
    mnRadii radii;
    int32_t fluid_blocks, wall_blocks;
    int32_t kept_chunks; /* of each fluid particle, whose hits are kept from counting to listing */
} mnPlan;

static void give_plan(mnCall *c, const mnPlan *plan) {
    give(c, sizeof plan->fluid, &plan->fluid);
    give(c, sizeof plan->walls, &plan->walls);
    give(c, sizeof plan->radii, &plan->radii);
    give_buffer(c, &c->on->fluid[MN_FLUID_position]);
    give_buffer(c, c->on->fluids_crowd.keys);
    give_buffer(c, &c->on->boundary[MN_BOUNDARY_position]);
}

/* Hits are kept in the accelerator's history, which is worth nothing between steps. */
static void give_kept(mnCall *c, const mnPlan *plan) {
    give_buffer(c, &c->on->history);
    give_int(c, plan->kept_chunks);
}

static void give_crowded(mnCall *c) {
    give_buffer(c, &c->on->totals);
    give_int(c, CROWDED);
}

static void scan(mnDeviceWorld *on, const mnBuffer *from, int64_t count, int total) {
    mn_scan(&on->primitives, from, from, (int32_t)count, &on->totals, total);
}

/* Flags of particles become their places among those with a flag; behind the last one comes the total. */
static void find_places(mnDeviceWorld *on, const mnBuffer *flags, int64_t count, int total) {
    scan(on, flags, count, total);
    mn_buffer_copy(on->device, &on->totals, (size_t)total * sizeof(int32_t), flags, (size_t)count * sizeof(int32_t),
                   sizeof(int32_t));
}

static void count_fluid(mnDeviceWorld *on, const mnPlan *plan) {
    mnCall c = call(on, "search_count_fluid");
    give_plan(&c, plan);
    give_buffer(&c, on->walls_crowd.keys);
    const mnBuffer *flags = on->fluids_crowd.spare_order[0];
    give_buffer(&c, &on->fluid[MN_FLUID_span]);
    give_buffer(&c, flags);
    give_crowded(&c);
    give_kept(&c, plan);
    launch(&c, plan->fluid.count);
    find_places(on, flags, plan->fluid.count, CONTACTS);
    c = call(on, "search_contacts");
    give_buffer(&c, flags);
    give_int(&c, plan->fluid.count);
    give_buffer(&c, &on->fluid[MN_FLUID_contact]);
    launch(&c, plan->fluid.count);
}

static void count_walls(mnDeviceWorld *on, const mnPlan *plan) {
    mnCall c = call(on, "search_count_walls");
    give_plan(&c, plan);
    const mnBuffer *flags = on->walls_crowd.spare_order[0];
    give_buffer(&c, &on->boundary[MN_BOUNDARY_span]);
    give_buffer(&c, flags);
    give_crowded(&c);
    launch(&c, plan->walls.count);
    find_places(on, flags, plan->walls.count, ACTIVE);
    c = call(on, "search_activate");
    give_buffer(&c, flags);
    give_int(&c, plan->walls.count);
    give_buffer(&c, &on->boundary[MN_BOUNDARY_active]);
    launch(&c, plan->walls.count);
}

static void find_rooms(mnDeviceWorld *on, const mnBuffer *spans, bool has_active, int32_t most, int32_t blocks,
                       const mnBuffer *near, const mnBuffer *far, int total) {
    mnCall c = call(on, "search_rooms");
    give_buffer(&c, spans);
    give_buffer(&c, &on->boundary[MN_BOUNDARY_active]);
    give_int(&c, has_active);
    give_int(&c, most);
    give_buffer(&c, &on->totals);
    give_int(&c, ACTIVE);
    give_int(&c, blocks);
    give_buffer(&c, near);
    give_buffer(&c, far);
    launch(&c, blocks);
    scan(on, near, blocks, total);
    scan(on, far, blocks, total + 1);
}

static void list_fluid(mnDeviceWorld *on, const mnPlan *plan) {
    mnCall c = call(on, "search_list_fluid");
    give_plan(&c, plan);
    give_buffer(&c, on->walls_crowd.keys);
    give_buffer(&c, &on->fluid[MN_FLUID_span]);
    give_buffer(&c, &on->fluid_near_rooms);
    give_buffer(&c, &on->fluid_far_rooms);
    give_buffer(&c, &on->near_list);
    give_buffer(&c, &on->far_list);
    give_kept(&c, plan);
    launch(&c, plan->fluid.count);
}

static void list_walls(mnDeviceWorld *on, const mnPlan *plan, const int32_t totals[TOTALS]) {
    mnCall c = call(on, "search_list_walls");
    give(&c, sizeof plan->fluid, &plan->fluid);
    give(&c, sizeof plan->radii, &plan->radii);
    give_int(&c, totals[ACTIVE]);
    give_buffer(&c, &on->fluid[MN_FLUID_position]);
    give_buffer(&c, on->fluids_crowd.keys);
    give_buffer(&c, &on->boundary[MN_BOUNDARY_position]);
    give_buffer(&c, &on->boundary[MN_BOUNDARY_active]);
    give_buffer(&c, &on->boundary[MN_BOUNDARY_span]);
    give_buffer(&c, &on->wall_near_rooms);
    give_buffer(&c, &on->wall_far_rooms);
    give_int(&c, totals[FLUID_NEAR]);
    give_int(&c, totals[FLUID_FAR]);
    give_buffer(&c, &on->near_list);
    give_buffer(&c, &on->far_list);
    launch(&c, totals[ACTIVE]);
}

static int32_t blocks_of(int64_t count) {
    return (int32_t)((count + STRIDE - 1) / STRIDE);
}

/* Chunks of hits, two bits a candidate, that the history has room for. */
static int32_t kept_chunks(const mnDeviceWorld *on, int32_t blocks) {
    size_t chunk = (size_t)blocks * STRIDE * 2 * sizeof(uint32_t);
    return chunk > 0 ? (int32_t)(on->history.bytes / chunk) : 0;
}

/* Room for lists, with some to spare so that it lasts. */
static bool list_room(mnDeviceWorld *on, mnBuffer *list, const char *name, int64_t blocks) {
    size_t bytes = (size_t)blocks * STRIDE * RUN * sizeof(int32_t);
    return list->bytes >= bytes || mn_device_world_room(on, list, name, bytes + bytes / 256);
}

static bool contact_room(mnDeviceWorld *on, int64_t count) {
    bool fine = true;
    for (int f = 0; f < MN_CONTACT_FIELD_COUNT && fine; f++) {
        size_t bytes = (size_t)count * mn_contact_fields[f].bytes;
        fine = on->contacts[f].bytes >= bytes ||
               mn_device_world_room(on, &on->contacts[f], mn_contact_fields[f].name, bytes + bytes / 4);
    }
    return fine;
}

static bool search_room(mnDeviceWorld *on, const mnPlan *plan) {
    size_t fluid = (size_t)plan->fluid_blocks * sizeof(int32_t), walls = (size_t)plan->wall_blocks * sizeof(int32_t);
    return mn_device_world_room(on, &on->fluid_near_rooms, "of rooms", fluid) &&
           mn_device_world_room(on, &on->fluid_far_rooms, "of rooms", fluid) &&
           mn_device_world_room(on, &on->wall_near_rooms, "of rooms", walls) &&
           mn_device_world_room(on, &on->wall_far_rooms, "of rooms", walls);
}

static mnSearchResult list_all(mnDeviceWorld *on, mnWorld *world, const mnPlan *plan) {
    int32_t totals[TOTALS] = {0};
    if (!search_room(on, plan)) return MN_SEARCH_NO_MEMORY;
    mn_buffer_fill(on->device, &on->totals, CROWDED * sizeof *totals, sizeof *totals, totals, sizeof *totals);
    count_fluid(on, plan);
    count_walls(on, plan);
    find_rooms(on, &on->fluid[MN_FLUID_span], false, plan->fluid.count, plan->fluid_blocks, &on->fluid_near_rooms,
               &on->fluid_far_rooms, FLUID_NEAR);
    find_rooms(on, &on->boundary[MN_BOUNDARY_span], true, plan->walls.count, plan->wall_blocks, &on->wall_near_rooms,
               &on->wall_far_rooms, WALLS_NEAR);
    mn_buffer_read(on->device, &on->totals, 0, sizeof totals, totals);
    if (totals[CROWDED]) return MN_SEARCH_CROWDED;
    if (!list_room(on, &on->near_list, "of near neighbours", (int64_t)totals[FLUID_NEAR] + totals[WALLS_NEAR]) ||
        !list_room(on, &on->far_list, "of far neighbours", (int64_t)totals[FLUID_FAR] + totals[WALLS_FAR]) ||
        !contact_room(on, totals[CONTACTS]))
        return MN_SEARCH_NO_MEMORY;
    list_fluid(on, plan);
    list_walls(on, plan, totals);
    world->boundary.active_count = totals[ACTIVE];
    world->neighbours.contacts.count = totals[CONTACTS];
    return MN_SEARCH_OK;
}

mnSearchResult mn_opencl_search(mnWorld *world, mnMemory *memory, int64_t removed, double reach, double skin) {
    (void)memory;
    mnDeviceWorld *on = world->device;
    double h = world->neighbours.spacing;
    mnCrowd *fluid = &on->fluids_crowd, *walls = &on->walls_crowd;
    const mnBuffer *dead = &on->fluid[MN_FLUID_dead];
    on->host_is_old = true;
    world->neighbours.is_listed = false;
    if (!sort_crowd(on, fluid, (3 + skin) * h, dead, removed)) return MN_SEARCH_LOST;
    world->fluid.count = fluid->count;
    /* Walls stay sorted while skins change. */
    if (!walls->is_sorted && !sort_crowd(on, walls, (MN_REACH_MAX + MN_SKIN_MAX) * h, dead, 0)) return MN_SEARCH_LOST;
    walls->is_sorted = true;
    float near = (float)((MN_REACH_MIN + skin) * h), wide = (float)((reach + skin) * h);
    mnPlan plan = {.fluid = grid_of(fluid),
                   .walls = grid_of(walls),
                   .radii = {near * near, wide * wide},
                   .fluid_blocks = blocks_of(fluid->count),
                   .wall_blocks = blocks_of(walls->count),
                   .kept_chunks = kept_chunks(on, blocks_of(fluid->count))};
    mnSearchResult result = list_all(on, world, &plan);
    if (result == MN_SEARCH_OK) mn_neighbours_listed(&world->neighbours, reach, skin);
    return result;
}

void mn_opencl_walls_moved(mnWorld *world) {
    world->device->walls_crowd.is_sorted = false;
}

bool mn_opencl_walls_own(mnWorld *world, mnMemory *memory, bool all) {
    (void)all; /* it finds all of them as fast */
    (void)memory;
    mnDeviceWorld *on = world->device;
    mnGrid grid = grid_of(&on->walls_crowd);
    mnCall c = call(on, "search_own");
    give(&c, sizeof grid, &grid);
    give(&c, sizeof world->constants, &world->constants);
    give_buffer(&c, &on->boundary[MN_BOUNDARY_position]);
    give_buffer(&c, on->walls_crowd.keys);
    give_buffer(&c, &on->boundary[MN_BOUNDARY_own]);
    launch(&c, grid.count);
    on->host_is_old = true;
    return true;
}
