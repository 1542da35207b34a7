/* Drops as wholes: which particles hang together, and their sums. */
#include "drop_helpers.h"

#include <string.h>

static const double still[3] = {0};
static const double up[3] = {0, 0, 1};

/* All points of a lattice in a ball (2D: disc) about `centre`; lengths in h. */
static void put_ball(Cloud *cloud, int dimension, const double centre[3], double radius, const double velocity[3],
                     int phase) {
    int reach = (int)radius + 1, depth = dimension == 3 ? reach : 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double place[3] = {centre[0] + x, centre[1] + y, centre[2] + z};
                if (x * x + y * y + z * z <= radius * radius) put(cloud, dimension, place, velocity, phase);
            }
}

/* Three drops of one fluid and one of another that touches the first. */
static void put_four(Cloud *cloud) {
    put_ball(cloud, 3, (double[]){0, 0, 100}, 4, (double[]){0, 0, -1}, 0);
    put_ball(cloud, 3, (double[]){30, 0, 100}, 6, (double[]){0.5, 0.25, 0}, 0);
    put_ball(cloud, 3, (double[]){45, 0, 100}, 2, still, 0);
    put_ball(cloud, 3, (double[]){0, 0, 107.1}, 3, still, 1);
}

static void test_drops_as_wholes(void **unused) {
    (void)unused;
    Cloud cloud = {0};
    Bench bench;
    put_four(&cloud);
    bench_begin(&bench, 3, up);
    const mnDrops *found = bench_measure(&bench, &cloud, 0, 1);
    static const int64_t particles[4] = {925, 257, 123, 33}, ids[4] = {257, 0, 257 + 925 + 33, 257 + 925};
    static const int fluids[4] = {0, 0, 1, 0};
    double particle = h * h * h, cubes = 0, squares = 0;
    assert_int_equal(found->count, 4);
    for (int d = 0; d < 4; d++) {
        const mnDrop *drop = &found->drops[d];
        double diameter = cbrt(6 * (double)particles[d] * particle / M_PI);
        assert_int_equal(drop->particles, particles[d]);
        assert_int_equal(drop->id, ids[d]);
        assert_int_equal(drop->fluid, fluids[d]);
        assert_int_equal(drop->contact_count, 0);
        assert_near(drop->volume, (double)particles[d] * particle, 1e-5 * drop->volume);
        assert_near(drop->mass, (fluids[d] ? 800 : 1000) * drop->volume, 1e-9 * drop->mass);
        assert_near(drop->diameter, diameter, 1e-5 * diameter);
        cubes += pow(diameter, 3);
        squares += pow(diameter, 2);
    }
    const mnDrop *largest = &found->drops[0];
    static const double centre[3] = {30, 0, 100}, velocity[3] = {0.5, 0.25, 0};
    for (int c = 0; c < 3; c++) {
        assert_near(largest->centre[c], h * centre[c], 1e-4 * h);
        assert_near(largest->velocity[c], velocity[c], 1e-6);
        assert_near(largest->upper[c] - largest->lower[c], 13 * h, 1e-3 * h);
    }
    assert_near(found->sauter_diameter, cubes / squares, 1e-5 * h);
    assert_near(found->volume, 1338 * particle, 1e-5 * found->volume);
    assert_true(found->area == 0 && isnan(found->angles.mean) && found->contact_count == 0);
    bench_end(&bench);
    cloud_clear(&cloud);
}

/* A chain of particles 1.45h apart is one drop, a gap of 1.55h parts two. */
static void test_links(void **unused) {
    (void)unused;
    for (int dimension = 2; dimension <= 3; dimension++) {
        Cloud cloud = {0};
        Bench bench;
        double at = 50;
        for (int k = 0; k < 12; k++, at += k == 5 ? 1.55 : 1.45)
            put(&cloud, dimension, (double[]){0.3 * at, at, 0}, still, 0);
        for (int64_t i = 0; i < cloud.count; i++) cloud.position[i].x = 0;
        bench_begin(&bench, dimension, (double[]){1, 0, 0});
        bench.scene.solid_count = 0;
        const mnDrops *found = bench_measure(&bench, &cloud, 0, 1);
        assert_int_equal(found->count, 2);
        assert_int_equal(found->drops[0].particles, 7);
        bench_end(&bench);
        cloud_clear(&cloud);
    }
}

