#include "suite.h"

extern const Benchmark benchmark_laplace, benchmark_uniformity, benchmark_momentum, benchmark_spurious,
    benchmark_oscillation;

const Benchmark *const benchmarks[] = {
    &benchmark_laplace, &benchmark_uniformity, &benchmark_momentum, &benchmark_spurious, &benchmark_oscillation,
};
const int benchmark_count = sizeof benchmarks / sizeof benchmarks[0];
