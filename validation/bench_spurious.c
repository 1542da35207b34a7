/* Currents in a drop that should be at rest: spurious.md. */
#include <math.h>
#include <stdio.h>

#include "drops.h"

/* What stands in the table of cases. */
enum { DIMENSION, RATIO, LAPLACE };

enum { WINDOWS = 100 };
static const double duration = 10; /* √(ρD³/γ) */

/* The largest speed within each hundredth of the time. */
typedef struct Currents {
    double unit; /* s, of a window */
    double largest[WINDOWS];
} Currents;

static bool look(mnSim *sim, void *context) {
    Currents *currents = context;
    int window = (int)(mn_sim_time(sim) / currents->unit);
    if (window < WINDOWS) currents->largest[window] = fmax(currents->largest[window], drop_speed(sim));
    return true;
}

/* Over windows `from` … `to` − 1. */
static double largest(const Currents *currents, int from, int to) {
    double found = 0;
    for (int k = from; k < to; k++) found = fmax(found, currents->largest[k]);
    return found;
}

static void measure(Case *c) {
    Drop drop = {.dimension = (int)case_value(c, DIMENSION),
                 .ratio = case_value(c, RATIO),
                 .spacing = 5e-4,
                 .liquid = WATER,
                 .laplace = case_value(c, LAPLACE)};
    mnSim *sim = drop_open(c, &drop, 0);
    if (!sim) return;
    Currents currents = {.unit = duration * drop_time(sim) / WINDOWS};
    if (!case_watch(c, sim, duration * drop_time(sim), look, &currents)) return;
    double speed = 2 * drop_radius(sim) / drop_time(sim); /* √(γ/ρD) */
    double end = largest(&currents, WINDOWS - 10, WINDOWS), before = largest(&currents, WINDOWS / 2 - 10, WINDOWS / 2);
    drop_check(c, sim, "U√(ρD/γ)", (Check){.unit = "", .measured = end / speed, .goal = 1e-3, .judge = JUDGE_ABSOLUTE});
    drop_check(c, sim, "decay in the second half",
               (Check){.unit = "", .expected = 1, .measured = before / end, .judge = JUDGE_AT_LEAST});
    for (int k = 0; k < WINDOWS; k++)
        case_point(c, case_label(c), (k + 1) * duration / WINDOWS, currents.largest[k] / speed);
}

static void conclude(Conclusion *conclusion) {
    for (int x = 0; x <= 1; x++) case_point(conclusion_case(conclusion), "goal", x * duration, 1e-3);
}

static const CaseInfo cases[] = {
    {.label = "3D, La = 120", .run = measure, .values = {3, 8, 120}, .seconds = 60},
    {.label = "3D, La = 12,000", .run = measure, .values = {3, 8, 12000}, .seconds = 60},
    {.label = "2D, La = 120", .run = measure, .values = {2, 12, 120}, .seconds = 9},
    {.label = "2D, La = 12,000", .run = measure, .values = {2, 12, 12000}, .seconds = 9},
};

const Benchmark benchmark_spurious = {
    .name = "spurious",
    .title = "Spurious currents",
    .law = "U√(ρD/γ) → 0",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .conclude = conclude,
    .plots = {{.name = "decay",
               .title = "Largest speed in a drop at rest",
               .x = "t/√(ρD³/γ)",
               .y = "U√(ρD/γ)",
               .log_y = true,
               .curves = {{"goal", "goal", CURVE_LAW},
                          {"3D, La = 120", "3D, La = 120", CURVE_LINE},
                          {"3D, La = 12,000", "3D, La = 12,000", CURVE_LINE},
                          {"2D, La = 120", "2D, La = 120", CURVE_LINE},
                          {"2D, La = 12,000", "2D, La = 12,000", CURVE_LINE}}}},
};
