#include "scene/changes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/report.h"
#include "scene/set.h"

/* ---- what may change --------------------------------------------------------------------------------------------- */

/* A star stands for any one step of a path. A rule is for its key and all below; the first that fits counts. */
typedef struct Rule {
    const char *key;
    const char *reason; /* against it; NULL: it may change */
} Rule;

#define PLACED "it has decided where particles are"
#define WENT_ON "what has come out so far depends on it"
#define MODEL "the forces that the run goes on from belong to it"

static const Rule rules[] = {
    {"$schema", NULL},
    {"title", NULL},
    {"duration", NULL},
    {"fps", NULL},
    {"gravity", NULL},
    {"max_particles", NULL},
    {"time_step", NULL},
    {"view", NULL},
    {"sinks", NULL},
    {"schedules", NULL},
    {"fluids.*.density", NULL},
    {"fluids.*.viscosity", NULL},
    {"fluids.*.tension", NULL},
    {"solids.*.contact_angle", NULL},
    {"solids.*.tension", NULL},
    {"solids.*.friction", NULL},
    {"solids.*.slip", NULL},
    {"solids.*.glass", NULL},
    {"solver.preset", MODEL},
    {"solver.tension_model", MODEL},
    {"solver.measure", MODEL},
    {"solver.rest_areas", MODEL},
    {"solver", NULL},
    {"dimension", PLACED},
    {"spacing", PLACED},
    {"seed", "the random numbers so far came from it"},
    {"fluids.*.bodies", PLACED},
    {"fluids", "particles know their fluid by its place among all"},
    {"solids.*.shape", PLACED},
    {"solids.*.motion", "the solid would jump"},
    {"solids", "particles know their solid by its place among all"},
    {"emitters", WENT_ON},
};

static bool fits(const char *rule, const char *path) {
    while (*rule) {
        if (*rule == '*') {
            size_t step = strcspn(path, ".[");
            if (step == 0) return false;
            path += step;
            rule++;
        } else if (*rule++ != *path++) {
            return false;
        }
    }
    return *path == '\0' || *path == '.' || *path == '[';
}

static const char *reason_against(const char *path) {
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (fits(rules[i].key, path)) return rules[i].reason;
    return "it is not known to be safe";
}

/* ---- what has changed -------------------------------------------------------------------------------------------- */

typedef struct Comparison {
    const char *file;
    mnReport *report;
} Comparison;

static void describe(const json_t *value, char text[64]) {
    char *dumped = value ? mn_json_text(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    size_t length = dumped ? strlen(dumped) : 0;
    snprintf(text, 64, "%.56s%s", dumped ? dumped : "not given", length > 56 ? " ..." : "");
    free(dumped);
}

static void tell(const Comparison *c, const char *path, const json_t *before, const json_t *after) {
    char was[64], is[64];
    const char *reason = reason_against(path);
    describe(before, was);
    describe(after, is);
    if (reason)
        mn_report_add(c->report, false, c->file, 0, 0, path, "was %s, is %s: cannot be changed on the way, %s", was, is,
                      reason);
    else
        mn_report_add(c->report, true, c->file, 0, 0, path, "was %s, is %s", was, is);
}

/* The order of names counts as well: it numbers fluids and solids. */
static bool has_same_names(json_t *before, json_t *after) {
    void *a = json_object_iter(before), *b = json_object_iter(after);
    for (; a && b; a = json_object_iter_next(before, a), b = json_object_iter_next(after, b))
        if (strcmp(json_object_iter_key(a), json_object_iter_key(b)) != 0) return false;
    return !a && !b;
}

static void compare(const Comparison *c, const char *path, json_t *before, json_t *after);

/* What is not given is an object without keys. */
static void compare_objects(const Comparison *c, const char *path, json_t *before, json_t *after) {
    const char *key;
    json_t *value;
    char below[MN_PATH_TEXT];
    json_object_foreach(before, key, value) {
        snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", key);
        compare(c, below, value, json_object_get(after, key));
    }
    json_object_foreach(after, key, value) {
        if (json_object_get(before, key)) continue;
        snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", key);
        compare(c, below, NULL, value);
    }
}

static void compare(const Comparison *c, const char *path, json_t *before, json_t *after) {
    if (before && after && json_equal(before, after) && !json_is_object(before)) return;
    bool is_map = strcmp(path, "fluids") == 0 || strcmp(path, "solids") == 0;
    bool are_objects = (!before || json_is_object(before)) && (!after || json_is_object(after));
    if (are_objects && !(is_map && !has_same_names(before, after)))
        compare_objects(c, path, before, after);
    else
        tell(c, path, before, after);
}

mnStatus mn_scene_changes(const char *before, const char *after, const char *file, mnReport *report) {
    json_t *was = mn_json_parse(before, strlen(before), MN_JSON_FLAGS, NULL);
    json_t *is = was ? mn_json_parse(after, strlen(after), MN_JSON_FLAGS, NULL) : NULL;
    mnStatus status = json_is_object(was) && json_is_object(is) ? MN_OK : MN_ERROR_INPUT;
    if (!is && errno == ENOMEM) status = MN_ERROR_MEMORY;
    Comparison comparison = {file, report};
    if (status == MN_ERROR_MEMORY)
        mn_report_add(report, false, file, 0, 0, NULL, "no memory left to compare it");
    else if (status == MN_OK)
        compare(&comparison, "", was, is);
    else
        mn_report_add(report, false, file, 0, 0, NULL, "is not the text of a scene");
    json_decref(was);
    json_decref(is);
    return status;
}
