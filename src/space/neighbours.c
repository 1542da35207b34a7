#include "space/neighbours.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

/* Cells of the whole search radius. Half of it (REACH 2) leaves 40 % fewer candidates in three times as many and
 * shorter runs: 6 % slower on 33,000 particles. */
enum { REACH = 1, MOST_RUNS = (2 * REACH + 1) * (2 * REACH + 1) };

typedef struct mnSearch {
    mnReal near, wide; /* squared radii, m² */
    const mnVec *fluid, *boundary;
    const mnCells *fluid_cells, *boundary_cells;
} mnSearch;

void mn_neighbours_release(mnNeighbours *neighbours, mnMemory *memory) {
    mn_cells_release(&neighbours->fluid_cells, memory);
    mn_cells_release(&neighbours->boundary_cells, memory);
    mn_memory_give(memory, neighbours->fluid_list, (size_t)neighbours->fluid_list_capacity * sizeof(int32_t));
    mn_memory_give(memory, neighbours->boundary_list, (size_t)neighbours->boundary_list_capacity * sizeof(int32_t));
    *neighbours = (mnNeighbours){.spacing = neighbours->spacing};
}

void mn_neighbours_boundary_moved(mnNeighbours *neighbours) {
    neighbours->boundary_is_sorted = false;
}

/* Particles around a cell as runs of the sorted order. Cells of a row, which differ in x alone, follow each other
 * there, so each row of cells is one run. */
typedef struct mnRuns {
    int32_t first[MOST_RUNS], end[MOST_RUNS];
    int count;
} mnRuns;

/* The first cell of the row (y, z) with x in [low, high], or NULL. */
static const mnCell *first_of_row(const mnCells *cells, int32_t low, int32_t high, int32_t y, int32_t z) {
    for (int32_t x = low; x <= high; x++) {
        const mnCell *cell = mn_cells_find(cells, x, y, z);
        if (cell) return cell;
    }
    return NULL;
}

static mnRuns runs_around(const mnCells *cells, const mnCell *centre) {
    mnRuns runs = {.count = 0};
    const mnCell *end = cells->cells + cells->cell_count;
    int32_t low[3] = {centre->x - REACH, centre->y - REACH, centre->z - REACH};
    int32_t high[3] = {centre->x + REACH, centre->y + REACH, centre->z + REACH};
    for (int a = 0; a < 3; a++) {
        if (low[a] < cells->low[a]) low[a] = cells->low[a];
        if (high[a] > cells->high[a]) high[a] = cells->high[a];
    }
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++) {
            const mnCell *cell = first_of_row(cells, low[0], high[0], y, z);
            if (!cell) continue;
            int run = runs.count++;
            runs.first[run] = runs.end[run] = cell->first;
            for (; cell < end && cell->z == z && cell->y == y && cell->x <= high[0]; cell++)
                runs.end[run] += cell->count;
        }
    return runs;
}

typedef struct mnFound {
    int32_t near, all;
} mnFound;

enum { CHUNK = 64 };

/* |x − x_j|² of up to CHUNK particles from `first` on. One function, never inlined, for both passes below: were the
 * compiler to contract its multiply-adds differently in each, a pair at the very edge could be counted and not listed.
 */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
square_distances(const mnVec *position, int32_t first, int32_t count, mnVec x, mnReal *rr) {
    for (int32_t k = 0; k < count; k++) {
        mnVec d = mn_sub(x, mn_load(position, first + k));
        rr[k] = mn_dot(d, d);
    }
}

static int32_t chunk_size(const mnRuns *runs, int run, int32_t first) {
    return runs->end[run] - first < CHUNK ? runs->end[run] - first : CHUNK;
}

/* How many particles of the runs lie within 2h and within 3h of x, x itself included if it is one of them. */
static mnFound count_within(const mnRuns *runs, const mnVec *position, mnVec x, const mnSearch *search) {
    int32_t near = 0, all = 0;
    mnReal rr[CHUNK];
    for (int a = 0; a < runs->count; a++)
        for (int32_t first = runs->first[a]; first < runs->end[a]; first += CHUNK) {
            int32_t count = chunk_size(runs, a, first);
            square_distances(position, first, count, x, rr);
            MN_LANES(near, all)
            for (int32_t k = 0; k < count; k++) {
                near += rr[k] < search->near;
                all += rr[k] < search->wide;
            }
        }
    return (mnFound){near, all};
}

/* Writes the particles within 3h to `list`, those within 2h, of which there are `near_count`, first. Hits are collected
 * without a branch: which candidate is one cannot be foretold, and a wrong guess costs more than all the rest. */
