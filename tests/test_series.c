/* Everything a recorder writes for a run, with a made-up state in place of a simulation. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "io/file.h"
#include "io/recorder.h"

typedef struct Run {
    char folder[64];
    mnVec vector[2];
    mnReal pressure[2];
    int32_t phase[2];
    int64_t id[2];
    mnSceneDesc scene;
    mnSolid solids[2];
    mnSnapshot snapshot;
} Run;

static int make_run(void **state) {
    Run *run = calloc(1, sizeof *run);
    if (!run) return -1;
    strcpy(run->folder, "/tmp/meniscus-series-XXXXXX");
    if (!mkdtemp(run->folder)) return -1;
    run->id[0] = 1;
    static const mnMotionKey keys[2] = {{.time = 0, .rotation = {0, 0, 0, 1}},
                                        {.time = 1, .translation = {1, 2, 3}, .rotation = {0, 0, 0, 1}}};
    for (int i = 0; i < 2; i++) {
        run->solids[i] = mn_default_solid();
        run->solids[i].name = i ? "moving" : "resting";
        run->solids[i].shape = mn_default_shape(MN_SHAPE_BOX);
        for (int axis = 0; axis < 3; axis++) run->solids[i].shape.size[axis] = 1;
    }
    run->solids[1].motion = keys;
    run->solids[1].motion_count = 2;
    run->scene =
        (mnSceneDesc){.name = "made-up", .dimension = 3, .spacing = 1e-4, .solids = run->solids, .solid_count = 2};
    run->scene.solver.coupling = MN_COUPLING_TENSION_THEN_PRESSURE;
    run->snapshot =
        (mnSnapshot){.scene = &run->scene,
                     .particles = {2, run->vector, run->vector, run->pressure, run->vector, run->phase, run->id},
                     .boundary = {1, run->vector, run->vector, run->phase},
                     .totals = {.mean_pressure = 140.5,
                                .momentum = {1, 2, NAN},
                                .kinetic_energy = 0.25,
                                .normal_force = 0.125,
                                .max_compression = 0.01},
                     .sampling = {.boundary = 1, .overlap_removed = 3},
                     .held_back = {.waiting = 4, .lost = 5},
                     .memory = 4096,
                     .threads = 2};
    *state = run;
    return 0;
}

static int drop_run(void **state) {
    Run *run = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", run->folder);
    int failed = system(command);
    free(run);
    return failed;
}

static bool exists(const Run *run, const char *name) {
    char *path = mn_path_join(run->folder, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

static int count_lines(const Run *run, const char *name, char *last, size_t size) {
    char *path = mn_path_join(run->folder, name);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    int lines = 0;
    while (fgets(last, (int)size, stream)) {
        assert_non_null(strchr(last, '\n'));
        lines++;
    }
    fclose(stream);
    free(path);
    return lines;
}

static mnStepReport make_report(int iterations) {
    mnStepReport report = {.dt = 2e-5,
                           .dt_over_capillary = 1.5,
                           .iterations = iterations,
                           .converged = iterations < 30,
                           .residual_volume = 1e-3,
                           .residual_tension = 2e-3,
                           .residual_friction = 3e-3};
    for (int stage = 0; stage < MN_STAGE_COUNT; stage++) report.stage_seconds[stage] = 1e-3 * (stage + 1);
    return report;
}

static mnRecorder *begin(Run *run) {
    mnRecorderDesc desc = {
        .folder = run->folder, .scene = "{}", .formats = {[MN_FORMAT_PLY] = true, [MN_FORMAT_VTP] = true}};
    mnRecorder *recorder = NULL;
    assert_int_equal(mn_recorder_check(&desc, NULL), MN_OK);
    assert_int_equal(mn_recorder_begin(&desc, &recorder, NULL), MN_OK);
    return recorder;
}

static void record(mnRecorder *recorder, Run *run) {
    for (int frame = 0; frame < 3; frame++) {
        run->snapshot.time = 0.5 * frame;
        assert_int_equal(mn_recorder_frame(recorder, &run->snapshot, NULL), MN_OK);
        mnStepReport few = make_report(10), many = make_report(40);
        mn_recorder_step(recorder, &few, 0.1);
        mn_recorder_step(recorder, &many, 0.3);
    }
}

static double number_at(json_t *root, const char *outer, const char *inner) {
    json_t *value = json_object_get(root, outer);
    if (inner) value = json_object_get(value, inner);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void check_summary(const Run *run) {
    char *path = mn_path_join(run->folder, "summary.json");
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "scene")), "made-up");
    assert_string_equal(json_string_value(json_object_get(root, "status")), "done");
    assert_string_equal(json_string_value(json_object_get(root, "method")), "unified");
    assert_string_equal(json_string_value(json_object_get(root, "coupling")), "tension-then-pressure");
    assert_string_equal(json_string_value(json_object_get(root, "version")), mn_version());
    const struct {
        const char *outer, *inner;
        double value;
    } expected[] = {{"dimension", NULL, 3},
                    {"h", NULL, 1e-4},
                    {"threads", NULL, 2},
                    {"particles", "fluid", 2},
                    {"particles", "boundary", 1},
                    {"steps", NULL, 6},
                    {"time", NULL, 1.0},
                    {"ms_per_step", NULL, 200},
                    {"iterations_mean", NULL, 25},
                    {"memory_bytes", NULL, 4096},
                    {"residuals", "volume", 1e-3},
                    {"residuals", "tension", 2e-3},
                    {"residuals", "friction", 3e-3},
                    {"mean_pressure", NULL, 140.5},
                    {"max_compression", NULL, 0.01},
                    {"energy", "kinetic", 0.25},
                    {"energy", "surface", 0},
                    {"energy", "potential", 0},
                    {"dt_mean", NULL, 2e-5},
                    {"dt_over_capillary", NULL, 1.5},
                    {"overlap_removed", NULL, 3},
                    {"drops_waiting", NULL, 4},
                    {"drops_lost", NULL, 5},
                    {"steps_not_converged", NULL, 3},
                    {"moving_solids", NULL, 1},
                    {"frames", NULL, 3},
                    {"timers", "neighbours", 2},
                    {"timers", "integrate", 10},
                    {"ms_per_iteration", NULL, 6 * 5.0 / 150}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_float_equal(number_at(root, expected[i].outer, expected[i].inner), expected[i].value, 1e-6);
    json_t *solver = json_object_get(json_object_get(root, "timers"), "solver");
    assert_float_equal(json_number_value(json_object_get(solver, "total")), 5, 1e-6);
    assert_float_equal(json_number_value(json_object_get(solver, "gradient")), 8, 1e-6);
    assert_true(number_at(root, "wall_seconds", NULL) > 0 && number_at(root, "timers", "output") > 0);
    json_t *momentum = json_object_get(root, "momentum");
    assert_float_equal(json_number_value(json_array_get(momentum, 1)), 2, 0);
    assert_true(json_is_null(json_array_get(momentum, 2)));
    json_decref(root);
    free(path);
}

static void a_run_leaves_what_it_promises(void **state) {
    Run *run = *state;
    char line[4096];
    mnRecorder *recorder = begin(run);
    record(recorder, run);
    assert_int_equal(mn_recorder_frames(recorder), 3);
    assert_int_equal(mn_recorder_end(recorder, &run->snapshot, "done", NULL, NULL), MN_OK);
    mn_recorder_destroy(recorder);
    static const char *const files[] = {"frames/frame_000000.ply", "frames/frame_000002.vtp", "frames/frames.pvd",
                                        "boundary.ply"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) assert_true(exists(run, files[i]));
    assert_false(exists(run, "frames/frame_000003.ply"));
    assert_int_equal(count_lines(run, "timings.csv", line, sizeof line), 4);
    assert_int_equal(count_lines(run, "series.csv", line, sizeof line), 4);
    const char *start = "2,1,4,2e-05,1.5,25,2,1,0.001,0.002,0.003,0,140.5,0.01,0,1,2,nan,";
    assert_memory_equal(line, start, strlen(start));
    const char *end = ",0.25,0,0,0.125,4096\n";
    assert_string_equal(line + strlen(line) - strlen(end), end);
    assert_int_equal(count_lines(run, "frames/frames.pvd", line, sizeof line), 8);
    assert_true(exists(run, "solids/resting.ply") && exists(run, "solids/moving.ply"));
    assert_int_equal(count_lines(run, "solids/moving.csv", line, sizeof line), 4);
    assert_string_equal(line, "1,1,2,3,0,0,0,1\n");
    check_summary(run);
}

static void files_of_a_longer_run_are_gone(void **state) {
    Run *run = *state;
    char *kept = mn_path_join(run->folder, "frames/frame_notes.ply");
    fclose(fopen(kept, "w"));
    mnRecorder *recorder = begin(run);
    assert_int_equal(mn_recorder_frame(recorder, &run->snapshot, NULL), MN_OK);
    mn_recorder_destroy(recorder);
    assert_true(exists(run, "frames/frame_000000.ply"));
    assert_false(exists(run, "frames/frame_000001.ply"));
    assert_false(exists(run, "summary.json"));
    assert_true(exists(run, "frames/frame_notes.ply"));
    free(kept);
}

static void full_disk_names_the_last_good_frame(void **state) {
    Run *run = *state;
    mnRecorder *recorder = begin(run);
    assert_int_equal(mn_recorder_frame(recorder, &run->snapshot, NULL), MN_OK);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    /* Room for the PLY, not for the VTP: the frame must go as a whole. */
    small.rlim_cur = 600;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    mnError error = {0};
    mnStatus status = mn_recorder_frame(recorder, &run->snapshot, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "frame_000001.vtp"));
    assert_non_null(strstr(error.text, "last good frame"));
    assert_non_null(strstr(error.text, "frame_000000"));
    assert_false(exists(run, "frames/frame_000001.ply"));
    assert_true(exists(run, "frames/frame_000000.vtp"));
    char line[4096];
    assert_int_equal(count_lines(run, "series.csv", line, sizeof line), 2);
    assert_int_equal(count_lines(run, "solids/moving.csv", line, sizeof line), 2);
    mn_recorder_destroy(recorder);
}

