/* The suite without simulations: how values are judged, how cases are run and concluded, and what is written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder_helpers.h"
#include "plot.h"
#include "report.h"
#include "results.h"
#include "table.h"

/* ---- a made-up benchmark ----------------------------------------------------------------------------------------- */

static void line(Case *c) {
    double x = case_value(c, 0);
    case_point(c, "line", x, 2 * x);
    case_point(c, "above", x, 2 * x + 1);
    case_check(c, (Check){"value", "m", 2, 2 * x, 0.5, JUDGE_RELATIVE, 10});
}

static void nothing(Case *c) {
    (void)c;
}

static void bad_scene(Case *c) {
    assert_null(case_open(c, "no-such-scene", NULL));
}

/* A slope from the points of all cases, which come in another order than that of x. */
static void slope(Conclusion *conclusion) {
    Points p = conclusion_points(conclusion, "line");
    assert_int_equal(conclusion_points(conclusion, "unknown").count, 0);
    for (int i = 1; i < p.count; i++) assert_true(p.x[i - 1] < p.x[i]);
    Case *c = conclusion_case(conclusion);
    case_check(
        c, (Check){"slope", "", 2, (p.y[p.count - 1] - p.y[0]) / (p.x[p.count - 1] - p.x[0]), 1e-9, JUDGE_ABSOLUTE, 0});
    case_point(c, "law", 0, 0);
    case_point(c, "law", 3, 6);
}

static const CaseInfo lines[] = {
    {.label = "two", .run = line, .values = {2}, .seconds = 1},
    {.label = "one", .run = line, .values = {1}, .seconds = 5, .quick = true},
    {.label = "three", .run = line, .values = {3}, .seconds = 2, .compare = true},
};
static const Benchmark lines_benchmark = {
    .name = "lines",
    .title = "Lines",
    .law = "y = 2x | x_i < ∞",
    .cases = lines,
    .case_count = 3,
    .conclude = slope,
    .plots = {{.name = "plot",
               .title = "Lines' plot",
               .x = "x",
               .y = "y",
               .curves = {{"line", "line", CURVE_POINTS}, {"law", "the 'law'", CURVE_LAW}, {"void", "", CURVE_LINE}}}},
};

static const CaseInfo failing[] = {{.label = "mute", .run = nothing}, {.label = "lost", .run = bad_scene}};
static const Benchmark failing_benchmark = {
    .name = "failing", .title = "Failing", .law = "none", .cases = failing, .case_count = 2};

static void endless(Case *c) {
    case_point(c, "half", 0, 0);
    while (!atomic_load(c->stop)) usleep(1000);
}

static const CaseInfo endless_case[] = {{.label = "endless", .run = endless, .seconds = 1}};
static const Benchmark endless_benchmark = {
    .name = "endless", .title = "Endless", .law = "none", .cases = endless_case, .case_count = 1};

static bool go_on(const Run *run, void *looks) {
    assert_true(run_seconds_left(run) >= 0);
    ++*(int *)looks;
    return true;
}

/* Until the lines are drawn. */
static bool give_up(const Run *run, void *looks) {
    const Finding *finding = &run->findings[0];
    for (int i = 0; i < finding->case_count; i++)
        if (atomic_load(&finding->cases[i].state) != CASE_DONE) return go_on(run, looks);
    return false;
}

