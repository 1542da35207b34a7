/* Descriptions that cannot be used are refused with a text that says why, before anything big is allocated, and in
 * silence. */
#include "sim_helpers.h"

#include <stdio.h>
#include <unistd.h>

typedef struct Rig {
    Setup setup;
    mnBody body;
    mnShape child;
    mnEmitter emitter;
    mnSink sink;
    mnScheduleKey key;
    mnSchedule schedule;
    mnMotionKey motion[2];
    double angles[1], frictions[1];
    mnOptions options;
    size_t asked; /* bytes that went through the allocator at most */
    size_t held;
} Rig;

static void *watch_allocate(void *context, size_t bytes) {
    Rig *rig = context;
    rig->held += bytes;
    if (rig->held > rig->asked) rig->asked = rig->held;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void watch_release(void *context, void *block, size_t bytes) {
    ((Rig *)context)->held -= bytes;
    free(block);
}

/* A drop on a floor that can be used as it is. Never copy one. */
static void rig_begin(Rig *rig) {
    memset(rig, 0, sizeof *rig);
    setup_begin(&rig->setup, 3, 1e-3, 1, 1);
    rig->body.shape = mn_default_shape(MN_SHAPE_SPHERE);
    rig->body.shape.radius = 4e-3;
    rig->body.shape.translation[2] = 5e-3;
    rig->setup.fluids[0].bodies = &rig->body;
    rig->setup.fluids[0].body_count = 1;
    rig->setup.solids[0].shape = mn_default_shape(MN_SHAPE_PLANE);
    rig->setup.solids[0].shape.size[0] = rig->setup.solids[0].shape.size[1] = 1e-2;
    rig->angles[0] = 1;
    rig->setup.solids[0].contact_angle = rig->angles;
    rig->child = mn_default_shape(MN_SHAPE_SPHERE);
    rig->emitter = mn_default_emitter(MN_EMITTER_ROUND);
    rig->sink = mn_default_sink();
    rig->options = sim_options(1);
    rig->options.allocator = (mnAllocator){watch_allocate, watch_release, rig};
}

static mnStatus create(Rig *rig, mnError *error) {
    mnSim *sim = NULL;
    *error = (mnError){0};
    mnStatus status = mn_sim_create(&rig->setup.desc, &rig->options, &sim, error);
    assert_true((sim != NULL) == (status == MN_OK));
    mn_sim_destroy(sim);
    assert_int_equal(rig->held, 0);
    return status;
}

static void refuse(Rig *rig, mnStatus expected, const char *word) {
    mnError error;
    mnStatus status = create(rig, &error);
    if (status != expected)
        fail_msg("status %d instead of %d, \"%s\" was to be said: %s", status, expected, word, error.text);
    assert_int_equal(error.status, expected);
    if (!strstr(error.text, word)) fail_msg("\"%s\" is not in \"%s\"", word, error.text);
    assert_true(strlen(error.text) > 15);
    assert_true(rig->asked < 100000);
}

#define REFUSE(change, word)                                                                                           \
    do {                                                                                                               \
        Rig rig;                                                                                                       \
        rig_begin(&rig);                                                                                               \
        mnSceneDesc *scene = &rig.setup.desc;                                                                          \
        mnFluid *fluid = &rig.setup.fluids[0];                                                                         \
        mnSolid *solid = &rig.setup.solids[0];                                                                         \
        (void)scene, (void)fluid, (void)solid;                                                                         \
        change;                                                                                                        \
        refuse(&rig, MN_ERROR_INPUT, word);                                                                            \
    } while (0)

static void a_good_one_passes(void **state) {
    (void)state;
    Rig rig;
    mnError error;
    rig_begin(&rig);
    if (create(&rig, &error) != MN_OK) fail_msg("%s", error.text);
    assert_true(rig.asked > 100000);
}

static void scene_numbers(void **state) {
    (void)state;
    REFUSE(scene->cookie = 0, "mn_default_scene");
    REFUSE(*scene = (mnSceneDesc){.dimension = 3}, "mn_default_scene");
    REFUSE(scene->dimension = 1, "dimension");
    REFUSE(scene->dimension = 4, "dimension");
    REFUSE(scene->spacing = 0, "spacing");
    REFUSE(scene->spacing = -1e-3, "spacing");
    REFUSE(scene->spacing = NAN, "spacing");
    REFUSE(scene->spacing = INFINITY, "spacing");
    REFUSE(scene->spacing = 1e-9, "spacing");
    REFUSE(scene->spacing = 1e4, "spacing");
    REFUSE(scene->gravity[1] = NAN, "gravity");
    REFUSE(scene->gravity[0] = 1e7, "gravity");
    REFUSE(scene->gravity[2] = -INFINITY, "gravity");
    REFUSE((scene->dimension = 2, scene->gravity[2] = -9.81), "plane");
    REFUSE((scene->dimension = 2, scene->gravity[2] = 0, rig.body.velocity[2] = 1), "plane");
    REFUSE(scene->max_particles = -1, "number of particles");
    REFUSE(scene->fluid_count = 0, "fluid");
    REFUSE(scene->fluid_count = -1, "fluid");
    REFUSE(scene->fluids = NULL, "fluid");
    REFUSE(rig.options.threads = 100000, "threads");
}

/* A count without an array, or a negative one, is never followed. */
static void arrays(void **state) {
    (void)state;
    REFUSE(scene->solids = NULL, "solids");
    REFUSE(scene->solid_count = -1, "solids");
    REFUSE(fluid->bodies = NULL, "fluid 0: bodies");
    REFUSE(fluid->body_count = -1, "fluid 0: bodies");
    REFUSE(scene->emitter_count = 1, "emitters");
    REFUSE((scene->emitters = &rig.emitter, scene->emitter_count = -1), "emitters");
    REFUSE(scene->sink_count = 1, "sinks");
    REFUSE((scene->sinks = &rig.sink, scene->sink_count = -1), "sinks");
    REFUSE(scene->schedule_count = 1, "schedules");
    REFUSE((scene->schedules = &rig.schedule, scene->schedule_count = -1), "schedules");
    REFUSE(solid->motion_count = 2, "solid 0: motion");
    REFUSE((solid->motion = rig.motion, solid->motion_count = -1), "solid 0: motion");
    REFUSE((solid->shape.kind = MN_SHAPE_UNION, solid->shape.child_count = 2), "children");
    REFUSE((rig.body.shape.kind = MN_SHAPE_UNION, rig.body.shape.child_count = 2), "children");
    REFUSE((solid->shape = mn_default_shape(MN_SHAPE_UNION), solid->shape.children = &rig.child,
            solid->shape.child_count = -1),
           "children");
    REFUSE((solid->shape = mn_default_shape(MN_SHAPE_UNION), rig.child = mn_default_shape(MN_SHAPE_UNION),
            rig.child.child_count = 1, solid->shape.children = &rig.child, solid->shape.child_count = 1),
           "children");
    REFUSE((rig.child = mn_default_shape(MN_SHAPE_UNION), rig.child.children = &rig.child, rig.child.child_count = 1,
            solid->shape = rig.child),
           "deep");
    REFUSE((scene->schedules = &rig.schedule, scene->schedule_count = 1, rig.schedule.keys = NULL,
            rig.schedule.key_count = 2),
           "schedule 0: keys");
    REFUSE((scene->emitters = &rig.emitter, scene->emitter_count = 1, rig.emitter.kind = MN_EMITTER_DROPS,
            rig.emitter.drops = NULL, rig.emitter.drop_count = -1),
           "emitter 0: drops");
}

static void materials(void **state) {
    (void)state;
    REFUSE(fluid->density = -1000, "density");
    REFUSE(fluid->density = 0, "density");
    REFUSE(fluid->density = NAN, "density");
    REFUSE(fluid->density = INFINITY, "density");
    REFUSE(fluid->density = 1e-7, "density");
    REFUSE(fluid->density = 1e7, "density");
    REFUSE(fluid->viscosity = -1, "viscosity");
    REFUSE(fluid->viscosity = INFINITY, "viscosity");
    REFUSE(fluid->viscosity = NAN, "viscosity");
    REFUSE(fluid->viscosity = 1e10, "viscosity");
    REFUSE(fluid->tension_vapor = -0.072, "tension");
    REFUSE(fluid->tension_fluid = NAN, "tension");
    REFUSE(fluid->tension_solid = INFINITY, "tension");
    REFUSE(fluid->cohesion = -1, "cohesion");
    REFUSE(fluid->cohesion = INFINITY, "cohesion");
    REFUSE(fluid->squared_gradient = -1e-9, "squared gradient");
    REFUSE(fluid->squared_gradient = 1e13, "squared gradient");
    REFUSE(rig.body.velocity[1] = NAN, "fluid 0: the velocity of body 0");
    REFUSE(rig.body.velocity[0] = INFINITY, "fluid 0: the velocity of body 0");
    REFUSE(rig.body.angular_velocity[2] = NAN, "fluid 0: the velocity of body 0");
    REFUSE(rig.body.angular_velocity[0] = -INFINITY, "fluid 0: the velocity of body 0");
    REFUSE(solid->tension_vapor = -1, "tension");
    REFUSE(solid->tension_fluid = NAN, "tension");
    REFUSE(solid->friction = -0.1, "friction");
    REFUSE(solid->friction = NAN, "friction");
    REFUSE((rig.frictions[0] = -1, solid->friction_of = rig.frictions), "friction");
    REFUSE(rig.angles[0] = -0.1, "angle");
    REFUSE(rig.angles[0] = 4, "angle");
}

static void solver_and_time(void **state) {
    (void)state;
    REFUSE(scene->solver.kind = (mnSolverKind)(MN_SOLVER_ANDERSON + 1), "solver's kind");
    REFUSE(scene->solver.kind = (mnSolverKind)-1, "solver's kind");
    REFUSE(scene->solver.coupling = (mnCoupling)(MN_COUPLING_TENSION_THEN_PRESSURE + 1), "coupling");
    REFUSE(scene->solver.tension_model = (mnTensionModel)(MN_TENSION_ROBUST_CSF + 1), "tension model");
    REFUSE(scene->solver.tension_model = (mnTensionModel)-1, "tension model");
    REFUSE(scene->solver.measure = (mnMeasure)(MN_MEASURE_NUMBER_DENSITY + 1), "measure");
    REFUSE(scene->solver.volume_tolerance = 0, "tolerance");
    REFUSE(scene->solver.force_tolerance = NAN, "tolerance");
    REFUSE(scene->solver.volume_recovery = 0, "recovery");
    REFUSE(scene->solver.volume_recovery = 1.5, "recovery");
    REFUSE(scene->solver.min_iterations = 0, "iterations");
    REFUSE(scene->solver.max_iterations = 1, "iterations");
    REFUSE(scene->solver.relaxation_pressure = 0, "relaxation");
    REFUSE(scene->solver.relaxation_tension = 2.5, "relaxation");
    REFUSE(scene->solver.warm_start_pressure = -0.1, "warm start");
    REFUSE(scene->solver.anderson_depth = 0, "Anderson");
    REFUSE(scene->solver.anderson_depth = 9, "Anderson");
    REFUSE(scene->time.min_step = 0, "time step");
    REFUSE(scene->time.max_step = 1e-12, "time step");
    REFUSE(scene->time.max_step = NAN, "time step");
    REFUSE(scene->time.cfl_velocity = 0, "time step");
    REFUSE(scene->time.capillary_ratio = NAN, "time step");
    REFUSE((scene->time.adaptive = false, scene->time.step = 0), "time step");
    REFUSE((scene->time.adaptive = false, scene->time.step = NAN), "time step");
}

static void what_happens(void **state) {
    (void)state;
    REFUSE((rig.schedule = (mnSchedule){MN_QUANTITY_FLUID_VISCOSITY, 3, -1, &rig.key, 1},
            scene->schedules = &rig.schedule, scene->schedule_count = 1),
           "no fluid 3");
    REFUSE((rig.schedule = (mnSchedule){MN_QUANTITY_SOLID_FRICTION, 0, 7, &rig.key, 1},
            scene->schedules = &rig.schedule, scene->schedule_count = 1),
           "no fluid 7");
    REFUSE((solid->motion = rig.motion, solid->motion_count = 2), "motion");
    REFUSE((rig.motion[0].rotation[3] = rig.motion[1].rotation[3] = 1, rig.motion[0].time = 1,
            solid->motion = rig.motion, solid->motion_count = 2),
           "motion");
    REFUSE((rig.emitter.fluid = 4, scene->emitters = &rig.emitter, scene->emitter_count = 1), "emitter 0");
    REFUSE((rig.emitter.speed = NAN, scene->emitters = &rig.emitter, scene->emitter_count = 1), "emitter 0");
}

/* Found only when cells are numbered; nothing is wrong with the memory. */
static void absurdly_far(void **state) {
    (void)state;
    for (int which = 0; which < 2; which++) {
        Rig rig;
        mnError error;
        rig_begin(&rig);
        *(which ? &rig.body.shape.translation[0] : &rig.setup.solids[0].shape.translation[0]) = 1e25;
        assert_int_equal(create(&rig, &error), MN_ERROR_UNSTABLE);
        assert_non_null(strstr(error.text, "absurdly far"));
    }
}

/* The culprit is named. */
static void shapes(void **state) {
    (void)state;
    REFUSE(rig.body.shape.radius = -1, "fluid \"water\" body 0");
    REFUSE(rig.body.shape.scale = 0, "fluid \"water\" body 0");
    REFUSE(rig.body.shape.kind = (mnShapeKind)(MN_SHAPE_UNION + 1), "no known kind (9)");
    REFUSE(solid->shape.kind = (mnShapeKind)-1, "no known kind");
    REFUSE((solid->shape = mn_default_shape(MN_SHAPE_UNION), rig.child.kind = (mnShapeKind)77,
            solid->shape.children = &rig.child, solid->shape.child_count = 1),
           "no known kind (77)");
    REFUSE(solid->shape = mn_default_shape(MN_SHAPE_UNION), "no shapes");
    REFUSE(memset(solid->shape.normal, 0, sizeof solid->shape.normal), "solid \"solid\"");
    REFUSE(solid->shape.translation[0] = NAN, "solid \"solid\"");
}

static void too_many_particles(void **state) {
    (void)state;
    REFUSE(scene->max_particles = 100, "max_particles");
    REFUSE((rig.body.shape.radius = 10, scene->spacing = 1e-3), "particles");
    REFUSE((rig.body.shape.radius = 1e4, rig.body.shape.translation[2] = 1e4), "particles");
}

/* A cube of 1000 particles. */
static void rig_begin_cube(Rig *rig) {
    rig_begin(rig);
    rig->setup.desc.solid_count = 0;
    rig->body.shape = mn_default_shape(MN_SHAPE_BOX);
    for (int a = 0; a < 3; a++) rig->body.shape.size[a] = 10e-3;
}

/* The limit holds to the particle, for the estimate as for the simulation. */
static void limit_is_exact(void **state) {
    (void)state;
    for (int64_t limit = 999; limit <= 1000; limit++) {
        Rig rig;
        mnError error;
        int64_t particles = 0;
        size_t bytes = 0;
        rig_begin_cube(&rig);
        rig.setup.desc.max_particles = limit;
        mnStatus expected = limit < 1000 ? MN_ERROR_INPUT : MN_OK;
        assert_int_equal(create(&rig, &error), expected);
        if (limit < 1000) assert_non_null(strstr(error.text, "max_particles"));
        assert_int_equal(mn_sim_estimate(&rig.setup.desc, &particles, &bytes, &error), expected);
        assert_int_equal(particles, 1000);
    }
}

/* Thinner than a particle, but a whole layer of them. */
static void thin_shapes_count(void **state) {
    (void)state;
    Rig rig;
    mnError error;
    rig_begin_cube(&rig);
    rig.body.shape.size[0] = rig.body.shape.size[1] = 0.3;
    rig.body.shape.size[2] = 1e-6;
    rig.setup.desc.max_particles = 50000;
    refuse(&rig, MN_ERROR_INPUT, "9e+04 fluid");
    rig.setup.desc.max_particles = 0;
    rig.options.memory_limit = (size_t)50e6;
    assert_int_equal(create(&rig, &error), MN_ERROR_MEMORY);
    assert_true(rig.asked < 50000);
}

/* What is refused later is refused by the estimate, too. */
static void estimate_refuses(void **state) {
    (void)state;
    Rig rig;
    mnError error;
    int64_t particles;
    size_t bytes;
    rig_begin(&rig);
    rig.body.shape = mn_default_shape(MN_SHAPE_PLANE);
    rig.body.shape.size[0] = rig.body.shape.size[1] = 1e-2;
    assert_int_equal(mn_sim_estimate(&rig.setup.desc, &particles, &bytes, &error), MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "half-space"));
    rig_begin(&rig);
    rig.emitter.radius = 1000;
    rig.setup.desc.emitters = &rig.emitter;
    rig.setup.desc.emitter_count = 1;
    assert_int_equal(mn_sim_estimate(&rig.setup.desc, &particles, &bytes, &error), MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "emitter 0"));
    /* A thousand cubes of a thousand: more than any machine holds. */
    rig_begin_cube(&rig);
    for (int a = 0; a < 3; a++) rig.body.shape.size[a] = 1;
    assert_int_equal(mn_sim_estimate(&rig.setup.desc, &particles, &bytes, &error), MN_ERROR_MEMORY);
    assert_near((double)particles, 1e9, 1);
    assert_true(bytes > (size_t)1e12);
}

