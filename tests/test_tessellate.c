/* Triangles of shapes: closed, the right way out, with the volume and the area of the shape. */
#include <math.h>
#include <stdlib.h>

#include "geometry/tessellate.h"
#include "geometry/vector.h"
#include "shape_helpers.h"

static mnTriangles triangles_of(mnShape shape, double size) {
    mnGeometry *geometry = make(shape, 3, 0.02);
    mnTriangles triangles;
    mnError error = {0};
    if (mn_geometry_triangles(geometry, size, &triangles, &error) != MN_OK) fail_msg("%s", error.text);
    mn_geometry_destroy(geometry);
    return triangles;
}

static double volume_of(const mnTriangles *triangles) {
    double volume = 0, normal[3];
    for (int64_t t = 0; t < triangles->count; t++) {
        cross3(normal, triangles->corner[3 * t + 1], triangles->corner[3 * t + 2]);
        volume += dot3(triangles->corner[3 * t], normal) / 6;
    }
    return volume;
}

/* mn_mesh_build welds corners and refuses what is not closed; it gives area and volume. */
static void check_closed(mnShape shape, const char *name) {
    mnTriangles triangles = triangles_of(shape, 0.02);
    mnMesh *mesh;
    mnError error = {0};
    if (mn_mesh_build(&triangles, name, 1, 0.02, 0, &mesh, &error) != MN_OK) fail_msg("%s", error.text);
    mnGeometry *geometry = make(shape, 3, 0.02);
    double volume = mn_geometry_volume(geometry), area = mn_geometry_area(geometry);
    if (!(fabs(mesh->volume - volume) < 2e-3 * volume) || !(fabs(mesh->area - area) < 2e-3 * area))
        fail_msg("%s: volume %g for %g, area %g for %g", name, mesh->volume, volume, mesh->area, area);
    assert_true(volume_of(&triangles) > 0); /* mn_mesh_build would turn an inside-out one */
    for (int64_t k = 0; k < 3 * triangles.count; k++)
        assert_true(fabs(mn_geometry_distance(geometry, triangles.corner[k])) < 1e-9);
    mn_geometry_destroy(geometry);
    mn_mesh_destroy(mesh);
    free(triangles.corner);
}

static void solids_are_closed(void **unused) {
    (void)unused;
    check_closed(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 0.5, .translation = {3, 0, 1}), "sphere");
    check_closed(SHAPE(.kind = MN_SHAPE_BOX, .size = {1, 2, 0.5}, .translation = {0, 5, 0}), "box");
    check_closed(SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 0.4, .height = 1), "cylinder");
    check_closed(SHAPE(.kind = MN_SHAPE_CAPSULE, .radius = 0.4, .height = 1), "capsule");
    check_closed(SHAPE(.kind = MN_SHAPE_CONE, .radius = 0.4, .height = 1), "cone");
    check_closed(SHAPE(.kind = MN_SHAPE_TORUS, .radius = 0.6, .tube_radius = 0.2), "torus");
}

/* Between both sides of a wall lies its material. */
static void walls_have_two_sides(void **unused) {
    (void)unused;
    const double t = 0.2;
    mnTriangles box =
        triangles_of(SHAPE(.kind = MN_SHAPE_BOX, .size = {1, 2, 3}, .hollow = true, .thickness = t), 0.02);
    assert_true(fabs(volume_of(&box) - (1.4 * 2.4 * 3.4 - 6)) < 1e-9);
    mnTriangles cone =
        triangles_of(SHAPE(.kind = MN_SHAPE_CONE, .radius = 3, .height = 4, .hollow = true, .thickness = t), 0.02);
    mnGeometry *geometry =
        make(SHAPE(.kind = MN_SHAPE_CONE, .radius = 3, .height = 4, .hollow = true, .thickness = t), 3, 0.02);
    /* Corners aside, the outer side is as far out as the wall is thick: look at the middles of its triangles. */
    for (int64_t k = 0; k < cone.count; k++) {
        double middle[3] = {0};
        for (int c = 0; c < 3; c++) add_scaled3(middle, middle, 1.0 / 3, cone.corner[3 * k + c]);
        double distance = mn_geometry_distance(geometry, middle);
        assert_true(fabs(distance) < 2e-3 || fabs(distance - t) < 5e-2);
    }
    mn_geometry_destroy(geometry);
    free(cone.corner);
    free(box.corner);
}

static void a_plane_is_its_patch(void **unused) {
    (void)unused;
    mnTriangles patch =
        triangles_of(SHAPE(.kind = MN_SHAPE_PLANE, .normal = {0, 3, 4}, .size = {2, 1}, .translation = {0, 0, 1}), 1);
    assert_int_equal(patch.count, 2);
    double u[3], v[3], normal[3], area = 0;
    for (int t = 0; t < 2; t++) {
        subtract3(u, patch.corner[3 * t + 1], patch.corner[3 * t]);
        subtract3(v, patch.corner[3 * t + 2], patch.corner[3 * t]);
        cross3(normal, u, v);
        area += 0.5 * length3(normal);
        assert_true(dot3(normal, (double[3]){0, 0.6, 0.8}) > 0.999 * length3(normal));
    }
    assert_true(fabs(area - 2) < 1e-9);
    free(patch.corner);
}

static void flat_scenes_have_none(void **unused) {
    (void)unused;
    mnGeometry *disc = make(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 0.5), 2, 0.02);
    mnTriangles triangles;
    assert_int_equal(mn_geometry_triangles(disc, 0.1, &triangles, NULL), MN_ERROR_INPUT);
    mn_geometry_destroy(disc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_are_closed),
        cmocka_unit_test(walls_have_two_sides),
        cmocka_unit_test(a_plane_is_its_patch),
        cmocka_unit_test(flat_scenes_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
