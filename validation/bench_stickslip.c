/* The friction at which drops on slopes are released: stickslip.md. */
#include <math.h>
#include <stdio.h>

#include "fit.h"
#include "walls.h"

enum { ANGLE, RADIUS }; /* of the table of cases: degrees, h */
enum { READINGS_MAX = 2000 };

static const double HEADING = 37, SPACING = 0.00025, GRAVITY = 9.81;
static const double REST = 0.04, START = 0.05, END = 0.2; /* s: μ = 1 until; falls evenly from; to */

/* What is seen while μ falls to 0; shares are of the μ that the law expects from the drop at rest. */
typedef struct Fall {
    Case *owner;
    const char *curve;
    Slope slope;
    double unit, high; /* that μ; the share at the start */
    int count;
    double time[READINGS_MAX], share[READINGS_MAX];
    double speed[READINGS_MAX], drag[READINGS_MAX]; /* m/s; ∫ μ Σ|F_N|/m dt, m/s */
    double force, force_count;                      /* Σ|F_N| just before the law's release, N */
} Fall;

static bool look(mnSim *sim, void *context) {
    Fall *f = context;
    double time = mn_sim_time(sim), share = f->high * (END - time) / (END - START);
    case_progress(f->owner, (REST + time) / (REST + END));
    if (time < START || f->count == READINGS_MAX) return true;
    mnTotals totals = mn_sim_totals(sim);
    int k = f->count++;
    double drag = share * f->unit * totals.normal_force / totals.mass;
    f->time[k] = time;
    f->share[k] = share;
    f->speed[k] = speed_along(&totals, f->slope.descent);
    f->drag[k] = k > 0 ? f->drag[k - 1] + drag * (time - f->time[k - 1]) : 0;
    case_point(f->owner, f->curve, share, 1e3 * f->speed[k]);
    if (share < 1.2 && share > 1) {
        f->force += totals.normal_force;
        f->force_count += 1;
    }
    return true;
}

static bool add_force(mnSim *sim, void *context) {
    double *sums = context;
    if (mn_sim_time(sim) > 0.75 * REST) {
        sums[0] += mn_sim_totals(sim).normal_force;
        sums[1] += 1;
    }
    return true;
}

/* m g sin α/Σ|F_N| of the drop at rest; 0: the case has failed. */
static double expect(Case *c, const char *const *sets, double pull) {
    double sums[2] = {0};
    mnSim *sim = case_open(c, "stickslip", sets);
    if (!sim || !case_watch(c, sim, REST, add_force, sums)) return 0;
    double weight = pull * mn_sim_totals(sim).mass;
    case_close(c, sim);
    return weight * sums[1] / sums[0];
}

/* Rests, then lets μ fall to 0 from f->high times what is expected, or from 1 where that is 0. `sets` has room for five
 * more. NULL: the case has failed. */
static mnSim *run_fall(Case *c, const char **sets, int count, Fall *f) {
    f->owner = c;
    f->slope = slope_make(case_value(c, ANGLE), HEADING);
    sets[count] = case_set(c, "fluids.liquid.bodies[0].shape.radius", case_value(c, RADIUS) * SPACING);
    slope_sets(c, &f->slope, sets + count + 1);
    f->unit = expect(c, sets, GRAVITY * f->slope.sine);
    if (!(f->unit > 0)) return NULL;
    if (f->high == 0) f->high = 1 / f->unit;
    sets[count + 4] = case_set(c, "schedules[0].keys[1].value", f->high * f->unit);
    mnSim *sim = case_open(c, "stickslip", sets);
    return sim && case_watch(c, sim, END, look, f) ? sim : NULL;
}

/* The speed is v₀ + at − b∫ μ Σ|F_N|/m dt, by the law with a = g sin α and b = 1, and the drop is released where
 * μ Σ|F_N|/m = a/b. Gives that over g sin α. What it crept before is of no account. */
static double find_release(const Fall *f) {
    Fit fit = {.terms = 3};
    double found[FIT_TERMS] = {0};
    for (int i = 0; i < f->count; i++)
        if (f->share[i] <= 0.85) fit_add(&fit, (double[]){1, f->time[i], f->drag[i]}, f->speed[i]);
    fit_solve(&fit, found);
    return -found[1] / found[2] / (GRAVITY * f->slope.sine);
}

