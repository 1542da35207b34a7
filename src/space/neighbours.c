#include "space/neighbours.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "space/densities.h"
#include "space/reach.h"

typedef struct mnSearch {
    mnRadii radii;
    mnPlaces fluid, boundary;
    const mnCells *fluid_cells, *boundary_cells;
    uint8_t *is_shore; /* of the boundary cells: fluid is in a cell around */
    int32_t fluid_nobody, boundary_nobody;
    mnReach reach;
} mnSearch;

/* A list that is being written by all threads. */
typedef struct mnSheaf {
    int32_t *list;
    int64_t capacity;
    int64_t taken; /* entries that threads have reserved; more than the capacity: there was no room for some of them */
} mnSheaf;

typedef struct mnSheaves {
    mnSheaf near, far;
    bool is_crowded; /* somebody has too many neighbours */
} mnSheaves;

void mn_neighbours_release(mnNeighbours *neighbours, mnMemory *memory) {
    mn_sleepers_release(&neighbours->sleepers, memory);
    mn_cells_release(&neighbours->fluid_cells, memory);
    mn_cells_release(&neighbours->boundary_cells, memory);
    mn_memory_give(memory, neighbours->near_list, (size_t)neighbours->near_list_capacity * sizeof(int32_t));
    mn_memory_give(memory, neighbours->far_list, (size_t)neighbours->far_list_capacity * sizeof(int32_t));
    mn_contacts_release(&neighbours->contacts, memory);
    mn_memory_give(memory, neighbours->is_shore, (size_t)neighbours->shore_capacity);
    *neighbours = (mnNeighbours){.spacing = neighbours->spacing};
}

void mn_neighbours_boundary_moved(mnNeighbours *neighbours) {
    neighbours->boundary_is_sorted = false;
}

/* Two particles can each have come half of the skin. */
bool mn_neighbours_will_hold(const mnNeighbours *neighbours, double distance) {
    return neighbours->is_listed && 2 * (neighbours->travelled + distance) <= neighbours->skin * neighbours->spacing;
}

void mn_neighbours_moved(mnNeighbours *neighbours, double distance) {
    neighbours->travelled += distance;
}

static mnVec place_at(const mnPlaces *places, int32_t i) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): where there is a cell there are places */
    return mn_vec(places->x[i], places->y[i], places->z[i], 0);
}

mnReal *mn_neighbours_searched(void *spare, int64_t capacity, int axis) {
    return (mnReal *)spare + axis * (capacity + MN_PLACES_PADDING);
}

static mnPlaces places_in(void *spare, int64_t capacity) {
    if (capacity == 0) return (mnPlaces){NULL, NULL, NULL};
    return (mnPlaces){mn_neighbours_searched(spare, capacity, 0), mn_neighbours_searched(spare, capacity, 1),
                      mn_neighbours_searched(spare, capacity, 2)};
}

static void spread_out(const mnVec *position, int64_t count, int64_t capacity, void *spare, int threads) {
    (void)threads;
    if (capacity == 0) return;
    mnReal *x = mn_neighbours_searched(spare, capacity, 0), *y = mn_neighbours_searched(spare, capacity, 1);
    mnReal *z = mn_neighbours_searched(spare, capacity, 2);
    MN_PARALLEL_FOR(threads)
    for (int64_t i = 0; i < count; i++) {
        x[i] = position[i].x;
        y[i] = position[i].y;
        z[i] = position[i].z;
    }
    for (int64_t i = count; i < count + MN_PLACES_PADDING; i++) x[i] = y[i] = z[i] = 0;
}

static int32_t *list_at(const mnSheaf *sheaf, uint32_t place) {
    return sheaf->list + (int64_t)place * MN_GRAIN;
}

static mnRoom room_for_fluid(const mnSearch *search, const mnSheaves *sheaves, const mnSpan *span) {
    int32_t *near = list_at(&sheaves->near, span->near), *far = list_at(&sheaves->far, span->far);
    return (mnRoom){near, far, near + span->near_fluid, far + span->far_fluid, search->fluid_nobody};
}

