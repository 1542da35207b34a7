/* How long steps are, what becomes of one that fails, and that short ones do no harm. */
#include "sim_helpers.h"

static const double h = 5e-4;

/* What a simulation shows of itself, by id. */
typedef struct Kept {
    struct {
        mnVec position, velocity, measure;
        mnReal pressure;
    } * particles;
    int64_t count;
    mnTotals totals;
} Kept;

static Kept keep(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    Kept kept = {calloc((size_t)p.count, sizeof *kept.particles), p.count, mn_sim_totals(sim)};
    for (int64_t i = 0; i < p.count; i++) {
        kept.particles[p.id[i]].position = p.position[i];
        kept.particles[p.id[i]].velocity = p.velocity[i];
        kept.particles[p.id[i]].measure = p.measure[i];
        kept.particles[p.id[i]].pressure = p.pressure[i];
    }
    return kept;
}

static void assert_kept(const mnSim *sim, const Kept *kept) {
    mnParticles p = mn_sim_particles(sim);
    mnTotals totals = mn_sim_totals(sim);
    assert_int_equal(p.count, kept->count);
    for (int64_t i = 0; i < p.count; i++) {
        assert_memory_equal(&p.position[i], &kept->particles[p.id[i]].position, sizeof(mnVec));
        assert_memory_equal(&p.velocity[i], &kept->particles[p.id[i]].velocity, sizeof(mnVec));
        assert_memory_equal(&p.measure[i], &kept->particles[p.id[i]].measure, sizeof(mnVec));
        assert_true(p.pressure[i] == kept->particles[p.id[i]].pressure);
    }
    /* Lists have been made anew since, so the sums may run in another order. */
    assert_near(totals.mean_pressure, kept->totals.mean_pressure, 1e-6 * kept->totals.mean_pressure);
    assert_near(totals.surface_energy, kept->totals.surface_energy, 1e-5 * kept->totals.surface_energy);
    assert_near(totals.kinetic_energy, kept->totals.kinetic_energy, 1e-6 * kept->totals.kinetic_energy);
}

static void a_step_that_fails_is_made_smaller(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    drop_begin(&setup, &body, h);
    setup.desc.time = mn_default_time();
    setup.desc.solver.max_iterations = 4;
    mnSim *sim = sim_create(&setup, 1);
    double first = sim->scene->time.capillary_ratio * sim->materials.capillary_step;
    int retries = 0;
    for (int step = 0; step < 10; step++) {
        mnStepReport report = sim_step(sim);
        assert_true(report.converged && report.iterations <= 4 * (1 + report.retries));
        if (report.retries > 0) assert_true(report.dt <= first * ldexp(1, -report.retries) * 1.0001);
        retries += report.retries;
    }
    assert_true(retries > 0);
    mn_sim_destroy(sim);
}

static void giving_up_leaves_the_last_good_step(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    drop_begin(&setup, &body, h);
    setup.desc.time = mn_default_time();
    setup.desc.time.min_step = 1e-6;
    mnSim *sim = sim_create(&setup, 1);
    for (int step = 0; step < 5; step++) sim_step(sim);
    Kept kept = keep(sim);
    double time = mn_sim_time(sim);
    sim->method.solver.force_tolerance = 1e-15;
    sim->method.solver.max_iterations = 5;
    mnStepReport report;
    mnError error = {0};
    assert_int_equal(mn_sim_step(sim, INFINITY, &report, &error), MN_ERROR_UNSTABLE);
    assert_int_equal(error.status, MN_ERROR_UNSTABLE);
    assert_non_null(strstr(error.text, "step 6"));
    assert_non_null(strstr(error.text, "did not converge"));
    assert_non_null(strstr(error.text, "Likely cause"));
    assert_true(report.retries >= 5);
    assert_true(mn_sim_time(sim) == time);
    assert_kept(sim, &kept);
    /* With the old tolerance it goes on from there. */
    sim->method.solver.force_tolerance = 1e-5;
    sim->method.solver.max_iterations = 200;
    assert_int_equal(mn_sim_step(sim, INFINITY, &report, &error), MN_OK);
    assert_int_equal(report.step, 6);
    free(kept.particles);
    mn_sim_destroy(sim);
}

