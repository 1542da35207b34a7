#include "scene/scene.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/report.h"
#include "io/file.h"
#include "scene/read.h"

/* No scene comes near this; a wrong file (a mesh, a film) may. */
enum { LARGEST = 64 << 20 };

/* What a text is called in problems, what its scene is called, and where its relative paths start. */
typedef struct Origin {
    const char *file, *name, *folder;
    size_t name_length, folder_length; /* no folder: where the program runs */
} Origin;

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
    if (!file) return unreadable(errno == ENOMEM ? MN_ERROR_MEMORY : MN_ERROR_FILE, path, strerror(errno), report);
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
    return error ? unreadable(MN_ERROR_FILE, path, strerror(error), report) : MN_OK;
}

/* What is wrong with a text that stays unreadable. jansson tells the offset behind the token it could not take. */
static void report_syntax(mnReader *reader, const json_error_t *error) {
    enum json_error_code code = json_error_code(error);
    size_t length = reader->source.length;
    size_t behind = mn_mends_origin(reader->mends, error->position > 0 ? (size_t)error->position : 0);
    size_t token =
        mn_locate_token(reader->source, code == json_error_invalid_utf8 || behind == 0 ? behind : behind - 1);
    if (length == 0)
        mn_reader_syntax(reader, 0, "is empty, expected a JSON object");
    else if (code == json_error_premature_end_of_input)
        mn_reader_syntax(reader, length, "not JSON: %.160s", error->text);
    else if (code == json_error_null_character || code == json_error_null_byte_in_key)
        mn_reader_syntax(reader, token, "has the character \\u0000, which no text here may have");
    else if (code == json_error_invalid_utf8)
        mn_reader_syntax(reader, token, "not UTF-8: %.160s", error->text);
    else
        mn_reader_syntax(reader, token, "not JSON: %.160s", error->text);
}

static bool keep_names(mnScene *scene, const Origin *origin) {
    scene->desc.name = mn_scene_keep_text(scene, origin->name, origin->name_length);
    if (origin->folder_length) scene->desc.folder = mn_scene_keep_text(scene, origin->folder, origin->folder_length);
    return scene->desc.name && scene->desc.folder;
}

static json_t *object_or_null(json_t *value) {
    return json_is_object(value) ? value : NULL;
}

/* Paths of meshes, the only ones in a scene, from the root on. One that leads nowhere has been complained about. False
 * when memory is lacking. */
static bool make_paths_absolute(json_t *value, const char *folder) {
    const char *key;
    json_t *entry;
    size_t index;
    bool good = true;
    json_array_foreach(value, index, entry) good = make_paths_absolute(entry, folder) && good;
    json_object_foreach(value, key, entry) good = make_paths_absolute(entry, folder) && good;
    const char *path = json_string_value(json_object_get(value, "path"));
    if (!path) return good;
    bool is_relative = folder && *folder && *path != '/';
    char *joined = is_relative ? mn_path_join(folder, path) : NULL;
    char *found = joined || !is_relative ? realpath(joined ? joined : path, NULL) : NULL;
    if (found)
        good = json_object_set_new(value, "path", json_string(found)) == 0 && good;
    else if (errno == ENOMEM)
        good = false;
    free(found);
    free(joined);
    return good;
}

static void keep_text(mnReader *reader, json_t *root) {
    if (!make_paths_absolute(root, reader->scene->desc.folder)) reader->out_of_memory = true;
    char *text = mn_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    reader->scene->text = text ? mn_scene_keep_text(reader->scene, text, strlen(text)) : NULL;
    if (!reader->scene->text) reader->out_of_memory = true;
    free(text);
}

/* Checks and reads a whole tree. */
static void read_tree(mnReader *reader, json_t *root, const Origin *origin) {
    reader->fluids = object_or_null(json_object_get(root, "fluids"));
    reader->solids = object_or_null(json_object_get(root, "solids"));
    reader->dimension = mn_json_dimension(root);
    mn_read_object(reader, MN_OBJECT_SCENE, NULL, root, &reader->scene->desc);
    if (!keep_names(reader->scene, origin)) reader->out_of_memory = true;
    mn_read_geometry(reader);
    if (json_is_object(root)) keep_text(reader, root);
}

static json_t *parse_once(mnReader *reader, const char *text, size_t length, json_error_t *error) {
    json_t *root = mn_json_parse(text, length, MN_JSON_FLAGS, error);
    if (!root && errno == ENOMEM) reader->out_of_memory = true;
    return root;
}

