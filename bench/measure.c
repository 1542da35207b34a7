#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "bench.h"
#include "sim.h"
#include "texts.h"

static const double FLOPS_PER_PAIR = 35;

/* What every timed step leaves: a column each. */
typedef struct Timings {
    double *step, *iteration, *per_second, *stages[MN_STAGE_COUNT];
    double dt, iterations, solver; /* sums */
    int count;
} Timings;

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static Spread spread_of(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return (Spread){values[count / 2], values[3 * count / 4] - values[count / 4]};
}

static bool timings_begin(Timings *t, int steps) {
    *t = (Timings){.step = calloc((size_t)steps * (3 + MN_STAGE_COUNT), sizeof(double))};
    if (!t->step) return false;
    t->iteration = t->step + steps;
    t->per_second = t->iteration + steps;
    for (int s = 0; s < MN_STAGE_COUNT; s++) t->stages[s] = t->per_second + (1 + s) * steps;
    return true;
}

static void timings_add(Timings *t, const mnStepReport *report, double seconds) {
    int k = t->count++;
    t->step[k] = seconds;
    t->iteration[k] = report->stage_seconds[MN_STAGE_SOLVER] / fmax(1, report->iterations);
    t->per_second[k] = seconds / report->dt;
    for (int s = 0; s < MN_STAGE_COUNT; s++) t->stages[s][k] = report->stage_seconds[s];
    t->dt += report->dt;
    t->iterations += report->iterations;
    t->solver += report->stage_seconds[MN_STAGE_SOLVER];
}

/* Neighbours of particle i within 2h and within 3h; lists hold some more. */
static void count_pairs_at(const void *context, int64_t i, double *sums) {
    const mnWorld *world = context;
    mnAround around = mn_around_fluid(world, i);
    mnVec x = world->fluid.position[i];
    for (int part = 0; part < 2; part++)
        for (int32_t k = 0; k < mn_part_all(around, part); k++) {
            bool is_fluid = k < mn_part_fluid(around, part);
            int32_t j = mn_part(around, part)[k];
            mnVec d = mn_sub(x, is_fluid ? world->fluid.position[j] : world->boundary.position[j]);
            double rr = (double)mn_dot(d, d), h = world->neighbours.spacing;
            sums[0] += rr < 4 * h * h;
            sums[1] += rr < 9 * h * h;
        }
}

/* Pairs that an iteration of the solver evaluates: force and divergence over 2h, measure and gradient over 3h. */
static double pairs_of_iteration(const mnSim *sim) {
    const mnWorld *world = &sim->world;
    double sums[2] = {0, 0};
    if (world->fluid.count > 0)
        mn_parallel_sum(world->threads, world->fluid.count, 2, count_pairs_at, world, world->scratch, sums);
    return 2 * sums[0] + (world->has_tension ? 2 * sums[1] : 0);
}

static void fill_row(const mnSim *sim, Timings *t, const BenchDesc *desc, BenchRow *row) {
    mnParticles particles = mn_sim_particles(sim);
    int n = t->count;
    row->threads = mn_sim_threads(sim);
    row->particles = particles.count;
    row->boundary = mn_sim_boundary(sim).count;
    row->spacing = mn_sim_scene(sim)->spacing;
    row->steps = n;
    row->dt = t->dt / n;
    row->iterations_mean = t->iterations / n;
    row->pairs_per_second = pairs_of_iteration(sim) * t->iterations / t->solver;
    row->step = spread_of(t->step, n);
    row->iteration = spread_of(t->iteration, n);
    row->per_second = spread_of(t->per_second, n).median;
    for (int s = 0; s < MN_STAGE_COUNT; s++) row->stages[s] = spread_of(t->stages[s], n).median;
    row->bytes_per_particle = particles.count ? (double)mn_sim_memory(sim) / (double)particles.count : 0;
    row->yardstick = 0.5 * (row->yardstick + yardstick_seconds(desc->threads));
    row->flops_share = FLOPS_PER_PAIR * row->pairs_per_second * row->yardstick / yardstick_flops;
}

static mnStatus time_steps(mnSim *sim, const BenchDesc *desc, bool (*look)(double share, void *context), void *context,
                           BenchRow *row, mnError *error) {
    const BenchCase *info = row->info;
    Timings t;
    if (!timings_begin(&t, info->steps)) return mn_error_set(error, MN_ERROR_MEMORY, "out of memory");
    mnStatus status = MN_OK;
    bool goes_on = true;
    row->yardstick = yardstick_seconds(desc->threads);
    for (int k = 0; k < info->warm_up + info->steps && status == MN_OK && goes_on; k++) {
        mnStepReport report;
        double start = mn_clock();
        status = mn_sim_step(sim, INFINITY, &report, error);
        if (status == MN_OK && k >= info->warm_up) timings_add(&t, &report, mn_clock() - start);
        goes_on = look((double)(k + 1) / (info->warm_up + info->steps), context);
    }
    if (status == MN_OK && goes_on) fill_row(sim, &t, desc, row);
    free(t.step);
    return status;
}

static mnStatus load(const Bench *bench, const BenchCase *info, const BenchDesc *desc, mnScene **scene,
                     mnError *error) {
    const char *sets[BENCH_SETS_MAX + 1];
    int count = 0;
    while (count < BENCH_SETS_MAX && info->sets[count]) {
        sets[count] = info->sets[count];
        count++;
    }
    char *spacing = text_format("spacing=%.9g", desc->spacing), *path;
    if (desc->spacing > 0) sets[count++] = spacing;
    path = text_format("%s/%s.json", desc->folder, bench->scene);
    mnReport report = {0};
    mnStatus status = mn_scene_load(path, sets, count, scene, &report);
    if (status != MN_OK)
        mn_error_set(error, status, "%s: %s", path, report.count > 0 ? report.problems[0].text : "cannot be read");
    mn_report_clear(&report);
    free(spacing);
    free(path);
    return status;
}

mnStatus bench_run(const Bench *bench, const BenchCase *info, const BenchDesc *desc,
                   bool (*look)(double share, void *context), void *context, BenchRow *row, mnError *error) {
    *row = (BenchRow){.bench = bench, .info = info};
    mnScene *scene = NULL;
    mnStatus status = load(bench, info, desc, &scene, error);
    if (status != MN_OK) return status;
    mnOptions options = mn_default_options();
    options.threads = desc->threads;
    mnSim *sim = NULL;
    status = mn_sim_create(mn_scene_desc(scene), &options, &sim, error);
    mn_scene_destroy(scene);
    if (status == MN_OK) status = time_steps(sim, desc, look, context, row, error);
    mn_sim_destroy(sim);
    return status;
}
