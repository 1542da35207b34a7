/* Emitters, sinks, and the lattices and random numbers they are made of. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "scene/emit.h"
#include "scene/emit_lattice.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static const double pi = 3.14159265358979323846;
static const double h = 1e-3;

/* A scene with emitters, run step by step; every particle is kept as it would be at the end had it flown on freely. */
typedef struct Rig {
    mnMemory memory;
    mnFluid fluid;
    mnEmitter emitters[2];
    mnSceneDesc desc;
    mnEmitters *object;
    mnEmission last;
    mnEmittedParticle *all;
    int64_t count, capacity;
} Rig;

static void rig_start(Rig *rig, int dimension, mnEmitterKind kind) {
    memset(rig, 0, sizeof *rig);
    rig->memory = mn_memory_create((mnAllocator){0}, 0);
    rig->desc = mn_default_scene();
    rig->desc.dimension = dimension;
    rig->desc.spacing = h;
    rig->desc.fluids = &rig->fluid;
    rig->desc.fluid_count = 1;
    rig->desc.emitters = rig->emitters;
    rig->desc.emitter_count = 1;
    rig->emitters[0] = mn_default_emitter(kind);
    if (dimension == 2) memcpy(rig->emitters[0].direction, (double[3]){0.6, -0.8, 0}, 3 * sizeof(double));
}

static void rig_create(Rig *rig) {
    mnError error = {0};
    if (mn_emitters_create(&rig->desc, &rig->memory, &rig->object, &error) != MN_OK) fail_msg("%s", error.text);
}

static void rig_end(Rig *rig) {
    mn_emitters_destroy(rig->object);
    assert_int_equal(rig->memory.held, 0);
    free(rig->all);
}

static int64_t run_to(Rig *rig, double time, mnEmitQuery is_free, void *context) {
    assert_int_equal(mn_emitters_run(rig->object, time, INT64_MAX, is_free, context, &rig->last, NULL), MN_OK);
    return rig->last.count;
}

static void run_all(Rig *rig, int steps, double end) {
    for (int s = 1; s <= steps; s++) {
        double time = end * s / steps;
        run_to(rig, time, NULL, NULL);
        if (rig->count + rig->last.count > rig->capacity) {
            rig->capacity = 2 * (rig->count + rig->last.count);
            rig->all = realloc(rig->all, (size_t)rig->capacity * sizeof *rig->all);
            assert_non_null(rig->all);
        }
        for (int64_t p = 0; p < rig->last.count; p++) {
            mnEmittedParticle particle = rig->last.particles[p];
            for (int i = 0; i < 3; i++) particle.position[i] += (end - time) * particle.velocity[i];
            rig->all[rig->count++] = particle;
        }
    }
}

static bool never(void *context, const double centre[3], double radius) {
    (void)centre, (void)radius;
    if (context) ++*(int *)context;
    return false;
}

static void lattice_balls_are_full_round_and_centred(void **state) {
    (void)state;
    static double points[3000][3];
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int64_t wanted = 1; wanted < 2500; wanted += 1 + wanted / 7) {
            mnLatticeBall ball = mn_lattice_ball(dimension, wanted, false);
            assert_int_equal(ball.count, wanted);
            memset(points, 0x55, sizeof points);
            mn_lattice_ball_fill(&ball, points);
            double centroid[3] = {0}, farthest = 0;
            for (int64_t p = 0; p < wanted; p++) {
                for (int i = 0; i < 3; i++) centroid[i] += points[p][i];
                farthest = fmax(farthest, hypot(hypot(points[p][0], points[p][1]), points[p][2]));
                for (int64_t q = 0; wanted < 300 && q < p; q++) {
                    double dx = points[p][0] - points[q][0], dy = points[p][1] - points[q][1];
                    assert_true(hypot(hypot(dx, dy), points[p][2] - points[q][2]) > 1 - 1e-12);
                }
            }
            double n = (double)wanted, radius = dimension == 3 ? cbrt(0.75 * n / pi) : sqrt(n / pi);
            assert_true(farthest < radius + 0.5);
            /* At most one point without its antipode, so centring moves the lattice by no more than radius/n. */
            for (int i = 0; i < 3; i++) {
                NEAR(centroid[i], 0, 1e-9);
                NEAR(2 * points[0][i], round(2 * points[0][i]), 2 * (radius + 0.5) / n);
            }
            assert_true(memcmp(points[wanted], points[2999], sizeof points[0]) == 0);
        }
}

