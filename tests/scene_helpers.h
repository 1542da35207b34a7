/* Scenes from texts, for the tests of scene files. */
#ifndef MN_TEST_SCENE_HELPERS_H
#define MN_TEST_SCENE_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "meniscus/scene.h"

/* A scene with a body of water; `more` is further keys, on a line of their own. */
#define SCENE_WITH(more)                                                                                               \
    "{\n'spacing': 0.001,\n"                                                                                           \
    "'fluids': {'water': {'bodies': [{'shape': {'kind': 'sphere', 'radius': 0.01}}]}},\n" more "\n}\n"

/* In double, which cmocka's own comparison is not. */
#define assert_near(value, expected, tolerance) assert_true(fabs((value) - (expected)) <= (tolerance))

typedef struct Loaded {
    mnStatus status;
    mnScene *scene;
    const mnSceneDesc *desc; /* NULL when it failed */
    mnReport report;
    char path[64];
} Loaded;

/* A cube of one metre. */
static const char cube_obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                               "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

static inline void write_bytes(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

/* The scene lies in a folder of its own, beside the mesh cube.obj. */
static inline Loaded load_bytes(const char *bytes, size_t length, const char *const *sets, int set_count) {
    Loaded loaded = {0};
    char folder[] = "/tmp/mn_scene_XXXXXX", mesh[64];
    assert_non_null(mkdtemp(folder));
    snprintf(loaded.path, sizeof loaded.path, "%s/test.json", folder);
    snprintf(mesh, sizeof mesh, "%s/cube.obj", folder);
    write_bytes(loaded.path, bytes, length);
    write_bytes(mesh, cube_obj, sizeof cube_obj - 1);
    loaded.status = mn_scene_load(loaded.path, sets, set_count, &loaded.scene, &loaded.report);
    unlink(loaded.path);
    unlink(mesh);
    rmdir(folder);
    assert_true((loaded.scene != NULL) == (loaded.status == MN_OK));
    loaded.desc = loaded.scene ? mn_scene_desc(loaded.scene) : NULL;
    return loaded;
}

/* Texts in tests have single quotes where JSON has double ones. */
static inline Loaded load_with(const char *text, const char *const *sets, int set_count) {
    char *json = strdup(text);
    for (char *c = json; *c; c++)
        if (*c == '\'') *c = '"';
    Loaded loaded = load_bytes(json, strlen(json), sets, set_count);
    free(json);
    return loaded;
}

static inline Loaded load_text(const char *text) {
    return load_with(text, NULL, 0);
}

static inline void unload(Loaded *loaded) {
    mn_scene_destroy(loaded->scene);
    mn_report_clear(&loaded->report);
}

static inline void print_report(const mnReport *report) {
    for (int i = 0; i < report->count; i++) {
        const mnProblem *p = &report->problems[i];
        print_message("%s %s:%d:%d %s: %s\n", p->is_warning ? "warning" : "error", p->file, p->line, p->column, p->key,
                      p->text);
    }
}

static inline const mnProblem *find_problem(const mnReport *report, const char *key) {
    for (int i = 0; i < report->count; i++)
        if (strcmp(report->problems[i].key, key) == 0) return &report->problems[i];
    return NULL;
}

/* The file's whole text, to be freed. */
static inline char *file_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

#endif
