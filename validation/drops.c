#include "drops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fit.h"
#include "sim.h"

static const double PI = 3.14159265358979323846;

const Liquid liquids[] = {
    [WATER] = {"water", 1000, 0.072},
    [MERCURY] = {"mercury", 13534, 0.485},
    [GLYCEROL] = {"glycerol", 1260, 0.063},
    [ETHANOL] = {"ethanol", 789, 0.0223},
};

static const double damping = 0.13; /* μ/√(ργh): rests soon, yet moves enough to find its packing */
static const double settling[] = {160, 60}, averaging[] = {64, 16}; /* √(ρh³/γ), in 2D and 3D */

/* ---- a drop ------------------------------------------------------------------------------------------------------ */

static bool is_3d(const mnSim *sim) {
    return mn_sim_scene(sim)->dimension == 3;
}

/* A ball, or a box of whole particles whose area is the disc's, as near to a square as can be. */
static int shape_sets(Case *c, const Drop *drop, const char **sets) {
    double area = PI * drop->ratio * drop->ratio, width = floor(sqrt(area));
    if (!drop->is_kneaded) {
        sets[0] = case_set(c, "fluids.liquid.bodies[0].shape.radius", drop->ratio * drop->spacing);
        return 1;
    }
    sets[0] = case_set(c, "fluids.liquid.bodies[0].shape.size[0]", width * drop->spacing);
    sets[1] = case_set(c, "fluids.liquid.bodies[0].shape.size[1]", round(area / width) * drop->spacing);
    return 2;
}

mnSim *drop_open(Case *c, const Drop *drop, int seed) {
    enum { COMMON = 6, SETS = 18 };
    const Liquid *liquid = &liquids[drop->liquid];
    double viscosity = drop->laplace > 0 ? sqrt(2 * drop->ratio / drop->laplace) : damping;
    const char *sets[SETS + 1] = {
        case_set(c, "dimension", drop->dimension),
        case_set(c, "spacing", drop->spacing),
        case_set(c, "fluids.liquid.density", liquid->density),
        case_set(c, "fluids.liquid.tension.vapor", liquid->tension),
        case_set(c, "fluids.liquid.viscosity", viscosity * sqrt(liquid->density * liquid->tension * drop->spacing)),
        case_set(c, "seed", seed),
    };
    int count = COMMON + shape_sets(c, drop, sets + COMMON);
    for (int k = 0; drop->sets && drop->sets[k] && count < SETS; k++) sets[count++] = drop->sets[k];
    return case_open(c, drop->is_kneaded ? "block" : "drop", sets);
}

int drop_seeds(const Drop *drop) {
    return drop->dimension == 2 && drop->ratio <= 20 ? SEEDS_2D : 1;
}

void drop_check(Case *c, const mnSim *sim, const char *what, Check check) {
    char quantity[200];
    snprintf(quantity, sizeof quantity, "%s, %s", what, case_label(c));
    check.quantity = quantity;
    check.resolution = 2 * drop_radius(sim) / mn_sim_scene(sim)->spacing;
    case_check(c, check);
}

/* √(ρL³/γ) */
static double capillary_time(const mnSim *sim, double length) {
    const mnFluid *fluid = mn_sim_scene(sim)->fluids;
    return sqrt(fluid->density * length * length * length / fluid->tension_vapor);
}

/* The time in which single particles move. With the paper's rest areas tension moves them like an eighth of it. */
static double particle_time(const mnSim *sim) {
    const mnSceneDesc *scene = mn_sim_scene(sim);
    return capillary_time(sim, scene->spacing) * sqrt(scene->solver.paper_rest_areas ? 8 : 1);
}

bool drop_relax(Case *c, mnSim *sim, double times) {
    return case_run(c, sim, times * settling[is_3d(sim)] * particle_time(sim));
}

/* The slowest swing of a disc, n = 2, dies down as exp(−4μt/ρR²) [Lamb 1932]; what is left is a fiftieth. Nothing is
 * read off a ball meanwhile, so its steps may be as long as the capillary limit. */
bool drop_rest(Case *c, mnSim *sim, const Drop *drop) {
    double *ratio = &((mnSceneDesc *)sim->scene)->time.capillary_ratio, asked = *ratio;
    double times = drop->is_kneaded ? drop->ratio * drop->ratio / damping / settling[0]
                   : is_3d(sim)     ? 200 / settling[1]
                                    : 1;
    if (is_3d(sim)) *ratio = fmax(asked, 1);
    bool fine = drop_relax(c, sim, times);
    *ratio = asked;
    return fine;
}

/* ---- laws -------------------------------------------------------------------------------------------------------- */

