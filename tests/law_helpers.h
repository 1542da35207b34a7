/* Drops, and what is read off them, for the tests of laws. Lengths in metres, everything through the public API but for
 * stretching a drop, which no scene can ask for. */
#ifndef MN_TEST_LAW_HELPERS_H
#define MN_TEST_LAW_HELPERS_H

#include "sim_helpers.h"

enum { LAW_SAMPLES = 4096 };

typedef struct Liquid {
    double density, tension;
} Liquid;

static const Liquid WATER = {1000, 0.072}, MERCURY = {13534, 0.485};

/* Says what was found beside what the law says. */
static inline void assert_law(const char *what, double found, double law, double tolerance) {
    print_message("%s: %.4g, by the law %.4g, allowed are %.2g more or less\n", what, found, law, tolerance);
    assert_near(found, law, tolerance);
}

/* A ball (disc) of R spacings, damped enough to come to rest within about a period. */
static inline mnSim *drop_create(int dimension, double radius_in_spacings, double spacing, Liquid liquid,
                                 mnPreset preset, double ohnesorge, double capillary_ratio) {
    double radius = radius_in_spacings * spacing;
    mnBody body = {.shape = mn_default_shape(MN_SHAPE_SPHERE)};
    body.shape.radius = radius;
    mnFluid fluid = mn_default_fluid();
    fluid.density = liquid.density;
    fluid.tension_vapor = liquid.tension;
    fluid.viscosity = ohnesorge * sqrt(liquid.density * liquid.tension * radius);
    fluid.bodies = &body;
    fluid.body_count = 1;
    mnSceneDesc scene = mn_default_scene();
    scene.dimension = dimension;
    scene.spacing = spacing;
    memset(scene.gravity, 0, sizeof scene.gravity);
    scene.solver = mn_default_solver(preset);
    scene.fluids = &fluid;
    scene.fluid_count = 1;
    scene.time.adaptive = false;
    scene.time.step = capillary_ratio * sqrt(liquid.density * spacing * spacing * spacing / (2 * PI * liquid.tension));
    return scene_create(&scene, 1);
}

static inline void run_until(mnSim *sim, double time) {
    mnError error = {0};
    while (mn_sim_time(sim) < time)
        if (mn_sim_step(sim, INFINITY, NULL, &error) != MN_OK) fail_msg("%s", error.text);
}

/* The radius of a drop of this many particles. */
static inline double drop_radius(const mnSim *sim) {
    double h = mn_sim_scene(sim)->spacing, count = (double)mn_sim_particles(sim).count;
    return mn_sim_scene(sim)->dimension == 3 ? h * cbrt(3 * count / (4 * PI)) : h * sqrt(count / PI);
}

/* Period of the n = 2 mode: ω² = 8γ/(ρR³) in 3D [Rayleigh], 6γ/(ρR³) in 2D. */
static inline double drop_period(const mnSim *sim) {
    const mnFluid *fluid = mn_sim_scene(sim)->fluids;
    double r = drop_radius(sim), factor = mn_sim_scene(sim)->dimension == 3 ? 8 : 6;
    return 2 * PI * sqrt(fluid->density * r * r * r / (factor * fluid->tension_vapor));
}

/* Mean pressure deeper than 4h under the surface. */
static inline double core_pressure(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    mnTotals totals = mn_sim_totals(sim);
    double reach = drop_radius(sim) - 4 * mn_sim_scene(sim)->spacing, sum = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < p.count; i++) {
        double x = (double)p.position[i].x - totals.centre[0], y = (double)p.position[i].y - totals.centre[1],
               z = (double)p.position[i].z - totals.centre[2];
        if (x * x + y * y + z * z > reach * reach) continue;
        sum += (double)p.pressure[i];
        count++;
    }
    return sum / (double)count;
}

/* Stretches a drop along x by 1 + strain at constant volume and brings it to a halt. */
static inline void drop_stretch(mnSim *sim, double strain) {
    mnFluidState *fluid = &sim->world.fluid;
    bool is_3d = sim->scene->dimension == 3;
    mnReal along = (mnReal)(1 + strain), across = (mnReal)(is_3d ? 1 / sqrt(1 + strain) : 1 / (1 + strain));
    for (int64_t i = 0; i < fluid->count; i++) {
        fluid->position[i].x *= along;
        fluid->position[i].y *= across;
        fluid->position[i].z *= across;
        fluid->velocity[i] = mn_vec(0, 0, 0, 0);
    }
}

/* How long the drop is along x, 0 for a ball: (⟨x²⟩ − ⟨y²⟩)/(⟨x²⟩ + ⟨y²⟩), ⟨y²⟩ being the mean across. */
static inline double elongation(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    mnTotals totals = mn_sim_totals(sim);
    double along = 0, across = 0, axes = mn_sim_scene(sim)->dimension == 3 ? 2 : 1;
    for (int64_t i = 0; i < p.count; i++) {
        double x = (double)p.position[i].x - totals.centre[0], y = (double)p.position[i].y - totals.centre[1],
               z = (double)p.position[i].z - totals.centre[2];
        along += x * x;
        across += (y * y + z * z) / axes;
    }
    return (along - across) / (along + across);
}

/* The period of the damped cosine that fits the samples best, in units of `unit` seconds, searched from 0.7 to 1.4.
 * For each period and damping the amplitudes follow from linear least squares. */
static inline double fit_period(const double *time, const double *value, int count, double unit) {
    double best = INFINITY, best_period = 0;
    int stride = count > 400 ? count / 400 : 1;
    for (double period = 0.7; period < 1.4; period += 0.001)
        for (double damping = 0; damping < 2; damping += 0.05) {
            double cc = 0, cs = 0, ss = 0, vc = 0, vs = 0, vv = 0;
            for (int i = 0; i < count; i += stride) {
                double t = time[i] / unit, e = exp(-damping * t);
                double c = e * cos(2 * PI * t / period), s = e * sin(2 * PI * t / period);
                cc += c * c, cs += c * s, ss += s * s;
                vc += value[i] * c, vs += value[i] * s, vv += value[i] * value[i];
            }
            double d = cc * ss - cs * cs;
            double misfit = vv - ((vc * ss - vs * cs) * vc + (vs * cc - vc * cs) * vs) / d;
            if (misfit < best) {
                best = misfit;
                best_period = period;
            }
        }
    return best_period;
}

/* Stretches a settled drop by 10 %, sets it free without viscosity, and returns its period over the law's. */
static inline double oscillation_period(mnSim *sim, double periods) {
    static double time[LAW_SAMPLES], value[LAW_SAMPLES];
    mnError error = {0};
    double law = drop_period(sim), start = mn_sim_time(sim);
    int count = 0;
    ((mnFluid *)sim->scene->fluids)->viscosity = 0;
    drop_stretch(sim, 0.1);
    while (mn_sim_time(sim) < start + periods * law && count < LAW_SAMPLES) {
        if (mn_sim_step(sim, INFINITY, NULL, &error) != MN_OK) fail_msg("%s", error.text);
        time[count] = mn_sim_time(sim) - start;
        value[count++] = elongation(sim);
    }
    return fit_period(time, value, count, law);
}

#endif
