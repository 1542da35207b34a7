/* Which waves on a thread grow, and how fast: plateau.md. */
#include <math.h>
#include <stddef.h>

#include "fit.h"
#include "suite.h"

static const double pi = 3.14159265358979323846;
enum { BINS = 64 };
static const double diameter = 16;  /* 2R/h of the scene */
static const double patience = 12;  /* in √(ρR³/γ): by the law the thread has broken long before */
static const double fastest = 9.01; /* λ/R of the wave that grows fastest, by Rayleigh's relation */

/* Modified Bessel functions of the first kind by their series, for 0 ≤ x ≤ 2. */
static double bessel_i(int order, double x) {
    double term = order ? x / 2 : 1, sum = 0;
    for (int k = 1; k < 20; k++) {
        sum += term;
        term *= x * x / (4.0 * k * (k + order));
    }
    return sum;
}

/* Rayleigh's ω²ρR³/γ of a wave with x = kR: positive where it grows. */
static double rayleigh(double x) {
    return x * (1 - x * x) * bessel_i(1, x) / bessel_i(0, x);
}

typedef struct Thread {
    Case *owner;
    double radius, length, wave_number, unit; /* R, L, π/L, √(ρR³/γ) */
    double time, integral;                    /* of the amplitude */
    double sum, weight;                       /* of ω² over the window */
} Thread;

/* The part of the thread's volume that goes like cos(kz): amplitude, 2δR/R for small ones, and its rate. */
static void mode(const Thread *t, const mnSim *sim, double *amplitude, double *rate) {
    mnParticles p = mn_sim_particles(sim);
    *amplitude = *rate = 0;
    for (int64_t i = 0; i < p.count; i++) {
        double phase = t->wave_number * ((double)p.position[i].z + t->length / 2);
        *amplitude += 2 * cos(phase) / (double)p.count;
        *rate -= 2 * t->wave_number * sin(phase) * (double)p.velocity[i].z / (double)p.count;
    }
}

/* From rest the rate is ω² times the integral of the amplitude. */
static bool look(mnSim *sim, void *context) {
    Thread *t = context;
    double amplitude, rate, step = mn_sim_time(sim) - t->time;
    mode(t, sim, &amplitude, &rate);
    t->time += step;
    t->integral += step * amplitude;
    case_progress(t->owner, t->time / (2 * t->unit));
    if (t->time < t->unit) return true;
    t->sum += step * rate / t->integral;
    t->weight += step;
    return true;
}

/* Value: L/h. */
static mnSim *thread_open(Case *c, Thread *t) {
    const double h = 1e-4, length = case_value(c, 0) * h;
    const char *sets[] = {case_set(c, "fluids.water.bodies.0.shape.height", length / 2),
                          case_set(c, "fluids.water.bodies.1.shape.height", length / 2),
                          case_set(c, "fluids.water.bodies.0.shape.translation.2", -length / 4),
                          case_set(c, "fluids.water.bodies.1.shape.translation.2", length / 4),
                          case_set(c, "solids.lower.shape.translation.2", -length / 2),
                          case_set(c, "solids.upper.shape.translation.2", length / 2),
                          NULL};
    mnSim *sim = case_open(c, "plateau", sets);
    if (!sim) return NULL;
    const mnFluid *water = &mn_sim_scene(sim)->fluids[0];
    double radius = sqrt(mn_sim_totals(sim).mass / (water->density * pi * length));
    *t = (Thread){.owner = c,
                  .radius = radius,
                  .length = length,
                  .wave_number = pi / length,
                  .unit = sqrt(water->density * pow(radius, 3) / water->tension_vapor)};
    return sim;
}

static void run_growth(Case *c) {
    Thread t;
    mnSim *sim = thread_open(c, &t);
    if (!sim || !case_watch(c, sim, 2 * t.unit, look, &t)) return;
    case_point(c, "measured", t.wave_number * t.radius, t.sum / t.weight * t.unit * t.unit);
}

