#include "suite.h"

extern const Benchmark benchmark_momentum;

const Benchmark *const benchmarks[] = {
    &benchmark_momentum,
};
const int benchmark_count = sizeof benchmarks / sizeof benchmarks[0];
