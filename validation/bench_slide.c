/* Drops that slide without friction: slide.md. */
#include <math.h>
#include <stdio.h>

#include "fit.h"
#include "walls.h"

enum { ANGLE, HEADING }; /* of the table of cases */
enum { READINGS_MAX = 2000 };

static const double START = 0.04, END = 0.07; /* s; until the start, three times √(ρR³/γ), the drop takes its shape */

typedef struct Descent {
    Case *owner;
    const char *curve;
    const double *direction;
    int count;
    double time[READINGS_MAX], speed[READINGS_MAX];
} Descent;

static bool look(mnSim *sim, void *context) {
    Descent *d = context;
    mnTotals totals = mn_sim_totals(sim);
    double time = mn_sim_time(sim), speed = speed_along(&totals, d->direction);
    case_progress(d->owner, time / END);
    case_point(d->owner, d->curve, 1e3 * time, speed);
    if (time < START || d->count == READINGS_MAX) return true;
    d->time[d->count] = time;
    d->speed[d->count++] = speed;
    return true;
}

static void slide(Case *c) {
    Slope slope = slope_make(case_value(c, ANGLE), case_value(c, HEADING));
    const char *sets[4] = {0};
    slope_sets(c, &slope, sets);
    mnSim *sim = case_open(c, "slide", sets);
    if (!sim) return;
    const mnSceneDesc *scene = mn_sim_scene(sim);
    char quantity[48], curve[16];
    snprintf(curve, sizeof curve, "%.0f", case_value(c, ANGLE));
    Descent d = {.owner = c, .curve = curve, .direction = slope.descent};
    if (!case_watch(c, sim, END, look, &d)) return;
    double law = -scene->gravity[2] * slope.sine;
    snprintf(quantity, sizeof quantity, "acceleration, %.0f°", case_value(c, ANGLE));
    case_check(c, (Check){.quantity = quantity,
                          .unit = "m/s²",
                          .expected = law,
                          .measured = fit_line(d.count, d.time, d.speed).slope,
                          .goal = 0.03,
                          .judge = JUDGE_RELATIVE,
                          .resolution = 2 * scene->fluids[0].bodies[0].shape.radius / scene->spacing});
    snprintf(curve, sizeof curve, "law %.0f", case_value(c, ANGLE));
    case_point(c, curve, 0, 0);
    case_point(c, curve, 1e3 * END, law * END);
}

static const CaseInfo cases[] = {
    {.label = "20°", .run = slide, .values = {20, 37}, .seconds = 9},
    {.label = "30°", .run = slide, .values = {30, 100}, .seconds = 9, .quick = true},
    {.label = "60°", .run = slide, .values = {60, 205}, .seconds = 9},
};

#define DESCENT(angle)                                                                                                 \
    {angle, angle "°", CURVE_LINE}, {                                                                                  \
        "law " angle, NULL, CURVE_LAW                                                                                  \
    }

const Benchmark benchmark_slide = {
    .name = "slide",
    .title = "Sliding without friction",
    .law = "a = g sin α",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {{.name = "speed",
               .title = "Speed of drops on slopes without friction",
               .x = "time, ms",
               .y = "speed, m/s",
               .curves = {DESCENT("20"), DESCENT("30"), DESCENT("60")}}},
};
