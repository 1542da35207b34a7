#include "space/cells.h"

#include <math.h>

/* A key packs 21 bits of each coordinate, relative to the smallest: two million cells along each axis. */
enum { AXIS_BITS = 21, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
static const double LARGEST_COORDINATE = 1e9;

void mn_cells_release(mnCells *cells, mnMemory *memory) {
    mn_memory_give(memory, cells->cells, (size_t)cells->cell_capacity * sizeof *cells->cells);
    mn_memory_give(memory, cells->table, (size_t)cells->table_capacity * sizeof *cells->table);
    mn_memory_give(memory, cells->keys, (size_t)cells->key_capacity * sizeof *cells->keys);
    mn_memory_give(memory, cells->keys_spare, (size_t)cells->key_spare_capacity * sizeof *cells->keys);
    mn_memory_give(memory, cells->order, (size_t)cells->order_capacity * sizeof *cells->order);
    mn_memory_give(memory, cells->order_spare, (size_t)cells->order_spare_capacity * sizeof *cells->order);
    *cells = (mnCells){.size = cells->size};
}

void mn_cells_locate(const mnCells *cells, mnVec point, int32_t at[3]) {
    at[0] = (int32_t)floor((double)point.x / cells->size);
    at[1] = (int32_t)floor((double)point.y / cells->size);
    at[2] = (int32_t)floor((double)point.z / cells->size);
}

/* Smallest cell coordinates of the living; false when one is not finite or the extent does not fit a key. */
static bool find_extent(const mnCells *cells, const mnVec *position, const uint8_t *dead, int64_t count,
                        int32_t lowest[3], uint64_t *largest_key) {
    int32_t highest[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    lowest[0] = lowest[1] = lowest[2] = INT32_MAX;
    for (int64_t i = 0; i < count; i++) {
        if (dead && dead[i]) continue;
        double reach = fabs((double)position[i].x) + fabs((double)position[i].y) + fabs((double)position[i].z);
        if (!(reach < LARGEST_COORDINATE * cells->size)) return false;
        int32_t at[3];
        mn_cells_locate(cells, position[i], at);
        for (int a = 0; a < 3; a++) {
            if (at[a] < lowest[a]) lowest[a] = at[a];
            if (at[a] > highest[a]) highest[a] = at[a];
        }
    }
    for (int a = 0; a < 3; a++)
        if (highest[a] >= lowest[a] && (int64_t)highest[a] - lowest[a] >= (1 << AXIS_BITS)) return false;
    *largest_key = highest[2] < lowest[2] ? 0 : (((uint64_t)(highest[2] - lowest[2]) + 1) << (2 * AXIS_BITS)) - 1;
    return true;
}

/* Stable radix sort of keys and order by as many digits as the largest key has. */
static void radix_sort(mnCells *cells, int64_t count, uint64_t largest_key) {
    for (int shift = 0; shift < 64 && (largest_key >> shift) != 0; shift += DIGIT_BITS) {
        int64_t starts[DIGITS] = {0};
        for (int64_t i = 0; i < count; i++) starts[(cells->keys[i] >> shift) & (DIGITS - 1)]++;
        int64_t sum = 0;
        bool is_constant = false;
        for (int d = 0; d < DIGITS; d++) {
            int64_t here = starts[d];
            is_constant = is_constant || here == count;
            starts[d] = sum;
            sum += here;
        }
        if (is_constant) continue;
        for (int64_t i = 0; i < count; i++) {
            int64_t to = starts[(cells->keys[i] >> shift) & (DIGITS - 1)]++;
            cells->keys_spare[to] = cells->keys[i];
            cells->order_spare[to] = cells->order[i];
        }
        uint64_t *keys = cells->keys;
        cells->keys = cells->keys_spare;
        cells->keys_spare = keys;
        int32_t *order = cells->order;
        cells->order = cells->order_spare;
        cells->order_spare = order;
    }
}

int64_t mn_cells_sort(mnCells *cells, mnMemory *memory, const mnVec *position, const uint8_t *dead, int64_t count) {
    if (!mn_memory_grow(memory, (void **)&cells->keys, &cells->key_capacity, 0, count, sizeof *cells->keys) ||
        !mn_memory_grow(memory, (void **)&cells->keys_spare, &cells->key_spare_capacity, 0, cells->key_capacity,
                        sizeof *cells->keys) ||
        !mn_memory_grow(memory, (void **)&cells->order, &cells->order_capacity, 0, cells->key_capacity,
                        sizeof *cells->order) ||
        !mn_memory_grow(memory, (void **)&cells->order_spare, &cells->order_spare_capacity, 0, cells->key_capacity,
                        sizeof *cells->order))
        return -1;
    int32_t lowest[3];
    uint64_t largest_key;
    if (!find_extent(cells, position, dead, count, lowest, &largest_key)) return -2;
    int64_t left = 0;
    for (int64_t i = 0; i < count; i++) {
        if (dead && dead[i]) continue;
        int32_t at[3];
        mn_cells_locate(cells, position[i], at);
        cells->keys[left] = ((uint64_t)(at[2] - lowest[2]) << (2 * AXIS_BITS)) |
                            ((uint64_t)(at[1] - lowest[1]) << AXIS_BITS) | (uint64_t)(at[0] - lowest[0]);
        cells->order[left++] = (int32_t)i;
    }
    radix_sort(cells, left, largest_key);
    return left;
}

static uint64_t hash(int32_t x, int32_t y, int32_t z) {
    uint64_t k = (uint64_t)(uint32_t)x * 0x9E3779B185EBCA87u ^ (uint64_t)(uint32_t)y * 0xC2B2AE3D27D4EB4Fu ^
                 (uint64_t)(uint32_t)z * 0x165667B19E3779F9u;
    return k ^ (k >> 29);
}

bool mn_cells_index(mnCells *cells, mnMemory *memory, const mnVec *position, int64_t count) {
    cells->cell_count = 0;
    for (int a = 0; a < 3; a++) {
        cells->low[a] = INT32_MAX;
        cells->high[a] = INT32_MIN;
    }
    for (int64_t i = 0; i < count; i++) {
        int32_t at[3];
        mn_cells_locate(cells, position[i], at);
        for (int a = 0; a < 3; a++) {
            if (at[a] < cells->low[a]) cells->low[a] = at[a];
            if (at[a] > cells->high[a]) cells->high[a] = at[a];
        }
        mnCell *last = cells->cell_count ? &cells->cells[cells->cell_count - 1] : NULL;
        if (last && last->x == at[0] && last->y == at[1] && last->z == at[2]) {
            last->count++;
            continue;
        }
        if (!mn_memory_grow(memory, (void **)&cells->cells, &cells->cell_capacity, cells->cell_count,
                            cells->cell_count + 1, sizeof *cells->cells))
            return false;
        cells->cells[cells->cell_count++] = (mnCell){at[0], at[1], at[2], (int32_t)i, 1};
    }
    cells->table_size = 16;
    while (cells->table_size < 2 * cells->cell_count) cells->table_size *= 2;
    if (!mn_memory_grow(memory, (void **)&cells->table, &cells->table_capacity, 0, cells->table_size,
                        sizeof *cells->table))
        return false;
    for (int64_t i = 0; i < cells->table_size; i++) cells->table[i] = -1;
    for (int64_t c = 0; c < cells->cell_count; c++) {
        const mnCell *cell = &cells->cells[c];
        uint64_t slot = hash(cell->x, cell->y, cell->z) & (uint64_t)(cells->table_size - 1);
        while (cells->table[slot] >= 0) slot = (slot + 1) & (uint64_t)(cells->table_size - 1);
        cells->table[slot] = (int32_t)c;
    }
    return true;
}

const mnCell *mn_cells_find(const mnCells *cells, int32_t x, int32_t y, int32_t z) {
    if (cells->cell_count == 0) return NULL;
    uint64_t slot = hash(x, y, z) & (uint64_t)(cells->table_size - 1);
    while (cells->table[slot] >= 0) {
        const mnCell *cell = &cells->cells[cells->table[slot]];
        if (cell->x == x && cell->y == y && cell->z == z) return cell;
        slot = (slot + 1) & (uint64_t)(cells->table_size - 1);
    }
    return NULL;
}
