#include "solve/accelerate.h"

#include <math.h>

#include "base/parallel.h"
#include "kernels/friction.h"
#include "run/passes.h"

static const double REGULARISATION = 1e-9; /* of the least squares, relative to the largest diagonal entry */
static const double GROWTH_LIMIT = 16.0;   /* of |r|² */

static int buffer_count(mnSolverKind kind, int depth) {
    if (kind == MN_SOLVER_JACOBI) return 0;
    return kind == MN_SOLVER_NNCG ? 1 : 2 + 2 * depth;
}

size_t mn_accelerator_bytes(mnSolverKind kind, int depth) {
    return (size_t)buffer_count(kind, depth) * sizeof(mnVec);
}

/* The k-th buffer in use. */
static mnVec **buffer(mnAccelerator *a, int k) {
    if (k == 0) return &a->last_next;
    if (k == 1) return &a->last_residual;
    return k % 2 == 0 ? &a->residual_change[k / 2 - 1] : &a->next_change[k / 2 - 1];
}

void mn_accelerator_release(mnAccelerator *a, mnMemory *memory) {
    for (int k = 0; k < buffer_count(a->kind, a->depth); k++) {
        mn_memory_give(memory, *buffer(a, k), (size_t)(a->capacity + a->contact_capacity) * sizeof(mnVec));
        *buffer(a, k) = NULL;
    }
    a->capacity = a->contact_capacity = 0;
}

bool mn_accelerator_reserve(mnAccelerator *a, mnMemory *memory, const mnWorld *world) {
    int64_t contacts = world->has_friction ? world->neighbours.contact_count : 0;
    if (world->fluid.capacity <= a->capacity && contacts <= a->contact_capacity) return true;
    mn_accelerator_release(a, memory);
    a->capacity = world->fluid.capacity;
    a->contact_capacity = contacts + contacts / 4;
    for (int k = 0; k < buffer_count(a->kind, a->depth); k++) {
        *buffer(a, k) = mn_memory_take(memory, (size_t)(a->capacity + a->contact_capacity) * sizeof(mnVec));
        if (!*buffer(a, k)) {
            mn_accelerator_release(a, memory);
            return false;
        }
    }
    return true;
}

void mn_accelerator_begin(mnAccelerator *a, const mnWorld *world) {
    mnReal h = world->constants.spacing;
    a->pressure_scale = world->constants.dimension == 3 ? h * h : h;
    a->columns = a->iterations = 0;
    a->column = -1;
}

static mnVec stacked(mnVec force, mnReal pressure, mnReal scale) {
    force.w = pressure * scale;
    return force;
}

static mnVec plus(mnVec a, mnReal s, mnVec b) {
    return mn_vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w);
}

static double product(mnVec a, mnVec b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
           (double)a.w * (double)b.w;
}

typedef struct mnAdvance {
    mnAccelerator *accelerator;
    mnWorld *world;
    bool is_first;
} mnAdvance;

/* Friction has a lane of its own, and only where there is some. */
static int lanes_at(const mnAdvance *advance, int64_t i) {
    return advance->world->has_friction && advance->world->fluid.mu[i] > 0 ? 2 : 1;
}

/* Where particle i has its place in a buffer: behind those of all particles come those of friction. */
static int64_t entry(const mnAdvance *advance, int64_t i, int lane) {
    return lane ? advance->accelerator->capacity + advance->world->fluid.contact[i] : i;
}

/* z and J(z) of particle i in one lane. */
static mnVec unknowns(const mnAdvance *advance, int64_t i, int lane) {
    const mnFluidState *fluid = &advance->world->fluid;
    return lane ? stacked(fluid->friction[i], 0, 0)
                : stacked(fluid->tension[i], fluid->pressure[i], advance->accelerator->pressure_scale);
}

static mnVec iterate(const mnAdvance *advance, int64_t i, int lane) {
    const mnFluidState *fluid = &advance->world->fluid;
    return lane ? stacked(fluid->next_friction[i], 0, 0)
                : stacked(fluid->next_tension[i], fluid->next_pressure[i], advance->accelerator->pressure_scale);
}

static void square_at(const void *context, int64_t i, double *sums) {
    const mnAdvance *advance = context;
    for (int lane = 0; lane < lanes_at(advance, i); lane++) {
        mnVec r = plus(iterate(advance, i, lane), -1, unknowns(advance, i, lane));
        sums[0] += product(r, r);
    }
}

static void advance_nncg(mnAdvance *advance) {
    mnAccelerator *a = advance->accelerator;
    mnFluidState *fluid = &advance->world->fluid;
    /* The residual that replaces an old F^ST is no direction to go on in: it carries that force's torque. */
    if (advance->world->is_tension_old) {
        mn_pass_accept(advance->world);
        return;
    }
    double square = 0;
    mn_parallel_sum(advance->world->threads, fluid->count, 1, square_at, advance, advance->world->scratch, &square);
    double beta = a->iterations > 0 && a->last_square > 0 ? square / a->last_square : 0;
    bool is_restart = beta > 1;
    mnReal factor = is_restart ? 0 : (mnReal)beta, keep = is_restart ? 0 : 1;
    MN_PARALLEL_FOR(advance->world->threads)
    for (int64_t i = 0; i < fluid->count; i++)
        for (int lane = 0; lane < lanes_at(advance, i); lane++) {
            mnVec next = iterate(advance, i, lane), z = unknowns(advance, i, lane);
            mnVec *direction = &a->last_next[entry(advance, i, lane)];
            mnVec carried = factor > 0 ? plus(mn_vec(0, 0, 0, 0), factor, *direction) : mn_vec(0, 0, 0, 0);
            *direction = plus(carried, keep, plus(next, -1, z));
            next = plus(next, 1, carried);
            if (lane)
                fluid->friction[i] = mn_scale(1, next);
            else {
                fluid->tension[i] = mn_scale(1, next);
                fluid->pressure[i] = next.w / a->pressure_scale;
            }
        }
    a->last_square = square;
    a->iterations++;
}