static mnRoom room_for_boundary(const mnSearch *search, const mnSheaves *sheaves, const mnSpan *span) {
    int32_t *near = list_at(&sheaves->near, span->near), *far = list_at(&sheaves->far, span->far);
    return (mnRoom){near + span->near_fluid, far + span->far_fluid, near + span->near_all, far + span->far_all,
                    search->boundary_nobody};
}

/* Whole blocks of lanes. */
static int32_t padded(int32_t count) {
    return (count + MN_WIDTH - 1) / MN_WIDTH * MN_WIDTH;
}

/* Particles whose hits are kept at a time: they take their room together, so that threads meet seldom. */
enum { GROUP = 16 };

/* Where `count` entries can go. Which thread comes first decides it, but not what is in them nor how many are taken in
 * all. */
static int64_t take_room(mnSheaf *sheaf, int64_t count) {
    return __atomic_fetch_add(&sheaf->taken, count, __ATOMIC_RELAXED);
}

/* Notes how many neighbours there are; false: too many. */
static bool count_span(mnSpan *span, int32_t near_fluid, int32_t near_walls, int32_t far_fluid, int32_t far_walls) {
    int64_t near = padded(near_fluid), near_all = near + padded(near_walls);
    int64_t far = padded(far_fluid), far_all = far + padded(far_walls);
    *span = (mnSpan){.near_fluid = (uint16_t)near,
                     .near_all = (uint16_t)near_all,
                     .far_fluid = (uint16_t)far,
                     .far_all = (uint16_t)far_all};
    return near_all <= MN_SPAN_MOST && far_all <= MN_SPAN_MOST;
}

/* Gives the spans of a group their room. False: the lists are too short for it, or a span does not fit. */
static bool can_place(mnSheaves *sheaves, mnSpan *spans, int count, bool fits) {
    if (!fits) {
        __atomic_store_n(&sheaves->is_crowded, true, __ATOMIC_RELAXED);
        return false;
    }
    int64_t near = 0, far = 0;
    for (int k = 0; k < count; k++) {
        near += spans[k].near_all;
        far += spans[k].far_all;
    }
    int64_t near_at = take_room(&sheaves->near, near), far_at = take_room(&sheaves->far, far);
    for (int k = 0; k < count; k++) {
        spans[k].near = (uint32_t)(near_at / MN_GRAIN);
        spans[k].far = (uint32_t)(far_at / MN_GRAIN);
        near_at += spans[k].near_all;
        far_at += spans[k].far_all;
    }
    return near_at <= sheaves->near.capacity && far_at <= sheaves->far.capacity;
}

/* Lists the neighbours of some fluid particles of one cell. */
static void list_fluid(const mnSearch *search, const mnRuns *fluid, const mnRuns *boundary, int32_t first, int count,
                       mnSpan *spans, mnSheaves *sheaves) {
    const mnReach *reach = &search->reach;
    mnCatch f[GROUP], b[GROUP];
    bool fits = true;
    for (int k = 0; k < count; k++) {
        mnVec x = place_at(&search->fluid, first + k);
        reach->find(fluid, &search->fluid, x, search->radii, &f[k]);
        reach->find(boundary, &search->boundary, x, search->radii, &b[k]);
        /* less itself */
        fits = count_span(&spans[k], f[k].near - 1, b[k].near, f[k].far, b[k].far) && fits;
    }
    if (!can_place(sheaves, spans, count, fits)) return;
    for (int k = 0; k < count; k++) {
        mnVec x = place_at(&search->fluid, first + k);
        mnRoom fluid_room = room_for_fluid(search, sheaves, &spans[k]);
        mnRoom boundary_room = room_for_boundary(search, sheaves, &spans[k]);
        reach->write(fluid, &search->fluid, x, first + k, search->radii, &f[k], &fluid_room);
        reach->write(boundary, &search->boundary, x, -1, search->radii, &b[k], &boundary_room);
    }
}

