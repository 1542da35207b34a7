/* Names in a scene that mean something elsewhere in it: fluids, and the targets of schedules. */
#include <stdio.h>
#include <string.h>

#include "scene/names.h"
#include "scene/read.h"

bool mn_name_is_usable(const char *name) {
    size_t length = strlen(name);
    if (length == 0 || length > 60 || strcmp(name, "default") == 0) return false;
    for (const char *c = name; *c; c++)
        if (strchr(".[]=", *c) || (unsigned char)*c < ' ') return false;
    return true;
}

/* The place of a name among the keys of an object; −1 with all names collected if it is not there. */
static int find_name(json_t *holder, const char *name, mnNames *names) {
    int i = 0;
    const char *known;
    json_t *value;
    *names = mn_names_start(name);
    json_object_foreach(holder, known, value) {
        if (strcmp(known, name) == 0) return i;
        mn_names_offer(names, known);
        i++;
    }
    return -1;
}

int mn_read_fluid_name(mnReader *reader, const mnPath *path, mnPlace place, const char *name) {
    if (!reader->fluids) return -1; /* that there are no fluids is a problem of its own */
    mnNames names;
    int index = find_name(reader->fluids, name, &names);
    if (index < 0) {
        char hint[600];
        mn_names_hint(&names, "fluids", hint, sizeof hint);
        mn_reader_problem(reader, false, place, path, "there is no fluid \"%.60s\"%s", name, hint);
    }
    return index;
}

/* Whether a schedule can drive this key, or one somewhere inside it. */
static bool leads_to_quantity(const mnKey *key) {
    if (key->quantity) return true;
    if (key->type != MN_KEY_OBJECT && key->type != MN_KEY_MAP) return false;
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int i = 0; i < count; i++)
        if (rows[i].object == key->child && leads_to_quantity(&rows[i])) return true;
    return false;
}

/* The walk along a target: what object the next step is in, and what is known so far. */
typedef struct Walk {
    mnReader *reader;
    const mnPath *path;
    const char *target;
    char copy[256];
    char *rest; /* steps not walked yet, NULL at the end */
    int index, other;
} Walk;

static const char *next_step(Walk *walk) {
    char *step = walk->rest;
    if (!step) return NULL;
    walk->rest = strchr(step, '.');
    if (walk->rest) *walk->rest++ = '\0';
    return step;
}

static void wrong_step(Walk *walk, const char *step, const mnNames *names, const char *what) {
    char hint[600];
    mn_names_hint(names, what, hint, sizeof hint);
    if (step)
        mn_reader_problem(walk->reader, false, MN_PLACE_VALUE, walk->path, "\"%.100s\": \"%.60s\" leads nowhere%s",
                          walk->target, step, hint);
    else
        mn_reader_problem(walk->reader, false, MN_PLACE_VALUE, walk->path, "\"%.100s\" stops too early%s", walk->target,
                          hint);
}

static const mnKey *step_to_key(Walk *walk, mnObject object) {
    const char *step = next_step(walk);
    mnNames names = mn_names_start(step ? step : "");
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int i = 0; i < count; i++) {
        if (rows[i].object != object || !leads_to_quantity(&rows[i])) continue;
        if (step && strcmp(rows[i].name, step) == 0) return &rows[i];
        mn_names_offer(&names, rows[i].name);
    }
    wrong_step(walk, step, &names, "goes on with");
    return NULL;
}

static int step_to_name(Walk *walk, json_t *holder, const char *what) {
    const char *step = next_step(walk);
    mnNames names;
    int index = find_name(holder, step ? step : "", &names);
    if (index < 0) wrong_step(walk, step, &names, what);
    return index;
}

/* The row at the end of the walk, or NULL after a problem. */
static const mnKey *walk_target(Walk *walk) {
    mnReader *reader = walk->reader;
    mnObject object = MN_OBJECT_SCENE;
    for (;;) {
        const mnKey *key = step_to_key(walk, object);
        if (!key) return NULL;
        if (key->type == MN_KEY_MAP) {
            bool is_fluid = key->child == MN_OBJECT_FLUID;
            walk->index = step_to_name(walk, is_fluid ? reader->fluids : reader->solids, key->name);
            if (walk->index < 0) return NULL;
        }
        if (key->type == MN_KEY_PER_FLUID && walk->rest && strcmp(walk->rest, "default") != 0) {
            walk->other = step_to_name(walk, reader->fluids, "fluids");
            if (walk->other < 0) return NULL;
        } else if (key->type == MN_KEY_PER_FLUID) {
            walk->rest = NULL;
        }
        if (key->quantity && walk->rest) {
            mn_reader_problem(reader, false, MN_PLACE_VALUE, walk->path, "\"%.100s\" goes on behind \"%s\"",
                              walk->target, key->name);
            return NULL;
        }
        if (key->quantity) return key;
        object = key->child;
    }
}

void mn_read_target(mnReader *reader, const mnPath *path, const char *target, mnSchedule *schedule) {
    Walk walk = {.reader = reader, .path = path, .target = target, .other = -1};
    snprintf(walk.copy, sizeof walk.copy, "%s", target);
    walk.rest = walk.copy;
    const mnKey *key = walk_target(&walk);
    reader->target = key;
    if (!key) return;
    schedule->quantity = (mnQuantity)(key->quantity - 1);
    schedule->index = walk.index;
    schedule->other = walk.other;
}
