/* What must hold however long a run is: momentum, the same bits for any number of threads, no memory taken by a warm
 * step, names that stay, nothing left behind. */
#include "sim_helpers.h"

static const double h = 5e-4;

static void put_ball(mnSim *sim, double radius, double jitter, uint64_t seed) {
    double spacing = sim->scene->spacing;
    int reach = (int)ceil(radius / spacing) + 1, depth = sim->scene->dimension == 3 ? reach : 0;
    for (int k = -depth; k <= depth; k++)
        for (int j = -reach; j <= reach; j++)
            for (int i = -reach; i <= reach; i++) {
                double x[3] = {spacing * (i + 0.5), spacing * (j + 0.5), depth ? spacing * (k + 0.5) : 0};
                if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] > radius * radius) continue;
                for (int a = 0; a < sim->scene->dimension; a++) x[a] += spacing * uniform(&seed, -jitter, jitter);
                put_fluid(sim, x[0], x[1], x[2], 0);
            }
}

/* Momentum of either kind over some steps, by what a drop has whose particles go as fast as tension makes them. */
static void check_momentum(mnSim *sim, double radius, int steps) {
    mnTotals before = mn_sim_totals(sim);
    double unit = before.mass * sqrt(0.072 / (1000 * radius)), momentum = 0, angular = 0;
    for (int step = 0; step < steps; step++) {
        sim_step(sim);
        mnTotals now = mn_sim_totals(sim);
        for (int a = 0; a < 3; a++) {
            momentum = fmax(momentum, fabs(now.momentum[a] - before.momentum[a]));
            angular = fmax(angular, fabs(now.angular_momentum[a] - before.angular_momentum[a]));
        }
    }
    print_message("%dD: momentum drifts by %.2g, angular momentum by %.2g\n", sim->scene->dimension, momentum / unit,
                  angular / (unit * radius));
    assert_true(momentum <= 1e-5 * unit);
    assert_true(angular <= 1e-5 * unit * radius);
}

static void check_drop(int dimension, mnTensionModel model, double spin) {
    Setup setup;
    double radius = 6 * h;
    setup_begin(&setup, dimension, h, 1, 0);
    setup.desc.solver.tension_model = model;
    setup.fluids[0] = mn_default_fluid();
    mnSim *sim = sim_begin(&setup, 1);
    put_ball(sim, radius, 0.2, 17);
    for (int64_t i = 0; i < sim->world.fluid.count; i++) {
        mnVec x = sim->world.fluid.position[i];
        sim->world.fluid.velocity[i] = mn_vec((mnReal)-spin * x.y, (mnReal)spin * x.x, 0, 0);
    }
    sim_end(sim);
    check_momentum(sim, radius, 1000);
    mn_sim_destroy(sim);
}

static void momentum_in_space(void **state) {
    (void)state;
    check_drop(3, MN_TENSION_ENERGY, 0);
}

static void momentum_in_the_plane(void **state) {
    (void)state;
    for (int model = MN_TENSION_ENERGY; model <= MN_TENSION_ROBUST_CSF; model++)
        check_drop(2, (mnTensionModel)model, 20);
}

/* A drop in steps of twice the capillary limit, each particle with a velocity of its own. */
static mnSim *make_hasty_drop(int dimension, int threads) {
    Setup setup;
    uint64_t seed = 23;
    setup_begin(&setup, dimension, h, 1, 0);
    setup.desc.time.adaptive = false;
    setup.desc.time.step = 2 * sqrt(1000 * h * h * h / (2 * PI * 0.072));
    mnSim *sim = sim_begin(&setup, threads);
    put_ball(sim, 6 * h, 0.2, 17);
    for (int64_t i = 0; i < sim->world.fluid.count; i++)
        for (int a = 0; a < dimension; a++) set(&sim->world.fluid.velocity[i], a, uniform(&seed, -0.05, 0.05));
    sim_end(sim);
    return sim;
}

static void momentum_beyond_the_capillary_limit(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mnSim *sim = make_hasty_drop(dimension, 1);
        check_momentum(sim, 6 * h, 100);
        assert_near(sim->world.constants.lateness, 1, 1e-5);
        mn_sim_destroy(sim);
    }
}

