/* Complete wetting and back: wetting.md. */
#include <math.h>
#include <stdlib.h>

#include "walls.h"

static const double UP[3] = {0, 0, 1};

/* Times of the scene's schedule, s: 180° ends, 0° ends, the last second. */
static const double BEAD = 0.03, FILM = 0.2, END = 0.36;

/* Particles that lie above a first layer, one spacing thick, of all. */
static double share_above_layer(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    double above = 0, h = mn_sim_scene(sim)->spacing;
    for (int64_t i = 0; i < p.count; i++) above += wall_height(UP, p.position[i]) > h;
    return above / (double)p.count;
}

/* Particles of the largest piece, of all; particles within 1.5h of each other are in one piece. Plain search through
 * all pairs: it is done once, for some hundred particles. */
static double largest_piece(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    int64_t *queue = calloc((size_t)p.count, sizeof *queue), largest = 0;
    bool *seen = calloc((size_t)p.count, sizeof *seen);
    double reach = 1.5 * mn_sim_scene(sim)->spacing;
    for (int64_t start = 0; queue && seen && start < p.count; start++) {
        int64_t count = 0;
        if (!seen[start]) queue[count++] = start;
        seen[start] = true;
        for (int64_t k = 0; k < count; k++)
            for (int64_t j = 0; j < p.count; j++) {
                mnVec a = p.position[queue[k]], b = p.position[j];
                double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z);
                if (seen[j] || x * x + y * y + z * z > reach * reach) continue;
                seen[j] = true;
                queue[count++] = j;
            }
        if (count > largest) largest = count;
    }
    free(queue);
    free(seen);
    return (double)largest / (double)p.count;
}

static bool look(mnSim *sim, void *context) {
    Case *c = context;
    case_progress(c, mn_sim_time(sim) / END);
    case_point(c, "centre", 1e3 * mn_sim_time(sim), mn_sim_totals(sim).centre[2] / mn_sim_scene(sim)->spacing);
    return true;
}

static void cycle(Case *c) {
    mnSim *sim = case_open(c, "wetting", NULL);
    if (!sim) return;
    const mnSceneDesc *scene = mn_sim_scene(sim);
    double resolution = 2 * scene->fluids[0].bodies[0].shape.radius / scene->spacing;
    if (!case_watch(c, sim, BEAD, look, c)) return;
    double before = mn_sim_totals(sim).centre[2];
    if (!case_watch(c, sim, FILM, look, c)) return;
    case_check(c, (Check){.quantity = "share above one layer, at 0°",
                          .unit = "",
                          .measured = share_above_layer(sim),
                          .goal = 0.05,
                          .judge = JUDGE_ABSOLUTE,
                          .resolution = resolution});
    double base = drop_lengths(sim, UP).base, area = scene->spacing * scene->spacing;
    case_check(c, (Check){.quantity = "area, of one layer's, at 0°",
                          .unit = "",
                          .expected = 1,
                          .measured = M_PI * base * base / (area * (double)mn_sim_particles(sim).count),
                          .judge = JUDGE_NONE,
                          .resolution = resolution});
    if (!case_watch(c, sim, END, look, c)) return;
    case_check(c, (Check){.quantity = "height of the bead, of that before",
                          .unit = "",
                          .expected = 1,
                          .measured = mn_sim_totals(sim).centre[2] / before,
                          .goal = 0.1,
                          .judge = JUDGE_RELATIVE,
                          .resolution = resolution});
    case_check(c, (Check){.quantity = "share of the bead, of all liquid",
                          .unit = "",
                          .expected = 0.98,
                          .measured = largest_piece(sim),
                          .judge = JUDGE_AT_LEAST,
                          .resolution = resolution});
}

static const CaseInfo cases[] = {{.label = "D/h = 12", .run = cycle, .seconds = 40}};

const Benchmark benchmark_wetting = {
    .name = "wetting",
    .title = "Complete wetting and back",
    .law = "180° → 0° → 180°",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {{.name = "height",
               .title = "A drop while the contact angle goes from 180° to 0° and back",
               .x = "time, ms",
               .y = "height of the centre of mass / h",
               .curves = {{"centre", "centre of mass", CURVE_LINE}}}},
};
