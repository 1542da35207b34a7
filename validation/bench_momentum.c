/* The drift of linear and angular momentum of a free drop: momentum.md. */
#include <math.h>

#include "suite.h"

enum { STEPS = 1000, POINT_STEPS = 10 };
static const double goal = 1e-5;

typedef struct Drift {
    Case *owner;
    mnTotals before;
    double unit, radius;    /* m√(γ/ρR), R */
    double linear, angular; /* the largest so far, over m√(γ/ρR) and mR√(γ/ρR) */
    int steps;
} Drift;

static double distance(const double a[3], const double b[3]) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static bool look(mnSim *sim, void *context) {
    Drift *d = context;
    mnTotals now = mn_sim_totals(sim);
    double linear = distance(now.momentum, d->before.momentum) / d->unit;
    double angular = distance(now.angular_momentum, d->before.angular_momentum) / (d->unit * d->radius);
    d->linear = fmax(d->linear, linear);
    d->angular = fmax(d->angular, angular);
    d->steps++;
    case_progress(d->owner, (double)d->steps / STEPS);
    if (d->steps % POINT_STEPS) return true;
    bool is_3d = mn_sim_scene(sim)->dimension == 3;
    case_point(d->owner, is_3d ? "linear 3D" : "linear 2D", d->steps, linear);
    case_point(d->owner, is_3d ? "angular 3D" : "angular 2D", d->steps, angular);
    return d->steps < STEPS;
}

static void measure(Case *c, const char *const *sets, const char *linear, const char *angular) {
    mnSim *sim = case_open(c, "momentum", sets);
    if (!sim) return;
    const mnSceneDesc *scene = mn_sim_scene(sim);
    const mnFluid *water = &scene->fluids[0];
    Drift d = {.owner = c, .before = mn_sim_totals(sim), .radius = water->bodies[0].shape.radius};
    d.unit = d.before.mass * sqrt(water->tension_vapor / (water->density * d.radius));
    double resolution = 2 * d.radius / scene->spacing;
    if (!case_watch(c, sim, INFINITY, look, &d)) return;
    case_check(c, (Check){.quantity = linear,
                          .unit = "m√(γ/ρR)",
                          .measured = d.linear,
                          .goal = goal,
                          .judge = JUDGE_ABSOLUTE,
                          .resolution = resolution});
    case_check(c, (Check){.quantity = angular,
                          .unit = "mR√(γ/ρR)",
                          .measured = d.angular,
                          .goal = goal,
                          .judge = JUDGE_ABSOLUTE,
                          .resolution = resolution});
}

static void in_space(Case *c) {
    measure(c, NULL, "drift of momentum, 3D", "drift of angular momentum, 3D");
}

/* In the plane a drop can only turn about z. */
static void in_plane(Case *c) {
    const char *sets[] = {"dimension=2", "fluids.water.bodies[0].velocity=[0.05, -0.03, 0]",
                          "fluids.water.bodies[0].angular_velocity=[0, 0, 4000]",
                          "fluids.water.bodies[0].shape.radius=0.001", NULL};
    measure(c, sets, "drift of momentum, 2D", "drift of angular momentum, 2D");
}

static const CaseInfo cases[] = {
    {.label = "3D", .run = in_space, .seconds = 7, .quick = true},
    {.label = "2D", .run = in_plane, .seconds = 1, .quick = true},
};

const Benchmark benchmark_momentum = {
    .name = "momentum",
    .title = "Momentum of a free drop",
    .law = "Σmv, Σx×mv constant",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {{.name = "drift",
               .title = "Drift of momentum",
               .x = "step",
               .y = "drift over m√(γ/ρR), mR√(γ/ρR)",
               .log_y = true,
               .curves = {{"linear 3D", "momentum, 3D", CURVE_LINE},
                          {"angular 3D", "angular momentum, 3D", CURVE_LINE},
                          {"linear 2D", "momentum, 2D", CURVE_LINE},
                          {"angular 2D", "angular momentum, 2D", CURVE_LINE}}}},
};
