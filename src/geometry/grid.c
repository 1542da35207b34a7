#include "geometry/grid.h"

#include <stdlib.h>

#include "geometry/vector.h"

static void key_of(const mnGrid *grid, const double position[3], int64_t key[3]) {
    for (int c = 0; c < 3; c++) {
        double x = position[c] / grid->cell;
        key[c] = x > -1e15 && x < 1e15 ? (int64_t)floor(x) : 0;
    }
}

static int64_t bucket_of(const mnGrid *grid, const int64_t key[3]) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int c = 0; c < 3; c++) {
        hash = (hash ^ (uint64_t)key[c]) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return (int64_t)(hash & (uint64_t)(grid->bucket_count - 1));
}

static void link_slot(mnGrid *grid, int64_t slot) {
    int64_t bucket = bucket_of(grid, grid->key[slot]);
    grid->next[slot] = grid->head[bucket];
    grid->head[bucket] = slot;
}

static bool reserve(mnGrid *grid, int64_t capacity) {
    int64_t buckets = 64;
    while (buckets < capacity) buckets *= 2;
    void *head = realloc(grid->head, (size_t)buckets * sizeof *grid->head);
    if (head) grid->head = head;
    void *next = realloc(grid->next, (size_t)capacity * sizeof *grid->next);
    if (next) grid->next = next;
    void *index = realloc(grid->index, (size_t)capacity * sizeof *grid->index);
    if (index) grid->index = index;
    void *key = realloc(grid->key, (size_t)capacity * sizeof *grid->key);
    if (key) grid->key = key;
    if (!head || !next || !index || !key) return false;
    grid->capacity = capacity;
    grid->bucket_count = buckets;
    for (int64_t i = 0; i < buckets; i++) grid->head[i] = -1;
    for (int64_t slot = 0; slot < grid->count; slot++) link_slot(grid, slot);
    return true;
}

bool mn_grid_create(mnGrid *grid, double cell, int64_t expected) {
    *grid = (mnGrid){.cell = cell};
    if (reserve(grid, expected > 64 ? expected : 64)) return true;
    mn_grid_destroy(grid);
    return false;
}

void mn_grid_destroy(mnGrid *grid) {
    free(grid->head);
    free(grid->next);
    free(grid->index);
    free(grid->key);
    *grid = (mnGrid){0};
}

void mn_grid_empty(mnGrid *grid) {
    grid->count = 0;
    for (int64_t i = 0; i < grid->bucket_count; i++) grid->head[i] = -1;
}

bool mn_grid_add(mnGrid *grid, const double position[3], int64_t index) {
    if (grid->count == grid->capacity && !reserve(grid, 2 * grid->capacity)) return false;
    int64_t slot = grid->count++;
    grid->index[slot] = index;
    key_of(grid, position, grid->key[slot]);
    link_slot(grid, slot);
    return true;
}

int mn_grid_near(const mnGrid *grid, double (*positions)[3], const double place[3], double radius, int64_t *found,
                 int room) {
    int64_t low[3], high[3], key[3];
    double corner[3] = {place[0] - radius, place[1] - radius, place[2] - radius};
    key_of(grid, corner, low);
    for (int c = 0; c < 3; c++) corner[c] = place[c] + radius;
    key_of(grid, corner, high);
    int count = 0;
    for (key[0] = low[0]; key[0] <= high[0]; key[0]++)
        for (key[1] = low[1]; key[1] <= high[1]; key[1]++)
            for (key[2] = low[2]; key[2] <= high[2]; key[2]++)
                for (int64_t slot = grid->head[bucket_of(grid, key)]; slot >= 0; slot = grid->next[slot]) {
                    if (memcmp(grid->key[slot], key, sizeof key) != 0) continue;
                    int64_t index = grid->index[slot];
                    if (distance_squared3(positions[index], place) >= radius * radius) continue;
                    if (count == room) return count;
                    found[count++] = index;
                }
    return count;
}
