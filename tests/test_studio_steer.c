/* What is steered while a scene runs is recorded in the scene, and gives the same run again to the bit. */
#include "folder_helpers.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "document.h"
#include "runner.h"
#include "steer.h"

/* A drop on a floor in 2D. The scene itself lets friction fall between 0.002 and 0.003 s. */
static const char scene_text[] =
    "{\"dimension\": 2, \"spacing\": 0.0002, \"duration\": 0.006, \"fps\": 1000, \"time_step\": {%s},\n"
    " \"fluids\": {\"water\": {\"viscosity\": 0.002, \"tension\": {\"vapor\": %s},\n"
    "   \"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [0.002, 0.0014, 1], \"translation\": [0, 0.0007, "
    "0]}}]}},\n"
    " \"solids\": {\"floor\": {\"shape\": {\"kind\": \"plane\", \"size\": [0.006, 1]}, \"contact_angle\": 71.3,\n"
    "   \"friction\": 0.4}},\n"
    " \"schedules\": [{\"target\": \"solids.floor.friction\", \"keys\": [{\"time\": 0.001, \"value\": 0.4},\n"
    "   {\"time\": 0.002, \"value\": 0.4}, {\"time\": 0.003, \"value\": 0.1}]}]}\n";

static const char *text_of(const char *time_step, const char *tension) {
    static char text[2000];
    snprintf(text, sizeof text, scene_text, time_step, tension);
    return text;
}

static const char *text_with(const char *time_step) {
    return text_of(time_step, "0.072");
}

static mnScene *read_scene(const char *text) {
    mnScene *scene = NULL;
    mnReport report = {0};
    if (mn_scene_parse(text, strlen(text), "scene", NULL, NULL, 0, &scene, &report) != MN_OK)
        fail_msg("%s: %s", report.problems[0].key, report.problems[0].text);
    mn_report_clear(&report);
    return scene;
}

/* ---- recording --------------------------------------------------------------------------------------------------- */

/* Records changes one after the other, reading the text again after each. */
typedef struct Record {
    json_t *tree;
    mnScene *scene;
} Record;

static Record record_begin(const char *text) {
    return (Record){mn_scene_tree(text), read_scene(text)};
}

static mnStatus record(Record *r, double time, const char *path, const char *value, mnError *error) {
    json_t *json = json_loads(value, JSON_DECODE_ANY, NULL);
    mnStatus status = mn_steer_record(r->tree, mn_scene_desc(r->scene), time, path, json, error);
    json_decref(json);
    if (status == MN_OK) {
        char *text = mn_scene_tree_text(r->tree);
        mn_scene_destroy(r->scene);
        r->scene = read_scene(text);
        free(text);
    }
    return status;
}

static void record_end(Record *r) {
    json_decref(r->tree);
    mn_scene_destroy(r->scene);
}

static double value_of(const Record *r, const char *path, double time) {
    int count;
    double value[3] = {NAN, NAN, NAN};
    mnSteerable *entries = mn_steerables_find(mn_scene_desc(r->scene), &count);
    for (int i = 0; i < count; i++)
        if (strcmp(entries[i].path, path) == 0) mn_steerable_value(&entries[i], mn_scene_desc(r->scene), time, value);
    free(entries);
    return value[0];
}

static bool is_offered(const Record *r, const char *path) {
    return !isnan(value_of(r, path, 0));
}

static void the_past_stays_and_the_future_is_new(void **state) {
    (void)state;
    mnError error = {0};
    Record r = record_begin(text_with("\"fixed\": 1e-4"));
    double time = 0.1 + 0.2, before = nextafter(time, 0); /* a time that needs all of its digits */
    assert_int_equal(record(&r, time, "fluids.water.viscosity", "0.1", &error), MN_OK);
    assert_true(value_of(&r, "fluids.water.viscosity", 0) == 0.002);
    assert_true(value_of(&r, "fluids.water.viscosity", before) == 0.002);
    assert_true(value_of(&r, "fluids.water.viscosity", time) == 0.1);
    assert_true(value_of(&r, "fluids.water.viscosity", 1000) == 0.1);
    /* Once more in the same moment, and later. */
    assert_int_equal(record(&r, time, "fluids.water.viscosity", "0.3", &error), MN_OK);
    assert_int_equal(record(&r, 2 * time, "fluids.water.viscosity", "0.7", &error), MN_OK);
    assert_true(value_of(&r, "fluids.water.viscosity", before) == 0.002);
    assert_true(value_of(&r, "fluids.water.viscosity", time) == 0.3);
    assert_true(value_of(&r, "fluids.water.viscosity", nextafter(2 * time, 0)) == 0.3);
    assert_true(value_of(&r, "fluids.water.viscosity", 2 * time) == 0.7);
    /* Before the start there was nothing. */
    assert_int_equal(record(&r, 0, "gravity", "[1, -2, 0]", &error), MN_OK);
    assert_true(value_of(&r, "gravity", 0) == 1);
    record_end(&r);
}

