/* The tension that drops and slots show, by three laws: tension.md. */
#include <math.h>
#include <stdio.h>

#include "drops.h"
#include "walls.h"

/* What stands in the table of cases. */
enum { DIMENSION, RATIO, LIQUID };

/* `asked` and `found` in N/m; `across`: spacings across the drop or the slot. */
static void tell(Case *c, const char *law, double asked, double found, Judge judge, double across) {
    char quantity[96];
    snprintf(quantity, sizeof quantity, "γ by %s, %s", law, case_label(c));
    case_check(c, (Check){.quantity = quantity,
                          .unit = "mN/m",
                          .expected = 1e3 * asked,
                          .measured = 1e3 * found,
                          .goal = 0.05,
                          .judge = judge,
                          .resolution = across});
    case_point(c, law, across, found / asked);
}

/* One drop tells twice: by its pressure when it has settled, by its period when it is let go. */
static void drop(Case *c) {
    Drop drop = {.dimension = (int)case_value(c, DIMENSION),
                 .ratio = case_value(c, RATIO),
                 .spacing = 5e-4,
                 .liquid = (int)case_value(c, LIQUID)};
    double asked = liquids[drop.liquid].tension, by_pressure = 0, by_period = 0, across = 0;
    bool has_core = drop.ratio >= 12;
    Judge judge = has_core ? JUDGE_RELATIVE : JUDGE_NONE;
    int seeds = drop_seeds(&drop);
    for (int k = 0; k < seeds; k++) {
        DropPressure pressure = {0};
        Oscillation oscillation;
        mnSim *sim = drop_open(c, &drop, k);
        if (!sim || !drop_relax(c, sim, 1)) return;
        if (has_core && !drop_pressure(c, sim, &pressure)) return;
        if (!drop_oscillate(c, sim, drop.dimension == 3 ? 1.2 : 2.5, NULL, &oscillation)) return;
        by_pressure += asked * pressure.core / drop_laplace(sim) / seeds;
        by_period += asked * pow(drop_period(sim) / oscillation.period, 2) / seeds;
        across = 2 * drop_radius(sim) / drop.spacing;
        case_close(c, sim);
    }
    if (has_core) tell(c, "core pressure", asked, by_pressure, judge, across);
    tell(c, "oscillation", asked, by_period, judge, across);
}

static void rise(Case *c) {
    const char *scene = case_value(c, DIMENSION) == 3 ? "rise3d" : "rise";
    double width = case_value(c, RATIO), asked = liquids[WATER].tension;
    Rise rise;
    mnSim *sim;
    if (!rise_settle(c, scene, width, NULL, &rise, &sim)) return;
    tell(c, "capillary rise", asked, asked * rise.height / rise.law, JUDGE_RELATIVE, width);
}

static void conclude(Conclusion *conclusion) {
    for (double across = 10; across <= 85; across += 75) case_point(conclusion_case(conclusion), "law", across, 1);
}

static const CaseInfo cases[] = {
    {.label = "3D, R/h = 14", .run = drop, .values = {3, 14, WATER}, .seconds = 110},
    {.label = "2D, R/h = 40", .run = drop, .values = {2, 40, WATER}, .seconds = 60},
    {.label = "2D, R/h = 20", .run = drop, .values = {2, 20, WATER}, .seconds = 30},
    {.label = "3D, slot of 12 h", .run = rise, .values = {3, 12}, .seconds = 110},
    {.label = "2D, slot of 12 h", .run = rise, .values = {2, 12}, .seconds = 15},
    {.label = "mercury, 3D, R/h = 10", .run = drop, .values = {3, 10, MERCURY}, .seconds = 12},
    {.label = "glycerol, 3D, R/h = 10", .run = drop, .values = {3, 10, GLYCEROL}, .seconds = 12},
    {.label = "ethanol, 3D, R/h = 10", .run = drop, .values = {3, 10, ETHANOL}, .seconds = 12},
};

const Benchmark benchmark_tension = {
    .name = "tension",
    .title = "True tension",
    .law = "one γ, the one asked for",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .conclude = conclude,
    .plots = {{.name = "found",
               .title = "The tension that follows from three laws",
               .x = "spacings across the drop or the slot",
               .y = "γ found over γ asked for",
               .curves = {{"law", "as asked for", CURVE_LAW},
                          {"oscillation", "by the oscillation", CURVE_POINTS},
                          {"core pressure", "by the core pressure", CURVE_POINTS},
                          {"capillary rise", "by capillary rise", CURVE_POINTS}}}},
};