static void tell(Case *c, const char *what, const char *unit, double expected, double measured, double goal) {
    char quantity[64];
    snprintf(quantity, sizeof quantity, "%s, R = %.0f h, %.0f°", what, case_value(c, RADIUS), case_value(c, ANGLE));
    case_check(c, (Check){.quantity = quantity,
                          .unit = unit,
                          .expected = expected,
                          .measured = measured,
                          .goal = goal,
                          .judge = goal > 0 ? JUDGE_RELATIVE : JUDGE_NONE,
                          .resolution = 2 * case_value(c, RADIUS)});
}

static void slip(Case *c) {
    double angle = case_value(c, ANGLE);
    char curve[32];
    const char *sets[8] = {0};
    Fall f = {.curve = curve, .high = 1.6};
    snprintf(curve, sizeof curve, "%.0f h, %.0f°", case_value(c, RADIUS), angle);
    mnSim *sim = run_fall(c, sets, 0, &f);
    if (!sim) return;
    double mass = mn_sim_totals(sim).mass, force = f.force / f.force_count;
    double law = mass * GRAVITY * f.slope.sine / force, found = law * find_release(&f);
    tell(c, "μ at release", "", law, found, angle < 90 ? 0.05 : 0);
    case_point(c, "found", law, found);
    case_point(c, "law", law, law);
    if (angle != 40) return;
    double edge = 2 * M_PI * cap_radius(3, liquid_volume(sim), 90) * mn_sim_scene(sim)->fluids[0].tension_vapor;
    tell(c, "Σ|F_N|", "µN", 1e6 * (mass * GRAVITY * f.slope.cosine + edge), 1e6 * force, 0);
}

/* A thin liquid: the μ below which its speed stays above a twentieth of √(γ/ρR). */
static void roll(Case *c) {
    const char *sets[12] = {"fluids.liquid.density=1000", "fluids.liquid.viscosity=0.001",
                            "fluids.liquid.tension.vapor=0.072"};
    Fall f = {.curve = "water"};
    mnSim *sim = run_fall(c, sets, 3, &f);
    if (!sim) return;
    double threshold = 0.05 * sqrt(0.072 / (1000 * case_value(c, RADIUS) * SPACING));
    int last = f.count - 1;
    while (last > 0 && f.speed[last - 1] > threshold) last--;
    tell(c, "μ at which water rolls", "", f.unit, f.unit * f.share[last], 0);
}

#define CASE(radius, angle, time, is_quick)                                                                            \
    {                                                                                                                  \
        .label = "R = " #radius " h, " #angle "°", .run = slip, .values = {angle, radius}, .seconds = time,            \
        .quick = is_quick                                                                                              \
    }

static const CaseInfo cases[] = {
    CASE(6, 20, 17, false),
    CASE(6, 40, 17, true),
    CASE(6, 60, 17, false),
    CASE(8, 20, 35, false),
    CASE(8, 40, 35, false),
    CASE(8, 60, 35, false),
    CASE(10, 20, 70, false),
    CASE(10, 40, 70, false),
    CASE(10, 60, 70, false),
    CASE(8, 90, 35, false),
    {.label = "water, R = 8 h, 40°", .run = roll, .values = {40, 8}, .seconds = 40},
};

#define SPEED(radius, angle)                                                                                           \
    { radius " h, " angle "°", "R = " radius " h, " angle "°", CURVE_LINE }

const Benchmark benchmark_stickslip = {
    .name = "stickslip",
    .title = "Sticking and slipping",
    .law = "μ Σ|F_N| = m g sin α",
    .cases = cases,
    .case_count = sizeof cases / sizeof cases[0],
    .plots = {{.name = "release",
               .title = "Friction at which drops of three sizes are released from three slopes",
               .x = "m g sin α/Σ|F_N|",
               .y = "μ at release",
               .curves = {{"law", "law", CURVE_LAW}, {"found", "found", CURVE_POINTS}}},
              {.name = "speed",
               .title = "Speed of the drops while the friction falls",
               .x = "μ Σ|F_N|/(m g sin α), Σ|F_N| at rest",
               .y = "speed, mm/s",
               .curves = {SPEED("6", "20"), SPEED("6", "40"), SPEED("6", "60"), SPEED("8", "20"), SPEED("8", "40"),
                          SPEED("8", "60"), SPEED("10", "20"), SPEED("10", "40"), SPEED("10", "60")}}},
};