double drop_radius(const mnSim *sim) {
    double h = mn_sim_scene(sim)->spacing, count = (double)mn_sim_particles(sim).count;
    return is_3d(sim) ? h * cbrt(3 * count / (4 * PI)) : h * sqrt(count / PI);
}

double drop_time(const mnSim *sim) {
    return capillary_time(sim, 2 * drop_radius(sim));
}

double drop_laplace(const mnSim *sim) {
    return (is_3d(sim) ? 2 : 1) * mn_sim_scene(sim)->fluids->tension_vapor / drop_radius(sim);
}

double drop_period(const mnSim *sim) {
    return 2 * PI * capillary_time(sim, drop_radius(sim)) / sqrt(is_3d(sim) ? 8 : 6);
}

/* ---- what is seen at one instant --------------------------------------------------------------------------------- */

typedef struct Place {
    double x, y, z;
} Place;

static Place from(Place centre, mnVec x) {
    return (Place){(double)x.x - centre.x, (double)x.y - centre.y, (double)x.z - centre.z};
}

static Place centre_of(mnParticles p) {
    Place sum = {0};
    for (int64_t i = 0; i < p.count; i++) {
        sum.x += (double)p.position[i].x;
        sum.y += (double)p.position[i].y;
        sum.z += (double)p.position[i].z;
    }
    double count = (double)p.count;
    return (Place){sum.x / count, sum.y / count, sum.z / count};
}

double drop_speed(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    double largest = 0;
    for (int64_t i = 0; i < p.count; i++) {
        Place v = from((Place){0}, p.velocity[i]);
        largest = fmax(largest, v.x * v.x + v.y * v.y + v.z * v.z);
    }
    return sqrt(largest);
}

/* How long the drop is along x, 0 for a ball: (⟨x²⟩ − ⟨y²⟩)/(⟨x²⟩ + ⟨y²⟩), ⟨y²⟩ being the mean across. */
static double elongation(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    Place centre = centre_of(p);
    double along = 0, across = 0, axes = is_3d(sim) ? 2 : 1;
    for (int64_t i = 0; i < p.count; i++) {
        Place d = from(centre, p.position[i]);
        along += d.x * d.x;
        across += (d.y * d.y + d.z * d.z) / axes;
    }
    return (along - across) / (along + across);
}

/* ---- pressure ---------------------------------------------------------------------------------------------------- */

typedef struct Sums {
    double count, sum, squares;
} Sums;

static void add(Sums *sums, double value) {
    sums->count++;
    sums->sum += value;
    sums->squares += value * value;
}

/* Standard deviation over mean. */
static double spread_of(Sums sums) {
    double mean = sums.sum / sums.count;
    return sqrt(fmax(sums.squares / sums.count - mean * mean, 0)) / mean;
}

typedef struct PressureWatch {
    Sums core, all, spread; /* of what is found at each instant */
    double *sum;            /* Pa, per particle by id, over the instants in which it was in the core */
    int *inside;            /* how many these were */
} PressureWatch;

static bool look_at_pressure(mnSim *sim, void *context) {
    PressureWatch *watch = context;
    mnParticles p = mn_sim_particles(sim);
    Place centre = centre_of(p);
    double reach = drop_radius(sim) - 4 * mn_sim_scene(sim)->spacing;
    Sums core = {0}, all = {0};
    for (int64_t i = 0; i < p.count; i++) {
        double pressure = (double)p.pressure[i];
        Place d = from(centre, p.position[i]);
        add(&all, pressure);
        if (reach < 0 || d.x * d.x + d.y * d.y + d.z * d.z > reach * reach) continue;
        add(&core, pressure);
        watch->sum[p.id[i]] += pressure;
        watch->inside[p.id[i]]++;
    }
    add(&watch->core, core.sum / core.count);
    add(&watch->all, all.sum / all.count);
    add(&watch->spread, spread_of(core));
    return true;
}

static double slow_spread(const PressureWatch *watch, int64_t count) {
    Sums sums = {0};
    for (int64_t id = 0; id < count; id++)
        if (watch->inside[id] > 0) add(&sums, watch->sum[id] / watch->inside[id]);
    return spread_of(sums);
}

bool drop_pressure(Case *c, mnSim *sim, DropPressure *pressure) {
    double end = mn_sim_time(sim) + averaging[is_3d(sim)] * particle_time(sim);
    int64_t count = mn_sim_particles(sim).count;
    PressureWatch watch = {.sum = calloc((size_t)count, sizeof(double)), .inside = calloc((size_t)count, sizeof(int))};
    bool fine = watch.sum && watch.inside;
    if (!fine) case_fail(c, "core pressure", "no memory for %lld particles", (long long)count);
    fine = fine && case_watch(c, sim, end, look_at_pressure, &watch);
    if (fine)
        *pressure = (DropPressure){.core = watch.core.sum / watch.core.count,
                                   .all = watch.all.sum / watch.all.count,
                                   .spread = watch.spread.sum / watch.spread.count,
                                   .slow_spread = slow_spread(&watch, count)};
    free(watch.sum);
    free(watch.inside);
    return fine;
}

