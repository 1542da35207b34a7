/* Particles in cells.
 *
 * The plane or space is unbounded: only occupied cells exist. Particles are ordered by cell (z, then y, then x; inside
 * a cell as they were before), and a hash table finds a cell's entry from its coordinates. */
#ifndef MN_SPACE_CELLS_H
#define MN_SPACE_CELLS_H

#include "base/memory.h"
#include "kernels/language.h"

/* How sorting particles and searching their neighbours can end. */
typedef enum mnSearchResult {
    MN_SEARCH_OK,
    MN_SEARCH_NO_MEMORY,
    MN_SEARCH_LOST,   /* a particle's position is not finite or absurdly far away */
    MN_SEARCH_CROWDED /* a particle has more neighbours than a span can tell */
} mnSearchResult;

typedef struct mnCell {
    int32_t x, y, z;
    int32_t first, count; /* its particles, in sorted order */
} mnCell;

typedef struct mnCells {
    double size; /* edge of a cell, m */
    mnCell *cells;
    int64_t cell_count, cell_capacity;
    int32_t low[3], high[3]; /* smallest and largest coordinates of a cell; low > high: there is none */
    int32_t *table;          /* open addressing; −1: empty */
    int64_t table_size, table_capacity;
} mnCells;

/* Particles of some cells, as runs of the sorted order: a row of cells is one run. */
enum { MN_RUNS_MOST = 9 };
typedef struct mnRuns {
    int32_t first[MN_RUNS_MOST], end[MN_RUNS_MOST];
    int count;
} mnRuns;

/* The room that sorting takes, one of each per particle. When cells are indexed it is free again. */
typedef struct mnSorting {
    uint64_t *keys, *keys_spare;
    int32_t *order, *order_spare;
} mnSorting;

/* For those who have no such room to lend: taken for `count` particles, in one block. False: no memory. */
bool mn_sorting_take(mnSorting *sorting, mnMemory *memory, int64_t count);
void mn_sorting_give(mnSorting *sorting, mnMemory *memory, int64_t count);

void mn_cells_release(mnCells *cells, mnMemory *memory);

/* Finds the order of `count` particles by cell, leaving out those marked in `dead` (may be NULL). The result is in
 * sorting->order; returns how many are left, or −1 when a position is not finite or further from the rest than cells
 * can be numbered. */
int64_t mn_cells_sort(mnCells *cells, mnSorting *sorting, const mnVec *position, const uint8_t *dead, int64_t count,
                      int threads);

/* Builds cells and table for the `count` particles that mn_cells_sort has left, in the order that it found. False: no
 * memory. */
bool mn_cells_index(mnCells *cells, mnMemory *memory, const mnSorting *sorting, int64_t count);

/* Builds the table alone, for cells that are there already, in their order, with their bounds. False: no memory. */
bool mn_cells_hash(mnCells *cells, mnMemory *memory);

/* The cell with these coordinates, or NULL. */
const mnCell *mn_cells_find(const mnCells *cells, int32_t x, int32_t y, int32_t z);

/* The first cell of the row (y, z) with x in [low, high], or NULL. Cells of a row, which differ in x alone, follow each
 * other, and so do their particles. */
const mnCell *mn_cells_row(const mnCells *cells, int32_t low, int32_t high, int32_t y, int32_t z);

/* Particles of the cells around, of which `centre` itself may be one or not. Marks these cells in `is_met`, where that
 * is not NULL. */
mnRuns mn_cells_around(const mnCells *cells, const mnCell *centre, uint8_t *is_met);

/* Takes what lies outside of all cells off a range of coordinates. */
void mn_cells_clamp(const mnCells *cells, int32_t low[3], int32_t high[3]);

/* Whether the cell that holds a point can be numbered, and its coordinates if it can. */
bool mn_cells_reach(const mnCells *cells, mnVec point);
void mn_cells_locate(const mnCells *cells, mnVec point, int32_t at[3]);

#endif
