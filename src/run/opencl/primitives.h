/* Building blocks of what the device does with whole arrays: prefix sums, sorting, sums over all particles.
 *
 * Everything is put into the device's queue and nothing waits, the reads aside. Failures are the device's (device.h).
 * Results do not depend on how the device shares out its work: the same input gives the same bits. Indices and lengths
 * are 32 bits: up to 2³¹ − 1 entries. */
#ifndef MN_RUN_OPENCL_PRIMITIVES_H
#define MN_RUN_OPENCL_PRIMITIVES_H

#include "run/opencl/device.h"
#include "run/opencl/program.h"

typedef struct mnPrimitives {
    mnDevice *device; /* borrowed */
    mnProgram program;
    mnKernel *scan_blocks, *scan_add, *sort_count, *sort_move, *reduce_rows;
    size_t local;     /* items of a group */
    int32_t capacity; /* entries that there is room for */
    mnBuffer totals;  /* of the blocks of a scan, level after level */
    mnBuffer counts;  /* of the digits of a sort's blocks, and one entry for their sum */
    mnBuffer partial; /* rows that chunks of a reduction's rows have become */
} mnPrimitives;

mnStatus mn_primitives_create(mnDevice *device, mnPrimitives *primitives, mnError *error);
void mn_primitives_release(mnPrimitives *primitives);

/* Makes room for scans and sorts of `count` entries; without memory the room is what it was. */
mnStatus mn_primitives_reserve(mnPrimitives *primitives, int32_t count, mnError *error);

/* to[i] = Σ from[j] over j < i, for int32 entries; from and to may be the same buffer. The sum of all goes to
 * total[total_index], which may be to[count] so that an array of starts is closed by its end. It must fit an int32. */
void mn_scan(mnPrimitives *primitives, const mnBuffer *from, const mnBuffer *to, int32_t count, const mnBuffer *total,
             int32_t total_index);

/* Waits and reads one int32, such as a total. */
int32_t mn_scan_total(mnPrimitives *primitives, const mnBuffer *total, int32_t total_index);

/* Sorts uint64 keys, with an int32 each that goes with its key, by their lowest `bits` bits, rounded up to whole
 * digits of five. Equal keys keep their order. The spare buffers are as large as the others; afterwards the sorted ones
 * are in `keys` and `payload`, which may have changed places with the spare ones. */
void mn_sort(mnPrimitives *primitives, mnBuffer *keys, mnBuffer *keys_spare, mnBuffer *payload, mnBuffer *payload_spare,
             int32_t count, int bits);

/* The last part of a reduction. Each group of a kernel has left a row of `sums` + `maxima` values of the type mnTotal
 * (sums.cl, 8 bytes): the columns are added up, the last `maxima` of them compared, into as many values of `results`
 * from `results_index` on. Without rows sums are 0 and maxima −infinity. */
void mn_reduce(mnPrimitives *primitives, const mnBuffer *rows, int32_t row_count, int sums, int maxima,
               const mnBuffer *results, int32_t results_index);

/* Waits and reads such results. */
void mn_reduce_read(mnPrimitives *primitives, const mnBuffer *results, int32_t results_index, int count,
                    double *values);

#endif
