/* What is not JSON, hostile or damaged: told with its place, and never the end of the program. */
#include "bad_scenes.h"

#include "scene/locate.h"

static void not_json(void **state) {
    (void)state;
    EXPECT({"@", "", {"empty"}}, {" @hello", "", {"found hello", "JSON does not know", "an object"}},
           {"{'spacing': 0.001,\n 'fluids': {'a' @3}}", "fluids.a", {"not JSON", "':'"}},
           {"{'spacing': 0.001,\n 'fluids': {'a': @'b\n'}}", "fluids.a", {"not JSON", "newline"}},
           {"{'spacing': 0.001,\n 'fluids': {}, @}", "", {"not JSON"}},
           {"{'spacing': 1,\n'fluids': {\n@", "fluids", {"not JSON"}}, {"{'spacing': 1, @// h\n}", "", {"not JSON"}},
           {"{} @{}", "", {"not JSON"}}, {"{'title': @'\xff'}", "title", {"not UTF-8"}},
           {"@\xff\xfe{", "", {"not UTF-8"}}, {"{'title': @'\\u0000'}", "title", {"\\u0000, which no text"}},
           {"{@'a\\u0000': 1}", "a\\u0000", {"\\u0000, which no text"}}, {"@[1, 2]", "", {"found a list", "an object"}},
           {"\n@3", "", {"the number 3", "an object"}});
}

/* What JSON does not know has the place of its own, and what is wrong besides is told too. */
static void words_and_doubles_hide_nothing(void **state) {
    (void)state;
    EXPECT(
        {SCENE_WITH("'duration': @NaN"), "duration", {"found NaN, which JSON does not know", "above 0, at most 1e6 s"}},
        {SCENE_WITH("'gravity': [0,\n@-Infinity , 0]"), "gravity[1]", {"found -Infinity", "a number (-10000 to"}},
        {SCENE_WITH("'duration': @1e999"), "duration", {"1e999, which is too large to be finite", "a number"}},
        {SCENE_WITH("'seed': @012"), "seed", {"found 012", "a whole number"}},
        {SCENE_WITH("'title': @True"), "title", {"found True", "a text"}},
        {SCENE_WITH("'emitters': @None"), "emitters", {"found None", "a list"}},
        {BODY("'kind': @sphere, 'radius': 1"),
         "fluids.water.bodies[0].shape.kind",
         {"found sphere", "one of \"sphere\""}},
        {SOLID("'contact_angle': {'water': @inf}"), "solids.floor.contact_angle.water", {"found inf", "0 to 180"}},
        {FLUID("'density': @12x,"), "fluids.water.density", {"found 12x"}},
        {SCENE_WITH("'fps': 5,\n@'fps': 6"), "fps", {"twice, first in line 4, column 1"}},
        {SCENE_WITH("'solver': {'kind': 'nncg', 'k\\u0069nd': {'a': [1, '}']}}"), "solver.k\\u0069nd", {"twice"}},
        {SOLID("'slip': true}, @'floor': {'friction': 1}, 'wall': {'shape': {'kind': 'sphere', 'radius': 1}"),
         "solids.floor",
         {"twice, first in line 4"}});
    Loaded loaded = load_text("{'spacing': NaN, 'tilte': [Infinity], 'fps': -1, 'fluids': {'water': {'density': 0}},\n"
                              "'fps': 5, 'duration': 1e400}");
    static const struct {
        const char *key;
        int line, column;
    } places[] = {{"spacing", 1, 13},
                  {"tilte", 1, 18},
                  {"tilte[0]", 1, 28},
                  {"fps", 1, 46},
                  {"duration", 2, 23},
                  {"fluids", 1, 60},
                  {"fluids.water.density", 1, 82}};
    int count = sizeof places / sizeof *places;
    if (loaded.report.errors != count + 1) print_report(&loaded.report);
    assert_int_equal(loaded.report.errors, count + 1); /* fps has two */
    for (int i = 0; i < count; i++) {
        const mnProblem *problem = find_problem(&loaded.report, places[i].key);
        assert_non_null(problem);
        assert_int_equal(problem->line, places[i].line);
        assert_int_equal(problem->column, places[i].column);
    }
    unload(&loaded);
    /* What stays unreadable is told with what could be mended before and behind it, both at their places. */
    loaded = load_text("{'spacing': NaN,\n'fps': 1 2, 'duration': NaN}");
    assert_int_equal(loaded.report.errors, 3);
    assert_int_equal(find_problem(&loaded.report, "fps")->column, 10);
    assert_int_equal(find_problem(&loaded.report, "duration")->column, 25);
    assert_int_equal(find_problem(&loaded.report, "spacing")->line, 1);
    unload(&loaded);
    /* A change of the value does not make the file good, and is not blamed. */
    loaded = load_with(SCENE_WITH("'fps': NaN"), &(const char *){"fps=null"}, 1);
    assert_int_equal(loaded.report.errors, 2);
    assert_string_equal(loaded.report.problems[0].file, "--set");
    assert_non_null(strstr(loaded.report.problems[0].text, "found null"));
    assert_non_null(strstr(loaded.report.problems[1].text, "found NaN"));
    unload(&loaded);
}

