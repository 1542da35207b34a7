#include "geometry/layer.h"

#include <stdlib.h>

#include "base/parallel.h"
#include "geometry/grid.h"
#include "geometry/vector.h"

/* Every sweep reads the old positions and writes new ones, so the result does not depend on the number of threads. */

/* Steps are short and along the surface, so going back to it now and then is enough. */
enum { NEAR_MAX = 64, SETTLE_EVERY = 5 };

/* How far a point may go before neighbours are found anew, in pitches. */
static const double margin = 0.5;

/* A projection farther than this (in pitches) has gone to another part of the surface. */
static const double leap = 0.5;

void mn_layer_init(mnLayer *layer, double offset) {
    *layer = (mnLayer){.offset = offset};
}

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

/* The neighbours of every point, found once for several sweeps, in which no point moves farther than the margin. */
typedef struct Neighbours {
    int64_t (*near)[NEAR_MAX];
    int *count;
} Neighbours;

/* Where point i goes: pushed by each neighbour with (1 − r/2p)³, p being the pitch, along the surface. */
static void push(const mnLayer *layer, const Neighbours *neighbours, double pitch, int64_t i, double moved[3]) {
    double force[3] = {0, 0, 0}, reach = 2 * pitch;
    for (int k = 0; k < neighbours->count[i]; k++) {
        int64_t j = neighbours->near[i][k];
        double d[3];
        subtract3(d, layer->position[i], layer->position[j]);
        double r = length3(d);
        if (j == i || !(r > 0) || r >= reach) continue;
        double w = 1 - r / reach;
        add_scaled3(force, force, 0.8 * pitch * w * w * w / r, d);
    }
    add_scaled3(force, force, -dot3(force, layer->normal[i]), layer->normal[i]);
    double step = length3(force), most = margin / SETTLE_EVERY * pitch;
    add_scaled3(moved, layer->position[i], step > most ? most / step : 1, force);
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

/* Back to the layer, unless that is far away: then it has gone to another part of the surface. */
static void settle(mnLayer *layer, const mnGeometry *geometry, double pitch, int64_t i, double moved[3]) {
    double normal[3];
    project(geometry, layer->offset, moved, normal);
    if (distance_squared3(moved, layer->position[i]) > leap * leap * pitch * pitch) return;
    copy3(layer->position[i], moved);
    copy3(layer->normal[i], normal);
}

/* Starting threads costs more than a small layer does. */
static int threads_for(const mnLayer *layer) {
    return layer->count > 20000 ? mn_parallel_cores() : 1;
}

static bool find_neighbours(const mnLayer *layer, mnGrid *grid, double pitch, Neighbours *neighbours) {
    if (!fill_grid(grid, layer->position, layer->count)) return false;
    int threads = threads_for(layer);
    (void)threads; /* without OpenMP */
    MN_PARALLEL_FOR(threads)
    for (int64_t i = 0; i < layer->count; i++)
        neighbours->count[i] = mn_grid_near(grid, layer->position, layer->position[i], (2 + margin) * pitch,
                                            neighbours->near[i], NEAR_MAX);
    return true;
}

static void relax_once(mnLayer *layer, const mnGeometry *geometry, double pitch, const Neighbours *neighbours,
                       double (*moved)[3], bool last) {
    int threads = threads_for(layer);
    (void)threads; /* without OpenMP */
    MN_PARALLEL_FOR(threads)
    for (int64_t i = 0; i < layer->count; i++)
        if (!layer->fixed[i]) push(layer, neighbours, pitch, i, moved[i]);
    MN_PARALLEL_FOR(threads)
    for (int64_t i = 0; i < layer->count; i++) {
        if (layer->fixed[i]) continue;
        if (last)
            settle(layer, geometry, pitch, i, moved[i]);
        else
            copy3(layer->position[i], moved[i]);
    }
}

bool mn_layer_relax(mnLayer *layer, const mnGeometry *geometry, double pitch, int sweeps) {
    mnGrid grid = {0};
    size_t room = (size_t)layer->count + 1;
    double(*moved)[3] = malloc(room * sizeof *moved);
    Neighbours neighbours = {malloc(room * sizeof *neighbours.near), malloc(room * sizeof *neighbours.count)};
    bool ok = moved && neighbours.near && neighbours.count && mn_grid_create(&grid, (2 + margin) * pitch, layer->count);
    for (int sweep = 0; sweep < sweeps && ok; sweep++) {
        if (sweep % SETTLE_EVERY == 0) ok = find_neighbours(layer, &grid, pitch, &neighbours);
        if (ok)
            relax_once(layer, geometry, pitch, &neighbours, moved,
                       (sweep + 1) % SETTLE_EVERY == 0 || sweep + 1 == sweeps);
    }
    free(moved);
    free(neighbours.near);
    free(neighbours.count);
    mn_grid_destroy(&grid);
    return ok;
}

bool mn_layer_share(mnLayer *layer, double pitch, double total) {
    mnGrid grid;
    double reach = 2.3 * pitch, sum = 0;
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
