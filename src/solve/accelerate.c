#include "solve/accelerate.h"

#include <math.h>

static const double REGULARISATION = 1e-9; /* of the least squares, relative to the largest diagonal entry */
static const double GROWTH_LIMIT = 16.0;   /* of |r|² */

static int row_count(mnSolverKind kind, int depth) {
    if (kind == MN_SOLVER_JACOBI) return 0;
    return kind == MN_SOLVER_NNCG ? 1 : MN_ROW_COLUMNS + 2 * depth;
}

size_t mn_accelerator_bytes(mnSolverKind kind, int depth) {
    return (size_t)row_count(kind, depth) * sizeof(mnVec);
}

static size_t history_bytes(const mnAccelerator *a) {
    return (size_t)(a->capacity + a->contact_capacity) * mn_accelerator_bytes(a->kind, a->depth);
}

void mn_accelerator_release(mnAccelerator *a, mnMemory *memory, mnWorld *world) {
    mn_run_history(world, memory, history_bytes(a), 0);
    a->capacity = a->contact_capacity = 0;
}

bool mn_accelerator_reserve(mnAccelerator *a, mnMemory *memory, mnWorld *world) {
    int64_t contacts = world->turn.has_friction ? world->neighbours.contacts.count : 0;
    if (world->fluid.capacity <= a->capacity && contacts <= a->contact_capacity) return true;
    return mn_accelerator_take(a, memory, world, world->fluid.capacity, mn_memory_roomy(contacts));
}

bool mn_accelerator_take(mnAccelerator *a, mnMemory *memory, mnWorld *world, int64_t particles, int64_t contacts) {
    size_t old_bytes = history_bytes(a);
    a->capacity = particles;
    a->contact_capacity = contacts;
    bool fine = mn_run_history(world, memory, old_bytes, history_bytes(a));
    if (!fine) a->capacity = a->contact_capacity = 0;
    return fine;
}

void mn_accelerator_begin(mnAccelerator *a, mnWorld *world) {
    mnReal h = world->constants.spacing;
    mnTurn *turn = &world->turn;
    turn->solver = a->kind;
    turn->depth = a->depth;
    turn->contacts_at = a->capacity;
    turn->row = a->capacity + a->contact_capacity;
    turn->pressure_scale = world->constants.dimension == 3 ? h * h : h;
    turn->columns = 0;
    turn->column = -1;
    a->iterations = 0;
}

void mn_accelerator_prepare(mnAccelerator *a, mnWorld *world) {
    if (a->kind != MN_SOLVER_ANDERSON || a->iterations == 0) return;
    world->turn.column = (world->turn.column + 1) % a->depth;
    if (world->turn.columns < a->depth) world->turn.columns++;
}

static void advance_nncg(mnAccelerator *a, mnWorld *world, double square) {
    /* The residual that replaces an old F^ST is no direction to go on in: it carries that force's torque. */
    if (world->turn.is_tension_old) {
        mn_run(world, MN_PASS_accept);
        return;
    }
    double beta = a->iterations > 0 && a->last_square > 0 ? square / a->last_square : 0;
    world->turn.beta = beta > 1 ? -1 : (mnReal)beta;
    mn_run(world, MN_PASS_turn_nncg);
    a->last_square = square;
    a->iterations++;
}

/* θ of gram·θ = right by Cholesky; false when the matrix is not positive enough. */
static bool solve_small(const mnAccelerator *a, int n, const double *right, double *theta) {
    double lower[MN_ANDERSON_DEPTH_MAX][MN_ANDERSON_DEPTH_MAX];
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

static void advance_anderson(mnAccelerator *a, mnWorld *world, const double *sums) {
    double theta[MN_ANDERSON_DEPTH_MAX], square = sums[MN_SUM_SQUARE];
    mnTurn *turn = &world->turn;
    bool has_grown = a->iterations > 0 && square > GROWTH_LIMIT * a->last_square;
    a->last_square = square;
    a->iterations++;
    if (has_grown) {
        turn->columns = 0;
        turn->column = -1;
    }
    for (int j = 0; j < turn->columns; j++)
        a->gram[turn->column][j] = a->gram[j][turn->column] = sums[MN_SUM_CHANGES + j];
    if (turn->columns <= 0 || !solve_small(a, turn->columns, sums + MN_SUM_RESIDUALS, theta)) {
        mn_run(world, MN_PASS_accept);
        return;
    }
    for (int j = 0; j < turn->columns; j++) turn->mixing[j] = (mnReal)theta[j];
    mn_run(world, MN_PASS_mix);
}

void mn_accelerator_advance(mnAccelerator *a, mnWorld *world, const double *sums) {
    switch (a->kind) {
    case MN_SOLVER_JACOBI:
        mn_run(world, MN_PASS_accept);
        break;
    case MN_SOLVER_NNCG:
        advance_nncg(a, world, sums[MN_SUM_SQUARE]);
        break;
    case MN_SOLVER_ANDERSON:
        advance_anderson(a, world, sums);
        break;
    }
}
