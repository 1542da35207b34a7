#include "steer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/names.h"
#include "scene/schedule.h"

/* ---- what there is ----------------------------------------------------------------------------------------------- */

static const mnKey *key_of(mnQuantity quantity) {
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int i = 0; i < count; i++)
        if (rows[i].quantity == 1 + (int)quantity) return &rows[i];
    return NULL;
}

static int schedule_of(const mnSceneDesc *scene, mnQuantity quantity, int index, int other) {
    for (int i = 0; i < scene->schedule_count; i++) {
        const mnSchedule *s = &scene->schedules[i];
        if (s->quantity == quantity && s->index == index && s->other == other) return i;
    }
    return -1;
}

typedef struct List {
    const mnSceneDesc *scene;
    mnSteerable *entries; /* NULL: only counted */
    int count;
} List;

static void add(List *list, mnQuantity quantity, int index, int other, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static void add(List *list, mnQuantity quantity, int index, int other, const char *format, ...) {
    mnSteerable *entry = list->entries ? &list->entries[list->count] : NULL;
    list->count++;
    if (!entry) return;
    *entry = (mnSteerable){.key = key_of(quantity),
                           .quantity = quantity,
                           .index = index,
                           .other = other,
                           .schedule = schedule_of(list->scene, quantity, index, other)};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(entry->path, sizeof entry->path, format, arguments);
    va_end(arguments);
}

/* How a quantity of pairs is told for one solid. */
typedef struct Pairs {
    bool has_common; /* a schedule for all fluids */
    bool has_single; /* one for a single fluid */
    bool is_uniform; /* without schedules: the same for all fluids */
} Pairs;

static Pairs pairs_of(const mnSceneDesc *scene, mnQuantity quantity, int solid, const double *values) {
    Pairs pairs = {.has_common = schedule_of(scene, quantity, solid, -1) >= 0, .is_uniform = true};
    for (int f = 0; f < scene->fluid_count; f++) {
        pairs.has_single = pairs.has_single || schedule_of(scene, quantity, solid, f) >= 0;
        pairs.is_uniform = pairs.is_uniform && (!values || values[f] == values[0]);
    }
    return pairs;
}

/* One entry for all fluids where they are alike, else one each. Where schedules for one and for all meet, what held
 * before cannot be told by another schedule. */
static void add_pairs(List *list, mnQuantity quantity, int solid, const double *values) {
    const mnSceneDesc *scene = list->scene;
    const char *name = scene->solids[solid].name, *key = key_of(quantity)->name;
    Pairs pairs = pairs_of(scene, quantity, solid, values);
    if (pairs.has_common && pairs.has_single) return;
    if (pairs.has_common || (pairs.is_uniform && !pairs.has_single)) {
        add(list, quantity, solid, -1, "solids.%s.%s", name, key);
        return;
    }
    for (int f = 0; f < scene->fluid_count; f++)
        if (schedule_of(scene, quantity, solid, f) >= 0 || !values || !isnan(values[f]))
            add(list, quantity, solid, f, "solids.%s.%s.%s", name, key, scene->fluids[f].name);
}

static void list_solid(List *list, int s) {
    const mnSceneDesc *scene = list->scene;
    const mnSolid *solid = &scene->solids[s];
    Pairs angles = pairs_of(scene, MN_QUANTITY_SOLID_CONTACT_ANGLE, s, solid->contact_angle);
    bool has_angle = solid->contact_angle || angles.has_common || angles.has_single;
    if (!has_angle) {
        add(list, MN_QUANTITY_SOLID_TENSION_VAPOR, s, -1, "solids.%s.tension.vapor", solid->name);
        add(list, MN_QUANTITY_SOLID_TENSION_FLUID, s, -1, "solids.%s.tension.fluid", solid->name);
    } else if (solid->contact_angle || angles.has_common) {
        add_pairs(list, MN_QUANTITY_SOLID_CONTACT_ANGLE, s, solid->contact_angle);
    } else { /* angles of single fluids, and of no other */
        for (int f = 0; f < scene->fluid_count; f++)
            if (schedule_of(scene, MN_QUANTITY_SOLID_CONTACT_ANGLE, s, f) >= 0)
                add(list, MN_QUANTITY_SOLID_CONTACT_ANGLE, s, f, "solids.%s.contact_angle.%s", solid->name,
                    scene->fluids[f].name);
    }
    add_pairs(list, MN_QUANTITY_SOLID_FRICTION, s, solid->friction_of);
}

static void list_all(List *list) {
    const mnSceneDesc *scene = list->scene;
    add(list, MN_QUANTITY_GRAVITY, 0, -1, "gravity");
    for (int f = 0; f < scene->fluid_count; f++) {
        const char *name = scene->fluids[f].name;
        add(list, MN_QUANTITY_FLUID_TENSION_VAPOR, f, -1, "fluids.%s.tension.vapor", name);
        if (scene->fluid_count > 1) add(list, MN_QUANTITY_FLUID_TENSION_FLUID, f, -1, "fluids.%s.tension.fluid", name);
        add(list, MN_QUANTITY_FLUID_VISCOSITY, f, -1, "fluids.%s.viscosity", name);
    }
    for (int s = 0; s < scene->solid_count; s++) list_solid(list, s);
}

mnSteerable *mn_steerables_find(const mnSceneDesc *scene, int *count) {
    List list = {.scene = scene};
    list_all(&list);
    *count = list.count;
    list.entries = calloc((size_t)list.count, sizeof *list.entries);
    list.count = 0;
    if (list.entries) list_all(&list);
    return list.entries;
}

/* Without a schedule, in the unit of the description. What fluids or solids have is steered of one that there is.
 * NOLINTBEGIN(clang-analyzer-core.NullDereference) */
static void described_value(const mnSteerable *steerable, const mnSceneDesc *scene, double value[3]) {
    const mnFluid *fluid = steerable->index < scene->fluid_count ? &scene->fluids[steerable->index] : NULL;
    const mnSolid *solid = steerable->index < scene->solid_count ? &scene->solids[steerable->index] : NULL;
    int other = steerable->other < 0 ? 0 : steerable->other;
    switch (steerable->quantity) {
    case MN_QUANTITY_GRAVITY:
        memcpy(value, scene->gravity, 3 * sizeof *value);
        break;
    case MN_QUANTITY_FLUID_VISCOSITY:
        value[0] = fluid->viscosity;
        break;
    case MN_QUANTITY_FLUID_TENSION_VAPOR:
        value[0] = fluid->tension_vapor;
        break;
    case MN_QUANTITY_FLUID_TENSION_FLUID:
        value[0] = fluid->tension_fluid;
        break;
    case MN_QUANTITY_FLUID_TENSION_SOLID:
        value[0] = fluid->tension_solid;
        break;
    case MN_QUANTITY_SOLID_TENSION_VAPOR:
        value[0] = solid->tension_vapor;
        break;
    case MN_QUANTITY_SOLID_TENSION_FLUID:
        value[0] = solid->tension_fluid;
        break;
    case MN_QUANTITY_SOLID_FRICTION:
        value[0] = solid->friction_of ? solid->friction_of[other] : solid->friction;
        break;
    case MN_QUANTITY_SOLID_CONTACT_ANGLE:
        value[0] = solid->contact_angle ? solid->contact_angle[other] : (double)NAN;
        break;
    }
}
/* NOLINTEND(clang-analyzer-core.NullDereference) */

void mn_steerable_value(const mnSteerable *steerable, const mnSceneDesc *scene, double time, double value[3]) {
    described_value(steerable, scene, value);
    if (steerable->schedule >= 0) mn_schedule_value(&scene->schedules[steerable->schedule], time, value);
    double scale = mn_key_scale(steerable->key);
    for (int i = 0; i < (steerable->quantity == MN_QUANTITY_GRAVITY ? 3 : 1); i++) value[i] /= scale;
}

/* ---- recording --------------------------------------------------------------------------------------------------- */

/* What the text says at a dotted path, or NULL. */
static json_t *value_at(json_t *root, const char *path) {
    char copy[256];
    snprintf(copy, sizeof copy, "%s", path);
    json_t *value = root;
    for (char *step = copy, *next; value && step; step = next) {
        next = strchr(step, '.');
        if (next) *next++ = '\0';
        value = json_object_get(value, step);
    }
    return value;
}

/* The number of a quantity of pairs: of the fluid that is asked for, or of any where all are alike. */
static json_t *number_of_pair(json_t *value, const mnSteerable *steerable, const mnSceneDesc *scene) {
    int fluid = steerable->other < 0 ? 0 : steerable->other;
    json_t *own = json_object_get(value, scene->fluids[fluid].name);
    return own ? own : json_object_get(value, "default");
}

/* The value without a schedule as the text has it: what is read twice from the same digits is the same number. A new
 * reference; NULL: no memory. */
static json_t *value_before(json_t *root, const mnSteerable *steerable, const mnSceneDesc *scene) {
    char path[256];
    snprintf(path, sizeof path, "%s", steerable->path);
    if (steerable->other >= 0) *strrchr(path, '.') = '\0';
    json_t *value = value_at(root, path);
    if (json_is_object(value)) value = number_of_pair(value, steerable, scene);
    return value ? json_deep_copy(value) : mn_key_default_in(steerable->key, 0, scene->dimension);
}

static json_t *new_key(double time, json_t *value) {
    json_t *key = json_object();
    json_object_set_new(key, "time", json_real(time));
    json_object_set_new(key, "value", value);
    return key;
}

static json_t *add_schedule(json_t *root, const char *target) {
    json_t *schedules = json_object_get(root, "schedules"), *schedule = json_object(), *keys = json_array();
    if (!schedules) {
        schedules = json_array();
        json_object_set_new(root, "schedules", schedules);
    }
    json_object_set_new(schedule, "target", json_string(target));
    json_object_set_new(schedule, "keys", keys);
    json_array_append_new(schedules, schedule);
    return keys;
}

/* The last moment before a time that a number can tell; steps are longer than that. */
static double just_before(double time) {
    return nextafter(time, -INFINITY);
}

bool mn_schedule_slopes(const mnSchedule *schedule, int k) {
    const double *from = schedule->keys[k].value, *to = schedule->keys[k + 1].value;
    return from[0] != to[0] || from[1] != to[1] || from[2] != to[2];
}

static mnStatus refuse_slope(const char *path, double until, mnError *error) {
    return mn_error_set(error, MN_ERROR_INPUT,
                        "%s is being changed by a schedule of the scene until %g s, it can be steered after that", path,
                        until);
}

/* Keys up to the present time, the last of which holds until just before it, whatever it was that came later. */
static mnStatus cut_keys(json_t *keys, const mnSchedule *schedule, const char *path, double time, mnError *error) {
    int last = schedule->key_count - 1;
    while (last >= 0 && schedule->keys[last].time > time) last--;
    int held = last < 0 ? 0 : last; /* the key whose value holds */
    double at = schedule->keys[held].time;
    bool is_here = at == time, was_here = is_here && held > 0 && schedule->keys[held - 1].time == just_before(time);
    if (is_here && held > 0 && !was_here && mn_schedule_slopes(schedule, held - 1))
        return refuse_slope(path, at, error);
    if (last >= 0 && at < time && last + 1 < schedule->key_count && mn_schedule_slopes(schedule, last))
        return refuse_slope(path, schedule->keys[last + 1].time, error);
    while ((int)json_array_size(keys) > held + 1) json_array_remove(keys, json_array_size(keys) - 1);
    json_t *key = json_array_get(keys, (size_t)held);
    if (was_here || time <= 0) /* steered before in this very moment, or nothing was before */
        json_array_remove(keys, (size_t)held);
    else if (at >= time)
        json_object_set_new(key, "time", json_real(just_before(time)));
    else if (at < just_before(time))
        json_array_append_new(keys, new_key(just_before(time), json_deep_copy(json_object_get(key, "value"))));
    return MN_OK;
}

static const mnSteerable *find(const mnSteerable *entries, int count, const char *path, mnError *error) {
    mnNames names = mn_names_start(path);
    for (int i = 0; i < count; i++) {
        if (strcmp(entries[i].path, path) == 0) return &entries[i];
        mn_names_offer(&names, entries[i].path);
    }
    char hint[600];
    mn_names_hint(&names, "Steerable", hint, sizeof hint);
    mn_error_set(error, MN_ERROR_INPUT, "\"%.200s\" cannot be steered in this scene%s", path, hint);
    return NULL;
}

static mnStatus record(json_t *root, const mnSceneDesc *scene, double time, const mnSteerable *steerable,
                       const json_t *value, mnError *error) {
    if (steerable->schedule >= 0) {
        json_t *schedule = json_array_get(json_object_get(root, "schedules"), (size_t)steerable->schedule);
        json_t *keys = json_object_get(schedule, "keys");
        mnStatus status = cut_keys(keys, &scene->schedules[steerable->schedule], steerable->path, time, error);
        if (status == MN_OK) json_array_append_new(keys, new_key(time, json_deep_copy(value)));
        return status;
    }
    json_t *before = value_before(root, steerable, scene);
    if (!before) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to record the change");
    json_t *keys = add_schedule(root, steerable->path);
    /* Nothing was before the start. */
    if (time > 0)
        json_array_append_new(keys, new_key(just_before(time), before));
    else
        json_decref(before);
    json_array_append_new(keys, new_key(time, json_deep_copy(value)));
    return MN_OK;
}

mnStatus mn_steer_record(json_t *root, const mnSceneDesc *scene, double time, const char *path, const json_t *value,
                         mnError *error) {
    int count;
    mnSteerable *entries = mn_steerables_find(scene, &count);
    if (!entries) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to record the change");
    const mnSteerable *steerable = find(entries, count, path, error);
    mnStatus status = steerable ? record(root, scene, time, steerable, value, error) : MN_ERROR_INPUT;
    free(entries);
    return status;
}
