#include "suite.h"

extern const Benchmark benchmark_momentum;
extern const Benchmark benchmark_plateau;
extern const Benchmark benchmark_culick;
extern const Benchmark benchmark_two_drops;
extern const Benchmark benchmark_coupling;
extern const Benchmark benchmark_rayleigh_taylor;
extern const Benchmark benchmark_impact;

const Benchmark *const benchmarks[] = {
    &benchmark_momentum, &benchmark_plateau,         &benchmark_culick, &benchmark_two_drops,
    &benchmark_coupling, &benchmark_rayleigh_taylor, &benchmark_impact,
};
const int benchmark_count = sizeof benchmarks / sizeof benchmarks[0];
