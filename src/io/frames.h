/* One state of a run as a file: PLY, VTP, CSV, bgeo or VTKHDF.
 *
 * A snapshot borrows the library's arrays. Files list particles by id, so that they can be compared between runs and do
 * not show how the library sorts its memory. Positions are metres, velocities m/s, pressures Pa; `measure` is the
 * interface measure C^FV (0 inside the fluid), `phase` the index of the fluid, `radius` that of a ball with the
 * particle's volume. */
#ifndef MN_IO_FRAMES_H
#define MN_IO_FRAMES_H

#include <stdint.h>

#include "meniscus/meniscus.h"

typedef enum mnFormat {
    MN_FORMAT_PLY,
    MN_FORMAT_VTP,
    MN_FORMAT_CSV,
    MN_FORMAT_BGEO,
    MN_FORMAT_VTKHDF,
    MN_FORMAT_COUNT
} mnFormat;

/* "ply", "vtp", …: the name a user gives and the ending of the files. */
const char *mn_format_name(mnFormat format);

/* Whether this build knows how to write it. */
mnStatus mn_format_check(mnFormat format, mnError *error);

typedef struct mnSnapshot {
    const mnSceneDesc *scene;
    double time; /* s */
    mnParticles particles;
    mnBoundary boundary; /* of a run's first frame alone */
    mnTotals totals;     /* not a number where a device has failed */
    mnSampling sampling;
    mnHeldBack held_back;
    size_t memory; /* bytes */
    int threads;
} mnSnapshot;

/* All but the boundary. */
mnSnapshot mn_snapshot_take(const mnSim *sim);

/* m, of a ball (2D: a disc) with the rest volume of particle i, and the other way. */
double mn_snapshot_radius(const mnSnapshot *snapshot, int64_t i);
double mn_volume_of_radius(double radius, int dimension);

/* The order in which particles are written. Start from a zeroed struct; memory is kept from frame to frame. */
typedef struct mnIdOrder {
    int64_t *index; /* count entries: particle indices by rising id */
    int64_t *scratch;
    int64_t capacity;
} mnIdOrder;

mnStatus mn_order_by_id(mnIdOrder *order, const mnParticles *particles, mnError *error);
void mn_order_clear(mnIdOrder *order);

mnStatus mn_frame_write(mnFormat format, const char *path, const mnSnapshot *snapshot, const int64_t *order,
                        mnError *error);

/* All boundary particles as PLY: x, y, z, then volume and the index of the solid. How such files begin. */
#define MN_BOUNDARY_START "ply\nformat binary_little_endian 1.0\ncomment meniscus boundary\n"
mnStatus mn_boundary_write(const char *path, const mnSnapshot *snapshot, mnError *error);

/* The index of a series of VTP files that ParaView opens: entry i is frame_{first + i}.vtp beside it, at times[i]
 * seconds. */
mnStatus mn_pvd_write(const char *path, int64_t first, const double *times, int64_t count, mnError *error);

/* "frame_000012.vtp" into `name`. */
void mn_frame_name(char name[64], int64_t frame, mnFormat format);

#endif
