/* The interface of fluids that turn over is the shorter the more tension it has: rayleigh_taylor.md. */
#include <math.h>
#include <stddef.h>

#include "suite.h"

static const double from = 0.6, until = 0.8; /* s; lengths are averaged in between, after the fluids have turned over */

typedef struct Stack {
    Case *owner;
    double start; /* what the flat interfaces of the start measure */
    double last, sum, weight, next;
} Stack;

/* Proportional to the length of the interfaces: C^FF is what a particle has of other fluids around it. */
static double interface_sum(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    double sum = 0;
    for (int64_t i = 0; i < p.count; i++) sum += (double)p.measure[i].y;
    return sum;
}

static bool look(mnSim *sim, void *context) {
    Stack *s = context;
    double time = mn_sim_time(sim), length = interface_sum(sim);
    if (s->start == 0) s->start = length; /* the measure is there from the first step on */
    if (time > from) {
        s->sum += (time - s->last) * length / s->start;
        s->weight += time - s->last;
    }
    s->last = time;
    case_progress(s->owner, time / until);
    if (time < s->next) return true;
    s->next = time + until / 100;
    case_point(s->owner, case_label(s->owner), time, length / s->start);
    return true;
}

/* Value: tension of an interface in N/m, of which each fluid gives half. */
static void run(Case *c) {
    double half = case_value(c, 0) / 2;
    const char *sets[] = {case_set(c, "fluids.heavy.tension.fluid", half),
                          case_set(c, "fluids.middle.tension.fluid", half),
                          case_set(c, "fluids.light.tension.fluid", half), NULL};
    mnSim *sim = case_open(c, "rayleigh_taylor", sets);
    if (!sim) return;
    Stack s = {.owner = c};
    if (!case_watch(c, sim, until, look, &s)) return;
    case_point(c, "length", case_value(c, 0), s.sum / s.weight);
}

static void conclude(Conclusion *conclusion) {
    Case *c = conclusion_case(conclusion);
    Points p = conclusion_points(conclusion, "length");
    int falls = 0;
    for (int i = 1; i < p.count; i++) falls += p.y[i] < p.y[i - 1];
    const double width = 32; /* of the box in spacings */
    case_check(c, (Check){.quantity = "steps of γ^FF at which the interface shrinks",
                          .unit = "",
                          .expected = 3,
                          .measured = falls,
                          .goal = 0,
                          .judge = JUDGE_ABSOLUTE,
                          .resolution = width});
}

static const CaseInfo cases[] = {
    {.label = "0 mN/m", .run = run, .values = {0}, .seconds = 31},
    {.label = "5 mN/m", .run = run, .values = {0.005}, .seconds = 31},
    {.label = "20 mN/m", .run = run, .values = {0.02}, .seconds = 31},
    {.label = "80 mN/m", .run = run, .values = {0.08}, .seconds = 31},
};

const Benchmark benchmark_rayleigh_taylor = {
    .name = "rayleigh_taylor",
    .title = "Rayleigh–Taylor, three fluids",
    .law = "less interface with more γ^FF",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .conclude = conclude,
    .plots = {{.name = "length",
               .title = "Interfaces of three fluids that turn over",
               .x = "time, s",
               .y = "length of the interfaces / at the start",
               .curves = {{"0 mN/m", "γ = 0", CURVE_LINE},
                          {"5 mN/m", "5 mN/m", CURVE_LINE},
                          {"20 mN/m", "20 mN/m", CURVE_LINE},
                          {"80 mN/m", "80 mN/m", CURVE_LINE}}}},
};