/* A fixed step is taken as it is, converged or not, but never past the end of the numbers. */
static void fixed_steps(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    drop_begin(&setup, &body, h);
    setup.desc.solver.max_iterations = 2;
    mnSim *sim = sim_create(&setup, 1);
    mnStepReport report = sim_step(sim);
    assert_false(report.converged);
    assert_int_equal(report.retries, 0);
    assert_true(report.dt == 1e-4);
    mnError error = {0};
    mn_run_look(&sim->world, NULL, NULL);
    sim->world.fluid.velocity[7].x = (mnReal)NAN;
    mn_run_fluid_changed(&sim->world);
    assert_int_equal(mn_sim_step(sim, INFINITY, &report, &error), MN_ERROR_UNSTABLE);
    assert_non_null(strstr(error.text, "not finite"));
    mn_sim_destroy(sim);
}

static void steps_end_where_they_are_told(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    drop_begin(&setup, &body, h);
    mnSim *sim = sim_create(&setup, 1);
    mnStepReport report;
    mnError error = {0};
    assert_int_equal(mn_sim_step(sim, 3e-5, &report, &error), MN_OK);
    assert_true(report.dt == 3e-5);
    assert_near(mn_sim_time(sim), 3e-5, 1e-18);
    const double refused[] = {0, -1e-5, NAN};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(mn_sim_step(sim, refused[k], &report, &error), MN_ERROR_INPUT);
        assert_near(mn_sim_time(sim), 3e-5, 1e-18);
    }
    mn_sim_destroy(sim);
}

/* ---- short steps ------------------------------------------------------------------------------------------------- */

/* Water in a 2D tank of 20 × 40 spacings, half full. */
static void tank_begin(Setup *setup, mnBody *water) {
    setup_begin(setup, 2, h, 1, 1);
    *water = (mnBody){.shape = mn_default_shape(MN_SHAPE_BOX)};
    water->shape.size[0] = water->shape.size[1] = 20 * h;
    water->shape.translation[1] = 10 * h;
    setup->fluids[0] = mn_default_fluid();
    setup->fluids[0].bodies = water;
    setup->fluids[0].body_count = 1;
    mnShape *tank = &setup->solids[0].shape;
    *tank = mn_default_shape(MN_SHAPE_BOX);
    tank->size[0] = 20 * h;
    tank->size[1] = 40 * h;
    tank->translation[1] = 20 * h;
    tank->hollow = true;
    setup->desc.gravity[1] = -9.81;
}

static void a_short_step_stirs_nothing(void **state) {
    (void)state;
    Setup setup;
    mnBody water;
    tank_begin(&setup, &water);
    mnSim *sim = sim_create(&setup, 1);
    mnStepReport report = {0};
    while (mn_sim_time(sim) < 0.05) report = sim_step(sim);
    double before = mn_sim_totals(sim).kinetic_energy, most = 0;
    mnError error = {0};
    assert_int_equal(mn_sim_step(sim, 0.01 * report.dt, &report, &error), MN_OK);
    for (int step = 0; step < 10; step++) {
        sim_step(sim);
        most = fmax(most, mn_sim_totals(sim).kinetic_energy);
    }
    print_message("kinetic energy %.3g J/m before a step of a hundredth, at most %.3g after\n", before, most);
    assert_true(most < 1.3 * before);
    mn_sim_destroy(sim);
}

/* The time that is asked for is shared evenly, with no sliver at its end. */
static void steps_share_the_time_to_a_frame(void **state) {
    (void)state;
    Setup setup;
    mnBody water;
    tank_begin(&setup, &water);
    mnSim *sim = sim_create(&setup, 1);
    double usual = 0;
    while (mn_sim_time(sim) < 0.05) usual = sim_step(sim).dt; /* to rest, where all steps are alike */
    const double excess[] = {1e-9, 0.001, 0.3, 0.999};
    for (int k = 0; k < 4; k++) {
        double end = mn_sim_time(sim) + (2 + excess[k]) * usual, least = INFINITY;
        while (end - mn_sim_time(sim) > 1e-6 * usual) {
            mnStepReport report;
            mnError error = {0};
            assert_int_equal(mn_sim_step(sim, end - mn_sim_time(sim), &report, &error), MN_OK);
            assert_true(report.dt <= usual * 1.00001);
            least = fmin(least, report.dt);
        }
        assert_true(least >= 0.6 * usual);
    }
    mn_sim_destroy(sim);
}

