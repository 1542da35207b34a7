/* Young's angle of drops on flat walls: angle.md. */
#include <math.h>
#include <stdio.h>

#include "walls.h"

static const double ohnesorge = 0.1; /* μ/√(ργR): comes to rest within a few swings, and recedes without sticking */

/* Walls above this one lift what lies on them by up to half a spacing, and leave a drop a small foot. */
static const double STEEP = 120;

/* Where the wall's angle starts. A half-ball that is put on a wall of 150° jumps off; so the angle rises to it within
 * some swings. */
static double first_angle(double angle) {
    return fmin(angle, STEEP);
}
static const double RISE = 3; /* √(ρR³/γ) */

/* Half a swing, in √(ρR³/γ). On a small foot a drop swings slowly, at 150° within four of these units, and whoever
 * looks for less than half a swing takes its turns for rest. */
static double half_swing(double angle) {
    return angle > STEEP ? 2 : 1;
}

/* What stands in the table of cases. */
enum { ANGLE, DIAMETER, DENSITY, TENSION, SOLID_TENSION };

static void plot_profile(Case *c, const mnSim *sim, const double normal[3], double volume, double angle) {
    char curve[32];
    snprintf(curve, sizeof curve, "surface %.0f", angle);
    drop_plot(c, sim, normal, curve);
    snprintf(curve, sizeof curve, "cap %.0f", angle);
    double radius = cap_radius(3, volume, angle) / mn_sim_scene(sim)->spacing, end = angle * M_PI / 180;
    for (int k = 0; k <= 60; k++) {
        double at = end * k / 60; /* from the apex */
        case_point(c, curve, radius * sin(at), radius * (cos(at) - cos(end)));
    }
}

static void tell(Case *c, const char *where, const char *by, double expected, double measured, double goal,
                 double resolution) {
    char quantity[96];
    snprintf(quantity, sizeof quantity, "%.0f°%s%s", expected, where, by);
    case_check(c, (Check){.quantity = quantity,
                          .unit = "°",
                          .expected = expected,
                          .measured = measured,
                          .goal = goal,
                          .judge = goal > 0 ? JUDGE_ABSOLUTE : JUDGE_NONE,
                          .resolution = resolution});
}

/* A half-ball of D/h = DIAMETER is put on the wall and left to itself. `attitude` turns the wall; it ends with NULL. */
static void measure(Case *c, const char *where, int dimension, const double normal[3], const char *const *attitude) {
    double angle = case_value(c, ANGLE), density = case_value(c, DENSITY), tension = case_value(c, TENSION);
    const double spacing = 0.00025, radius = 0.5 * case_value(c, DIAMETER) * spacing;
    double unit = sqrt(density * radius * radius * radius / tension);
    const char *sets[16] = {case_set(c, "schedules[0].keys[0].value", first_angle(angle)),
                            case_set(c, "schedules[0].keys[1].value", angle),
                            case_set(c, "schedules[0].keys[1].time", RISE * unit),
                            case_set(c, "fluids.liquid.bodies[0].shape.radius", radius),
                            case_set(c, "fluids.liquid.density", density),
                            case_set(c, "fluids.liquid.tension.vapor", tension),
                            case_set(c, "fluids.liquid.tension.solid", case_value(c, SOLID_TENSION)),
                            case_set(c, "fluids.liquid.viscosity", ohnesorge * sqrt(density * tension * radius)),
                            case_set(c, "dimension", dimension)};
    for (int k = 0; attitude[k]; k++) sets[10 + k] = attitude[k];
    mnSim *sim = NULL;
    CapAngles angles = {0};
    int seeds = dimension == 2 ? SEEDS_2D : 1;
    for (int k = 0; k < seeds; k++) {
        DropLengths lengths;
        if (sim) case_close(c, sim);
        sets[9] = case_set(c, "seed", k);
        sim = case_open(c, "angle", sets);
        if (!sim) return;
        if (first_angle(angle) < angle && !case_run(c, sim, RISE * unit)) return;
        if (!drop_settle(c, sim, normal, half_swing(angle) * unit, 6, &lengths)) return;
        CapAngles found = cap_angles(dimension, liquid_volume(sim), spacing, lengths);
        angles.circle += found.circle / seeds;
        angles.centre += found.centre / seeds;
        angles.base += found.base / seeds;
    }
    double volume = liquid_volume(sim), resolution = 2 * radius / spacing;
    double goal = 3 * fmax(32 / resolution, 1); /* fewer particles, larger errors */
    tell(c, where, "", angle, angles.circle, goal, resolution);
    tell(c, where, ", by the centre of mass", angle, angles.centre, 0, resolution);
    tell(c, where, ", by the base", angle, angles.base, 0, resolution);
    case_point(c, dimension == 3 ? "3D" : "2D", angle, angles.circle);
    if (dimension == 3 && where[0] == 0) plot_profile(c, sim, normal, volume, angle);
}

