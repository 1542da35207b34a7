#include <stdlib.h>

#include "base/random.h"
#include "geometry/grid.h"
#include "geometry/layer.h"
#include "geometry/sample_parts.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* Layers of a wall along a mesh. The space of a layer is cut into cells of half a pitch; added up they
 * are its volume, and each cell, moved to the middle of the layer, is a place where a point could go. Points are thrown
 * at these places in a fixed random order, keeping a distance that shrinks until there is one for every square of the
 * pitch. Layers are taken one at a time, since the places of one are many more than the points of all. */

/* A point that is farther than this (in spacings) from where its layer should be has met another part of the surface:
 * the solid is too thin there. */
static const double off_layer = 0.02;

/* From random places it takes a while: the spread that layer.h speaks of is 9 % after 32 sweeps, 5.4 % after 80 and 5 %
 * after 400. */
enum { RELAX_SWEEPS = 80 };

static const double half_diagonal = 0.8660254037844386; /* of a cube of edge 1 */

typedef struct Places {
    double (*middle)[3]; /* on the middle of the layer, if the solid is thick enough there */
    double (*cell)[3];   /* centre of the cell */
    int64_t count, capacity;
} Places;

typedef struct Search {
    const mnWall *wall;
    double from, to; /* signed distances between which the layer lies */
    double cell;     /* edge of the smallest cells, m */
    double volume;   /* of the layer, m³ */
    Places places;
} Search;

static bool add_place(Search *search, const double cell[3], const double nearest[3], double distance) {
    Places *places = &search->places;
    if (places->count == places->capacity) {
        int64_t capacity = places->capacity ? 2 * places->capacity : 4096;
        void *middle = realloc(places->middle, (size_t)capacity * sizeof *places->middle);
        if (!middle) return false;
        places->middle = middle;
        void *cells = realloc(places->cell, (size_t)capacity * sizeof *places->cell);
        if (!cells) return false;
        places->cell = cells;
        places->capacity = capacity;
    }
    double away[3], middle[3];
    for (int c = 0; c < 3; c++) away[c] = distance != 0 ? (cell[c] - nearest[c]) / distance : 0;
    add_scaled3(middle, nearest, (search->from + search->to) / 2, away);
    mn_geometry_to_scene(search->wall->leaf, middle, places->middle[places->count]);
    mn_geometry_to_scene(search->wall->leaf, cell, places->cell[places->count]);
    places->count++;
    return true;
}

/* The part of a smallest cell that lies in the layer, if the surface cuts it squarely. */
static double overlap(const Search *search, double distance) {
    double below = fmin(fmax((search->to - distance) / search->cell + 0.5, 0), 1);
    double above = fmin(fmax((distance - search->from) / search->cell + 0.5, 0), 1);
    return below + above - 1;
}

/* Whether a cube can reach the layer, going by what is known from its parent's centre: the surface is no farther from
 * it than from the parent's nearest point, and no nearer than the parent's distance less the way between the two. */
static bool can_reach(const Search *search, const double centre[3], double size, const double nearest[3],
                      double distance_of_parent) {
    double near = fmin(fabs(search->from), fabs(search->to)), far = fmax(fabs(search->from), fabs(search->to));
    double reach = size > search->cell * 1.001 ? half_diagonal * size : search->cell / 2;
    return sqrt(distance_squared3(centre, nearest)) >= near - reach &&
           fabs(distance_of_parent) - half_diagonal * size <= far + reach;
}

/* Goes down an octree wherever a cube of this size can reach the layer. */
static bool descend(Search *search, const double centre[3], double size) {
    double nearest[3];
    double distance = mn_mesh_distance(search->wall->leaf->mesh, centre, nearest);
    if (size <= search->cell * 1.001) {
        search->volume += overlap(search, distance) * size * size * size;
        bool inside = distance >= search->from && distance < search->to;
        return !inside || add_place(search, centre, nearest, distance);
    }
    double reach = half_diagonal * size;
    if (distance + reach < search->from || distance - reach > search->to) return true;
    for (int child = 0; child < 8; child++) {
        double middle[3];
        for (int c = 0; c < 3; c++) middle[c] = centre[c] + (child >> c & 1 ? 0.25 : -0.25) * size;
        if (!can_reach(search, middle, size / 2, nearest, distance)) continue;
        if (!descend(search, middle, size / 2)) return false;
    }
    return true;
}

