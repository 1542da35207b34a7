#include "drops.h"

#include <math.h>
#include <stdlib.h>

#include "sim.h"

static const double PI = 3.14159265358979323846;

const Liquid liquids[] = {
    [WATER] = {"water", 1000, 0.072},
    [MERCURY] = {"mercury", 13534, 0.485},
    [GLYCEROL] = {"glycerol", 1260, 0.063},
    [ETHANOL] = {"ethanol", 789, 0.0223},
};

enum { SETS = 16 };

mnSim *drop_open(Case *c, const Drop *drop) {
    const Liquid *liquid = &liquids[drop->liquid];
    double radius = drop->ratio * drop->spacing;
    const char *sets[SETS] = {
        case_set(c, "dimension", drop->dimension),
        case_set(c, "spacing", drop->spacing),
        case_set(c, "fluids.water.bodies[0].shape.radius", radius),
        case_set(c, "fluids.water.density", liquid->density),
        case_set(c, "fluids.water.tension.vapor", liquid->tension),
        case_set(c, "fluids.water.viscosity", drop->ohnesorge * sqrt(liquid->density * liquid->tension * radius)),
    };
    int count = 6;
    for (const char *const *set = drop->sets; set && *set && count < SETS - 1; set++) sets[count++] = *set;
    return case_open(c, "drop", sets);
}

/* ---- laws -------------------------------------------------------------------------------------------------------- */

static bool is_3d(const mnSim *sim) {
    return mn_sim_scene(sim)->dimension == 3;
}

double drop_radius(const mnSim *sim) {
    double h = mn_sim_scene(sim)->spacing, count = (double)mn_sim_particles(sim).count;
    return is_3d(sim) ? h * cbrt(3 * count / (4 * PI)) : h * sqrt(count / PI);
}

double drop_time(const mnSim *sim) {
    const mnFluid *fluid = mn_sim_scene(sim)->fluids;
    return sqrt(fluid->density * pow(drop_radius(sim), 3) / fluid->tension_vapor);
}

double drop_laplace(const mnSim *sim) {
    return (is_3d(sim) ? 2 : 1) * mn_sim_scene(sim)->fluids->tension_vapor / drop_radius(sim);
}

double drop_period(const mnSim *sim) {
    return 2 * PI * drop_time(sim) / sqrt(is_3d(sim) ? 8 : 6);
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
    for (int64_t i = 0; i < p.count; i++) sum = from((Place){-sum.x, -sum.y, -sum.z}, p.position[i]);
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

bool drop_pressure(Case *c, mnSim *sim, double duration, DropPressure *pressure) {
    int64_t count = mn_sim_particles(sim).count;
    PressureWatch watch = {.sum = calloc((size_t)count, sizeof(double)), .inside = calloc((size_t)count, sizeof(int))};
    bool fine = watch.sum && watch.inside;
    if (!fine) case_fail(c, "core pressure", "no memory for %lld particles", (long long)count);
    fine = fine && case_watch(c, sim, mn_sim_time(sim) + duration, look_at_pressure, &watch);
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

/* Sums of squares of a damped cosine and sine, which is what linear least squares needs. */
typedef struct Fit {
    double frequency, damping; /* per unit of time */
    double cosine, misfit;     /* amplitude at t = 0; sum of squares that is left */
} Fit;

typedef struct Samples {
    int count, capacity;
    double interval, start, *time, *value;
} Samples;

static Fit fit_at(const Samples *s, double frequency, double damping) {
    double cc = 0, cs = 0, ss = 0, vc = 0, vs = 0, vv = 0;
    for (int i = 0; i < s->count; i++) {
        double envelope = exp(-damping * s->time[i]), angle = 2 * PI * frequency * s->time[i];
        double cosine = envelope * cos(angle), sine = envelope * sin(angle);
        cc += cosine * cosine, cs += cosine * sine, ss += sine * sine;
        vc += s->value[i] * cosine, vs += s->value[i] * sine, vv += s->value[i] * s->value[i];
    }
    double determinant = cc * ss - cs * cs;
    double a = (vc * ss - vs * cs) / determinant, b = (vs * cc - vc * cs) / determinant;
    return (Fit){frequency, damping, a, vv - a * vc - b * vs};
}

/* A grid over frequency and damping that closes in on the best. The misfit of a period or two is smooth, so that the
 * first grid cannot miss its valley; its range holds tensions from a twentieth to twice of what was asked for. */
static Fit fit_best(const Samples *s) {
    Fit best = {0.8, 1.2, 0, INFINITY};
    double frequency_reach = 0.6, damping_reach = 1.5;
    for (int round = 0; round < 7; round++) {
        Fit middle = best;
        for (int i = -12; i <= 12; i++)
            for (int j = -8; j <= 8; j++) {
                Fit fit = fit_at(s, middle.frequency + frequency_reach * i / 12, middle.damping + damping_reach * j / 8);
                if (fit.misfit < best.misfit) best = fit;
            }
        frequency_reach *= 0.25;
        damping_reach *= 0.25;
    }
    return best;
}

/* Stretches a drop along x at constant volume and brings it to a halt; from now on it has no viscosity. */
static void release(mnSim *sim, double strain) {
    mnFluidState *fluid = &sim->world.fluid;
    mnReal along = (mnReal)(1 + strain), across = (mnReal)(is_3d(sim) ? 1 / sqrt(1 + strain) : 1 / (1 + strain));
    for (int64_t i = 0; i < fluid->count; i++) {
        fluid->position[i].x *= along;
        fluid->position[i].y *= across;
        fluid->position[i].z *= across;
        fluid->velocity[i] = mn_vec(0, 0, 0, 0);
    }
    ((mnFluid *)sim->scene->fluids)->viscosity = 0;
}

static bool look_at_elongation(mnSim *sim, void *context) {
    Samples *s = context;
    double time = mn_sim_time(sim) - s->start;
    if (time < s->count * s->interval || s->count == s->capacity) return true;
    s->time[s->count] = time;
    s->value[s->count++] = elongation(sim);
    return true;
}

static const double STRAIN = 0.1;

bool drop_oscillate(Case *c, mnSim *sim, double periods, const char *curve, Oscillation *found) {
    enum { PER_PERIOD = 200, SAMPLES_MAX = 2048 };
    double law = drop_period(sim), time[SAMPLES_MAX], value[SAMPLES_MAX];
    Samples samples = {.capacity = SAMPLES_MAX, .interval = law / PER_PERIOD, .start = mn_sim_time(sim), .time = time, .value = value};
    release(sim, STRAIN);
    if (!case_watch(c, sim, samples.start + periods * law, look_at_elongation, &samples)) return false;
    for (int i = 0; i < samples.count; i++) {
        time[i] /= law;
        if (curve) case_point(c, curve, time[i], value[i]);
    }
    Fit fit = fit_best(&samples);
    *found = (Oscillation){.period = law / fit.frequency, .kept = exp(-fit.damping / fit.frequency)};
    return true;
}
