/* Bodies of fluid start in disorder, evenly filled, and as flat at their edges as their lattice was. */
#include <math.h>
#include <string.h>

#include "sim_helpers.h"

enum { ACROSS = 16 };
static const double H = 0.001;

/* A cube of ACROSS spacings (2D: a square). */
static mnSim *make_cube(int dimension) {
    Setup setup;
    mnBody body = {.shape = mn_default_shape(MN_SHAPE_BOX)};
    setup_begin(&setup, dimension, H, 1, 0);
    for (int c = 0; c < 3; c++) body.shape.size[c] = ACROSS * H;
    setup.fluids[0].bodies = &body;
    setup.fluids[0].body_count = 1;
    return sim_create(&setup, 2);
}

/* How far a particle is from the nearest face, in h. */
static double room_of(mnVec place, int dimension) {
    const double x[3] = {(double)place.x, (double)place.y, (double)place.z};
    double room = ACROSS;
    for (int c = 0; c < dimension; c++) room = fmin(room, 0.5 * ACROSS - fabs(x[c]) / H);
    return room;
}

/* How far it is from its place in the lattice, along the axis where this is most. */
static double off_lattice(mnVec place, int dimension) {
    const double x[3] = {(double)place.x, (double)place.y, (double)place.z};
    double off = 0;
    for (int c = 0; c < dimension; c++) off = fmax(off, fabs(x[c] / H - 0.5 - round(x[c] / H - 0.5)));
    return off;
}

static void edges_keep_their_layers(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mnSim *sim = make_cube(dimension);
        mnParticles p = mn_sim_particles(sim);
        assert_int_equal(p.count, dimension == 3 ? ACROSS * ACROSS * ACROSS : ACROSS * ACROSS);
        int inside = 0, moved = 0, flat = 0;
        for (int64_t i = 0; i < p.count; i++) {
            double room = room_of(p.position[i], dimension);
            assert_true(room > 0.49);
            bool is_off = off_lattice(p.position[i], dimension) > 0.05;
            if (room < 2) assert_false(is_off);
            flat += room < 2;
            if (room < 4) continue;
            inside++;
            moved += is_off;
        }
        int core = ACROSS - 4; /* within the two outermost layers */
        assert_int_equal(flat, p.count - (dimension == 3 ? core * core * core : core * core));
        assert_true(moved > 0.8 * inside);
        mn_sim_destroy(sim);
    }
}

/* −Σ V r·∇W^P/d is 1.013 (2D) and 1.020 in the lattice. */
static void insides_are_even_and_no_lattice(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mnSim *sim = make_cube(dimension);
        mnParticles p = mn_sim_particles(sim);
        double count = 0, sum = 0, squares = 0, stress = 0;
        for (int64_t i = 0; i < p.count; i++) {
            mnVec x = p.position[i];
            if (room_of(x, dimension) < 4) continue;
            double fill = 0, volume = (double)x.w;
            for (int64_t j = 0; j < p.count; j++) {
                mnVec apart = mn_sub(x, p.position[j]);
                double r = sqrt((double)mn_dot(apart, apart));
                fill += volume * classic_value(dimension, 2 * H, r);
                stress -= volume * r * classic_slope(dimension, 2 * H, r) / dimension;
            }
            count++;
            sum += fill;
            squares += fill * fill;
        }
        double mean = sum / count, spread = sqrt(squares / count - mean * mean);
        print_message("%dD: fill %.4f, spread %.4f, stress over pressure %.4f\n", dimension, mean, spread,
                      stress / count);
        assert_true(fabs(mean - 1) < 0.01 && spread < 0.03);
        assert_true(stress / count > 0.96 && stress / count < 1.0);
        mn_sim_destroy(sim);
    }
}

/* Box of water on a plane and oil beside it: the layers on either side of both stay. */
static void walls_and_other_fluids_keep_theirs(void **state) {
    (void)state;
    Setup setup;
    mnBody bodies[2] = {{.shape = mn_default_shape(MN_SHAPE_BOX)}, {.shape = mn_default_shape(MN_SHAPE_BOX)}};
    setup_begin(&setup, 2, H, 2, 1);
    for (int f = 0; f < 2; f++) {
        bodies[f].shape.size[0] = bodies[f].shape.size[1] = ACROSS * H;
        bodies[f].shape.translation[0] = (f - 0.5) * ACROSS * H;
        bodies[f].shape.translation[1] = 0.5 * ACROSS * H;
        setup.fluids[f].bodies = &bodies[f];
        setup.fluids[f].body_count = 1;
    }
    mnShape *floor = &setup.solids[0].shape;
    *floor = mn_default_shape(MN_SHAPE_PLANE);
    floor->size[0] = floor->size[1] = 4 * ACROSS * H;
    floor->normal[1] = 1;
    floor->normal[2] = 0;
    mnSim *sim = sim_create(&setup, 1);
    mnParticles p = mn_sim_particles(sim);
    assert_int_equal(p.count, 2 * ACROSS * ACROSS);
    int moved = 0;
    for (int64_t i = 0; i < p.count; i++) {
        bool is_off = off_lattice(p.position[i], 2) > 0.05;
        if ((double)p.position[i].y < 2 * H || fabs((double)p.position[i].x) < 2 * H) assert_false(is_off);
        moved += is_off;
    }
    assert_true(moved > ACROSS * ACROSS / 2);
    mn_sim_destroy(sim);
}

static mnSim *make_turning_cube(int threads, uint64_t seed) {
    Setup setup;
    mnBody body = {.shape = mn_default_shape(MN_SHAPE_BOX), .angular_velocity = {0, 0, 5}, .velocity = {1, 0, 0}};
    setup_begin(&setup, 3, H, 1, 0);
    for (int c = 0; c < 3; c++) body.shape.size[c] = ACROSS * H;
    setup.fluids[0].bodies = &body;
    setup.fluids[0].body_count = 1;
    setup.desc.seed = seed;
    return sim_create(&setup, threads);
}

/* Where its particles are in the end. */
static void bodies_turn_rigidly(void **state) {
    (void)state;
    mnSim *sim = make_turning_cube(1, 0);
    mnParticles p = mn_sim_particles(sim);
    for (int64_t i = 0; i < p.count; i++) {
        assert_near(p.velocity[i].x, 1 - 5 * (double)p.position[i].y, 1e-6);
        assert_near(p.velocity[i].y, 5 * (double)p.position[i].x, 1e-6);
    }
    mn_sim_destroy(sim);
}

static bool start_alike(mnSim *a, mnSim *b) {
    mnParticles p = mn_sim_particles(a), q = mn_sim_particles(b);
    bool alike = p.count == q.count && memcmp(p.position, q.position, (size_t)p.count * sizeof *p.position) == 0;
    mn_sim_destroy(a);
    mn_sim_destroy(b);
    return alike;
}

static void the_seed_alone_decides(void **state) {
    (void)state;
    assert_true(start_alike(make_turning_cube(1, 3), make_turning_cube(2, 3)));
    assert_false(start_alike(make_turning_cube(1, 3), make_turning_cube(1, 4)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_keep_their_layers),
        cmocka_unit_test(insides_are_even_and_no_lattice),
        cmocka_unit_test(walls_and_other_fluids_keep_theirs),
        cmocka_unit_test(bodies_turn_rigidly),
        cmocka_unit_test(the_seed_alone_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
