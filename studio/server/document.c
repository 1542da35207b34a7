#include "document.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "io/file.h"
#include "message.h"
#include "scene/set.h"
#include "steer.h"

enum { LARGEST = 64 << 20, MARKS_MOST = 100 };

/* ---- trees ------------------------------------------------------------------------------------------------------- */

json_t *mn_scene_tree(const char *text) {
    return mn_json_parse(text, strlen(text), JSON_REJECT_DUPLICATES, NULL);
}

char *mn_scene_tree_text(const json_t *root) {
    for (int digits = 15; digits < 17; digits++) {
        char *text = mn_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
        json_t *again = text ? mn_scene_tree(text) : NULL;
        bool is_same = again && json_equal((json_t *)root, again);
        json_decref(again);
        if (is_same) return text;
        free(text);
    }
    return mn_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
}

static bool contains(const json_t *list, const json_t *value) {
    size_t index;
    json_t *entry;
    json_array_foreach(list, index, entry) if (json_equal(entry, (json_t *)value)) return true;
    return false;
}

/* The first path of a mesh that is not in the list; NULL: there is none. No other text of a scene has that key. */
static json_t *find_mesh(const json_t *value, const json_t *list) {
    const char *key;
    json_t *entry, *found;
    size_t index;
    json_array_foreach(value, index, entry) if ((found = find_mesh(entry, list))) return found;
    json_object_foreach((json_t *)value, key, entry) {
        if (strcmp(key, "path") == 0 && json_is_string(entry) && !contains(list, entry)) return entry;
        if ((found = find_mesh(entry, list))) return found;
    }
    return NULL;
}

static void list_meshes(const json_t *root, json_t *list) {
    for (json_t *path; (path = find_mesh(root, list));)
        if (json_array_append(list, path) != 0) return;
}

static mnStatus check_meshes(const json_t *root, const json_t *known, mnError *error) {
    const json_t *path = find_mesh(root, known);
    if (!path) return MN_OK;
    return mn_error_set(error, MN_ERROR_INPUT,
                        "the mesh %.200s cannot be read for a page; start meniscus studio with the scene's file",
                        json_string_value(path));
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static mnStatus no_memory(mnError *error) {
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for the scene");
}

/* "drop" of "a/b/drop.json": what is left is fit for a folder's name. */
static char *plain_name(const char *name) {
    const char *slash = strrchr(name, '/'), *stem = slash ? slash + 1 : name, *dot = strrchr(stem, '.');
    char *plain = strndup(stem, dot > stem ? (size_t)(dot - stem) : strlen(stem));
    for (char *c = plain; c && *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c)) *c = '_';
    if (plain && strlen(plain) > 100) plain[100] = '\0';
    if (plain && (*plain == '.' || !*plain)) {
        free(plain);
        return strdup("scene");
    }
    return plain;
}

/* Takes over the texts, which may be NULL without memory, and reads. */
static mnStatus take(mnDocument *document, char *text, char *name, char *folder, mnError *error) {
    if (!text || !name) {
        free(text);
        free(name);
        free(folder);
        return no_memory(error);
    }
    mn_document_clear(document);
    document->text = text;
    document->name = name;
    document->folder = folder;
    char file[128];
    snprintf(file, sizeof file, "%s.json", name);
    mn_scene_parse(text, strlen(text), file, folder, NULL, 0, &document->scene, &document->report);
    return MN_OK;
}

mnStatus mn_document_open(mnDocument *document, const char *text, const char *name, const char *folder,
                          const json_t *known, mnError *error) {
    json_t *root = mn_scene_tree(text); /* NULL: not JSON, which reading will say, or no memory */
    if (!root && errno == ENOMEM) return no_memory(error);
    mnStatus status = folder || !root ? MN_OK : check_meshes(root, known, error);
    json_decref(root);
    if (status != MN_OK) return status;
    return take(document, strdup(text), plain_name(name), folder ? strdup(folder) : NULL, error);
}