/* ---- steps beyond the capillary limit ---------------------------------------------------------------------------- */

/* A free cube of water in steps of some times the limit √(ρh³/(2πγ)). */
static void cube_begin(Setup *setup, mnBody *water, int side, double ratio) {
    setup_begin(setup, 3, h, 1, 0);
    *water = (mnBody){.shape = mn_default_shape(MN_SHAPE_BOX)};
    for (int a = 0; a < 3; a++) water->shape.size[a] = side * h;
    setup->fluids[0].bodies = water;
    setup->fluids[0].body_count = 1;
    setup->desc.time.adaptive = false;
    setup->desc.time.step = ratio * sqrt(1000 * h * h * h / (2 * PI * 0.072));
}

/* How late repulsion is taken goes by how long the step turns out to be, and so does what of pressure is kept. The
 * measure of the paper has no such repulsion. */
static void repulsion_is_late_in_long_steps(void **state) {
    (void)state;
    const double ratios[] = {0.95, 1, 1.3, 2, 2};
    for (int k = 0; k < 5; k++) {
        Setup setup;
        mnBody water;
        cube_begin(&setup, &water, 4, ratios[k]);
        if (k == 4) setup.desc.solver.measure = MN_MEASURE_NUMBER_DENSITY;
        mnSim *sim = sim_create(&setup, 1);
        double expected = k == 4 ? 0 : fmax(0, ratios[k] - 1), kept = sim->method.solver.warm_start_pressure;
        mnStepReport report = sim_step(sim);
        assert_near(report.dt_over_capillary, ratios[k], 1e-6);
        assert_near(sim->world.constants.lateness, expected, 1e-6 * expected);
        assert_near(sim->world.turn.warmth, pow(kept, 1 / ((1 + expected) * (1 + expected))), 1e-6);
        mnError error = {0};
        assert_int_equal(mn_sim_step(sim, 0.9 / ratios[k] * report.dt, &report, &error), MN_OK);
        assert_true(sim->world.constants.lateness == 0);
        assert_near(sim->world.turn.warmth, kept, 1e-6);
        mn_sim_destroy(sim);
    }
}

/* The cube becomes a ball and rests. With all repulsion taken at time t it is thrown about instead: compressed by more
 * than half, at 0.25 m/s in the mean, its steps repeated. */
static void steps_of_twice_the_capillary_limit_are_stable(void **state) {
    (void)state;
    Setup setup;
    mnBody water;
    cube_begin(&setup, &water, 10, 2);
    mnSim *sim = sim_create(&setup, 1);
    double compression = 0;
    int iterations = 0;
    for (int step = 0; step < 60; step++) {
        mnStepReport report = sim_step(sim);
        assert_true(report.converged && report.retries == 0);
        compression = fmax(compression, mn_sim_totals(sim).max_compression);
        iterations += report.iterations;
    }
    mnTotals totals = mn_sim_totals(sim);
    double speed = sqrt(2 * totals.kinetic_energy / totals.mass);
    print_message("compressed by %.2g at most, %.2g m/s in the end, %d iterations a step\n", compression, speed,
                  iterations / 60);
    assert_true(compression < 0.15);
    assert_true(speed < 0.03);
    mn_sim_destroy(sim);
}

/* ---- moving walls ------------------------------------------------------------------------------------------------ */

static const mnMotionKey at_rest = {0, {0, 0, 0}, {0, 0, 0, 1}};

/* A tank that carries its water along: after a step walls are seen where they are then, so nothing is compressed. */
static void walls_are_where_the_time_says(void **state) {
    (void)state;
    Setup setup;
    mnBody water;
    tank_begin(&setup, &water);
    mnMotionKey keys[2] = {at_rest, {1, {0.5, 0, 0}, {0, 0, 0, 1}}};
    setup.solids[0].motion = keys;
    setup.solids[0].motion_count = 2;
    water.velocity[0] = 0.5;
    mnSim *sim = sim_create(&setup, 1);
    for (int step = 0; step < 40; step++) sim_step(sim);
    mn_run_look(&sim->world, NULL, NULL);
    for (int64_t b = 0; b < sim->world.boundary.count; b++)
        assert_near(sim->world.boundary.position[b].x - sim->world.boundary.origin[b].x, 0.5 * mn_sim_time(sim),
                    1e-5 * h);
    assert_true(mn_sim_totals(sim).max_compression < 0.01);
    mn_sim_destroy(sim);
}