/* Fluid makes room for a solid where it is at the start, not where it was drawn. */
static void moved_solids_take_their_place(void **state) {
    (void)state;
    Rig rig;
    rig_begin(&rig);
    rig.setup.solids[0].shape = mn_default_shape(MN_SHAPE_BOX);
    rig.setup.solids[0].shape.size[0] = 20e-3;
    rig.setup.solids[0].shape.size[1] = rig.setup.solids[0].shape.size[2] = 6e-3;
    rig.body.shape.translation[1] = 20e-3;
    rig.body.shape.translation[2] = 0;
    /* A quarter turn about z puts the end of the bar into the drop, whose centre it reaches after a shift. */
    rig.motion[0] = (mnMotionKey){.translation = {0, 10e-3, 0}, .rotation = {0, 0, sqrt(0.5), sqrt(0.5)}};
    rig.motion[1] = rig.motion[0];
    rig.motion[1].time = 1;
    rig.setup.solids[0].motion = rig.motion;
    rig.setup.solids[0].motion_count = 2;
    mnSim *sim = sim_create(&rig.setup, 1);
    mnParticles particles = mn_sim_particles(sim);
    mnBoundary boundary = mn_sim_boundary(sim);
    assert_true(mn_sim_sampling(sim).overlap_removed > 50);
    assert_true(particles.count > 50);
    for (int64_t i = 0; i < particles.count; i++)
        for (int64_t b = 0; b < boundary.count; b++) {
            double square = 0;
            for (int a = 0; a < 3; a++) {
                double apart = get(particles.position[i], a) - get(boundary.position[b], a);
                square += apart * apart;
            }
            assert_true(square > 0.8e-3 * 0.8e-3);
        }
    mn_sim_destroy(sim);
}