static void whole_shells_are_symmetric(void **state) {
    (void)state;
    static double points[3000][3];
    for (int64_t wanted = 1; wanted < 1000; wanted += 1 + wanted / 7) {
        mnLatticeBall ball = mn_lattice_ball(2, wanted, true);
        assert_true(fabs((double)(ball.count - wanted)) <= 1 + 0.06 * (double)wanted);
        mn_lattice_ball_fill(&ball, points);
        for (int64_t p = 0; p < ball.count; p++) {
            bool has_antipode = false;
            for (int64_t q = 0; q < ball.count; q++)
                has_antipode |= hypot(points[p][0] + points[q][0], points[p][1] + points[q][1]) < 1e-9;
            assert_true(has_antipode);
        }
    }
}

static void random_numbers_are_even_and_streams_differ(void **state) {
    (void)state;
    mnRandom a = mn_random_start(1, 0), b = mn_random_start(1, 1), again = mn_random_start(1, 0);
    double mean = 0, square = 0, product = 0, exponential = 0;
    enum { COUNT = 100000 };
    for (int i = 0; i < COUNT; i++) {
        double u = mn_random_uniform(&a), v = mn_random_uniform(&b);
        assert_true(u >= 0 && u < 1 && u == mn_random_uniform(&again));
        mean += u / COUNT;
        square += u * u / COUNT;
        product += (u - 0.5) * (v - 0.5) / COUNT;
    }
    for (int i = 0; i < COUNT; i++) exponential += mn_random_exponential(&a) / COUNT;
    /* Four standard deviations each. */
    NEAR(mean, 0.5, 4 * 0.2887 / sqrt(COUNT));
    NEAR(square, 1.0 / 3, 4 * 0.2981 / sqrt(COUNT));
    NEAR(product, 0, 4.0 / 12 / sqrt(COUNT));
    NEAR(exponential, 1, 4 / sqrt(COUNT));
}

/* The volume that came out against area · speed · time, and the places against those of ten times the step. */
static void check_jet(int dimension, mnEmitterKind kind, double radius, double width, double height) {
    Rig coarse, fine;
    Rig *rigs[2] = {&coarse, &fine};
    const double end = 0.1;
    for (int r = 0; r < 2; r++) {
        rig_start(rigs[r], dimension, kind);
        mnEmitter *jet = &rigs[r]->emitters[0];
        jet->speed = 0.7;
        jet->radius = radius;
        jet->size[0] = width, jet->size[1] = height;
        jet->position[0] = 0.01, jet->position[1] = 0.02;
        if (dimension == 3) memcpy(jet->direction, (double[3]){1, -2, 0.5}, 3 * sizeof(double));
        rig_create(rigs[r]);
        run_all(rigs[r], r == 0 ? 100 : 1000, end);
    }
    double area = dimension == 2 ? (kind == MN_EMITTER_ROUND ? 2 * radius : width)
                                 : (kind == MN_EMITTER_ROUND ? pi * radius * radius : width * height);
    double volume = (double)coarse.count * pow(h, dimension), wanted = area * 0.7 * end;
    NEAR(volume / wanted, 1, 0.01);

    assert_int_equal(coarse.count, fine.count);
    const double *d = coarse.emitters[0].direction;
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), farthest = 0, furthest = 0;
    for (int64_t p = 0; p < coarse.count; p++) {
        const double *x = coarse.all[p].position, *origin = coarse.emitters[0].position;
        double along = 0, square = 0;
        for (int i = 0; i < 3; i++) {
            NEAR(x[i], fine.all[p].position[i], 1e-12);
            NEAR(coarse.all[p].velocity[i], 0.7 * d[i] / length, 1e-15);
            along += (x[i] - origin[i]) * d[i] / length;
            square += (x[i] - origin[i]) * (x[i] - origin[i]);
        }
        farthest = fmax(farthest, sqrt(fmax(0, square - along * along)));
        furthest = fmax(furthest, along);
        assert_true(along >= 0);
    }
    double across = kind == MN_EMITTER_ROUND ? radius : dimension == 2 ? width / 2 : hypot(width, height) / 2;
    assert_true(farthest < across && farthest > across - h);
    assert_true(furthest < 0.7 * end && furthest > 0.7 * end - 1.5 * h);
    rig_end(&coarse);
    rig_end(&fine);
}

