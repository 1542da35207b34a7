#include "suite.h"

/* In the order of the page. */
/* clang-format off */
#define BENCHMARKS(B)                                                                                                  \
    B(tension) B(calibration)                                                                                          \
    B(laplace) B(uniformity) B(momentum) B(spurious) B(oscillation)                                                    \
    B(angle) B(wetting) B(sessile) B(rise) B(washburn)                                                                 \
    B(slide) B(stickslip)                                                                                              \
    B(plateau) B(culick) B(two_drops) B(coupling) B(rayleigh_taylor) B(impact)
/* clang-format on */

#define DECLARE(name) extern const Benchmark benchmark_##name;
#define REFER(name) &benchmark_##name,

BENCHMARKS(DECLARE)

const Benchmark *const benchmarks[] = {BENCHMARKS(REFER)};
const int benchmark_count = sizeof benchmarks / sizeof benchmarks[0];
