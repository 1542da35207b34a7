/* Shapes made ready for questions: is this point inside, how far is the surface, how large is it all.
 *
 * mn_geometry_create takes a shape description (meniscus/scene.h), composes the transforms of a union's children,
 * folds the scale into the lengths and loads meshes. Points are in metres in the scene's frame. The description may
 * go away afterwards; the geometry is the caller's until mn_geometry_destroy. Every question is a pure function of the
 * geometry and can be asked from several threads.
 *
 * In 2D a shape is its cut by the plane z = 0, and z coordinates, a translation along z and extents along z play no
 * part. Rotations have to keep the cut a simple figure: a box turns into itself about z, a body of revolution stands
 * on the plane (its cut is a disc or ring) or lies in it (rectangle, stadium, triangle, two discs). */
#ifndef MN_GEOMETRY_GEOMETRY_H
#define MN_GEOMETRY_GEOMETRY_H

#include <stdbool.h>

#include "meniscus/scene.h"

typedef struct mnGeometry mnGeometry;

/* Deeper nesting of unions than anyone draws; a union that contains itself ends here. */
enum { MN_UNION_DEPTH_MAX = 32 };

/* Relative mesh paths start at `folder` (NULL: the working directory). `spacing` is the particle spacing h in metres:
 * walls without a thickness are four of it, and meshes far larger or smaller than it are refused. */
mnStatus mn_geometry_create(const mnShape *shape, const char *folder, int dimension, double spacing,
                            mnGeometry **geometry, mnError *error);
void mn_geometry_destroy(mnGeometry *geometry);

/* Signed distance to the surface of the shape, negative inside, as if it were not hollow. Exact, except inside a union
 * whose children overlap: there the surface is at least as far as the value says. A plane is a whole half-space here.
 */
double mn_geometry_distance(const mnGeometry *geometry, const double point[3]);

/* The distance, and the unit vector in which it grows fastest. Where several are equally good (edges, the medial axis)
 * it is one of them or a mean of them. */
double mn_geometry_probe(const mnGeometry *geometry, const double point[3], double normal[3]);

/* Signed distance to the material of a solid, negative inside: that of the shape, of the wall around it when it is
 * hollow, of the half-space under the patch for a plane. Inside and past corners it is a bound, its sign is exact. */
double mn_geometry_material(const mnGeometry *geometry, const double point[3]);

/* Whether a point lies in the material of a solid grown by `margin` metres. */
bool mn_geometry_in_material(const mnGeometry *geometry, const double point[3], double margin);

/* An axis-aligned box around the shape (a plane: around its patch), without the walls of a hollow one; it may be
 * larger than needed for rotated shapes. */
void mn_geometry_bounds(const mnGeometry *geometry, double lower[3], double upper[3]);

/* Volume and surface of the shape as if it were not hollow (2D: area and outline); for unions the sum over the
 * children, for planes 0 and the patch. */
double mn_geometry_volume(const mnGeometry *geometry);
double mn_geometry_area(const mnGeometry *geometry);

#endif
