/* The friction at which drops on slopes are released: stickslip.md. */
#include <math.h>
#include <stdio.h>

#include "fit.h"
#include "walls.h"

enum { ANGLE, RADIUS }; /* of the table of cases: degrees, h */
enum { READINGS_MAX = 2000 };

static const double HEADING = 37, SPACING = 0.00025;
static const double REST = 0.04, START = 0.05, END = 0.2; /* s: μ = 1; falls from HIGH to LOW */
static const double HIGH = 1.6, LOW = 0.4;                /* times the μ that the law expects */

/* What is seen while μ falls: its share of the μ that the law expects. */
typedef struct Fall {
    Case *owner;
    const double *descent;
    char curve[32];
    int count;
    double share[READINGS_MAX], speed[READINGS_MAX];
    double force, force_count; /* Σ|F_N| of the walls, just before the law's release */
} Fall;

static double share_at(double time) {
    return HIGH + (LOW - HIGH) * (time - START) / (END - START);
}

static bool look(mnSim *sim, void *context) {
    Fall *f = context;
    double time = mn_sim_time(sim), share = share_at(time);
    case_progress(f->owner, (REST + time) / (REST + END));
    if (time < START || f->count == READINGS_MAX) return true;
    f->share[f->count] = share;
    f->speed[f->count++] = speed_along(sim, f->descent);
    case_point(f->owner, f->curve, share, 1e3 * f->speed[f->count - 1]);
    if (share < 1.2 && share > 1) {
        f->force += mn_sim_totals(sim).normal_force;
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

/* The μ that the law expects from the drop at rest: it says where to look. 0: the case has failed. */
static double expect(Case *c, const char *const *sets, double pull) {
    double sums[2] = {0};
    mnSim *sim = case_open(c, "stickslip", sets);
    if (!sim || !case_watch(c, sim, REST, add_force, sums)) return 0;
    double weight = pull * mn_sim_totals(sim).mass;
    case_close(c, sim);
    return weight * sums[1] / sums[0];
}

/* The drop accelerates at g sin α − μ|F_N|/m, so while μ falls evenly its speed is a parabola and the release the
 * vertex. What it crept before is of no account. */
static double release(const Fall *f) {
    int first = 0;
    while (first < f->count && f->share[first] > 0.85) first++;
    return fit_vertex(f->count - first, f->share + first, f->speed + first);
}

static void fall(Case *c) {
    double angle = case_value(c, ANGLE), radius = case_value(c, RADIUS) * SPACING, gravity = 9.81;
    Slope slope = slope_make(angle, HEADING);
    const char *sets[8] = {case_set(c, "fluids.glycerol.bodies[0].shape.radius", radius)};
    slope_sets(c, &slope, sets + 1);
    double unit = expect(c, sets, gravity * slope.sine);
    if (!(unit > 0)) return;
    sets[4] = case_set(c, "schedules[0].keys[1].value", HIGH * unit);
    sets[5] = case_set(c, "schedules[0].keys[2].value", LOW * unit);
    mnSim *sim = case_open(c, "stickslip", sets);
    if (!sim) return;
    Fall f = {.owner = c, .descent = slope.descent};
    snprintf(f.curve, sizeof f.curve, "%.0f h, %.0f°", case_value(c, RADIUS), angle);
    if (!case_watch(c, sim, END, look, &f)) return;
    double mass = mn_sim_totals(sim).mass, force = f.force / f.force_count, law = mass * gravity * slope.sine / force;
    double found = unit * release(&f);
    char quantity[64];
    snprintf(quantity, sizeof quantity, "μ at release, R = %.0f h, %.0f°", case_value(c, RADIUS), angle);
    case_check(c, (Check){.quantity = quantity,
                          .unit = "",
                          .expected = law,
                          .measured = found,
                          .goal = 0.05,
                          .judge = angle < 90 ? JUDGE_RELATIVE : JUDGE_NONE,
                          .resolution = 2 * case_value(c, RADIUS)});
    case_point(c, "found", law, found);
    case_point(c, "law", law, law);
    if (angle != 40) return;
    double base = cap_radius(3, liquid_volume(sim), 90);
    snprintf(quantity, sizeof quantity, "Σ|F_N|, R = %.0f h, %.0f°", case_value(c, RADIUS), angle);
    case_check(c, (Check){.quantity = quantity,
                          .unit = "µN",
                          .expected = 1e6 * (mass * gravity * slope.cosine +
                                             2 * M_PI * base * mn_sim_scene(sim)->fluids[0].tension_vapor),
                          .measured = 1e6 * force,
                          .judge = JUDGE_NONE,
                          .resolution = 2 * case_value(c, RADIUS)});
}

#define CASE(radius, angle, time, is_quick)                                                                            \
    {                                                                                                                  \
        .label = "R = " #radius " h, " #angle "°", .run = fall, .values = {angle, radius}, .seconds = time,            \
        .quick = is_quick                                                                                              \
    }

static const CaseInfo cases[] = {
    CASE(6, 20, 14, false),  CASE(6, 40, 14, true),  CASE(6, 60, 14, false),  CASE(8, 20, 30, false),
    CASE(8, 40, 30, false),  CASE(8, 60, 30, false), CASE(10, 20, 60, false), CASE(10, 40, 60, false),
    CASE(10, 60, 60, false), CASE(8, 90, 30, false),
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
