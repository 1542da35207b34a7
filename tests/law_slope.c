/* A drop on a plane of 30° that is oblique to every axis: without friction it slides at g·sin 30° within 5 %; with μ
 * well above tan 30° it comes to rest, and its centre then moves by less than h in a second. */
#include "law_helpers.h"

static const double SLOPE = 30, HEADING = 37; /* degrees; of steepest descent, from the x axis */

static mnSim *drop_on_slope(double friction, double spacing) {
    double a = SLOPE * PI / 180, b = HEADING * PI / 180, right_angle = PI / 2;
    mnBody body = {.shape = mn_default_shape(MN_SHAPE_SPHERE)};
    body.shape.radius = 0.002;
    mnFluid water = mn_default_fluid();
    water.bodies = &body;
    water.body_count = 1;
    mnSolid plane = mn_default_solid();
    plane.shape = mn_default_shape(MN_SHAPE_PLANE);
    plane.shape.normal[0] = sin(a) * cos(b);
    plane.shape.normal[1] = sin(a) * sin(b);
    plane.shape.normal[2] = cos(a);
    plane.shape.size[0] = plane.shape.size[1] = 0.03;
    plane.contact_angle = &right_angle;
    plane.friction = friction;
    plane.slip = true;
    mnSceneDesc scene = mn_default_scene();
    scene.spacing = spacing;
    scene.fluids = &water;
    scene.fluid_count = 1;
    scene.solids = &plane;
    scene.solid_count = 1;
    return scene_create(&scene, 1);
}

static double distance(mnTotals a, mnTotals b) {
    double square = 0;
    for (int k = 0; k < 3; k++) square += (a.centre[k] - b.centre[k]) * (a.centre[k] - b.centre[k]);
    return sqrt(square);
}

static double speed(mnTotals totals) {
    const double *p = totals.momentum;
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / totals.mass;
}

static void slides_without_friction(void **state) {
    (void)state;
    mnSim *sim = drop_on_slope(0, 0.00025);
    run_until(sim, 0.02);
    double v0 = speed(mn_sim_totals(sim)), t0 = mn_sim_time(sim);
    run_until(sim, 0.06);
    double acceleration = (speed(mn_sim_totals(sim)) - v0) / (mn_sim_time(sim) - t0);
    assert_law("acceleration", acceleration / (9.81 * sin(SLOPE * PI / 180)), 1, 0.05);
    mn_sim_destroy(sim);
}

static void rests_with_friction(void **state) {
    (void)state;
    double h = 0.0004;
    mnSim *sim = drop_on_slope(1.5, h);
    run_until(sim, 0.3);
    mnTotals then = mn_sim_totals(sim);
    run_until(sim, 1.3);
    assert_law("way of the resting drop, in h", distance(mn_sim_totals(sim), then) / h, 0, 1);
    mn_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slides_without_friction),
                                       cmocka_unit_test(rests_with_friction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
