#include "bench.h"

#include "base/clones.h"
#include "base/parallel.h"

const double yardstick_flops = 4e9;

enum { LANES = 64, ROUNDS = 1 << 14 };

/* x ← a x + b in 64 lanes, which is enough for two units of eight lanes with a latency of four. */
MN_CLONES static float round_of_work(float start) {
    float x[LANES], sum = 0;
    for (int l = 0; l < LANES; l++) x[l] = start + (float)l;
    for (int k = 0; k < ROUNDS; k++)
#ifdef _OPENMP
#pragma omp simd
#endif
        for (int l = 0; l < LANES; l++) x[l] = 0.999f * x[l] + 0.5f;
    for (int l = 0; l < LANES; l++) sum += x[l];
    return sum;
}

double yardstick_seconds(int threads) {
    int64_t rounds = (int64_t)(yardstick_flops / (2.0 * LANES * ROUNDS));
    float sum = 0;
    double start = mn_clock();
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(+ : sum)
#endif
    for (int64_t r = 0; r < rounds; r++) sum += round_of_work((float)r);
    double seconds = mn_clock() - start;
    return sum > 0 ? seconds : 0; /* the sum must be asked for, or there would be nothing to do */
}
