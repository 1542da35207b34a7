/* Every derivative that the solver uses, against central differences of the thing itself. */
#include "sim_helpers.h"

#include "kernels/diagonal.h"
#include "kernels/friction.h"
#include "kernels/models.h"
#include "kernels/pressure.h"
#include "kernels/repulsion.h"
#include "kernels/tension.h"
#include "state/rest_areas.h"

static const double h = 1e-3;
static const double TOLERANCE = 1e-6; /* relative to the largest entry */
static const double STEP = 1e-5;      /* of the differences, relative to the unit of what is varied */

/* ---- functions of one variable ----------------------------------------------------------------------------------- */

/* W'(r) */
static double spline_slope(mnSpline s, double r) {
    return mn_spline_gradient(s, (mnPair){.r = r, .inverse = 1 / r}) * r;
}

static void spline_gradient(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mnConstants c;
        mn_rest_areas_set(&c, dimension, h, MN_MEASURE_NORMALISED, false);
        mnSpline splines[2] = {c.near, c.wide};
        for (int s = 0; s < 2; s++) {
            double support = (2 + s) * h, largest = splines[s].sigma / support, integral = 0;
            for (int k = 1; k < 400; k++) {
                double r = 1.1 * support * k / 400, e = STEP * h;
                double slope = (mn_spline_value(splines[s], r + e) - mn_spline_value(splines[s], r - e)) / (2 * e);
                mnPair pair = {.r = r, .inverse = 1 / r};
                double curvature = (spline_slope(splines[s], r + e) - spline_slope(splines[s], r - e)) / (2 * e);
                assert_near(spline_slope(splines[s], r), slope, TOLERANCE * largest);
                assert_near(mn_spline_curvature(splines[s], r), curvature, TOLERANCE * largest / support);
                if (r >= 0.5 * support) {
                    double found = mn_spline_gradient(splines[s], pair), value = mn_spline_value(splines[s], r);
                    assert_near(mn_spline_outer_gradient(splines[s], pair), found, 1e-12 * fabs(found));
                    assert_near(mn_spline_outer_value(splines[s], r), value, 1e-12 * value);
                }
                double shell = dimension == 3 ? 4 * PI * r * r : 2 * PI * r;
                integral += shell * mn_spline_value(splines[s], r) * 1.1 * support / 400;
            }
            assert_near(integral, 1, 1e-4);
            mnVec here = mn_vec(0.1, -0.2, 0.3, 0);
            mnPair same = mn_pair(here, here);
            assert_near(mn_spline_gradient(splines[s], same) * same.r, 0, TOLERANCE * largest);
            assert_near(mn_spline_value(splines[s], 0), splines[s].sigma, 1e-12 * splines[s].sigma);
        }
    }
}

/* The force that pushes two apart, −(b_i + b_j) V W', loses k for each unit that they move apart, unless it grows with
 * that; then k is 0. */
static void repulsion_rate(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mnConstants c;
        mn_rest_areas_set(&c, dimension, h, MN_MEASURE_NORMALISED, false);
        double volume = 1e-9, strength = (2e-8 + 5e-8) * volume, scale = strength * c.near.sigma / (h * h),
               e = STEP * h;
        int softer = 0, harder = 0;
        for (int k = 1; k < 400; k++) {
            double r = 2.2 * h * k / 400;
            double change = -strength * (spline_slope(c.near, r + e) - spline_slope(c.near, r - e)) / (2 * e);
            /* One of them moves away at 1 m/s; beside that they move alike, and across their line. */
            mnVec own = mn_vec(1.3 * volume, 0.2 * volume, 0, 2e-8), other = mn_vec(0.3 * volume, -volume, 0, 5e-8);
            mnPair pair = mn_pair(mn_vec(r, 0, 0, 0), mn_vec(0, 0, 0, 0));
            double found = mn_repulsion_rate(c, own, other, pair) * r;
            assert_near(found, fmax(-change, 0), TOLERANCE * scale);
            assert_true(change <= 0 || found == 0);
            assert_true(r < 2 * h || found == 0);
            softer += found > 0;
            harder += change > 0;
        }
        assert_true(softer > 200 && harder > 100);
    }
}