/* The value as the reader makes it of degrees, not as degrees come back from it. */
static void an_angle_keeps_its_bits(void **state) {
    (void)state;
    mnError error = {0};
    Record r = record_begin(text_with("\"fixed\": 1e-4"));
    double angle = mn_scene_desc(r.scene)->solids[0].contact_angle[0];
    assert_int_equal(record(&r, 0.25, "solids.floor.contact_angle", "120", &error), MN_OK);
    const mnSchedule *schedule = &mn_scene_desc(r.scene)->schedules[1];
    assert_int_equal(schedule->key_count, 2);
    assert_memory_equal(&schedule->keys[0].value[0], &angle, sizeof angle);
    record_end(&r);
}

static void a_schedule_of_the_scene_is_cut(void **state) {
    (void)state;
    mnError error = {0};
    Record r = record_begin(text_with("\"fixed\": 1e-4"));
    static const double times[] = {0, 0.0005, 0.001, 0.0015, 0.002, 0.0024, 0.003, 0.1};
    static const bool works[] = {true, true, true, true, true, false, false, true};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        Record cut = record_begin(text_with("\"fixed\": 1e-4"));
        mnStatus status = record(&cut, times[i], "solids.floor.friction", "0.9", &error);
        assert_int_equal(status, works[i] ? MN_OK : MN_ERROR_INPUT);
        if (!works[i]) assert_non_null(strstr(error.text, "by a schedule of the scene until 0.003 s"));
        for (double t = 0; t < times[i] && works[i]; t += 0.0001) {
            double is = value_of(&cut, "solids.floor.friction", t), was = value_of(&r, "solids.floor.friction", t);
            assert_memory_equal(&is, &was, sizeof is);
        }
        if (works[i]) {
            assert_true(value_of(&cut, "solids.floor.friction", times[i]) == 0.9);
            assert_true(value_of(&cut, "solids.floor.friction", 1) == 0.9);
        }
        record_end(&cut);
    }
    record_end(&r);
}