/* A wall that starts suddenly: the step sees its speed before it is made, and the water goes along without gaining
 * more than a few times the energy it then has. */
static void a_wall_that_starts_is_seen_in_time(void **state) {
    (void)state;
    Setup setup;
    mnBody water;
    tank_begin(&setup, &water);
    const double speed = 2;
    mnMotionKey keys[3] = {at_rest, {0.01, {0, 0, 0}, {0, 0, 0, 1}}, {0.11, {0.1 * speed, 0, 0}, {0, 0, 0, 1}}};
    setup.solids[0].motion = keys;
    setup.solids[0].motion_count = 3;
    mnSim *sim = sim_create(&setup, 1);
    double most = 0;
    while (mn_sim_time(sim) < 0.015) {
        mnStepReport report = sim_step(sim);
        double wall = fmax(0, fmin(report.dt, mn_sim_time(sim) - 0.01)) * speed;
        assert_true(wall <= sim->scene->time.cfl_velocity * h * 1.001);
        most = fmax(most, mn_sim_totals(sim).kinetic_energy);
    }
    double along = 0.5 * mn_sim_totals(sim).mass * speed * speed;
    print_message("kinetic energy at most %.3g of that of moving along\n", most / along);
    assert_true(most < 3 * along);
    mn_sim_destroy(sim);
}

/* How many of five particles are taken at a time: inside the first box, at its corner, beside it, in the second box,
 * which is flat and has no end in time, and in the third, which has none in space. */
static int64_t taken_at(double time, int sink_count) {
    static const double places[5][3] = {{0.5, 1.5, 2.5}, {1, 2, 3}, {0.5, 2.5, 1}, {5.5, 0.5, 0}, {-1e4, 9, 9}};
    const mnSink sinks[3] = {{.lower = {0, 0, 0}, .upper = {1, 2, 3}, .start = 1, .stop = 2},
                             {.lower = {5, 0, 0}, .upper = {6, 1, 0}, .start = 0, .stop = INFINITY},
                             {.lower = {-INFINITY, 8, -1e300}, .upper = {-7, 10, INFINITY}, .stop = INFINITY}};
    Setup setup;
    setup_begin(&setup, 3, 0.1, 1, 0);
    setup.desc.sinks = sinks;
    setup.desc.sink_count = sink_count;
    mnSim *sim = sim_begin(&setup, 1);
    for (int p = 0; p < 5; p++) put_fluid(sim, places[p][0], places[p][1], places[p][2], 0);
    sim_end(sim);
    sim->time = time;
    int64_t removed = sim_step(sim).removed;
    assert_int_equal(mn_sim_particles(sim).count, 5 - removed);
    mn_sim_destroy(sim);
    return removed;
}

static void sinks_know_their_box_and_time(void **state) {
    (void)state;
    assert_int_equal(taken_at(1.5, 0), 0);
    assert_int_equal(taken_at(1.5, 1), 2);
    assert_int_equal(taken_at(2, 1), 2);
    assert_int_equal(taken_at(0.9, 1), 0);
    assert_int_equal(taken_at(2.1, 1), 0);
    assert_int_equal(taken_at(1e9, 2), 1);
    assert_int_equal(taken_at(1.5, 3), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_that_fails_is_made_smaller),
        cmocka_unit_test(giving_up_leaves_the_last_good_step),
        cmocka_unit_test(fixed_steps),
        cmocka_unit_test(steps_end_where_they_are_told),
        cmocka_unit_test(a_short_step_stirs_nothing),
        cmocka_unit_test(steps_share_the_time_to_a_frame),
        cmocka_unit_test(repulsion_is_late_in_long_steps),
        cmocka_unit_test(steps_of_twice_the_capillary_limit_are_stable),
        cmocka_unit_test(walls_are_where_the_time_says),
        cmocka_unit_test(a_wall_that_starts_is_seen_in_time),
        cmocka_unit_test(sinks_know_their_box_and_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
