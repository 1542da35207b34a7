/* Every benchmark is described, its scenes are good, and the suite fits the time it is meant to take. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "suite.h"
#include "texts.h"

static void benchmarks_have_pages(void **state) {
    (void)state;
    for (int b = 0; b < benchmark_count; b++) {
        char *path = text_format("validation/%s.md", benchmarks[b]->name);
        FILE *page = fopen(path, "rb");
        char first[3] = "";
        if (!page || !fgets(first, sizeof first, page) || strcmp(first, "# ") != 0)
            fail_msg("%s is missing or has no title", path);
        fclose(page);
        free(path);
    }
}

static void benchmarks_are_complete(void **state) {
    (void)state;
    for (int b = 0; b < benchmark_count; b++) {
        const Benchmark *benchmark = benchmarks[b];
        assert_true(benchmark->title && benchmark->law && benchmark->case_count > 0);
        for (int other = 0; other < b; other++) assert_string_not_equal(benchmark->name, benchmarks[other]->name);
        for (int i = 0; i < benchmark->case_count; i++) {
            const CaseInfo *info = &benchmark->cases[i];
            if (!info->label || !info->run || !(info->seconds > 0))
                fail_msg("case %d of %s lacks its label, function or time", i, benchmark->name);
        }
    }
}

static int is_scene(const struct dirent *entry) {
    const char *ending = strrchr(entry->d_name, '.');
    return ending && strcmp(ending, ".json") == 0;
}

static void scenes_are_good(void **state) {
    (void)state;
    struct dirent **entries = NULL;
    int count = scandir("validation", &entries, is_scene, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        char *path = text_format("validation/%s", entries[i]->d_name);
        mnReport report = {0};
        mnScene *scene = NULL;
        mn_scene_load(path, NULL, 0, &scene, &report);
        if (report.count) fail_msg("%s: %s: %s", path, report.problems[0].key, report.problems[0].text);
        mn_scene_destroy(scene);
        mn_report_clear(&report);
        free(path);
        free(entries[i]);
    }
    free(entries);
}

/* By the estimates of the cases: everything within an hour and the quick ones within about two minutes, on two cores.
 */
static void suite_is_short(void **state) {
    (void)state;
    double all = 0, quick = 0;
    for (int b = 0; b < benchmark_count; b++)
        for (int i = 0; i < benchmarks[b]->case_count; i++) {
            const CaseInfo *info = &benchmarks[b]->cases[i];
            all += info->compare ? 0 : info->seconds;
            quick += info->quick ? info->seconds : 0;
        }
    print_message("all: %.0f s of one core, quick: %.0f s\n", all, quick);
    assert_true(all <= 2 * 3600);
    assert_true(quick <= 2 * 150);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(benchmarks_have_pages),
        cmocka_unit_test(benchmarks_are_complete),
        cmocka_unit_test(scenes_are_good),
        cmocka_unit_test(suite_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
