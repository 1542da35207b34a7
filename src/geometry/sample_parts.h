/* The samplers behind mn_sample_solid, one per family of shapes. Each adds the wall of one leaf to `points`: outside
 * the shape with `outside` (a container), else inside it, with up to `layers` layers. */
#ifndef MN_GEOMETRY_SAMPLE_PARTS_H
#define MN_GEOMETRY_SAMPLE_PARTS_H

#include "geometry/sample.h"

typedef struct mnWall {
    const mnGeometry *leaf;
    double spacing;
    bool outside;
    int layers;
} mnWall;

/* The wall of one leaf of a solid, which is part of a container or NULL. */
mnWall mn_wall_of(const mnGeometry *leaf, const mnGeometry *container, double spacing);

/* How far apart the points of a layer are along it. Fluid that lies on a wall feels its points one by one, as a
 * corrugation, if they are a spacing apart: it held a drop of R = 6h as a μ of 0.003 would. So the first layer, which
 * is all that touching fluid feels of single points, is finer. Released at the law's μ but for
 *
 *     R = 6h on 20°    −16 %, −1.2 %, −0.6 %, 0.0 %     with a pitch of 1, 0.8, 0.7, 0.6 h
 *     R = 8h on 20°   −3.6 %, −0.5 %, −0.5 %, −0.1 % */
double mn_wall_pitch(const mnWall *wall, int layer);

typedef struct mnLayering {
    int count;
    double width; /* of a layer, m */
} mnLayering;

/* A body of revolution thinner than its layers is filled by fewer or narrower ones. */
mnLayering mn_ring_wall_layering(const mnWall *wall);

double mn_count_lattice_wall(const mnWall *wall); /* exact */

/* False when memory is lacking. */
bool mn_sample_lattice_wall(const mnWall *wall, mnPoints *points); /* planes and boxes */
bool mn_sample_ring_wall(const mnWall *wall, mnPoints *points);    /* bodies of revolution and 2D figures */
bool mn_sample_mesh_wall(const mnWall *wall, mnPoints *points);    /* meshes */

#endif
