/* What is done with all particles, on whatever they are: the only place that knows.
 *
 * Particles are on this machine, or on a device (run/opencl/). There the arrays of the world are a copy that may be
 * old: new particles are added to it, and mn_run_look brings it up to date. */
#ifndef MN_RUN_RUN_H
#define MN_RUN_RUN_H

#include "kernels/passes.h"

/* A pass over all particles. */
void mn_run(const mnWorld *world, mnPass pass);

/* A pass that leaves sums or largest values behind, as many as its line in the table says. Without particles sums are 0
 * and so are the largest values. */
void mn_run_sums(const mnWorld *world, mnPass pass, double *sums);

/* Where a world's particles are at first: on this machine. */
void mn_run_begin(mnWorld *world);
/* Takes the particles to a backend, "cpu" or "opencl" or "opencl:DEVICE", from which there is no way back. What this
 * machine then has no use for is given back, neighbours among it; they are to be searched and room for the
 * accelerator's history is to be made again. */
mnStatus mn_run_move(mnWorld *world, mnMemory *memory, const char *backend, bool profiled, mnError *error);
/* Whether that is the name of a backend. */
bool mn_run_is_backend(const char *backend);
void mn_run_release(mnWorld *world);

/* The arrays of the world as they were last looked at: so many of their first entries count. */
typedef struct mnSeen {
    int64_t fluid, boundary;
} mnSeen;

/* Brings the arrays of the world up to date. Where that fails they stay what they were; `seen` may be NULL. */
mnStatus mn_run_look(const mnWorld *world, mnSeen *seen, mnError *error);

/* `count` new fluid particles are there. They lie in the arrays from `at` on, which is mn_run_new_at, behind what is
 * there and what was seen last. False: no memory, and none was added. */
int64_t mn_run_new_at(const mnWorld *world);
bool mn_run_add(mnWorld *world, int64_t at, int64_t count);
/* Materials may have changed, or fluid was changed in the arrays after they were looked at. */
void mn_run_materials_changed(const mnWorld *world);
void mn_run_fluid_changed(mnWorld *world);

/* Whether and why something has failed that told no more than false. A device that has failed does nothing any more. */
mnStatus mn_run_check(const mnWorld *world, mnError *error);

/* Bytes that a device holds for the particles. */
size_t mn_run_device_bytes(const mnWorld *world);
/* As mn_sim_kernels. */
int mn_run_kernels(const mnWorld *world, mnKernelTime *times, int capacity);

/* Room for the accelerator's history in place of what it had, `old_bytes`; what was in it is gone. A search may use it
 * too, so what is in it lasts for a step at most. False: no memory. */
bool mn_run_history(mnWorld *world, mnMemory *memory, size_t old_bytes, size_t bytes);

/* As mn_neighbours_build and its companions (space/neighbours.h). `removed` fluid particles are marked as dead. */
mnSearchResult mn_run_search(mnWorld *world, mnMemory *memory, int64_t removed, double reach, double skin);
void mn_run_forget(mnWorld *world);
void mn_run_walls_moved(mnWorld *world);
bool mn_run_walls_own(mnWorld *world, mnMemory *memory, bool all);
bool mn_run_is_free(mnWorld *world, const double point[3], double radius);

#endif