static void places_that_cannot_be_written(void **state) {
    Run *run = *state;
    mnError error;
    char *file = mn_path_join(run->folder, "series.csv");
    char *below = mn_path_join(file, "deeper/still");
    mnRecorderDesc desc = {.folder = below};
    assert_int_equal(mn_recorder_check(&desc, &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, below));
    desc = (mnRecorderDesc){.folder = run->folder, .summary = "/dev/null"};
    assert_int_equal(mn_recorder_check(&desc, &error), MN_ERROR_FILE);
    char *fresh = mn_path_join(run->folder, "not/yet/there");
    desc = (mnRecorderDesc){.folder = fresh};
    assert_int_equal(mn_recorder_check(&desc, &error), MN_OK);
    assert_false(exists(run, "not"));
    free(file);
    free(below);
    free(fresh);
}

/* Also one that found nobody there when it looked, because both began at a time. */
static void a_second_run_in_the_folder_touches_nothing(void **state) {
    Run *run = *state;
    mnError error;
    mnRecorder *first = begin(run), *second = NULL;
    record(first, run);
    char last[2048];
    int lines = count_lines(run, "series.csv", last, sizeof last);
    char *checkpoints = mn_path_join(run->folder, "checkpoints");
    char *checkpoint = mn_path_join(checkpoints, "checkpoint_000000006.h5");
    assert_int_equal(mkdir(checkpoints, 0777), 0);
    FILE *file = fopen(checkpoint, "w");
    assert_non_null(file);
    fclose(file);
    mnRecorderDesc desc = {.folder = run->folder, .scene = "[]", .formats = {[MN_FORMAT_CSV] = true}};
    assert_int_equal(mn_recorder_check(&desc, &error), MN_ERROR_FILE);
    assert_int_equal(mn_recorder_begin(&desc, &second, &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "another run is writing there"));
    assert_null(second);
    assert_int_equal(count_lines(run, "series.csv", last, sizeof last), lines);
    assert_true(exists(run, "frames/frame_000002.ply"));
    assert_int_equal(access(checkpoint, F_OK), 0);
    mn_recorder_destroy(first);
    mn_recorder_destroy(begin(run));
    assert_false(exists(run, "checkpoints"));
    free(checkpoint);
    free(checkpoints);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_leaves_what_it_promises),
        cmocka_unit_test(files_of_a_longer_run_are_gone),
        cmocka_unit_test(full_disk_names_the_last_good_frame),
        cmocka_unit_test(places_that_cannot_be_written),
        cmocka_unit_test(a_second_run_in_the_folder_touches_nothing),
    };
    return cmocka_run_group_tests(tests, make_run, drop_run);
}
