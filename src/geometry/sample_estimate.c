#include "geometry/sample.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* Counts from volumes. In doubles throughout: a description may ask for more points than any integer holds. */

static double cell_volume(int dimension, double spacing) {
    return pow(spacing, dimension);
}

static double count_fluid(const mnGeometry *geometry, const mnGeometry *film, int dimension, double spacing) {
    if (!film && geometry->hollow) film = geometry;
    if (geometry->kind == MN_SHAPE_UNION) {
        double sum = 0;
        for (int i = 0; i < geometry->child_count; i++)
            sum += count_fluid(geometry->children[i], film, dimension, spacing);
        return sum;
    }
    double volume = mn_geometry_volume(geometry);
    if (film) volume -= fmin(mn_geometry_offset_volume(geometry, -film->thickness), volume);
    return fmax(volume / cell_volume(dimension, spacing), 1);
}

static double count_cells(double length, double spacing) {
    return fmax(round(length / spacing), 1);
}

static double count_wall(const mnGeometry *leaf, const mnGeometry *container, int dimension, double spacing) {
    double depth = (container ? container->layers : leaf->layers) * spacing;
    if (leaf->kind == MN_SHAPE_PLANE)
        return count_cells(2 * leaf->half[0], spacing) *
               (dimension == 3 ? count_cells(2 * leaf->half[1], spacing) : 1) * leaf->layers;
    double own = mn_geometry_offset_volume(leaf, 0),
           other = mn_geometry_offset_volume(leaf, container ? depth : -depth);
    return fmax(fabs(other - own) / cell_volume(dimension, spacing), 1);
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
