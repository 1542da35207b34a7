/* Particles on this machine, and passes over them on its cores. */
#include "base/clones.h"
#include "run/backend.h"

/* ---- the bodies as loops ----------------------------------------------------------------------------------------- */

#define INDEX_FLUID(world, k) ((int32_t)(k))
#define INDEX_WALLS(world, k) ((world)->boundary.active[k])
#define INDEX_BOUNDARY(world, k) ((int32_t)(k))

#define LOOP(name, over)                                                                                               \
    MN_CLONES static void name##_range(void *context, int64_t begin, int64_t end) {                                    \
        const mnWorld *world = context;                                                                                \
        for (int64_t k = begin; k < end; k++) mn_##name##_at(world, INDEX_##over(world, k));                           \
    }
#define LOOP_BOTH(name)                                                                                                \
    MN_CLONES static void name##_range(void *context, int64_t begin, int64_t end) {                                    \
        const mnWorld *world = context;                                                                                \
        int64_t k = begin, walls_at = world->fluid.count;                                                              \
        for (; k < end && k < walls_at; k++) mn_##name##_at(world, INDEX_FLUID(world, k));                             \
        for (; k < end; k++) mn_##name##_wall_at(world, INDEX_WALLS(world, k - walls_at));                             \
    }
#define SUM_BODY(name, over, width)                                                                                    \
    MN_CLONES static void name##_sums(const void *context, int64_t k, double *sums) {                                  \
        const mnWorld *world = context;                                                                                \
        mn_##name##_at(world, INDEX_##over(world, k), sums);                                                           \
    }
MN_PASSES(LOOP, LOOP_BOTH, SUM_BODY, SUM_BODY)

/* ---- the table --------------------------------------------------------------------------------------------------- */

typedef struct mnCpuPass {
    mnOver over;
    mnRangeBody range;
    mnSumBody body;
    int width;
    bool takes_largest;
} mnCpuPass;

#define PLAIN_ENTRY(name, over) [MN_PASS_##name] = {over, name##_range, NULL, 0, false},
#define BOTH_ENTRY(name) PLAIN_ENTRY(name, FLUID_AND_WALLS)
#define SUM_ENTRY(name, over, width) [MN_PASS_##name] = {over, NULL, name##_sums, width, false},
#define MAX_ENTRY(name, over, width) [MN_PASS_##name] = {over, NULL, name##_sums, width, true},
static const mnCpuPass passes[MN_PASS_COUNT] = {MN_PASSES(PLAIN_ENTRY, BOTH_ENTRY, SUM_ENTRY, MAX_ENTRY)};

static void run(const mnWorld *world, mnPass pass) {
    const mnCpuPass *p = &passes[pass];
    mn_parallel_ranges(world->threads, mn_count_over(world, p->over), p->range, (void *)world);
}

static void run_sums(const mnWorld *world, mnPass pass, double *sums) {
    const mnCpuPass *p = &passes[pass];
    int64_t count = mn_count_over(world, p->over);
    for (int k = 0; k < p->width; k++) sums[k] = 0;
    if (count == 0) return;
    (p->takes_largest ? mn_parallel_max : mn_parallel_sum)(world->threads, count, p->width, p->body, world,
                                                           world->scratch, sums);
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

/* Particles are where their arrays are, so there is nothing to bring or to look for, and nothing that fails. */
static bool add(const mnWorld *world, int64_t at, int64_t count) {
    (void)world;
    (void)at;
    (void)count;
    return true;
}

static void ignore(const mnWorld *world) {
    (void)world;
}

static mnStatus look(const mnWorld *world, mnSeen *seen, mnError *error) {
    (void)error;
    *seen = (mnSeen){world->fluid.count, world->boundary.count};
    return MN_OK;
}

static int64_t seen_fluid(const mnWorld *world) {
    return world->fluid.count;
}

static mnStatus check(const mnWorld *world, mnError *error) {
    (void)world;
    (void)error;
    return MN_OK;
}

static size_t device_bytes(const mnWorld *world) {
    (void)world;
    return 0;
}

static int kernels(const mnWorld *world, mnKernelTime *times, int capacity) {
    (void)world;
    (void)times;
    (void)capacity;
    return 0;
}

static bool history(mnWorld *world, mnMemory *memory, size_t old_bytes, size_t bytes) {
    mn_memory_give(memory, world->history, old_bytes);
    world->history = bytes > 0 ? mn_memory_take(memory, bytes) : NULL;
    return bytes == 0 || world->history;
}

static mnSearchResult search(mnWorld *world, mnMemory *memory, int64_t removed, double reach, double skin) {
    return mn_neighbours_build(&world->neighbours, memory, &world->fluid, &world->boundary,
                               removed > 0 ? world->fluid.dead : NULL, reach, skin, world->threads);
}

static void forget(mnWorld *world) {
    mn_neighbours_forget(&world->neighbours, &world->fluid, &world->boundary);
}

static void walls_moved(mnWorld *world) {
    mn_neighbours_boundary_moved(&world->neighbours);
}

static bool walls_own(mnWorld *world, mnMemory *memory, bool all) {
    return mn_neighbours_boundary_own(&world->neighbours, memory, &world->boundary, world->constants, all,
                                      world->threads);
}

static bool is_free(mnWorld *world, const double point[3], double radius) {
    return mn_neighbours_is_free(&world->neighbours, &world->fluid, &world->boundary, point, radius);
}

static void release(mnWorld *world) {
    (void)world;
}

const mnBackend mn_cpu_backend = {.run = run,
                                  .run_sums = run_sums,
                                  .add = add,
                                  .materials_changed = ignore,
                                  .fluid_changed = ignore,
                                  .look = look,
                                  .seen = seen_fluid,
                                  .check = check,
                                  .device_bytes = device_bytes,
                                  .kernels = kernels,
                                  .history = history,
                                  .search = search,
                                  .forget = forget,
                                  .walls_moved = walls_moved,
                                  .walls_own = walls_own,
                                  .is_free = is_free,
                                  .release = release};
