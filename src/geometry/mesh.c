#include "geometry/mesh.h"

#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/vector.h"

/* Between reading and answering, a mesh is made whole: welded, cleaned, paired up edge by edge, turned right side out.
 * The invariant after mn_mesh_build: the surface is closed and its normals point out. */

/* With fewer than three particles across, nothing is left of its form; larger than this it was most likely drawn in
 * millimetres and read as metres. */
static const double extent_min = 3, extent_max = 2e4;

/* What building takes of a triangle at most. The peak is in mn_mesh_connect, where no vertex is shared: three vertices
 * and their normals (144), the triangle (12), its normal (24), those of its edges (72), three half-edges (48). A closed
 * mesh shares vertices: one of two million triangles took 222 of each, once it had its tree. */
enum { BYTES_PER_TRIANGLE = 300 };

typedef struct Corner {
    double position[3];
    int32_t number; /* 3·triangle + corner */
} Corner;

static int compare_corners(const void *a, const void *b) {
    const Corner *p = a, *q = b;
    for (int c = 0; c < 3; c++) {
        if (p->position[c] < q->position[c]) return -1;
        if (p->position[c] > q->position[c]) return 1;
    }
    return p->number < q->number ? -1 : p->number > q->number;
}

/* Fills vertices and triangles, with one vertex per distinct position. Files repeat vertices for every normal, texture
 * coordinate or facet, and an importer that joins only what is equal in all of these leaves a surface in pieces. */
static bool weld(mnMesh *mesh, const mnTriangles *triangles, double scale) {
    int64_t corners = 3 * triangles->count;
    Corner *sorted = malloc((size_t)corners * sizeof *sorted);
    mesh->vertex = malloc((size_t)corners * sizeof *mesh->vertex);
    mesh->triangle = malloc((size_t)triangles->count * sizeof *mesh->triangle);
    if (!sorted || !mesh->vertex || !mesh->triangle) {
        free(sorted);
        return false;
    }
    for (int64_t i = 0; i < corners; i++) {
        sorted[i].number = (int32_t)i;
        for (int c = 0; c < 3; c++) sorted[i].position[c] = triangles->corner[i][c] * scale;
    }
    qsort(sorted, (size_t)corners, sizeof *sorted, compare_corners);
    for (int64_t i = 0; i < corners; i++) {
        const double *x = sorted[i].position;
        if (i == 0 || x[0] != sorted[i - 1].position[0] || x[1] != sorted[i - 1].position[1] ||
            x[2] != sorted[i - 1].position[2])
            copy3(mesh->vertex[mesh->vertex_count++], x);
        mesh->triangle[sorted[i].number / 3][sorted[i].number % 3] = mesh->vertex_count - 1;
    }
    free(sorted);
    /* Triangles that have lost a corner go; slivers with three corners stay, since without them the surface would be
     * open. */
    for (int64_t i = 0; i < triangles->count; i++) {
        int32_t t[3];
        memcpy(t, mesh->triangle[i], sizeof t);
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) memcpy(mesh->triangle[mesh->triangle_count++], t, sizeof t);
    }
    return true;
}

/* Area, volume, extent and face normals. The volume is summed about the middle of the mesh, so that a mesh far from
 * its origin loses no digits. */
static bool measure(mnMesh *mesh) {
    free(mesh->face_normal);
    mesh->face_normal = calloc((size_t)mesh->triangle_count + 1, sizeof *mesh->face_normal);
    if (!mesh->face_normal) return false;
    for (int c = 0; c < 3; c++) {
        mesh->lower[c] = DBL_MAX;
        mesh->upper[c] = -DBL_MAX;
        for (int32_t i = 0; i < mesh->vertex_count; i++) {
            mesh->lower[c] = fmin(mesh->lower[c], mesh->vertex[i][c]);
            mesh->upper[c] = fmax(mesh->upper[c], mesh->vertex[i][c]);
        }
    }
    mesh->area = mesh->volume = 0;
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *t = mesh->triangle[i];
        double ab[3], ac[3], from_middle[3], *normal = mesh->face_normal[i];
        subtract3(ab, mesh->vertex[t[1]], mesh->vertex[t[0]]);
        subtract3(ac, mesh->vertex[t[2]], mesh->vertex[t[0]]);
        cross3(normal, ab, ac);
        for (int c = 0; c < 3; c++) from_middle[c] = mesh->vertex[t[0]][c] - (mesh->lower[c] + mesh->upper[c]) / 2;
        mesh->volume += dot3(from_middle, normal) / 6;
        mesh->area += normalise3(normal) / 2;
    }
    return true;
}

