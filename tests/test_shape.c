/* Signed distances, sizes and transforms of the primitive shapes, and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/shape.h"
#include "geometry/vector.h"
#include "shape_helpers.h"

static double distance_to(mnShape shape, int dimension, double x, double y, double z) {
    mnGeometry *geometry = make(shape, dimension, 0.1);
    const double point[3] = {x, y, z};
    double distance = mn_geometry_distance(geometry, point);
    mn_geometry_destroy(geometry);
    return distance;
}

static void assert_close(double a, double b) {
    if (!(fabs(a - b) < 1e-9 * (1 + fabs(b)))) fail_msg("%.12g is not %.12g", a, b);
}

static void test_distances_by_hand(void **unused) {
    (void)unused;
    mnShape sphere = SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 2, .translation = {1, 0, 0});
    assert_close(distance_to(sphere, 3, 1, 0, 3), 1);
    assert_close(distance_to(sphere, 3, 1, 0.5, 0), -1.5);
    mnShape box = SHAPE(.kind = MN_SHAPE_BOX, .size = {2, 4, 6});
    assert_close(distance_to(box, 3, 2, 3, 0), sqrt(2));
    assert_close(distance_to(box, 3, 0.5, 0, 0), -0.5);
    assert_close(distance_to(box, 3, 0, 0, 4), 1);
    mnShape cylinder = SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 2, .height = 6);
    assert_close(distance_to(cylinder, 3, 0, 5, 7), 5);
    assert_close(distance_to(cylinder, 3, 0, 1, 0), -1);
    assert_close(distance_to(cylinder, 3, 0, 0, 2.5), -0.5);
    mnShape capsule = SHAPE(.kind = MN_SHAPE_CAPSULE, .radius = 1, .height = 4);
    assert_close(distance_to(capsule, 3, 0, 3, 6), 4);
    assert_close(distance_to(capsule, 3, 0, 0, 2.5), -0.5);
    mnShape cone = SHAPE(.kind = MN_SHAPE_CONE, .radius = 3, .height = 4);
    assert_close(distance_to(cone, 3, 0, 0, 5), 1);
    assert_close(distance_to(cone, 3, 0, 1, -2), 2);
    assert_close(distance_to(cone, 3, 7, 0, -3), 5);
    assert_close(distance_to(cone, 3, 0, 0, 1.5), -1.5);          /* the centre of its largest ball */
    assert_close(distance_to(cone, 3, 1.5 + 0.8, 0, 2 + 0.6), 1); /* straight out from the middle of its side */
    mnShape torus = SHAPE(.kind = MN_SHAPE_TORUS, .radius = 5, .tube_radius = 2);
    assert_close(distance_to(torus, 3, 0, 0, 0), 3);
    assert_close(distance_to(torus, 3, 0, 5, 1), -1);
    mnShape plane = SHAPE(.kind = MN_SHAPE_PLANE, .size = {1, 1}, .normal = {0, 3, 4}, .translation = {0, 0, 1});
    assert_close(distance_to(plane, 3, 9, 5, 1), 3);
    assert_close(distance_to(plane, 3, 9, 0, -4), -4);
}

/* Scale, then rotation, then translation; the same again for the shapes of a union. */
static void test_transforms(void **unused) {
    (void)unused;
    double half = sqrt(0.5);
    mnShape box = SHAPE(.kind = MN_SHAPE_BOX, .size = {2, 4, 6}, .translation = {10, 0, 0});
    box.scale = 0.5;
    box.rotation[2] = half; /* a quarter turn about z: x goes to y */
    box.rotation[3] = half;
    assert_close(distance_to(box, 3, 12, 0, 0), 1);
    assert_close(distance_to(box, 3, 10, 1, 0), 0.5);
    mnShape whole = SHAPE(.kind = MN_SHAPE_UNION, .children = &box, .child_count = 1, .translation = {0, 0, 7});
    whole.scale = 2;
    whole.rotation[1] = half; /* about y: x goes to −z */
    whole.rotation[3] = half;
    /* The box is centred on (20, 0, 0) before the turn and on (0, 0, −13) after it; its sizes are 4, 2, 6 in x, y, z
     * before and 6, 2, 4 after. */
    assert_close(distance_to(whole, 3, 0, 0, -13), -1);
    assert_close(distance_to(whole, 3, 4, 0, -13), 1);
    assert_close(distance_to(whole, 3, 0, 2, -13), 1);
    assert_close(distance_to(whole, 3, 0, 0, -16), 1);
    mnGeometry *geometry = make(whole, 3, 0.1);
    double lower[3], upper[3];
    mn_geometry_bounds(geometry, lower, upper);
    assert_close(lower[0], -3);
    assert_close(upper[1], 1);
    assert_close(upper[2], -11);
    mn_geometry_destroy(geometry);
}

/* The distance changes by at most as much as the point moves and its gradient has length one; the volume inside is the
 * one that is promised, and so is the surface. */
