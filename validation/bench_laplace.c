/* Pressure in settled drops of many sizes against Young and Laplace: laplace.md. */
#include <math.h>
#include <stdio.h>

#include "drops.h"

/* What stands in the table of cases. */
enum { DIMENSION, RATIO, SPACING };

/* The drops of fig. 14a have this h and grow in R/h; those of fig. 14b have one R/h, `ratio_b`, and grow in h. */
static const double spacing_a = 0.0005, ratio_b = 12;

/* In mm and Pa. */
static void add_points(Case *c, const mnSim *sim, const char *kind, bool in_a, bool in_b, double pressure) {
    char curve[64];
    for (int k = 0; k < 2; k++) {
        if (!(k == 0 ? in_a : in_b)) continue;
        snprintf(curve, sizeof curve, "%s %dD %c", kind, mn_sim_scene(sim)->dimension, "ab"[k]);
        case_point(c, curve, 1e3 * drop_radius(sim), pressure);
    }
}

static Drop drop_of(const Case *c) {
    return (Drop){.dimension = (int)case_value(c, DIMENSION),
                  .ratio = case_value(c, RATIO),
                  .spacing = case_value(c, SPACING),
                  .liquid = WATER};
}

static mnSim *settled(Case *c, const Drop *drop, int seed, DropPressure *pressure) {
    mnSim *sim = drop_open(c, drop, seed);
    return sim && drop_rest(c, sim, drop) && drop_pressure(c, sim, pressure) ? sim : NULL;
}

/* The mean over the drop's packings. Gives one of the drops, NULL: the case has failed. */
static mnSim *mean_core(Case *c, const Drop *drop, double *mean) {
    mnSim *sim = NULL;
    int seeds = drop_seeds(drop);
    *mean = 0;
    for (int k = 0; k < seeds; k++) {
        DropPressure pressure;
        if (sim) case_close(c, sim);
        sim = settled(c, drop, k, &pressure);
        if (!sim) return NULL;
        *mean += pressure.core / seeds;
    }
    return sim;
}

static void core(Case *c) {
    Drop drop = drop_of(c);
    double mean;
    drop.is_kneaded = drop.dimension == 2 && drop.ratio <= 16;
    mnSim *sim = mean_core(c, &drop, &mean);
    if (!sim) return;
    drop_check(c, sim, "core pressure",
               (Check){.unit = "Pa",
                       .expected = drop_laplace(sim),
                       .measured = mean,
                       .goal = 0.05,
                       .judge = drop.ratio < 12 ? JUDGE_NONE : JUDGE_RELATIVE});
    add_points(c, sim, "core", drop.spacing == spacing_a, drop.ratio == ratio_b, mean);
}

/* A small disc whose skin is as it was cut out of a lattice. */
static void cut_core(Case *c) {
    Drop drop = drop_of(c);
    double mean;
    mnSim *sim = mean_core(c, &drop, &mean);
    if (sim)
        drop_check(c, sim, "core pressure",
                   (Check){.unit = "Pa", .expected = drop_laplace(sim), .measured = mean, .judge = JUDGE_NONE});
}

/* The paper's setting and its yardstick. Its tension moves liquid like an eighth of it, so steps may be longer. */
static void paper_mean(Case *c) {
    DropPressure pressure;
    Drop drop = drop_of(c);
    drop.sets = (const char *[]){"solver.preset=paper", "time_step.capillary_ratio=1", NULL};
    mnSim *sim = settled(c, &drop, 0, &pressure);
    if (!sim) return;
    drop_check(c, sim, "mean pressure",
               (Check){.unit = "Pa",
                       .expected = drop_laplace(sim),
                       .measured = pressure.all,
                       .goal = 0.02,
                       .judge = drop.dimension == 3 ? JUDGE_RELATIVE : JUDGE_NONE});
    add_points(c, sim, "paper", drop.spacing == spacing_a, drop.ratio == 8, pressure.all);
}

/* ---- other models, with --compare -------------------------------------------------------------------------------- */

/* One strength for all drops, that with which the mean pressure of the first is Laplace's. Pressures at rest are
 * proportional to it, so a trial finds it. */
static void compare(Case *c, const char *model, const char *strength_key, double strength) {
    static const struct {
        double ratio, spacing;
    } drops[] = {{12, 5e-4}, {8, 5e-4},  {10, 5e-4}, {14, 5e-4}, {17, 5e-4},
                 {20, 5e-4}, {12, 5e-5}, {12, 1e-3}, {12, 5e-3}};
    for (size_t k = 0; k < sizeof drops / sizeof *drops; k++) {
        DropPressure pressure;
        Drop drop = {.dimension = 3,
                     .ratio = drops[k].ratio,
                     .spacing = drops[k].spacing,
                     .liquid = WATER,
                     .sets = (const char *[]){model, case_set(c, strength_key, strength), NULL}};
        mnSim *sim = settled(c, &drop, 0, &pressure);
        if (!sim) return;
        double laplace = drop_laplace(sim);
        if (k == 0) {
            strength *= laplace / pressure.all;
            pressure.all = laplace;
        } else {
            char what[64];
            snprintf(what, sizeof what, "mean pressure at R/h = %g, h = %g mm", drop.ratio, 1e3 * drop.spacing);
            drop_check(c, sim, what,
                       (Check){.unit = "Pa", .expected = laplace, .measured = pressure.all, .judge = JUDGE_NONE});
        }
        add_points(c, sim, case_label(c), drop.spacing == spacing_a, drop.ratio == ratio_b, pressure.all);
        case_close(c, sim);
        case_progress(c, (double)(k + 1) / (sizeof drops / sizeof *drops));
    }
}

static void pairwise(Case *c) {
    compare(c, "solver.tension_model=pairwise", "fluids.liquid.tension.cohesion", 30);
}