static void on_floor(Case *c) {
    measure(c, "", 3, (double[]){0, 0, 1}, (const char *[]){NULL});
}

/* The same with fewer particles and with more. */
static void on_floor_coarse(Case *c) {
    measure(c, ", coarse", 3, (double[]){0, 0, 1}, (const char *[]){NULL});
}

static void on_floor_finer(Case *c) {
    measure(c, ", finer", 3, (double[]){0, 0, 1}, (const char *[]){NULL});
}

static void on_oblique_plane(Case *c) {
    double length = sqrt(14);
    measure(c, ", oblique", 3, (double[]){1 / length, 2 / length, 3 / length},
            (const char *[]){"solids.floor.shape.normal=[1, 2, 3]",
                             "fluids.liquid.bodies[0].shape.translation=[0, 0, 0]", NULL});
}

static void of_mercury(Case *c) {
    measure(c, ", mercury", 3, (double[]){0, 0, 1}, (const char *[]){NULL});
}

static void in_plane(Case *c) {
    measure(c, case_value(c, SOLID_TENSION) > 0 ? ", 2D with γ^FB" : ", 2D", 2, (double[]){0, 1, 0},
            (const char *[]){"solids.floor.shape.normal=[0, 1, 0]",
                             "fluids.liquid.bodies[0].shape.translation=[0, 0.000125, 0]", NULL});
}

static void conclude(Conclusion *conclusion) {
    for (double angle = 0; angle <= 180; angle += 180) case_point(conclusion_case(conclusion), "law", angle, angle);
}

#define WATER 1000, 0.072
#define MERCURY 13534, 0.485

static const CaseInfo cases[] = {
    {.label = "30°", .run = on_floor, .values = {30, 32, WATER}, .seconds = 100},
    {.label = "60°", .run = on_floor, .values = {60, 32, WATER}, .seconds = 120},
    {.label = "90°", .run = on_floor, .values = {90, 32, WATER}, .seconds = 25},
    {.label = "120°", .run = on_floor, .values = {120, 32, WATER}, .seconds = 110},
    {.label = "135°", .run = on_floor, .values = {135, 32, WATER}, .seconds = 110},
    {.label = "150°", .run = on_floor, .values = {150, 32, WATER}, .seconds = 200},
    {.label = "60°, oblique", .run = on_oblique_plane, .values = {60, 32, WATER}, .seconds = 60},
    {.label = "120°, oblique", .run = on_oblique_plane, .values = {120, 32, WATER}, .seconds = 90},
    {.label = "120°, mercury", .run = of_mercury, .values = {120, 32, MERCURY}, .seconds = 110},
    {.label = "60°, coarse", .run = on_floor_coarse, .values = {60, 20, WATER}, .seconds = 14, .quick = true},
    {.label = "90°, coarse", .run = on_floor_coarse, .values = {90, 20, WATER}, .seconds = 10, .quick = true},
    {.label = "120°, coarse", .run = on_floor_coarse, .values = {120, 20, WATER}, .seconds = 14, .quick = true},
    {.label = "150°, finer", .run = on_floor_finer, .values = {150, 44, WATER}, .seconds = 560},
    {.label = "2D 60°", .run = in_plane, .values = {60, 32, WATER}, .seconds = 3, .quick = true},
    {.label = "2D 90°", .run = in_plane, .values = {90, 32, WATER}, .seconds = 3},
    {.label = "2D 120°", .run = in_plane, .values = {120, 32, WATER}, .seconds = 3},
    {.label = "2D 90° with γ^FB", .run = in_plane, .values = {90, 32, WATER, 0.072}, .seconds = 3},
};

#define PROFILE(angle)                                                                                                 \
    {"surface " angle, angle "°", CURVE_POINTS}, {                                                                     \
        "cap " angle, "cap of " angle "°", CURVE_LAW                                                                   \
    }

const Benchmark benchmark_angle = {
    .name = "angle",
    .title = "Contact angles",
    .law = "cos θ = (γ^BV − γ^BF)/γ^FV",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .conclude = conclude,
    .plots = {{.name = "profile",
               .title = "Free surfaces of drops on a floor, and the caps of Young's angles",
               .x = "distance from the axis / h",
               .y = "height / h",
               .equal = true,
               .curves = {PROFILE("30"), PROFILE("60"), PROFILE("90"), PROFILE("120"), PROFILE("135"), PROFILE("150")}},
              {.name = "angle",
               .title = "Angles found against angles asked for",
               .x = "asked for, °",
               .y = "found, °",
               .curves = {{"law", "law", CURVE_LAW}, {"3D", "3D", CURVE_POINTS}, {"2D", "2D", CURVE_POINTS}}}},
};