static void check_shape(mnShape shape, int dimension) {
    mnGeometry *geometry = make(shape, dimension, 0.05);
    double lower[3], upper[3], box = 1, h = 0.01;
    mn_geometry_bounds(geometry, lower, upper);
    for (int c = 0; c < dimension; c++) box *= upper[c] - lower[c] + 2 * h;
    uint64_t state = 7;
    int inside = 0, within = 0, count = 150000;
    for (int i = 0; i < count; i++) {
        double x[3] = {0, 0, 0}, normal[3], further[3];
        for (int c = 0; c < dimension; c++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            x[c] = lower[c] - h + (double)(state >> 11) / 9007199254740992.0 * (upper[c] - lower[c] + 2 * h);
        }
        double distance = mn_geometry_distance(geometry, x);
        inside += distance < 0;
        within += fabs(distance) < h;
        if (i >= 2000) continue;
        assert_close(mn_geometry_probe(geometry, x, normal), distance);
        /* From a point outside, going back along the normal by the distance ends on the surface. */
        add_scaled3(further, x, -distance, normal);
        if (distance > 0.01) assert_true(fabs(mn_geometry_distance(geometry, further)) < 1e-5);
        add_scaled3(further, x, 0.1, normal);
        assert_true(fabs(mn_geometry_distance(geometry, further) - distance) < 0.1 + 1e-9);
    }
    assert_true(fabs(inside * box / count / mn_geometry_volume(geometry) - 1) < 0.02);
    assert_true(fabs(within * box / count / (2 * h * mn_geometry_area(geometry)) - 1) < 0.08);
    mn_geometry_destroy(geometry);
}

static void test_measures_agree_with_distances(void **unused) {
    (void)unused;
    check_shape(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 1.3), 3);
    mnShape box = SHAPE(.kind = MN_SHAPE_BOX, .size = {1, 2, 3});
    box.rotation[0] = 0.5;
    box.rotation[1] = 0.5;
    box.rotation[2] = 0.5;
    box.rotation[3] = 0.5;
    check_shape(box, 3);
    check_shape(SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 1, .height = 2), 3);
    check_shape(SHAPE(.kind = MN_SHAPE_CAPSULE, .radius = 1, .height = 2), 3);
    check_shape(SHAPE(.kind = MN_SHAPE_CONE, .radius = 1, .height = 2), 3);
    check_shape(SHAPE(.kind = MN_SHAPE_TORUS, .radius = 2, .tube_radius = 0.7), 3);
    check_shape(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 1.3), 2);
    check_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {1, 2}), 2);
    mnShape lying[] = {SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 1, .height = 3),
                       SHAPE(.kind = MN_SHAPE_CAPSULE, .radius = 1, .height = 3),
                       SHAPE(.kind = MN_SHAPE_CONE, .radius = 1, .height = 3),
                       SHAPE(.kind = MN_SHAPE_TORUS, .radius = 2, .tube_radius = 0.6)};
    for (int i = 0; i < 4; i++) {
        check_shape(lying[i], 2); /* standing */
        lying[i].rotation[0] = lying[i].rotation[3] = sqrt(0.5);
        check_shape(lying[i], 2);
    }
}

static void test_two_dimensions_cut(void **unused) {
    (void)unused;
    mnShape cylinder = SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 1, .height = 6, .translation = {0, 0, 9});
    assert_close(distance_to(cylinder, 2, 3, 0, 0), 2); /* a disc, wherever it stands */
    cylinder.rotation[0] = cylinder.rotation[3] = sqrt(0.5);
    assert_close(distance_to(cylinder, 2, 3, 0, 0), 2); /* a rectangle */
    assert_close(distance_to(cylinder, 2, 0, 3.5, 0), 0.5);
    mnShape box = SHAPE(.kind = MN_SHAPE_BOX, .size = {2, 4, 1e-9});
    assert_close(distance_to(box, 2, 0, 0, 0), -1);
}