/* ---- oscillation ------------------------------------------------------------------------------------------------- */

/* μ/√(ργR) of discs that swing. Without any viscosity the motion of single particles, which in 2D have no way past each
 * other, never dies down, and their surface pulls 3 to 5 % less. This much takes 5 % off the amplitude of a swing. */
static const double ohnesorge_2d = 0.005;

enum { SAMPLES_MAX = 2048, SAMPLES_PER_PERIOD = 200 };
static const double strain = 0.06; /* the period grows by 0.4 of its square */

typedef struct Samples {
    int count;
    double start, unit;                           /* s; the law's period */
    double time[SAMPLES_MAX], value[SAMPLES_MAX]; /* in units; elongation */
} Samples;

typedef struct Swing {
    double frequency, damping; /* per unit */
    double misfit;             /* sum of squares that is left */
} Swing;

/* The amplitudes of a damped cosine and sine follow from linear least squares. */
static Swing swing_at(const Samples *s, double frequency, double damping_rate) {
    Fit fit = {.terms = 2};
    double amplitudes[FIT_TERMS];
    for (int i = 0; i < s->count; i++) {
        double envelope = exp(-damping_rate * s->time[i]), angle = 2 * PI * frequency * s->time[i];
        fit_add(&fit, (double[]){envelope * cos(angle), envelope * sin(angle)}, s->value[i]);
    }
    return (Swing){frequency, damping_rate, fit_solve(&fit, amplitudes)};
}

/* A grid over frequency and damping that closes in on the best. The misfit of a period or two is smooth, so the first
 * grid cannot miss its valley; it holds tensions from a twentieth to twice of what was asked for. */
static Swing swing_best(const Samples *s) {
    enum { ROUNDS = 7, FREQUENCIES = 12, DAMPINGS = 8 };
    Swing best = {0.82, 1.3, INFINITY};
    double reach = 1;
    for (int round = 0; round < ROUNDS; round++) {
        Swing middle = best;
        for (int i = -FREQUENCIES; i <= FREQUENCIES; i++)
            for (int j = -DAMPINGS; j <= DAMPINGS; j++) {
                Swing swing = swing_at(s, middle.frequency + 0.6 * reach * i / FREQUENCIES,
                                       middle.damping + 1.5 * reach * j / DAMPINGS);
                if (swing.misfit < best.misfit) best = swing;
            }
        reach /= 4;
    }
    return best;
}

/* Stretches a drop along x at constant volume and brings it to a halt; from now on it has next to no viscosity. */
static void release(mnSim *sim) {
    mnFluidState *particles = &sim->world.fluid;
    mn_run_look(&sim->world, NULL, NULL);
    mnReal along = (mnReal)(1 + strain), across = (mnReal)(is_3d(sim) ? 1 / sqrt(1 + strain) : 1 / (1 + strain));
    for (int64_t i = 0; i < particles->count; i++) {
        particles->position[i].x *= along;
        particles->position[i].y *= across;
        particles->position[i].z *= across;
        particles->velocity[i] = mn_vec(0, 0, 0, 0);
    }
    mn_run_fluid_changed(&sim->world);
    mnFluid *fluid = (mnFluid *)sim->scene->fluids;
    fluid->viscosity = is_3d(sim) ? 0 : ohnesorge_2d * sqrt(fluid->density * fluid->tension_vapor * drop_radius(sim));
}

static bool look_at_elongation(mnSim *sim, void *context) {
    Samples *s = context;
    double time = (mn_sim_time(sim) - s->start) / s->unit;
    if (s->count == SAMPLES_MAX || time * SAMPLES_PER_PERIOD < s->count) return true;
    s->time[s->count] = time;
    s->value[s->count++] = elongation(sim);
    return true;
}

bool drop_oscillate(Case *c, mnSim *sim, double periods, const char *curve, Oscillation *found) {
    Samples s = {.start = mn_sim_time(sim), .unit = drop_period(sim)};
    release(sim);
    look_at_elongation(sim, &s);
    if (!case_watch(c, sim, s.start + periods * s.unit, look_at_elongation, &s)) return false;
    for (int i = 0; curve && i < s.count; i++) case_point(c, curve, s.time[i], s.value[i] / s.value[0]);
    Swing best = swing_best(&s);
    *found = (Oscillation){.period = s.unit / best.frequency, .kept = exp(-best.damping / best.frequency)};
    return true;
}
