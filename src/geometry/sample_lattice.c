#include "geometry/sample_parts.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* Flat walls: lattices in the frame of the shape whose spacing divides each edge exactly, so that two faces share the
 * points of their corner and a wall ends where its patch ends. */

/* Cells along one axis: `count` of them of width `width` across the core, and `layers` of width h beyond each end. The
 * count is no integer type, since a description may ask for more than any holds. */
typedef struct Cells {
    double half; /* of the core, m */
    double count, width;
    int layers;
    double layer_width;
    bool is_filled; /* cells of the core belong to the wall */
} Cells;

/* Some layers of a box, all the way around. */
typedef struct Shell {
    const mnWall *wall;
    Cells cells[3];
    bool is_empty;
} Shell;

/* An edge this short between the layers of two sides is no core (in spacings, half of it). */
static const double shortest_core = 0.25;

static Cells divide(double half, double pitch) {
    double count = fmax(round(2 * half / pitch), 1);
    return (Cells){.half = half, .count = count, .width = 2 * half / count};
}

/* One axis of a shell whose outermost layer (of a container: the innermost) is number `first`. */
static Cells divide_shell(const mnWall *wall, int axis, int first, int layers) {
    double h = wall->spacing, half = wall->leaf->half[axis];
    double core = wall->outside ? half + first * h : half - (first + layers) * h;
    if (!wall->outside && core < shortest_core * h) {
        Cells cells = divide(half - first * h, h);
        cells.is_filled = true;
        return cells;
    }
    Cells cells = divide(core, mn_wall_pitch(wall, first));
    cells.layers = layers;
    cells.layer_width = h;
    return cells;
}

static Shell shell_of(const mnWall *wall, int first, int layers) {
    Shell shell = {.wall = wall, .cells = {[2] = {.count = 1}}};
    for (int c = 0; c < wall->leaf->dimension; c++) shell.cells[c] = divide_shell(wall, c, first, layers);
    return shell;
}

/* The layer at the surface and all others, of which a box that the first one fills has none. */
static void peel(const mnWall *wall, Shell *face, Shell *rest) {
    *face = shell_of(wall, 0, 1);
    *rest = shell_of(wall, 1, wall->layers - 1);
    for (int c = 0; c < wall->leaf->dimension; c++) rest->is_empty = rest->is_empty || face->cells[c].is_filled;
}

static double middle_of(const Cells *cells, int64_t i) {
    int64_t count = (int64_t)cells->count;
    if (i < 0) return -cells->half + ((double)i + 0.5) * cells->layer_width;
    if (i >= count) return cells->half + ((double)(i - count) + 0.5) * cells->layer_width;
    return -cells->half + ((double)i + 0.5) * cells->width;
}

static bool is_core(const Cells *cells, int64_t i) {
    return i >= 0 && i < (int64_t)cells->count;
}

static bool is_wall(const Cells *cells, int64_t i) {
    return cells->is_filled || !is_core(cells, i);
}

static bool add_cell(const Shell *shell, const int64_t number[3], mnPoints *points) {
    const mnGeometry *leaf = shell->wall->leaf;
    double local[3] = {0, 0, 0}, position[3], volume = 1;
    for (int c = 0; c < leaf->dimension; c++) {
        const Cells *cells = &shell->cells[c];
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): there are at most three dimensions */
        local[c] = middle_of(cells, number[c]);
        volume *= is_core(cells, number[c]) ? cells->width : cells->layer_width;
    }
    mn_geometry_to_scene(leaf, local, position);
    return mn_points_append(points, position, volume);
}

/* Rows along the first axis; their middle is jumped over where it is not part of the wall. */
static bool add_row(const Shell *shell, int64_t j, int64_t k, mnPoints *points) {
    const Cells *cells = shell->cells;
    bool is_whole = is_wall(&cells[0], 0) || is_wall(&cells[1], j) || is_wall(&cells[2], k);
    int64_t end = (int64_t)cells[0].count + cells[0].layers;
    for (int64_t i = -cells[0].layers; i < end; i++) {
        if (!is_whole && i == 0) i = (int64_t)cells[0].count;
        if (!add_cell(shell, (const int64_t[3]){i, j, k}, points)) return false;
    }
    return true;
}

static bool sample_shell(const Shell *shell, mnPoints *points) {
    const Cells *cells = shell->cells;
    if (shell->is_empty) return true;
    for (int64_t k = -cells[2].layers; k < (int64_t)cells[2].count + cells[2].layers; k++)
        for (int64_t j = -cells[1].layers; j < (int64_t)cells[1].count + cells[1].layers; j++)
            if (!add_row(shell, j, k, points)) return false;
    return true;
}

/* All cells, less those of the core where it is no wall. */
static double count_shell(const Shell *shell) {
    double all = 1, empty = 1;
    if (shell->is_empty) return 0;
    for (int c = 0; c < shell->wall->leaf->dimension; c++) {
        const Cells *cells = &shell->cells[c];
        all *= cells->count + 2 * cells->layers;
        empty *= cells->is_filled ? 0 : cells->count;
    }
    return all - empty;
}

static Cells across_plane(const mnWall *wall, int axis, int layer) {
    if (axis == 1 && wall->leaf->dimension == 2) return (Cells){.count = 1, .width = 1};
    return divide(wall->leaf->half[axis], mn_wall_pitch(wall, layer));
}

static bool sample_plane_layer(const mnWall *wall, int layer, mnPoints *points) {
    Cells u = across_plane(wall, 0, layer), v = across_plane(wall, 1, layer);
    for (int64_t j = 0; j < (int64_t)v.count; j++)
        for (int64_t i = 0; i < (int64_t)u.count; i++) {
            double local[3] = {middle_of(&u, i), wall->leaf->dimension == 3 ? middle_of(&v, j) : 0,
                               -(layer + 0.5) * wall->spacing};
            double position[3];
            mn_geometry_to_scene(wall->leaf, local, position);
            if (!mn_points_append(points, position, u.width * v.width * wall->spacing)) return false;
        }
    return true;
}

bool mn_sample_lattice_wall(const mnWall *wall, mnPoints *points) {
    if (wall->leaf->kind == MN_SHAPE_BOX) {
        Shell face, rest;
        peel(wall, &face, &rest);
        return sample_shell(&face, points) && sample_shell(&rest, points);
    }
    for (int layer = 0; layer < wall->layers; layer++)
        if (!sample_plane_layer(wall, layer, points)) return false;
    return true;
}

double mn_count_lattice_wall(const mnWall *wall) {
    if (wall->leaf->kind == MN_SHAPE_BOX) {
        Shell face, rest;
        peel(wall, &face, &rest);
        return count_shell(&face) + count_shell(&rest);
    }
    double count = 0;
    for (int layer = 0; layer < wall->layers; layer++)
        count += across_plane(wall, 0, layer).count * across_plane(wall, 1, layer).count;
    return count;
}