/* Likewise the fluid neighbours of some boundary particles. */
static void list_boundary(const mnSearch *search, const mnRuns *fluid, int32_t first, int count, mnSpan *spans,
                          mnSheaves *sheaves) {
    const mnReach *reach = &search->reach;
    mnCatch f[GROUP];
    bool fits = true;
    for (int k = 0; k < count; k++) {
        reach->find(fluid, &search->fluid, place_at(&search->boundary, first + k), search->radii, &f[k]);
        fits = count_span(&spans[k], f[k].near, 0, f[k].far, 0) && fits;
    }
    if (!can_place(sheaves, spans, count, fits)) return;
    for (int k = 0; k < count; k++) {
        mnRoom room = room_for_fluid(search, sheaves, &spans[k]);
        reach->write(fluid, &search->fluid, place_at(&search->boundary, first + k), -1, search->radii, &f[k], &room);
    }
}

static int group_size(const mnCell *cell, int32_t first) {
    int32_t left = cell->first + cell->count - first;
    return left < GROUP ? left : GROUP;
}

static void visit_fluid_cell(const mnSearch *search, const mnCell *cell, mnSpan *spans, mnSheaves *sheaves) {
    mnRuns fluid = mn_cells_around(search->fluid_cells, cell, NULL);
    mnRuns boundary = mn_cells_around(search->boundary_cells, cell, search->is_shore);
    for (int32_t i = cell->first; i < cell->first + cell->count; i += GROUP)
        list_fluid(search, &fluid, &boundary, i, group_size(cell, i), spans + i, sheaves);
}

static void visit_boundary_cell(const mnSearch *search, const mnCell *cell, mnSpan *spans, mnSheaves *sheaves) {
    if (!search->is_shore[cell - search->boundary_cells->cells]) return;
    mnRuns fluid = mn_cells_around(search->fluid_cells, cell, NULL);
    for (int32_t b = cell->first; b < cell->first + cell->count; b += GROUP)
        list_boundary(search, &fluid, b, group_size(cell, b), spans + b, sheaves);
}

typedef void (*mnCellVisit)(const mnSearch *search, const mnCell *cell, mnSpan *spans, mnSheaves *sheaves);

/* Threads take few cells at a time, `at_once`: each writes where the lists end just then, and what lies in the order of
 * the particles is read faster. Cells of walls, which may have no fluid near, are taken by more. */
static void visit_cells(const mnSearch *search, const mnCells *cells, mnCellVisit visit, int at_once, mnSpan *spans,
                        mnSheaves *sheaves, int threads) {
    (void)at_once;
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, at_once)
#endif
    for (int64_t c = 0; c < cells->cell_count; c++) visit(search, &cells->cells[c], spans, sheaves);
}

/* Particles are sorted in the place of fields that a step makes anew: keys where two of them fit into a vector, the
 * order where more than two do. */
_Static_assert(sizeof(mnVec) >= 2 * sizeof(uint64_t), "keys and their spare fit into a field of vectors");
static mnSorting sorting_in(mnVec *keys, mnVec *order, int64_t capacity) {
    uint64_t *first_keys = (uint64_t *)keys;
    int32_t *first_order = (int32_t *)order;
    return (mnSorting){first_keys, first_keys + capacity, first_order, first_order + capacity};
}

double mn_neighbours_cell_size(const mnNeighbours *neighbours) {
    return (MN_REACH_MAX + MN_SKIN_MAX) * neighbours->spacing;
}

static mnSearchResult sort_fluid(mnNeighbours *neighbours, mnMemory *memory, mnFluidState *fluid, const uint8_t *dead,
                                 int threads) {
    mnCells *cells = &neighbours->fluid_cells;
    mnSorting sorting = sorting_in(fluid->numbers, fluid->weights, fluid->capacity);
    cells->size = mn_neighbours_cell_size(neighbours);
    int64_t left = mn_cells_sort(cells, &sorting, fluid->position, dead, fluid->count, threads);
    if (left < 0) return MN_SEARCH_LOST;
    mn_fluid_reorder(fluid, sorting.order, left, threads);
    if (!mn_cells_index(cells, memory, &sorting, left)) return MN_SEARCH_NO_MEMORY;
    spread_out(fluid->position, fluid->count, fluid->capacity, fluid->spare, threads);
    return MN_SEARCH_OK;
}