static void too_little_memory(void **state) {
    (void)state;
    Rig rig;
    mnError error;
    rig_begin(&rig);
    rig.options.memory_limit = 200000;
    assert_int_equal(create(&rig, &error), MN_ERROR_MEMORY);
    assert_non_null(strstr(error.text, "particles"));
    assert_non_null(strstr(error.text, "GB"));
    assert_true(rig.asked < 50000); /* it was said before it was tried */

    /* A cube of 20 cm: 8 million particles. */
    rig_begin(&rig);
    rig.body.shape = mn_default_shape(MN_SHAPE_BOX);
    for (int a = 0; a < 3; a++) rig.body.shape.size[a] = 0.2;
    rig.body.shape.translation[2] = 0.11;
    rig.options.memory_limit = (size_t)1 << 30;
    assert_int_equal(create(&rig, &error), MN_ERROR_MEMORY);
    assert_true(rig.asked < 50000);

    int64_t particles = 0;
    size_t bytes = 0;
    mn_sim_estimate(&rig.setup.desc, &particles, &bytes, &error); /* fails on machines that have less */
    assert_near((double)particles, 8e6, 1e6);
    assert_true(bytes > (size_t)5e9);
}

static mnStatus step_often(mnSim *sim, mnError *error) {
    mnStatus status = MN_OK;
    for (int step = 0; step < 4 && status == MN_OK; step++) status = mn_sim_step(sim, INFINITY, NULL, error);
    return status;
}

