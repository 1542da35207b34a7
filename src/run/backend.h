/* What a place can do that particles are in. There are two: the cores of this machine (cpu.c) and devices
 * (opencl/world.c). run.h says what each of these means and is how the rest of the library asks for it. */
#ifndef MN_RUN_BACKEND_H
#define MN_RUN_BACKEND_H

#include "base/parallel.h"
#include "run/run.h"

/* The kinds of particles that a pass goes over (kernels/passes.h), and how many of them there are. */
typedef enum mnOver { FLUID, WALLS, BOUNDARY, FLUID_AND_WALLS } mnOver;

static inline int64_t mn_count_over(const mnWorld *world, mnOver over) {
    switch (over) {
    case WALLS:
        return world->boundary.active_count;
    case BOUNDARY:
        return world->boundary.count;
    case FLUID_AND_WALLS:
        return world->fluid.count + world->boundary.active_count;
    default:
        return world->fluid.count;
    }
}

_Static_assert((int)MN_SUMS_OF_UPDATE <= (int)MN_SUM_WIDTH_MAX, "no pass may leave more sums than there is room for");

typedef struct mnBackend {
    void (*run)(const mnWorld *world, mnPass pass);
    void (*run_sums)(const mnWorld *world, mnPass pass, double *sums);
    bool (*add)(const mnWorld *world, int64_t at, int64_t count);
    void (*materials_changed)(const mnWorld *world);
    void (*fluid_changed)(const mnWorld *world);
    mnStatus (*look)(const mnWorld *world, mnSeen *seen, mnError *error);
    int64_t (*seen)(const mnWorld *world); /* fluid particles in the arrays of the world, as they are now */
    mnStatus (*check)(const mnWorld *world, mnError *error);
    size_t (*device_bytes)(const mnWorld *world);
    int (*kernels)(const mnWorld *world, mnKernelTime *times, int capacity);
    bool (*history)(mnWorld *world, mnMemory *memory, size_t old_bytes, size_t bytes);
    mnSearchResult (*search)(mnWorld *world, mnMemory *memory, int64_t removed, double reach, double skin);
    void (*forget)(mnWorld *world);
    void (*walls_moved)(mnWorld *world);
    bool (*walls_own)(mnWorld *world, mnMemory *memory, bool all);
    bool (*is_free)(mnWorld *world, const double point[3], double radius);
    void (*release)(mnWorld *world);
} mnBackend;

extern const mnBackend mn_cpu_backend, mn_opencl_backend;

#endif