/* ---- a scene with everything ------------------------------------------------------------------------------------- */

typedef struct Busy {
    Setup setup;
    mnBody bodies[2];
    mnEmitter emitter;
    mnSink sink;
    mnMotionKey motion[2];
    mnScheduleKey keys[2];
    mnSchedule schedule;
} Busy;

/* Two fluids on a floor with friction, a wall that comes nearer, a jet, a sink, a schedule. Never copy one. */
static void busy_begin(Busy *busy, bool walls_move) {
    memset(busy, 0, sizeof *busy);
    Setup *setup = &busy->setup;
    setup_begin(setup, 3, h, 2, 2);
    setup->desc.gravity[2] = -9.81;
    for (int f = 0; f < 2; f++) {
        busy->bodies[f].shape = mn_default_shape(MN_SHAPE_SPHERE);
        busy->bodies[f].shape.radius = 4 * h;
        busy->bodies[f].shape.translation[0] = (f ? 4 : -4) * h;
        busy->bodies[f].shape.translation[2] = 3.5 * h;
        setup->fluids[f].viscosity = 0.01 + 0.1 * f;
        setup->fluids[f].tension_fluid = 0.01;
        setup->fluids[f].bodies = &busy->bodies[f];
        setup->fluids[f].body_count = 1;
    }
    setup->solids[0].shape = mn_default_shape(MN_SHAPE_PLANE);
    setup->solids[0].shape.size[0] = setup->solids[0].shape.size[1] = 24 * h;
    setup->solids[0].friction = 0.4;
    setup->solids[1].shape = mn_default_shape(MN_SHAPE_BOX);
    setup->solids[1].shape.size[0] = 3 * h;
    setup->solids[1].shape.size[1] = setup->solids[1].shape.size[2] = 8 * h;
    setup->solids[1].shape.translation[0] = -12 * h;
    setup->solids[1].shape.translation[2] = 6 * h;
    for (int k = 0; k < 2; k++) {
        busy->motion[k].time = 0.1 * k;
        busy->motion[k].translation[0] = 0.02 * k;
        busy->motion[k].rotation[3] = 1;
        busy->keys[k].time = 0.01 * k;
        busy->keys[k].value[0] = 0.5 + 1.5 * k;
    }
    setup->solids[1].motion = busy->motion;
    setup->solids[1].motion_count = walls_move ? 2 : 0; /* all awake, or most asleep */
    busy->emitter = mn_default_emitter(MN_EMITTER_ROUND);
    busy->emitter.position[2] = 14 * h;
    busy->emitter.radius = 2 * h;
    busy->emitter.speed = 0.8;
    setup->desc.emitters = &busy->emitter;
    setup->desc.emitter_count = 1;
    busy->sink = mn_default_sink();
    for (int a = 0; a < 3; a++) busy->sink.upper[a] = 6 * h, busy->sink.lower[a] = 5 * h;
    busy->sink.lower[1] = busy->sink.lower[2] = 0;
    setup->desc.sinks = &busy->sink;
    setup->desc.sink_count = 1;
    busy->schedule = (mnSchedule){MN_QUANTITY_SOLID_CONTACT_ANGLE, 0, -1, busy->keys, 2};
    setup->desc.schedules = &busy->schedule;
    setup->desc.schedule_count = 1;
}

static void assert_same(const mnSim *a, const mnSim *b) {
    mnParticles p = mn_sim_particles(a), q = mn_sim_particles(b);
    mnBoundary s = mn_sim_boundary(a), t = mn_sim_boundary(b);
    mnTotals x = mn_sim_totals(a), y = mn_sim_totals(b);
    assert_int_equal(p.count, q.count);
    size_t n = (size_t)p.count, m = (size_t)s.count;
    assert_memory_equal(p.position, q.position, n * sizeof(mnVec));
    assert_memory_equal(p.velocity, q.velocity, n * sizeof(mnVec));
    assert_memory_equal(p.pressure, q.pressure, n * sizeof(mnReal));
    assert_memory_equal(p.measure, q.measure, n * sizeof(mnVec));
    assert_memory_equal(p.phase, q.phase, n * sizeof(int32_t));
    assert_memory_equal(p.id, q.id, n * sizeof(int64_t));
    assert_memory_equal(s.position, t.position, m * sizeof(mnVec));
    assert_memory_equal(s.velocity, t.velocity, m * sizeof(mnVec));
    assert_memory_equal(&x, &y, sizeof x);
}

