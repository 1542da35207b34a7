#include "geometry/sample_parts.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* Flat walls: lattices in the frame of the shape whose spacing divides each edge exactly, so that two faces share the
 * points of their corner and a wall ends where its patch ends. */

/* Cells along one axis: `count` of them of width `width` across the shape, and `layers` of width h beyond each end. */
typedef struct Cells {
    double half, width, layer_width;
    int64_t count, layers;
} Cells;

static Cells divide(double half, double spacing, int layers_outside) {
    Cells cells = {.half = half, .layer_width = spacing, .layers = layers_outside};
    cells.count = (int64_t)fmax(round(2 * half / spacing), 1);
    cells.width = 2 * half / (double)cells.count;
    return cells;
}

static double middle_of(const Cells *cells, int64_t i) {
    if (i < 0) return -cells->half + ((double)i + 0.5) * cells->layer_width;
    if (i >= cells->count) return cells->half + ((double)(i - cells->count) + 0.5) * cells->layer_width;
    return -cells->half + ((double)i + 0.5) * cells->width;
}

static double width_of(const Cells *cells, int64_t i) {
    return i < 0 || i >= cells->count ? cells->layer_width : cells->width;
}

/* How many cells lie between this one and the nearer end; negative outside. */
static int64_t depth_of(const Cells *cells, int64_t i) {
    return i < cells->count - 1 - i ? i : cells->count - 1 - i;
}

static bool add_cell(const mnWall *wall, const Cells cells[3], const int64_t number[3], mnPoints *points) {
    double local[3], position[3], volume = 1;
    for (int c = 0; c < 3; c++) {
        bool flat = wall->leaf->dimension == 2 && c == 2;
        local[c] = flat ? 0 : middle_of(&cells[c], number[c]);
        volume *= flat ? 1 : width_of(&cells[c], number[c]);
    }
    mn_geometry_to_scene(wall->leaf, local, position);
    return mn_points_append(points, position, volume);
}

/* Rows along the first axis; their middle is jumped over where it is not part of the wall. */
static bool add_row(const mnWall *wall, const Cells cells[3], int64_t j, int64_t k, mnPoints *points) {
    bool flat = wall->leaf->dimension == 2;
    int64_t depth = depth_of(&cells[1], j);
    if (!flat && depth_of(&cells[2], k) < depth) depth = depth_of(&cells[2], k);
    bool whole = wall->outside ? depth < 0 : depth < wall->layers;
    int64_t end = cells[0].count + cells[0].layers;
    for (int64_t i = -cells[0].layers; i < end; i++) {
        if (!whole && wall->outside && i == 0) i = cells[0].count;
        if (!whole && !wall->outside && i == wall->layers && cells[0].count - wall->layers > i)
            i = cells[0].count - wall->layers;
        if (i >= end) break;
        const int64_t number[3] = {i, j, k};
        if (!add_cell(wall, cells, number, points)) return false;
    }
    return true;
}

static bool sample_box(const mnWall *wall, mnPoints *points) {
    Cells cells[3];
    for (int c = 0; c < 3; c++) cells[c] = divide(wall->leaf->half[c], wall->spacing, wall->outside ? wall->layers : 0);
    if (wall->leaf->dimension == 2) cells[2] = (Cells){.count = 1};
    for (int64_t k = -cells[2].layers; k < cells[2].count + cells[2].layers; k++)
        for (int64_t j = -cells[1].layers; j < cells[1].count + cells[1].layers; j++)
            if (!add_row(wall, cells, j, k, points)) return false;
    return true;
}

static bool sample_plane(const mnWall *wall, mnPoints *points) {
    const mnGeometry *leaf = wall->leaf;
    Cells u = divide(leaf->half[0], wall->spacing, 0), v = {.count = 1, .width = 1};
    if (leaf->dimension == 3) v = divide(leaf->half[1], wall->spacing, 0);
    for (int layer = 0; layer < wall->layers; layer++)
        for (int64_t j = 0; j < v.count; j++)
            for (int64_t i = 0; i < u.count; i++) {
                double local[3] = {middle_of(&u, i), leaf->dimension == 3 ? middle_of(&v, j) : 0,
                                   -(layer + 0.5) * wall->spacing};
                double position[3];
                mn_geometry_to_scene(leaf, local, position);
                if (!mn_points_append(points, position, u.width * v.width * wall->spacing)) return false;
            }
    return true;
}

bool mn_sample_lattice_wall(const mnWall *wall, mnPoints *points) {
    return wall->leaf->kind == MN_SHAPE_PLANE ? sample_plane(wall, points) : sample_box(wall, points);
}
