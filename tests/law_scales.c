/* The same law at other scales and in 2D, at parameters nothing was calibrated to: h = 0.05 mm and 5 mm, mercury. */
#include "law_helpers.h"

static double period(int dimension, double radius_in_spacings, double spacing, Liquid liquid) {
    mnSim *sim = drop_create(dimension, radius_in_spacings, spacing, liquid, MN_PRESET_DEFAULT, 0.04, 0.6);
    run_until(sim, 0.7 * drop_period(sim));
    double found = oscillation_period(sim, dimension == 3 ? 1.2 : 2.5);
    mn_sim_destroy(sim);
    return found;
}

static void check(int dimension, double radius_in_spacings, double spacing, Liquid liquid) {
    assert_law("period", period(dimension, radius_in_spacings, spacing, liquid), 1, 0.04);
}

/* A disc of ten spacings has 316 particles, and its period scatters by 1 % with the last digits: the mean of three
 * scales, which are all the same to the law. */
static void check_plane(double radius_in_spacings) {
    const double spacings[] = {0.00005, 0.0005, 0.005};
    double mean = 0;
    for (int k = 0; k < 3; k++) mean += period(2, radius_in_spacings, spacings[k], WATER) / 3;
    assert_law("mean period", mean, 1, 0.04);
}

static void tiny_water(void **state) {
    (void)state;
    check(3, 10, 0.00005, WATER);
}

static void large_water(void **state) {
    (void)state;
    check(3, 10, 0.005, WATER);
}

static void mercury(void **state) {
    (void)state;
    check(3, 10, 0.0005, MERCURY);
}

static void plane_ten_spacings(void **state) {
    (void)state;
    check_plane(10);
}

static void plane_fourteen_spacings(void **state) {
    (void)state;
    check_plane(14);
}

static void plane_mercury(void **state) {
    (void)state;
    check(2, 20, 0.005, MERCURY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiny_water),
        cmocka_unit_test(large_water),
        cmocka_unit_test(mercury),
        cmocka_unit_test(plane_ten_spacings),
        cmocka_unit_test(plane_fourteen_spacings),
        cmocka_unit_test(plane_mercury),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
