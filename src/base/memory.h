/* Where a simulation's memory comes from and how much it holds.
 *
 * Every array that a step touches is taken here, so that the total is known, the limit is honoured, and a test can see
 * that a warm step takes nothing. Blocks are aligned to 64 bytes and zeroed. */
#ifndef MN_BASE_MEMORY_H
#define MN_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "meniscus/meniscus.h"

typedef struct mnMemory {
    mnAllocator allocator;
    size_t limit;  /* bytes */
    size_t held;   /* bytes */
    int64_t takes; /* how often a block was taken */
} mnMemory;

/* A zeroed allocator means the C library's; a limit of 0 means the machine's memory. */
mnMemory mn_memory_create(mnAllocator allocator, size_t limit);

/* NULL when the limit or the machine is exhausted. */
void *mn_memory_take(mnMemory *memory, size_t bytes);
void mn_memory_give(mnMemory *memory, void *block, size_t bytes);

/* Makes room for `needed` elements, keeping the first `used`; grows by half so that growth is rare. Returns false when
 * there is no memory, with the array unchanged. */
bool mn_memory_grow(mnMemory *memory, void **block, int64_t *capacity, int64_t used, int64_t needed, size_t element);

/* How much room the largest arrays get where so much is needed. A sixteenth more: they are what a simulation's memory
 * is, and go with numbers of particles and neighbours, which change slowly. */
static inline int64_t mn_memory_roomy(int64_t needed) {
    return needed + needed / 16;
}

/* Whether the C library has that much at the moment. To be asked before libraries are called that end the process where
 * they get no memory: HDF5, jansson while it reads. */
bool mn_memory_is_there(size_t bytes);

/* Physical memory of the machine in bytes, or what a container or a batch system lets this process have of it. */
size_t mn_memory_of_machine(void);

/* What of that this process does not hold yet. Linux grants more than there is and kills who uses it, so what takes
 * much at once asks here first. */
size_t mn_memory_left(void);

/* memory_group.c: the limit of the control groups that the file `membership` names, whose folders are below `mounts`;
 * SIZE_MAX where there is none. */
size_t mn_memory_of_group(const char *membership, const char *mounts);

#endif