/* What a page is told that was steered: each change once, of a slider that was dragged its end alone. */
static void marks_are_few(void **state) {
    (void)state;
    mnError error = {0};
    Record r = record_begin(text_with("\"fixed\": 1e-4"));
    assert_int_equal(record(&r, 0, "fluids.water.viscosity", "0.05", &error), MN_OK);
    assert_int_equal(record(&r, 0.001, "gravity", "[1, -2, 0]", &error), MN_OK);
    for (int i = 1; i <= 50; i++) {
        char value[16];
        snprintf(value, sizeof value, "%d", i);
        assert_int_equal(record(&r, 0.002 + 1e-6 * i, "fluids.water.viscosity", value, &error), MN_OK);
    }
    assert_int_equal(record(&r, 0.005, "fluids.water.viscosity", "0.1", &error), MN_OK);
    char *text = mn_scene_tree_text(r.tree);
    mnDocument document = {.name = "drop", .text = text};
    json_t *told = mn_document_describe(&document, r.scene, text, 0), *marks = json_object_get(told, "marks");
    static const double times[] = {0.001, 0.005, 0.002 + 1e-6 * 50};
    assert_int_equal(json_array_size(marks), 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(json_number_value(json_object_get(json_array_get(marks, i), "time")) == times[i]);
    json_t *dragged = json_array_get(marks, 2), *gravity = json_object_get(json_array_get(marks, 0), "value");
    assert_string_equal(json_string_value(json_object_get(dragged, "path")), "fluids.water.viscosity");
    assert_true(json_number_value(json_object_get(dragged, "value")) == 50);
    assert_true(json_number_value(json_array_get(gravity, 1)) == -2);
    json_decref(told);
    free(text);
    record_end(&r);
}

static void only_what_can_be_told_is_offered(void **state) {
    (void)state;
    mnError error = {0};
    Record r = record_begin(
        "{\"spacing\": 0.001, \"fluids\": {\"a\": {\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": "
        "0.01}}]},"
        " \"b\": {\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01, \"translation\": [1, 0, 0]}}]}},"
        " \"solids\": {\"bare\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01, \"translation\": [2, 0, 0]}},"
        " \"two\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01, \"translation\": [3, 0, 0]},"
        " \"contact_angle\": {\"a\": 50, \"b\": 60}, \"friction\": {\"a\": 0.1, \"default\": 0.2}},"
        " \"half\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01, \"translation\": [4, 0, 0]},"
        " \"contact_angle\": {\"b\": 60}}}}");
    static const char *const offered[] = {"gravity",
                                          "fluids.a.viscosity",
                                          "fluids.b.tension.fluid",
                                          "solids.bare.tension.vapor",
                                          "solids.bare.friction",
                                          "solids.two.contact_angle.a",
                                          "solids.two.friction.b",
                                          "solids.half.contact_angle.b"};
    static const char *const kept_back[] = {"solids.bare.contact_angle",   "solids.two.contact_angle",
                                            "solids.two.tension.vapor",    "solids.two.friction",
                                            "solids.half.contact_angle.a", "fluids.a.density"};
    for (size_t i = 0; i < sizeof offered / sizeof *offered; i++) assert_true(is_offered(&r, offered[i]));
    for (size_t i = 0; i < sizeof kept_back / sizeof *kept_back; i++) {
        assert_false(is_offered(&r, kept_back[i]));
        assert_int_equal(record(&r, 1, kept_back[i], "1", &error), MN_ERROR_INPUT);
    }
    assert_non_null(strstr(error.text, "cannot be steered"));
    assert_int_equal(record(&r, 1, "solids.two.friction.b", "0.9", &error), MN_OK);
    assert_true(value_of(&r, "solids.two.friction.b", 0.5) == 0.2 && value_of(&r, "solids.two.friction.b", 1) == 0.9);
    assert_true(value_of(&r, "solids.two.friction.a", 1) == 0.1);
    record_end(&r);
}

/* ---- repetition -------------------------------------------------------------------------------------------------- */

static void nobody(void *context) {
    (void)context;
}

static void rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static mnRunStatus wait_for_state(mnRunner *runner, int64_t job, mnRunState state) {
    mnRunStatus status = mn_runner_status(runner);
    while (status.job != job || status.state != state) {
        assert_true(status.job != job || status.state == state || status.state < MN_RUN_STOPPED);
        rest();
        status = mn_runner_status(runner);
    }
    return status;
}

static void wait_for_step(mnRunner *runner, int64_t step) {
    while (mn_runner_status(runner).step < step) rest();
}

static void steer(mnRunner *runner, const char *path, const char *value) {
    json_t *json = json_loads(value, JSON_DECODE_ANY, NULL);
    assert_true(mn_runner_steer(runner, 1, path, json));
    json_decref(json);
}

static void assert_same_files(const char *a, const char *b) {
    char command[600];
    snprintf(command, sizeof command,
             "cmp '%s/%s/series.csv' '%s/%s/series.csv' && diff -r '%s/%s/frames' '%s/%s/frames'", folder, a, folder, b,
             folder, a, folder, b);
    assert_int_equal(system(command), 0);
}

/* Steers a run that is paused, and waits until that is done. */
static void steer_and_wait(mnRunner *runner, const char *path, const char *value) {
    int64_t changes = mn_runner_status(runner).changes;
    steer(runner, path, value);
    while (mn_runner_status(runner).changes == changes) rest();
}

static void step_and_wait(mnRunner *runner, int64_t job) {
    int64_t step = mn_runner_status(runner).step;
    mn_runner_step(runner);
    wait_for_step(runner, step + 1);
    wait_for_state(runner, job, MN_RUN_PAUSED);
}

/* A run with changes at the start, while it is paused and while it runs; then what it has recorded is run by the
 * program. Its tension is that of the scene, another one before the first step, and a third after some. */
static void repeats(const char *name, const char *time_step, const char *const tensions[3]) {
    mnRunner *runner;
    mnError error = {0};
    mnRefusal refusal;
    char output[300], file[64], command[1000];
    const char *backend = getenv("MENISCUS_BACKEND");
    if (!backend) backend = "cpu";
    snprintf(output, sizeof output, "%s/%s", folder, name);
    assert_int_equal(mn_runner_create(nobody, NULL, &runner, &error), MN_OK);
    mnRunnerJob wanted = {
        .text = text_of(time_step, tensions[0]), .name = name, .output = output, .threads = 2, .backend = backend};
    int64_t job = mn_runner_start(runner, &wanted);
    mn_runner_pause(runner);
    wait_for_state(runner, job, MN_RUN_PAUSED);
    steer_and_wait(runner, "gravity", "[0.3, -9.81, 0]");
    steer_and_wait(runner, "fluids.water.tension.vapor", tensions[1]);
    for (int i = 0; i < 3; i++) step_and_wait(runner, job);
    steer_and_wait(runner, "fluids.water.tension.vapor", tensions[2]);
    steer_and_wait(runner, "solids.floor.contact_angle", "101.7");
    step_and_wait(runner, job);
    steer_and_wait(runner, "gravity", "[2, -3, 0]");
    steer_and_wait(runner, "gravity", "[4, -9.81, 0]");
    steer_and_wait(runner, "fluids.water.viscosity", "0.0123456789012345678");
    steer(runner, "fluids.water.viscosity", "-1");
    while (!mn_runner_refusal(runner, &refusal)) rest();
    assert_int_equal(refusal.asker, 1);
    assert_string_equal(refusal.path, "fluids.water.viscosity");
    assert_non_null(strstr(refusal.text, "allowed is 0 to 1e6 Pa"));
    step_and_wait(runner, job);
    mn_runner_go_on(runner);
    for (int i = 0; mn_runner_status(runner).state != MN_RUN_DONE; i++) {
        char value[32];
        snprintf(value, sizeof value, "%.17g", 60 + 10 * sin(i));
        steer(runner, "solids.floor.contact_angle", value);
        rest();
    }
    mnRunStatus status = wait_for_state(runner, job, MN_RUN_DONE);
    assert_int_equal(status.frames, 7);
    assert_true(status.changes > 6);
    char *text = mn_runner_text(runner, job);
    snprintf(file, sizeof file, "%s.json", name);
    write_text(file, text);
    free(text);
    mn_runner_destroy(runner);

    const char *build = getenv("MN_TEST_BUILD");
    assert_non_null(build);
    snprintf(command, sizeof command,
             "'%s/meniscus' run -q --backend %s --threads 1 --format ply '%s/%s' -o '%s_again'", build, backend, folder,
             file, output);
    assert_int_equal(system(command), 0);
    char again[64];
    snprintf(again, sizeof again, "%s_again", name);
    assert_same_files(name, again);
    /* The folder's own scene is the steered one too. */
    snprintf(command, sizeof command,
             "'%s/meniscus' run -q --backend %s --threads 1 --format ply '%s/scene.json' -o '%s_third'", build, backend,
             output, output);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "cmp '%s/series.csv' '%s_third/series.csv'", output, output);
    assert_int_equal(system(command), 0);
}

