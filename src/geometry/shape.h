/* What is inside an mnGeometry; for the files of this room only. */
#ifndef MN_GEOMETRY_SHAPE_H
#define MN_GEOMETRY_SHAPE_H

#include "geometry/geometry.h"
#include "geometry/mesh.h"

/* A wall has at least four layers of particles. Fluid, whose tension kernel reaches three spacings, feels the first
 * two; the second, in turn, must not see the back of the wall, three spacings further down, as an open surface: with
 * three layers a drop of 60° settled five degrees lower. More than six are of no use. */
enum { MN_WALL_LAYERS_MIN = 4, MN_WALL_LAYERS_MAX = 6 };

struct mnGeometry {
    /* In 2D cut.c has already turned standing bodies of revolution into spheres (discs) and lying cylinders into boxes
     * (rectangles), so what is left as cylinder, capsule, cone or torus lies in the plane, except a standing torus. */
    mnShapeKind kind;
    int dimension;
    double spacing; /* m */
    double radius, tube_radius, height;
    double half[3]; /* half the size of a box; of a plane's patch the first two */
    bool hollow;
    double thickness; /* of the wall or the film, m; never 0 */
    int layers;       /* of particles in the material, MN_WALL_LAYERS_MIN … MN_WALL_LAYERS_MAX */
    bool standing;    /* 2D torus only: its axis is z, so its cut is a ring */
    /* From the shape's frame to the scene: x = axis[0]·u + axis[1]·v + axis[2]·w + origin. A plane's w is its normal.
     */
    double axis[3][3];
    double origin[3];
    mnMesh *mesh; /* mesh only, owned; in the shape's frame with the scale applied */
    mnGeometry **children;
    int child_count;
};

void mn_geometry_to_local(const mnGeometry *geometry, const double point[3], double local[3]);
void mn_geometry_turn(const mnGeometry *geometry, const double local[3],
                      double direction[3]); /* a vector, not a point */
void mn_geometry_to_scene(const mnGeometry *geometry, const double local[3], double point[3]);

/* Reduces a shape to its cut by z = 0. */
mnStatus mn_geometry_cut(mnGeometry *geometry, mnError *error);

/* Volume (2D: area) of the shape after its surface has moved outwards by `offset`, inwards if negative, with corners
 * kept sharp; 0 when nothing is left. Not for planes and unions. */
double mn_geometry_offset_volume(const mnGeometry *geometry, double offset);

/* Radius of the largest ball inside. Infinite for planes; a guess for meshes. */
double mn_geometry_inradius(const mnGeometry *geometry);

#endif