static void control_characters_stay_out(void **state) {
    (void)state;
    EXPECT({SCENE_WITH("@'a\\u001b[31m': 1"), "a\\u001b[31m", {"unknown key"}},
           {SCENE_WITH("'solver': {'kind': @'\\u001b\\u009bx\\u007f'}"), "solver.kind", {"\\u001b\\u009bx\\u007f"}},
           {SCENE_WITH("'title': @'\\u001b[31mred'"), "title", {"control character", "\\u001b[31mred"}},
           {SCENE_WITH("'fps': @'\\u0007'"), "fps", {"\"\\u0007\""}});
}

static void files_that_cannot_be_read(void **state) {
    (void)state;
    static const char *const paths[] = {"/nonexistent/scene.json", "/tmp", "/dev/zero"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        mnScene *scene = NULL;
        mnReport report = {0};
        assert_int_equal(mn_scene_load(paths[i], NULL, 0, &scene, &report), MN_ERROR_FILE);
        assert_null(scene);
        assert_int_equal(report.errors, 1);
        assert_string_equal(report.problems[0].file, paths[i]);
        assert_non_null(strstr(report.problems[0].text, "cannot be read"));
        mn_report_clear(&report);
    }
}

/* A text in memory is read like a file of a name and a folder that the caller gives. */
static void texts_in_memory(void **state) {
    (void)state;
    static const char text[] =
        "{\"spacing\": 0.001,\n\"fluids\": {\"water\": {\"bodies\": [{\"shape\": {\"kind\": \"mesh\", "
        "\"path\": \"cube.obj\"}}]}}} and what is not part of it";
    size_t length = (size_t)(strstr(text, " and") - text);
    char folder[] = "/tmp/mn_parse_XXXXXX", mesh[64];
    assert_non_null(mkdtemp(folder));
    snprintf(mesh, sizeof mesh, "%s/cube.obj", folder);
    write_bytes(mesh, cube_obj, sizeof cube_obj - 1);
    mnScene *scene = NULL;
    mnReport report = {0};
    const char *sets[] = {"spacing=0.1"};
    mnStatus status = mn_scene_parse(text, length, "a.b/c", folder, sets, 1, &scene, &report);
    assert_int_equal(status, MN_OK);
    assert_string_equal(mn_scene_desc(scene)->name, "a.b/c");
    assert_string_equal(mn_scene_desc(scene)->folder, folder);
    assert_near(mn_scene_desc(scene)->spacing, 0.1, 0);
    assert_non_null(strstr(mn_scene_text(scene), mesh));
    mn_scene_destroy(scene);
    mn_report_clear(&report);
    unlink(mesh);
    rmdir(folder);
    /* Problems are told under the name; without a folder paths start where the program runs. */
    assert_int_equal(mn_scene_parse(text, length, "page", NULL, NULL, 0, &scene, &report), MN_ERROR_INPUT);
    assert_null(scene);
    assert_string_equal(report.problems[0].file, "page");
    assert_int_equal(report.problems[0].line, 2);
    mn_report_clear(&report);
    /* Nobody has to listen, and nothing has to be there. */
    assert_int_equal(mn_scene_parse("", 0, "page", NULL, NULL, 0, &scene, NULL), MN_ERROR_INPUT);
    assert_null(scene);
}

