#include <string.h>

#include "surface/inside.h"

static uint64_t hash(const int32_t at[3]) {
    uint64_t k = (uint64_t)(uint32_t)at[0] * 0x9E3779B185EBCA87u ^ (uint64_t)(uint32_t)at[1] * 0xC2B2AE3D27D4EB4Fu ^
                 (uint64_t)(uint32_t)at[2] * 0x165667B19E3779F9u;
    return k ^ (k >> 29);
}

/* Where in the table the block is, or would be. */
static int64_t slot_of(const mnBlocks *blocks, const int32_t at[3]) {
    int64_t slot = (int64_t)(hash(at) & (uint64_t)(blocks->table_size - 1));
    while (blocks->table[slot] >= 0 && memcmp(blocks->at[blocks->table[slot]], at, sizeof blocks->at[0]) != 0)
        slot = (slot + 1) & (blocks->table_size - 1);
    return slot;
}

int64_t mn_blocks_find(const mnBlocks *blocks, const int32_t at[3]) {
    return blocks->table_size > 0 ? blocks->table[slot_of(blocks, at)] : -1;
}

/* Keeps the table, whose size is a power of two, at most half full. */
static bool reserve_table(mnBlocks *blocks, mnMemory *memory) {
    if (2 * (blocks->count + 1) <= blocks->table_size) return true;
    int64_t size = blocks->table_size > 0 ? 2 * blocks->table_size : 256;
    if (!mn_memory_grow(memory, (void **)&blocks->table, &blocks->table_capacity, 0, size, sizeof *blocks->table))
        return false;
    blocks->table_size = size;
    for (int64_t k = 0; k < size; k++) blocks->table[k] = -1;
    for (int64_t b = 0; b < blocks->count; b++) blocks->table[slot_of(blocks, blocks->at[b])] = (int32_t)b;
    return true;
}

bool mn_blocks_add(mnBlocks *blocks, mnMemory *memory, const int32_t at[3]) {
    if (mn_blocks_find(blocks, at) >= 0) return true;
    if (!reserve_table(blocks, memory) || blocks->count == INT32_MAX ||
        !mn_memory_grow(memory, (void **)&blocks->at, &blocks->at_capacity, blocks->count, blocks->count + 1,
                        sizeof *blocks->at))
        return false;
    memcpy(blocks->at[blocks->count], at, sizeof *blocks->at);
    blocks->table[slot_of(blocks, at)] = (int32_t)blocks->count++;
    return true;
}

void mn_blocks_release(mnBlocks *blocks, mnMemory *memory) {
    const size_t values = MN_BLOCK_VALUES * sizeof(float);
    mn_memory_give(memory, blocks->at, (size_t)blocks->at_capacity * sizeof *blocks->at);
    mn_memory_give(memory, blocks->wall, (size_t)blocks->wall_capacity * sizeof *blocks->wall);
    mn_memory_give(memory, blocks->table, (size_t)blocks->table_capacity * sizeof *blocks->table);
    mn_memory_give(memory, blocks->depth, (size_t)blocks->depth_capacity * values);
    mn_memory_give(memory, blocks->clearance, (size_t)blocks->clearance_capacity * values);
    *blocks = (mnBlocks){0};
}
