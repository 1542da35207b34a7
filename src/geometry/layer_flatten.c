#include <stdlib.h>

#include "geometry/grid.h"
#include "geometry/layer.h"
#include "geometry/vector.h"

/* Probes stand one spacing above the layer, over its points and halfway between neighbours: for the first layer that is
 * where touching fluid sits. An even layer of radius ρ is seen from there with a number density of n/(1 + h/ρ), n being
 * that of a flat one; where a probe sees more or less than this, the points below it share the blame, in volume and in
 * place. */

enum { NEAR_MAX = 96, SWEEPS = 16 };

static const double lift = 1, support = 2; /* in spacings */
static const double pair_reach = 1.5;      /* of neighbours along the layer, in pitches */
static const double slack = 0.5;           /* twice as far as points may move, in spacings */
static const double mobility = 0.3;        /* of a point down the gradient of the error; 2 overshoots */
static const double same_side = 0.8;       /* cosine between normals; beyond it there is an edge */

/* One probe and one point that it may see. */
typedef struct Sight {
    int64_t point;
    double weight; /* of the kernel */
    double slope;  /* its derivative over the distance */
} Sight;

typedef struct Probes {
    double (*place)[3];
    double *wanted; /* per probe: density up to a common factor; 0 near an edge */
    int64_t *first; /* per probe: its first entry of sights; one more at the end */
    Sight *sights;
    int64_t count, capacity, sight_count, sight_capacity;
} Probes;

static bool make_room(Probes *probes) {
    if (probes->count + 1 >= probes->capacity) {
        int64_t capacity = probes->capacity ? 2 * probes->capacity : 1024;
        void *place = realloc(probes->place, (size_t)capacity * sizeof *probes->place);
        if (place) probes->place = place;
        void *wanted = realloc(probes->wanted, (size_t)capacity * sizeof *probes->wanted);
        if (wanted) probes->wanted = wanted;
        void *first = realloc(probes->first, (size_t)capacity * sizeof *probes->first);
        if (first) probes->first = first;
        if (!place || !wanted || !first) return false;
        probes->capacity = capacity;
    }
    if (probes->sight_count + NEAR_MAX > probes->sight_capacity) {
        int64_t capacity = probes->sight_capacity ? 2 * probes->sight_capacity : 8192;
        void *sights = realloc(probes->sights, (size_t)capacity * sizeof *probes->sights);
        if (!sights) return false;
        probes->sights = sights;
        probes->sight_capacity = capacity;
    }
    return true;
}

static bool add_probe(Probes *probes, const mnLayer *layer, const mnGrid *grid, const double foot[3],
                      const double up[3], double curvature, double spacing) {
    if (!make_room(probes)) return false;
    int64_t near[NEAR_MAX];
    double *place = probes->place[probes->count];
    int count = mn_grid_near(grid, layer->position, foot, support * spacing, near, NEAR_MAX);
    bool smooth = true;
    for (int k = 0; k < count; k++) smooth = smooth && dot3(layer->normal[near[k]], up) > same_side;
    add_scaled3(place, foot, lift * spacing, up);
    count = mn_grid_near(grid, layer->position, place, (support + slack) * spacing, near, NEAR_MAX);
    probes->first[probes->count] = probes->sight_count;
    for (int k = 0; k < count; k++) probes->sights[probes->sight_count++] = (Sight){.point = near[k]};
    probes->wanted[probes->count++] = smooth ? 1 / fmax(1 + lift * spacing * curvature, 0.3) : 0;
    probes->first[probes->count] = probes->sight_count;
    return true;
}

static bool place_probes(Probes *probes, const mnLayer *layer, const mnGrid *grid, const double *curvature,
                         double spacing, double pitch) {
    for (int64_t i = 0; i < layer->count; i++) {
        if (!add_probe(probes, layer, grid, layer->position[i], layer->normal[i], curvature[i], spacing)) return false;
        int64_t near[NEAR_MAX];
        int count = mn_grid_near(grid, layer->position, layer->position[i], pair_reach * pitch, near, NEAR_MAX);
        for (int k = 0; k < count; k++) {
            int64_t j = near[k];
            double foot[3], up[3], along[3], turn[3];
            if (j <= i) continue;
            subtract3(along, layer->position[j], layer->position[i]);
            subtract3(turn, layer->normal[j], layer->normal[i]);
            add_scaled3(up, layer->normal[i], 1, layer->normal[j]);
            if (normalise3(up) == 0) continue;
            /* The surface bulges over the middle of the chord. */
            add_scaled3(foot, layer->position[i], 0.5, along);
            add_scaled3(foot, foot, dot3(turn, along) / 8, up);
            if (!add_probe(probes, layer, grid, foot, up, (curvature[i] + curvature[j]) / 2, spacing)) return false;
        }
    }
    return true;
}

/* Mean curvature at each point, positive where the fluid is on the outer side: how fast normals turn towards the
 * neighbours on the same side of any edge. Facets of a mesh make it noisy, so it is averaged once more. */
static void find_curvature(const mnLayer *layer, const mnGrid *grid, double spacing, double *raw, double *curvature) {
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < layer->count; i++) {
            int64_t near[NEAR_MAX];
            double sum = 0, weight = 0;
            int count = mn_grid_near(grid, layer->position, layer->position[i], support * spacing, near, NEAR_MAX);
            for (int k = 0; k < count; k++) {
                double along[3], turn[3];
                if (dot3(layer->normal[near[k]], layer->normal[i]) <= same_side) continue;
                subtract3(along, layer->position[near[k]], layer->position[i]);
                subtract3(turn, layer->normal[near[k]], layer->normal[i]);
                sum += pass == 0 ? dot3(along, turn) : raw[near[k]];
                weight += pass == 0 ? dot3(along, along) : 1;
            }
            *(pass == 0 ? &raw[i] : &curvature[i]) = weight > 0 ? sum / weight : 0;
        }
}

