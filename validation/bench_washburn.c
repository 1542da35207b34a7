/* How fast a slot draws liquid in: washburn.md. */
#include <math.h>

#include "fit.h"
#include "walls.h"

/* In h, as in the scene. */
static const double WIDTH = 8, FROM = 32, TO = 80;

enum { POINTS_MAX = 400 };

/* Times at which the liquid in the slot has reached lengths that grow by one part in a hundred, in s and h. */
typedef struct Filling {
    Case *owner;
    int count;
    double time[POINTS_MAX], length[POINTS_MAX];
} Filling;

/* Volume in the slot over its width. The edge at x = 0 is blurred over 4h, or whole rows of particles would count. */
static double filled_length(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    double h = mn_sim_scene(sim)->spacing, sum = 0;
    for (int64_t i = 0; i < p.count; i++)
        if (fabs((double)p.position[i].y) < 0.5 * WIDTH * h)
            sum += fmin(fmax(0.25 * (double)p.position[i].x / h + 0.5, 0), 1);
    return sum / WIDTH;
}

static bool look(mnSim *sim, void *context) {
    Filling *f = context;
    double length = filled_length(sim), last = f->count > 0 ? f->length[f->count - 1] : 1;
    case_progress(f->owner, length * length / (TO * TO));
    if (length > 1.01 * last && f->count < POINTS_MAX) {
        f->time[f->count] = mn_sim_time(sim);
        f->length[f->count++] = length;
        case_point(f->owner, "found", 1e3 * mn_sim_time(sim), length);
    }
    return length < TO;
}

/* n of L ∝ (t − t₀)ⁿ that leaves the smallest misfit of the times, t = t₀ + a·L^(1/n). */
static double fit_exponent(int count, const double *time, const double *length) {
    double best = 0, least = INFINITY, power[POINTS_MAX] = {0};
    for (double n = 0.3; n < 0.9; n += 0.001) {
        for (int i = 0; i < count; i++) power[i] = pow(length[i], 1 / n);
        double misfit = fit_line(count, power, time).misfit;
        if (misfit < least) {
            least = misfit;
            best = n;
        }
    }
    return best;
}

static double plain_exponent(int count, const double *time, const double *length) {
    double x[POINTS_MAX] = {0}, y[POINTS_MAX] = {0};
    for (int i = 0; i < count; i++) {
        x[i] = log(time[i]);
        y[i] = log(length[i]);
    }
    return fit_line(count, x, y).slope;
}

/* d(L²)/dt, h²/s. */
static double fit_rate(int count, const double *time, const double *length) {
    double square[POINTS_MAX] = {0};
    for (int i = 0; i < count; i++) square[i] = length[i] * length[i];
    return fit_line(count, time, square).slope;
}

static void fill(Case *c) {
    mnSim *sim = case_open(c, "washburn", NULL);
    if (!sim) return;
    const mnSceneDesc *scene = mn_sim_scene(sim);
    const mnFluid *water = &scene->fluids[0];
    double h = scene->spacing, pull = water->tension_vapor * cos(solid_angle(sim, "plates"));
    double law = pull * WIDTH / (3 * water->viscosity * h); /* L²/t in h²/s */
    Filling f = {.owner = c};
    if (!case_watch(c, sim, 2 * TO * TO / law, look, &f)) return;
    int first = 0;
    while (first < f.count && f.length[first] < FROM) first++;
    int count = f.count - first;
    const double *time = f.time + first, *length = f.length + first;
    if (f.count == 0 || f.length[f.count - 1] < 0.9 * TO) {
        case_fail(c, "exponent", "the slot did not fill: %.0f h after twice the time that it should take",
                  f.count > 0 ? f.length[f.count - 1] : 0);
        return;
    }
    case_check(
        c, (Check){"exponent, start fitted", "", 0.5, fit_exponent(count, time, length), 0.05, JUDGE_ABSOLUTE, WIDTH});
    case_check(c, (Check){"exponent from the first moment", "", 0.5, plain_exponent(count, time, length), 0, JUDGE_NONE,
                          WIDTH});
    case_check(c, (Check){"dL²/dt", "mm²/s", 1e6 * h * h * law, 1e6 * h * h * fit_rate(count, time, length), 0,
                          JUDGE_NONE, WIDTH});
    for (int i = 0; i < f.count; i++) case_point(c, "law", 1e3 * f.time[i], sqrt(law * f.time[i]));
}

static const CaseInfo cases[] = {{.label = "w = 8 h", .run = fill, .seconds = 32}};

const Benchmark benchmark_washburn = {
    .name = "washburn",
    .title = "Filling of a slot",
    .law = "L² = γw cos θ·t/(3μ)",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {{.name = "length",
               .title = "Length of the liquid in a level slot (2D)",
               .x = "time, ms",
               .y = "length / h",
               .log_x = true,
               .log_y = true,
               .curves = {{"law", "Lucas and Washburn", CURVE_LAW}, {"found", "found", CURVE_POINTS}}}},
};