static void jets_deliver_their_volume_whatever_the_step(void **state) {
    (void)state;
    check_jet(3, MN_EMITTER_ROUND, 2e-3, 0, 0);
    check_jet(3, MN_EMITTER_ROUND, 3.37e-3, 0, 0);
    check_jet(3, MN_EMITTER_RECTANGLE, 0, 4.4e-3, 2.7e-3);
    check_jet(2, MN_EMITTER_ROUND, 2.3e-3, 0, 0);
    check_jet(2, MN_EMITTER_RECTANGLE, 0, 7.6e-3, 1);
}

static void thin_jets_still_deliver(void **state) {
    (void)state;
    for (double radius = 0.3e-3; radius < 3e-3; radius += 0.1e-3) {
        Rig rig;
        rig_start(&rig, 3, MN_EMITTER_ROUND);
        rig.emitters[0].radius = radius;
        rig_create(&rig);
        run_all(&rig, 100, 1);
        NEAR((double)rig.count * h * h * h / (pi * radius * radius), 1, 0.01);
        rig_end(&rig);
    }
}

static void jets_start_stop_and_keep_to_limits(void **state) {
    (void)state;
    Rig rig;
    rig_start(&rig, 3, MN_EMITTER_RECTANGLE);
    rig.emitters[0].size[0] = rig.emitters[0].size[1] = 4 * h;
    rig.emitters[0].start = 0.1;
    rig.emitters[0].stop = 0.1101;
    rig_create(&rig);
    double speed;
    NEAR(mn_emitters_pending(rig.object, &speed), 0.1005, 1e-15);
    assert_true(speed == 1);
    assert_int_equal(run_to(&rig, 0.1, NULL, NULL), 0);
    assert_int_equal(run_to(&rig, 0.1005, NULL, NULL) % 16, 0);
    run_to(&rig, 5, NULL, NULL);
    assert_int_equal(mn_emitters_tally(rig.object, 0).particles, 160);
    assert_true(isinf(mn_emitters_pending(rig.object, &speed)) && speed == 0);
    rig_end(&rig);

    /* Six layers of 16 fit under 100, and the limit ends the jet for good. */
    rig.emitters[0].max_particles = 100;
    rig_create(&rig);
    run_to(&rig, 5, NULL, NULL);
    assert_int_equal(mn_emitters_tally(rig.object, 0).particles, 96);
    assert_true(mn_emitters_tally(rig.object, 0).finished);
    assert_true(isinf(mn_emitters_pending(rig.object, NULL)));
    rig_end(&rig);

    /* Without room layers are lost whole, and the jet goes on when there is room again. */
    rig.emitters[0].max_particles = 0;
    rig_create(&rig);
    assert_int_equal(mn_emitters_run(rig.object, 0.1051, 40, NULL, NULL, &rig.last, NULL), MN_OK);
    assert_int_equal(rig.last.count, 32);
    assert_int_equal(mn_emitters_tally(rig.object, 0).lost, 3);
    assert_int_equal(run_to(&rig, 0.1061, NULL, NULL), 16);
    rig_end(&rig);
}

