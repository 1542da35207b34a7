#include "scene/set.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/report.h"
#include "scene/keys.h"
#include "scene/names.h"

enum { STEPS = 64, LONGEST = 400 };

/* The steps of one path, cut out of a copy of it. */
typedef struct Steps {
    char copy[LONGEST + 1];
    char *step[STEPS];
    int count;
} Steps;

static bool is_index(const char *step) {
    size_t length = strlen(step);
    return length > 0 && length < 8 && strspn(step, "0123456789") == length;
}

/* "emitters[2].rate" and "emitters.2.rate" both become emitters, 2, rate. */
static bool cut_steps(const char *path, size_t length, Steps *steps) {
    if (length == 0 || length > LONGEST) return false;
    memcpy(steps->copy, path, length);
    steps->copy[length] = '\0';
    steps->count = 0;
    char *at = steps->copy;
    while (at) {
        if (steps->count == STEPS) return false;
        char *step = at;
        at = strpbrk(at, ".[");
        if (at) {
            bool bracket = *at == '[';
            *at++ = '\0';
            if (bracket) {
                char *close = strchr(at, ']');
                if (!close || (close[1] != '\0' && close[1] != '.' && close[1] != '[')) return false;
                memmove(close, close + 1, strlen(close + 1) + 1);
                /* What follows the bracket starts a new step by itself; a dot there would start an empty one. */
                if (!isdigit((unsigned char)*at)) return false;
            }
        }
        if (*step == '\0') return false;
        steps->step[steps->count++] = step;
    }
    return true;
}

/* The value at one step, or NULL; `path` gets longer by the step. */
static json_t *step_down(json_t *holder, const char *step, char *path) {
    size_t length = strlen(path);
    if (json_is_array(holder)) {
        snprintf(path + length, MN_PATH_TEXT - length, "[%s]", step);
        return is_index(step) ? json_array_get(holder, (size_t)atoi(step)) : NULL;
    }
    snprintf(path + length, MN_PATH_TEXT - length, "%s%s", length ? "." : "", step);
    return json_object_get(holder, step);
}

/* Puts `value` (whose reference is taken over) at one step. False with ENOMEM in errno: no memory. */
static bool put(json_t *holder, const char *step, json_t *value) {
    errno = 0;
    if (json_is_object(holder)) return json_object_set_new(holder, step, value) == 0;
    size_t index = is_index(step) ? (size_t)atoi(step) : SIZE_MAX;
    if (json_is_array(holder) && index < json_array_size(holder)) return json_array_set_new(holder, index, value) == 0;
    if (json_is_array(holder) && index == json_array_size(holder)) return json_array_append_new(holder, value) == 0;
    json_decref(value);
    return false;
}

/* What is not JSON is a text. NULL with errno where it is none either, or memory is lacking. */
static json_t *parse_value(const char *text) {
    json_t *value = mn_json_parse(text, strlen(text), MN_JSON_FLAGS, NULL);
    return value || errno == ENOMEM ? value : json_string(text);
}

/* What the table of keys knows about the value that a path has come to. */
typedef struct Place {
    const mnKey *key; /* whose value it is; NULL for an entry of a list or map, and where nothing is known */
    bool is_object;   /* of the kind `object` */
    mnObject object;
} Place;

static Place place_below(Place holder, const char *step) {
    if (holder.is_object) {
        const mnKey *key = mn_key_find(holder.object, -1, step);
        if (!key) return (Place){0};
        return (Place){.key = key, .is_object = key->type == MN_KEY_OBJECT, .object = key->child};
    }
    bool has_entries = holder.key && (holder.key->type == MN_KEY_LIST || holder.key->type == MN_KEY_MAP);
    return has_entries ? (Place){.is_object = true, .object = holder.key->child} : (Place){0};
}

/* One change on its way down the tree. */
typedef struct Change {
    json_t *root;
    Steps steps;
    char *path; /* of `holder`, MN_PATH_TEXT bytes */
    mnReport *report;
} Change;

static void no_memory(const Change *change) {
    mn_report_add(change->report, false, MN_SET_FILE, 0, 0, change->path, "not enough memory to set it");
}

static void refuse_put(const Change *change) {
    if (errno == ENOMEM)
        no_memory(change);
    else
        mn_report_add(change->report, false, MN_SET_FILE, 0, 0, change->path,
                      "there is no such list entry, nor may it be the next");
}

static json_t *refuse_name(const Change *change, json_t *holder, const mnKey *map, const char *name) {
    mnNames names = mn_names_start(name);
    const char *known;
    json_t *value;
    json_object_foreach(holder, known, value) mn_names_offer(&names, known);
    char hint[600];
    mn_names_hint(&names, map->name, hint, sizeof hint);
    mn_report_add(change->report, false, MN_SET_FILE, 0, 0, change->path,
                  "there is no \"%.60s\"%s; a new one is given as a whole: %.100s={…}", name, hint, change->path);
    return NULL;
}

