#include "suite.h"

extern const Benchmark benchmark_angle;
extern const Benchmark benchmark_calibration;
extern const Benchmark benchmark_laplace;
extern const Benchmark benchmark_momentum;
extern const Benchmark benchmark_oscillation;
extern const Benchmark benchmark_rise;
extern const Benchmark benchmark_sessile;
extern const Benchmark benchmark_slide;
extern const Benchmark benchmark_spurious;
extern const Benchmark benchmark_stickslip;
extern const Benchmark benchmark_tension;
extern const Benchmark benchmark_uniformity;
extern const Benchmark benchmark_washburn;
extern const Benchmark benchmark_wetting;

const Benchmark *const benchmarks[] = {
    &benchmark_tension,  &benchmark_calibration, &benchmark_laplace, &benchmark_uniformity, &benchmark_momentum,
    &benchmark_spurious, &benchmark_oscillation, &benchmark_angle,   &benchmark_wetting,    &benchmark_sessile,
    &benchmark_rise,     &benchmark_washburn,    &benchmark_slide,   &benchmark_stickslip,
};
const int benchmark_count = sizeof benchmarks / sizeof benchmarks[0];
