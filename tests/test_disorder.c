/* Bodies of fluid start in disorder, evenly filled, and as flat at their edges as their lattice was. */
#include <math.h>

#include "run/passes.h"
#include "sim.h"
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
            flat += room < 1 && !is_off;
            if (room < 4) continue;
            inside++;
            moved += is_off;
        }
        assert_true(flat >= (dimension == 3 ? 6 * (ACROSS - 1) * (ACROSS - 1) : 4 * (ACROSS - 1)));
        assert_true(moved > 0.8 * inside);
        mn_sim_destroy(sim);
    }
}

/* −Σ V r·∇W^P/d is 1.013 (2D) and 1.020 in the lattice. */
static void insides_are_even_and_no_lattice(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mnSim *sim = make_cube(dimension);
        mnWorld *world = &sim->world;
        mn_pass_fill(world);
        double count = 0, sum = 0, squares = 0, stress = 0;
        for (int64_t i = 0; i < world->fluid.count; i++) {
            mnVec x = world->fluid.position[i];
            if (room_of(x, dimension) < 4) continue;
            double fill = (double)world->fluid.fill[i];
            count++;
            sum += fill;
            squares += fill * fill;
            mnSpan span = world->fluid.span[i];
            for (int32_t k = 0; k < span.fluid_near; k++) {
                mnVec d = mn_sub(x, world->fluid.position[MN_NEIGHBOUR(world->neighbours.fluid_list, span, k)]);
                mnReal square = mn_dot(d, d);
                stress -= (double)(x.w * square * mn_spline_gradient(world->constants.near, mn_sqrt(square))) / dimension;
            }
        }
        double mean = sum / count, spread = sqrt(squares / count - mean * mean);
        print_message("%dD: fill %.4f, spread %.4f, stress over pressure %.4f\n", dimension, mean, spread,
                      stress / count);
        assert_true(fabs(mean - 1) < 0.01 && spread < 0.03);
        assert_true(stress / count > 0.96 && stress / count < 1.0);
        mn_sim_destroy(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_keep_their_layers),
        cmocka_unit_test(insides_are_even_and_no_lattice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
