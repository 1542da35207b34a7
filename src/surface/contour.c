/* Marching cubes over all blocks.
 *
 * A vertex is known by the edge of the grid that it cuts, and each edge belongs to one block: the one in which its
 * lower end has no index 7. A bit for every edge of a block tells which are cut; counting bits turns an edge into the
 * number of its vertex, from within the block as well as from a neighbour that has the edge on its face. So every
 * vertex exists once, and numbers depend on nothing but the order of the blocks. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "surface/cubes.h"
#include "surface/inside.h"

enum { EDGES = 3 * MN_BLOCK_CELLS * MN_BLOCK_CELLS * MN_BLOCK_CELLS, WORDS = (EDGES + 63) / 64 };

typedef struct Cut {
    uint64_t edge[WORDS];
    uint16_t before[WORDS]; /* how many are cut in the words before */
    int64_t first_vertex, first_triangle;
    bool is_torn; /* a neighbour did not have a vertex that it should have */
} Cut;

typedef struct Marching {
    mnReconstruction *r;
    Cut *cut;
    mnCube cube[256];
} Marching;

/* One bit per node of a block, a word per layer. */
static void find_inside(const mnBlocks *blocks, int64_t b, uint64_t inside[MN_BLOCK_NODES]) {
    const float *depth = blocks->depth + b * MN_BLOCK_VALUES, *clearance = mn_block_clearance(blocks, b);
    memset(inside, 0, MN_BLOCK_NODES * sizeof *inside);
    for (int n = 0; n < MN_BLOCK_VALUES; n++) inside[n / 64] |= (uint64_t)mn_is_inside(depth, clearance, n) << (n % 64);
}

static bool is_set(const uint64_t inside[MN_BLOCK_NODES], int x, int y, int z) {
    return inside[z] >> (x + 8 * y) & 1;
}

static int edge_number(int x, int y, int z, int axis) {
    return 3 * (x + MN_BLOCK_CELLS * (y + MN_BLOCK_CELLS * z)) + axis;
}

static int pattern_of(const uint64_t inside[MN_BLOCK_NODES], int x, int y, int z) {
    int pattern = 0;
    for (int c = 0; c < 8; c++) pattern |= is_set(inside, x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)) << c;
    return pattern;
}

/* Finds the cut edges of a block and counts; the counts stand where the first numbers will. */
static void count_block(void *context, int64_t b) {
    Marching *m = context;
    Cut *cut = &m->cut[b];
    uint64_t inside[MN_BLOCK_NODES];
    find_inside(&m->r->blocks, b, inside);
    for (int z = 0; z < MN_BLOCK_CELLS; z++)
        for (int y = 0; y < MN_BLOCK_CELLS; y++)
            for (int x = 0; x < MN_BLOCK_CELLS; x++) {
                bool here = is_set(inside, x, y, z);
                const bool there[3] = {is_set(inside, x + 1, y, z), is_set(inside, x, y + 1, z),
                                       is_set(inside, x, y, z + 1)};
                for (int axis = 0; axis < 3; axis++) {
                    int edge = edge_number(x, y, z, axis);
                    cut->edge[edge / 64] |= (uint64_t)(here != there[axis]) << (edge % 64);
                }
                cut->first_triangle += m->cube[pattern_of(inside, x, y, z)].count;
            }
    for (int w = 0; w < WORDS; w++) {
        cut->before[w] = (uint16_t)cut->first_vertex;
        cut->first_vertex += __builtin_popcountll(cut->edge[w]);
    }
}

/* How far along the way from a to b a field falls to 0, which is `a` at the one end and `b` at the other; 1 where it
 * does not. */
static double crossing(float a, float b) {
    return b > 0 ? 1 : (double)a / ((double)a - (double)b);
}

static void place_vertex(Marching *m, int64_t b, int n, int axis, int64_t vertex) {
    static const int stride[3] = {1, 8, 64};
    const mnBlocks *blocks = &m->r->blocks;
    const float *depth = blocks->depth + b * MN_BLOCK_VALUES, *clearance = mn_block_clearance(blocks, b);
    bool forwards = mn_is_inside(depth, clearance, n);
    int from = forwards ? n : n + stride[axis], to = forwards ? n + stride[axis] : n;
    double free = crossing(depth[from], depth[to]);
    double wall = clearance ? crossing(clearance[from] - MN_WALL_GAP, clearance[to] - MN_WALL_GAP) : 1;
    m->r->contour.kind[vertex] = wall < free ? MN_WALL : MN_FREE;
    /* Vertices of different edges must not meet in a node. */
    double t = fmin(fmax(fmin(free, wall), 0.01), 0.99);
    const int index[3] = {n % 8, n / 8 % 8, n / 64};
    for (int c = 0; c < 3; c++) {
        double at = MN_BLOCK_CELLS * (double)blocks->at[b][c] + index[c];
        if (c == axis) at += forwards ? t : 1 - t;
        m->r->contour.vertex[vertex][c] = at * m->r->voxel;
    }
}

