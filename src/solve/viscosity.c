#include "solve/viscosity.h"

#include <math.h>

#include "base/clones.h"
#include "base/parallel.h"

static const double TOLERANCE = 1e-3; /* of the residual, relative to the viscous force at the start */
enum { MOST_ITERATIONS = 500 };

#define BUFFERS(X) X(mnVec, solution) X(mnVec, residual) X(mnVec, direction) X(mnVec, image)

size_t mn_viscosity_bytes(void) {
#define SIZE(type, name) +sizeof(type)
    return 0 BUFFERS(SIZE);
#undef SIZE
}

void mn_viscosity_release(mnViscosity *viscosity, mnMemory *memory) {
#define GIVE(type, name) mn_memory_give(memory, viscosity->name, (size_t)(viscosity->capacity + 1) * sizeof(type));
    BUFFERS(GIVE)
#undef GIVE
    *viscosity = (mnViscosity){0};
}

bool mn_viscosity_reserve(mnViscosity *viscosity, mnMemory *memory, int64_t capacity) {
    if (capacity <= viscosity->capacity) return true;
    mn_viscosity_release(viscosity, memory);
    bool ok = true;
    viscosity->capacity = capacity;
#define TAKE(type, name)                                                                                               \
    viscosity->name = mn_memory_take(memory, (size_t)(capacity + 1) * sizeof(type));                                         \
    ok = ok && viscosity->name;
    BUFFERS(TAKE)
#undef TAKE
    if (!ok) mn_viscosity_release(viscosity, memory);
    return ok;
}

typedef struct mnIteration {
    mnViscosity *v;
    mnWorld *world;
} mnIteration;

MN_BODY mnReal mass_of(const mnWorld *world, int64_t i) {
    return world->fluids[world->fluid.phase[i]].density * world->fluid.position[i].w;
}

MN_BODY mnVec drag_at(const mnWorld *world, int64_t i, const mnVec *velocity, int with_wall_velocity) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    return mn_viscosity_drag_at((int32_t)i, world->constants, mn_around_fluid(world, i), fluid->position,
                                velocity, fluid->phase, boundary->position, boundary->velocity,
                                boundary->solid, world->fluids, world->solids, with_wall_velocity);
}

MN_BODY mnVec preconditioned(const mnIteration *it, int64_t i) {
    return mn_scale(1 / mass_of(it->world, i), it->v->residual[i]);
}

static void residual_product_at(const void *context, int64_t i, double *sums) {
    const mnIteration *it = context;
    sums[0] += (double)mn_dot(it->v->residual[i], preconditioned(it, i));
}

static void image_product_at(const void *context, int64_t i, double *sums) {
    const mnIteration *it = context;
    sums[0] += (double)mn_dot(it->v->direction[i], it->v->image[i]);
}

static double total(const mnIteration *it, mnSumBody body) {
    double sum = 0;
    mn_parallel_sum(it->world->threads, it->world->fluid.count, 1, body, it, it->world->scratch, &sum);
    return sum;
}

/* r⁰ = −Δt·K(v⁰ − v_b), since the guess is v⁰. */
MN_CLONES static void begin_range(void *context, int64_t begin, int64_t end) {
    const mnIteration *it = context;
    mnViscosity *v = it->v;
    const mnWorld *world = it->world;
    const mnFluidState *fluid = &world->fluid;
    for (int64_t i = begin; i < end; i++) {
        v->solution[i] = fluid->start[i];
        v->residual[i] = mn_scale(-world->constants.dt, drag_at(world, i, fluid->start, 1));
        v->direction[i] = preconditioned(it, i);
    }
}

/* M + Δt·K of the direction. */
MN_CLONES static void image_range(void *context, int64_t begin, int64_t end) {
    const mnIteration *it = context;
    const mnWorld *world = it->world;
    for (int64_t i = begin; i < end; i++)
        it->v->image[i] = mn_axpy(mass_of(world, i), it->v->direction[i],
                                  mn_scale(world->constants.dt, drag_at(world, i, it->v->direction, 0)));
}

static void finish(const mnIteration *it) {
    mnFluidState *fluid = &it->world->fluid;
    MN_PARALLEL_FOR(it->world->threads)
    for (int64_t i = 0; i < fluid->count; i++) {
        mnReal dt_over_mass = fluid->start[i].w;
        fluid->start[i] = it->v->solution[i];
        fluid->start[i].w = dt_over_mass;
    }
}

int mn_viscosity_solve(mnViscosity *v, mnWorld *world) {
    mnIteration it = {v, world};
    int64_t count = world->fluid.count;
    mn_parallel_ranges(world->threads, count, begin_range, &it);
    v->direction[count] = mn_vec(0, 0, 0, 0); /* nobody's */
    double product = total(&it, residual_product_at), target = TOLERANCE * TOLERANCE * product;
    int iterations = 0;
    while (product > target && iterations < MOST_ITERATIONS) {
        mn_parallel_ranges(world->threads, count, image_range, &it);
        double curvature = total(&it, image_product_at);
        if (!(curvature > 0)) break;
        mnReal alpha = (mnReal)(product / curvature);
        MN_PARALLEL_FOR(world->threads)
        for (int64_t i = 0; i < count; i++) {
            v->solution[i] = mn_axpy(alpha, v->direction[i], v->solution[i]);
            v->residual[i] = mn_axpy(-alpha, v->image[i], v->residual[i]);
        }
        double next = total(&it, residual_product_at);
        mnReal beta = (mnReal)(next / product);
        MN_PARALLEL_FOR(world->threads)
        for (int64_t i = 0; i < count; i++) v->direction[i] = mn_axpy(beta, v->direction[i], preconditioned(&it, i));
        product = next;
        iterations++;
    }
    finish(&it);
    return iterations;
}
