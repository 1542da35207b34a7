#include "guard.h"

#include <float.h>
#include <stdio.h>

#include "run/passes.h"

/* Fluid keeps about a spacing from particles of walls and of other fluid. In spacings, closer than which it does not
 * come by itself: */
static const double IN_WALL = 0.5, SQUEEZED = 1.0, ON_TOP = 0.3;

typedef enum Trouble { NOT_FINITE, NOT_CONVERGED, RUNAWAY } Trouble;

/* What mn_blame_at leaves for a particle, in the order of a vector. */
typedef enum Fault { FAULT_VOLUME, FAULT_TENSION, FAULT_FRICTION, FAULT_SPEED } Fault;

/* The particle that is worst off, as it was before the step. */
typedef struct Culprit {
    int64_t index, id;
    int32_t phase;
    mnVec position, velocity;
    double fault;                            /* as large as that of nobody else */
    double to_fluid, to_wall, to_other_wall; /* h, to the next particle of each; INFINITY: none */
    int32_t wall, other_wall;                /* solids; −1: none */
} Culprit;

static double length(mnVec v) {
    return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

static double apart(mnVec a, mnVec b) {
    return length(mn_vec(a.x - b.x, a.y - b.y, a.z - b.z, 0));
}

/* Number, infinite where it is none: larger than all others. */
static double or_infinite(double value) {
    return isfinite(value) ? value : INFINITY;
}

/* ---- who --------------------------------------------------------------------------------------------------------- */

static double fault_of(const mnWorld *world, int64_t i, Fault fault) {
    mnVec found = world->fluid.friction[i];
    const mnReal values[] = {found.x, found.y, found.z, found.w};
    return or_infinite((double)values[fault]);
}

/* What was not finite before the step comes first: it is why others are not. */
static double worst_of(const mnWorld *world, int64_t i, Fault fault) {
    mnVec x = world->fluid.position[i], v = world->fluid.velocity[i];
    return isfinite(length(x) + length(v)) ? fmin(fault_of(world, i, fault), DBL_MAX) : INFINITY;
}

/* Of those that are as badly off the one with the smallest id, whatever order the particles are in. */
static Culprit find_worst(const mnWorld *world, int64_t count, Fault fault) {
    Culprit worst = {.index = -1, .fault = -1};
    for (int64_t i = 0; i < count; i++) {
        double value = worst_of(world, i, fault);
        if (value < worst.fault || (value == worst.fault && world->fluid.id[i] > worst.id)) continue;
        worst = (Culprit){.index = i, .id = world->fluid.id[i], .fault = value};
    }
    return worst;
}

/* The nearest particle of a wall, in h, of another solid than `except`. */
static double nearest_wall(const mnSim *sim, mnVec x, int32_t except, int32_t *solid) {
    mnBoundary walls = mn_sim_boundary(sim);
    double nearest = INFINITY;
    *solid = -1;
    for (int64_t b = 0; b < walls.count; b++) {
        double distance = apart(walls.position[b], x);
        if (walls.solid[b] == except || !(distance < nearest)) continue;
        nearest = distance;
        *solid = walls.solid[b];
    }
    return nearest / sim->scene->spacing;
}

static double nearest_fluid(const mnWorld *world, int64_t count, int64_t self) {
    double nearest = INFINITY;
    for (int64_t i = 0; i < count; i++)
        if (i != self) nearest = fmin(nearest, apart(world->fluid.position[i], world->fluid.position[self]));
    return nearest / world->neighbours.spacing;
}

static Culprit look_for(const mnSim *sim, Fault fault) {
    const mnWorld *world = &sim->world;
    mnSeen seen;
    mn_run_look(world, &seen, NULL);
    Culprit worst = find_worst(world, seen.fluid, fault);
    if (worst.index < 0) return worst;
    worst.phase = world->fluid.phase[worst.index];
    worst.position = world->fluid.position[worst.index];
    worst.velocity = world->fluid.velocity[worst.index];
    worst.to_fluid = nearest_fluid(world, seen.fluid, worst.index);
    worst.to_wall = nearest_wall(sim, worst.position, -1, &worst.wall);
    worst.to_other_wall = nearest_wall(sim, worst.position, worst.wall, &worst.other_wall);
    return worst;
}

/* ---- why --------------------------------------------------------------------------------------------------------- */

static const char *name_of_solid(const mnSim *sim, int32_t solid) {
    const char *name = sim->scene->solids[solid].name;
    return name ? name : "";
}

static const char *name_of_fluid(const mnSim *sim, int32_t fluid) {
    const char *name = sim->scene->fluids[fluid].name;
    return name ? name : "";
}

static Trouble trouble_of(const mnSim *sim, const mnStepReport *report) {
    double all = report->residual_volume + report->residual_tension + report->residual_friction + sim->last_move;
    if (!isfinite(all)) return NOT_FINITE;
    return report->converged || !sim->scene->time.adaptive ? RUNAWAY : NOT_CONVERGED;
}

/* The residual that is farthest above what is allowed. */
static Fault worst_residual(const mnSim *sim, const mnStepReport *report, double *tolerance) {
    const mnSolverDesc *solver = &sim->method.solver;
    double force = solver->force_tolerance * sim->world.force_slack;
    const double residuals[] = {report->residual_volume, report->residual_tension, report->residual_friction};
    const double tolerances[] = {solver->volume_tolerance, force, force};
    Fault worst = FAULT_VOLUME;
    for (int k = FAULT_TENSION; k <= FAULT_FRICTION; k++)
        if (residuals[k] / tolerances[k] > residuals[worst] / tolerances[worst]) worst = (Fault)k;
    *tolerance = tolerances[worst];
    return worst;
}

static bool was_finite(const Culprit *c) {
    return isfinite(length(c->position) + length(c->velocity));
}

/* By what was found at the particle, the surest sign first. */
static void tell_cause(const mnSim *sim, const Culprit *c, Trouble trouble, double dt, const mnStepReport *report,
                       double tolerance, char *text, size_t size) {
    double h = sim->scene->spacing, epsilon = sizeof(mnReal) == 4 ? FLT_EPSILON : DBL_EPSILON;
    const char *smaller =
        sim->scene->time.adaptive ? "allow a smaller step (time_step.min)" : "take a smaller step (time_step.fixed)";
    bool is_there = c->index >= 0;
    if (is_there && !was_finite(c))
        snprintf(text, size, "it was not finite before the step; whoever has set it must not");
    else if (is_there && c->id >= sim->next_id - report->emitted)
        snprintf(text, size,
                 "an emitter has just put it there; keep it clear of walls and other fluid, slow it down, "
                 "or %s",
                 smaller);
    else if (is_there && c->to_wall < IN_WALL && c->to_other_wall < SQUEEZED)
        snprintf(text, size, "it is squeezed between the solids \"%.40s\" and \"%.40s\"; leave it more room",
                 name_of_solid(sim, c->wall), name_of_solid(sim, c->other_wall));
    else if (is_there && c->to_wall < IN_WALL)
        snprintf(text, size,
                 "it is in the solid \"%.40s\"; start the fluid farther from it, move it more slowly, or %s",
                 name_of_solid(sim, c->wall), smaller);
    else if (is_there && c->to_fluid < ON_TOP)
        snprintf(text, size, "it lies almost on another particle; keep bodies of fluid apart");
    else if (is_there && length(c->velocity) * dt > MN_FARTHEST * h)
        snprintf(text, size, "it was too fast for this time step before; slow it down, or %s", smaller);
    else if (mn_felt_ratio(sim, dt) > (sim->world.constants.lateness > 0 ? 2 : 1)) /* late repulsion reaches to 2 */
        snprintf(text, size, "the time step is too far above the capillary limit; %s", smaller);
    else if (trouble == NOT_CONVERGED && tolerance < epsilon)
        snprintf(text, size, "the tolerance of %.2g is finer than the numbers are; make it larger", tolerance);
    else if (trouble == NOT_CONVERGED)
        snprintf(text, size, "too few iterations; allow more than %d (solver.max_iterations), or %s",
                 sim->method.solver.max_iterations, smaller);
    else
        snprintf(text, size, "fluid squeezed between solids or started inside one, or too fast; check the start, or %s",
                 smaller);
}

static void tell_who(const mnSim *sim, const Culprit *c, Trouble trouble, char *text, size_t size) {
    static const char *const openings[] = {
        [NOT_FINITE] = "Among them", [NOT_CONVERGED] = "Worst off", [RUNAWAY] = "Fastest"};
    char in_step[40] = "", at_wall[100] = "";
    if (trouble == RUNAWAY) snprintf(in_step, sizeof in_step, " and %.3g m/s in it", c->fault);
    if (c->wall >= 0 && c->to_wall < 2)
        snprintf(at_wall, sizeof at_wall, ", %.2g spacings from solid \"%.40s\"", c->to_wall,
                 name_of_solid(sim, c->wall));
    snprintf(text, size,
             " %s: particle %lld of fluid \"%.40s\" at (%.6g, %.6g, %.6g) m with %.3g m/s before the step%s%s.",
             openings[trouble], (long long)c->id, name_of_fluid(sim, c->phase), (double)c->position.x,
             (double)c->position.y, (double)c->position.z, length(c->velocity), in_step, at_wall);
}

mnStatus mn_guard_give_up(mnSim *sim, double dt, const mnStepReport *report, mnError *error) {
    static const char *const troubles[] = {[NOT_FINITE] = "the solver produced numbers that are not finite",
                                           [NOT_CONVERGED] = "the solver did not converge",
                                           [RUNAWAY] = "particles run away, faster than two spacings a step"};
    mnWorld *world = &sim->world;
    Trouble trouble = trouble_of(sim, report);
    double tolerance = 0;
    Fault fault = FAULT_SPEED;
    if (trouble == NOT_CONVERGED) {
        fault = worst_residual(sim, report, &tolerance);
        world->turn.leaves_out = false;
        if (world->turn.parts & MN_PART_TENSION) mn_run(world, MN_PASS_measure);
        mn_pass_update(world, NULL);
    }
    mn_run(world, MN_PASS_blame);
    Culprit culprit = look_for(sim, fault);
    char who[300] = "", cause[200];
    if (culprit.index >= 0) tell_who(sim, &culprit, trouble, who, sizeof who);
    tell_cause(sim, &culprit, trouble, dt, report, tolerance, cause, sizeof cause);
    return mn_error_set(error, MN_ERROR_UNSTABLE,
                        "step %lld at t = %g s: %s, at dt = %g s after %d tries with a larger one (%.2f of the "
                        "capillary limit; residuals: volume %.2g, tension %.2g, friction %.2g; %d iterations in "
                        "all).%s Likely cause: %s",
                        (long long)(sim->step + 1), sim->time, troubles[trouble], dt, report->retries,
                        mn_capillary_ratio(sim, dt), report->residual_volume, report->residual_tension,
                        report->residual_friction, report->iterations, who, cause);
}

/* ---- lost -------------------------------------------------------------------------------------------------------- */

/* The index of the one that is farthest from the origin; −1: nobody is there. */
static int64_t farthest(const mnVec *position, int64_t count, double *reach) {
    int64_t found = -1;
    *reach = -1;
    for (int64_t i = 0; i < count; i++) {
        double distance = or_infinite(length(position[i]));
        if (distance <= *reach) continue;
        *reach = distance;
        found = i;
    }
    return found;
}

mnStatus mn_guard_lost(const mnSim *sim, mnError *error) {
    const mnWorld *world = &sim->world;
    mnSeen seen;
    mn_run_look(world, &seen, NULL);
    double fluid_reach, wall_reach;
    int64_t i = farthest(world->fluid.position, seen.fluid, &fluid_reach);
    const mnSleepers *sleepers = &world->neighbours.sleepers; /* what is lost cannot have gone to sleep */
    bool is_unsettled = sleepers->place_count > 0;
    const mnVec *walls = is_unsettled ? sleepers->places : world->boundary.position;
    const int32_t *solids = is_unsettled ? sleepers->solids : world->boundary.solid;
    int64_t b = farthest(walls, is_unsettled ? sleepers->place_count : seen.boundary, &wall_reach);
    bool is_wall = wall_reach > fluid_reach;
    char who[100];
    if (is_wall)
        snprintf(who, sizeof who, "a particle of solid \"%.40s\"", name_of_solid(sim, solids[b]));
    else if (i >= 0)
        snprintf(who, sizeof who, "particle %lld of fluid \"%.40s\"", (long long)world->fluid.id[i],
                 name_of_fluid(sim, world->fluid.phase[i]));
    else
        snprintf(who, sizeof who, "a particle");
    mnVec at = is_wall ? walls[b] : i >= 0 ? world->fluid.position[i] : mn_vec(0, 0, 0, 0);
    return mn_error_set(
        error, MN_ERROR_UNSTABLE,
        "step %lld at t = %g s: %s is lost at (%.6g, %.6g, %.6g) m, which is not finite or absurdly far "
        "from the rest; give the fluid a floor or a sink, or use a smaller time step",
        (long long)sim->step, sim->time, who, (double)at.x, (double)at.y, (double)at.z);
}

/* ---- crowded ----------------------------------------------------------------------------------------------------- */

/* The cell of fluid with most particles, those of walls included. NULL: the cells are on a device. */
static const mnCell *fullest(const mnNeighbours *neighbours) {
    const mnCells *fluid = &neighbours->fluid_cells;
    const mnCell *found = NULL;
    int64_t most = 0;
    for (int64_t c = 0; c < fluid->cell_count; c++) {
        const mnCell *cell = &fluid->cells[c];
        const mnCell *walls = mn_cells_find(&neighbours->boundary_cells, cell->x, cell->y, cell->z);
        int64_t count = (int64_t)cell->count + (walls ? walls->count : 0);
        if (count <= most) continue;
        most = count;
        found = cell;
    }
    return found;
}

mnStatus mn_guard_crowded(const mnSim *sim, mnError *error) {
    const mnFluidState *fluid = &sim->world.fluid;
    const mnCell *cell = fullest(&sim->world.neighbours);
    char where[200] = "";
    if (cell) {
        const int32_t i = cell->first;
        const mnVec at = fluid->position[i];
        snprintf(where, sizeof where, " about particle %lld of fluid \"%.40s\" at (%.6g, %.6g, %.6g) m",
                 (long long)fluid->id[i], name_of_fluid(sim, fluid->phase[i]), (double)at.x, (double)at.y,
                 (double)at.z);
    }
    return mn_error_set(
        error, MN_ERROR_UNSTABLE,
        "step %lld at t = %g s: a particle has more than %d neighbours, the fluid has fallen together%s; "
        "use a smaller time step, or a tighter volume tolerance",
        (long long)sim->step, sim->time, MN_SPAN_MOST, where);
}
