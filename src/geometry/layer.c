#include "geometry/layer.h"

#include <stdlib.h>

#include "base/parallel.h"
#include "geometry/grid.h"
#include "geometry/vector.h"

/* Every sweep reads the old positions and writes new ones, so the result does not depend on the number of threads. */

enum { NEAR_MAX = 96, RELAX_SWEEPS = 32 };

/* A projection farther than this (in spacings) has gone to another part of the surface. */
static const double leap = 0.5;

void mn_layer_init(mnLayer *layer, double offset) { *layer = (mnLayer){.offset = offset}; }

void mn_layer_clear(mnLayer *layer) {
    free(layer->position);
    free(layer->normal);
    free(layer->volume);
    free(layer->fixed);
    *layer = (mnLayer){.offset = layer->offset};
}

static bool reserve(mnLayer *layer, int64_t capacity) {
    void *position = realloc(layer->position, (size_t)capacity * sizeof *layer->position);
    if (position) layer->position = position;
    void *normal = realloc(layer->normal, (size_t)capacity * sizeof *layer->normal);
    if (normal) layer->normal = normal;
    void *volume = realloc(layer->volume, (size_t)capacity * sizeof *layer->volume);
    if (volume) layer->volume = volume;
    void *fixed = realloc(layer->fixed, (size_t)capacity * sizeof *layer->fixed);
    if (fixed) layer->fixed = fixed;
    if (!position || !normal || !volume || !fixed) return false;
    layer->capacity = capacity;
    return true;
}

bool mn_layer_append(mnLayer *layer, const double position[3], const double normal[3], double volume, bool fixed) {
    if (layer->count == layer->capacity && !reserve(layer, layer->capacity ? 2 * layer->capacity : 256)) return false;
    copy3(layer->position[layer->count], position);
    copy3(layer->normal[layer->count], normal);
    layer->volume[layer->count] = volume;
    layer->fixed[layer->count++] = fixed;
    return true;
}

/* Brings a point back to the layer and refreshes its normal. */
static void project(const mnGeometry *geometry, double offset, double point[3], double normal[3]) {
    double away[3];
    double distance = mn_geometry_probe(geometry, point, away);
    add_scaled3(point, point, offset - distance, away);
    for (int c = 0; c < 3; c++) normal[c] = offset < 0 ? away[c] : -away[c];
}

/* Where point i goes: pushed by each neighbour with (1 − r/2h)³, along the surface, at most h/5 at a time. */
static void push(const mnLayer *layer, const mnGrid *grid, double spacing, int64_t i, double moved[3]) {
    int64_t near[NEAR_MAX];
    double force[3] = {0, 0, 0}, reach = 2 * spacing;
    int count = mn_grid_near(grid, layer->position, layer->position[i], reach, near, NEAR_MAX);
    for (int k = 0; k < count; k++) {
        double d[3];
        subtract3(d, layer->position[i], layer->position[near[k]]);
        double r = length3(d);
        if (near[k] == i || !(r > 0)) continue;
        double w = 1 - r / reach;
        add_scaled3(force, force, 0.5 * spacing * w * w * w / r, d);
    }
    add_scaled3(force, force, -dot3(force, layer->normal[i]), layer->normal[i]);
    double step = length3(force);
    add_scaled3(moved, layer->position[i], step > 0.2 * spacing ? 0.2 * spacing / step : 1, force);
}

static bool fill_grid(mnGrid *grid, double (*positions)[3], int64_t count) {
    mn_grid_empty(grid);
    for (int64_t i = 0; i < count; i++)
        if (!mn_grid_add(grid, positions[i], i)) return false;
    return true;
}

void mn_layer_project(mnLayer *layer, const mnGeometry *geometry) {
    for (int64_t i = 0; i < layer->count; i++)
        if (!layer->fixed[i]) project(geometry, layer->offset, layer->position[i], layer->normal[i]);
}

bool mn_layer_relax(mnLayer *layer, const mnGeometry *geometry, double spacing) {
    mnGrid grid;
    if (!mn_grid_create(&grid, 2 * spacing, layer->count)) return false;
    double(*moved)[3] = malloc((size_t)(layer->count + 1) * sizeof *moved);
    bool ok = moved != NULL;
    /* Starting threads costs more than a small layer does. */
    int threads = layer->count > 20000 ? mn_parallel_cores() : 1;
    (void)threads; /* without OpenMP */
    for (int sweep = 0; sweep < RELAX_SWEEPS && ok; sweep++) {
        ok = fill_grid(&grid, layer->position, layer->count);
        if (!ok) break;
        MN_PARALLEL_FOR(threads)
        for (int64_t i = 0; i < layer->count; i++) {
            copy3(moved[i], layer->position[i]);
            if (!layer->fixed[i]) push(layer, &grid, spacing, i, moved[i]);
        }
        MN_PARALLEL_FOR(threads)
        for (int64_t i = 0; i < layer->count; i++)
            if (!layer->fixed[i]) {
                double normal[3];
                project(geometry, layer->offset, moved[i], normal);
                if (distance_squared3(moved[i], layer->position[i]) > leap * leap * spacing * spacing) continue;
                copy3(layer->position[i], moved[i]);
                copy3(layer->normal[i], normal);
            }
    }
    free(moved);
    mn_grid_destroy(&grid);
    return ok;
}

bool mn_layer_share(mnLayer *layer, double spacing, double total) {
    mnGrid grid;
    double reach = 2.3 * spacing, sum = 0;
    if (!mn_grid_create(&grid, reach, layer->count)) return false;
    bool ok = fill_grid(&grid, layer->position, layer->count);
    for (int64_t i = 0; i < layer->count && ok; i++) {
        int64_t near[NEAR_MAX];
        double density = 0;
        int count = mn_grid_near(&grid, layer->position, layer->position[i], reach, near, NEAR_MAX);
        for (int k = 0; k < count; k++) {
            double q = sqrt(distance_squared3(layer->position[near[k]], layer->position[i])) / reach;
            double u = 1 - q, t = fmax(0.5 - q, 0);
            density += 2 * u * u * u - 8 * t * t * t;
        }
        layer->volume[i] = 1 / density;
        sum += layer->volume[i];
    }
    for (int64_t i = 0; i < layer->count; i++) layer->volume[i] *= total / sum;
    mn_grid_destroy(&grid);
    return ok;
}

bool mn_layer_add_to(const mnLayer *layer, mnPoints *points) {
    for (int64_t i = 0; i < layer->count; i++)
        if (!mn_points_append(points, layer->position[i], layer->volume[i])) return false;
    return true;
}