static void smooth_maximum(void **state) {
    (void)state;
    double epsilon = 0.05, e = 1e-6;
    for (double c = -0.3217; c < 1; c += 0.0131) {
        double slope = (mn_smooth_max(c + e, epsilon) - mn_smooth_max(c - e, epsilon)) / (2 * e);
        double curvature = (mn_smooth_slope(c + e, epsilon) - mn_smooth_slope(c - e, epsilon)) / (2 * e);
        assert_near(mn_smooth_slope(c, epsilon), slope, TOLERANCE);
        assert_near(mn_smooth_curvature(c, epsilon), curvature, TOLERANCE / epsilon);
    }
    assert_true(mn_smooth_max(-1, epsilon) == 0);
}

static void weight_slopes(void **state) {
    (void)state;
    for (int measure = 0; measure < 2; measure++) {
        mnConstants c;
        mn_rest_areas_set(&c, 3, h, (mnMeasure)measure, false);
        double energy = 0.3, e = 1e-6;
        for (double sigma = 0.2; sigma < 1.3; sigma += 0.103)
            for (double p = 0.4; p < 1.3; p += 0.101) {
                mnVec by_sigma[2], by_pi[2];
                for (int side = 0; side < 2; side++) {
                    double d = side ? e : -e;
                    by_sigma[side] = mn_measure_weights(c, energy, sigma + d, p);
                    by_pi[side] = mn_measure_weights(c, energy, sigma, p + d);
                }
                mnVec slopes = mn_diagonal_weight_slopes(c, energy, sigma, p);
                double scale = TOLERANCE * energy / 0.05;
                assert_near(slopes.x, (by_sigma[1].x - by_sigma[0].x) / (2 * e), scale);
                assert_near(slopes.y, (by_pi[1].x - by_pi[0].x) / (2 * e), scale);
                assert_near(slopes.z, (by_sigma[1].y - by_sigma[0].y) / (2 * e), scale);
                assert_near(slopes.w, (by_pi[1].y - by_pi[0].y) / (2 * e), scale);
            }
    }
}

/* ---- clouds ------------------------------------------------------------------------------------------------------ */

typedef struct Case {
    int dimension, phases, solids;
    mnTensionModel model;
    mnMeasure measure;
} Case;

/* All energies differ from each other and from zero, and every fluid has its own weight on every solid. */
static void set_energies(mnSim *sim) {
    for (int f = 0; f < sim->materials.fluid_count; f++) {
        mnFluidConstants *fluid = &sim->materials.fluids[f];
        fluid->density = 1000 + 300 * f;
        fluid->gamma_fv = 0.07 + 0.02 * f;
        fluid->gamma_ff = 0.03 + 0.01 * f;
        fluid->gamma_fb = 0.02 + 0.015 * f;
        fluid->attraction = 3 + f;
    }
    for (int s = 0; s < sim->materials.solid_count; s++) {
        sim->materials.solids[s].gamma_bv = 0.05 + 0.04 * s;
        sim->materials.solids[s].gamma_bf = 0.06 - 0.03 * s;
        for (int f = 0; f < sim->materials.fluid_count; f++)
            sim->materials.pairs[s * sim->materials.fluid_count + f].wet_weight = 1.0 - 0.3 * f - 0.2 * s;
    }
}

static mnSim *make_cloud(Case k, uint64_t seed) {
    Setup setup;
    setup_begin(&setup, k.dimension, h, k.phases, k.solids);
    setup.desc.solver.measure = k.measure;
    setup.desc.solver.tension_model = k.model;
    setup.fluids[1].density = 1300;
    setup.fluids[2].density = 1600;
    setup.solids[0].friction = setup.solids[1].friction = 0.5;
    mnSim *sim = sim_begin(&setup, 1);
    put_cloud(sim, k.dimension == 3 ? 4 : 8, 0.3, seed);
    sim_end(sim);
    set_energies(sim);
    sim->world.constants.dt = 1e-4;
    sim->world.constants.recovery = 1;
    sim->world.turn.parts = MN_PART_ALL;
    return sim;
}

static void for_clouds_of(mnTensionModel model, void (*check)(mnSim *sim)) {
    uint64_t seed = 7;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int phases = 1; phases <= 3; phases++)
            for (int solids = 0; solids <= 2; solids += 2)
                for (int measure = 0; measure < 2; measure++) {
                    mnSim *sim = make_cloud((Case){dimension, phases, solids, model, (mnMeasure)measure}, seed++);
                    check(sim);
                    mn_sim_destroy(sim);
                }
}

