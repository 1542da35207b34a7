#include "geometry/sample.h"
#include "geometry/sample_parts.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* Counts from volumes and, for flat walls, from cells. In doubles throughout: a description may ask for more points
 * than any integer holds. */

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

/* Layers narrower than a cell have as many particles as others, each with less volume. */
static double count_wall(const mnGeometry *leaf, const mnGeometry *container, int dimension, double spacing) {
    mnWall wall = mn_wall_of(leaf, container, spacing);
    if (leaf->kind == MN_SHAPE_PLANE || leaf->kind == MN_SHAPE_BOX) return mn_count_lattice_wall(&wall);
    mnLayering layering = {wall.layers, spacing};
    if (leaf->kind != MN_SHAPE_MESH) layering = mn_ring_wall_layering(&wall);
    double count = 0, last = mn_geometry_offset_volume(leaf, 0);
    for (int i = 0; i < layering.count; i++) {
        double depth = (i + 1) * layering.width * (container ? 1 : -(1 + 1e-9)); /* nothing is left of a filled one */
        double volume = mn_geometry_offset_volume(leaf, depth);
        count += fabs(volume - last) / (layering.width * pow(mn_wall_pitch(&wall, i), dimension - 1));
        last = volume;
    }
    return fmax(count, 1);
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