static bool find_places(Search *search) {
    const mnMesh *mesh = search->wall->leaf->mesh;
    double centre[3], extent = 0, size = search->cell;
    for (int c = 0; c < 3; c++) {
        centre[c] = (mesh->lower[c] + mesh->upper[c]) / 2;
        extent = fmax(extent, mesh->upper[c] - mesh->lower[c]);
    }
    while (size < extent + 2 * fmax(search->to, 0) + 2 * search->cell) size *= 2;
    return descend(search, centre, size);
}

/* In a fixed order: the same mesh gives the same points. */
static void shuffle(Places *places) {
    mnRandom random = mn_random_start(0, 0);
    for (int64_t i = places->count - 1; i > 0; i--) {
        int64_t j = (int64_t)(mn_random_uniform(&random) * (double)(i + 1));
        double swap[3];
        copy3(swap, places->middle[i]);
        copy3(places->middle[i], places->middle[j]);
        copy3(places->middle[j], swap);
        copy3(swap, places->cell[i]);
        copy3(places->cell[i], places->cell[j]);
        copy3(places->cell[j], swap);
    }
}

static bool throw_at(const mnWall *wall, mnGrid *grid, mnLayer *layer, const double place[3], double gap, bool fixed) {
    int64_t found;
    double normal[3];
    if (mn_grid_near(grid, layer->position, place, gap, &found, 1) > 0) return true;
    double distance = mn_geometry_probe(wall->leaf, place, normal);
    if (!fixed && fabs(distance - layer->offset) > off_layer * wall->spacing) return true;
    for (int c = 0; c < 3; c++) normal[c] *= wall->outside ? -1 : 1;
    return mn_layer_append(layer, place, normal, 0, fixed) && mn_grid_add(grid, place, layer->count - 1);
}

/* First at the middle of the layer; where the solid is too thin to have one, at the cells themselves. */
static bool throw_points(const mnWall *wall, const Places *places, int64_t wanted, double pitch, mnLayer *layer) {
    static const double gaps[] = {0.88, 0.82, 0.76, 0.70, 0.64};
    mnGrid grid;
    if (!mn_grid_create(&grid, pitch, wanted)) return false;
    bool ok = true;
    for (int round = 0; round < 10 && ok; round++) {
        bool thin = round >= 5;
        if (thin && layer->count >= wanted * 9 / 10) break;
        double(*place)[3] = thin ? places->cell : places->middle;
        for (int64_t i = 0; i < places->count && layer->count < wanted && ok; i++)
            ok = throw_at(wall, &grid, layer, place[i], gaps[round % 5] * pitch, thin);
    }
    mn_grid_destroy(&grid);
    return ok;
}

static bool sample_layer(const mnWall *wall, int number, mnPoints *points) {
    double near = number * wall->spacing, far = near + wall->spacing, pitch = mn_wall_pitch(wall, number);
    Search search = {
        .wall = wall, .cell = pitch / 2, .from = wall->outside ? near : -far, .to = wall->outside ? far : -near};
    mnLayer layer;
    mn_layer_init(&layer, (search.from + search.to) / 2);
    bool ok = find_places(&search);
    int64_t wanted = (int64_t)round(search.volume / (wall->spacing * pitch * pitch));
    if (ok && wanted > 0) {
        shuffle(&search.places);
        ok = throw_points(wall, &search.places, wanted, pitch, &layer) &&
             mn_layer_relax(&layer, wall->leaf, pitch, RELAX_SWEEPS) && mn_layer_share(&layer, pitch, search.volume) &&
             mn_layer_flatten(&layer, wall->leaf, wall->spacing, pitch) && mn_layer_add_to(&layer, points);
    }
    free(search.places.middle);
    free(search.places.cell);
    mn_layer_clear(&layer);
    return ok;
}

bool mn_sample_mesh_wall(const mnWall *wall, mnPoints *points) {
    for (int i = 0; i < wall->layers; i++)
        if (!sample_layer(wall, i, points)) return false;
    return true;
}
