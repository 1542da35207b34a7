#include "solve/viscosity.h"

#include <math.h>

#include "base/clones.h"
#include "base/parallel.h"

/* Of the residual, relative to the viscous force at the start. */
static const double TOLERANCE = 1e-3, LOOSEST = 1e-2;
enum { MOST_ITERATIONS = 500 };

typedef struct mnIteration {
    mnWorld *world;
    mnVec *solution, *residual, *direction, *image;
} mnIteration;

MN_BODY mnReal mass_of(const mnWorld *world, int64_t i) {
    return world->fluids[world->fluid.phase[i]].density * world->fluid.position[i].w;
}

MN_BODY mnVec drag_at(const mnWorld *world, int64_t i, const mnVec *velocity, int with_wall_velocity) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    return mn_viscosity_drag_at((int32_t)i, world->constants, mn_around_fluid(world, i), fluid->position, velocity,
                                fluid->phase, boundary->position, boundary->velocity, boundary->solid, world->fluids,
                                world->solids, with_wall_velocity);
}

MN_BODY mnVec preconditioned(const mnIteration *it, int64_t i) {
    return mn_scale(1 / mass_of(it->world, i), it->residual[i]);
}

static void residual_product_at(const void *context, int64_t i, double *sums) {
    const mnIteration *it = context;
    sums[0] += (double)mn_dot(it->residual[i], preconditioned(it, i));
}

static void image_product_at(const void *context, int64_t i, double *sums) {
    const mnIteration *it = context;
    sums[0] += (double)mn_dot(it->direction[i], it->image[i]);
}

static double total(const mnIteration *it, mnSumBody body) {
    double sum = 0;
    mn_parallel_sum(it->world->threads, it->world->fluid.count, 1, body, it, it->world->scratch, &sum);
    return sum;
}

/* r⁰ = −Δt·K(v⁰ − v_b), since the guess is v⁰. */
MN_CLONES static void begin_range(void *context, int64_t begin, int64_t end) {
    const mnIteration *it = context;
    const mnWorld *world = it->world;
    const mnFluidState *fluid = &world->fluid;
    for (int64_t i = begin; i < end; i++) {
        it->solution[i] = fluid->start[i];
        it->residual[i] = mn_scale(-world->constants.dt, drag_at(world, i, fluid->start, 1));
        it->direction[i] = preconditioned(it, i);
    }
}

/* M + Δt·K of the direction. */
MN_CLONES static void image_range(void *context, int64_t begin, int64_t end) {
    const mnIteration *it = context;
    const mnWorld *world = it->world;
    for (int64_t i = begin; i < end; i++)
        it->image[i] = mn_axpy(mass_of(world, i), it->direction[i],
                               mn_scale(world->constants.dt, drag_at(world, i, it->direction, 0)));
}

static void finish(const mnIteration *it) {
    mnFluidState *fluid = &it->world->fluid;
    MN_PARALLEL_FOR(it->world->threads)
    for (int64_t i = 0; i < fluid->count; i++) {
        mnReal dt_over_mass = fluid->start[i].w;
        fluid->start[i] = it->solution[i];
        fluid->start[i].w = dt_over_mass;
    }
}

/* Euler's implicit step errs by half of λ = |Δt·K|/|M| itself, 1/α being 1 + λ. Thin liquids need not be solved more
 * closely than that. */
static double tolerance_at(mnReal alpha) {
    double half = 0.5 * (1 / (double)alpha - 1);
    return half > TOLERANCE && half < LOOSEST ? half : TOLERANCE;
}

int mn_viscosity_solve(mnWorld *world) {
    mnFluidState *fluid = &world->fluid;
    mnIteration it = {.world = world,
                      .solution = fluid->predicted,
                      .residual = fluid->next_tension,
                      .direction = fluid->flow, /* nobody's stays 0 */
                      .image = fluid->next_friction};
    int64_t count = fluid->count;
    mn_parallel_ranges(world->threads, count, begin_range, &it);
    double first = total(&it, residual_product_at), product = first, tolerance = 0;
    int iterations = 0;
    while (product > tolerance * tolerance * first && iterations < MOST_ITERATIONS) {
        mn_parallel_ranges(world->threads, count, image_range, &it);
        double curvature = total(&it, image_product_at);
        if (!(curvature > 0)) break;
        mnReal alpha = (mnReal)(product / curvature);
        MN_PARALLEL_FOR(world->threads)
        for (int64_t i = 0; i < count; i++) {
            it.solution[i] = mn_axpy(alpha, it.direction[i], it.solution[i]);
            it.residual[i] = mn_axpy(-alpha, it.image[i], it.residual[i]);
        }
        double next = total(&it, residual_product_at);
        mnReal beta = (mnReal)(next / product);
        MN_PARALLEL_FOR(world->threads)
        for (int64_t i = 0; i < count; i++) it.direction[i] = mn_axpy(beta, it.direction[i], preconditioned(&it, i));
        product = next;
        tolerance = tolerance_at(alpha);
        iterations++;
    }
    finish(&it);
    return iterations;
}