/* Another order of the particles gives the same drops. */
static void test_order_does_not_matter(void **unused) {
    (void)unused;
    Cloud cloud = {0};
    Bench one, other;
    put_four(&cloud);
    bench_begin(&one, 3, up);
    bench_begin(&other, 3, up);
    const mnDrops *a = bench_measure(&one, &cloud, 0, 1);
    for (int64_t i = 0; i < cloud.count / 2; i++) {
        int64_t j = cloud.count - 1 - i;
#define SWAP(type, array)                                                                                              \
    do {                                                                                                               \
        type kept = cloud.array[i];                                                                                    \
        cloud.array[i] = cloud.array[j];                                                                               \
        cloud.array[j] = kept;                                                                                         \
    } while (0)
        SWAP(mnVec, position);
        SWAP(mnVec, velocity);
        SWAP(int32_t, phase);
        SWAP(int64_t, id);
    }
    const mnDrops *b = bench_measure(&other, &cloud, 0, 1);
    assert_int_equal(a->count, b->count);
    for (int64_t d = 0; d < a->count; d++) {
        assert_int_equal(a->drops[d].id, b->drops[d].id);
        assert_int_equal(a->drops[d].particles, b->drops[d].particles);
        assert_near(a->drops[d].centre[0], b->drops[d].centre[0], 1e-9 * h);
    }
    bench_end(&one);
    bench_end(&other);
    cloud_clear(&cloud);
}

/* In 2D a Sauter mean is area over outline. Volumes that are not known are those of the lattice. */
static void test_two_dimensions(void **unused) {
    (void)unused;
    Cloud cloud = {0};
    Bench bench;
    put_ball(&cloud, 2, (double[]){0, 50, 0}, 5, (double[]){1, 0, 0}, 0);
    put_ball(&cloud, 2, (double[]){20, 50, 0}, 3, still, 0);
    for (int64_t i = 0; i < cloud.count; i++) cloud.position[i].w = 0;
    bench_begin(&bench, 2, (double[]){0, 1, 0});
    const mnDrops *found = bench_measure(&bench, &cloud, 0, 1);
    assert_int_equal(found->count, 2);
    double a = sqrt(4 * 81 * h * h / M_PI), b = sqrt(4 * 29 * h * h / M_PI);
    assert_near(found->volume, 110 * h * h, 1e-5 * found->volume);
    assert_near(found->sauter_diameter, (a * a + b * b) / (a + b), 1e-5 * a);
    bench_end(&bench);
    cloud_clear(&cloud);
}

static void test_nothing(void **unused) {
    (void)unused;
    Cloud cloud = {0};
    Bench bench;
    bench_begin(&bench, 3, up);
    const mnDrops *found = bench_measure(&bench, &cloud, 0, 1);
    assert_true(found->count == 0 && found->volume == 0 && isnan(found->sauter_diameter));
    bench_end(&bench);
}

static void test_bad_particles(void **unused) {
    (void)unused;
    Cloud cloud = {0};
    Bench bench;
    put_ball(&cloud, 3, (double[]){0, 0, 50}, 3, still, 0);
    bench_begin(&bench, 3, up);
    bench_measure(&bench, &cloud, 0, 1);
    mnDrops drops;
    mnError error = {0};
    mnParticles particles = particles_of(&cloud);
    cloud.phase[5] = 2;
    assert_int_equal(mn_drops_measure(&particles, &bench.scene, &bench.walls, 0, 1, &drops, &error), MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "fluid 2"));
    cloud.phase[5] = 0;
    cloud.position[5].y = (mnReal)NAN;
    assert_int_equal(mn_drops_measure(&particles, &bench.scene, &bench.walls, 0, 1, &drops, &error), MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "not a number"));
    cloud.position[5].y = 0;
    for (int k = 0; k < 2000; k++) put(&cloud, 3, (double[]){1, 1, 1}, still, 0);
    particles = particles_of(&cloud);
    assert_int_equal(mn_drops_measure(&particles, &bench.scene, &bench.walls, 0, 1, &drops, &error), MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "spacing"));
    bench_end(&bench);
    cloud_clear(&cloud);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drops_as_wholes),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_order_does_not_matter),
        cmocka_unit_test(test_two_dimensions),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_bad_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