/* What a missing value on the way starts from, put in its place; NULL after a problem. */
static json_t *make_missing(const Change *change, json_t *holder, Place above, Place here, int i) {
    const char *step = change->steps.step[i], *next = change->steps.step[i + 1];
    if (above.key && above.key->type == MN_KEY_MAP) return refuse_name(change, holder, above.key, step);
    bool is_vector = here.key && (here.key->type == MN_KEY_VECTOR2 || here.key->type == MN_KEY_VECTOR3 ||
                                  here.key->type == MN_KEY_ROTATION);
    json_t *made;
    errno = 0;
    if (!is_index(next))
        made = json_object();
    else if (is_vector)
        made = mn_key_default_in(here.key, 0, mn_json_dimension(change->root));
    else
        made = json_array();
    if (errno == ENOMEM)
        no_memory(change);
    else if (!made)
        mn_report_add(change->report, false, MN_SET_FILE, 0, 0, change->path,
                      "is not in the scene and has no default; set it as a whole: %.100s=[…]", change->path);
    else if (put(holder, step, made))
        return made;
    else
        refuse_put(change);
    return NULL;
}

/* The object or list that holds the path's last step; NULL after a problem. */
static json_t *find_holder(const Change *change) {
    json_t *holder = change->root;
    Place above = {.is_object = true, .object = MN_OBJECT_SCENE};
    for (int i = 0; holder && i + 1 < change->steps.count; i++) {
        Place here = place_below(above, change->steps.step[i]);
        json_t *next = step_down(holder, change->steps.step[i], change->path);
        if (!next) {
            next = make_missing(change, holder, above, here, i);
        } else if (!json_is_object(next) && !json_is_array(next)) {
            mn_report_add(change->report, false, MN_SET_FILE, 0, 0, change->path,
                          "is neither an object nor a list, so \"%.80s\" cannot be set in it; set it as a whole",
                          change->steps.step[i + 1]);
            next = NULL;
        }
        holder = next;
        above = here;
    }
    return holder;
}

static void apply_one(json_t *root, const char *set, char path[MN_PATH_TEXT], mnReport *report) {
    Change change = {.root = root, .path = path, .report = report};
    const char *equals = strchr(set, '=');
    if (!equals || !cut_steps(set, (size_t)(equals - set), &change.steps)) {
        mn_report_add(report, false, MN_SET_FILE, 0, 0, "",
                      "found \"%.80s\", expected path=value such as fluids.water.tension.vapor=0.03", set);
        return;
    }
    json_t *holder = find_holder(&change);
    if (!holder) return;
    const char *last = change.steps.step[change.steps.count - 1];
    step_down(holder, last, path);
    json_t *value = parse_value(equals + 1);
    if (!value && errno == ENOMEM)
        no_memory(&change);
    else if (!value)
        mn_report_add(report, false, MN_SET_FILE, 0, 0, path, "the value is not valid UTF-8");
    else if (!put(holder, last, value))
        refuse_put(&change);
}

mnStatus mn_sets_apply(mnSets *applied, json_t *root, const char *const *sets, int set_count, mnReport *report) {
    if (set_count <= 0) return MN_OK;
    applied->paths = calloc((size_t)set_count, sizeof *applied->paths);
    if (!applied->paths) {
        mn_report_add(report, false, MN_SET_FILE, 0, 0, "", "not enough memory");
        return MN_ERROR_MEMORY;
    }
    applied->count = set_count;
    int errors = report->errors;
    for (int i = 0; i < set_count; i++) apply_one(root, sets[i], applied->paths[i], report);
    return report->errors > errors ? MN_ERROR_INPUT : MN_OK;
}

void mn_sets_clear(mnSets *applied) {
    free(applied->paths);
    *applied = (mnSets){0};
}

bool mn_sets_remove(json_t *root, const char *path) {
    Steps steps;
    char passed[MN_PATH_TEXT] = "";
    if (!cut_steps(path, strlen(path), &steps)) return false;
    json_t *holder = root;
    for (int i = 0; i + 1 < steps.count; i++) holder = step_down(holder, steps.step[i], passed);
    const char *last = steps.step[steps.count - 1];
    if (json_is_array(holder)) return is_index(last) && json_array_remove(holder, (size_t)atoi(last)) == 0;
    return json_object_del(holder, last) == 0;
}

bool mn_sets_cover(const mnSets *applied, const char *path) {
    for (int i = 0; i < applied->count; i++) {
        size_t length = strlen(applied->paths[i]);
        if (length > 0 && strncmp(applied->paths[i], path, length) == 0 && strchr(".[", path[length])) return true;
    }
    return false;
}
