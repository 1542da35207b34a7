/* The smaller of two connected drops empties into the larger: two_drops.md. */
#include <stdio.h>

#include "suite.h"

enum { ENERGY, PAIRWISE, ROBUST_CSF };
static const char *const models[] = {"energy", "pairwise", "robust-csf"};
static const double end = 0.08; /* s */

typedef struct Drops {
    Case *owner;
    double next; /* when a point is due */
} Drops;

/* The smaller drop hangs below the plate. */
static double volume_below(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    const mnShape *plate = &mn_sim_scene(sim)->solids[0].shape.children[0];
    double sum = 0;
    for (int64_t i = 0; i < p.count; i++)
        if ((double)p.position[i].z < -plate->size[2] / 2) sum += (double)p.position[i].w;
    return sum;
}

static bool look(mnSim *sim, void *context) {
    Drops *d = context;
    double time = mn_sim_time(sim);
    case_progress(d->owner, time / end);
    if (time < d->next) return true;
    d->next = time + end / 100;
    case_point(d->owner, case_label(d->owner), 1e3 * time, 1e9 * volume_below(sim));
    return true;
}

/* Value: the tension model. */
static void run(Case *c) {
    int model = (int)case_value(c, 0);
    char set[64], quantity[64];
    snprintf(set, sizeof set, "solver.tension_model=\"%s\"", models[model]);
    snprintf(quantity, sizeof quantity, "share of the smaller drop gone, %s", models[model]);
    mnSim *sim = case_open(c, "two_drops", model == ENERGY ? NULL : (const char *[]){set, NULL});
    if (!sim) return;
    Drops d = {.owner = c};
    double before = volume_below(sim);
    if (!case_watch(c, sim, end, look, &d)) return;
    case_check(c, (Check){.quantity = quantity,
                          .unit = "",
                          .expected = model != PAIRWISE,
                          .measured = 1 - volume_below(sim) / before,
                          .goal = 0.1,
                          .judge = model == ROBUST_CSF ? JUDGE_NONE : JUDGE_ABSOLUTE,
                          .resolution = 13});
}

static const CaseInfo cases[] = {
    {.label = "energy", .run = run, .values = {ENERGY}, .seconds = 42},
    {.label = "pairwise", .run = run, .values = {PAIRWISE}, .seconds = 30, .compare = true},
    {.label = "robust CSF", .run = run, .values = {ROBUST_CSF}, .seconds = 40, .compare = true},
};

const Benchmark benchmark_two_drops = {
    .name = "two_drops",
    .title = "Two connected drops",
    .law = "the smaller one empties",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {{.name = "volume",
               .title = "The smaller of two connected drops",
               .x = "time, ms",
               .y = "its volume, mm³",
               .curves = {{"energy", "surface energy", CURVE_LINE},
                          {"pairwise", "pairwise attraction", CURVE_LINE},
                          {"robust CSF", "robust CSF", CURVE_LINE}}}},
};