static mnSearchResult sort_boundary(mnNeighbours *neighbours, mnMemory *memory, mnBoundaryState *boundary,
                                    int threads) {
    if (neighbours->boundary_is_sorted) return MN_SEARCH_OK;
    mnCells *cells = &neighbours->boundary_cells;
    mnSorting sorting = sorting_in(boundary->numbers, boundary->weights, boundary->capacity);
    cells->size = mn_neighbours_cell_size(neighbours);
    int64_t left = mn_cells_sort(cells, &sorting, boundary->position, NULL, boundary->count, threads);
    if (left < 0) return MN_SEARCH_LOST;
    mn_boundary_reorder(boundary, sorting.order, left, threads);
    if (!mn_cells_index(cells, memory, &sorting, left)) return MN_SEARCH_NO_MEMORY;
    spread_out(boundary->position, boundary->count, boundary->capacity, boundary->spare, threads);
    neighbours->boundary_is_sorted = true;
    return MN_SEARCH_OK;
}

/* As far from the fluid as lists can ever reach with this skin. What is told of a fluid without tension asks for walls
 * as far away as that; of one that goes farther than the skin in a step it misses those at the very rim, as lists do.
 */
static mnSearchResult wake_boundary(mnNeighbours *neighbours, mnMemory *memory, const mnFluidState *fluid,
                                    mnBoundaryState *boundary, double skin, int threads) {
    mnPlaces places = places_in(fluid->spare, fluid->capacity);
    mnReal radius = (mnReal)((MN_REACH_MAX + skin) * neighbours->spacing);
    if (!mn_sleepers_wake(&neighbours->sleepers, memory, &neighbours->fluid_cells, &places, radius, boundary,
                          &neighbours->boundary_cells, threads))
        return MN_SEARCH_NO_MEMORY;
    spread_out(boundary->position, boundary->count, boundary->capacity, boundary->spare, threads);
    return MN_SEARCH_OK;
}

mnSearchResult mn_neighbours_settle(mnNeighbours *neighbours, mnMemory *memory, int threads) {
    return mn_sleepers_settle(&neighbours->sleepers, memory, mn_neighbours_cell_size(neighbours), threads);
}

bool mn_neighbours_wake_all(mnNeighbours *neighbours, mnMemory *memory, mnBoundaryState *boundary) {
    mnSleepers *all = &neighbours->sleepers;
    if (!mn_boundary_reserve(boundary, memory, all->count)) return false;
    mn_sleepers_tell(all, boundary->position, boundary->solid);
    memcpy(boundary->origin, boundary->position, (size_t)all->count * sizeof *boundary->origin);
    memset(boundary->velocity, 0, (size_t)all->count * sizeof *boundary->velocity);
    boundary->count = all->count;
    mn_sleepers_release(all, memory);
    neighbours->boundary_is_sorted = false;
    return true;
}

/* What was in a list is not needed any more. */
static bool reserve_list(mnMemory *memory, int32_t **list, int64_t *capacity, int64_t needed) {
    if (needed <= *capacity && *list) return true;
    mn_memory_give(memory, *list, (size_t)*capacity * sizeof **list);
    *capacity = mn_memory_roomy(needed) + MN_WIDTH;
    *list = mn_memory_take(memory, (size_t)*capacity * sizeof **list);
    if (!*list) *capacity = 0;
    return *list;
}

static void give_far_list(mnNeighbours *neighbours, mnMemory *memory) {
    mn_memory_give(memory, neighbours->far_list, (size_t)neighbours->far_list_capacity * sizeof(int32_t));
    neighbours->far_list = NULL;
    neighbours->far_list_capacity = 0;
}

