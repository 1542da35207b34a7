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

typedef struct mnLayering {
    int count;
    double width; /* of a layer, m */
} mnLayering;

/* A body of revolution thinner than its layers is filled by fewer or narrower ones. */
mnLayering mn_ring_wall_layering(const mnWall *wall);

/* False when memory is lacking. */
bool mn_sample_lattice_wall(const mnWall *wall, mnPoints *points); /* planes and boxes */
bool mn_sample_ring_wall(const mnWall *wall, mnPoints *points);    /* bodies of revolution and 2D figures */
bool mn_sample_mesh_wall(const mnWall *wall, mnPoints *points);    /* meshes */

#endif
