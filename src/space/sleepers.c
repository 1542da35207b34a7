#include "space/sleepers.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "space/densities.h"
#include "space/reach.h"

enum { PARTS = 65536 };
static const double LARGEST_PART = PARTS - 1;

void mn_sleepers_release(mnSleepers *all, mnMemory *memory) {
    mn_cells_release(&all->cells, memory);
    mn_memory_give(memory, all->sleepers, (size_t)all->capacity * sizeof *all->sleepers);
    mn_memory_give(memory, all->runs, (size_t)all->run_capacity * sizeof *all->runs);
    mn_memory_give(memory, all->places, (size_t)all->place_capacity * sizeof *all->places);
    mn_memory_give(memory, all->solids, (size_t)all->solid_capacity * sizeof *all->solids);
    mn_memory_give(memory, all->is_met, (size_t)all->met_capacity * sizeof *all->is_met);
    mn_memory_give(memory, all->shore, (size_t)all->shore_capacity * sizeof *all->shore);
    mn_memory_give(memory, all->is_awake, (size_t)all->awake_capacity * sizeof *all->is_awake);
    mn_memory_give(memory, all->names, (size_t)all->name_capacity * sizeof *all->names);
    *all = (mnSleepers){0};
}

/* ---- going to sleep ---------------------------------------------------------------------------------------------- */

bool mn_sleepers_reserve(mnSleepers *all, mnMemory *memory, int64_t more) {
    int64_t needed = all->place_count + more;
    return mn_memory_grow(memory, (void **)&all->places, &all->place_capacity, all->place_count, needed,
                          sizeof *all->places) &&
           mn_memory_grow(memory, (void **)&all->solids, &all->solid_capacity, all->place_count, needed,
                          sizeof *all->solids);
}

bool mn_sleepers_add(mnSleepers *all, mnMemory *memory, mnVec place, int32_t solid) {
    if (!mn_sleepers_reserve(all, memory, 1)) return false;
    all->places[all->place_count] = place;
    all->solids[all->place_count++] = solid;
    return true;
}

/* The nearest part: what lies at 0, as all does in a plane, stays there. */
static mnSleeper part_of(double share) {
    return (mnSleeper)fmin(fmax(round(share * PARTS), 0), LARGEST_PART);
}

static mnSleeper pack(const mnSleepers *all, const mnCell *cell, mnVec place) {
    double edge = all->cells.size;
    mnSleeper volume = (mnSleeper)fmax(1, round((double)place.w / all->largest_volume * LARGEST_PART));
    return part_of((double)place.x / edge - cell->x) | part_of((double)place.y / edge - cell->y) << 16 |
           part_of((double)place.z / edge - cell->z) << 32 | volume << 48;
}

static mnReal along(double edge, int32_t cell, mnSleeper part) {
    return (mnReal)(edge * (cell + (double)(part & (PARTS - 1)) / PARTS));
}

static mnVec unpack(const mnSleepers *all, const mnCell *cell, int32_t s) {
    double edge = all->cells.size;
    mnSleeper sleeper = all->sleepers[s];
    return mn_vec(along(edge, cell->x, sleeper), along(edge, cell->y, sleeper >> 16),
                  along(edge, cell->z, sleeper >> 32),
                  (mnReal)((double)(sleeper >> 48) / LARGEST_PART * all->largest_volume));
}

static bool note_runs(mnSleepers *all, mnMemory *memory, const int32_t *order) {
    int64_t needed = 0;
    for (int64_t s = 0; s < all->count; s++) needed += s == 0 || all->solids[order[s]] != all->solids[order[s - 1]];
    all->run_count = 0;
    if (!mn_memory_grow(memory, (void **)&all->runs, &all->run_capacity, 0, needed, sizeof *all->runs)) return false;
    for (int64_t s = 0; s < all->count; s++)
        if (s == 0 || all->solids[order[s]] != all->solids[order[s - 1]])
            all->runs[all->run_count++] = (mnSolidRun){(int32_t)s, all->solids[order[s]]};
    return true;
}