static void turn_inside_out(mnMesh *mesh) {
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        int32_t swap = mesh->triangle[i][1];
        mesh->triangle[i][1] = mesh->triangle[i][2];
        mesh->triangle[i][2] = swap;
        for (int c = 0; c < 3; c++) mesh->face_normal[i][c] = -mesh->face_normal[i][c];
    }
    mesh->volume = -mesh->volume;
}

static double extent_of(const mnMesh *mesh) {
    double extent = 0;
    for (int c = 0; c < 3; c++) extent = fmax(extent, mesh->upper[c] - mesh->lower[c]);
    return extent;
}

static mnStatus check_input(const mnTriangles *triangles, const char *name, mnError *error) {
    if (triangles->count <= 0)
        return mn_error_set(error, MN_ERROR_INPUT, "%s: the mesh has no triangles; export it as a triangle surface",
                            name);
    if (triangles->count > INT32_MAX / 6)
        return mn_error_set(error, MN_ERROR_INPUT,
                            "%s: the mesh has %lld triangles, at most %d can be used; simplify it", name,
                            (long long)triangles->count, INT32_MAX / 6);
    for (int64_t i = 0; i < 3 * triangles->count; i++)
        for (int c = 0; c < 3; c++)
            if (!isfinite(triangles->corner[i][c]))
                return mn_error_set(error, MN_ERROR_INPUT,
                                    "%s: a corner of triangle %lld is not a finite number; repair the mesh", name,
                                    (long long)(i / 3 + 1));
    return MN_OK;
}

static mnStatus check_memory(const mnTriangles *triangles, const char *name, size_t memory, mnError *error) {
    double needed = (double)BYTES_PER_TRIANGLE * (double)triangles->count;
    if (needed <= (double)memory) return MN_OK;
    return mn_error_set(error, MN_ERROR_MEMORY,
                        "%s: the mesh has %lld triangles and would take up to %.3g GB more, but only %.3g GB of memory "
                        "are left; simplify the mesh",
                        name, (long long)triangles->count, 1e-9 * needed, 1e-9 * (double)memory);
}

static mnStatus check_shape(const mnMesh *mesh, const char *name, double scale, double spacing, mnError *error) {
    double extent = extent_of(mesh);
    if (mesh->triangle_count == 0 || !(mesh->area > 1e-12 * extent * extent) || !isfinite(mesh->area))
        return mn_error_set(error, MN_ERROR_INPUT,
                            "%s: the mesh is degenerate: its %d triangles have no area; export a closed surface", name,
                            mesh->triangle_count);
    if (extent < extent_min * spacing || extent > extent_max * spacing)
        return mn_error_set(
            error, MN_ERROR_INPUT,
            "%s: the mesh is too %s for the particle spacing: it is %g m across (with scale %g) and the "
            "spacing is %g m, between %g and %g spacings are allowed; set `scale` (0.001 for a mesh "
            "drawn in millimetres) or change the spacing",
            name, extent < extent_min * spacing ? "small" : "large", extent, scale, spacing, extent_min, extent_max);
    return MN_OK;
}

static mnStatus check_surface(mnMesh *mesh, const char *name, mnError *error) {
    int64_t disagreeing, open = mn_mesh_connect(mesh, &disagreeing);
    if (open < 0) return mn_error_set(error, MN_ERROR_MEMORY, "%s: no memory to connect the mesh", name);
    if (open > 0)
        return mn_error_set(error, MN_ERROR_INPUT,
                            "%s: the mesh is open: %lld edges are not shared by exactly two triangles; close its holes "
                            "and remove doubled or inner faces",
                            name, (long long)open);
    if (disagreeing > 0)
        return mn_error_set(error, MN_ERROR_INPUT,
                            "%s: the triangles at %lld edges disagree on which side is out; make the normals of the "
                            "mesh consistent",
                            name, (long long)disagreeing);
    if (!(mesh->volume > 0))
        return mn_error_set(error, MN_ERROR_INPUT, "%s: the mesh is flat, it encloses no volume", name);
    return MN_OK;
}

