/* The surface of a shape as triangles, for pictures and for other programs. 3D only. */
#ifndef MN_GEOMETRY_TESSELLATE_H
#define MN_GEOMETRY_TESSELLATE_H

#include "geometry/geometry.h"
#include "geometry/mesh.h"

/* Triangles whose normals (by the right hand) point out of the material, in the scene's frame. What is round gets edges
 * of about `size` metres. A hollow shape has both sides of its wall, a hollow mesh only the inner one; a plane is its
 * patch; shapes of a union may run into each other. The caller frees `corner`. */
mnStatus mn_geometry_triangles(const mnGeometry *geometry, double size, mnTriangles *triangles, mnError *error);

#endif
