/* Small simulations whose particles a test places itself, and what the tests of the core share. */
#ifndef MN_TEST_SIM_HELPERS_H
#define MN_TEST_SIM_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/friction.h"
#include "run/passes.h"
#include "sim.h"

/* In double, which cmocka's own comparison is not; says what was found. */
#define assert_near(value, expected, tolerance)                                                                        \
    do {                                                                                                               \
        double found_ = (double)(value), wanted_ = (double)(expected), allowed_ = (double)(tolerance);                 \
        if (!(fabs(found_ - wanted_) <= allowed_))                                                                     \
            fail_msg("%s is %.17g, not %.17g within %.3g", #value, found_, wanted_, allowed_);                         \
    } while (0)

/* Makes ready for mn_own_pressure_force and mn_own_gradient what passes would have left, from the pressures, predicted
 * velocities and weights that are there. */
static inline void prepare_sums(mnWorld *world) {
    mnFluidState *fluid = &world->fluid;
    mn_run(world, MN_PASS_find_slopes);
    mn_run(world, MN_PASS_push);
    for (int64_t i = 0; i < fluid->count; i++) {
        fluid->site[i].w = fluid->weights[i].x;
        fluid->flow[i] = mn_scale(fluid->position[i].w, fluid->predicted[i]);
        fluid->flow[i].w = fluid->weights[i].y;
    }
}

/* F^ST as an update makes it, taken whole, of the predicted velocities, weights and sums that are there and with no
 * F^ST before. It lies where positions ahead were. */
static inline const mnVec *update_tension(mnWorld *world) {
    mnTurn before = world->turn;
    world->turn.parts = MN_PART_TENSION;
    world->turn.is_tension_old = true;
    mn_pass_update(world, NULL);
    world->turn = before;
    return world->fluid.MN_NEXT_TENSION;
}

/* What the diagonals have found of the walls around particle i. */
static inline mnContact contact_of(const mnWorld *world, int64_t i) {
    const mnContactState *contacts = &world->neighbours.contacts;
    mnContact found = {.friction = world->fluid.mu[i]};
    if (world->fluid.contact[i] >= 0) {
        found.normal = contacts->normal[world->fluid.contact[i]];
        found.slide = contacts->slide[world->fluid.contact[i]];
    }
    return found;
}

static const double PI = 3.14159265358979323846;

static inline double uniform(uint64_t *state, double low, double high) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

/* The cubic spline in its classic two pieces, apart from the library's own form: W(r), W'(r) and W''(r) for a support.
 */
static inline double classic_sigma(int dimension, double support) {
    return dimension == 3 ? 8 / (PI * support * support * support) : 40 / (7 * PI * support * support);
}

static inline double classic_value(int dimension, double support, double r) {
    double q = r / support, sigma = classic_sigma(dimension, support);
    if (q >= 1) return 0;
    return q <= 0.5 ? sigma * (6 * (q * q * q - q * q) + 1) : sigma * 2 * (1 - q) * (1 - q) * (1 - q);
}

static inline double classic_slope(int dimension, double support, double r) {
    double q = r / support, sigma = classic_sigma(dimension, support);
    if (q >= 1) return 0;
    return q <= 0.5 ? sigma / support * (18 * q * q - 12 * q) : -sigma / support * 6 * (1 - q) * (1 - q);
}

static inline double classic_curvature(int dimension, double support, double r) {
    double q = r / support, unit = classic_sigma(dimension, support) / (support * support);
    if (q >= 1) return 0;
    return q <= 0.5 ? unit * (36 * q - 12) : unit * 12 * (1 - q);
}

/* A scene whose materials lie beside it; never copy one, the description points into it. */
typedef struct Setup {
    mnSceneDesc desc;
    mnFluid fluids[3];
    mnSolid solids[2];
} Setup;

/* Water without viscosity and gravity, walls with a contact angle of 90°. */
static inline void setup_begin(Setup *setup, int dimension, double spacing, int fluid_count, int solid_count) {
    *setup = (Setup){.desc = mn_default_scene()};
    for (int f = 0; f < 3; f++) {
        setup->fluids[f] = mn_default_fluid();
        setup->fluids[f].viscosity = 0;
    }
    for (int s = 0; s < 2; s++) setup->solids[s] = mn_default_solid();
    setup->desc.dimension = dimension;
    setup->desc.spacing = spacing;
    setup->desc.fluids = setup->fluids;
    setup->desc.fluid_count = fluid_count;
    setup->desc.solids = setup->solids;
    setup->desc.solid_count = solid_count;
    memset(setup->desc.gravity, 0, sizeof setup->desc.gravity);
}

/* A drop that sits on a tilted wall with friction, so that all three unknowns are at work. */
static inline void drop_begin(Setup *setup, mnBody *body, double h) {
    setup_begin(setup, 3, h, 1, 1);
    *body = (mnBody){.shape = mn_default_shape(MN_SHAPE_SPHERE)};
    body->shape.radius = 4 * h;
    body->shape.translation[2] = 2.5 * h;
    body->velocity[0] = 0.05;
    setup->desc.gravity[0] = 4.9;
    setup->desc.gravity[2] = -8.5;
    setup->fluids[0].bodies = body;
    setup->fluids[0].body_count = 1;
    setup->solids[0].shape = mn_default_shape(MN_SHAPE_PLANE);
    setup->solids[0].shape.size[0] = setup->solids[0].shape.size[1] = 18 * h;
    setup->solids[0].friction = 0.5;
    setup->desc.time.adaptive = false;
    setup->desc.time.step = 1e-4;
}

/* For particles placed by the test. A body that nobody samples stands for them, or their fluids would count as absent.
 */
static inline mnSim *sim_begin(const Setup *setup, int threads) {
    mnSim *sim = NULL;
    mnError error = {0};
    mnOptions options = mn_default_options();
    options.threads = threads;
    mnBody body = {.shape = mn_default_shape(MN_SHAPE_SPHERE)};
    Setup placed = *setup;
    for (int f = 0; f < 3; f++) {
        placed.fluids[f].bodies = &body;
        placed.fluids[f].body_count = 1;
    }
    placed.desc.fluids = placed.fluids;
    placed.desc.solids = placed.solids;
    if (mn_sim_create_empty(&placed.desc, &options, &sim, &error) != MN_OK) fail_msg("%s", error.text);
    return sim;
}

/* With the backend that ctest names: tests that judge simulations from outside run once for each. */
static inline mnOptions sim_options(int threads) {
    mnOptions options = mn_default_options();
    options.threads = threads;
    options.backend = getenv("MENISCUS_BACKEND");
    return options;
}

static inline void sim_end(mnSim *sim) {
    mnError error = {0};
    mnOptions options = sim_options(mn_sim_threads(sim));
    if (mn_sim_finish(sim, &error) != MN_OK || mn_sim_move(sim, &options, &error) != MN_OK) fail_msg("%s", error.text);
}

static inline mnSim *scene_create(const mnSceneDesc *scene, int threads) {
    mnSim *sim = NULL;
    mnError error = {0};
    mnOptions options = sim_options(threads);
    if (mn_sim_create(scene, &options, &sim, &error) != MN_OK) fail_msg("%s", error.text);
    return sim;
}

static inline mnSim *sim_create(const Setup *setup, int threads) {
    return scene_create(&setup->desc, threads);
}

static inline mnStepReport sim_step(mnSim *sim) {
    mnStepReport report;
    mnError error = {0};
    if (mn_sim_step(sim, INFINITY, &report, &error) != MN_OK) fail_msg("%s", error.text);
    return report;
}

static inline void put_fluid(mnSim *sim, double x, double y, double z, int phase) {
    assert_true(mn_sim_add_fluid(sim, (double[3]){x, y, z}, (double[3]){0, 0, 0}, phase));
}

static inline void put_boundary(mnSim *sim, double x, double y, double z, double volume, int solid) {
    assert_true(mn_sim_add_boundary(sim, (double[3]){x, y, z}, volume, solid));
}

/* A block of `side` particles along each axis, jiggled by up to `jitter` spacings, whose phases are mixed. With
 * solids three layers lie under it, half of each solid, with uneven volumes. */
static inline void put_cloud(mnSim *sim, int side, double jitter, uint64_t seed) {
    const mnSceneDesc *scene = sim->scene;
    double h = scene->spacing;
    bool flat = scene->dimension == 2;
    int depth = flat ? 1 : side, layers = scene->solid_count > 0 ? 3 : 0;
    for (int k = -layers; k < side; k++)
        for (int j = 0; j < depth; j++)
            for (int i = 0; i < side; i++) {
                double x[3] = {h * i, h * (flat ? k : j), flat ? 0 : h * k};
                for (int a = 0; a < scene->dimension; a++) x[a] += h * uniform(&seed, -jitter, jitter);
                double kind = uniform(&seed, 0, 1), volume = (flat ? h * h : h * h * h) * uniform(&seed, 0.7, 1.3);
                if (k >= 0)
                    put_fluid(sim, x[0], x[1], x[2], (int)(kind * scene->fluid_count));
                else
                    put_boundary(sim, x[0], x[1], x[2], volume, (int)(kind * scene->solid_count));
            }
}

static inline double get(mnVec v, int axis) {
    return (double)(axis == 0 ? v.x : axis == 1 ? v.y : v.z);
}

static inline void set(mnVec *v, int axis, double value) {
    *(axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z) = (mnReal)value;
}

static inline void run_until(mnSim *sim, double time) {
    while (mn_sim_time(sim) < time) sim_step(sim);
}

#endif