/* What the query of a run, asked once for each drop, learns about them. */
typedef struct DropStatistics {
    int count;
    double smallest, largest, mean_place[2], extent[2];
} DropStatistics;

static void rain_start(Rig *rig, uint64_t seed) {
    rig_start(rig, 3, MN_EMITTER_RAIN);
    rig->desc.seed = seed;
    mnEmitter *rain = &rig->emitters[0];
    rain->position[2] = 1;
    rain->size[0] = 0.4, rain->size[1] = 0.2;
    rain->radius = 2 * h;
    rain->radius_spread = 0.5;
    rain->rate = 200;
    rain->speed = 2;
}

static bool record(void *context, const double centre[3], double radius) {
    DropStatistics *statistics = context;
    statistics->count++;
    statistics->smallest = fmin(statistics->smallest, radius - 1.5 * h);
    statistics->largest = fmax(statistics->largest, radius - 1.5 * h);
    for (int i = 0; i < 2; i++) {
        statistics->mean_place[i] += centre[i];
        statistics->extent[i] = fmax(statistics->extent[i], fabs(centre[i]));
    }
    return true;
}

static void rain_has_the_right_statistics(void **state) {
    (void)state;
    Rig rig;
    rain_start(&rig, 7);
    rig_create(&rig);
    DropStatistics s = {.smallest = 1};
    double variance = 0, volume = 0;
    enum { SLICES = 1000 };
    for (int i = 1; i <= SLICES; i++) {
        int before = s.count;
        run_to(&rig, 0.02 * i, record, &s);
        variance += pow(s.count - before - 4, 2) / SLICES;
        volume += (double)rig.last.count;
        for (int64_t p = 0; p < rig.last.count; p++) {
            assert_true(rig.last.particles[p].velocity[2] == -2);
            /* In the air since at most one slice. */
            NEAR(rig.last.particles[p].position[2], 1 - 0.02, 0.02 + 3 * h);
        }
    }
    /* 20 s at 200 a second: mean 4,000, standard deviation √4000 = 63; a slice's variance is its mean of 4. */
    NEAR((double)s.count, 4000, 3 * 63.3);
    NEAR(variance, 4, 3 * 4 * sqrt(2.25 / SLICES));
    assert_true(s.smallest >= h && s.smallest < 1.01 * h && s.largest <= 3 * h && s.largest > 2.99 * h);
    assert_true(s.extent[0] <= 0.2 && s.extent[0] > 0.199 && s.extent[1] <= 0.1 && s.extent[1] > 0.099);
    NEAR(s.mean_place[0] / s.count, 0, 3 * 0.4 / sqrt(12.0 * s.count));
    NEAR(s.mean_place[1] / s.count, 0, 3 * 0.2 / sqrt(12.0 * s.count));
    /* E r³ of radii uniform in (1 … 3)h is 10 h³; its standard deviation is 7.49 h³. */
    NEAR(volume / s.count / (4.0 / 3 * pi * 10), 1, 3 * 0.749 / sqrt(s.count));
    rig_end(&rig);
}

static void rain_does_not_depend_on_the_step_but_on_the_seed(void **state) {
    (void)state;
    Rig a, b, c;
    rain_start(&a, 3);
    rain_start(&b, 3);
    rain_start(&c, 4);
    a.emitters[0].rate = b.emitters[0].rate = c.emitters[0].rate = 20;
    rig_create(&a);
    rig_create(&b);
    rig_create(&c);
    run_all(&a, 1000, 1);
    run_all(&b, 10000, 1);
    run_all(&c, 1000, 1);
    assert_true(a.count > 200);
    assert_int_equal(a.count, b.count);
    for (int64_t p = 0; p < a.count; p++)
        for (int i = 0; i < 3; i++) NEAR(a.all[p].position[i], b.all[p].position[i], 1e-12);
    assert_true(a.all[0].position[0] != c.all[0].position[0]);
    rig_end(&a);
    rig_end(&b);
    rig_end(&c);
}