static void hostile_nesting_and_length(void **state) {
    (void)state;
    enum { DEEP = 1 << 20 };
    char *text = malloc(DEEP + 1);
    memset(text, '[', DEEP);
    text[DEEP] = '\0';
    Loaded loaded = load_text(text);
    assert_int_equal(loaded.status, MN_ERROR_INPUT);
    unload(&loaded);
    /* Unions in unions, deeper than any scene but well-formed. */
    size_t length = (size_t)sprintf(text, "{'spacing': 1, 'fluids': {'w': {'bodies': [{'shape': ");
    for (int i = 0; i < 500; i++) length += (size_t)sprintf(text + length, "{'kind': 'union', 'children': [");
    length += (size_t)sprintf(text + length, "{'kind': 'sphere', 'radius': 1}");
    for (int i = 0; i < 500; i++) length += (size_t)sprintf(text + length, "]}");
    sprintf(text + length, "}]}}}");
    loaded = load_text(text);
    assert_int_equal(loaded.status, MN_ERROR_INPUT);
    assert_non_null(strstr(loaded.report.problems[0].text, "nested too deeply"));
    unload(&loaded);
    /* Ten thousand unknown keys: the first ones are told, the others counted. */
    length = (size_t)sprintf(text, "{'spacing': 1");
    for (int i = 0; i < 10000; i++) length += (size_t)sprintf(text + length, ", 'key%d': 0", i);
    sprintf(text + length, "}");
    loaded = load_text(text);
    assert_int_equal(loaded.report.errors, 10001);
    assert_int_equal(loaded.report.count, 101);
    assert_non_null(strstr(loaded.report.problems[100].text, "9901 more"));
    unload(&loaded);
    /* A key of a megabyte does not make a message of one. */
    length = (size_t)sprintf(text, "{'");
    memset(text + length, 'k', DEEP / 2);
    sprintf(text + length + DEEP / 2, "': 1}");
    loaded = load_text(text);
    assert_int_equal(loaded.status, MN_ERROR_INPUT);
    assert_true(strlen(loaded.report.problems[0].key) < 1000);
    unload(&loaded);
    free(text);
}

/* Every prefix and many damaged copies of a scene are refused or read, never more. */
static void damaged_texts(void **state) {
    (void)state;
    char *good = file_text("scenes/moving_plate.json");
    assert_non_null(good);
    size_t length = strlen(good);
    for (size_t cut = 0; cut < length; cut += 7) {
        Loaded loaded = load_bytes(good, cut, NULL, 0);
        assert_int_equal(loaded.status, MN_ERROR_INPUT);
        unload(&loaded);
    }
    uint32_t random = 12345;
    static const char bytes[] = "{}[]\",:0-e.\\u\xff";
    for (int round = 0; round < 1000; round++) {
        char *bad = strdup(good);
        for (int i = 0; i < 3; i++) {
            random = random * 1664525u + 1013904223u;
            bad[(random >> 8) % length] = bytes[(random >> 3) % (sizeof bytes - 1)];
        }
        Loaded loaded = load_bytes(bad, length, NULL, 0);
        assert_true(loaded.status == MN_OK || loaded.report.errors > 0);
        unload(&loaded);
        free(bad);
    }
    free(good);
}

static void places_in_text(void **state) {
    (void)state;
    const char *text = "{ \"a\": [1,\n  {\"b\\u0063\": \"ä\", \"d\": 2}, [ [ 5 ] ]],\n\"e\": {}}";
    mnSource source = {text, strlen(text)};
    mnPath a = {NULL, "a", 0}, a1 = {&a, NULL, 1}, bc = {&a1, "bc", 0}, d = {&a1, "d", 0}, a2 = {&a, NULL, 2};
    mnPath deep = {&a2, NULL, 0}, five = {&deep, NULL, 0}, e = {NULL, "e", 0}, none = {&e, "x", 0}, a3 = {&a, NULL, 3};
    int line, column;
    assert_true(mn_locate_value(source, NULL, &line, &column) && line == 1 && column == 1);
    assert_true(mn_locate_value(source, &a, &line, &column) && line == 1 && column == 8);
    assert_true(mn_locate_key(source, &bc, &line, &column) && line == 2 && column == 4);
    assert_true(mn_locate_value(source, &bc, &line, &column) && line == 2 && column == 15);
    assert_true(mn_locate_value(source, &d, &line, &column) && line == 2 && column == 25);
    assert_true(mn_locate_value(source, &five, &line, &column) && line == 2 && column == 33);
    assert_true(mn_locate_value(source, &e, &line, &column) && line == 3 && column == 6);
    assert_false(mn_locate_value(source, &none, &line, &column));
    assert_false(mn_locate_value(source, &a3, &line, &column));
    char path[MN_PATH_TEXT];
    mn_path_text(&five, path);
    assert_string_equal(path, "a[2][0][0]");
    mn_path_text(&bc, path);
    assert_string_equal(path, "a[1].bc");
    mn_locate_path(source, (size_t)(strstr(text, "2}") - text) + 1, path);
    assert_string_equal(path, "a[1].d");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_json),
        cmocka_unit_test(words_and_doubles_hide_nothing),
        cmocka_unit_test(control_characters_stay_out),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(texts_in_memory),
        cmocka_unit_test(hostile_nesting_and_length),
        cmocka_unit_test(damaged_texts),
        cmocka_unit_test(places_in_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
