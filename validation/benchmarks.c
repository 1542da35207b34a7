#include "suite.h"

extern const Benchmark benchmark_angle;
extern const Benchmark benchmark_momentum;
extern const Benchmark benchmark_rise;
extern const Benchmark benchmark_sessile;
extern const Benchmark benchmark_slide;
extern const Benchmark benchmark_stickslip;
extern const Benchmark benchmark_washburn;
extern const Benchmark benchmark_wetting;

const Benchmark *const benchmarks[] = {
    &benchmark_momentum, &benchmark_angle,    &benchmark_wetting, &benchmark_sessile,
    &benchmark_rise,     &benchmark_washburn, &benchmark_slide,   &benchmark_stickslip,
};
const int benchmark_count = sizeof benchmarks / sizeof benchmarks[0];