/* The tree of a text, of which what can be mended is; NULL with the error where the rest is no JSON either. */
static json_t *parse(mnReader *reader, mnMends *mends, json_error_t *error) {
    mnSource source = reader->source;
    json_t *root = parse_once(reader, source.text, source.length, error);
    /* What is not even text holds no words that somebody wrote. */
    if (root || reader->out_of_memory || json_error_code(error) == json_error_invalid_utf8) return root;
    if (!mn_mends_find(mends, source) || mends->count == 0) return NULL;
    size_t length;
    char *mended = mn_mends_apply(mends, source, &length);
    if (mended) root = parse_once(reader, mended, length, error);
    free(mended);
    return root;
}

static mnStatus read_source(mnScene *scene, const Origin *origin, mnSource source, const char *const *sets,
                            int set_count, mnReport *report) {
    mnMends mends = {0};
    mnSets applied = {0};
    json_error_t error;
    mnReader reader = {
        .scene = scene, .report = report, .file = origin->file, .source = source, .mends = &mends, .sets = &applied};
    mnStatus set_status = MN_OK;
    json_t *root = parse(&reader, &mends, &error);
    if (!root && !reader.out_of_memory) {
        report_syntax(&reader, &error);
    } else if (root) {
        if (json_is_object(root)) set_status = mn_sets_apply(&applied, root, sets, set_count, report);
        read_tree(&reader, root, origin);
    }
    mn_reader_finish(&reader);
    if (reader.out_of_memory)
        mn_report_add(report, false, origin->file, 0, 0, "", "not enough memory to read the scene");
    mn_mends_clear(&mends);
    mn_sets_clear(&applied);
    json_decref(root);
    return reader.out_of_memory ? MN_ERROR_MEMORY : reader.errors > 0 ? MN_ERROR_INPUT : set_status;
}

static mnStatus read_text(const char *text, size_t length, const Origin *origin, const char *const *sets, int set_count,
                          mnScene **scene, mnReport *report) {
    if (length > LARGEST)
        return unreadable(MN_ERROR_FILE, origin->file, "it is larger than 64 MiB, which no scene is", report);
    /* Editors on some systems start a file with a byte order mark. */
    size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    mnScene *made = calloc(1, sizeof *made);
    if (!made) return unreadable(MN_ERROR_MEMORY, origin->file, "not enough memory", report);
    mnStatus status = read_source(made, origin, (mnSource){text + mark, length - mark}, sets, set_count, report);
    if (status == MN_OK)
        *scene = made;
    else
        mn_scene_destroy(made);
    return status;
}

static Origin origin_of_path(const char *path) {
    const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path;
    const char *dot = strrchr(stem, '.');
    return (Origin){.file = path,
                    .name = stem,
                    .name_length = dot > stem ? (size_t)(dot - stem) : strlen(stem),
                    .folder = path,
                    .folder_length = slash == path ? 1
                                     : slash       ? (size_t)(slash - path)
                                                   : 0};
}

mnStatus mn_scene_load(const char *path, const char *const *sets, int set_count, mnScene **scene, mnReport *report) {
    *scene = NULL;
    mnReport own = {0};
    mnReport *used = report ? report : &own;
    Origin origin = origin_of_path(path);
    char *text = NULL;
    size_t length = 0;
    mnStatus status = read_file(path, &text, &length, used);
    if (status == MN_OK) status = read_text(text, length, &origin, sets, set_count, scene, used);
    free(text);
    mn_report_clear(&own);
    return status;
}

mnStatus mn_scene_parse(const char *text, size_t length, const char *name, const char *folder, const char *const *sets,
                        int set_count, mnScene **scene, mnReport *report) {
    *scene = NULL;
    mnReport own = {0};
    Origin origin = {.file = name,
                     .name = name,
                     .name_length = strlen(name),
                     .folder = folder,
                     .folder_length = folder ? strlen(folder) : 0};
    mnStatus status = read_text(text, length, &origin, sets, set_count, scene, report ? report : &own);
    mn_report_clear(&own);
    return status;
}

const mnSceneDesc *mn_scene_desc(const mnScene *scene) {
    return &scene->desc;
}

const char *mn_scene_text(const mnScene *scene) {
    return scene->text;
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
