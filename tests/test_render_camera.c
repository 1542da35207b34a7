/* Cameras: what users say of them, and those that are found. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/vector.h"
#include "render/build.h"
#include "render/camera.h"

enum { POINTS = 2000 };

static double points[POINTS][3];

/* Points of a box, always the same. */
static void fill_box(const double lower[3], const double upper[3]) {
    uint32_t state = 1;
    for (int i = 0; i < POINTS; i++)
        for (int c = 0; c < 3; c++) {
            state = state * 1664525U + 1013904223U;
            points[i][c] = lower[c] + (upper[c] - lower[c]) * (state >> 8) / 0x1p24;
        }
}

static mnView find(const mnSceneDesc *scene, double aspect, mnView view) {
    mnWalls walls;
    mnError error;
    assert_int_equal(mn_walls_create(scene, &walls, &error), MN_OK);
    mnSubject subject = {(const double(*)[3])points, POINTS, scene->spacing, {0, 0, 0}, scene->dimension, &walls};
    mn_camera_up(scene->gravity, scene->dimension, subject.up);
    assert_int_equal(mn_camera_find(&subject, aspect, &view, &error), MN_OK);
    mn_walls_clear(&walls);
    return view;
}

/* Bounds of the points in the picture, whose sides are at ±1. */
static void bounds_in_picture(const mnView *view, double aspect, float lower[2], float upper[2]) {
    mnScale scale = mn_scale_of(view);
    mnLens lens = mn_lens_of(view, &scale, aspect);
    lower[0] = lower[1] = INFINITY;
    upper[0] = upper[1] = -INFINITY;
    for (int i = 0; i < POINTS; i++) {
        mnV3 off = v3_sub(mn_scale_point(&scale, points[i]), lens.origin);
        float ahead = v3_dot(off, lens.forward);
        assert_true(ahead > 0);
        float at[2] = {v3_dot(off, lens.right) / ahead / lens.half_width,
                       v3_dot(off, lens.up) / ahead / lens.half_height};
        for (int c = 0; c < 2; c++) {
            lower[c] = fminf(lower[c], at[c]);
            upper[c] = fmaxf(upper[c], at[c]);
        }
    }
}

static void expect_well_filled(const mnView *view, double aspect) {
    float lower[2], upper[2];
    bounds_in_picture(view, aspect, lower, upper);
    for (int c = 0; c < 2; c++) assert_true(lower[c] > -0.95F && upper[c] < 0.95F);
    assert_true(upper[0] - lower[0] > 1.0F || upper[1] - lower[1] > 0.9F);
}

static void words_of_a_camera(void **state) {
    (void)state;
    mnView view = mn_default_view();
    mnError error;
    assert_int_equal(mn_camera_parse("from=1,2,-3.5 fov=90  aperture=0", &view, &error), MN_OK);
    assert_float_equal(view.from[2], -3.5, 0);
    assert_float_equal(view.fov, acos(-1.0) / 2, 1e-12);
    assert_float_equal(view.aperture, 0, 0);
    assert_true(isnan(view.to[0]) && isnan(view.focus) && isnan(view.up[1]));
    assert_int_equal(mn_camera_parse("", &view, &error), MN_OK);
    static const char *const wrong[] = {"from=1,2", "from=1,2,3,4", "to=1,2,x",  "fov=0",       "fov=200",    "lens=3",
                                        "from",     "up=0,0,0",     "focus=nan", "aperture=-1", "from= 1,2,3"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(mn_camera_parse(wrong[i], &view, &error), MN_ERROR_INPUT);
        assert_non_null(strstr(error.text, "from=x,y,z"));
    }
}

