#include "bench.h"

#include "base/clones.h"
#include "base/parallel.h"

enum { LANES = 64, ROUNDS = 1 << 14, ITEMS = 2000 };

const double yardstick_flops = 2.0 * LANES * ROUNDS * ITEMS;

/* x ← a x + b in 64 lanes, which is enough for two units of eight lanes with a latency of four. */
MN_CLONES static float round_of_work(float start) {
    float x[LANES], sum = 0;
    for (int l = 0; l < LANES; l++) x[l] = start + (float)l;
    for (int k = 0; k < ROUNDS; k++)
#pragma omp simd
        for (int l = 0; l < LANES; l++) x[l] = 0.999f * x[l] + 0.5f;
    for (int l = 0; l < LANES; l++) sum += x[l];
    return sum;
}

static void work(void *context, int64_t item) {
    float *results = context;
    results[item] = round_of_work((float)item);
}

double yardstick_seconds(int threads) {
    float results[ITEMS], sum = 0;
    double start = mn_clock();
    mn_parallel_items(threads, ITEMS, work, results);
    double seconds = mn_clock() - start;
    for (int item = 0; item < ITEMS; item++) sum += results[item];
    return sum > 0 ? seconds : 0; /* the sum must be asked for, or there would be nothing to do */
}