/* Weights at the present positions; returns what the probe sees. */
static double look(Probes *probes, const mnLayer *layer, int64_t probe, double reach) {
    double density = 0;
    for (int64_t s = probes->first[probe]; s < probes->first[probe + 1]; s++) {
        Sight *sight = &probes->sights[s];
        double q = sqrt(distance_squared3(layer->position[sight->point], probes->place[probe])) / reach;
        double u = q < 1 ? 1 - q : 0, t = q < 0.5 ? 0.5 - q : 0;
        sight->weight = 2 * u * u * u - 8 * t * t * t;
        sight->slope = (24 * t * t - 6 * u * u) / (q * reach * reach);
        density += layer->volume[sight->point] * sight->weight;
    }
    return density;
}

/* What each point is blamed for: the weighted error of the probes that see it, and its gradient. */
typedef struct Blame {
    double error, weight, gradient[3];
    double judged; /* the part of the weight that comes from probes away from edges */
} Blame;

static void share_blame(Probes *probes, const mnLayer *layer, double reach, double *error, Blame *blame) {
    double seen = 0, wanted = 0;
    for (int64_t i = 0; i < layer->count; i++) blame[i] = (Blame){0};
    for (int64_t p = 0; p < probes->count; p++) {
        error[p] = look(probes, layer, p, reach);
        if (probes->wanted[p] > 0) seen += error[p];
        wanted += probes->wanted[p];
    }
    for (int64_t p = 0; p < probes->count; p++) {
        double excess = probes->wanted[p] > 0 ? error[p] * wanted / (probes->wanted[p] * seen) - 1 : 0;
        for (int64_t s = probes->first[p]; s < probes->first[p + 1]; s++) {
            const Sight *sight = &probes->sights[s];
            Blame *of = &blame[sight->point];
            of->error += excess * sight->weight;
            of->weight += sight->weight;
            if (probes->wanted[p] > 0) of->judged += sight->weight;
            for (int c = 0; c < 3; c++)
                of->gradient[c] += excess * sight->slope * (probes->place[p][c] - layer->position[sight->point][c]);
        }
    }
}

/* The step of a point away from where it is seen too well. */
static void shift(mnLayer *layer, int64_t i, const Blame *blame, double spacing) {
    double step[3] = {0, 0, 0};
    add_scaled3(step, step, mobility * spacing * spacing / blame->weight, blame->gradient);
    add_scaled3(step, step, -dot3(step, layer->normal[i]), layer->normal[i]);
    double length = length3(step), most = slack / (2 * SWEEPS) * spacing;
    add_scaled3(layer->position[i], layer->position[i], length > most ? most / length : 1, step);
}

/* A point that is seen too well loses volume and moves. The mean of all changes is taken out again, from those points
 * only that were judged: scaling all would drain the points along edges sweep by sweep. */
static void improve(mnLayer *layer, Blame *blame, double spacing) {
    double change = 0, judged = 0;
    for (int64_t i = 0; i < layer->count; i++) {
        if (layer->fixed[i] || !(blame[i].weight > 0)) {
            blame[i].error = blame[i].judged = 0;
            continue;
        }
        shift(layer, i, &blame[i], spacing);
        blame[i].error = fmin(fmax(blame[i].error / blame[i].weight, -0.05), 0.05);
        blame[i].judged /= blame[i].weight;
        change += layer->volume[i] * blame[i].error;
        judged += layer->volume[i] * blame[i].judged;
    }
    for (int64_t i = 0; i < layer->count; i++)
        if (judged > 0) layer->volume[i] *= 1 - (blame[i].error - blame[i].judged * change / judged);
}

static bool sweep(mnLayer *layer, Probes *probes, double spacing) {
    Blame *blame = malloc((size_t)(layer->count + 1) * sizeof *blame);
    double *error = malloc((size_t)(probes->count + 1) * sizeof *error);
    bool ok = blame && error;
    for (int i = 0; i < SWEEPS && ok; i++) {
        share_blame(probes, layer, support * spacing, error, blame);
        improve(layer, blame, spacing);
    }
    free(blame);
    free(error);
    return ok;
}

bool mn_layer_flatten(mnLayer *layer, const mnGeometry *geometry, double spacing, double pitch) {
    mnGrid grid;
    Probes probes = {0};
    if (!mn_grid_create(&grid, (support + slack) * spacing, layer->count)) return false;
    double *a = calloc((size_t)layer->count + 1, sizeof *a), *b = calloc((size_t)layer->count + 1, sizeof *b);
    bool ok = a && b;
    for (int64_t i = 0; i < layer->count && ok; i++) ok = mn_grid_add(&grid, layer->position[i], i);
    if (ok) find_curvature(layer, &grid, spacing, a, b);
    ok = ok && place_probes(&probes, layer, &grid, b, spacing, pitch);
    ok = ok && sweep(layer, &probes, spacing);
    if (ok) mn_layer_project(layer, geometry);
    free(a);
    free(b);
    free(probes.place);
    free(probes.wanted);
    free(probes.first);
    free(probes.sights);
    mn_grid_destroy(&grid);
    return ok;
}
