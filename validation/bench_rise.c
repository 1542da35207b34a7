/* Capillary rise in slots of several widths: rise.md. */
#include <math.h>
#include <stdio.h>

#include "walls.h"

enum { WIDTH };

static void measure(Case *c, const char *scene, const char *how, const char *const *sets, double goal) {
    double width = case_value(c, WIDTH);
    Rise rise;
    mnSim *sim;
    if (!rise_settle(c, scene, width, sets, &rise, &sim)) return;
    char quantity[48];
    snprintf(quantity, sizeof quantity, "height, w = %.0f h%s", width, how);
    case_check(c, (Check){.quantity = quantity,
                          .unit = "mm",
                          .expected = 1e3 * rise.law,
                          .measured = 1e3 * rise.height,
                          .goal = goal,
                          .judge = goal > 0 ? JUDGE_RELATIVE : JUDGE_NONE,
                          .resolution = width});
    if (mn_sim_scene(sim)->dimension == 3) return; /* under another gravity: not a point of that curve */
    double w = 1e3 * width * mn_sim_scene(sim)->spacing;
    case_point(c, how[0] == 0 ? "below" : "above", w, 1e3 * rise.height);
    case_point(c, "law", w, 1e3 * rise.law);
}

static void from_below(Case *c) {
    measure(c, "rise", "", NULL, case_value(c, WIDTH) < 12 ? 0 : 0.05);
}

/* The slot starts filled to half again the law's height. */
static void from_above(Case *c) {
    const char *sets[] = {"fluids.water.bodies[0].shape.size[1]=0.01188",
                          "fluids.water.bodies[0].shape.translation[1]=0.00594", NULL};
    measure(c, "rise", ", from above", sets, 0);
}

static void in_3d(Case *c) {
    const char *sets[] = {"solids.plates.contact_angle=30", "fluids.water.bodies[0].shape.size[1]=0.00432",
                          "fluids.water.bodies[0].shape.translation[1]=0.00216", NULL};
    measure(c, "rise3d", ", 3D", sets, 0.05);
}

static const CaseInfo cases[] = {
    {.label = "w = 8 h", .run = from_below, .values = {8}, .seconds = 13},
    {.label = "w = 12 h", .run = from_below, .values = {12}, .seconds = 19},
    {.label = "w = 16 h", .run = from_below, .values = {16}, .seconds = 26},
    {.label = "w = 24 h", .run = from_below, .values = {24}, .seconds = 20},
    {.label = "w = 12 h, from above", .run = from_above, .values = {12}, .seconds = 15},
    {.label = "w = 12 h, 3D", .run = in_3d, .values = {12}, .seconds = 55},
};

const Benchmark benchmark_rise = {
    .name = "rise",
    .title = "Capillary rise",
    .law = "H = 2γ cos θ/(ρgw)",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {{.name = "height",
               .title = "Height of water between two plates (2D)",
               .x = "width of the slot, mm",
               .y = "height above the basin, mm",
               .curves = {{"law", "Jurin", CURVE_LAW},
                          {"below", "from below", CURVE_POINTS},
                          {"above", "from above", CURVE_POINTS}}}},
};