static mnSearchResult sort_and_pack(mnSleepers *all, mnMemory *memory, mnSorting *sorting, int threads) {
    if (mn_cells_sort(&all->cells, sorting, all->places, NULL, all->count, threads) < 0) return MN_SEARCH_LOST;
    if (!mn_cells_index(&all->cells, memory, sorting, all->count) || !note_runs(all, memory, sorting->order) ||
        !mn_memory_grow(memory, (void **)&all->sleepers, &all->capacity, 0, all->count, sizeof *all->sleepers))
        return MN_SEARCH_NO_MEMORY;
    all->largest_volume = 0;
    for (int64_t s = 0; s < all->count; s++) all->largest_volume = fmax(all->largest_volume, (double)all->places[s].w);
    for (int64_t c = 0; c < all->cells.cell_count; c++) {
        const mnCell *cell = &all->cells.cells[c];
        for (int32_t s = cell->first; s < cell->first + cell->count; s++)
            all->sleepers[s] = pack(all, cell, all->places[sorting->order[s]]);
    }
    return MN_SEARCH_OK;
}

mnSearchResult mn_sleepers_settle(mnSleepers *all, mnMemory *memory, double edge, int threads) {
    mnSorting sorting;
    if (all->place_count == 0) return MN_SEARCH_OK;
    all->count = all->place_count;
    all->cells.size = edge;
    if (!mn_sorting_take(&sorting, memory, all->count)) return MN_SEARCH_NO_MEMORY;
    mnSearchResult result = sort_and_pack(all, memory, &sorting, threads);
    mn_sorting_give(&sorting, memory, all->count);
    if (result == MN_SEARCH_LOST) return result; /* somebody may ask where */
    mn_memory_give(memory, all->places, (size_t)all->place_capacity * sizeof *all->places);
    mn_memory_give(memory, all->solids, (size_t)all->solid_capacity * sizeof *all->solids);
    all->places = NULL;
    all->solids = NULL;
    all->place_count = all->place_capacity = all->solid_capacity = 0;
    return result;
}

/* The run that a sleeper is in. */
static const mnSolidRun *run_of(const mnSleepers *all, int32_t s) {
    const mnSolidRun *run = all->runs;
    for (int64_t left = all->run_count; left > 1;) {
        int64_t half = left / 2;
        if (run[half].first <= s) run += half;
        left -= half;
    }
    return run;
}

static const mnSolidRun *run_next(const mnSleepers *all, const mnSolidRun *run, int32_t s) {
    return run + 1 < all->runs + all->run_count && run[1].first <= s ? run + 1 : run;
}

void mn_sleepers_tell(const mnSleepers *all, mnVec *position, int32_t *solid) {
    const mnSolidRun *run = all->runs;
    for (int64_t c = 0; c < all->cells.cell_count; c++) {
        const mnCell *cell = &all->cells.cells[c];
        for (int32_t s = cell->first; s < cell->first + cell->count; s++) {
            run = run_next(all, run, s);
            position[s] = unpack(all, cell, s);
            solid[s] = run->solid;
        }
    }
}

/* ---- waking ------------------------------------------------------------------------------------------------------ */

/* Finds the cells that have fluid in a cell around. */
static bool find_shore(mnSleepers *all, mnMemory *memory, const mnCells *fluid_cells, int64_t *shore_count,
                       int threads) {
    int64_t cell_count = all->cells.cell_count, count = 0, sleepers = 0;
    (void)threads;
    if (!mn_memory_grow(memory, (void **)&all->is_met, &all->met_capacity, 0, cell_count, sizeof *all->is_met))
        return false;
    memset(all->is_met, 0, (size_t)cell_count);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64)
#endif
    for (int64_t c = 0; c < fluid_cells->cell_count; c++)
        mn_cells_around(&all->cells, &fluid_cells->cells[c], all->is_met);
    for (int64_t c = 0; c < cell_count; c++) count += all->is_met[c];
    if (!mn_memory_grow(memory, (void **)&all->shore, &all->shore_capacity, 0, count, sizeof *all->shore)) return false;
    count = 0;
    for (int64_t c = 0; c < cell_count; c++) {
        if (!all->is_met[c]) continue;
        all->shore[count++] = (mnShore){.cell = (int32_t)c, .first = (int32_t)sleepers};
        sleepers += all->cells.cells[c].count;
    }
    *shore_count = count;
    return mn_memory_grow(memory, (void **)&all->is_awake, &all->awake_capacity, 0, sleepers, sizeof *all->is_awake);
}

