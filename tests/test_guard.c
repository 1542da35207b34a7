/* What becomes of a step that cannot be used: it is made again with a smaller Δt, a bounded number of times, and then
 * the message names a particle, its place and a likely cause. */
#include "sim_helpers.h"

#include <stdio.h>

#include "io/pace.h"

static const double h = 5e-4;
enum { HALVINGS = 12 };

/* Places come back in other orders; a particle is known by its id. */
static int64_t index_of(const mnSim *sim, int64_t id) {
    for (int64_t i = 0; i < sim->world.fluid.count; i++)
        if (sim->world.fluid.id[i] == id) return i;
    fail_msg("no particle %lld", (long long)id);
    return -1;
}

/* A drop on a wall with a fixed step of 1e-4 s, a step old. */
static mnSim *drop_create(Setup *setup, mnBody *body) {
    drop_begin(setup, body, h);
    setup->fluids[0].name = "water";
    setup->solids[0].name = "floor";
    mnSim *sim = sim_create(setup, 1);
    sim_step(sim);
    mn_run_look(&sim->world, NULL, NULL);
    return sim;
}

static void give_velocity(mnSim *sim, int64_t id, double x) {
    sim->world.fluid.velocity[index_of(sim, id)].x = (mnReal)x;
    mn_run_fluid_changed(&sim->world);
}

/* The step fails after so many tries, says all of these words, and leaves time and places as they were. */
static void expect_end(mnSim *sim, int retries, const char *const *words) {
    mnStepReport report;
    mnError error = {0};
    double time = mn_sim_time(sim);
    mnParticles before = mn_sim_particles(sim);
    mnVec *kept = malloc((size_t)before.count * sizeof *kept);
    for (int64_t i = 0; i < before.count; i++) kept[before.id[i]] = before.position[i];
    assert_int_equal(mn_sim_step(sim, INFINITY, &report, &error), MN_ERROR_UNSTABLE);
    print_message("%s\n", error.text);
    assert_int_equal(report.retries, retries);
    for (; *words; words++)
        if (!strstr(error.text, *words)) fail_msg("no \"%s\" in \"%s\"", *words, error.text);
    assert_true(mn_sim_time(sim) == time);
    mnParticles after = mn_sim_particles(sim);
    for (int64_t i = 0; i < after.count; i++)
        assert_memory_equal(&after.position[i], &kept[after.id[i]], sizeof(mnVec));
    free(kept);
}

static void not_a_number(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    mnSim *sim = drop_create(&setup, &body);
    mnVec x = sim->world.fluid.position[index_of(sim, 7)];
    char place[100];
    snprintf(place, sizeof place, "(%.6g, %.6g, %.6g) m", (double)x.x, (double)x.y, (double)x.z);
    give_velocity(sim, 7, NAN);
    expect_end(sim, HALVINGS,
               (const char *[]){"step 2 at t = 0.0001 s", "not finite", "particle 7 of fluid \"water\"", place,
                                "Likely cause: it was not finite before", NULL});
    mn_sim_destroy(sim);
}

static void absurdly_fast(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    mnSim *sim = drop_create(&setup, &body);
    give_velocity(sim, 11, 1e6);
    expect_end(sim, HALVINGS,
               (const char *[]){"particle 11 of fluid \"water\"", "1e+06 m/s before the step",
                                "Likely cause:", "too fast for this time step", NULL});
    mn_sim_destroy(sim);
}

/* Ten spacings in a fixed step are too many, a spacing and a quarter are not; the step after is a whole one again. */
static void a_fast_drop_takes_shorter_steps(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    drop_begin(&setup, &body, h);
    setup.desc.solid_count = 0;
    memset(setup.desc.gravity, 0, sizeof setup.desc.gravity);
    body.velocity[0] = 50;
    mnSim *sim = sim_create(&setup, 1);
    double start = mn_sim_totals(sim).centre[0];
    for (int step = 1; step <= 3; step++) {
        mnStepReport report = sim_step(sim);
        assert_int_equal(report.retries, 3);
        assert_near(report.dt, 1.25e-5, 1e-15);
    }
    assert_near(mn_sim_totals(sim).centre[0] - start, 50 * 3.75e-5, 1e-6);
    mn_sim_destroy(sim);
}