static void robust_csf(Case *c) {
    compare(c, "solver.tension_model=robust-csf", "fluids.liquid.tension.squared_gradient", 4e-4);
}

/* ---- the law ----------------------------------------------------------------------------------------------------- */

/* As far as the measured points reach. */
static void draw_law(Conclusion *conclusion, const char *curve, const char *law, int dimension) {
    enum { POINTS = 60 };
    Points points = conclusion_points(conclusion, curve);
    if (points.count == 0) return;
    double from = points.x[0], to = points.x[points.count - 1];
    for (int k = 0; k <= POINTS; k++) {
        double radius = from * pow(to / from, (double)k / POINTS);
        case_point(conclusion_case(conclusion), law, radius,
                   (dimension - 1) * liquids[WATER].tension / (1e-3 * radius));
    }
}

static void conclude(Conclusion *conclusion) {
    draw_law(conclusion, "core 3D a", "law 3D a", 3);
    draw_law(conclusion, "core 3D b", "law 3D b", 3);
    draw_law(conclusion, "core 2D a", "law 2D a", 2);
    draw_law(conclusion, "core 2D b", "law 2D b", 2);
}

#define CORE(text, time, ...)                                                                                          \
    { .label = text, .run = core, .values = {__VA_ARGS__}, .seconds = time }
#define PAPER(text, time, ...)                                                                                         \
    { .label = "paper, " text, .run = paper_mean, .values = {__VA_ARGS__}, .seconds = time }

static const CaseInfo cases[] = {
    CORE("3D, R/h = 10", 18, 3, 10, 5e-4),
    {.label = "3D, R/h = 12", .run = core, .values = {3, 12, 5e-4}, .seconds = 28, .quick = true},
    CORE("3D, R/h = 14", 42, 3, 14, 5e-4),
    CORE("3D, R/h = 17", 74, 3, 17, 5e-4),
    CORE("3D, R/h = 20", 130, 3, 20, 5e-4),
    CORE("3D, R/h = 24", 210, 3, 24, 5e-4),
    CORE("3D, R/h = 30", 420, 3, 30, 5e-4),
    CORE("3D, R/h = 40", 990, 3, 40, 5e-4),
    CORE("3D, R/h = 12, h = 0.05 mm", 30, 3, 12, 5e-5),
    CORE("3D, R/h = 12, h = 1 mm", 30, 3, 12, 1e-3),
    CORE("3D, R/h = 12, h = 5 mm", 30, 3, 12, 5e-3),
    CORE("2D, R/h = 8", 12, 2, 8, 5e-4),
    CORE("2D, R/h = 12", 25, 2, 12, 5e-4),
    CORE("2D, R/h = 16", 85, 2, 16, 5e-4),
    {.label = "2D, R/h = 20", .run = core, .values = {2, 20, 5e-4}, .seconds = 18, .quick = true},
    CORE("2D, R/h = 30", 9, 2, 30, 5e-4),
    CORE("2D, R/h = 40", 16, 2, 40, 5e-4),
    {.label = "2D, R/h = 12, cut", .run = cut_core, .values = {2, 12, 5e-4}, .seconds = 5},
    CORE("2D, R/h = 12, h = 0.05 mm", 25, 2, 12, 5e-5),
    CORE("2D, R/h = 12, h = 1 mm", 25, 2, 12, 1e-3),
    CORE("2D, R/h = 12, h = 5 mm", 25, 2, 12, 5e-3),
    PAPER("3D, R/h = 8", 15, 3, 8, 5e-4),
    PAPER("3D, R/h = 12", 41, 3, 12, 5e-4),
    PAPER("3D, R/h = 16", 92, 3, 16, 5e-4),
    PAPER("3D, R/h = 8, h = 0.05 mm", 15, 3, 8, 5e-5),
    PAPER("3D, R/h = 8, h = 5 mm", 15, 3, 8, 5e-3),
    PAPER("2D, R/h = 12", 3, 2, 12, 5e-4),
    PAPER("2D, R/h = 20", 8, 2, 20, 5e-4),
    {.label = "pairwise", .run = pairwise, .seconds = 300, .compare = true},
    {.label = "robust CSF", .run = robust_csf, .seconds = 300, .compare = true},
};

#define CURVES(series)                                                                                                 \
    {                                                                                                                  \
        {"law " series, "Young–Laplace", CURVE_LAW}, {"core " series, "core", CURVE_POINTS},                           \
            {"paper " series, "mean, paper's preset", CURVE_POINTS},                                                   \
            {"pairwise " series, "mean, pairwise", CURVE_LINE}, {                                                      \
            "robust CSF " series, "mean, robust CSF", CURVE_LINE                                                       \
        }                                                                                                              \
    }

const Benchmark benchmark_laplace = {
    .name = "laplace",
    .title = "Young–Laplace",
    .law = "p = 2γ/R (2D: γ/R)",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .conclude = conclude,
    .plots = {{.name = "a", .title = "h = 0.5 mm, as fig. 14a", .x = "R, mm", .y = "p, Pa", .curves = CURVES("3D a")},
              {.name = "b",
               .title = "R/h = 12 (paper's preset: 8), as fig. 14b",
               .x = "R, mm",
               .y = "p, Pa",
               .log_x = true,
               .log_y = true,
               .curves = CURVES("3D b")},
              {.name = "2d-a", .title = "2D, h = 0.5 mm", .x = "R, mm", .y = "p, Pa", .curves = CURVES("2D a")},
              {.name = "2d-b",
               .title = "2D, R/h = 12",
               .x = "R, mm",
               .y = "p, Pa",
               .log_x = true,
               .log_y = true,
               .curves = CURVES("2D b")}},
};
