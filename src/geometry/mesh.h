/* Closed triangle meshes: import, checks, and the exact signed distance to them.
 *
 * Files are hostile (mesh_reader.h), and what is read of them is checked here. Vertices at equal positions are welded,
 * triangles without extent dropped, inside-out meshes turned. Lengths are in metres once the scale is applied. The
 * distance finds the nearest triangle in a tree of boxes and takes its sign from angle-weighted pseudonormals
 * [Bærentzen and Aanæs 2005], which is right at edges and corners too. */
#ifndef MN_GEOMETRY_MESH_H
#define MN_GEOMETRY_MESH_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/bvh.h"
#include "meniscus/status.h"

typedef struct mnMesh {
    double (*vertex)[3];
    int32_t (*triangle)[3];
    int32_t vertex_count, triangle_count;
    double (*face_normal)[3];   /* per triangle, unit; zero for slivers */
    double (*edge_normal)[3];   /* three per triangle: edge e runs from its vertex e to e + 1; not normalised */
    double (*vertex_normal)[3]; /* weighted by angle; not normalised */
    double volume, area;        /* m³, m² */
    double mean_curvature;      /* integral of the mean curvature over the surface, m */
    double lower[3], upper[3];
    mnBvh bvh;
} mnMesh;

/* Triangles as they come from a file: no order, no sharing assumed. */
typedef struct mnTriangles {
    double (*corner)[3]; /* three per triangle */
    int64_t count;
} mnTriangles;

/* Reads `path` (below `folder` when relative), scales it and checks it against the particle spacing. */
mnStatus mn_mesh_load(const char *path, const char *folder, double scale, double spacing, mnMesh **mesh,
                      mnError *error);
void mn_mesh_destroy(mnMesh *mesh);

/* The same checks on triangles that are already here; `name` is for messages. At most `memory` bytes are taken beside
 * them, 0: what is left on this machine. */
mnStatus mn_mesh_build(const mnTriangles *triangles, const char *name, double scale, double spacing, size_t memory,
                       mnMesh **mesh, mnError *error);

/* Signed distance, negative inside, and the nearest point of the surface (which may be NULL). */
double mn_mesh_distance(const mnMesh *mesh, const double point[3], double nearest[3]);

/* Unit normal of the surface at its nearest point. */
void mn_mesh_normal(const mnMesh *mesh, const double point[3], double normal[3]);

/* mesh_import.c: the triangles of a file (OBJ, STL, PLY, glTF); the caller frees `corner`. */
mnStatus mn_mesh_import(const char *path, mnTriangles *triangles, mnError *error);

/* The same of bytes that a zero follows; the path is for its ending, for texts and for what a glTF file names. At most
 * `memory` bytes are taken beside them, 0: what is left on this machine. */
mnStatus mn_mesh_parse(const char *path, const char *bytes, size_t size, size_t memory, mnTriangles *triangles,
                       mnError *error);

/* mesh_topology.c: pairs up edges and fills edge and vertex normals and the mean curvature. Returns how many edges are
 * not shared by exactly two triangles, and how many are shared by two that disagree on which side is out; −1 when
 * memory is lacking. */
int64_t mn_mesh_connect(mnMesh *mesh, int64_t *disagreeing);

#endif
