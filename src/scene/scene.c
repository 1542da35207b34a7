#include "scene/scene.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "scene/read.h"

/* No scene comes near this; a wrong file (a mesh, a film) may. */
enum { LARGEST = 64 << 20 };

struct mnSceneBlock {
    struct mnSceneBlock *next;
    max_align_t data[];
};

void *mn_scene_keep(mnScene *scene, size_t count, size_t size) {
    if (size && count > (SIZE_MAX - sizeof(mnSceneBlock)) / size) return NULL;
    mnSceneBlock *block = calloc(1, sizeof *block + count * size);
    if (!block) return NULL;
    block->next = scene->blocks;
    scene->blocks = block;
    return block->data;
}

char *mn_scene_keep_text(mnScene *scene, const char *text, size_t length) {
    char *kept = mn_scene_keep(scene, length + 1, 1);
    if (kept) memcpy(kept, text, length);
    return kept;
}

bool mn_scene_has_fluid(const mnSceneDesc *desc, int fluid) {
    if (desc->fluids[fluid].body_count > 0) return true;
    for (int i = 0; i < desc->emitter_count; i++)
        if (desc->emitters[i].fluid == fluid) return true;
    return false;
}

static mnStatus unreadable(mnStatus status, const char *path, const char *why, mnReport *report) {
    mn_report_add(report, false, path, 0, 0, "", "cannot be read: %s", why);
    return status;
}

/* Reads to the end instead of trusting a size, so that pipes work and endless files do not hurt. */
static mnStatus read_file(const char *path, char **text, size_t *length, mnReport *report) {
    FILE *file = fopen(path, "rb");
    if (!file) return unreadable(MN_ERROR_FILE, path, strerror(errno), report);
    size_t capacity = 1 << 16;
    char *buffer = malloc(capacity);
    *length = 0;
    while (buffer) {
        *length += fread(buffer + *length, 1, capacity - *length, file);
        if (*length < capacity || capacity > LARGEST) break;
        capacity *= 2;
        char *larger = realloc(buffer, capacity);
        if (!larger) free(buffer);
        buffer = larger;
    }
    int error = ferror(file) ? errno : 0;
    fclose(file);
    *text = buffer;
    if (!buffer) return unreadable(MN_ERROR_MEMORY, path, "not enough memory", report);
    if (error) return unreadable(MN_ERROR_FILE, path, strerror(error), report);
    if (*length > LARGEST)
        return unreadable(MN_ERROR_FILE, path, "it is larger than 64 MiB, which no scene is", report);
    return MN_OK;
}

/* jansson counts characters up to the end of what it could not take. */
static void report_syntax(const char *path, mnSource source, const json_error_t *error, mnReport *report) {
    char key[MN_PATH_TEXT];
    size_t offset = error->position > 0 ? (size_t)error->position : 0;
    mn_locate_path(source, offset, key);
    enum json_error_code code = json_error_code(error);
    if (code == json_error_numeric_overflow)
        mn_report_add(report, false, path, error->line, error->column, key,
                      "a number is too large to be finite (%.100s)", error->text);
    else if (code == json_error_duplicate_key)
        mn_report_add(report, false, path, error->line, error->column, key, "a key is given twice (%.100s)",
                      error->text);
    else if (source.length == 0)
        mn_report_add(report, false, path, 0, 0, key, "is empty, expected a JSON object");
    else
        mn_report_add(report, false, path, error->line, error->column, key, "not JSON: %.160s", error->text);
}

static bool keep_names(mnScene *scene, const char *path) {
    const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
    const char *dot = strrchr(stem, '.');
    size_t folder = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    scene->desc.name = mn_scene_keep_text(scene, stem, dot > stem ? (size_t)(dot - stem) : strlen(stem));
    if (folder) scene->desc.folder = mn_scene_keep_text(scene, path, folder);
    return scene->desc.name && scene->desc.folder;
}

static json_t *object_or_null(json_t *value) {
    return json_is_object(value) ? value : NULL;
}

/* Checks and reads a whole tree. */
static mnStatus read_tree(mnScene *scene, const char *path, mnSource source, json_t *root, const mnSets *sets,
                          mnReport *report) {
    mnReader reader = {.scene = scene,
                       .report = report,
                       .file = path,
                       .source = source,
                       .sets = sets,
                       .fluids = object_or_null(json_object_get(root, "fluids")),
                       .solids = object_or_null(json_object_get(root, "solids")),
                       .dimension = mn_json_dimension(root)};
    mn_read_object(&reader, MN_OBJECT_SCENE, NULL, root, &scene->desc);
    if (reader.untold > 0)
        mn_report_add(report, reader.errors == 0, path, 0, 0, "", "and %d more problems", reader.untold);
    if (!keep_names(scene, path) || reader.out_of_memory) {
        mn_report_add(report, false, path, 0, 0, "", "not enough memory to read the scene");
        return MN_ERROR_MEMORY;
    }
    return reader.errors > 0 ? MN_ERROR_INPUT : MN_OK;
}

static mnStatus load_text(mnScene *scene, const char *path, mnSource source, const char *const *sets, int set_count,
                          mnReport *report) {
    json_error_t error;
    json_t *root = json_loadb(source.text, source.length, MN_JSON_FLAGS, &error);
    if (!root) {
        report_syntax(path, source, &error, report);
        return MN_ERROR_INPUT;
    }
    mnSets applied = {0};
    mnStatus status = MN_OK;
    if (!json_is_object(root)) {
        mn_report_add(report, false, path, 1, 1, "", "found a list, expected an object");
        status = MN_ERROR_INPUT;
    } else {
        mnStatus set_status = mn_sets_apply(&applied, root, sets, set_count, report);
        status = read_tree(scene, path, source, root, &applied, report);
        if (status == MN_OK) status = set_status;
    }
    mn_sets_clear(&applied);
    json_decref(root);
    return status;
}

mnStatus mn_scene_load(const char *path, const char *const *sets, int set_count, mnScene **scene, mnReport *report) {
    *scene = NULL;
    mnReport own = {0};
    mnReport *used = report ? report : &own;
    char *text = NULL;
    size_t length = 0;
    mnStatus status = read_file(path, &text, &length, used);
    if (status == MN_OK) {
        /* Editors on some systems start a file with a byte order mark. */
        size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        mnScene *made = calloc(1, sizeof *made);
        status = made ? load_text(made, path, (mnSource){text + mark, length - mark}, sets, set_count, used)
                      : MN_ERROR_MEMORY;
        if (status == MN_OK)
            *scene = made;
        else
            mn_scene_destroy(made);
    }
    free(text);
    mn_report_clear(&own);
    return status;
}

const mnSceneDesc *mn_scene_desc(const mnScene *scene) {
    return &scene->desc;
}

void mn_scene_destroy(mnScene *scene) {
    if (!scene) return;
    for (mnSceneBlock *block = scene->blocks; block;) {
        mnSceneBlock *next = block->next;
        free(block);
        block = next;
    }
    free(scene);
}
