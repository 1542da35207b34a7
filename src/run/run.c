#include "run/run.h"

#include <string.h>

#include "run/backend.h"
#include "run/opencl/world.h"

static const char opencl[] = "opencl";

bool mn_run_is_backend(const char *backend) {
    size_t length = sizeof opencl - 1;
    return strcmp(backend, "cpu") == 0 ||
           (strncmp(backend, opencl, length) == 0 && (backend[length] == '\0' || backend[length] == ':'));
}

void mn_run_begin(mnWorld *world) {
    world->backend = &mn_cpu_backend;
}

mnStatus mn_run_move(mnWorld *world, mnMemory *memory, const char *backend, bool profiled, mnError *error) {
    if (!mn_run_is_backend(backend))
        return mn_error_set(error, MN_ERROR_INPUT,
                            "unknown backend \"%s\"; there are \"cpu\", \"opencl\" and \"opencl:DEVICE\"", backend);
    if (strcmp(backend, "cpu") == 0) return MN_OK;
    bool are_asleep = world->neighbours.sleepers.count > 0;
    if (are_asleep && !(mn_neighbours_wake_all(&world->neighbours, memory, &world->boundary) &&
                        mn_run_walls_own(world, memory, true)))
        return mn_error_set(error, MN_ERROR_MEMORY, "out of memory: the walls of the scene do not fit the limit");
    const char *which = backend + sizeof opencl - 1;
    mnStatus status = mn_opencl_move(world, *which ? which + 1 : which, profiled, error);
    if (status != MN_OK) return status;
    mn_neighbours_release(&world->neighbours, memory);
    mn_fluid_shed(&world->fluid, memory);
    mn_boundary_shed(&world->boundary, memory);
    return MN_OK;
}

void mn_run_release(mnWorld *world) {
    world->backend->release(world);
}

void mn_run(const mnWorld *world, mnPass pass) {
    world->backend->run(world, pass);
}

void mn_run_sums(const mnWorld *world, mnPass pass, double *sums) {
    world->backend->run_sums(world, pass, sums);
}

mnStatus mn_run_look(const mnWorld *world, mnSeen *seen, mnError *error) {
    mnSeen unused;
    return world->backend->look(world, seen ? seen : &unused, error);
}

int64_t mn_run_new_at(const mnWorld *world) {
    int64_t seen = world->backend->seen(world);
    return seen > world->fluid.count ? seen : world->fluid.count;
}

bool mn_run_add(mnWorld *world, int64_t at, int64_t count) {
    if (!world->backend->add(world, at, count)) return false;
    world->fluid.count += count;
    return true;
}

void mn_run_materials_changed(const mnWorld *world) {
    world->backend->materials_changed(world);
}

void mn_run_fluid_changed(mnWorld *world) {
    world->neighbours.is_listed = false;
    world->backend->fluid_changed(world);
}

mnStatus mn_run_check(const mnWorld *world, mnError *error) {
    return world->backend->check(world, error);
}

size_t mn_run_device_bytes(const mnWorld *world) {
    return world->backend->device_bytes(world);
}

int mn_run_kernels(const mnWorld *world, mnKernelTime *times, int capacity) {
    return world->backend->kernels(world, times, capacity);
}

bool mn_run_history(mnWorld *world, mnMemory *memory, size_t old_bytes, size_t bytes) {
    return world->backend->history(world, memory, old_bytes, bytes);
}

mnSearchResult mn_run_search(mnWorld *world, mnMemory *memory, int64_t removed, double reach, double skin) {
    return world->backend->search(world, memory, removed, reach, skin);
}

void mn_run_forget(mnWorld *world) {
    world->backend->forget(world);
}

void mn_run_walls_moved(mnWorld *world) {
    world->backend->walls_moved(world);
}

bool mn_run_walls_own(mnWorld *world, mnMemory *memory, bool all) {
    return world->backend->walls_own(world, memory, all);
}

bool mn_run_is_free(mnWorld *world, const double point[3], double radius) {
    return world->backend->is_free(world, point, radius);
}
