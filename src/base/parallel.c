/* clock_gettime and CLOCK_MONOTONIC are POSIX. */
#define _POSIX_C_SOURCE 200809L

#include "base/parallel.h"

#include <math.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Blocks that a thread takes at a time: neighbours of the particles of one block are in the next, and lie in the caches
 * of the core that had the first. Small enough that no thread has to wait for long at the end. */
static int64_t blocks_at_once(int threads, int64_t blocks) {
    int64_t size = blocks / (32 * (int64_t)threads);
    return size > 0 ? size : 1;
}

static int64_t block_count_of(int64_t count) {
    return (count + MN_BLOCK - 1) / MN_BLOCK;
}

int64_t mn_parallel_scratch(int64_t count, int width) {
    return block_count_of(count) * width;
}

static void blocks(int threads, int64_t count, int width, double start, mnSumBody body, const void *context,
                   double *scratch) {
    int64_t block_count = block_count_of(count), at_once = blocks_at_once(threads, block_count);
    (void)at_once;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, at_once)
#endif
    for (int64_t block = 0; block < block_count; block++) {
        double local[MN_SUM_WIDTH_MAX];
        for (int k = 0; k < width; k++) local[k] = start;
        int64_t end = (block + 1) * MN_BLOCK < count ? (block + 1) * MN_BLOCK : count;
        for (int64_t i = block * MN_BLOCK; i < end; i++) body(context, i, local);
        for (int k = 0; k < width; k++) scratch[block * width + k] = local[k];
    }
}

void mn_parallel_sum(int threads, int64_t count, int width, mnSumBody body, const void *context, double *scratch,
                     double *sums) {
    blocks(threads, count, width, 0.0, body, context, scratch);
    for (int k = 0; k < width; k++) sums[k] = 0.0;
    for (int64_t i = 0; i < mn_parallel_scratch(count, width); i++) sums[i % width] += scratch[i];
}

void mn_parallel_max(int threads, int64_t count, int width, mnSumBody body, const void *context, double *scratch,
                     double *sums) {
    blocks(threads, count, width, -INFINITY, body, context, scratch);
    for (int k = 0; k < width; k++) sums[k] = -INFINITY;
    for (int64_t i = 0; i < mn_parallel_scratch(count, width); i++) sums[i % width] = fmax(sums[i % width], scratch[i]);
}

void mn_parallel_ranges(int threads, int64_t count, mnRangeBody body, void *context) {
    int64_t at_once = blocks_at_once(threads, block_count_of(count));
    (void)at_once;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, at_once)
#endif
    for (int64_t begin = 0; begin < count; begin += MN_BLOCK)
        body(context, begin, begin + MN_BLOCK < count ? begin + MN_BLOCK : count);
}

void mn_parallel_items(int threads, int64_t count, mnItemBody body, void *context) {
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
#endif
    for (int64_t i = 0; i < count; i++) body(context, i);
}

int mn_parallel_cores(void) {
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

double mn_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