static void for_all_clouds(void (*check)(mnSim *sim)) {
    for_clouds_of(MN_TENSION_ENERGY, check);
}

static double energy_now(mnSim *sim) {
    mnWorld *world = &sim->world;
    double energy = 0;
    mn_pass_numbers_now(world);
    for (int64_t i = 0; i < world->fluid.count; i++)
        energy += mn_model_fluid_energy(world->constants, world->fluids[world->fluid.phase[i]],
                                        world->fluid.position[i].w, world->fluid.numbers[i]);
    for (int64_t a = 0; a < world->boundary.active_count; a++) {
        int32_t b = world->boundary.active[a];
        energy += mn_model_boundary_energy(world->constants, world->solids[world->boundary.solid[b]],
                                           world->boundary.position[b].w, world->boundary.numbers[b]);
    }
    return energy;
}

static double largest_of(const mnVec *vectors, int64_t count) {
    double largest = 0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, sqrt(mn_dot(vectors[i], vectors[i])));
    return largest;
}

static void check_energy(mnSim *sim) {
    mnWorld *world = &sim->world;
    int64_t count = world->fluid.count;
    mnVec *force = calloc((size_t)count, sizeof *force);
    mn_pass_numbers_now(world);
    prepare_sums(world);
    for (int64_t i = 0; i < count; i++) force[i] = mn_own_gradient(world, (int32_t)i, false).force;
    double largest = largest_of(force, count), e = STEP * h;
    assert_true(largest > 1e-3 * 0.07 * (world->constants.dimension == 3 ? h : 1));
    for (int64_t i = 0; i < count; i++)
        for (int a = 0; a < world->constants.dimension; a++) {
            double x = get(world->fluid.position[i], a);
            set(&world->fluid.position[i], a, x + e);
            double above = energy_now(sim);
            set(&world->fluid.position[i], a, x - e);
            double below = energy_now(sim);
            set(&world->fluid.position[i], a, x);
            assert_near(get(force[i], a), -(above - below) / (2 * e), TOLERANCE * largest);
        }
    free(force);
}

static void energy_gradient(void **state) {
    (void)state;
    for_all_clouds(check_energy);
    for_clouds_of(MN_TENSION_PAIRWISE, check_energy);
}

/* p_i → forces of all → velocities of all → volume error of i. */
static double volume_error(mnWorld *world, int64_t i, double pressure) {
    double kept = world->fluid.pressure[i];
    world->fluid.pressure[i] = pressure;
    mn_run(world, MN_PASS_push);
    mn_run(world, MN_PASS_force);
    world->fluid.pressure[i] = kept;
    return mn_volume_error(world->constants, world->fluid.fill[i],
                           mn_own_gradient(world, (int32_t)i, false).volume_error);
}

static void check_pressure_step(mnSim *sim) {
    mnWorld *world = &sim->world;
    mnFluidState *fluid = &world->fluid;
    uint64_t seed = 3;
    for (int64_t i = 0; i < fluid->count; i++) {
        fluid->pressure[i] = uniform(&seed, 0, 200);
        for (int a = 0; a < world->constants.dimension; a++) set(&fluid->velocity[i], a, uniform(&seed, -1, 1));
    }
    mn_run(world, MN_PASS_start);
    mn_pass_diagonals(world);
    for (int64_t i = 0; i < fluid->count; i++) {
        double slope = (volume_error(world, i, 150) - volume_error(world, i, 50)) / 100;
        double claimed = mn_diagonal_pressure_at((int32_t)i, world->constants, mn_around_fluid(world, i),
                                                 fluid->slope_pressure[i], fluid->position, fluid->start);
        assert_true(slope > 0);
        assert_near(claimed, slope, TOLERANCE * slope);
        assert_near(fluid->pressure_step[i], 1 / slope, TOLERANCE / slope);
    }
}

static void pressure_step(void **state) {
    (void)state;
    for_all_clouds(check_pressure_step);
}

/* F_i → velocities → positions ahead → weights → −∂E/∂x_i along one axis, with what is taken late. */
static double tension_along(mnWorld *world, int64_t i, int axis, double force) {
    set(&world->fluid.tension[i], axis, force);
    mn_run(world, MN_PASS_push);
    mn_run(world, MN_PASS_force);
    set(&world->fluid.tension[i], axis, 0);
    mn_run(world, MN_PASS_measure);
    return get(update_tension(world)[i], axis);
}