static void emitters_do_not_disturb_each_other(void **state) {
    (void)state;
    Rig alone, both;
    rain_start(&alone, 3);
    rain_start(&both, 3);
    both.emitters[1] = both.emitters[0];
    both.emitters[1].position[0] = 10;
    both.desc.emitter_count = 2;
    rig_create(&alone);
    rig_create(&both);
    run_to(&alone, 1, NULL, NULL);
    run_to(&both, 1, NULL, NULL);
    int64_t count = alone.last.count;
    assert_true(count > 0 && both.last.count > count);
    assert_memory_equal(alone.last.particles, both.last.particles, (size_t)count * sizeof *alone.last.particles);
    /* The second one has its own stream. */
    double shifted = both.last.particles[count].position[0] - 10;
    assert_true(fabs(shifted - both.last.particles[0].position[0]) > 1e-6);
    rig_end(&alone);
    rig_end(&both);
}

static void rain_in_2d_stays_in_the_plane(void **state) {
    (void)state;
    Rig rig;
    rain_start(&rig, 1);
    rig.desc.dimension = 2;
    memcpy(rig.emitters[0].direction, (double[3]){0, -3, 4}, 3 * sizeof(double));
    rig.emitters[0].radius_spread = 0;
    rig_create(&rig);
    run_all(&rig, 100, 0.1);
    int64_t each = llround(pi * 4);
    assert_true(rig.count > 0 && rig.count % each == 0);
    for (int64_t p = 0; p < rig.count; p++) {
        assert_true(rig.all[p].position[2] == 0 && rig.all[p].velocity[2] == 0);
        NEAR(rig.all[p].velocity[1], -2, 1e-15);
        assert_true(fabs(rig.all[p].position[0]) <= 0.2 + 2.5 * h);
    }
    rig_end(&rig);
}

static void blocked_rain_waits_then_is_lost(void **state) {
    (void)state;
    Rig rig;
    rain_start(&rig, 5);
    rig_create(&rig);
    int asked = 0;
    assert_int_equal(run_to(&rig, 1, never, &asked), 0);
    mnEmitterTally tally = mn_emitters_tally(rig.object, 0);
    assert_int_equal(tally.waiting, 64);
    assert_int_equal(tally.lost, asked - 64);
    assert_true(asked > 150);
    /* The queue is asked again, then comes out at its place of departure. */
    asked = 0;
    run_to(&rig, 1, never, &asked);
    assert_int_equal(asked, 64);
    assert_true(run_to(&rig, 1, NULL, NULL) > 0);
    for (int64_t p = 0; p < rig.last.count; p++) NEAR(rig.last.particles[p].position[2], 1, 3 * h);
    assert_int_equal(mn_emitters_tally(rig.object, 0).lost, tally.lost);
    rig_end(&rig);
}

static void drops_of_one_run_keep_apart(void **state) {
    (void)state;
    Rig rig;
    const mnTimedDrop drops[3] = {{.time = 0.2, .radius = 2 * h, .position = {0, 0, 1}},
                                  {.time = 0.1, .radius = 3 * h, .position = {0, 0, 2}},
                                  {.time = 0.2, .radius = 2 * h, .position = {h, 0, 1}}};
    rig_start(&rig, 3, MN_EMITTER_DROPS);
    rig.emitters[0].drops = drops;
    rig.emitters[0].drop_count = 3;
    rig_create(&rig);
    NEAR(mn_emitters_pending(rig.object, NULL), 0.1, 0);
    int64_t first = llround(4.0 / 3 * pi * 8), second = llround(4.0 / 3 * pi * 27);
    assert_int_equal(run_to(&rig, 0.3, NULL, NULL), first + second);
    assert_true(rig.last.particles[0].position[2] > 1.9);
    assert_int_equal(mn_emitters_tally(rig.object, 0).waiting, 1);
    assert_int_equal(run_to(&rig, 0.4, NULL, NULL), first);
    assert_true(isinf(mn_emitters_pending(rig.object, NULL)));
    rig_end(&rig);
}