static mnStatus build(mnMesh *mesh, const mnTriangles *triangles, const char *name, double scale, double spacing,
                      size_t memory, mnError *error) {
    mnStatus status = check_input(triangles, name, error);
    if (status == MN_OK) status = check_memory(triangles, name, memory ? memory : mn_memory_left(), error);
    if (status != MN_OK) return status;
    if (!weld(mesh, triangles, scale) || !measure(mesh))
        return mn_error_set(error, MN_ERROR_MEMORY, "%s: no memory for a mesh of %lld triangles", name,
                            (long long)triangles->count);
    status = check_shape(mesh, name, scale, spacing, error);
    if (status != MN_OK) return status;
    if (mesh->volume < 0) turn_inside_out(mesh);
    status = check_surface(mesh, name, error);
    if (status != MN_OK) return status;
    if (!mn_bvh_create(&mesh->bvh, mesh->vertex, mesh->triangle, mesh->triangle_count))
        return mn_error_set(error, MN_ERROR_MEMORY, "%s: no memory for the search tree of the mesh", name);
    return MN_OK;
}

mnStatus mn_mesh_load(const char *path, const char *folder, double scale, double spacing, mnMesh **mesh,
                      mnError *error) {
    *mesh = NULL;
    if (!path || !path[0]) return mn_error_set(error, MN_ERROR_INPUT, "a mesh shape needs the path of its file");
    char full[4096];
    bool relative = path[0] != '/' && folder && folder[0];
    int length =
        relative ? snprintf(full, sizeof full, "%s/%s", folder, path) : snprintf(full, sizeof full, "%s", path);
    if (length < 0 || (size_t)length >= sizeof full)
        return mn_error_set(error, MN_ERROR_FILE, "the path of a mesh is longer than %zu characters", sizeof full - 1);
    mnTriangles triangles = {0};
    mnStatus status = mn_mesh_import(full, &triangles, error);
    if (status == MN_OK) status = mn_mesh_build(&triangles, full, scale, spacing, 0, mesh, error);
    free(triangles.corner);
    return status;
}

void mn_mesh_destroy(mnMesh *mesh) {
    if (!mesh) return;
    mn_bvh_destroy(&mesh->bvh);
    free(mesh->vertex);
    free(mesh->triangle);
    free(mesh->face_normal);
    free(mesh->edge_normal);
    free(mesh->vertex_normal);
    free(mesh);
}

mnStatus mn_mesh_build(const mnTriangles *triangles, const char *name, double scale, double spacing, size_t memory,
                       mnMesh **mesh, mnError *error) {
    *mesh = calloc(1, sizeof **mesh);
    if (!*mesh) return mn_error_set(error, MN_ERROR_MEMORY, "%s: no memory for a mesh", name);
    mnStatus status = build(*mesh, triangles, name, scale, spacing, memory, error);
    if (status != MN_OK) {
        mn_mesh_destroy(*mesh);
        *mesh = NULL;
    }
    return status;
}

static const double *normal_at(const mnMesh *mesh, const mnNearest *found) {
    if (found->feature == MN_FEATURE_FACE) return mesh->face_normal[found->triangle];
    if (found->feature >= MN_FEATURE_EDGE_0)
        return mesh->edge_normal[3 * (int64_t)found->triangle + (found->feature - MN_FEATURE_EDGE_0)];
    return mesh->vertex_normal[mesh->triangle[found->triangle][found->feature - MN_FEATURE_VERTEX_0]];
}

double mn_mesh_distance(const mnMesh *mesh, const double point[3], double nearest[3]) {
    mnNearest found = mn_bvh_nearest(&mesh->bvh, point);
    double away[3];
    subtract3(away, point, found.point);
    if (nearest) copy3(nearest, found.point);
    double distance = sqrt(found.distance_squared);
    return dot3(away, normal_at(mesh, &found)) < 0 ? -distance : distance;
}

void mn_mesh_normal(const mnMesh *mesh, const double point[3], double normal[3]) {
    mnNearest found = mn_bvh_nearest(&mesh->bvh, point);
    copy3(normal, normal_at(mesh, &found));
    normalise3(normal);
}