static void steered_runs_repeat_with_fixed_steps(void **state) {
    (void)state;
    repeats("fixed", "\"fixed\": 5e-5", (const char *const[]){"0.072", "0.05", "0.06"});
}

static void steered_runs_repeat_with_adaptive_steps(void **state) {
    (void)state;
    repeats("adaptive", "\"max\": 3e-4", (const char *const[]){"0.072", "0.05", "0.06"});
}

static void steered_runs_repeat_where_tension_begins(void **state) {
    (void)state;
    repeats("begins", "\"fixed\": 5e-5", (const char *const[]){"0", "0", "0.06"});
    repeats("begins_at_once", "\"fixed\": 5e-5", (const char *const[]){"0", "0.05", "0"});
}

/* ---- other ends -------------------------------------------------------------------------------------------------- */

static void a_stopped_run_is_interrupted(void **state) {
    (void)state;
    mnRunner *runner;
    mnError error = {0};
    char output[300], command[400];
    snprintf(output, sizeof output, "%s/stopped", folder);
    assert_int_equal(mn_runner_create(nobody, NULL, &runner, &error), MN_OK);
    mnRunnerJob wanted = {.text = text_with("\"fixed\": 1e-6"), .name = "drop", .output = output, .threads = 1};
    int64_t job = mn_runner_start(runner, &wanted);
    wait_for_step(runner, 2);
    mn_runner_stop(runner);
    mnRunStatus status = wait_for_state(runner, job, MN_RUN_STOPPED);
    assert_int_equal(status.frames, 2);
    assert_null(mn_runner_text(runner, job));
    snprintf(command, sizeof command, "grep -q '\"interrupted\"' '%s/summary.json'", output);
    assert_int_equal(system(command), 0);
    /* Another run begins where the last one ended; one that cannot be begun says why. */
    wanted.text = "{\"spacing\": 1}";
    job = mn_runner_start(runner, &wanted);
    status = wait_for_state(runner, job, MN_RUN_FAILED);
    assert_non_null(strstr(status.message, "fluids"));
    mn_runner_destroy(runner);
}

