/* Loops over particles on all threads, and sums that do not depend on how many there are.
 *
 * A loop body writes only to its own index. A sum goes over fixed blocks of MN_BLOCK indices, each added up in order
 * and in double by one thread, and the blocks are then added in order: the same bits for any number of threads. */
#ifndef MN_BASE_PARALLEL_H
#define MN_BASE_PARALLEL_H

#include <stdint.h>

#ifdef _OPENMP
/* Dynamic chunks: neighbour counts differ between particles, and which thread takes a chunk changes no result. */
#define MN_PRAGMA_TEXT(text) _Pragma(#text)
#define MN_PARALLEL_FOR(threads) MN_PRAGMA_TEXT(omp parallel for num_threads(threads) schedule(dynamic, 256))
#else
#define MN_PARALLEL_FOR(threads)
#endif

enum { MN_BLOCK = 256, MN_SUM_WIDTH_MAX = 20 };

/* Does its work for the indices [begin, end). */
typedef void (*mnRangeBody)(void *context, int64_t begin, int64_t end);

/* Shares out [0, count) in ranges of MN_BLOCK. */
void mn_parallel_ranges(int threads, int64_t count, mnRangeBody body, void *context);

/* Does its work for one index, which is a lot of work. */
typedef void (*mnItemBody)(void *context, int64_t i);

/* Shares out [0, count) one by one. */
void mn_parallel_items(int threads, int64_t count, mnItemBody body, void *context);

/* Adds the contribution of index i to sums[0 … width). */
typedef void (*mnSumBody)(const void *context, int64_t i, double *sums);

/* sums[0 … width) = Σ over i in [0, count) of the body. `scratch` holds width doubles per started block. */
void mn_parallel_sum(int threads, int64_t count, int width, mnSumBody body, const void *context, double *scratch,
                     double *sums);

/* Like the sum, with the largest value instead. Start values are −infinity. */
void mn_parallel_max(int threads, int64_t count, int width, mnSumBody body, const void *context, double *scratch,
                     double *sums);

/* How many doubles mn_parallel_sum needs as scratch. */
int64_t mn_parallel_scratch(int64_t count, int width);

int mn_parallel_cores(void);

/* Seconds on a clock that never goes back. */
double mn_clock(void);

#endif
