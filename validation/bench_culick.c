/* The speed at which the edge of a sheet retracts: culick.md. */
#include <math.h>
#include <stdio.h>

#include "fit.h"
#include "suite.h"

enum { BINS = 512 };
static const double window[2] = {5, 12}; /* what the edge has travelled, in thicknesses */
static const double bulge = 1.5;         /* the rim is where the sheet is this much thicker than it was */

typedef struct Sheet {
    Case *owner;
    const char *curve;               /* NULL: it is not drawn */
    double length, thickness, depth; /* of one half; depth counts both halves of a sheet with two free ends */
    double density, speed;           /* the law's */
    double progress;                 /* where the next point of the plot is due */
    double done, share;              /* of the case: what is behind it, and this sheet */
    Fit front, pull;
} Sheet;

/* Where the sheet ends and its rim begins: from the thickest place inwards to where the bulge is over. */
static double sheet_front(const Sheet *s, const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    double volume[BINS] = {0}, width = s->length / BINS;
    /* Bins narrower than a particle would flicker: each particle is spread over two spacings. */
    int half = (int)ceil(mn_sim_scene(sim)->spacing / width);
    for (int64_t i = 0; i < p.count; i++) {
        int centre = (int)(fabs((double)p.position[i].x) / width);
        for (int k = centre - half; k <= centre + half; k++)
            if (k >= 0 && k < BINS) volume[k] += (double)p.position[i].w / (2 * half + 1);
    }
    int bin = 0;
    for (int k = 0; k < BINS; k++)
        if (volume[k] > volume[bin]) bin = k;
    double limit = bulge * s->thickness * s->depth * width;
    while (bin > 0 && volume[bin] > limit) bin--;
    return (bin + 1) * width;
}

/* Towards the middle. */
static double sheet_momentum(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    double sum = 0;
    for (int64_t i = 0; i < p.count; i++)
        sum -= (double)(p.position[i].x > 0 ? p.velocity[i].x : -p.velocity[i].x) * (double)p.position[i].w;
    return sum;
}

static bool look(mnSim *sim, void *context) {
    Sheet *s = context;
    double time = mn_sim_time(sim), travel = (s->length - sheet_front(s, sim)) / s->thickness;
    if (time < 2 * s->thickness / s->speed) return true; /* there is no bulge yet */
    if (travel > window[1]) return false;
    case_progress(s->owner, s->done + s->share * travel / window[1]);
    if (travel > window[0]) {
        line_add(&s->front, time, travel * s->thickness);
        line_add(&s->pull, time, s->density * sheet_momentum(sim) / s->depth);
    }
    double scaled = time * s->speed / s->thickness;
    if (!s->curve || scaled < s->progress) return true;
    s->progress = scaled + 0.1;
    case_point(s->owner, s->curve, scaled, travel);
    case_point(s->owner, "law", scaled, scaled);
    return true;
}

typedef struct Retraction {
    double law, speed; /* m/s */
    double pull;       /* over 2γ */
} Retraction;

/* Values: e/h, dimension, length of one half over e. Adds what it finds to a mean over `seeds`; the curve is drawn of
 * the first. */
static bool retract(Case *c, int seed, int seeds, const char *curve, Retraction *mean) {
    bool is_3d = case_value(c, 1) > 2;
    const double h = 1e-4, e = case_value(c, 0) * h, length = case_value(c, 2) * e;
    const char *plane[] = {case_set(c, "fluids.water.bodies.0.shape.size.0", 2 * length),
                           case_set(c, "fluids.water.bodies.0.shape.size.1", e), case_set(c, "seed", seed), NULL};
    mnSim *sim = case_open(c, is_3d ? "culick_3d" : "culick", is_3d ? NULL : plane);
    if (!sim) return false;
    const mnFluid *water = &mn_sim_scene(sim)->fluids[0];
    mean->law = sqrt(2 * water->tension_vapor / (water->density * e));
    mnTotals totals = mn_sim_totals(sim);
    Sheet s = {.owner = c,
               .curve = seed == 0 ? curve : NULL,
               .length = length,
               .thickness = e,
               .depth = totals.mass / (water->density * length * e),
               .density = water->density,
               .speed = mean->law,
               .done = (double)seed / seeds,
               .share = 1.0 / seeds};
    bool is_done = case_watch(c, sim, 2 * window[1] * e / mean->law, look, &s);
    if (is_done) {
        mean->speed += s.share * line_solve(&s.front).slope;
        mean->pull += s.share * line_solve(&s.pull).slope / (2 * water->tension_vapor);
    }
    case_close(c, sim);
    return is_done;
}

static void run(Case *c) {
    bool is_3d = case_value(c, 1) > 2;
    char curve[32], speed[64], pull[64];
    snprintf(curve, sizeof curve, "%s, e/h = %g", is_3d ? "3D" : "2D", case_value(c, 0));
    snprintf(speed, sizeof speed, "speed of the rim, %s", curve);
    snprintf(pull, sizeof pull, "pull of the sheet over 2γ, %s", curve);
    Retraction mean = {0};
    int seeds = is_3d ? 1 : SEEDS_2D;
    for (int k = 0; k < seeds; k++)
        if (!retract(c, k, seeds, curve, &mean)) return;
    case_check(c, (Check){.quantity = speed,
                          .unit = "m/s",
                          .expected = mean.law,
                          .measured = mean.speed,
                          .goal = 0.1,
                          .resolution = case_value(c, 0)});
    case_check(c, (Check){.quantity = pull,
                          .unit = "",
                          .expected = 1,
                          .measured = mean.pull,
                          .judge = JUDGE_NONE,
                          .resolution = case_value(c, 0)});
}

static const CaseInfo cases[] = {
    {.label = "2D, e/h = 8", .run = run, .values = {8, 2, 30}, .seconds = 40},
    {.label = "2D, e/h = 12", .run = run, .values = {12, 2, 30}, .seconds = 155},
    {.label = "3D, e/h = 8", .run = run, .values = {8, 3, 27}, .seconds = 100},
};

const Benchmark benchmark_culick = {
    .name = "culick",
    .title = "Taylor–Culick",
    .law = "V = √(2γ/ρe)",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {{.name = "edge",
               .title = "How far the edge of a sheet has come",
               .x = "Vt/e",
               .y = "travel of the edge / e",
               .curves = {{"law", "Taylor–Culick", CURVE_LAW},
                          {"2D, e/h = 8", "2D, e/h = 8", CURVE_POINTS},
                          {"2D, e/h = 12", "2D, e/h = 12", CURVE_POINTS},
                          {"3D, e/h = 8", "3D, e/h = 8", CURVE_POINTS}}}},
};