/* Drops that appear while the memory runs out, in whatever array: the step says so, and what is there can be seen. The
 * first run has all it asks for; the others have a part of what that took beyond the start. */
static void memory_runs_out_in_a_step(void **state) {
    (void)state;
    enum { PARTS = 16, RUNS = 20 };
    mnTimedDrop drops[] = {{.time = 0, .position = {0, 0, 0.1}, .radius = 4e-3},
                           {.time = 5e-4, .position = {0, 0, 0.2}, .radius = 1e-2}};
    size_t needed = 0;
    int failed = 0, finished = 0;
    for (int run = -1; run < RUNS; run++) {
        Rig rig;
        mnSim *sim = NULL;
        mnError error = {0};
        rig_begin(&rig);
        rig.emitter = mn_default_emitter(MN_EMITTER_DROPS);
        rig.emitter.drops = drops;
        rig.emitter.drop_count = 2;
        rig.setup.desc.emitters = &rig.emitter;
        rig.setup.desc.emitter_count = 1;
        if (mn_sim_create(&rig.setup.desc, &rig.options, &sim, &error) != MN_OK) fail_msg("%s", error.text);
        size_t start = rig.asked = rig.held;
        if (run >= 0) sim->memory.limit = start + needed * (size_t)run / PARTS;
        mnStatus status = step_often(sim, &error);
        if (run < 0) needed = rig.asked - start;
        mnTotals totals = mn_sim_totals(sim);
        assert_true(totals.mass > 0 && isfinite(totals.surface_energy));
        assert_int_equal(mn_sim_step(sim, INFINITY, NULL, &error), status); /* and it stays that way */
        assert_true(status == MN_OK || (status == MN_ERROR_MEMORY && run >= 0));
        failed += status == MN_ERROR_MEMORY;
        finished += status == MN_OK;
        mn_sim_destroy(sim);
        assert_int_equal(rig.held, 0);
    }
    print_message("%d runs ended for lack of memory, %d had enough\n", failed, finished);
    assert_true(failed >= 8 && finished >= 5);
}

