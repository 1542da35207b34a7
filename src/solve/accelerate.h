/* From one Jacobi iterate to the next: plain, NNCG, or Anderson.
 *
 * The unknowns z = (p, F^ST, F^F) of all particles are stacked with p·h^(d−1) beside the forces, so that all are in
 * newtons (eq. 42 as printed adds Pa² and N²). J is one Jacobi iteration and r = J(z) − z.
 *
 * NNCG [Silcowitz-Hansen 2010], algorithm 5:  β_k = |r_k|²/|r_{k−1}|²; if β_k > 1 restart with z_{k+1} = J(z_k), d_k =
 * 0; else z_{k+1} = J(z_k) + β_k d_{k−1}, d_k = β_k d_{k−1} + r_k; d_0 = r_0.
 *
 * Anderson: z_{k+1} = J(z_k) − Σ_j θ_j ΔJ_j with θ that makes |r_k − Σ_j θ_j Δr_j| smallest, over the last `depth`
 * differences of successive J(z) and r. Mixing iterates linearly keeps momentum; p is clamped at zero afterwards and
 * F^F to its cone. A residual that has grown fourfold throws the history away. */
#ifndef MN_SOLVE_ACCELERATE_H
#define MN_SOLVE_ACCELERATE_H

#include "base/memory.h"
#include "run/run.h"

typedef struct mnAccelerator {
    mnSolverKind kind;
    int depth;
    int64_t capacity;         /* particles: (F^ST, p·h^(d−1)) */
    int64_t contact_capacity; /* those at walls: F^F */
    double gram[MN_ANDERSON_DEPTH_MAX][MN_ANDERSON_DEPTH_MAX];
    int iterations;     /* since the start or the last restart */
    double last_square; /* |r|² of the last iteration */
} mnAccelerator;

/* Room in the world's history for the particles there may be and for those at walls; false: no memory. To be called
 * when either has become more, between steps. */
bool mn_accelerator_reserve(mnAccelerator *accelerator, mnMemory *memory, mnWorld *world);
/* The same for a number of each. */
bool mn_accelerator_take(mnAccelerator *accelerator, mnMemory *memory, mnWorld *world, int64_t particles,
                         int64_t contacts);
void mn_accelerator_release(mnAccelerator *accelerator, mnMemory *memory, mnWorld *world);

/* Before the first iteration, and before the update of each. */
void mn_accelerator_begin(mnAccelerator *accelerator, mnWorld *world);
void mn_accelerator_prepare(mnAccelerator *accelerator, mnWorld *world);
/* Replaces z by the next iterate, from z, J(z) and the sums that the update has left. */
void mn_accelerator_advance(mnAccelerator *accelerator, mnWorld *world, const double *sums);

/* Bytes per particle, and again per particle at a wall where there is friction. */
size_t mn_accelerator_bytes(mnSolverKind kind, int depth);

#endif