static void a_found_camera_shows_all_of_the_fluid(void **state) {
    (void)state;
    mnSceneDesc scene = mn_default_scene();
    scene.spacing = 1e-4;
    static const double sizes[][3] = {{1, 1, 1}, {10, 1, 1}, {1, 10, 0.2}, {0.1, 0.1, 8}, {5, 5, 0.1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int wide = 0; wide < 2; wide++) {
            double lower[3], upper[3];
            for (int c = 0; c < 3; c++) {
                lower[c] = 0.05 - 0.0005 * sizes[i][c];
                upper[c] = 0.05 + 0.0005 * sizes[i][c];
            }
            fill_box(lower, upper);
            mnView view = find(&scene, wide ? 16.0 / 9 : 0.5, mn_default_view());
            expect_well_filled(&view, wide ? 16.0 / 9 : 0.5);
            assert_true(view.from[2] > view.to[2]); /* from above */
            assert_true(view.aperture > 0 && view.focus > 0);
        }
    /* Across the longer side. */
    fill_box((const double[3]){0, 0, 0}, (const double[3]){0.01, 0.001, 0.001});
    mnView view = find(&scene, 2, mn_default_view());
    assert_true(fabs(view.from[1] - view.to[1]) > 1.5 * fabs(view.from[0] - view.to[0]));
}

static void walls_are_not_in_the_way(void **state) {
    (void)state;
    mnSolid wall = mn_default_solid();
    wall.shape = mn_default_shape(MN_SHAPE_PLANE);
    wall.shape.size[0] = wall.shape.size[1] = 0.1;
    mnSceneDesc scene = mn_default_scene();
    scene.spacing = 1e-4;
    scene.solids = &wall;
    scene.solid_count = 1;
    for (int axis = 0; axis < 2; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int c = 0; c < 3; c++) wall.shape.normal[c] = c == axis ? sign : 0;
            double lower[3] = {-0.001, -0.001, -0.001}, upper[3] = {0.001, 0.001, 0.001};
            if (sign > 0)
                lower[axis] = 1e-4;
            else
                upper[axis] = -1e-4;
            fill_box(lower, upper);
            mnView view = find(&scene, 1.5, mn_default_view());
            assert_true(sign * view.from[axis] > 0);
        }
}

static void planes_are_seen_face_on(void **state) {
    (void)state;
    mnSceneDesc scene = mn_default_scene();
    scene.dimension = 2;
    scene.spacing = 1e-4;
    memcpy(scene.gravity, (const double[3]){0, -9.81, 0}, sizeof scene.gravity);
    fill_box((const double[3]){0.01, 0.02, 0}, (const double[3]){0.03, 0.025, 0});
    mnView view = find(&scene, 16.0 / 9, mn_default_view());
    assert_float_equal(view.from[0], view.to[0], 1e-9);
    assert_float_equal(view.from[1], view.to[1], 1e-9);
    assert_true(view.from[2] > 0);
    assert_float_equal(view.up[1], 1, 1e-12);
    expect_well_filled(&view, 16.0 / 9);
}

static void what_is_said_is_kept(void **state) {
    (void)state;
    mnSceneDesc scene = mn_default_scene();
    fill_box((const double[3]){0, 0, 0}, (const double[3]){0.01, 0.01, 0.01});
    mnView said = mn_default_view();
    memcpy(said.from, (const double[3]){0.1, 0, 0}, sizeof said.from);
    mnView view = find(&scene, 1, said);
    assert_memory_equal(view.from, said.from, sizeof said.from);
    for (int c = 0; c < 3; c++) assert_float_equal(view.to[c], 0.005, 5e-4);
    mnError error;
    mnWalls walls = {0};
    mnSubject nothing = {NULL, 0, 1e-3, {0, 0, 1}, 3, &walls};
    memcpy(said.to, said.from, sizeof said.to);
    assert_int_equal(mn_camera_find(&nothing, 1, &said, &error), MN_ERROR_INPUT);
    /* An empty frame is no reason to fail. */
    view = mn_default_view();
    assert_int_equal(mn_camera_find(&nothing, 1, &view, &error), MN_OK);
    assert_true(isfinite(view.from[0] + view.to[0] + view.up[0] + view.focus + view.aperture));
    nothing.spacing = 0;
    view = mn_default_view();
    assert_int_equal(mn_camera_find(&nothing, 1, &view, &error), MN_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_a_camera),        cmocka_unit_test(a_found_camera_shows_all_of_the_fluid),
        cmocka_unit_test(walls_are_not_in_the_way), cmocka_unit_test(planes_are_seen_face_on),
        cmocka_unit_test(what_is_said_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
