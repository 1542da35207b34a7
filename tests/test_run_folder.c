/* The folder of a run, found again from it, from its frames and from one of them. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "folder_helpers.h"
#include "io/run_folder.h"

/* Frames 3, 4 and 7 of one particle, one of them in two formats, and files that are none. */
static int make_run(void **unused) {
    (void)unused;
    if (!mkdtemp(folder)) return -1;
    mkdir(path_of("frames"), 0777);
    write_text("frames/frame_000003.csv", "x,y,z,radius\n1,2,3,0.5\n");
    write_text("frames/frame_000007.csv", "x,y,z\n1,2,3\n");
    write_text("frames/frame_000004.csv", "x,y,z\n9,9,9\n");
    write_text("frames/frame_000004.ply",
               "ply\nformat binary_little_endian 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
               "property float z\nend_header\n");
    write_text("frames/frame_4.csv", "x,y,z\n");
    write_text("frames/frame_000008.csv.partial", "x");
    write_text("frames/frames.pvd", "");
    write_text("scene.json", "{\"spacing\": 0.5, \"duration\": 1, \"fluids\": {\"water\": {\"bodies\": [{\"shape\": "
                             "{\"kind\": \"sphere\", \"radius\": 5}}]}}}");
    return 0;
}

static mnRunFolder open_run(const char *path) {
    mnRunFolder run;
    mnError error = {0};
    if (mn_run_folder_open(path, &run, &error) != MN_OK) fail_msg("%s", error.text);
    assert_non_null(run.scene);
    assert_float_equal(mn_scene_desc(run.scene)->spacing, 0.5, 0);
    return run;
}

static void frames_are_found(void **unused) {
    (void)unused;
    const char *const ways[] = {"", "frames", "frames/"};
    for (int w = 0; w < 3; w++) {
        mnRunFolder run = open_run(path_of(ways[w]));
        assert_int_equal(run.frame_count, 3);
        const int64_t numbers[3] = {3, 4, 7};
        for (int k = 0; k < 3; k++) assert_int_equal(run.frames[k].number, numbers[k]);
        assert_non_null(strstr(run.frames[1].path, "frame_000004.ply"));
        mn_run_folder_close(&run);
    }
    mnRunFolder one = open_run(path_of("frames/frame_000007.csv"));
    assert_true(one.frame_count == 1 && one.frames[0].number == 7);
    mn_run_folder_close(&one);
}

static void frames_are_chosen_and_read(void **unused) {
    (void)unused;
    mnRunFolder run = open_run(path_of(""));
    mnError error = {0};
    assert_int_equal(mn_run_folder_select(&run, 8, 20, &error), MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "only 3 to 7"));
    mnFrame frame = {0};
    assert_int_equal(mn_run_folder_read(&run, 0, &frame, &error), MN_OK);
    assert_float_equal(frame.particles.position[0].w, 0.5235988, 1e-6);
    assert_int_equal(mn_run_folder_select(&run, 5, 20, &error), MN_OK);
    assert_int_equal(run.frame_count, 1);
    assert_int_equal(mn_run_folder_read(&run, 0, &frame, &error), MN_OK);
    assert_float_equal(frame.particles.position[0].w, 0.125, 1e-6); /* no radius: that of the lattice */
    mn_frame_clear(&frame);
    mn_run_folder_close(&run);
}

static void what_is_no_run_is_refused(void **unused) {
    (void)unused;
    mnRunFolder run;
    mnError error = {0};
    assert_int_equal(mn_run_folder_open(path_of("nowhere"), &run, &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "nowhere"));
    mkdir(path_of("empty"), 0777);
    assert_int_equal(mn_run_folder_open(path_of("empty"), &run, &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "has no frames"));
    mkdir(path_of("broken"), 0777);
    mkdir(path_of("broken/frames"), 0777);
    write_text("broken/frames/frame_000000.csv", "x,y,z\n");
    write_text("broken/scene.json", "{\"h\": -1}");
    assert_int_not_equal(mn_run_folder_open(path_of("broken"), &run, &error), MN_OK);
    assert_non_null(strstr(error.text, "scene.json"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_found),
        cmocka_unit_test(frames_are_chosen_and_read),
        cmocka_unit_test(what_is_no_run_is_refused),
    };
    return cmocka_run_group_tests(tests, make_run, remove_folder);
}
