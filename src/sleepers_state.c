#include "sleepers_state.h"

#include <math.h>
#include <stdlib.h>

/* Cells and runs of solids, a column each. */
enum { CELL_X, CELL_Y, CELL_Z, CELL_COUNT, CELL_COLUMNS };
enum { RUN_FIRST, RUN_SOLID, RUN_COLUMNS };
static const char *const cell_columns[CELL_COLUMNS] = {"cell_x", "cell_y", "cell_z", "cell_count"};
static const char *const run_columns[RUN_COLUMNS] = {"run_first", "run_solid"};

/* The numbers of a cell and of a run as fields of a table with so many columns, to be written or read. */
static int32_t *cell_number(mnCell *cell, int column) {
    int32_t *const numbers[CELL_COLUMNS] = {&cell->x, &cell->y, &cell->z, &cell->count};
    return numbers[column];
}

static int32_t *run_number(mnSolidRun *run, int column) {
    return column == RUN_FIRST ? &run->first : &run->solid;
}

static bool exchange_columns(mnSleepers *all, mnArchive *archive) {
    int64_t most = all->cells.cell_count > all->run_count ? all->cells.cell_count : all->run_count;
    int32_t *column = calloc((size_t)most + 1, sizeof *column);
    if (!column) return false;
    for (int k = 0; k < CELL_COLUMNS; k++) {
        for (int64_t c = 0; c < all->cells.cell_count; c++) column[c] = *cell_number(&all->cells.cells[c], k);
        mn_archive_array(archive, cell_columns[k], MN_ARCHIVE_INT32, column, all->cells.cell_count);
        for (int64_t c = 0; c < all->cells.cell_count; c++) *cell_number(&all->cells.cells[c], k) = column[c];
    }
    for (int k = 0; k < RUN_COLUMNS; k++) {
        for (int64_t r = 0; r < all->run_count; r++) column[r] = *run_number(&all->runs[r], k);
        mn_archive_array(archive, run_columns[k], MN_ARCHIVE_INT32, column, all->run_count);
        for (int64_t r = 0; r < all->run_count; r++) *run_number(&all->runs[r], k) = column[r];
    }
    free(column);
    return true;
}

/* Whether a cell follows another in the order of cells. */
static bool follows(const mnCell *cell, const mnCell *before) {
    if (cell->z != before->z) return cell->z > before->z;
    return cell->y != before->y ? cell->y > before->y : cell->x > before->x;
}

/* Gives cells that were read their firsts and their bounds; false: they cannot be those of the sleepers. */
static bool place_cells(mnSleepers *all) {
    mnCells *cells = &all->cells;
    static const int32_t MOST = 1 << 30;
    int64_t first = 0;
    for (int64_t c = 0; c < cells->cell_count; c++) {
        mnCell *cell = &cells->cells[c];
        const int32_t at[3] = {cell->x, cell->y, cell->z};
        cell->first = (int32_t)first;
        first += cell->count;
        if (cell->count < 1 || cell->count > MN_SPAN_MOST || first > all->count || (c > 0 && !follows(cell, cell - 1)))
            return false;
        for (int a = 0; a < 3; a++) {
            if (at[a] < -MOST || at[a] > MOST) return false;
            cells->low[a] = c > 0 && cells->low[a] < at[a] ? cells->low[a] : at[a];
            cells->high[a] = c > 0 && cells->high[a] > at[a] ? cells->high[a] : at[a];
        }
    }
    return first == all->count;
}

static bool are_good_runs(const mnSleepers *all, int32_t solid_count) {
    bool is_good = all->run_count > 0 && all->runs[0].first == 0;
    for (int64_t r = 0; r < all->run_count; r++)
        is_good = is_good && all->runs[r].solid >= 0 && all->runs[r].solid < solid_count &&
                  all->runs[r].first < all->count && (r == 0 || all->runs[r].first > all->runs[r - 1].first);
    return is_good;
}

/* Room for what is in the file. */
static bool make_room(mnSleepers *all, mnMemory *memory, mnArchive *archive) {
    int64_t sleepers = mn_archive_length(archive, "sleepers");
    int64_t cells = mn_archive_length(archive, cell_columns[CELL_COUNT]);
    int64_t runs = mn_archive_length(archive, run_columns[RUN_FIRST]);
    if (sleepers < 1 || sleepers > INT32_MAX / 2 || cells < 1 || cells > sleepers || runs < 1 || runs > sleepers) {
        mn_archive_refuse(archive, "has no walls, or more of them than can be");
        return true;
    }
    if (!mn_memory_grow(memory, (void **)&all->sleepers, &all->capacity, 0, sleepers, sizeof *all->sleepers) ||
        !mn_memory_grow(memory, (void **)&all->cells.cells, &all->cells.cell_capacity, 0, cells,
                        sizeof *all->cells.cells) ||
        !mn_memory_grow(memory, (void **)&all->runs, &all->run_capacity, 0, runs, sizeof *all->runs))
        return false;
    all->count = sleepers;
    all->cells.cell_count = cells;
    all->run_count = runs;
    return true;
}

/* How much room a search has had, which is a column of series.csv. */
static bool exchange_rooms(mnSleepers *all, mnMemory *memory, mnArchive *archive) {
    int64_t shore = all->shore_capacity, awake = all->awake_capacity, names = all->name_capacity;
    mn_archive_count(archive, "shore_room", &shore, 0, INT32_MAX);
    mn_archive_count(archive, "awake_room", &awake, 0, INT32_MAX);
    mn_archive_count(archive, "names_room", &names, 0, INT32_MAX);
    return mn_memory_grow(memory, (void **)&all->shore, &all->shore_capacity, 0, shore, sizeof *all->shore) &&
           mn_memory_grow(memory, (void **)&all->is_awake, &all->awake_capacity, 0, awake, sizeof *all->is_awake) &&
           mn_memory_grow(memory, (void **)&all->names, &all->name_capacity, all->name_count, names,
                          sizeof *all->names);
}

bool mn_sleepers_exchange(mnSleepers *all, mnMemory *memory, mnArchive *archive, double edge, int32_t solid_count) {
    bool is_read = mn_archive_is_read(archive);
    mn_archive_real(archive, "largest_volume", &all->largest_volume);
    if (is_read && !make_room(all, memory, archive)) return false;
    if (mn_archive_check(archive, NULL) != MN_OK) return true;
    mn_archive_array(archive, "sleepers", MN_ARCHIVE_UINT64, all->sleepers, all->count);
    if (!exchange_columns(all, archive) || !exchange_rooms(all, memory, archive)) return false;
    if (!is_read || mn_archive_check(archive, NULL) != MN_OK) return true;
    all->cells.size = edge;
    if (!place_cells(all) || !are_good_runs(all, solid_count) ||
        !(all->largest_volume > 0 && all->largest_volume < INFINITY)) {
        mn_archive_refuse(archive, "has walls that cannot be");
        return true;
    }
    return mn_cells_hash(&all->cells, memory);
}