/* Shortened steps put a run off its grid of times; its frames still come within half a fixed step of theirs. */
static void frames_come_in_time(void **state) {
    (void)state;
    mnSceneDesc scene = mn_default_scene();
    scene.time.adaptive = false;
    scene.time.step = 1e-4;
    scene.frames_per_second = 1000;
    scene.duration = 0.02;
    mnPace pace = {.scene = &scene};
    const double shares[] = {1, 0.25, 1, 1, 0.0625, 0.5, 1};
    double time = 0;
    int frames = mn_pace_frame_is_due(&pace, time);
    for (int step = 0; !mn_pace_is_over(&pace, time); step++) {
        double dt = shares[step % 7] * scene.time.step;
        time += dt;
        pace.last_step = dt;
        if (!mn_pace_frame_is_due(&pace, time)) continue;
        assert_near(time, 1e-3 * frames, 0.5 * scene.time.step * (1 + 1e-9));
        frames++;
    }
    assert_int_equal(frames, 21);
    assert_near(time, scene.duration, 0.5 * scene.time.step * (1 + 1e-9));
}

static void impossible_tolerance(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    drop_begin(&setup, &body, h);
    setup.desc.time = mn_default_time();
    setup.desc.time.min_step = 1e-12;
    mnSim *sim = sim_create(&setup, 1);
    sim_step(sim);
    sim->method.solver.force_tolerance = 1e-15;
    sim->method.solver.max_iterations = 5;
    expect_end(sim, HALVINGS,
               (const char *[]){"did not converge", "Worst off: particle ", "of fluid",
                                "Likely cause:", "is finer than the numbers are", NULL});
    sim->method.solver.force_tolerance = 1e-5;
    sim->method.solver.max_iterations = 200;
    sim_step(sim); /* and from there it goes on */
    mn_sim_destroy(sim);
}

/* A layer of fluid in front of a floor of two layers, at a height; the lowest particle of all has the id 0. */
static mnSim *layer_create(Setup *setup, double height, double step) {
    setup_begin(setup, 2, h, 1, 2);
    setup->fluids[0].name = "water";
    setup->solids[0].name = "floor";
    setup->solids[1].name = "lid";
    setup->desc.gravity[1] = -9.81;
    setup->desc.time.adaptive = false;
    setup->desc.time.step = step;
    mnSim *sim = sim_begin(setup, 1);
    for (int row = 0; row < 3; row++)
        for (int k = -6; k <= 6; k++) put_fluid(sim, k * h, height + row * h, 0, 0);
    for (int row = 0; row < 2; row++)
        for (int k = -10; k <= 10; k++) put_boundary(sim, k * h, -row * h, 0, h * h, 0);
    return sim;
}

/* Fluid that starts in a wall: a fixed step that is far too long for it is shortened until it can be used. */
static void a_start_in_a_wall_is_survived(void **state) {
    (void)state;
    Setup setup;
    mnSim *sim = layer_create(&setup, 0.1 * h, 0.1);
    sim_end(sim);
    mnStepReport report = sim_step(sim);
    assert_true(report.retries > 0 && report.retries <= HALVINGS);
    assert_true(report.dt == ldexp(0.1, -report.retries));
    mn_sim_destroy(sim);
}

/* Two iterations do not get fluid out of a wall. */
static void be_impatient(mnSim *sim, double min_step) {
    mnSceneDesc *scene = (mnSceneDesc *)sim->scene; /* the simulation's own copy */
    scene->time = mn_default_time();
    scene->time.min_step = min_step;
    sim->method.solver.min_iterations = sim->method.solver.max_iterations = 2;
    sim->method.solver.volume_tolerance = 1e-6;
}

static void in_a_wall(void **state) {
    (void)state;
    Setup setup;
    mnSim *sim = layer_create(&setup, 0.1 * h, 1e-4);
    sim_end(sim);
    be_impatient(sim, 1e-4);
    expect_end(sim, 2,
               (const char *[]){"did not converge", "Worst off: particle ", "spacings from solid \"floor\"",
                                "Likely cause: it is in the solid \"floor\"", NULL});
    mn_sim_destroy(sim);
}