static void list_within(const mnRuns *runs, const mnVec *position, mnVec x, int64_t self, const mnSearch *search,
                        int32_t *list, int32_t near_count) {
    mnReal rr[CHUNK];
    int32_t near_hits[CHUNK], far_hits[CHUNK];
    int32_t *near_end = list, *far_end = list + near_count;
    for (int a = 0; a < runs->count; a++)
        for (int32_t first = runs->first[a]; first < runs->end[a]; first += CHUNK) {
            int32_t count = chunk_size(runs, a, first), near = 0, far = 0;
            square_distances(position, first, count, x, rr);
            for (int32_t k = 0; k < count; k++) {
                bool is_other = first + k != self;
                near_hits[near] = far_hits[far] = first + k;
                near += is_other & (rr[k] < search->near);
                far += is_other & (rr[k] >= search->near) & (rr[k] < search->wide);
            }
            memcpy(near_end, near_hits, (size_t)near * sizeof *list);
            memcpy(far_end, far_hits, (size_t)far * sizeof *list);
            near_end += near;
            far_end += far;
        }
}

/* Counts (list NULL) or writes the neighbours of all fluid particles of one cell. */
static void visit_fluid_cell(const mnSearch *search, const mnCell *cell, mnSpan *spans, int32_t *list) {
    mnRuns fluid = runs_around(search->fluid_cells, cell), boundary = runs_around(search->boundary_cells, cell);
    for (int32_t i = cell->first; i < cell->first + cell->count; i++) {
        mnVec x = search->fluid[i];
        mnSpan *span = &spans[i];
        if (!list) {
            mnFound f = count_within(&fluid, search->fluid, x, search);
            mnFound b = count_within(&boundary, search->boundary, x, search);
            span->fluid_near = f.near - 1; /* less itself */
            span->fluid_all = f.all - 1;
            span->boundary_near = span->fluid_all + b.near;
            span->boundary_all = span->fluid_all + b.all;
        } else {
            int32_t *to = list + span->first;
            list_within(&fluid, search->fluid, x, i, search, to, span->fluid_near);
            list_within(&boundary, search->boundary, x, -1, search, to + span->fluid_all,
                        span->boundary_near - span->fluid_all);
        }
    }
}

/* Likewise for the fluid neighbours of the boundary particles of one cell. */
static void visit_boundary_cell(const mnSearch *search, const mnCell *cell, mnSpan *spans, int32_t *list) {
    mnRuns fluid = runs_around(search->fluid_cells, cell);
    for (int32_t b = cell->first; b < cell->first + cell->count; b++) {
        mnVec x = search->boundary[b];
        if (!list) {
            mnFound found = count_within(&fluid, search->fluid, x, search);
            spans[b] = (mnSpan){.fluid_near = found.near, .fluid_all = found.all};
        } else {
            list_within(&fluid, search->fluid, x, -1, search, list + spans[b].first, spans[b].fluid_near);
        }
    }
}

typedef void (*mnCellVisit)(const mnSearch *search, const mnCell *cell, mnSpan *spans, int32_t *list);

static void visit_all(const mnSearch *search, const mnCells *cells, mnCellVisit visit, mnSpan *spans, int32_t *list,
                      int threads) {
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
#endif
    for (int64_t c = 0; c < cells->cell_count; c++) visit(search, &cells->cells[c], spans, list);
}

/* Gives every span its place in the list; the whole length. */
static int64_t lay_out(mnSpan *spans, int64_t count, bool with_boundary) {
    int64_t total = 0;
    for (int64_t i = 0; i < count; i++) {
        spans[i].first = total;
        total += with_boundary ? spans[i].boundary_all : spans[i].fluid_all;
    }
    return total;
}

static mnSearchResult sort_fluid(mnNeighbours *neighbours, mnMemory *memory, mnFluidState *fluid, const uint8_t *dead,
                                 int threads) {
    neighbours->fluid_cells.size = 3.0 / REACH * neighbours->spacing;
    int64_t left = mn_cells_sort(&neighbours->fluid_cells, memory, fluid->position, dead, fluid->count);
    if (left < 0) return left == -1 ? MN_SEARCH_NO_MEMORY : MN_SEARCH_LOST;
    mn_fluid_reorder(fluid, neighbours->fluid_cells.order, left, threads);
    bool ok = mn_cells_index(&neighbours->fluid_cells, memory, fluid->position, left);
    return ok ? MN_SEARCH_OK : MN_SEARCH_NO_MEMORY;
}

static mnSearchResult sort_boundary(mnNeighbours *neighbours, mnMemory *memory, mnBoundaryState *boundary,
                                    int threads) {
    if (neighbours->boundary_is_sorted) return MN_SEARCH_OK;
    neighbours->boundary_cells.size = 3.0 / REACH * neighbours->spacing;
    int64_t left = mn_cells_sort(&neighbours->boundary_cells, memory, boundary->position, NULL, boundary->count);
    if (left < 0) return left == -1 ? MN_SEARCH_NO_MEMORY : MN_SEARCH_LOST;
    mn_boundary_reorder(boundary, neighbours->boundary_cells.order, left, threads);
    if (!mn_cells_index(&neighbours->boundary_cells, memory, boundary->position, left)) return MN_SEARCH_NO_MEMORY;
    neighbours->boundary_is_sorted = true;
    return MN_SEARCH_OK;
}