static void place_vertices(void *context, int64_t b) {
    Marching *m = context;
    const Cut *cut = &m->cut[b];
    int64_t vertex = cut->first_vertex;
    for (int w = 0; w < WORDS; w++)
        for (uint64_t left = cut->edge[w]; left; left &= left - 1) {
            int edge = 64 * w + __builtin_ctzll(left), node = edge / 3;
            int x = node % MN_BLOCK_CELLS, y = node / MN_BLOCK_CELLS % MN_BLOCK_CELLS,
                z = node / (MN_BLOCK_CELLS * MN_BLOCK_CELLS);
            place_vertex(m, b, x + 8 * y + 64 * z, edge % 3, vertex++);
        }
}

/* The vertex on an edge of the cell (x, y, z) of a block, whose neighbours on the upper sides are `around`. */
static int32_t vertex_of(const Marching *m, Cut *own, const int64_t around[8], const int cell[3], int edge) {
    int corner = mn_cube_edge_corner(edge), which = 0, at[3];
    for (int c = 0; c < 3; c++) {
        at[c] = cell[c] + (corner >> c & 1);
        if (at[c] < MN_BLOCK_CELLS) continue;
        at[c] = 0;
        which |= 1 << c;
    }
    int number = edge_number(at[0], at[1], at[2], edge / 4);
    const Cut *cut = around[which] < 0 ? NULL : &m->cut[around[which]];
    uint64_t bit = (uint64_t)1 << (number % 64);
    if (!cut || !(cut->edge[number / 64] & bit)) {
        own->is_torn = true;
        return 0;
    }
    int rank = cut->before[number / 64] + __builtin_popcountll(cut->edge[number / 64] & (bit - 1));
    return (int32_t)(cut->first_vertex + rank);
}

static void place_triangles(void *context, int64_t b) {
    Marching *m = context;
    const mnBlocks *blocks = &m->r->blocks;
    int64_t around[8], triangle = m->cut[b].first_triangle;
    uint64_t inside[MN_BLOCK_NODES];
    find_inside(blocks, b, inside);
    for (int k = 0; k < 8; k++) {
        const int32_t at[3] = {blocks->at[b][0] + (k & 1), blocks->at[b][1] + (k >> 1 & 1),
                               blocks->at[b][2] + (k >> 2)};
        around[k] = mn_blocks_find(blocks, at);
    }
    for (int n = 0; n < MN_BLOCK_CELLS * MN_BLOCK_CELLS * MN_BLOCK_CELLS; n++) {
        const int cell[3] = {n % MN_BLOCK_CELLS, n / MN_BLOCK_CELLS % MN_BLOCK_CELLS,
                             n / (MN_BLOCK_CELLS * MN_BLOCK_CELLS)};
        const mnCube *cube = &m->cube[pattern_of(inside, cell[0], cell[1], cell[2])];
        for (int t = 0; t < cube->count; t++, triangle++)
            for (int k = 0; k < 3; k++)
                m->r->contour.triangle[triangle][k] = vertex_of(m, &m->cut[b], around, cell, cube->edge[t][k]);
    }
}

static mnStatus number(Marching *m) {
    mnContour *contour = &m->r->contour;
    for (int64_t b = 0; b < m->r->blocks.count; b++) {
        int64_t vertices = m->cut[b].first_vertex, triangles = m->cut[b].first_triangle;
        m->cut[b].first_vertex = contour->vertex_count;
        m->cut[b].first_triangle = contour->triangle_count;
        contour->vertex_count += vertices;
        contour->triangle_count += triangles;
    }
    mnMemory *memory = &m->r->memory;
    size_t vertices = (size_t)contour->vertex_count, triangles = (size_t)contour->triangle_count;
    if (contour->vertex_count > INT32_MAX)
        return mn_error_set(m->r->error, MN_ERROR_MEMORY,
                            "the surface has %lld vertices, more than can be numbered; take a larger voxel than %g m "
                            "(--voxel)",
                            (long long)contour->vertex_count, m->r->voxel);
    contour->vertex = mn_memory_take(memory, vertices * sizeof *contour->vertex);
    contour->kind = mn_memory_take(memory, vertices);
    contour->triangle = mn_memory_take(memory, triangles * sizeof *contour->triangle);
    if (contour->vertex && contour->kind && contour->triangle) return MN_OK;
    return mn_surface_no_memory(m->r, (double)(25 * vertices + 12 * triangles));
}

mnStatus mn_surface_contour(mnReconstruction *r) {
    Marching m = {.r = r};
    size_t bytes = (size_t)r->blocks.count * sizeof *m.cut;
    m.cut = mn_memory_take(&r->memory, bytes);
    if (!m.cut) return mn_surface_no_memory(r, (double)bytes);
    mn_cubes_make(m.cube);
    mn_parallel_items(r->threads, r->blocks.count, count_block, &m);
    mnStatus status = number(&m);
    if (status == MN_OK) {
        mn_parallel_items(r->threads, r->blocks.count, place_vertices, &m);
        mn_parallel_items(r->threads, r->blocks.count, place_triangles, &m);
        bool is_torn = false;
        for (int64_t b = 0; b < r->blocks.count; b++) is_torn = is_torn || m.cut[b].is_torn;
        if (is_torn)
            status =
                mn_error_set(r->error, MN_ERROR_INPUT,
                             "the surface could not be closed with a voxel of %g m; take another (--voxel)", r->voxel);
    }
    mn_memory_give(&r->memory, m.cut, bytes);
    return status;
}