static void test_material(void **unused) {
    (void)unused;
    mnGeometry *cup = make(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 5, .hollow = true), 3, 0.5);
    double back = 5 + MN_WALL_LAYERS_MIN * 0.5;
    const double centre[3] = {0, 0, 0}, near_wall[3] = {4.9, 0, 0}, wall[3] = {0, 5.5, 0};
    const double near_back[3] = {0, back - 0.1, 0}, beyond[3] = {0, 0, back + 0.1};
    assert_false(mn_geometry_in_material(cup, centre, 0));
    assert_false(mn_geometry_in_material(cup, near_wall, 0));
    assert_true(mn_geometry_in_material(cup, near_wall, 0.2));
    assert_true(mn_geometry_in_material(cup, wall, 0));
    assert_true(mn_geometry_in_material(cup, near_back, 0));
    assert_false(mn_geometry_in_material(cup, beyond, 0));
    mn_geometry_destroy(cup);
    mnGeometry *floor = make(SHAPE(.kind = MN_SHAPE_PLANE, .size = {2, 4}, .normal = {0, 0, 1}), 3, 0.1);
    const double under[3] = {0.9, 1.9, -5}, above[3] = {0, 0, 0.1}, beside[3] = {1.2, 0, -0.1};
    assert_true(mn_geometry_in_material(floor, under, 0));
    assert_false(mn_geometry_in_material(floor, above, 0));
    assert_true(mn_geometry_in_material(floor, above, 0.15));
    assert_false(mn_geometry_in_material(floor, beside, 0.1));
    mn_geometry_destroy(floor);
    /* The wall of a container and a post inside it. */
    mnShape parts[2] = {SHAPE(.kind = MN_SHAPE_BOX, .size = {4, 4, 4}, .hollow = true),
                        SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 0.5, .height = 4)};
    mnGeometry *both = make(SHAPE(.kind = MN_SHAPE_UNION, .children = parts, .child_count = 2), 3, 0.1);
    const double in_post[3] = {0, 0, 0}, in_wall[3] = {2.1, 0, 0}, between[3] = {1, 1, 0};
    assert_true(mn_geometry_in_material(both, in_post, 0));
    assert_true(mn_geometry_in_material(both, in_wall, 0));
    assert_false(mn_geometry_in_material(both, between, 0.1));
    mn_geometry_destroy(both);
}

static void refuse(mnShape shape, int dimension, const char *expected) {
    mnGeometry *geometry = (mnGeometry *)&shape;
    mnError error = {0};
    assert_int_equal(mn_geometry_create(&shape, NULL, dimension, 0.1, &geometry, &error), MN_ERROR_INPUT);
    assert_null(geometry);
    if (!strstr(error.text, expected)) fail_msg("\"%s\" does not say \"%s\"", error.text, expected);
}

static void test_refusals(void **unused) {
    (void)unused;
    refuse(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = -1), 3, "radius is -1");
    refuse(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = NAN), 3, "sphere: radius");
    refuse(SHAPE(.kind = MN_SHAPE_BOX, .size = {1, 0, 1}), 3, "size is 0");
    refuse(SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 1), 3, "height");
    refuse(SHAPE(.kind = MN_SHAPE_TORUS, .radius = 1, .tube_radius = 2), 3, "less than radius");
    refuse(SHAPE(.kind = MN_SHAPE_PLANE, .size = {1, 1}), 3, "normal");
    refuse(SHAPE(.kind = MN_SHAPE_PLANE, .size = {1, 1}, .normal = {0, 0, 1}, .hollow = true), 3, "hollow");
    refuse(SHAPE(.kind = MN_SHAPE_PLANE, .size = {1, 1}, .normal = {0, 0, 1}), 2, "normal");
    refuse(SHAPE(.kind = MN_SHAPE_UNION), 3, "no shapes");
    refuse(SHAPE(.kind = MN_SHAPE_MESH, .path = "x.obj"), 2, "three dimensions");
    refuse(SHAPE(.kind = MN_SHAPE_MESH), 3, "path");
    mnShape floor = SHAPE(.kind = MN_SHAPE_PLANE, .size = {1, 1}, .normal = {0, 0, 1});
    refuse(SHAPE(.kind = MN_SHAPE_UNION, .children = &floor, .child_count = 1, .hollow = true), 3, "plane");
    mnShape tilted = SHAPE(.kind = MN_SHAPE_CAPSULE, .radius = 1, .height = 1);
    tilted.rotation[0] = 0.3;
    refuse(tilted, 2, "axis");
    mnShape small = SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 1);
    small.scale = 0;
    refuse(small, 3, "scale");
    small.scale = 1;
    small.rotation[3] = 0;
    refuse(small, 3, "quaternion");
    mnShape endless = SHAPE(.kind = MN_SHAPE_UNION, .child_count = 1);
    endless.children = &endless;
    mnGeometry *geometry;
    mnError error = {0};
    assert_int_equal(mn_geometry_create(&endless, NULL, 3, 0.1, &geometry, &error), MN_ERROR_INPUT);
}

static void test_unit_vectors_of_sphere(void **unused) {
    (void)unused;
    mnGeometry *geometry = make(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 1), 3, 0.1);
    const double x[3] = {0.3, -0.4, 1.2};
    double normal[3];
    assert_close(mn_geometry_probe(geometry, x, normal), 0.3);
    for (int c = 0; c < 3; c++) assert_true(fabs(normal[c] - x[c] / 1.3) < 1e-7);
    assert_close(mn_geometry_volume(geometry), 4 * pi / 3);
    assert_true(fabs(mn_geometry_area(geometry) - 4 * pi) < 1e-5);
    mn_geometry_destroy(geometry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_by_hand),
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_measures_agree_with_distances),
        cmocka_unit_test(test_two_dimensions_cut),
        cmocka_unit_test(test_material),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_unit_vectors_of_sphere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
