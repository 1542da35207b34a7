/* The surface of a fluid of particles as a closed mesh of triangles.
 *
 * Each particle is spread over an ellipsoid that follows how its neighbours lie [Yu and Turk 2013]: flat in a film,
 * long in a thread, a ball where there is nobody. The sum of these is the field whose level set is meshed. How the
 * ellipsoids overlap depends on the shape, and with it where the level set lies; so the field is then balanced: it is
 * shifted until around every place of the surface there is as much inside as the particles there have volume. At
 * solids the fluid goes on to the wall and ends there. docs/surfaces.md has the whole story with its numbers.
 *
 * The same particles in the same order give the same bits for any number of threads. Lengths are metres. */
#ifndef MN_SURFACE_SURFACE_H
#define MN_SURFACE_SURFACE_H

#include "meniscus/meniscus.h"

/* Signed distance to the material of all solids, negative inside, never further from 0 than the wall is; `normal` gets
 * the unit vector in which it grows. Called from several threads. */
typedef double (*mnSolidDistance)(const void *context, const double point[3], double normal[3]);

typedef struct mnSurfaceDesc {
    int64_t count;
    const mnVec *position; /* w: rest volume, m³; not positive: spacing³ */
    const mnVec *velocity; /* m/s */
    double spacing;        /* h */
    double voxel;          /* edge of a cell of the grid; 0: spacing/2, which single particles need to be seen */
    int smoothing;         /* passes over the mesh that even it out */
    mnSolidDistance solid; /* NULL: there is none */
    const void *context;   /* of the solid */
    size_t memory_limit;   /* bytes; 0: what the machine has */
    int threads;           /* 0: all cores */
} mnSurfaceDesc;

mnSurfaceDesc mn_default_surface(void);

/* Triangles run counterclockwise seen from outside. No triangles where there are no particles. */
typedef struct mnSurface {
    float (*vertex)[3];   /* m */
    float (*normal)[3];   /* unit, outwards */
    float (*velocity)[3]; /* m/s */
    int32_t (*triangle)[3];
    int64_t vertex_count, triangle_count;
    double volume, area; /* inside the mesh, m³; of all of it, parts on walls included, m² */
} mnSurface;

/* Starts from a zeroed or cleared surface; on failure it stays that. */
mnStatus mn_surface_make(const mnSurfaceDesc *desc, mnSurface *surface, mnError *error);
void mn_surface_clear(mnSurface *surface);

typedef enum mnSurfaceFormat {
    MN_SURFACE_PLY, /* binary; x y z nx ny nz vx vy vz */
    MN_SURFACE_OBJ, /* text; no velocities, the format has none */
    MN_SURFACE_VTP, /* binary; normals and velocities as point data */
    MN_SURFACE_FORMAT_COUNT
} mnSurfaceFormat;

/* "ply", "obj", "vtp": the name a user gives and the ending of the files. */
const char *mn_surface_format_name(mnSurfaceFormat format);

/* The file appears whole or not at all. */
mnStatus mn_surface_write(mnSurfaceFormat format, const char *path, const mnSurface *surface, double time,
                          mnError *error);

#endif
