/* What the paper's rest areas do to tension, beside what ours do: calibration.md. */
#include <math.h>
#include <stdio.h>

#include "drops.h"
#include "walls.h"

/* What stands in the table of cases. */
enum { PAPER, METHOD };

/* With the paper's preset tension moves liquid like an eighth of it, so steps may be longer. */
static const char *const paper_sets[] = {"solver.preset=paper", "time_step.capillary_ratio=1", NULL};

static const char *const *sets_of(const Case *c) {
    return case_value(c, PAPER) > 0 ? paper_sets : NULL;
}

/* The points of the plot stand side by side, by method. */
static void tell(Case *c, double share) {
    case_check(c,
               (Check){.quantity = case_label(c), .unit = "γ", .expected = 1, .measured = share, .judge = JUDGE_NONE});
    case_point(c, case_value(c, PAPER) > 0 ? "paper" : "default", case_value(c, METHOD), share);
}

static void oscillation(Case *c) {
    Drop drop = {.dimension = 3, .ratio = 10, .spacing = 5e-4, .liquid = WATER, .sets = sets_of(c)};
    Oscillation found;
    mnSim *sim = drop_open(c, &drop, 0);
    if (!sim || !drop_relax(c, sim, 1) || !drop_oscillate(c, sim, case_value(c, PAPER) > 0 ? 3.4 : 1.2, NULL, &found))
        return;
    tell(c, pow(drop_period(sim) / found.period, 2));
}

static void rise(Case *c) {
    Rise found;
    mnSim *sim;
    if (rise_settle(c, "rise", 12, sets_of(c), &found, &sim)) tell(c, found.height / found.law);
}

/* A wide puddle at 90°: half its hydrostatic push is the pull of its surface, ½ρge² = γ(1 − cos θ). */
static void puddle(Case *c) {
    const double up[3] = {0, 1, 0}, settled = 0.5, end = 0.7;
    enum { READINGS = 10 };
    double height = 0;
    mnSim *sim = case_open(c, "puddle", sets_of(c));
    if (!sim) return;
    for (int k = 1; k <= READINGS; k++) {
        if (!case_run(c, sim, settled + k * (end - settled) / READINGS)) return;
        height += drop_lengths(sim, up).thickness / READINGS;
    }
    const mnSceneDesc *scene = mn_sim_scene(sim);
    const mnFluid *water = &scene->fluids[0];
    tell(c, 0.5 * water->density * -scene->gravity[1] * height * height / water->tension_vapor);
}

static void conclude(Conclusion *conclusion) {
    for (int x = 0; x <= 4; x += 4) case_point(conclusion_case(conclusion), "law", x, 1);
}

static const CaseInfo cases[] = {
    {.label = "oscillation (1)", .run = oscillation, .values = {0, 1}, .seconds = 24},
    {.label = "oscillation (1), paper", .run = oscillation, .values = {1, 1}, .seconds = 50},
    {.label = "capillary rise (2)", .run = rise, .values = {0, 2}, .seconds = 15},
    {.label = "capillary rise (2), paper", .run = rise, .values = {1, 2}, .seconds = 15},
    {.label = "puddle height (3)", .run = puddle, .values = {0, 3}, .seconds = 60},
    {.label = "puddle height (3), paper", .run = puddle, .values = {1, 3}, .seconds = 60},
};

const Benchmark benchmark_calibration = {
    .name = "calibration",
    .title = "Two calibrations side by side",
    .law = "γ found is γ asked for",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .conclude = conclude,
    .plots = {{.name = "methods",
               .title = "Tension by oscillation (1), capillary rise (2), puddle height (3)",
               .x = "method",
               .y = "γ found over γ asked for",
               .curves = {{"law", "as asked for", CURVE_LAW},
                          {"default", "default", CURVE_POINTS},
                          {"paper", "paper's preset", CURVE_POINTS}}}},
};
