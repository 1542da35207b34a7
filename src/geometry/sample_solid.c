#include <stdlib.h>

#include "geometry/grid.h"
#include "geometry/sample.h"
#include "geometry/sample_parts.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* Walls of whole solids. A union is sampled leaf by leaf, each as smooth as it is alone, and then trimmed: the layer at
 * depth k of a union is made of those parts of its shapes' layers at depth k that lie no deeper than k in any other
 * shape. What is left at a seam is thinned so that no two points of different shapes crowd each other. */

static const double seam_gap = 0.7; /* of the distance between points of a layer */

mnWall mn_wall_of(const mnGeometry *leaf, const mnGeometry *container, double spacing) {
    return (mnWall){.leaf = leaf,
                    .spacing = spacing,
                    .outside = container != NULL,
                    .layers = container ? container->layers : leaf->layers};
}

double mn_wall_pitch(const mnWall *wall, int layer) {
    return layer == 0 ? 0.7 * wall->spacing : wall->spacing;
}

/* How deep a point sits in one part of a union, as a distance that falls with depth: in a container the walls lie
 * outside. */
static double depth_measure(const mnGeometry *part, const double point[3], bool container) {
    return container ? mn_geometry_distance(part, point) : mn_geometry_material(part, point);
}

static bool sample_leaf(const mnGeometry *leaf, const mnGeometry *container, double spacing, mnPoints *points) {
    mnWall wall = mn_wall_of(leaf, container, spacing);
    if (leaf->kind == MN_SHAPE_PLANE || leaf->kind == MN_SHAPE_BOX) return mn_sample_lattice_wall(&wall, points);
    if (leaf->kind == MN_SHAPE_MESH) return mn_sample_mesh_wall(&wall, points);
    return mn_sample_ring_wall(&wall, points);
}

static bool sample(const mnGeometry *geometry, const mnGeometry *container, double spacing, mnPoints *points);

/* Keeps those points of child `own` that no other child covers more deeply. */
static void trim(const mnGeometry *whole, int own, bool container, double spacing, mnPoints *points) {
    int64_t kept = 0;
    for (int64_t i = 0; i < points->count; i++) {
        const double *x = points->position[i];
        double limit = depth_measure(whole->children[own], x, container) - 1e-6 * spacing;
        bool keep = true;
        for (int j = 0; j < whole->child_count && keep; j++)
            keep = j == own || depth_measure(whole->children[j], x, container) >= limit;
        if (!keep) continue;
        memmove(points->position[kept], x, sizeof points->position[kept]);
        points->volume[kept++] = points->volume[i];
    }
    points->count = kept;
}

/* A point's volume is a spacing thick, so it tells how far apart the points of its layer are. */
static double gap_of(double volume, int dimension, double spacing) {
    double pitch = dimension == 3 ? sqrt(volume / spacing) : volume / spacing;
    return seam_gap * fmin(pitch, spacing);
}

static bool merge(const mnPoints *part, int dimension, double spacing, mnGrid *taken, mnPoints *points) {
    int64_t first = points->count;
    for (int64_t i = 0; i < part->count; i++) {
        int64_t found;
        double gap = gap_of(part->volume[i], dimension, spacing);
        if (mn_grid_near(taken, points->position, part->position[i], gap, &found, 1) > 0) continue;
        if (!mn_points_append(points, part->position[i], part->volume[i])) return false;
    }
    for (int64_t i = first; i < points->count; i++)
        if (!mn_grid_add(taken, points->position[i], i)) return false;
    return true;
}

static bool sample_union(const mnGeometry *whole, const mnGeometry *container, double spacing, mnPoints *points) {
    mnGrid taken;
    if (!mn_grid_create(&taken, spacing, 1024)) return false;
    bool ok = true;
    for (int i = 0; i < whole->child_count && ok; i++) {
        mnPoints part;
        mn_points_init(&part);
        ok = sample(whole->children[i], container, spacing, &part);
        if (ok) trim(whole, i, container != NULL, spacing, &part);
        ok = ok && merge(&part, whole->dimension, spacing, &taken, points);
        mn_points_clear(&part);
    }
    mn_grid_destroy(&taken);
    return ok;
}

static bool sample(const mnGeometry *geometry, const mnGeometry *container, double spacing, mnPoints *points) {
    if (!container && geometry->hollow) container = geometry;
    if (geometry->kind == MN_SHAPE_UNION) return sample_union(geometry, container, spacing, points);
    return sample_leaf(geometry, container, spacing, points);
}

mnStatus mn_sample_solid(const mnGeometry *geometry, int dimension, double spacing, mnPoints *points, mnError *error) {
    int64_t expected = mn_sample_estimate_solid(geometry, dimension, spacing);
    if (expected > INT32_MAX)
        return mn_error_set(error, MN_ERROR_MEMORY, "a solid would have %.3g particles; use a larger spacing",
                            (double)expected);
    if (!sample(geometry, NULL, spacing, points))
        return mn_error_set(error, MN_ERROR_MEMORY, "no memory for the particles of a solid (about %lld)",
                            (long long)expected);
    return MN_OK;
}
