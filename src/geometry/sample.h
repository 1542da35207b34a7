/* Filling shapes with particles.
 *
 * A fluid is a lattice of spacing h in the frame of its shape, centred so that the shape's symmetry is kept; a point
 * is taken when it lies inside, and each has the volume h³ (h² in 2D).
 *
 * A solid is only felt through its wall, and what the fluid feels must not depend on where it stands: a staircase of
 * lattice points would act like friction. So a wall is made of layers that follow the surface, the first h/2 under it,
 * the others h apart, four of them or as many as the thickness asks for (at most six). Points of the first layer are
 * 0.7h apart, so that fluid which lies on it does not feel them one by one, the others h. Flat walls are lattices in
 * their own frame, bodies of revolution rings along their profile, meshes evenly thrown points; curved layers are then
 * evened out until a probe that moves along the wall sees the same amount of it everywhere. Each point has the volume
 * of its share of its layer. A solid thinner than its layers is filled; none of them cross. A hollow solid has its
 * layers outside the shape, corners included.
 *
 * The same geometry gives the same points, bit for bit. Positions are in metres, in the scene's frame. */
#ifndef MN_GEOMETRY_SAMPLE_H
#define MN_GEOMETRY_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/geometry.h"

/* Owned by whoever initialised it. */
typedef struct mnPoints {
    double (*position)[3]; /* m */
    double *volume;        /* m³, m² in 2D */
    int64_t count, capacity;
} mnPoints;

void mn_points_init(mnPoints *points);
void mn_points_clear(mnPoints *points);
bool mn_points_append(mnPoints *points, const double position[3], double volume); /* false: no memory */

/* Whether a shape can be filled with fluid; one with a plane in it cannot. */
mnStatus mn_sample_check_fluid(const mnGeometry *geometry, mnError *error);

/* Both add to what is in `points` already. `dimension` and `spacing` are those the geometry was made with. */
mnStatus mn_sample_fluid(const mnGeometry *geometry, int dimension, double spacing, mnPoints *points, mnError *error);
mnStatus mn_sample_solid(const mnGeometry *geometry, int dimension, double spacing, mnPoints *points, mnError *error);

/* How many points the calls above will give, within some ten percent (more for small or overlapping shapes), in no
 * time. Saturates at INT64_MAX. */
int64_t mn_sample_estimate_fluid(const mnGeometry *geometry, int dimension, double spacing);
int64_t mn_sample_estimate_solid(const mnGeometry *geometry, int dimension, double spacing);

#endif