static void same_bits_for_two_threads(void **state) {
    (void)state;
    Busy busy;
    for (int k = 0; k < 6; k++) { /* three ways to iterate, two other laws of tension, then walls that sleep */
        busy_begin(&busy, k < 5);
        if (k < 3)
            busy.setup.desc.solver.kind = (mnSolverKind)k;
        else if (k < 5)
            busy.setup.desc.solver.tension_model = (mnTensionModel)(k - 2);
        mnSim *one = sim_create(&busy.setup, 1), *two = sim_create(&busy.setup, 2);
        assert_int_equal(mn_sim_threads(one), 1);
        assert_int_equal(mn_sim_threads(two), 2);
        assert_same(one, two);
        int64_t emitted = 0, removed = 0;
        double friction = 0;
        int viscous = 0;
        for (int step = 0; step < 30; step++) {
            mnStepReport a = sim_step(one), b = sim_step(two);
            assert_int_equal(a.iterations, b.iterations);
            assert_true(a.dt == b.dt && a.residual_tension == b.residual_tension &&
                        a.residual_volume == b.residual_volume && a.residual_friction == b.residual_friction &&
                        a.max_velocity == b.max_velocity);
            assert_same(one, two);
            emitted += a.emitted, removed += a.removed, viscous += a.viscosity_iterations;
            const mnVec *found = one->world.fluid.friction;
            for (int64_t i = 0; i < one->world.fluid.count; i++)
                friction = fmax(friction, (double)mn_dot(found[i], found[i]));
        }
        /* It was worth comparing. */
        assert_true(emitted > 0 && removed > 0 && viscous > 0 && friction > 0);
        double walls;
        mn_run_sums(&one->world, MN_PASS_wall_speed, &walls);
        assert_true(k < 5 ? sqrt(walls) > 0.1 : walls == 0);
        mn_sim_destroy(one);
        mn_sim_destroy(two);
    }
}

static void same_bits_beyond_the_capillary_limit(void **state) {
    (void)state;
    mnSim *one = make_hasty_drop(3, 1), *two = make_hasty_drop(3, 2);
    for (int step = 0; step < 30; step++) {
        mnStepReport a = sim_step(one), b = sim_step(two);
        assert_int_equal(a.iterations, b.iterations);
        assert_same(one, two);
    }
    mn_sim_destroy(one);
    mn_sim_destroy(two);
}

