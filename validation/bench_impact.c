/* How far a drop spreads that hits a plate: impact.md. */
#include <math.h>

#include "suite.h"

enum { BINS = 1024 };
static const double pi = 3.14159265358979323846;
static const double measured_factor = 4.5; /* D_max/D of the experiment */
static const double end = 4;               /* in D/V; the lamella recedes before */

typedef struct Impact {
    Case *owner;
    double diameter, speed;
    double largest, next;
} Impact;

/* The diameter of the lamella: the outermost radius, seen from the middle without a gap, at which it is still half as
 * thick as it is on average inside. What flies off as spray is too thin for that, taken all around. */
static double lamella(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    double volume[BINS] = {0}, width = mn_sim_scene(sim)->spacing, inside = 0;
    for (int64_t i = 0; i < p.count; i++) {
        double bin = hypot((double)p.position[i].x, (double)p.position[i].y) / width;
        if (bin < BINS) volume[(int)bin] += (double)p.position[i].w;
    }
    int bin = 0;
    for (; bin < BINS; bin++) {
        double here = volume[bin] / (pi * width * width * (2 * bin + 1));
        inside += volume[bin];
        if (here < 0.5 * inside / (pi * width * width * (bin + 1) * (bin + 1))) break;
    }
    return 2 * bin * width;
}

static bool look(mnSim *sim, void *context) {
    Impact *d = context;
    double scaled = mn_sim_time(sim) * d->speed / d->diameter;
    case_progress(d->owner, scaled / end);
    if (scaled < d->next) return true;
    d->next = scaled + end / 200;
    double factor = lamella(sim) / d->diameter;
    d->largest = fmax(d->largest, factor);
    case_point(d->owner, case_label(d->owner), scaled, factor);
    case_point(d->owner, "experiment", scaled, measured_factor);
    return true;
}

/* Value: D/h. */
static void run(Case *c) {
    const double diameter = 2.71e-3;
    const char *sets[] = {case_set(c, "spacing", diameter / case_value(c, 0)), NULL};
    mnSim *sim = case_open(c, "impact", sets);
    if (!sim) return;
    const mnBody *drop = &mn_sim_scene(sim)->fluids[0].bodies[0];
    Impact d = {.owner = c, .diameter = 2 * drop->shape.radius, .speed = -drop->velocity[2]};
    if (!case_watch(c, sim, end * d.diameter / d.speed, look, &d)) return;
    case_check(c, (Check){.quantity = "largest diameter over that of the drop",
                          .unit = "",
                          .expected = measured_factor,
                          .measured = d.largest,
                          .goal = 0.1,
                          .resolution = case_value(c, 0)});
}

static const CaseInfo cases[] = {
    {.label = "D/h = 20", .run = run, .values = {20}, .seconds = 25},
    {.label = "D/h = 30", .run = run, .values = {30}, .seconds = 75},
};

const Benchmark benchmark_impact = {
    .name = "impact",
    .title = "Drop impact",
    .law = "D_max/D = 4.5 (measured)",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {{.name = "spreading",
               .title = "A drop of water hits a plate",
               .x = "tV/D",
               .y = "diameter of the lamella / D",
               .curves = {{"experiment", "largest measured", CURVE_LAW},
                          {"D/h = 20", "D/h = 20", CURVE_LINE},
                          {"D/h = 30", "D/h = 30", CURVE_LINE}}}},
};