/* Who of a cell has fluid within the radius. */
static void rouse(const mnSleepers *all, mnShore *shore, const mnCells *fluid_cells, const mnPlaces *fluid,
                  mnRadii radii, const mnReach *reach) {
    const mnCell *cell = &all->cells.cells[shore->cell];
    mnRuns runs = mn_cells_around(fluid_cells, cell, NULL);
    mnCatch found;
    shore->awake_count = 0;
    for (int32_t k = 0; k < cell->count; k++) {
        reach->find(&runs, fluid, unpack(all, cell, cell->first + k), radii, &found);
        bool is_awake = found.near + found.far > 0;
        all->is_awake[shore->first + k] = is_awake;
        shore->awake_count += is_awake;
    }
}

/* Where a sleeper is among the boundary particles of before, or would be. */
static int64_t place_among(const mnSleepers *all, int32_t s) {
    int64_t first = 0, end = all->name_count;
    while (first < end) {
        int64_t middle = (first + end) / 2;
        if (all->names[middle] < s)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Makes boundary particles of those of a cell that wake. What is told of them goes where nobody reads yet: names to
 * `active` and `own` to `numbers`, since those of before are still being looked up. */
static void dress(const mnSleepers *all, const mnShore *shore, mnBoundaryState *boundary) {
    const mnCell *cell = &all->cells.cells[shore->cell];
    const mnSolidRun *run = run_of(all, cell->first);
    int64_t before = place_among(all, cell->first);
    int32_t b = shore->awake_first;
    for (int32_t k = 0; k < cell->count; k++) {
        int32_t s = cell->first + k;
        run = run_next(all, run, s);
        if (!all->is_awake[shore->first + k]) continue;
        while (before < all->name_count && all->names[before] < s) before++;
        bool was_awake = before < all->name_count && all->names[before] == s;
        boundary->numbers[b] = was_awake ? boundary->own[before] : mn_vec(0, 0, 0, 1);
        boundary->active[b] = s;
        boundary->position[b] = boundary->origin[b] = unpack(all, cell, s);
        boundary->velocity[b] = mn_vec(0, 0, 0, 0);
        boundary->solid[b++] = run->solid;
    }
}

/* Gives those that wake their numbers, and makes their cells. */
static bool number_awake(mnSleepers *all, mnMemory *memory, int64_t shore_count, mnBoundaryState *boundary,
                         mnCells *awake) {
    int64_t count = 0, cell_count = 0;
    for (int64_t k = 0; k < shore_count; k++) {
        all->shore[k].awake_first = (int32_t)count;
        count += all->shore[k].awake_count;
        cell_count += all->shore[k].awake_count > 0;
    }
    if (count > boundary->capacity && !mn_boundary_reserve(boundary, memory, mn_memory_roomy(count))) return false;
    if (!mn_memory_grow(memory, (void **)&all->names, &all->name_capacity, all->name_count, boundary->capacity,
                        sizeof *all->names) ||
        !mn_memory_grow(memory, (void **)&awake->cells, &awake->cell_capacity, 0, cell_count, sizeof *awake->cells))
        return false;
    awake->cell_count = 0;
    for (int64_t k = 0; k < shore_count; k++) {
        const mnShore *shore = &all->shore[k];
        const mnCell *cell = &all->cells.cells[shore->cell];
        if (shore->awake_count > 0)
            awake->cells[awake->cell_count++] =
                (mnCell){cell->x, cell->y, cell->z, shore->awake_first, shore->awake_count};
    }
    boundary->count = count;
    awake->size = all->cells.size;
    memcpy(awake->low, all->cells.low, sizeof awake->low);
    memcpy(awake->high, all->cells.high, sizeof awake->high);
    return mn_cells_hash(awake, memory);
}

bool mn_sleepers_wake(mnSleepers *all, mnMemory *memory, const mnCells *fluid_cells, const mnPlaces *fluid,
                      mnReal radius, mnBoundaryState *boundary, mnCells *awake, int threads) {
    int64_t shore_count;
    mnRadii radii = {radius * radius, radius * radius};
    mnReach reaches[MN_REACHES_MOST];
    mn_reaches(reaches);
    if (!find_shore(all, memory, fluid_cells, &shore_count, threads)) return false;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
#endif
    for (int64_t k = 0; k < shore_count; k++) rouse(all, &all->shore[k], fluid_cells, fluid, radii, &reaches[0]);
    if (!number_awake(all, memory, shore_count, boundary, awake)) return false;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
#endif
    for (int64_t k = 0; k < shore_count; k++)
        if (all->shore[k].awake_count > 0) dress(all, &all->shore[k], boundary);
    all->name_count = boundary->count;
    if (boundary->count == 0) return true;
    memcpy(all->names, boundary->active, (size_t)boundary->count * sizeof *all->names);
    memcpy(boundary->own, boundary->numbers, (size_t)boundary->count * sizeof *boundary->own);
    return true;
}

/* ---- what they add to each other's number densities -------------------------------------------------------------- */

enum { AT_ONCE = 512 };

/* Adds what some sleepers contribute to those of an awake cell that are new. */
static void add_to_new(const mnVec *places, int32_t count, const mnCell *cell, mnBoundaryState *boundary,
                       mnConstants c) {
    for (int32_t b = cell->first; b < cell->first + cell->count; b++) {
        if (boundary->own[b].w == 0) continue;
        mnDensities sum = {boundary->own[b].x, boundary->own[b].y, 0};
        mn_densities_add(&sum, places, 0, count, boundary->position[b], c);
        boundary->own[b] = mn_vec(sum.wide, sum.near, 0, 1);
    }
}

static void find_own_of_cell(const mnSleepers *all, const mnCell *cell, mnBoundaryState *boundary, mnConstants c) {
    mnVec places[AT_ONCE];
    int32_t count = 0;
    for (int32_t z = cell->z - 1; z <= cell->z + 1; z++)
        for (int32_t y = cell->y - 1; y <= cell->y + 1; y++)
            for (int32_t x = cell->x - 1; x <= cell->x + 1; x++) {
                const mnCell *other = mn_cells_find(&all->cells, x, y, z);
                for (int32_t k = 0; other && k < other->count; k++) {
                    places[count++] = unpack(all, other, other->first + k);
                    if (count < AT_ONCE) continue;
                    add_to_new(places, count, cell, boundary, c);
                    count = 0;
                }
            }
    add_to_new(places, count, cell, boundary, c);
    for (int32_t b = cell->first; b < cell->first + cell->count; b++) boundary->own[b].w = 0;
}

void mn_sleepers_find_own(const mnSleepers *all, const mnCells *awake, mnBoundaryState *boundary, mnConstants c,
                          int threads) {
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
#endif
    for (int64_t k = 0; k < awake->cell_count; k++) {
        const mnCell *cell = &awake->cells[k];
        bool has_new = false;
        for (int32_t b = cell->first; b < cell->first + cell->count; b++) has_new |= boundary->own[b].w > 0;
        if (has_new) find_own_of_cell(all, cell, boundary, c);
    }
}

bool mn_sleepers_are_off(const mnSleepers *all, mnVec point, double radius) {
    const mnCells *cells = &all->cells;
    if (!mn_cells_reach(cells, point)) return true;
    int32_t low[3], high[3];
    mnReal r = (mnReal)radius;
    mn_cells_locate(cells, mn_vec(point.x - r, point.y - r, point.z - r, 0), low);
    mn_cells_locate(cells, mn_vec(point.x + r, point.y + r, point.z + r, 0), high);
    mn_cells_clamp(cells, low, high);
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++)
            for (int32_t x = low[0]; x <= high[0]; x++) {
                const mnCell *cell = mn_cells_find(cells, x, y, z);
                for (int32_t k = 0; cell && k < cell->count; k++) {
                    mnVec d = mn_sub(point, unpack(all, cell, cell->first + k));
                    if ((double)mn_dot(d, d) < radius * radius) return false;
                }
            }
    return true;
}