static void errors_may_be_ignored(void **state) {
    (void)state;
    Rig rig;
    mnSim *sim = (mnSim *)&rig;
    rig_begin(&rig);
    rig.setup.desc.dimension = 7;
    assert_int_equal(mn_sim_create(&rig.setup.desc, &rig.options, &sim, NULL), MN_ERROR_INPUT);
    assert_null(sim);
    rig_begin(&rig);
    assert_int_equal(mn_sim_create(&rig.setup.desc, NULL, &sim, NULL), MN_OK);
    assert_int_equal(mn_sim_step(sim, INFINITY, NULL, NULL), MN_OK);
    mn_sim_destroy(sim);
    mn_sim_destroy(NULL);
}

/* Everything above once more with both outputs caught in a file, which must stay empty. */
static void never_a_word(void **state) {
    fflush(stdout);
    fflush(stderr);
    int out = dup(1), err = dup(2);
    FILE *caught = tmpfile();
    assert_non_null(caught);
    dup2(fileno(caught), 1);
    dup2(fileno(caught), 2);
    scene_numbers(state);
    arrays(state);
    materials(state);
    solver_and_time(state);
    shapes(state);
    too_many_particles(state);
    too_little_memory(state);
    errors_may_be_ignored(state);
    fflush(stdout);
    fflush(stderr);
    long said = lseek(fileno(caught), 0, SEEK_END);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    fclose(caught);
    assert_int_equal(said, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_one_passes),
        cmocka_unit_test(scene_numbers),
        cmocka_unit_test(arrays),
        cmocka_unit_test(materials),
        cmocka_unit_test(solver_and_time),
        cmocka_unit_test(what_happens),
        cmocka_unit_test(shapes),
        cmocka_unit_test(absurdly_far),
        cmocka_unit_test(too_many_particles),
        cmocka_unit_test(limit_is_exact),
        cmocka_unit_test(thin_shapes_count),
        cmocka_unit_test(estimate_refuses),
        cmocka_unit_test(moved_solids_take_their_place),
        cmocka_unit_test(too_little_memory),
        cmocka_unit_test(memory_runs_out_in_a_step),
        cmocka_unit_test(errors_may_be_ignored),
        cmocka_unit_test(never_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
