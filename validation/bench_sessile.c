/* Heavy drops on a floor against the Young–Laplace equation: sessile.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "walls.h"
#include "young_laplace.h"

static const double UP[3] = {0, 0, 1};

/* What stands in the table of cases. */
enum { ANGLE, BOND };

static void plot(Case *c, const mnSim *sim, const DropShape *law, double size) {
    char curve[48];
    snprintf(curve, sizeof curve, "%.0f° Bo %.0f", case_value(c, ANGLE), case_value(c, BOND));
    drop_plot(c, sim, UP, curve);
    snprintf(curve, sizeof curve, "law %.0f° Bo %.0f", case_value(c, ANGLE), case_value(c, BOND));
    double scale = size / mn_sim_scene(sim)->spacing;
    for (int i = 0; i < law->count; i += 10) case_point(c, curve, law->r[i] * scale, law->z[i] * scale);
}

static void tell(Case *c, const char *what, double expected, double measured, double goal, double resolution) {
    char quantity[96];
    snprintf(quantity, sizeof quantity, "%.0f°, Bo = %.0f: %s", case_value(c, ANGLE), case_value(c, BOND), what);
    case_check(c, (Check){.quantity = quantity,
                          .unit = "mm",
                          .expected = 1e3 * expected,
                          .measured = 1e3 * measured,
                          .goal = goal,
                          .judge = goal > 0 ? JUDGE_RELATIVE : JUDGE_NONE,
                          .resolution = resolution});
}

static void settle(Case *c) {
    /* The half-ball's volume and half a layer more, whose particles its equator cuts in half. */
    const double density = 1000, tension = 0.072, spacing = 0.00025, radius = 0.003;
    double nominal = 2.0 / 3 * M_PI * pow(radius, 3) + 0.5 * spacing * M_PI * radius * radius;
    double gravity = case_value(c, BOND) * tension / (density * pow(nominal, 2.0 / 3));
    const char *sets[] = {case_set(c, "solids.floor.contact_angle", case_value(c, ANGLE)),
                          case_set(c, "gravity[2]", -gravity), NULL};
    mnSim *sim = case_open(c, "sessile", sets);
    if (!sim) return;
    DropLengths found;
    if (!drop_settle(c, sim, UP, sqrt(density * pow(radius, 3) / tension), 6, &found)) return;
    double size = cbrt(liquid_volume(sim)), resolution = 2 * radius / spacing;
    DropShape *law = malloc(sizeof *law);
    if (!law) {
        case_fail(c, "height", "no memory left");
        return;
    }
    drop_shape(density * gravity * size * size / tension, case_value(c, ANGLE), law);
    tell(c, "height by volume", size * drop_shape_thickness(law, MIDDLE_OF_DROP), found.thickness, 0.03, resolution);
    tell(c, "height of the centre of mass", size * law->centre, found.centre, 0, resolution);
    tell(c, "height of the top", size * law->height, found.top, 0, resolution);
    plot(c, sim, law, size);
    free(law);
}

#define CASE(angle, bond)                                                                                              \
    { .label = #angle "°, Bo = " #bond, .run = settle, .values = {angle, bond}, .seconds = 30 }

static const CaseInfo cases[] = {CASE(90, 0),  CASE(90, 1),  CASE(90, 3),  CASE(90, 10),
                                 CASE(120, 0), CASE(120, 1), CASE(120, 3), CASE(120, 10)};

#define DROP(angle, bond)                                                                                              \
    {angle "° Bo " bond, "Bo = " bond, CURVE_POINTS}, {                                                                \
        "law " angle "° Bo " bond, NULL, CURVE_LAW                                                                     \
    }
#define PLOT(angle)                                                                                                    \
    {                                                                                                                  \
        .name = angle, .title = "Drops on a floor of " angle "° and the Young–Laplace equation",                       \
        .x = "distance from the axis / h", .y = "height / h", .equal = true, .curves = {                               \
            DROP(angle, "0"),                                                                                          \
            DROP(angle, "1"),                                                                                          \
            DROP(angle, "3"),                                                                                          \
            DROP(angle, "10")                                                                                          \
        }                                                                                                              \
    }

const Benchmark benchmark_sessile = {
    .name = "sessile",
    .title = "Heavy drops on a floor",
    .law = "Young–Laplace equation",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {PLOT("90"), PLOT("120")},
};