/* Reads no more than a scene may have, whatever the file is. */
static char *read_text(const char *path, mnError *error) {
    FILE *file = fopen(path, "rb");
    size_t length = 0, room = 1 << 16;
    char *text = file ? malloc(room) : NULL;
    while (text) {
        length += fread(text + length, 1, room - length, file);
        if (length < room || length > LARGEST) break;
        char *larger = realloc(text, room *= 2);
        if (!larger) free(text);
        text = larger;
    }
    if (!text || ferror(file))
        mn_error_set(error, MN_ERROR_FILE, "cannot read %s: %s", path, strerror(errno));
    else if (length > LARGEST)
        mn_error_set(error, MN_ERROR_FILE, "%s is larger than 64 MiB, which no scene is", path);
    bool is_good = text && !ferror(file) && length <= LARGEST;
    if (file) fclose(file);
    if (!is_good) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

/* Whoever saves the text of a scene with meshes must be able to read it elsewhere. */
static mnStatus make_paths_absolute(mnDocument *document, mnError *error) {
    if (!document->scene) return MN_OK;
    json_t *root = mn_scene_tree(document->text);
    mnStatus status = root ? MN_OK : no_memory(error);
    if (find_mesh(root, NULL))
        status = take(document, strdup(mn_scene_text(document->scene)), strdup(document->name),
                      strdup(document->folder), error);
    json_decref(root);
    return status;
}

mnStatus mn_document_load(mnDocument *document, const char *path, mnError *error) {
    char *text = read_text(path, error);
    if (!text) return MN_ERROR_FILE;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    mnStatus status = folder ? mn_document_open(document, text, path, folder, NULL, error) : no_memory(error);
    free(folder);
    free(text);
    return status == MN_OK ? make_paths_absolute(document, error) : status;
}

void mn_document_clear(mnDocument *document) {
    free(document->name);
    free(document->folder);
    free(document->text);
    mn_scene_destroy(document->scene);
    mn_report_clear(&document->report);
    *document = (mnDocument){0};
}

void mn_document_list_meshes(const mnDocument *document, json_t *known) {
    json_t *root = document->text ? mn_scene_tree(document->text) : NULL;
    list_meshes(root, known);
    json_decref(root);
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

static mnStatus put_value(json_t *root, const char *path, const json_t *value, mnError *error) {
    char *digits = mn_json_text(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)), *set = NULL;
    int length = digits ? snprintf(NULL, 0, "%s=%s", path, digits) : -1;
    if (length >= 0) set = malloc((size_t)length + 1);
    mnStatus status = set ? MN_OK : no_memory(error);
    if (set) {
        snprintf(set, (size_t)length + 1, "%s=%s", path, digits);
        mnSets applied = {0};
        mnReport report = {0};
        status = mn_sets_apply(&applied, root, (const char *const *)&set, 1, &report);
        if (status != MN_OK)
            mn_error_set(error, status, "%s", report.count > 0 ? report.problems[0].text : "no memory left");
        mn_sets_clear(&applied);
        mn_report_clear(&report);
    }
    free(set);
    free(digits);
    return status;
}

static mnStatus remove_value(json_t *root, const char *path, mnError *error) {
    if (mn_sets_remove(root, path)) return MN_OK;
    return mn_error_set(error, MN_ERROR_INPUT, "%.200s is not in the scene", path);
}

mnStatus mn_document_set(mnDocument *document, const char *path, const json_t *value, const json_t *known,
                         mnError *error) {
    errno = 0;
    json_t *root = document->text ? mn_scene_tree(document->text) : NULL;
    if (!json_is_object(root)) {
        if (!root && errno == ENOMEM) return no_memory(error);
        json_decref(root);
        return mn_error_set(error, MN_ERROR_INPUT, "the text of the scene is not JSON, correct it first");
    }
    mnStatus status = value ? put_value(root, path, value, error) : remove_value(root, path, error);
    if (status == MN_OK && value) {
        json_t *meshes = json_array();
        json_array_extend(meshes, (json_t *)known);
        mn_document_list_meshes(document, meshes);
        status = check_meshes(root, meshes, error);
        json_decref(meshes);
    }
    if (status == MN_OK)
        status = take(document, mn_scene_tree_text(root), strdup(document->name),
                      document->folder ? strdup(document->folder) : NULL, error);
    json_decref(root);
    return status;
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

static json_t *problems_json(const mnReport *report) {
    json_t *problems = json_array();
    for (int i = 0; i < report->count; i++) {
        const mnProblem *p = &report->problems[i];
        json_array_append_new(problems, json_pack("{s:s,s:i,s:i,s:s,s:b}", "path", p->key ? p->key : "", "line",
                                                  p->line, "column", p->column, "text", p->text ? p->text : "",
                                                  "warning", p->is_warning != 0));
    }
    return problems;
}

/* Whether what it is changes from one moment to the next there, as steering has it. */
static bool jumps(const mnSchedule *schedule, int k) {
    return schedule->keys[k + 1].time == nextafter(schedule->keys[k].time, INFINITY) && mn_schedule_slopes(schedule, k);
}

/* The spans of time in which it cannot be steered. */
static json_t *driven_json(const mnSteerable *steerable, const mnSceneDesc *scene) {
    json_t *spans = json_array();
    const mnSchedule *schedule = steerable->schedule >= 0 ? &scene->schedules[steerable->schedule] : NULL;
    for (int k = 0; schedule && k + 1 < schedule->key_count; k++) {
        const double span[2] = {schedule->keys[k].time, schedule->keys[k + 1].time};
        if (!jumps(schedule, k) && mn_schedule_slopes(schedule, k))
            json_array_append_new(spans, mn_json_vector(span, 2));
    }
    return spans;
}

static json_t *value_json(const mnSteerable *steerable, const mnSceneDesc *scene, double time) {
    double value[3];
    mn_steerable_value(steerable, scene, time, value);
    return steerable->quantity == MN_QUANTITY_GRAVITY ? mn_json_vector(value, 3) : mn_json_number(value[0]);
}

static json_t *steerable_json(const mnSteerable *steerable, const mnSceneDesc *scene, double time) {
    const mnKey *key = steerable->key;
    bool has_range = key->lower < key->upper;
    return json_pack("{s:s,s:s,s:s,s:o,s:o,s:o,s:s,s:o}", "path", steerable->path, "label", key->name, "unit",
                     key->unit ? key->unit : "", "value", value_json(steerable, scene, time), "minimum",
                     mn_json_number(has_range ? key->lower : (double)NAN), "maximum",
                     mn_json_number(has_range ? key->upper : (double)NAN), "help", key->doc, "driven",
                     driven_json(steerable, scene));
}

/* Adds what was steered of a quantity, latest first. Of changes that nobody could tell apart on a chart, such as those
 * of a slider that is dragged, the last one counts: no more than MARKS_MOST of them, and one, fit into the run. */
static void add_marks(json_t *marks, const mnSteerable *steerable, const mnSceneDesc *scene) {
    const mnSchedule *schedule = steerable->schedule >= 0 ? &scene->schedules[steerable->schedule] : NULL;
    double next = INFINITY;
    for (int k = schedule ? schedule->key_count - 2 : -1; k >= 0; k--) {
        double time = schedule->keys[k + 1].time;
        bool is_within = time >= 0 && time <= scene->duration && next - time >= scene->duration / MARKS_MOST;
        if (!is_within || !jumps(schedule, k)) continue;
        next = time;
        json_array_append_new(marks, json_pack("{s:s,s:o,s:o}", "path", steerable->path, "time", mn_json_number(time),
                                               "value", value_json(steerable, scene, time)));
    }
}

/* What can be steered, with its values at a time, and what was. */
static void tell_steering(json_t *message, const mnSceneDesc *scene, double time) {
    int count;
    mnSteerable *entries = mn_steerables_find(scene, &count);
    json_t *list = json_array(), *marks = json_array();
    for (int i = 0; entries && i < count; i++) {
        json_array_append_new(list, steerable_json(&entries[i], scene, time));
        add_marks(marks, &entries[i], scene);
    }
    free(entries);
    json_object_set_new(message, "steerable", list);
    json_object_set_new(message, "marks", marks);
}

static json_t *fluids_json(const mnSceneDesc *scene) {
    json_t *list = json_array();
    for (int f = 0; f < scene->fluid_count; f++) {
        const mnFluid *fluid = &scene->fluids[f];
        json_array_append_new(list,
                              json_pack("{s:s,s:f,s:f,s:f,s:f,s:f}", "name", fluid->name, "density", fluid->density,
                                        "viscosity", fluid->viscosity, "tension_vapor", fluid->tension_vapor,
                                        "tension_fluid", fluid->tension_fluid, "tension_solid", fluid->tension_solid));
    }
    return list;
}

static json_t *solids_json(const mnSceneDesc *scene) {
    json_t *list = json_array();
    for (int s = 0; s < scene->solid_count; s++) {
        const mnSolid *solid = &scene->solids[s];
        json_array_append_new(list,
                              json_pack("{s:s,s:b,s:b,s:b}", "name", solid->name, "moves", solid->motion_count > 0,
                                        "glass", solid->glass, "hollow", solid->shape.hollow));
    }
    return list;
}

json_t *mn_document_describe(const mnDocument *document, const mnScene *changed, const char *text, double time) {
    const mnScene *read = changed ? changed : document->scene;
    const mnSceneDesc *scene = read ? mn_scene_desc(read) : NULL;
    json_t *message =
        json_pack("{s:s,s:s,s:s,s:o,s:b}", "type", "scene", "name", document->name, "text",
                  changed ? text : document->text, "problems", problems_json(&document->report), "ok", scene != NULL);
    /* A text from a file need not be UTF-8, of which its problems tell. */
    if (!message)
        message = json_pack("{s:s,s:s,s:s,s:o,s:b}", "type", "scene", "name", document->name, "text", "", "problems",
                            problems_json(&document->report), "ok", false);
    if (!message || !scene) return message;
    json_object_set_new(message, "title", json_string(scene->title ? scene->title : ""));
    json_object_set_new(message, "dimension", json_integer(scene->dimension));
    json_object_set_new(message, "spacing", json_real(scene->spacing));
    json_object_set_new(message, "duration", json_real(scene->duration));
    json_object_set_new(message, "fps", json_real(scene->frames_per_second));
    json_object_set_new(message, "gravity", mn_json_vector(scene->gravity, 3));
    json_object_set_new(message, "fluids", fluids_json(scene));
    json_object_set_new(message, "solids", solids_json(scene));
    tell_steering(message, scene, time);
    return message;
}
