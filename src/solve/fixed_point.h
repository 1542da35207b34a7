/* The solver loop, algorithm 1 and 5: iterate until pressure, tension and friction agree with the state they lead to.
 */
#ifndef MN_SOLVE_FIXED_POINT_H
#define MN_SOLVE_FIXED_POINT_H

#include "run/passes.h"
#include "solve/accelerate.h"

typedef struct mnSolveReport {
    int iterations;
    bool converged;
    mnResiduals residuals; /* of the last iteration */
} mnSolveReport;

/* Solves for the unknowns named by world->turn.parts, starting from what they hold, and leaves the velocities they lead
 * to in `predicted`. What is applied is always the result of a Jacobi iteration, so p ≥ 0 and friction lies in its
 * cone. Seconds spent are added to stage_seconds (mnStage). */
mnSolveReport mn_solve(mnWorld *world, mnAccelerator *accelerator, const mnSolverDesc *solver, double *stage_seconds);

#endif