static void timed_drops_come_on_time(void **state) {
    (void)state;
    Rig rig;
    const mnTimedDrop drops[4] = {{.time = 0, .radius = h, .position = {1, 2, 3}, .velocity = {5, 0, 0}},
                                  {.time = 0.25, .radius = 2.5 * h, .position = {1, 2, 3}, .velocity = {0, 4, 3}},
                                  {.time = 0.1, .radius = 0.01 * h, .position = {0, 0, 0}},
                                  {.time = 9, .radius = h}};
    rig_start(&rig, 3, MN_EMITTER_DROPS);
    rig.emitters[0].drops = drops;
    rig.emitters[0].drop_count = 4;
    rig.emitters[0].stop = 5;
    rig_create(&rig);
    assert_int_equal(run_to(&rig, 0, NULL, NULL), 4);
    double centroid = 0;
    for (int p = 0; p < 4; p++) centroid += rig.last.particles[p].position[0] / 4;
    NEAR(centroid, 1, 1e-12);
    assert_int_equal(run_to(&rig, 0.2, NULL, NULL), 1);
    double speed = 0;
    NEAR(mn_emitters_pending(rig.object, &speed), 0.25, 0);
    NEAR(speed, 5, 1e-15);
    int64_t count = run_to(&rig, 0.26, NULL, NULL);
    assert_int_equal(count, llround(4.0 / 3 * pi * 2.5 * 2.5 * 2.5));
    double place[3] = {0};
    for (int64_t p = 0; p < count; p++)
        for (int i = 0; i < 3; i++) place[i] += rig.last.particles[p].position[i] / (double)count;
    NEAR(place[1], 2.04, 1e-12);
    NEAR(place[2], 3.03, 1e-12);
    assert_int_equal(run_to(&rig, 20, NULL, NULL), 0);
    rig_end(&rig);
}

static void a_limit_ends_an_emitter_of_drops(void **state) {
    (void)state;
    Rig rig;
    rain_start(&rig, 5);
    rig.emitters[0].max_particles = 500;
    rig_create(&rig);
    run_to(&rig, 5, NULL, NULL);
    mnEmitterTally tally = mn_emitters_tally(rig.object, 0);
    assert_true(tally.finished && tally.particles <= 500 && tally.particles > 500 - 114);
    assert_int_equal(tally.waiting, 0);
    assert_int_equal(run_to(&rig, 10, NULL, NULL), 0);
    rig_end(&rig);
}

static void warm_runs_take_no_memory(void **state) {
    (void)state;
    Rig rig;
    rain_start(&rig, 9);
    rig.emitters[1] = mn_default_emitter(MN_EMITTER_ROUND);
    rig.desc.emitter_count = 2;
    rig.emitters[0].radius_spread = 0;
    rig_create(&rig);
    run_to(&rig, 0.2, NULL, NULL);
    int64_t takes = rig.memory.takes;
    size_t held = rig.memory.held;
    int64_t brought = 0;
    for (int i = 1; i <= 500; i++) brought += run_to(&rig, 0.2 + 0.002 * i, NULL, NULL);
    assert_true(brought > 1000);
    assert_int_equal(rig.memory.takes, takes);
    assert_int_equal(rig.memory.held, held);
    rig_end(&rig);
}

static void expect_refusal(Rig *rig, mnStatus status, const char *word) {
    mnError error = {0};
    assert_int_equal(mn_emitters_create(&rig->desc, &rig->memory, &rig->object, &error), status);
    assert_null(rig->object);
    assert_non_null(strstr(error.text, word));
    assert_int_equal(rig->memory.held, 0);
}

