/* Solids as files: triangles where they are at the start, and what takes them to where they are later. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder_helpers.h"
#include "geometry/geometry.h"
#include "geometry/tessellate.h"
#include "io/solids.h"
#include "scene/motion.h"

/* A plate, and a cube that neither starts unturned nor at its place. */
static const mnMotionKey keys[] = {
    {.time = -1, .translation = {0, 0.5, 0}, .rotation = {0, 0, 0.6, 0.8}},
    {.time = 1, .translation = {1, 2, 3}, .rotation = {0.6, 0, 0, 0.8}},
};
static mnSolid solids[2];
static mnSceneDesc scene;

static int make_scene(void **unused) {
    (void)unused;
    scene = mn_default_scene();
    solids[0] = solids[1] = mn_default_solid();
    solids[0].name = "plate";
    solids[0].shape = mn_default_shape(MN_SHAPE_PLANE);
    solids[0].shape.size[0] = solids[0].shape.size[1] = 2;
    solids[1].name = "../cube";
    solids[1].shape = mn_default_shape(MN_SHAPE_BOX);
    for (int axis = 0; axis < 3; axis++) solids[1].shape.size[axis] = 1;
    solids[1].motion = keys;
    solids[1].motion_count = 2;
    scene.solids = solids;
    scene.solid_count = 2;
    scene.spacing = 0.1;
    return mkdtemp(folder) ? 0 : -1;
}

static float corners[36][3];

static void read_cube(void) {
    char line[200];
    FILE *file = fopen(path_of("solids/...cube.ply"), "rb");
    assert_non_null(file);
    bool has_vertices = false, has_faces = false;
    while (fgets(line, sizeof line, file) && strcmp(line, "end_header\n") != 0) {
        has_vertices |= strcmp(line, "element vertex 36\n") == 0;
        has_faces |= strcmp(line, "element face 12\n") == 0;
    }
    assert_true(has_vertices && has_faces);
    assert_int_equal(fread(corners, sizeof corners, 1, file), 1);
    for (uint32_t t = 0; t < 12; t++) {
        unsigned char count;
        uint32_t face[3];
        assert_true(fread(&count, 1, 1, file) == 1 && fread(face, sizeof face, 1, file) == 1 && count == 3);
        for (uint32_t c = 0; c < 3; c++) assert_int_equal(face[c], 3 * t + c);
    }
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
}

/* The corners of the file, moved by a row, are those of the shape, moved by its motion. */
static void motions_take_meshes_along(void **unused) {
    (void)unused;
    const double times[] = {0, 0.25, 0.5, 1, 2};
    mnError error = {0};
    if (mn_solids_write(folder, &scene, &error) != MN_OK) fail_msg("%s", error.text);
    if (mn_solids_move(folder, &scene, times, 5, &error) != MN_OK) fail_msg("%s", error.text);
    assert_int_equal(access(path_of("solids/plate.ply"), F_OK), 0);
    assert_int_not_equal(access(path_of("solids/plate.csv"), F_OK), 0);
    read_cube();
    mnGeometry *geometry;
    mnTriangles triangles;
    assert_int_equal(mn_geometry_create(&solids[1].shape, NULL, 3, scene.spacing, &geometry, NULL), MN_OK);
    assert_int_equal(mn_geometry_triangles(geometry, scene.spacing, &triangles, NULL), MN_OK);
    char line[200];
    FILE *file = fopen(path_of("solids/...cube.csv"), "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "time [s],x [m],y [m],z [m],qx,qy,qz,qw\n");
    for (int row = 0; row < 5; row++) {
        double time;
        mnPose from_start, pose = mn_motion_pose(keys, 2, times[row]);
        double *t = from_start.translation, *q = from_start.rotation;
        assert_non_null(fgets(line, sizeof line, file));
        if (row == 0) assert_string_equal(line, "0,0,0,0,0,0,0,1\n");
        assert_int_equal(
            sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &time, &t[0], &t[1], &t[2], &q[0], &q[1], &q[2], &q[3]), 8);
        assert_true(time == times[row]);
        for (int c = 0; c < 36; c++) {
            double found[3] = {(double)corners[c][0], (double)corners[c][1], (double)corners[c][2]}, expected[3];
            mn_pose_apply(&from_start, found, found);
            mn_pose_apply(&pose, triangles.corner[c], expected);
            for (int axis = 0; axis < 3; axis++) assert_true(fabs(found[axis] - expected[axis]) < 1e-6);
        }
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    free(triangles.corner);
    mn_geometry_destroy(geometry);
}

/* A folder of this name may be somebody's own. */
static void files_of_others_stay(void **unused) {
    (void)unused;
    mnError error = {0};
    mkdir(path_of("solids"), 0777);
    write_text("solids/mine.ply", "ply\n");
    write_text("solids/mine.csv", "time\n");
    mn_solids_remove(folder);
    assert_int_equal(access(path_of("solids/mine.ply"), F_OK), 0);
    assert_int_equal(access(path_of("solids/mine.csv"), F_OK), 0);
    assert_int_not_equal(access(path_of("solids/...cube.ply"), F_OK), 0);
    assert_int_not_equal(access(path_of("solids/...cube.csv"), F_OK), 0);
    write_text("solids/plate.ply", "ply\n");
    assert_int_equal(mn_solids_write(folder, &scene, &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "solids/plate.ply"));
    unlink(path_of("solids/mine.ply"));
    unlink(path_of("solids/mine.csv"));
    unlink(path_of("solids/plate.ply"));
    assert_int_equal(mn_solids_write(folder, &scene, &error), MN_OK);
    assert_int_equal(mn_solids_write(folder, &scene, &error), MN_OK);
    mn_solids_remove(folder);
    assert_int_not_equal(access(path_of("solids"), F_OK), 0);
}

static void flat_scenes_have_no_surfaces(void **unused) {
    (void)unused;
    mnSceneDesc flat = scene;
    flat.dimension = 2;
    assert_int_equal(mn_solids_write(folder, &flat, NULL), MN_OK);
    assert_int_equal(mn_solids_move(folder, &flat, (double[]){0}, 1, NULL), MN_OK);
    assert_int_not_equal(access(path_of("solids"), F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_take_meshes_along),
        cmocka_unit_test(files_of_others_stay),
        cmocka_unit_test(flat_scenes_have_no_surfaces),
    };
    return cmocka_run_group_tests(tests, make_scene, remove_folder);
}