static void a_run_that_cannot_go_on_says_why(void **state) {
    (void)state;
    mnRunner *runner;
    mnError error = {0};
    char output[300], command[400];
    snprintf(output, sizeof output, "%s/unstable", folder);
    assert_int_equal(mn_runner_create(nobody, NULL, &runner, &error), MN_OK);
    mnRunnerJob wanted = {
        .text = text_with("\"min\": 1e-6}, \"solver\": {\"max_iterations\": 5, \"force_tolerance\": 1e-12"),
        .name = "drop",
        .output = output,
        .threads = 1};
    int64_t job = mn_runner_start(runner, &wanted);
    mnRunStatus status = wait_for_state(runner, job, MN_RUN_FAILED);
    assert_non_null(strstr(status.message, "did not converge"));
    snprintf(command, sizeof command, "grep -q '\"unstable\"' '%s/summary.json'", output);
    assert_int_equal(system(command), 0);
    mn_runner_destroy(runner);
}

static void an_empty_file_has_an_empty_text(void **state) {
    (void)state;
    mnDocument document = {0};
    mnError error = {0};
    write_text("empty.json", "");
    assert_int_equal(mn_document_load(&document, path_of("empty.json"), &error), MN_OK);
    assert_string_equal(document.text, "");
    assert_true(!document.scene && document.report.errors == 1);
    mn_document_clear(&document);
}

/* List entries of a path are steps of digits or stand in brackets, with a value and without. */
static void both_spellings_of_a_path_are_known(void **state) {
    (void)state;
    mnDocument document = {0};
    mnError error = {0};
    json_t *number = json_real(0.2);
    assert_int_equal(mn_document_open(&document, text_with("\"fixed\": 1e-4"), "drop", NULL, NULL, &error), MN_OK);
    assert_int_equal(mn_document_set(&document, "schedules[0].keys[2].value", number, NULL, &error), MN_OK);
    assert_int_equal(mn_document_set(&document, "schedules.0.keys.1.value", number, NULL, &error), MN_OK);
    const mnScheduleKey *keys = mn_scene_desc(document.scene)->schedules[0].keys;
    assert_true(keys[1].value[0] == 0.2 && keys[2].value[0] == 0.2);
    assert_int_equal(mn_document_set(&document, "schedules[0].keys[1]", NULL, NULL, &error), MN_OK);
    assert_int_equal(mn_document_set(&document, "schedules.0.keys.1", NULL, NULL, &error), MN_OK);
    assert_int_equal(mn_scene_desc(document.scene)->schedules[0].key_count, 1);
    static const char *const nowhere[] = {"",
                                          ".",
                                          "schedules[0",
                                          "schedules[].keys",
                                          "schedules[1]",
                                          "schedules.one",
                                          "schedules.one.keys",
                                          "schedules[0].keys[99999999999999999999]",
                                          "gravity.0",
                                          "duration.0",
                                          "duration.x.y"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        assert_int_equal(mn_document_set(&document, nowhere[i], NULL, NULL, &error), MN_ERROR_INPUT);
        assert_non_null(strstr(error.text, "is not in the scene"));
    }
    assert_int_equal(mn_document_set(&document, "schedules[0]", NULL, NULL, &error), MN_OK);
    assert_int_equal(mn_scene_desc(document.scene)->schedule_count, 0);
    json_decref(number);
    mn_document_clear(&document);
}

/* A file without an end is not read to it. */
static void what_is_too_large_is_no_scene(void **state) {
    (void)state;
    mnDocument document = {0};
    mnError error = {0};
    write_text("large.json", "{}");
    assert_int_equal(truncate(path_of("large.json"), ((off_t)64 << 20) + 1), 0);
    assert_int_equal(mn_document_load(&document, path_of("large.json"), &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "larger than 64 MiB"));
    assert_int_equal(mn_document_load(&document, "/dev/zero", &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "larger than 64 MiB"));
    assert_int_equal(mn_document_load(&document, folder, &error), MN_ERROR_FILE);
    mn_document_clear(&document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_past_stays_and_the_future_is_new),
        cmocka_unit_test(an_angle_keeps_its_bits),
        cmocka_unit_test(a_schedule_of_the_scene_is_cut),
        cmocka_unit_test(marks_are_few),
        cmocka_unit_test(only_what_can_be_told_is_offered),
        cmocka_unit_test(steered_runs_repeat_with_fixed_steps),
        cmocka_unit_test(steered_runs_repeat_with_adaptive_steps),
        cmocka_unit_test(steered_runs_repeat_where_tension_begins),
        cmocka_unit_test(a_stopped_run_is_interrupted),
        cmocka_unit_test(a_run_that_cannot_go_on_says_why),
        cmocka_unit_test(an_empty_file_has_an_empty_text),
        cmocka_unit_test(both_spellings_of_a_path_are_known),
        cmocka_unit_test(what_is_too_large_is_no_scene),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
