/* Young's angle: drops that start as half-spheres on a floor with a contact angle of 60°, 90° and 120° settle within 5°
 * of it; so does a half-disc whose fluid has an energy γ^FB of its own at the wall. The angle is that of the spherical
 * cap with the drop's volume and height of the centre of mass, which uses every particle and no threshold. */
#include "law_helpers.h"

/* Height of the centre over V^(1/d) of a spherical cap (circular segment) with contact angle θ; grows with θ. */
static double cap_centre(int dimension, double theta) {
    if (dimension == 2) {
        double area = theta - sin(theta) * cos(theta);
        return (2 * pow(sin(theta), 3) / (3 * area) - cos(theta)) / sqrt(area);
    }
    double height = 1 - cos(theta); /* of a cap of the unit sphere */
    double volume = PI * height * height * (3 - height) / 3;
    double from_centre = 3 * (2 - height) * (2 - height) / (4 * (3 - height));
    return (from_centre - cos(theta)) / cbrt(volume);
}

static double cap_angle(int dimension, double centre_over_size) {
    double low = 0.01, high = PI - 0.001;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (cap_centre(dimension, middle) < centre_over_size)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high) * 180 / PI;
}

static void settles_at(int dimension, double radius_in_spacings, double degrees, double tension_solid) {
    double h = 0.0005, radius = radius_in_spacings * h, angle = degrees * PI / 180;
    int up = dimension - 1;
    mnBody body = {.shape = mn_default_shape(MN_SHAPE_SPHERE)};
    body.shape.radius = radius;
    mnFluid water = mn_default_fluid();
    water.viscosity = 0.05 * sqrt(water.density * water.tension_vapor * radius);
    water.tension_solid = tension_solid;
    water.bodies = &body;
    water.body_count = 1;
    mnSolid floor = mn_default_solid();
    floor.shape = mn_default_shape(MN_SHAPE_PLANE);
    memset(floor.shape.normal, 0, sizeof floor.shape.normal);
    floor.shape.normal[up] = 1;
    floor.shape.size[0] = floor.shape.size[1] = 6 * radius;
    floor.contact_angle = &angle;
    floor.slip = true;
    mnSceneDesc scene = mn_default_scene();
    scene.dimension = dimension;
    scene.spacing = h;
    memset(scene.gravity, 0, sizeof scene.gravity);
    scene.fluids = &water;
    scene.fluid_count = 1;
    scene.solids = &floor;
    scene.solid_count = 1;
    mnSim *sim = scene_create(&scene, 1);
    double capillary_time = sqrt(water.density * radius * radius * radius / water.tension_vapor);
    run_until(sim, 5 * capillary_time);
    double centre = 0;
    for (int i = 0; i < 10; i++) {
        run_until(sim, mn_sim_time(sim) + 0.1 * capillary_time);
        centre += mn_sim_totals(sim).centre[up] / 10;
    }
    double size = h * pow((double)mn_sim_particles(sim).count, 1.0 / dimension);
    assert_law("angle", cap_angle(dimension, centre / size), degrees, 5);
    mn_sim_destroy(sim);
}

static void sixty(void **state) {
    (void)state;
    settles_at(3, 11, 60, 0);
}

static void ninety(void **state) {
    (void)state;
    settles_at(3, 11, 90, 0);
}

static void hundred_and_twenty(void **state) {
    (void)state;
    settles_at(3, 11, 120, 0);
}

static void with_an_energy_of_the_fluid(void **state) {
    (void)state;
    settles_at(2, 14, 90, mn_default_fluid().tension_vapor);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sixty), cmocka_unit_test(ninety),
                                       cmocka_unit_test(hundred_and_twenty),
                                       cmocka_unit_test(with_an_energy_of_the_fluid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
