#include "scene/set.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

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

/* Puts `value` (whose reference is taken over) at one step. */
static bool put(json_t *holder, const char *step, json_t *value) {
    if (json_is_object(holder)) return json_object_set_new(holder, step, value) == 0;
    size_t index = is_index(step) ? (size_t)atoi(step) : SIZE_MAX;
    if (json_is_array(holder) && index < json_array_size(holder)) return json_array_set_new(holder, index, value) == 0;
    if (json_is_array(holder) && index == json_array_size(holder)) return json_array_append_new(holder, value) == 0;
    json_decref(value);
    return false;
}

static json_t *parse_value(const char *text) {
    json_t *value = json_loads(text, MN_JSON_FLAGS | JSON_DECODE_ANY, NULL);
    return value ? value : json_string(text);
}

static void apply_one(json_t *root, const char *set, char path[MN_PATH_TEXT], mnReport *report) {
    const char *equals = strchr(set, '=');
    Steps steps;
    if (!equals || !cut_steps(set, (size_t)(equals - set), &steps)) {
        mn_report_add(report, false, MN_SET_FILE, 0, 0, "",
                      "found \"%.80s\", expected path=value such as fluids.water.tension.vapor=0.03", set);
        return;
    }
    json_t *holder = root;
    for (int i = 0; i + 1 < steps.count; i++) {
        json_t *next = step_down(holder, steps.step[i], path);
        if (!next) {
            next = is_index(steps.step[i + 1]) ? json_array() : json_object();
            if (!put(holder, steps.step[i], next)) {
                mn_report_add(report, false, MN_SET_FILE, 0, 0, path,
                              "there is no such list entry, nor may it be the next");
                return;
            }
        } else if (!json_is_object(next) && !json_is_array(next)) {
            mn_report_add(report, false, MN_SET_FILE, 0, 0, path,
                          "is neither an object nor a list, so \"%.80s\" cannot be set in it; set it as a whole",
                          steps.step[i + 1]);
            return;
        }
        holder = next;
    }
    step_down(holder, steps.step[steps.count - 1], path);
    json_t *value = parse_value(equals + 1);
    if (!value)
        mn_report_add(report, false, MN_SET_FILE, 0, 0, path, "the value is not valid UTF-8");
    else if (!put(holder, steps.step[steps.count - 1], value))
        mn_report_add(report, false, MN_SET_FILE, 0, 0, path, "there is no such list entry, nor may it be the next");
}

mnStatus mn_sets_apply(mnSets *applied, json_t *root, const char *const *sets, int set_count, mnReport *report) {
    if (set_count <= 0) return MN_OK;
    applied->paths = calloc((size_t)set_count, sizeof *applied->paths);
    if (!applied->paths) return MN_ERROR_MEMORY;
    applied->count = set_count;
    int errors = report->errors;
    for (int i = 0; i < set_count; i++) apply_one(root, sets[i], applied->paths[i], report);
    return report->errors > errors ? MN_ERROR_INPUT : MN_OK;
}

void mn_sets_clear(mnSets *applied) {
    free(applied->paths);
    *applied = (mnSets){0};
}

bool mn_sets_cover(const mnSets *applied, const char *path) {
    for (int i = 0; i < applied->count; i++) {
        size_t length = strlen(applied->paths[i]);
        if (length > 0 && strncmp(applied->paths[i], path, length) == 0 && strchr(".[", path[length])) return true;
    }
    return false;
}