static Run *run_one(const Benchmark *benchmark, bool quick, bool compare) {
    RunDesc desc = {.benchmarks = &benchmark,
                    .benchmark_count = 1,
                    .folder = folder,
                    .quick = quick,
                    .compare = compare,
                    .threads = 2};
    Run *run = run_plan(&desc);
    int looks = 0;
    assert_true(run_all(run, go_on, &looks));
    assert_true(looks > 0);
    return run;
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

static void judges(void **state) {
    (void)state;
    static const struct {
        Check check;
        double error;
        Verdict verdict;
    } rows[] = {
        {{"", "", 2, 2.1, 0.051, JUDGE_RELATIVE, 0}, 0.05, VERDICT_PASS},
        {{"", "", 2, 1.9, 0.049, JUDGE_RELATIVE, 0}, -0.05, VERDICT_MISS},
        {{"", "", 0, 1.0, 0.5, JUDGE_RELATIVE, 0}, INFINITY, VERDICT_MISS},
        {{"", "", 60, 57.5, 3, JUDGE_ABSOLUTE, 0}, -2.5, VERDICT_PASS},
        {{"", "", 60, 64, 3, JUDGE_ABSOLUTE, 0}, 4, VERDICT_MISS},
        {{"", "", 100, 100, 0, JUDGE_AT_LEAST, 0}, 0, VERDICT_PASS},
        {{"", "", 100, 99, 0, JUDGE_AT_LEAST, 0}, -0.01, VERDICT_MISS},
        {{"", "", 100, 250, 0, JUDGE_NONE, 0}, 1.5, VERDICT_NONE},
        {{"", "", 2, NAN, 1, JUDGE_RELATIVE, 0}, NAN, VERDICT_MISS},
        {{"", "", 2, NAN, 1, JUDGE_ABSOLUTE, 0}, NAN, VERDICT_MISS},
        {{"", "", 2, NAN, 1, JUDGE_AT_LEAST, 0}, NAN, VERDICT_MISS},
        {{"", "", NAN, 2, 1, JUDGE_AT_LEAST, 0}, NAN, VERDICT_MISS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double error = check_error(&rows[i].check);
        if (isfinite(rows[i].error))
            assert_true(fabs(error - rows[i].error) < 1e-12);
        else
            assert_false(isfinite(error));
        assert_int_equal(check_verdict(&rows[i].check), rows[i].verdict);
    }
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void cases_are_chosen(void **state) {
    (void)state;
    static const struct {
        bool quick, compare;
        int cases, rows;
    } choices[] = {{false, false, 2, 3}, {true, false, 1, 1}, {false, true, 3, 4}, {true, true, 1, 1}};
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        Run *run = run_one(&lines_benchmark, choices[i].quick, choices[i].compare);
        assert_int_equal(run->case_count, choices[i].cases);
        assert_int_equal(run->entry_count, choices[i].rows);
        run_destroy(run);
    }
}

static void rows_keep_their_order(void **state) {
    (void)state;
    Run *run = run_one(&lines_benchmark, false, true);
    assert_string_equal(run->entries[0].owner->info->label, "two");
    assert_string_equal(run->entries[1].owner->info->label, "one");
    assert_string_equal(run->entries[3].row->quantity, "slope");
    assert_int_equal(run->entries[3].row->verdict, VERDICT_PASS);
    Tally tally = run_tally(run);
    assert_int_equal(tally.met, 2);    /* "one" and the slope */
    assert_int_equal(tally.missed, 2); /* "two" and "three" are 100 % and 200 % off */
    run_destroy(run);
}

static void failures_are_rows(void **state) {
    (void)state;
    Run *run = run_one(&failing_benchmark, false, false);
    assert_int_equal(run->entry_count, 2);
    assert_int_equal(run_tally(run).missed, 2);
    assert_non_null(strstr(run->entries[0].row->note, "neither a row nor a point"));
    assert_non_null(strstr(run->entries[1].row->note, "no-such-scene.json"));
    run_destroy(run);
}

static void a_stopped_run_tells_what_had_ended(void **state) {
    (void)state;
    const Benchmark *list[] = {&lines_benchmark, &endless_benchmark};
    RunDesc desc = {.benchmarks = list, .benchmark_count = 2, .folder = folder, .threads = 2};
    Run *run = run_plan(&desc);
    int looks = 0;
    assert_false(run_all(run, give_up, &looks));
    assert_int_equal(run->done_count, 2);
    assert_int_equal(run->entry_count, 4);
    for (int i = 0; i < 3; i++) assert_ptr_equal(run->entries[i].benchmark, &lines_benchmark);
    assert_ptr_equal(run->entries[3].benchmark, &endless_benchmark);
    assert_int_equal(run->entries[3].row->verdict, VERDICT_NONE);
    assert_non_null(strstr(run->entries[3].row->note, "interrupted"));
    assert_int_equal(run->findings[1].cases[0].curve_count, 0);
    run_destroy(run);
}

/* ---- what is written --------------------------------------------------------------------------------------------- */

static void texts_have_widths(void **state) {
    (void)state;
    char text[16] = "Δt/√ρ";
    assert_int_equal(text_width(text), 5);
    text_cut(text, sizeof text, 5);
    assert_string_equal(text, "Δt/√ρ");
    text_cut(text, sizeof text, 4);
    assert_string_equal(text, "Δt/…");
    char time[DURATION_BYTES];
    assert_string_equal(text_duration(12.34, time), "12.3 s");
    assert_string_equal(text_duration(59.97, time), "1:00 min");
    assert_string_equal(text_duration(3723, time), "1:02:03 h");
}

static char *table_of(const Run *run) {
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    table_print(stream, run);
    fclose(stream);
    return text;
}

/* Every line of the table is equally wide, whatever bytes its characters take. */
static void table_is_aligned(void **state) {
    (void)state;
    Run *run = run_one(&lines_benchmark, false, false);
    char *text = table_of(run);
    assert_non_null(strstr(text, "MISSED"));
    assert_non_null(strstr(text, "2 goals met, 1 missed, 0 rows told for information"));
    int width = 0, count = 0;
    for (char *at = strtok(text, "\n"); at && count <= run->entry_count; at = strtok(NULL, "\n"), count++) {
        if (count == 0) width = text_width(at);
        assert_int_equal(text_width(at), width);
    }
    assert_true(width <= 160);
    free(text);
    run_destroy(run);
}

static void json_has_all_keys(void **state) {
    (void)state;
    static const char *const keys[] = {"name", "quantity", "expected",   "measured",          "error",       "unit",
                                       "goal", "pass",     "resolution", "dt_over_capillary", "wall_seconds"};
    Run *run = run_one(&lines_benchmark, false, false);
    mnError error;
    assert_int_equal(results_write(run, path_of("results.json"), &error), MN_OK);
    json_t *list = json_load_file(path_of("results.json"), 0, NULL);
    assert_int_equal(json_array_size(list), run->entry_count);
    for (size_t i = 0; i < json_array_size(list); i++)
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            assert_non_null(json_object_get(json_array_get(list, i), keys[k]));
    json_t *first = json_array_get(list, 0), *last = json_array_get(list, 2);
    assert_true(json_is_false(json_object_get(first, "pass")));
    assert_true(json_number_value(json_object_get(first, "error")) == 1);
    assert_true(json_is_null(json_object_get(first, "dt_over_capillary")));
    assert_true(json_is_true(json_object_get(last, "pass")));
    assert_true(json_is_null(json_object_get(last, "resolution")));
    json_decref(list);
    run_destroy(run);
}

static void json_of_failures_has_nulls(void **state) {
    (void)state;
    Run *run = run_one(&failing_benchmark, false, false);
    json_t *list = results_json(run), *row = json_array_get(list, 0);
    assert_true(json_is_null(json_object_get(row, "measured")));
    assert_true(json_is_null(json_object_get(row, "error")));
    assert_true(json_is_false(json_object_get(row, "pass")));
    json_decref(list);
    run_destroy(run);
}

static bool file_has(const char *name, const char *wanted) {
    static char text[1 << 16];
    FILE *file = fopen(path_of(name), "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return strstr(text, wanted) != NULL;
}

static void report_is_written(void **state) {
    (void)state;
    Run *run = run_one(&lines_benchmark, false, false);
    mnError error;
    char *place = text_copy(path_of("report"));
    ReportDesc desc = {.folder = place, .command = "meniscus validate lines", .drawn = plot_can_draw()};
    write_text("lines.md",
               "# Lines\n\nAs *simple* as **that**: `y < 2x`, [here](lines.json).\n\n- one\n  item\n- two\n\n"
               "| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx < y\n```\n");
    assert_int_equal(report_check(place, &error), MN_OK);
    assert_int_equal(report_write(run, &desc, &error), MN_OK);
    assert_true(file_has("report/validation.md", "| lines | y = 2x \\| x\\_i \\< ∞ | value | 10 |"));
    assert_true(file_has("report/validation.md", "(../validation/lines.md)"));
    assert_true(file_has("report/validation/lines-plot.csv", "\"line\",1,2\n\"line\",2,4\n\"law\",0,0\n"));
    assert_true(file_has("report/index.html", "x_i &lt; ∞"));
    assert_true(file_has("report/index.html", "As <i>simple</i> as <b>that</b>: <code>y &lt; 2x</code>, here."));
    assert_true(file_has("report/index.html", "<ul>\n<li>one\nitem\n</li>\n<li>two\n</li>\n</ul>"));
    assert_true(file_has("report/index.html", "<tr><td> 1 </td><td> 2 </td></tr>"));
    assert_true(file_has("report/index.html", "<pre>x &lt; y\n</pre>"));
    const char *shown = desc.drawn ? "![Lines' plot](validation/lines-plot.svg)" : "gnuplot-nox";
    assert_true(file_has("report/validation.md", shown));
    if (desc.drawn) assert_true(file_has("report/validation/lines-plot.svg", "</svg>"));
    free(place);
    run_destroy(run);
}

static void report_needs_a_folder(void **state) {
    (void)state;
    mnError error;
    write_text("plain", "");
    assert_int_equal(report_check(path_of("plain/report"), &error), MN_ERROR_FILE);
    char *place = text_copy(path_of("odd"));
    mkdir(place, 0777);
    mkdir(path_of("odd/index.html"), 0777);
    assert_int_equal(report_check(place, &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "index.html"));
    free(place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges),
        cmocka_unit_test(cases_are_chosen),
        cmocka_unit_test(rows_keep_their_order),
        cmocka_unit_test(failures_are_rows),
        cmocka_unit_test(a_stopped_run_tells_what_had_ended),
        cmocka_unit_test(texts_have_widths),
        cmocka_unit_test(table_is_aligned),
        cmocka_unit_test(json_has_all_keys),
        cmocka_unit_test(json_of_failures_has_nulls),
        cmocka_unit_test(report_is_written),
        cmocka_unit_test(report_needs_a_folder),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
