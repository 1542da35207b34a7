#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "bench.h"
#include "sim.h"
#include "texts.h"

static const double FLOPS_PER_PAIR = 35;

/* The table's numbers of steps are short for the CPU's sake. */
enum { LONGER_ON_DEVICE = 10 };

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

/* Pairs that an iteration of the solver evaluates: force and divergence over 2h, measure and gradient over 3h. */
static double pairs_of_iteration(const mnSim *sim) {
    const mnWorld *world = &sim->world;
    double sums[2];
    mn_run_sums(world, MN_PASS_pair_count, sums);
    return 2 * sums[0] + (world->has_tension ? 2 * sums[1] : 0);
}

static void fill_row(const mnSim *sim, Timings *t, const BenchDesc *desc, BenchRow *row) {
    mnParticles particles = mn_sim_particles(sim);
    int n = t->count;
    row->backend = desc->backend;
    row->threads = mn_sim_threads(sim);
    row->particles = particles.count;
    row->boundary = mn_sim_sampling(sim).boundary;
    row->spacing = mn_sim_scene(sim)->spacing;
    row->steps = n;
    row->dt = t->dt / n;
    row->iterations_mean = t->iterations / n;
    row->pairs_per_second = pairs_of_iteration(sim) * t->iterations / t->solver;
    row->step = spread_of(t->step, n);
    row->iteration = spread_of(t->iteration, n);
    row->per_second = spread_of(t->per_second, n).median;
    for (int s = 0; s < MN_STAGE_COUNT; s++) row->stages[s] = spread_of(t->stages[s], n).median;
    size_t on_device = mn_sim_device_memory(sim), bytes = on_device > 0 ? on_device : mn_sim_memory(sim);
    row->bytes_per_particle = particles.count ? (double)bytes / (double)particles.count : 0;
    row->yardstick = 0.5 * (row->yardstick + yardstick_seconds(desc->threads));
    row->flops_share = FLOPS_PER_PAIR * row->pairs_per_second * row->yardstick / yardstick_flops;
}

static mnStatus time_steps(mnSim *sim, const BenchDesc *desc, bool (*look)(double share, void *context), void *context,
                           BenchRow *row, mnError *error) {
    int longer = mn_sim_device_memory(sim) > 0 ? LONGER_ON_DEVICE : 1;
    int warm_up = longer * row->info->warm_up, steps = longer * row->info->steps;
    Timings t;
    if (!timings_begin(&t, steps)) return mn_error_set(error, MN_ERROR_MEMORY, "out of memory");
    mnStatus status = MN_OK;
    bool goes_on = true;
    row->yardstick = yardstick_seconds(desc->threads);
    for (int k = 0; k < warm_up + steps && status == MN_OK && goes_on; k++) {
        mnStepReport report;
        double start = mn_clock();
        status = mn_sim_step(sim, INFINITY, &report, error);
        if (status == MN_OK && k >= warm_up) timings_add(&t, &report, mn_clock() - start);
        goes_on = look((double)(k + 1) / (warm_up + steps), context);
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

static int by_seconds(const void *a, const void *b) {
    double x = ((const mnKernelTime *)a)->seconds, y = ((const mnKernelTime *)b)->seconds;
    return (x < y) - (x > y);
}

static void print_kernels(const mnSim *sim) {
    enum { MOST = 100 };
    mnKernelTime times[MOST];
    int count = mn_sim_kernels(sim, times, MOST);
    qsort(times, (size_t)count, sizeof *times, by_seconds);
    printf("\n%-24s %9s %11s %11s\n", "kernel", "launches", "µs each", "ms in all");
    for (int k = 0; k < count; k++)
        printf("%-24s %9lld %11.1f %11.1f\n", times[k].name, (long long)times[k].launches,
               1e6 * times[k].seconds / (double)times[k].launches, 1e3 * times[k].seconds);
}

mnStatus bench_run(const Bench *bench, const BenchCase *info, const BenchDesc *desc,
                   bool (*look)(double share, void *context), void *context, BenchRow *row, mnError *error) {
    *row = (BenchRow){.bench = bench, .info = info};
    mnScene *scene = NULL;
    mnStatus status = load(bench, info, desc, &scene, error);
    if (status != MN_OK) return status;
    mnOptions options = mn_default_options();
    options.threads = desc->threads;
    options.backend = desc->backend;
    options.profiled = desc->profiled;
    mnSim *sim = NULL;
    status = mn_sim_create(mn_scene_desc(scene), &options, &sim, error);
    mn_scene_destroy(scene);
    if (status == MN_OK) status = time_steps(sim, desc, look, context, row, error);
    if (status == MN_OK && desc->profiled) print_kernels(sim);
    mn_sim_destroy(sim);
    return status;
}