/* A drop on a wall with friction and viscosity. */
static void wall_begin(Setup *setup, mnBody *body, double radius, double patch) {
    setup_begin(setup, 3, h, 1, 1);
    *body = (mnBody){.shape = mn_default_shape(MN_SHAPE_SPHERE)};
    body->shape.radius = radius;
    body->shape.translation[2] = 0.7 * radius;
    setup->desc.gravity[2] = -9.81;
    setup->fluids[0] = mn_default_fluid();
    setup->fluids[0].bodies = body;
    setup->fluids[0].body_count = 1;
    setup->solids[0].shape = mn_default_shape(MN_SHAPE_PLANE);
    setup->solids[0].shape.size[0] = setup->solids[0].shape.size[1] = patch;
    setup->solids[0].friction = 0.3;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Warm is when the drop has spread: until then the walls' lists grow with what is wet. Ids are the same set after every
 * step, and a particle with an id is still where that one was. */
static void warm_steps_take_nothing_and_names_stay(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    wall_begin(&setup, &body, 5 * h, 20 * h);
    mnSim *sim = sim_create(&setup, 1);
    int64_t count = mn_sim_particles(sim).count, takes = 0;
    mnVec *last = calloc((size_t)count, sizeof *last);
    int64_t *ids = calloc((size_t)count, sizeof *ids);
    for (int step = 0; step < 220; step++) {
        if (step == 120) takes = sim->memory.takes;
        mnStepReport report = sim_step(sim);
        mnParticles p = mn_sim_particles(sim);
        assert_int_equal(p.count, count);
        memcpy(ids, p.id, (size_t)count * sizeof *ids);
        qsort(ids, (size_t)count, sizeof *ids, by_value);
        for (int64_t i = 0; i < count; i++) {
            assert_int_equal(ids[i], i);
            mnVec moved = mn_sub(p.position[i], last[p.id[i]]);
            double most = 1.01 * report.max_velocity * report.dt + 1e-6 * h;
            assert_true(step == 0 || sqrt((double)mn_dot(moved, moved)) <= most);
            last[p.id[i]] = p.position[i];
        }
    }
    assert_int_equal(sim->memory.takes, takes);
    free(last);
    free(ids);
    mn_sim_destroy(sim);
}

/* One and a half kilobytes a particle; on a device as well, and what is left here is a copy of what can be seen.
 * Boundary particles, here nearly as many, are counted in. */
static void particles_are_small(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    wall_begin(&setup, &body, 18 * h, 60 * h);
    mnSim *sim = sim_create(&setup, 2);
    sim_step(sim);
    double each = (double)mn_sim_memory(sim) / (double)mn_sim_particles(sim).count;
    int64_t particles = 0;
    size_t bytes = 0;
    assert_int_equal(mn_sim_estimate(&setup.desc, &particles, &bytes, NULL), MN_OK);
    print_message("%lld fluid, %lld boundary particles: %.0f bytes each; estimated %.2f of that\n",
                  (long long)mn_sim_particles(sim).count, (long long)mn_sim_boundary(sim).count, each,
                  (double)bytes / (double)mn_sim_memory(sim));
    assert_true(mn_sim_particles(sim).count > 20000);
    if (mn_sim_device_memory(sim) > 0) {
        double there = (double)mn_sim_device_memory(sim) / (double)mn_sim_particles(sim).count;
        print_message("on the device: %.0f bytes each\n", there);
        assert_true(each <= 256 && there <= 1536);
    } else {
        assert_true(each <= 1536);
        assert_true((double)bytes > 0.7 * (double)mn_sim_memory(sim) &&
                    (double)bytes < 1.5 * (double)mn_sim_memory(sim));
    }
    mn_sim_destroy(sim);
}

/* A plate that is larger, with no fluid on what is more of it, takes twelve bytes more for each particle. On a device
 * walls do not sleep. */
static void far_walls_are_smaller(void **state) {
    (void)state;
    double bytes[2], walls[2];
    bool is_on_device = false;
    for (int k = 0; k < 2; k++) {
        Setup setup;
        mnBody body;
        wall_begin(&setup, &body, 6 * h, (k ? 240 : 60) * h);
        mnSim *sim = sim_create(&setup, 2);
        for (int step = 0; step < 3; step++) sim_step(sim);
        bytes[k] = (double)mn_sim_memory(sim);
        walls[k] = (double)mn_sim_sampling(sim).boundary;
        is_on_device = mn_sim_device_memory(sim) > 0;
        mn_sim_destroy(sim);
    }
    if (is_on_device) return;
    print_message("%.0f and %.0f particles of walls, %.1f bytes for each of the difference\n", walls[0], walls[1],
                  (bytes[1] - bytes[0]) / (walls[1] - walls[0]));
    assert_true(walls[1] > 10 * walls[0]);
    assert_true(bytes[1] - bytes[0] < 12 * (walls[1] - walls[0]));
}

/* In 2D, where a particle has a quarter of the neighbours. */
static void flat_scenes_are_estimated_as_well(void **state) {
    (void)state;
    Setup setup;
    mnBody body;
    wall_begin(&setup, &body, 30 * h, 80 * h);
    setup.desc.dimension = 2;
    body.shape.translation[1] = body.shape.translation[2];
    body.shape.translation[2] = setup.desc.gravity[2] = setup.solids[0].shape.normal[2] = 0;
    setup.desc.gravity[1] = -9.81;
    setup.solids[0].shape.normal[1] = 1;
    mnSim *sim = sim_create(&setup, 1);
    sim_step(sim);
    int64_t particles = 0;
    size_t bytes = 0;
    assert_int_equal(mn_sim_estimate(&setup.desc, &particles, &bytes, NULL), MN_OK);
    double share = (double)bytes / (double)mn_sim_memory(sim);
    print_message("%lld particles, estimated %.2f of the memory\n", (long long)particles, share);
    assert_true(share > 0.7 && (share < 1.5 || mn_sim_device_memory(sim) > 0));
    mn_sim_destroy(sim);
}

/* ---- allocators -------------------------------------------------------------------------------------------------- */

typedef struct Counter {
    size_t held, peak;
    int64_t calls, fail_at; /* the call that gets NULL; −1: none */
    bool fail_once;         /* else all that follow fail too */
} Counter;

static void *count_allocate(void *context, size_t bytes) {
    Counter *counter = context;
    int64_t call = counter->calls++;
    if (call == counter->fail_at || (counter->fail_at >= 0 && call > counter->fail_at && !counter->fail_once))
        return NULL;
    counter->held += bytes;
    if (counter->held > counter->peak) counter->peak = counter->held;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void count_release(void *context, void *block, size_t bytes) {
    Counter *counter = context;
    counter->held -= bytes;
    free(block);
}

/* Creates and steps the busy scene; MN_OK or the first error. Steps on after an error, which must do no harm. */
static mnStatus run_counted(const Busy *busy, Counter *counter, int steps) {
    mnOptions options = sim_options(1);
    options.allocator = (mnAllocator){count_allocate, count_release, counter};
    mnSim *sim = NULL;
    mnError error = {0};
    mnStatus status = mn_sim_create(&busy->setup.desc, &options, &sim, &error), first = status;
    for (int step = 0; sim && step < steps; step++) {
        status = mn_sim_step(sim, INFINITY, NULL, &error);
        if (first == MN_OK) first = status;
    }
    if (sim) assert_int_equal(mn_sim_memory(sim), counter->held);
    assert_true((first == MN_OK) == (error.text[0] == 0));
    mn_sim_destroy(sim);
    return first;
}

static void check_failures(bool walls_move) {
    Busy busy;
    busy_begin(&busy, walls_move);
    busy.setup.desc.sink_count = 0; /* so that every array has to grow while it runs */
    Counter counter = {.fail_at = -1};
    assert_int_equal(run_counted(&busy, &counter, 0), MN_OK);
    int64_t to_create = counter.calls;
    counter = (Counter){.fail_at = -1};
    assert_int_equal(run_counted(&busy, &counter, 6), MN_OK);
    assert_int_equal(counter.held, 0);
    assert_true(counter.peak > 100000);
    int64_t calls = counter.calls;
    const char *backend = getenv("MENISCUS_BACKEND"); /* on a device fewer arrays grow here */
    assert_true(calls > to_create + (backend && strcmp(backend, "cpu") != 0 ? 8 : 30));
    for (int64_t k = 0; k < 2 * calls; k++) {
        counter = (Counter){.fail_at = k / 2, .fail_once = k % 2};
        mnStatus status = run_counted(&busy, &counter, 6);
        /* An array that grows generously may be content with less when it is refused once. */
        assert_true(status == MN_ERROR_MEMORY || (counter.fail_once && status == MN_OK));
        assert_int_equal(counter.held, 0);
    }
}

static void nothing_is_left_behind(void **state) {
    (void)state;
    check_failures(true);
    check_failures(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_in_space),
        cmocka_unit_test(momentum_in_the_plane),
        cmocka_unit_test(momentum_beyond_the_capillary_limit),
        cmocka_unit_test(same_bits_for_two_threads),
        cmocka_unit_test(same_bits_beyond_the_capillary_limit),
        cmocka_unit_test(warm_steps_take_nothing_and_names_stay),
        cmocka_unit_test(particles_are_small),
        cmocka_unit_test(far_walls_are_smaller),
        cmocka_unit_test(flat_scenes_are_estimated_as_well),
        cmocka_unit_test(nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
