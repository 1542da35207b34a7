/* What becomes of a resting drop when pressure and tension are not solved together: coupling.md. */
#include <math.h>
#include <stdio.h>

#include "fit.h"
#include "suite.h"

enum { UNIFIED, PRESSURE_FIRST, TENSION_FIRST, COUPLINGS };
static const char *const couplings[] = {"unified", "pressure-then-tension", "tension-then-pressure"};

typedef struct Drop {
    Case *owner;
    char curve[64];
    int coupling;
    double rest, end;               /* s; what moves between the two is not the drop settling */
    double last, sum, weight, next; /* of the kinetic energy over the time at rest; when a point is due */
} Drop;

static bool look(mnSim *sim, void *context) {
    Drop *d = context;
    double time = mn_sim_time(sim), energy = mn_sim_totals(sim).kinetic_energy;
    if (time > d->rest) {
        d->sum += (time - d->last) * energy;
        d->weight += time - d->last;
    }
    d->last = time;
    case_progress(d->owner, (d->coupling + time / d->end) / COUPLINGS);
    if (time < d->next) return true;
    d->next = time + d->end / 100;
    case_point(d->owner, d->curve, 1e3 * time, energy);
    return true;
}

/* How far the outermost particles stray from a smooth dome, in spacings: the distance from the middle of the base as a
 * parabola of the sine of the elevation, which a drop flattened by its weight follows closely. */
static double roughness(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    mnTotals totals = mn_sim_totals(sim);
    bool is_3d = mn_sim_scene(sim)->dimension == 3;
    double h = mn_sim_scene(sim)->spacing, squares = 0, dome[FIT_TERMS] = {0}, largest = 0;
    Fit fit = {.terms = 3};
    /* C^FV of the outermost layer is above half of its largest value, of the second below. */
    for (int64_t i = 0; i < p.count; i++) largest = fmax(largest, (double)p.measure[i].x);
    /* Two passes: the first fits, the second takes the distances. */
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < p.count; i++) {
            double x = (double)p.position[i].x - totals.centre[0];
            double y = is_3d ? (double)p.position[i].y - totals.centre[1] : 0;
            double z = (double)(is_3d ? p.position[i].z : p.position[i].y);
            if ((double)p.measure[i].x < largest / 2 || z < 2 * h) continue; /* the foot belongs to the wall as well */
            double distance = sqrt(x * x + y * y + z * z), sine = z / distance;
            if (pass == 0) fit_add(&fit, (double[]){1, sine, sine * sine}, distance);
            squares += pass * pow(distance - dome[0] - sine * (dome[1] + sine * dome[2]), 2);
        }
        fit_solve(&fit, dome);
    }
    return sqrt(squares / fit.samples) / h;
}

/* Values: dimension, from when on the drop should rest, end, its width over h. */
static void run(Case *c) {
    bool is_3d = case_value(c, 0) > 2;
    double energy[COUPLINGS], rough[COUPLINGS], resolution = case_value(c, 3);
    for (int k = 0; k < COUPLINGS; k++) {
        char coupling[64];
        snprintf(coupling, sizeof coupling, "solver.coupling=\"%s\"", couplings[k]);
        /* In the plane a cylinder would be a disc. */
        const char *plane[] = {coupling, "dimension=2",
                               "fluids.water.bodies[0].shape={\"kind\": \"box\", \"size\": [0.006, 0.0025], "
                               "\"translation\": [0, 0.00125]}",
                               NULL};
        const char *space[] = {coupling, NULL};
        mnSim *sim = case_open(c, "coupling", is_3d ? space : plane);
        if (!sim) return;
        Drop d = {.owner = c, .coupling = k, .rest = case_value(c, 1), .end = case_value(c, 2)};
        snprintf(d.curve, sizeof d.curve, "%s, %s", couplings[k], case_label(c));
        if (!case_watch(c, sim, d.end, look, &d)) return;
        energy[k] = d.sum / d.weight;
        rough[k] = roughness(sim);
        case_close(c, sim);
    }
    char text[COUPLINGS + 1][128];
    snprintf(text[COUPLINGS], sizeof text[0], "energy at rest, pressure first / unified, %s", case_label(c));
    case_check(c, (Check){.quantity = text[COUPLINGS],
                          .unit = "",
                          .expected = 100,
                          .measured = energy[PRESSURE_FIRST] / energy[UNIFIED],
                          .judge = JUDGE_AT_LEAST,
                          .resolution = resolution});
    for (int k = 1; k < COUPLINGS; k++) {
        snprintf(text[k], sizeof text[k], "roughness over that of unified, %s, %s", couplings[k], case_label(c));
        case_check(c, (Check){.quantity = text[k],
                              .unit = "",
                              .expected = 1,
                              .measured = rough[k] / rough[UNIFIED],
                              .judge = JUDGE_NONE,
                              .resolution = resolution});
    }
}

static const CaseInfo cases[] = {
    {.label = "3D", .run = run, .values = {3, 0.25, 0.3, 16.8}, .seconds = 70},
    {.label = "2D", .run = run, .values = {2, 0.3, 0.4, 24}, .seconds = 15},
};

#define COUPLING_PLOT(dimension)                                                                                       \
    {                                                                                                                  \
        .name = "energy-" dimension, .title = "A drop that should come to rest, " dimension, .x = "time, ms",          \
        .y = "kinetic energy, J (2D: J/m)", .log_y = true, .curves = {                                                 \
            {"unified, " dimension, "unified", CURVE_LINE},                                                            \
            {"pressure-then-tension, " dimension, "pressure, then tension", CURVE_LINE},                               \
            {"tension-then-pressure, " dimension, "tension, then pressure", CURVE_LINE}                                \
        }                                                                                                              \
    }

const Benchmark benchmark_coupling = {
    .name = "coupling",
    .title = "Coupling of the solver",
    .law = "a drop comes to rest",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {COUPLING_PLOT("3D"), COUPLING_PLOT("2D")},
};
