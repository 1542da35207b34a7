#include "suite.h"

extern const Benchmark benchmark_angle;
extern const Benchmark benchmark_momentum;
extern const Benchmark benchmark_sessile;

const Benchmark *const benchmarks[] = {
    &benchmark_momentum,
    &benchmark_angle,
    &benchmark_sessile,
};
const int benchmark_count = sizeof benchmarks / sizeof benchmarks[0];
