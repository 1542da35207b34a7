/* Capillary rise in slots of several widths: rise.md. */
#include <math.h>
#include <stdio.h>

#include "walls.h"

enum { WIDTH };

static void rise(Case *c) {
    double width = case_value(c, WIDTH);
    Rise rise;
    mnSim *sim;
    if (!rise_settle(c, "rise", width, NULL, &rise, &sim)) return;
    char quantity[48];
    snprintf(quantity, sizeof quantity, "height, w = %.0f h", width);
    case_check(c, (Check){.quantity = quantity,
                          .unit = "mm",
                          .expected = 1e3 * rise.law,
                          .measured = 1e3 * rise.height,
                          .goal = 0.05,
                          .judge = width < 12 ? JUDGE_NONE : JUDGE_RELATIVE,
                          .resolution = width});
    double w = 1e3 * width * mn_sim_scene(sim)->spacing;
    case_point(c, "found", w, 1e3 * rise.height);
    case_point(c, "law", w, 1e3 * rise.law);
}

static const CaseInfo cases[] = {
    {.label = "w = 8 h", .run = rise, .values = {8}, .seconds = 13},
    {.label = "w = 12 h", .run = rise, .values = {12}, .seconds = 15},
    {.label = "w = 16 h", .run = rise, .values = {16}, .seconds = 15},
    {.label = "w = 24 h", .run = rise, .values = {24}, .seconds = 20},
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
               .curves = {{"law", "Jurin", CURVE_LAW}, {"found", "found", CURVE_POINTS}}}},
};
