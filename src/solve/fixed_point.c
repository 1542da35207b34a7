#include "solve/fixed_point.h"

#include "base/parallel.h"

static bool is_converged(mnResiduals residuals, const mnSolverDesc *solver, double force_slack) {
    double force_tolerance = solver->force_tolerance * force_slack;
    return residuals.volume <= solver->volume_tolerance && residuals.tension <= force_tolerance &&
           residuals.friction <= force_tolerance;
}

/* F^ST from where the particles get without the forces that are solved for. Where repulsion is taken late
 * (kernels/repulsion.h), steps are so long that where they get with the old forces says little: a step of twice the
 * capillary limit that starts from there takes 51 iterations and not 37. Up to the limit this saves less than it costs.
 */
static void renew_tension(mnWorld *world) {
    mnTurn *turn = &world->turn;
    int parts = turn->parts, solver = turn->solver;
    turn->parts = 0;
    mn_run(world, MN_PASS_force);
    turn->parts = MN_PART_TENSION;
    turn->leaves_out = false;
    turn->solver = MN_SOLVER_JACOBI; /* nothing to remember */
    mn_run(world, MN_PASS_measure);
    mn_pass_update(world, NULL);
    mn_run(world, MN_PASS_accept);
    turn->parts = parts;
    turn->solver = solver;
    turn->is_tension_old = false;
}

mnSolveReport mn_solve(mnWorld *world, mnAccelerator *accelerator, const mnSolverDesc *solver, double *stage_seconds) {
    mnSolveReport report = {0};
    double sums[MN_SUMS_OF_UPDATE];
    double then = mn_clock();
#define LAP(stage)                                                                                                     \
    do {                                                                                                               \
        double now = mn_clock();                                                                                       \
        stage_seconds[stage] += now - then;                                                                            \
        stage_seconds[MN_STAGE_SOLVER] += now - then;                                                                  \
        then = now;                                                                                                    \
    } while (0)

    int64_t next_whole = 1; /* iteration that looks at all particles: 1, 3, 9, 27 …, see docs/physics.md; after F^ST was
                               renewed the second one as well, without which 1 % come out and are missed */
    mn_accelerator_begin(accelerator, world);
    if (world->constants.lateness > 0 && world->turn.is_tension_old && world->turn.parts & MN_PART_TENSION &&
        solver->max_iterations > 1) {
        renew_tension(world);
        report.iterations++;
        LAP(MN_STAGE_SOLVER_GRADIENT);
    }
    while (report.iterations < solver->max_iterations) {
        world->turn.leaves_out = report.iterations + 1 < next_whole;
        if (!world->turn.leaves_out) next_whole *= 3;
        mn_run(world, MN_PASS_force);
        LAP(MN_STAGE_SOLVER_FORCE);
        if (world->turn.parts & MN_PART_TENSION) mn_run(world, MN_PASS_measure);
        LAP(MN_STAGE_SOLVER_MEASURE);
        mn_accelerator_prepare(accelerator, world);
        report.residuals = mn_pass_update(world, sums);
        LAP(MN_STAGE_SOLVER_GRADIENT);
        report.iterations++;
        if (!report.residuals.is_finite) return report;
        if (report.iterations >= solver->min_iterations && is_converged(report.residuals, solver, world->force_slack)) {
            report.converged = true;
            break;
        }
        if (report.iterations < solver->max_iterations) mn_accelerator_advance(accelerator, world, sums);
        if (world->turn.parts & MN_PART_TENSION) world->turn.is_tension_old = false;
        LAP(MN_STAGE_SOLVER_ACCELERATE);
    }
    mn_run(world, MN_PASS_accept);
    mn_run(world, MN_PASS_force);
    LAP(MN_STAGE_SOLVER_FORCE);
#undef LAP
    return report;
}