mnSearchResult mn_neighbours_build(mnNeighbours *neighbours, mnMemory *memory, mnFluidState *fluid,
                                   mnBoundaryState *boundary, const uint8_t *dead, int threads) {
    mnSearchResult result = sort_fluid(neighbours, memory, fluid, dead, threads);
    if (result == MN_SEARCH_OK) result = sort_boundary(neighbours, memory, boundary, threads);
    if (result != MN_SEARCH_OK) return result;

    mnReal h = (mnReal)neighbours->spacing;
    mnSearch search = {.near = 4 * h * h,
                       .wide = 9 * h * h,
                       .fluid = fluid->position,
                       .boundary = boundary->position,
                       .fluid_cells = &neighbours->fluid_cells,
                       .boundary_cells = &neighbours->boundary_cells};
    visit_all(&search, &neighbours->fluid_cells, visit_fluid_cell, fluid->span, NULL, threads);
    visit_all(&search, &neighbours->boundary_cells, visit_boundary_cell, boundary->span, NULL, threads);
    int64_t fluid_total = lay_out(fluid->span, fluid->count, true);
    int64_t boundary_total = lay_out(boundary->span, boundary->count, false);
    if (!mn_memory_grow(memory, (void **)&neighbours->fluid_list, &neighbours->fluid_list_capacity, 0, fluid_total,
                        sizeof(int32_t)) ||
        !mn_memory_grow(memory, (void **)&neighbours->boundary_list, &neighbours->boundary_list_capacity, 0,
                        boundary_total, sizeof(int32_t)))
        return MN_SEARCH_NO_MEMORY;
    visit_all(&search, &neighbours->fluid_cells, visit_fluid_cell, fluid->span, neighbours->fluid_list, threads);
    visit_all(&search, &neighbours->boundary_cells, visit_boundary_cell, boundary->span, neighbours->boundary_list,
              threads);

    boundary->active_count = 0;
    for (int64_t b = 0; b < boundary->count; b++)
        if (boundary->span[b].fluid_all > 0) boundary->active[boundary->active_count++] = (int32_t)b;
    return MN_SEARCH_OK;
}

void mn_neighbours_forget(mnFluidState *fluid, mnBoundaryState *boundary) {
    if (fluid->count > 0) memset(fluid->span, 0, (size_t)fluid->count * sizeof *fluid->span);
    boundary->active_count = 0;
}

bool mn_neighbours_boundary_own(mnNeighbours *neighbours, mnMemory *memory, mnBoundaryState *boundary, mnConstants c,
                                int threads) {
    if (sort_boundary(neighbours, memory, boundary, threads) != MN_SEARCH_OK) return false;
    const mnCells *cells = &neighbours->boundary_cells;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
#endif
    for (int64_t k = 0; k < cells->cell_count; k++) {
        const mnCell *cell = &cells->cells[k];
        mnRuns runs = runs_around(cells, cell);
        for (int32_t i = cell->first; i < cell->first + cell->count; i++) {
            mnVec x = boundary->position[i];
            mnReal wide = 0, near = 0;
            for (int a = 0; a < runs.count; a++) {
                MN_LANES(wide, near)
                for (int32_t j = runs.first[a]; j < runs.end[a]; j++) {
                    mnVec xj = mn_load(boundary->position, j);
                    mnVec d = mn_sub(x, xj);
                    mnReal r = mn_sqrt(mn_dot(d, d));
                    wide += xj.w * mn_spline_value(c.wide, r);
                    near += xj.w * mn_spline_value(c.near, r);
                }
            }
            boundary->own[i] = mn_vec(wide, near, 0, 0);
        }
    }
    return true;
}

static bool ball_is_empty(const mnCells *cells, const mnVec *position, mnVec x, double radius) {
    if (cells->cell_count == 0) return true;
    int32_t at[3];
    mn_cells_locate(cells, x, at);
    int reach = (int)ceil(radius / cells->size);
    for (int dz = -reach; dz <= reach; dz++)
        for (int dy = -reach; dy <= reach; dy++)
            for (int dx = -reach; dx <= reach; dx++) {
                const mnCell *cell = mn_cells_find(cells, at[0] + dx, at[1] + dy, at[2] + dz);
                for (int32_t j = cell ? cell->first : 0; cell && j < cell->first + cell->count; j++) {
                    mnVec d = mn_sub(x, position[j]);
                    if ((double)mn_dot(d, d) < radius * radius) return false;
                }
            }
    return true;
}

bool mn_neighbours_is_free(const mnNeighbours *neighbours, const mnFluidState *fluid, const mnBoundaryState *boundary,
                           const double point[3], double radius) {
    mnVec x = mn_vec((mnReal)point[0], (mnReal)point[1], (mnReal)point[2], 0);
    return ball_is_empty(&neighbours->fluid_cells, fluid->position, x, radius) &&
           ball_is_empty(&neighbours->boundary_cells, boundary->position, x, radius);
}
