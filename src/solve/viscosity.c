#include "solve/viscosity.h"

#include <math.h>

/* Of the residual, relative to the viscous force at the start. */
static const double TOLERANCE = 1e-3, LOOSEST = 1e-2;
enum { MOST_ITERATIONS = 500 };

/* Euler's implicit step errs by half of λ = |Δt·K|/|M| itself, 1/α being 1 + λ. Thin liquids need not be solved more
 * closely than that. */
static double tolerance_at(mnReal alpha) {
    double half = 0.5 * (1 / (double)alpha - 1);
    return half > TOLERANCE && half < LOOSEST ? half : TOLERANCE;
}

int mn_viscosity_solve(mnWorld *world) {
    double first, curvature, next, tolerance = 0;
    mn_run_sums(world, MN_PASS_viscous_begin, &first);
    double product = first;
    int iterations = 0;
    while (product > tolerance * tolerance * first && iterations < MOST_ITERATIONS) {
        mn_run_sums(world, MN_PASS_viscous_image, &curvature);
        if (!(curvature > 0)) break;
        world->turn.alpha = (mnReal)(product / curvature);
        mn_run_sums(world, MN_PASS_viscous_advance, &next);
        world->turn.beta = (mnReal)(next / product);
        mn_run(world, MN_PASS_viscous_turn);
        product = next;
        tolerance = tolerance_at(world->turn.alpha);
        iterations++;
    }
    mn_run(world, MN_PASS_carry_over);
    return iterations;
}