static void bad_emitters_are_refused(void **state) {
    (void)state;
    Rig rig;
    rig_start(&rig, 3, MN_EMITTER_ROUND);
    mnEmitter good = rig.emitters[0], *jet = &rig.emitters[0];
    jet->fluid = 1;
    expect_refusal(&rig, MN_ERROR_INPUT, "no fluid 1");
    *jet = good, jet->speed = 0;
    expect_refusal(&rig, MN_ERROR_INPUT, "speed is 0");
    *jet = good, jet->radius = NAN;
    expect_refusal(&rig, MN_ERROR_INPUT, "radius is");
    *jet = good, jet->radius = 1e9;
    expect_refusal(&rig, MN_ERROR_INPUT, "particles");
    *jet = good, jet->direction[2] = 0;
    expect_refusal(&rig, MN_ERROR_INPUT, "direction");
    *jet = good, jet->kind = (mnEmitterKind)9;
    expect_refusal(&rig, MN_ERROR_INPUT, "kind");
    *jet = good, jet->speed = 1e300, jet->radius = 1e-200;
    expect_refusal(&rig, MN_ERROR_INPUT, "between two layers");
    *jet = good, jet->kind = MN_EMITTER_RAIN, jet->radius_spread = 1.5;
    expect_refusal(&rig, MN_ERROR_INPUT, "radius_spread");
    const mnTimedDrop drop = {.radius = -1};
    *jet = good, jet->kind = MN_EMITTER_DROPS, jet->drops = &drop, jet->drop_count = 1;
    expect_refusal(&rig, MN_ERROR_INPUT, "drop 0");
    *jet = good;
    rig.memory.limit = 300;
    expect_refusal(&rig, MN_ERROR_MEMORY, "memory");
}

static void floods_and_lack_of_memory_are_reported(void **state) {
    (void)state;
    Rig rig;
    rig_start(&rig, 3, MN_EMITTER_ROUND);
    rig.emitters[0].speed = 1e30;
    rig_create(&rig);
    mnError error = {0};
    assert_int_equal(mn_emitters_run(rig.object, 1, 0, NULL, NULL, &rig.last, &error), MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "fall due"));
    rig_end(&rig);

    rain_start(&rig, 1);
    rig_create(&rig);
    rig.memory.limit = rig.memory.held + 1000;
    assert_int_equal(mn_emitters_run(rig.object, 1, 1000, NULL, NULL, &rig.last, &error), MN_ERROR_MEMORY);
    rig_end(&rig);
}

static void rain_without_rate_never_comes(void **state) {
    (void)state;
    Rig rig;
    rain_start(&rig, 1);
    rig.emitters[0].rate = 0;
    rig_create(&rig);
    assert_true(isinf(mn_emitters_pending(rig.object, NULL)));
    assert_int_equal(run_to(&rig, 1e9, NULL, NULL), 0);
    rig_end(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattice_balls_are_full_round_and_centred),
        cmocka_unit_test(whole_shells_are_symmetric),
        cmocka_unit_test(random_numbers_are_even_and_streams_differ),
        cmocka_unit_test(jets_deliver_their_volume_whatever_the_step),
        cmocka_unit_test(thin_jets_still_deliver),
        cmocka_unit_test(jets_start_stop_and_keep_to_limits),
        cmocka_unit_test(rain_has_the_right_statistics),
        cmocka_unit_test(rain_does_not_depend_on_the_step_but_on_the_seed),
        cmocka_unit_test(emitters_do_not_disturb_each_other),
        cmocka_unit_test(rain_in_2d_stays_in_the_plane),
        cmocka_unit_test(blocked_rain_waits_then_is_lost),
        cmocka_unit_test(drops_of_one_run_keep_apart),
        cmocka_unit_test(timed_drops_come_on_time),
        cmocka_unit_test(a_limit_ends_an_emitter_of_drops),
        cmocka_unit_test(warm_runs_take_no_memory),
        cmocka_unit_test(bad_emitters_are_refused),
        cmocka_unit_test(floods_and_lack_of_memory_are_reported),
        cmocka_unit_test(rain_without_rate_never_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
