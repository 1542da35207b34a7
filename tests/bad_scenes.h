/* Bad scenes, each with its one error and the place that must be named. */
#ifndef MN_TEST_BAD_SCENES_H
#define MN_TEST_BAD_SCENES_H

#include "scene_helpers.h"

/* One bad scene, and its one error. A @ in the text marks the place that must be named, and is taken out. */
typedef struct Bad {
    const char *text, *key, *says[3];
} Bad;

static inline char *take_mark(const char *text, int *line, int *column) {
    char *copy = strdup(text), *mark = strchr(copy, '@');
    *line = *column = 0;
    if (!mark) return copy;
    *line = *column = 1;
    for (char *c = copy; c < mark; c++) {
        *line += *c == '\n';
        *column = *c == '\n' ? 1 : *column + 1;
    }
    memmove(mark, mark + 1, strlen(mark));
    return copy;
}

static inline bool says_all(const mnProblem *problem, const Bad *bad) {
    for (int i = 0; i < 3; i++)
        if (bad->says[i] && !strstr(problem->text, bad->says[i])) return false;
    return true;
}

static inline void expect_each(const Bad *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int line, column;
        char *text = take_mark(cases[i].text, &line, &column);
        Loaded loaded = load_text(text);
        const mnProblem *problem = find_problem(&loaded.report, cases[i].key);
        bool good = loaded.status == MN_ERROR_INPUT && loaded.report.errors == 1 && problem && !problem->is_warning &&
                    says_all(problem, &cases[i]) && strcmp(problem->file, loaded.path) == 0 &&
                    (line == 0 || (problem->line == line && problem->column == column));
        if (!good) {
            print_message("case %zu: expected %s:%d:%d\n%s\n", i, cases[i].key, line, column, text);
            print_report(&loaded.report);
        }
        assert_true(good);
        unload(&loaded);
        free(text);
    }
}

#define EXPECT(...)                                                                                                    \
    const Bad cases[] = {__VA_ARGS__};                                                                                 \
    expect_each(cases, sizeof cases / sizeof *cases)

/* Shorter ways to put one thing into an otherwise good scene. */
#define FLUID(keys)                                                                                                    \
    "{'spacing': 0.001,\n'fluids': {'water': {\n" keys "'bodies': [{'shape': {'kind': 'sphere', 'radius': 0.01}}]}}}"
#define BODY(shape) "{'spacing': 0.001,\n'fluids': {'water': {'bodies': [\n{'shape': {" shape "}}]}}}"
#define SOLID(keys) SCENE_WITH("'solids': {'floor': {'shape': {'kind': 'box', 'size': [1, 1, 1]},\n" keys "}}")
#define EMITTER(keys) SCENE_WITH("'emitters': [\n{" keys "}]")
#define SCHEDULE(keys)                                                                                                 \
    SCENE_WITH("'solids': {'floor': {'shape': {'kind': 'box', 'size': [1, 1, 1]}}}, 'schedules': [\n{" keys "}]")
#define FLAT(keys) SCENE_WITH("'dimension': 2,\n" keys)
#define ONE_KEY "'keys': [{'time': 0, 'value': 1}]"
#define RAIN                                                                                                           \
    "'kind': 'rain', 'fluid': 'water', 'position': [0, 0, 0], 'direction': [0, 0, 1], 'radius': 0.01, "                \
    "'size': [1, 1], 'rate': 5, "

static inline void expect_good(const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Loaded loaded = load_text(texts[i]);
        if (loaded.status != MN_OK) print_report(&loaded.report);
        assert_int_equal(loaded.status, MN_OK);
        unload(&loaded);
    }
}

#endif
