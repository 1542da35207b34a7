#include "geometry/sample.h"
#include "geometry/sample_parts.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* Counts from volumes and, for boxes, from cells. In doubles throughout: a description may ask for more points than any
 * integer holds. */

static double cell_volume(int dimension, double spacing) {
    return pow(spacing, dimension);
}

static double count_cells(double length, double spacing) {
    return fmax(round(length / spacing), 1);
}

/* By how much a shape is filled up because there are no broken layers: one of half a cell has a whole one, and so has
 * one of a thousandth. */
static double filling(const mnGeometry *leaf, double spacing) {
    double factor = 1;
    for (int c = 0; c < leaf->dimension; c++) {
        double length = spacing;
        if (leaf->kind == MN_SHAPE_BOX) length = 2 * leaf->half[c];
        if (leaf->kind == MN_SHAPE_MESH) length = leaf->mesh->upper[c] - leaf->mesh->lower[c];
        if (leaf->kind == MN_SHAPE_CYLINDER && c == 2) length = leaf->height;
        factor *= count_cells(length, spacing) * spacing / length;
    }
    return factor;
}

static double count_fluid(const mnGeometry *geometry, const mnGeometry *film, int dimension, double spacing) {
    if (!film && geometry->hollow) film = geometry;
    if (geometry->kind == MN_SHAPE_UNION) {
        double sum = 0;
        for (int i = 0; i < geometry->child_count; i++)
            sum += count_fluid(geometry->children[i], film, dimension, spacing);
        return sum;
    }
    double volume = mn_geometry_volume(geometry) * filling(geometry, spacing);
    if (film) volume -= fmin(mn_geometry_offset_volume(geometry, -film->thickness), volume);
    return fmax(volume / cell_volume(dimension, spacing), 1);
}

/* Exact: all cells of the box with its wall, less those of the part without particles. */
static double count_box(const mnWall *wall) {
    double all = 1, empty = 1;
    for (int c = 0; c < wall->leaf->dimension; c++) {
        double cells = count_cells(2 * wall->leaf->half[c], wall->spacing);
        all *= wall->outside ? cells + 2 * wall->layers : cells;
        empty *= wall->outside ? cells : fmax(cells - 2 * wall->layers, 0);
    }
    return all - empty;
}

static double count_plane(const mnWall *wall) {
    double count = count_cells(2 * wall->leaf->half[0], wall->spacing) * wall->layers;
    return wall->leaf->dimension == 3 ? count * count_cells(2 * wall->leaf->half[1], wall->spacing) : count;
}

/* Layers narrower than a cell have as many particles as others, each with less volume. */
static double count_wall(const mnGeometry *leaf, const mnGeometry *container, int dimension, double spacing) {
    mnWall wall = {.leaf = leaf,
                   .spacing = spacing,
                   .outside = container != NULL,
                   .layers = container ? container->layers : leaf->layers};
    if (leaf->kind == MN_SHAPE_PLANE) return count_plane(&wall);
    if (leaf->kind == MN_SHAPE_BOX) return count_box(&wall);
    mnLayering layering = {wall.layers, spacing};
    if (leaf->kind != MN_SHAPE_MESH) layering = mn_ring_wall_layering(&wall);
    double depth = layering.count * layering.width, own = mn_geometry_offset_volume(leaf, 0);
    double other = mn_geometry_offset_volume(leaf, container ? depth : -depth * (1 + 1e-9));
    return fmax(fabs(other - own) / cell_volume(dimension, spacing) * spacing / layering.width, 1);
}

static double count_solid(const mnGeometry *geometry, const mnGeometry *container, int dimension, double spacing) {
    if (!container && geometry->hollow) container = geometry;
    if (geometry->kind != MN_SHAPE_UNION) return count_wall(geometry, container, dimension, spacing);
    double sum = 0;
    for (int i = 0; i < geometry->child_count; i++)
        sum += count_solid(geometry->children[i], container, dimension, spacing);
    return sum;
}

static int64_t saturate(double count) {
    return count < 9e18 ? (int64_t)ceil(count) : INT64_MAX;
}

int64_t mn_sample_estimate_fluid(const mnGeometry *geometry, int dimension, double spacing) {
    return saturate(count_fluid(geometry, NULL, dimension, spacing));
}

int64_t mn_sample_estimate_solid(const mnGeometry *geometry, int dimension, double spacing) {
    return saturate(count_solid(geometry, NULL, dimension, spacing));
}