/* What the step size of tension goes by, of particle i alone. The diagonals have left what it is found from. */
static double claimed_excess(const mnWorld *world, int64_t i) {
    mnSum excess[2] = {-INFINITY, -INFINITY};
    mn_stiffness_at(world, (int32_t)i, excess);
    return excess[1];
}

static void check_tension_step(mnSim *sim) {
    mnWorld *world = &sim->world;
    mnFluidState *fluid = &world->fluid;
    mnConstants c = world->constants;
    size_t count = (size_t)fluid->count + 1;
    double *claimed = calloc(count, sizeof *claimed), *found = calloc(count, sizeof *found);
    double largest = -INFINITY, scale = 0;
    mn_run(world, MN_PASS_start);
    mn_pass_diagonals(world);
    for (int64_t i = 0; i < fluid->count; i++) {
        claimed[i] = claimed_excess(world, i);
        largest = fmax(largest, claimed[i]);
    }
    assert_near(world->turn.tension_step, 1 / (1 + largest), 1e-9);
    for (int64_t i = 0; i < fluid->count; i++) {
        double e = STEP * h / (c.dt * fluid->start[i].w); /* the force that moves i by STEP·h */
        for (int a = 0; a < c.dimension; a++)
            found[i] -= (tension_along(world, i, a, e) - tension_along(world, i, a, -e)) / (2 * e * c.dimension);
        scale = fmax(scale, fabs(found[i]));
    }
    for (int64_t i = 0; i < fluid->count; i++) assert_near(claimed[i], found[i], TOLERANCE * scale);
    free(claimed), free(found);
}

/* With repulsion that is taken late, of which the number density's measure has none. */
static void check_late_tension_step(mnSim *sim) {
    check_tension_step(sim);
    double usual = (double)sim->world.turn.tension_step;
    sim->world.constants.lateness = 0.7;
    check_tension_step(sim);
    assert_true(sim->world.constants.normalised ? sim->world.turn.tension_step < usual
                                                : sim->world.turn.tension_step == usual);
}

static void tension_step(void **state) {
    (void)state;
    for_all_clouds(check_tension_step);
}

static void tension_step_beyond_the_capillary_limit(void **state) {
    (void)state;
    for_all_clouds(check_late_tension_step);
}

static double slip_along(mnWorld *world, int64_t i, int axis, double force) {
    set(&world->fluid.friction[i], axis, force);
    mn_run(world, MN_PASS_push);
    mn_run(world, MN_PASS_force);
    set(&world->fluid.friction[i], axis, 0);
    mnContact wall = contact_of(world, i);
    return get(mn_friction_tangential(world->fluid.predicted[i], wall.normal, wall.slide), axis);
}

/* α^F·(1/d)·tr ∂v^tang/∂F^F = 1, eq. 39 and 40. */
static void check_friction_step(mnSim *sim) {
    mnWorld *world = &sim->world;
    mnFluidState *fluid = &world->fluid;
    int contacts = 0, d = world->constants.dimension;
    mn_run(world, MN_PASS_start);
    mn_pass_diagonals(world);
    for (int64_t i = 0; i < fluid->count; i++) {
        mnReal weight = contact_of(world, i).slide.w;
        double claimed = mn_friction_step(world->constants, fluid->start[i].w, weight), trace = 0;
        if (weight <= 0) {
            assert_true(claimed == 0 && fluid->mu[i] == 0);
            continue;
        }
        for (int a = 0; a < d; a++) trace += (slip_along(world, i, a, 1e-6) - slip_along(world, i, a, -1e-6)) / 2e-6;
        assert_near(claimed * trace / d, 1, TOLERANCE);
        contacts++;
    }
    assert_true(sim->materials.solid_count == 0 || contacts > 0);
}

static void friction_step(void **state) {
    (void)state;
    for_all_clouds(check_friction_step);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spline_gradient), cmocka_unit_test(repulsion_rate),
        cmocka_unit_test(smooth_maximum),  cmocka_unit_test(weight_slopes),
        cmocka_unit_test(energy_gradient), cmocka_unit_test(pressure_step),
        cmocka_unit_test(tension_step),    cmocka_unit_test(tension_step_beyond_the_capillary_limit),
        cmocka_unit_test(friction_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
