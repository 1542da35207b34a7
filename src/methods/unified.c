#include "methods/unified.h"

#include <math.h>

#include "base/parallel.h"

void mn_unified_create(mnUnified *method, const mnSolverDesc *solver) {
    *method = (mnUnified){.solver = *solver};
    method->accelerator.kind = solver->kind;
    method->accelerator.depth = solver->anderson_depth;
}

void mn_unified_release(mnUnified *method, mnMemory *memory, mnWorld *world) {
    mn_accelerator_release(&method->accelerator, memory, world);
}

bool mn_unified_reserve(mnUnified *method, mnMemory *memory, mnWorld *world) {
    return mn_accelerator_reserve(&method->accelerator, memory, world);
}

size_t mn_unified_bytes(const mnSolverDesc *solver) {
    return mn_accelerator_bytes(solver->kind, solver->anderson_depth);
}

/* What of p is within the tolerance of the volume is the less the longer the step, as 1/Δt². So the less of it need
 * fade in steps beyond the capillary limit: w^(1/r²) of it is kept in a step of r times that. */
static void warm_start(const mnUnified *method, mnWorld *world, bool is_retry) {
    bool keep = method->solver.warm_start && !is_retry;
    double ratio = 1 + (double)world->constants.lateness;
    double share = method->solver.warm_start_pressure;
    if (ratio > 1) share = pow(share, 1 / (ratio * ratio));
    world->turn.is_tension_old = keep;
    world->turn.warmth = keep ? (mnReal)share : -1;
    mn_run(world, MN_PASS_warm_start);
}

static void solve_parts(mnUnified *method, mnWorld *world, int parts, mnStepReport *report) {
    if (!world->has_tension) parts &= MN_PART_PRESSURE;
    if (!parts) return;
    world->turn.parts = parts;
    mnSolveReport solved = mn_solve(world, &method->accelerator, &method->solver, report->stage_seconds);
    report->iterations += solved.iterations;
    report->converged = report->converged && solved.converged;
    if (parts & MN_PART_PRESSURE) {
        report->residual_volume = solved.residuals.volume;
        report->residual_friction = solved.residuals.friction;
    }
    if (parts & MN_PART_TENSION) report->residual_tension = solved.residuals.tension;
}

void mn_unified_step(mnUnified *method, mnWorld *world, bool has_viscosity, bool is_retry, mnStepReport *report) {
    world->constants.relaxation_pressure = (mnReal)method->solver.relaxation_pressure;
    world->constants.relaxation_tension = (mnReal)method->solver.relaxation_tension;
    world->constants.recovery =
        (mnReal)(method->solver.volume_recovery * fmin(1, (double)world->constants.dt / world->recovery_dt));
    report->converged = true;

    double then = mn_clock();
    mn_run(world, MN_PASS_start);
    if (has_viscosity) report->viscosity_iterations = mn_viscosity_solve(world);
    double now = mn_clock();
    report->stage_seconds[MN_STAGE_VISCOSITY] += now - then;

    then = now;
    warm_start(method, world, is_retry);
    mn_pass_diagonals(world);
    report->stage_seconds[MN_STAGE_DIAGONALS] += mn_clock() - then;

    switch (method->solver.coupling) {
    case MN_COUPLING_UNIFIED:
        solve_parts(method, world, MN_PART_ALL, report);
        break;
    case MN_COUPLING_PRESSURE_THEN_TENSION:
        solve_parts(method, world, MN_PART_PRESSURE, report);
        mn_run(world, MN_PASS_carry_over);
        solve_parts(method, world, MN_PART_TENSION, report);
        break;
    case MN_COUPLING_TENSION_THEN_PRESSURE:
        solve_parts(method, world, MN_PART_TENSION, report);
        mn_run(world, MN_PASS_carry_over);
        solve_parts(method, world, MN_PART_PRESSURE, report);
        break;
    }
}
