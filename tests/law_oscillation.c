/* γ means newtons per metre: the n = 2 oscillation of a free drop, stretched by 10 %, has Rayleigh's period within 4 %,
 * and the settled core has Laplace's pressure 2γ/R within 10 %. Water, h = 0.5 mm, R/h = 10 and 14. */
#include "law_helpers.h"

static const double OHNESORGE = 0.04, SETTLED = 0.8; /* periods */

static void period_is_rayleighs(double radius_in_spacings) {
    mnSim *sim = drop_create(3, radius_in_spacings, 0.0005, WATER, MN_PRESET_DEFAULT, OHNESORGE, 0.6);
    double law = drop_period(sim), laplace = 2 * WATER.tension / drop_radius(sim), core = 0;
    int count = 0;
    run_until(sim, 0.6 * law);
    while (mn_sim_time(sim) < SETTLED * law) {
        run_until(sim, mn_sim_time(sim) + 0.01 * law);
        core += core_pressure(sim);
        count++;
    }
    if (radius_in_spacings >= 14) assert_law("core pressure", core / count / laplace, 1, 0.10);
    assert_law("period", oscillation_period(sim, 1.2), 1, 0.04);
    mn_sim_destroy(sim);
}

static void ten_spacings(void **state) {
    (void)state;
    period_is_rayleighs(10);
}

static void fourteen_spacings(void **state) {
    (void)state;
    period_is_rayleighs(14);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ten_spacings), cmocka_unit_test(fourteen_spacings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