/* Writes all lists. What does not fit is only counted, and then once more written with enough room. */
static mnSearchResult write_lists(mnNeighbours *neighbours, mnMemory *memory, const mnSearch *search,
                                  mnFluidState *fluid, mnBoundaryState *boundary, int threads) {
    int64_t near_needed = 0, far_needed = 0;
    do {
        if (!reserve_list(memory, &neighbours->near_list, &neighbours->near_list_capacity, near_needed) ||
            !reserve_list(memory, &neighbours->far_list, &neighbours->far_list_capacity, far_needed))
            return MN_SEARCH_NO_MEMORY;
        mnSheaves sheaves = {.near = {neighbours->near_list, neighbours->near_list_capacity, 0},
                             .far = {neighbours->far_list, neighbours->far_list_capacity, 0}};
        if (search->is_shore) memset(search->is_shore, 0, (size_t)search->boundary_cells->cell_count);
        visit_cells(search, search->fluid_cells, visit_fluid_cell, 1, fluid->span, &sheaves, threads);
        visit_cells(search, search->boundary_cells, visit_boundary_cell, 8, boundary->span, &sheaves, threads);
        if (sheaves.is_crowded) return MN_SEARCH_CROWDED;
        near_needed = sheaves.near.taken;
        far_needed = sheaves.far.taken;
    } while (near_needed > neighbours->near_list_capacity || far_needed > neighbours->far_list_capacity);
    return MN_SEARCH_OK;
}

/* Gives particles with a wall within 2h their numbers among those; returns how many there are. */
static int32_t number_contacts(mnFluidState *fluid) {
    int32_t contacts = 0;
    for (int64_t i = 0; i < fluid->count; i++) {
        bool has_wall = fluid->span[i].near_all > fluid->span[i].near_fluid;
        fluid->contact[i] = has_wall ? contacts++ : -1;
    }
    return contacts;
}

static void list_active(mnBoundaryState *boundary, const mnCells *cells, const uint8_t *is_shore) {
    boundary->active_count = 0;
    for (int64_t c = 0; c < cells->cell_count; c++) {
        const mnCell *cell = &cells->cells[c];
        for (int32_t b = cell->first; is_shore[c] && b < cell->first + cell->count; b++)
            if (boundary->span[b].near_all + boundary->span[b].far_all > 0)
                boundary->active[boundary->active_count++] = b;
    }
}

/* Lists of the places that were searched last, which may be asked for again with another reach. */
static mnSearchResult make_lists(mnNeighbours *neighbours, mnMemory *memory, mnFluidState *fluid,
                                 mnBoundaryState *boundary, double reach, double skin, int threads) {
    double h = neighbours->spacing;
    mnReach reaches[MN_REACHES_MOST];
    mn_reaches(reaches);
    mnReal near_radius = (mnReal)((MN_REACH_MIN + skin) * h), wide_radius = (mnReal)((reach + skin) * h);
    mnSearch search = {.radii = {near_radius * near_radius, wide_radius * wide_radius},
                       .fluid = places_in(fluid->spare, fluid->capacity),
                       .boundary = places_in(boundary->spare, boundary->capacity),
                       .fluid_cells = &neighbours->fluid_cells,
                       .boundary_cells = &neighbours->boundary_cells,
                       .is_shore = neighbours->is_shore,
                       .fluid_nobody = (int32_t)fluid->count,
                       .boundary_nobody = (int32_t)boundary->count,
                       .reach = reaches[0]};
    if (reach < neighbours->reach) give_far_list(neighbours, memory);
    mnSearchResult result = write_lists(neighbours, memory, &search, fluid, boundary, threads);
    if (result != MN_SEARCH_OK) return result;

    int32_t contacts = number_contacts(fluid);
    if (!mn_contacts_reserve(&neighbours->contacts, memory, contacts)) return MN_SEARCH_NO_MEMORY;
    neighbours->contacts.count = contacts;
    list_active(boundary, &neighbours->boundary_cells, neighbours->is_shore);
    return MN_SEARCH_OK;
}