/* Stores r and J(z), and, unless this is the first time, their changes; the products that the least squares need:
 * sums[j] = Δr_new·Δr_j, sums[depth + j] = r·Δr_j, sums[2·depth] = |r|². */
static void remember_at(const void *context, int64_t i, double *sums) {
    const mnAdvance *advance = context;
    mnAccelerator *a = advance->accelerator;
    for (int lane = 0; lane < lanes_at(advance, i); lane++) {
        int64_t at = entry(advance, i, lane);
        mnVec next = iterate(advance, i, lane);
        mnVec r = plus(next, -1, unknowns(advance, i, lane));
        if (!advance->is_first) {
            mnVec change = plus(r, -1, a->last_residual[at]);
            a->residual_change[a->column][at] = change;
            a->next_change[a->column][at] = plus(next, -1, a->last_next[at]);
            for (int j = 0; j < a->columns; j++) {
                mnVec other = a->residual_change[j][at];
                sums[j] += product(change, other);
                sums[a->depth + j] += product(r, other);
            }
        }
        a->last_residual[at] = r;
        a->last_next[at] = next;
        sums[2 * a->depth] += product(r, r);
    }
}

/* θ of gram·θ = right by Cholesky; false when the matrix is not positive enough. */
static bool solve_small(mnAccelerator *a, const double *right, double *theta) {
    double lower[MN_ANDERSON_DEPTH_MAX][MN_ANDERSON_DEPTH_MAX];
    int n = a->columns;
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, a->gram[i][i]);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a->gram[i][j] + (i == j ? REGULARISATION * largest : 0);
            for (int k = 0; k < j; k++) sum -= lower[i][k] * lower[j][k];
            if (i == j && !(sum > 0)) return false;
            lower[i][j] = i == j ? sqrt(sum) : sum / lower[j][j];
        }
    }
    for (int i = 0; i < n; i++) {
        theta[i] = right[i];
        for (int k = 0; k < i; k++) theta[i] -= lower[i][k] * theta[k];
        theta[i] /= lower[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) theta[i] -= lower[k][i] * theta[k];
        theta[i] /= lower[i][i];
    }
    return true;
}

static void mix(mnAdvance *advance, const double *theta) {
    mnAccelerator *a = advance->accelerator;
    mnFluidState *fluid = &advance->world->fluid;
    mnReal weights[MN_ANDERSON_DEPTH_MAX];
    for (int j = 0; j < a->columns; j++) weights[j] = (mnReal)theta[j];
    MN_PARALLEL_FOR(advance->world->threads)
    for (int64_t i = 0; i < fluid->count; i++) {
        mnVec mixed[2];
        int lanes = lanes_at(advance, i);
        for (int lane = 0; lane < lanes; lane++) {
            int64_t at = entry(advance, i, lane);
            mixed[lane] = a->last_next[at];
            for (int j = 0; j < a->columns; j++) mixed[lane] = plus(mixed[lane], -weights[j], a->next_change[j][at]);
        }
        fluid->tension[i] = mn_scale(1, mixed[0]);
        fluid->pressure[i] = mn_max(0, mixed[0].w / a->pressure_scale);
        if (lanes > 1) {
            mnReal limit = fluid->mu[i] * fluid->position[i].w * fluid->pressure[i] * fluid->normal[i].w;
            fluid->friction[i] = mn_friction_project(mn_scale(1, mixed[1]), limit);
        }
    }
}

static void advance_anderson(mnAdvance *advance) {
    mnAccelerator *a = advance->accelerator;
    mnWorld *world = advance->world;
    double sums[2 * MN_ANDERSON_DEPTH_MAX + 1], theta[MN_ANDERSON_DEPTH_MAX];
    advance->is_first = a->iterations == 0;
    if (!advance->is_first) {
        a->column = (a->column + 1) % a->depth;
        if (a->columns < a->depth) a->columns++;
    }
    mn_parallel_sum(world->threads, world->fluid.count, 2 * a->depth + 1, remember_at, advance, world->scratch, sums);
    double square = sums[2 * a->depth];
    bool has_grown = !advance->is_first && square > GROWTH_LIMIT * a->last_square;
    a->last_square = square;
    a->iterations++;
    if (has_grown) {
        a->columns = 0;
        a->column = -1;
    }
    for (int j = 0; j < a->columns; j++) a->gram[a->column][j] = a->gram[j][a->column] = sums[j];
    if (a->columns > 0 && solve_small(a, sums + a->depth, theta))
        mix(advance, theta);
    else
        mn_pass_accept(world);
}

void mn_accelerator_advance(mnAccelerator *accelerator, mnWorld *world) {
    mnAdvance advance = {accelerator, world, false};
    switch (accelerator->kind) {
    case MN_SOLVER_JACOBI:
        mn_pass_accept(world);
        break;
    case MN_SOLVER_NNCG:
        advance_nncg(&advance);
        break;
    case MN_SOLVER_ANDERSON:
        advance_anderson(&advance);
        break;
    }
}