static void between_walls(void **state) {
    (void)state;
    Setup setup;
    mnSim *sim = layer_create(&setup, 0.4 * h, 1e-4);
    for (int k = -10; k <= 10; k++) put_boundary(sim, k * h, 0.8 * h, 0, h * h, 1);
    sim_end(sim);
    be_impatient(sim, 1e-4);
    expect_end(sim, 2,
               (const char *[]){"Worst off: particle ", "squeezed between the solids ", "\"floor\"", "\"lid\"", NULL});
    mn_sim_destroy(sim);
}

static void out_of_an_emitter(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    mnTimedDrop drop = {.time = 0, .position = {0, 0, 0.1}, .velocity = {0, 0, -100}, .radius = 4 * h};
    mnEmitter emitter = mn_default_emitter(MN_EMITTER_DROPS);
    emitter.drops = &drop;
    emitter.drop_count = 1;
    drop_begin(&setup, &body, h);
    setup.desc.emitters = &emitter;
    setup.desc.emitter_count = 1;
    setup.desc.time.min_step = 5e-5; /* in which it goes ten spacings */
    mnSim *sim = sim_create(&setup, 1);
    mnStepReport report;
    mnError error = {0};
    assert_int_equal(mn_sim_step(sim, INFINITY, &report, &error), MN_ERROR_UNSTABLE);
    assert_int_equal(report.retries, 1);
    assert_non_null(strstr(error.text, "Likely cause: an emitter has just put it there"));
    mn_sim_destroy(sim);
}

static void lost(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    mnSim *sim = drop_create(&setup, &body);
    sim->world.fluid.position[index_of(sim, 5)].y = (mnReal)NAN;
    mn_run_fluid_changed(&sim->world);
    mnError error = {0};
    assert_int_equal(mn_sim_step(sim, INFINITY, NULL, &error), MN_ERROR_UNSTABLE);
    print_message("%s\n", error.text);
    assert_non_null(strstr(error.text, "particle 5 of fluid \"water\" is lost at ("));
    mn_sim_destroy(sim);

    drop_begin(&setup, &body, h);
    setup.solids[0].name = "floor";
    setup.solids[0].shape.translation[0] = 1e25;
    assert_int_equal(mn_sim_create(&setup.desc, NULL, &sim, &error), MN_ERROR_UNSTABLE);
    assert_non_null(strstr(error.text, "a particle of solid \"floor\" is lost at ("));
}

/* The second of two particles is in a heap of walls. */
static void crowded(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    drop_begin(&setup, &body, h);
    setup.fluids[0].name = "water";
    mnOptions options = mn_default_options();
    mnSim *sim;
    mnError error = {0};
    assert_int_equal(mn_sim_create_empty(&setup.desc, &options, &sim, &error), MN_OK);
    put_fluid(sim, 0, 0, 0, 0);
    put_fluid(sim, 0.25, 0, 0.5, 0);
    for (int k = 0; k <= MN_SPAN_MOST; k++) put_boundary(sim, 0.25, 0, 0.5, h * h * h, 0);
    assert_int_equal(mn_sim_finish(sim, &error), MN_ERROR_UNSTABLE);
    print_message("%s\n", error.text);
    assert_non_null(strstr(error.text, "step 0 at t = 0 s: a particle has more than 65535 neighbours"));
    assert_non_null(strstr(error.text, "about particle 1 of fluid \"water\" at (0.25, 0, 0.5) m"));
    mn_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_a_number),
        cmocka_unit_test(absurdly_fast),
        cmocka_unit_test(a_fast_drop_takes_shorter_steps),
        cmocka_unit_test(frames_come_in_time),
        cmocka_unit_test(impossible_tolerance),
        cmocka_unit_test(a_start_in_a_wall_is_survived),
        cmocka_unit_test(in_a_wall),
        cmocka_unit_test(between_walls),
        cmocka_unit_test(out_of_an_emitter),
        cmocka_unit_test(lost),
        cmocka_unit_test(crowded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