/* Radius of the thinnest slice, two spacings high. */
static double neck(const Thread *t, const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    double volume[BINS] = {0}, width = 2 * mn_sim_scene(sim)->spacing, least = INFINITY;
    int slices = (int)round(t->length / width);
    for (int64_t i = 0; i < p.count; i++) {
        int slice = (int)(((double)p.position[i].z + t->length / 2) / width);
        if (slice >= 0 && slice < BINS) volume[slice] += (double)p.position[i].w;
    }
    for (int i = 0; i < slices; i++) least = fmin(least, sqrt(volume[i] / (pi * width)));
    return least;
}

static bool look_progress(mnSim *sim, void *context) {
    Thread *t = context;
    case_progress(t->owner, mn_sim_time(sim) / (patience * t->unit));
    return true;
}

static void run_break(Case *c) {
    Thread t;
    mnSim *sim = thread_open(c, &t);
    if (!sim) return;
    double before = neck(&t, sim);
    if (!case_watch(c, sim, patience * t.unit, look_progress, &t)) return;
    case_check(c, (Check){.quantity = "thinning of the neck within 12√(ρR³/γ), λ = 9R",
                          .unit = "",
                          .expected = 1,
                          .measured = 1 - neck(&t, sim) / before,
                          .judge = JUDGE_NONE,
                          .resolution = diameter});
}

/* The kR at which growth changes its sign, on the straight line between the two waves beside it; NaN: it does not. */
static double threshold(Points p) {
    for (int i = 1; i < p.count; i++)
        if (p.y[i - 1] > 0 && p.y[i] <= 0)
            return p.x[i - 1] + (p.x[i] - p.x[i - 1]) * p.y[i - 1] / (p.y[i - 1] - p.y[i]);
    return NAN;
}

static void conclude(Conclusion *conclusion) {
    Case *c = conclusion_case(conclusion);
    Points p = conclusion_points(conclusion, "measured");
    Fit top = {.terms = 3};
    for (int i = 0; i < p.count; i++)
        if (p.y[i] > 0) fit_add(&top, (double[]){1, p.x[i], p.x[i] * p.x[i]}, p.y[i]);
    double parabola[FIT_TERMS];
    fit_solve(&top, parabola);
    double peak = -parabola[1] / (2 * parabola[2]);
    case_check(c, (Check){.quantity = "longest stable λ/2πR",
                          .unit = "",
                          .expected = 1,
                          .measured = 1 / threshold(p),
                          .goal = 0.1,
                          .resolution = diameter});
    case_check(c, (Check){.quantity = "fastest growing λ/R",
                          .unit = "",
                          .expected = fastest,
                          .measured = 2 * pi / peak,
                          .judge = JUDGE_NONE,
                          .resolution = diameter});
    case_check(c, (Check){.quantity = "its growth rate, √(γ/ρR³)",
                          .unit = "",
                          .expected = sqrt(rayleigh(2 * pi / fastest)),
                          .measured = sqrt(parabola[0] + peak * (parabola[1] + peak * parabola[2])),
                          .judge = JUDGE_NONE,
                          .resolution = diameter});
    for (double x = 0.3; x < 1.35; x += 0.01) case_point(c, "law", x, rayleigh(x));
}

static const CaseInfo cases[] = {
    {.label = "L/h = 20", .run = run_growth, .values = {20}, .seconds = 11},
    {.label = "L/h = 24", .run = run_growth, .values = {24}, .seconds = 12},
    {.label = "L/h = 26", .run = run_growth, .values = {26}, .seconds = 13},
    {.label = "L/h = 28", .run = run_growth, .values = {28}, .seconds = 14},
    {.label = "L/h = 32", .run = run_growth, .values = {32}, .seconds = 15},
    {.label = "L/h = 36", .run = run_growth, .values = {36}, .seconds = 16},
    {.label = "L/h = 36, to the end", .run = run_break, .values = {36}, .seconds = 105},
    {.label = "L/h = 44", .run = run_growth, .values = {44}, .seconds = 20},
};

const Benchmark benchmark_plateau = {
    .name = "plateau",
    .title = "Rayleigh–Plateau",
    .law = "grows if λ > 2πR",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .conclude = conclude,
    .plots = {{.name = "growth",
               .title = "Growth of waves on a thread",
               .x = "kR",
               .y = "ω²ρR³/γ",
               .curves = {{"law", "Rayleigh", CURVE_LAW}, {"measured", "measured", CURVE_POINTS}}}},
};