mnSearchResult mn_neighbours_build(mnNeighbours *neighbours, mnMemory *memory, mnFluidState *fluid,
                                   mnBoundaryState *boundary, const uint8_t *dead, double reach, double skin,
                                   int threads) {
    neighbours->is_listed = false;
    mnSearchResult result = sort_fluid(neighbours, memory, fluid, dead, threads);
    if (result != MN_SEARCH_OK) return result;
    result = neighbours->sleepers.count > 0 ? wake_boundary(neighbours, memory, fluid, boundary, skin, threads)
                                            : sort_boundary(neighbours, memory, boundary, threads);
    if (result != MN_SEARCH_OK) return result;
    mn_fluid_close(fluid);
    mn_boundary_close(boundary);
    if (!mn_memory_grow(memory, (void **)&neighbours->is_shore, &neighbours->shore_capacity, 0,
                        neighbours->boundary_cells.cell_capacity, sizeof *neighbours->is_shore))
        return MN_SEARCH_NO_MEMORY;
    result = make_lists(neighbours, memory, fluid, boundary, reach, skin, threads);
    if (result == MN_SEARCH_OK) mn_neighbours_listed(neighbours, reach, skin);
    return result;
}

mnSearchResult mn_neighbours_relist(mnNeighbours *neighbours, mnMemory *memory, mnFluidState *fluid,
                                    mnBoundaryState *boundary, double reach, int threads) {
    double travelled = neighbours->travelled;
    neighbours->is_listed = false;
    mnSearchResult result = make_lists(neighbours, memory, fluid, boundary, reach, neighbours->skin, threads);
    if (result != MN_SEARCH_OK) return result;
    mn_neighbours_listed(neighbours, reach, neighbours->skin);
    mn_neighbours_moved(neighbours, travelled);
    return MN_SEARCH_OK;
}

void mn_neighbours_listed(mnNeighbours *neighbours, double reach, double skin) {
    neighbours->reach = reach;
    neighbours->skin = skin;
    neighbours->travelled = 0;
    neighbours->is_listed = true;
}

void mn_neighbours_forget(mnNeighbours *neighbours, mnFluidState *fluid, mnBoundaryState *boundary) {
    neighbours->is_listed = false;
    if (fluid->count > 0) memset(fluid->span, 0, (size_t)fluid->count * sizeof *fluid->span);
    boundary->active_count = 0;
}

bool mn_neighbours_boundary_own(mnNeighbours *neighbours, mnMemory *memory, mnBoundaryState *boundary, mnConstants c,
                                bool all, int threads) {
    if (neighbours->sleepers.count > 0) {
        mn_sleepers_find_own(&neighbours->sleepers, &neighbours->boundary_cells, boundary, c, threads);
        return true;
    }
    if (sort_boundary(neighbours, memory, boundary, threads) != MN_SEARCH_OK) return false;
    const mnCells *cells = &neighbours->boundary_cells;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
#endif
    for (int64_t k = 0; k < cells->cell_count; k++) {
        const mnCell *cell = &cells->cells[k];
        if (!all && !neighbours->is_shore[k]) continue;
        mnRuns runs = mn_cells_around(cells, cell, NULL);
        for (int32_t i = cell->first; i < cell->first + cell->count; i++) {
            mnDensities sum = {0, 0, 0};
            for (int a = 0; a < runs.count; a++)
                mn_densities_add(&sum, boundary->position, runs.first[a], runs.end[a], boundary->position[i], c);
            boundary->own[i] = mn_vec(sum.wide, sum.near, 0, 0);
        }
    }
    return true;
}

/* Particles may have left their cells by `strayed`. */
static bool ball_is_empty(const mnCells *cells, const mnVec *position, mnVec x, double radius, double strayed) {
    if (cells->cell_count == 0 || !mn_cells_reach(cells, x)) return true;
    int32_t at[3];
    mn_cells_locate(cells, x, at);
    int reach = (int)ceil((radius + strayed) / cells->size);
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
    double strayed = neighbours->travelled;
    if (!ball_is_empty(&neighbours->fluid_cells, fluid->position, x, radius, strayed)) return false;
    return neighbours->sleepers.count > 0
               ? mn_sleepers_are_off(&neighbours->sleepers, x, radius)
               : ball_is_empty(&neighbours->boundary_cells, boundary->position, x, radius, strayed);
}
