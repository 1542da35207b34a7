#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 64, LARGE = 4 << 20 };

static size_t rounded(size_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Asks for pages of 2 MiB where the system has them, before the block is touched. Passes go through hundreds of
 * megabytes in pages of 4 KiB otherwise, and by which of them they get a run takes up to a sixth longer than another.
 * Blocks are not aligned to such pages: then all would begin at the same place of the caches. */
static void ask_for_large_pages(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)block / page * page;
    madvise((void *)begin, (uintptr_t)block + bytes - begin, MADV_HUGEPAGE); /* it may say no */
#else
    (void)block;
    (void)bytes;
#endif
}

static void *standard_allocate(void *context, size_t bytes) {
    (void)context;
    void *block = aligned_alloc(ALIGNMENT, rounded(bytes));
    if (block && bytes >= LARGE) ask_for_large_pages(block, bytes);
    return block;
}

static void standard_release(void *context, void *block, size_t bytes) {
    (void)context;
    (void)bytes;
    free(block);
}

bool mn_memory_is_there(size_t bytes) {
    void *volatile room = malloc(bytes); /* or the compiler knows better */
    const bool is_there = room;
    free(room);
    return is_there;
}

size_t mn_memory_of_machine(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    size_t whole = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX;
    size_t group = mn_memory_of_group("/proc/self/cgroup", "/sys/fs/cgroup");
    return group < whole ? group : whole;
}

/* Physical memory that this process holds; 0 where the system does not tell. */
static size_t held_by_process(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long long size = 0, resident = 0;
    bool is_told = file && fscanf(file, "%llu %llu", &size, &resident) == 2;
    if (file) fclose(file);
    return is_told ? (size_t)resident * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

size_t mn_memory_left(void) {
    size_t whole = mn_memory_of_machine(), held = held_by_process();
    return held < whole ? whole - held : 0;
}

mnMemory mn_memory_create(mnAllocator allocator, size_t limit) {
    if (!allocator.allocate) allocator = (mnAllocator){standard_allocate, standard_release, NULL};
    return (mnMemory){.allocator = allocator, .limit = limit ? limit : mn_memory_of_machine()};
}

void *mn_memory_take(mnMemory *memory, size_t bytes) {
    if (bytes == 0) bytes = ALIGNMENT;
    if (bytes > memory->limit || memory->held > memory->limit - bytes) return NULL;
    void *block = memory->allocator.allocate(memory->allocator.context, bytes);
    if (!block) return NULL;
    memset(block, 0, bytes);
    memory->held += bytes;
    memory->takes++;
    return block;
}

void mn_memory_give(mnMemory *memory, void *block, size_t bytes) {
    if (!block) return;
    if (bytes == 0) bytes = ALIGNMENT;
    memory->allocator.release(memory->allocator.context, block, bytes);
    memory->held -= bytes;
}

bool mn_memory_grow(mnMemory *memory, void **block, int64_t *capacity, int64_t used, int64_t needed, size_t element) {
    if (needed <= *capacity) return true;
    int64_t grown = needed > *capacity + *capacity / 2 ? needed : *capacity + *capacity / 2;
    if ((uint64_t)grown > SIZE_MAX / element) return false;
    void *larger = mn_memory_take(memory, (size_t)grown * element);
    if (!larger && grown > needed) {
        grown = needed;
        larger = mn_memory_take(memory, (size_t)grown * element);
    }
    if (!larger) return false;
    if (*block) memcpy(larger, *block, (size_t)used * element);
    mn_memory_give(memory, *block, (size_t)*capacity * element);
    *block = larger;
    *capacity = grown;
    return true;
}
