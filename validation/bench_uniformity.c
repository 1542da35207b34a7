/* How even the pressure is in the core of a settled drop: uniformity.md. */
#include <math.h>

#include "drops.h"

/* What stands in the table of cases. */
enum { DIMENSION, RATIO };

/* Pressures of some particles over Laplace's against the distance from the centre over R. */
static void draw(Case *c, const mnSim *sim, const char *curve) {
    enum { SHOWN = 1500 };
    mnParticles p = mn_sim_particles(sim);
    mnTotals totals = mn_sim_totals(sim);
    int64_t stride = p.count / SHOWN + 1;
    for (int64_t i = 0; i < p.count; i += stride) {
        double x = (double)p.position[i].x - totals.centre[0], y = (double)p.position[i].y - totals.centre[1],
               z = (double)p.position[i].z - totals.centre[2];
        case_point(c, curve, sqrt(x * x + y * y + z * z) / drop_radius(sim), (double)p.pressure[i] / drop_laplace(sim));
    }
}

static void measure(Case *c) {
    DropPressure pressure;
    Drop drop = {
        .dimension = (int)case_value(c, DIMENSION), .ratio = case_value(c, RATIO), .spacing = 5e-4, .liquid = WATER};
    mnSim *sim = drop_open(c, &drop, 0);
    if (!sim || !drop_rest(c, sim, &drop) || !drop_pressure(c, sim, &pressure)) return;
    drop_check(c, sim, "spread in the core",
               (Check){.unit = "%", .measured = 100 * pressure.spread, .goal = 10, .judge = JUDGE_ABSOLUTE});
    drop_check(c, sim, "spread of pressures averaged over time",
               (Check){.unit = "%", .expected = 0, .measured = 100 * pressure.slow_spread, .judge = JUDGE_NONE});
    draw(c, sim, drop.dimension == 3 ? "3D" : "2D");
}

static void conclude(Conclusion *conclusion) {
    for (int x = 0; x <= 1; x++) case_point(conclusion_case(conclusion), "law", x, 1);
}

static const CaseInfo cases[] = {
    {.label = "3D, R/h = 14", .run = measure, .values = {3, 14}, .seconds = 23},
    {.label = "2D, R/h = 20", .run = measure, .values = {2, 20}, .seconds = 2},
};

const Benchmark benchmark_uniformity = {
    .name = "uniformity",
    .title = "Pressure uniformity",
    .law = "p constant in the core",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .conclude = conclude,
    .plots = {{.name = "profile",
               .title = "Pressure of particles, the skin included",
               .x = "distance from the centre over R",
               .y = "pressure over Laplace's",
               .curves = {{"law", "Young–Laplace", CURVE_LAW},
                          {"3D", "3D, R/h = 14", CURVE_POINTS},
                          {"2D", "2D, R/h = 20", CURVE_POINTS}}}},
};
