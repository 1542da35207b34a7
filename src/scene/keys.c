#include "scene/keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/keys_table.h"

const mnKey *mn_key_rows(int *count) {
    *count = mn_key_table_count;
    return mn_key_table;
}

const mnObjectInfo *mn_object_info(mnObject object) {
    return &mn_object_table[object];
}

static void turn_up_to_y(double vector[3]) {
    vector[1] = vector[2];
    vector[2] = 0;
}

void mn_object_start(mnObject object, int variant, int dimension, void *fields) {
    switch (mn_object_table[object].holder) {
    case MN_OBJECT_SCENE:
        *(mnSceneDesc *)fields = mn_default_scene();
        if (dimension == 2) turn_up_to_y(((mnSceneDesc *)fields)->gravity);
        break;
    case MN_OBJECT_TIME_STEP:
        *(mnTimeDesc *)fields = mn_default_time();
        break;
    case MN_OBJECT_FLUID:
        *(mnFluid *)fields = mn_default_fluid();
        break;
    case MN_OBJECT_SOLID:
        *(mnSolid *)fields = mn_default_solid();
        break;
    case MN_OBJECT_BODY:
        *(mnBody *)fields = (mnBody){.shape = mn_default_shape(MN_SHAPE_SPHERE)};
        break;
    case MN_OBJECT_MOTION_KEY:
        *(mnMotionKey *)fields = (mnMotionKey){.rotation = {0, 0, 0, 1}};
        break;
    case MN_OBJECT_SHAPE:
        *(mnShape *)fields = mn_default_shape((mnShapeKind)variant);
        if (dimension == 2) turn_up_to_y(((mnShape *)fields)->normal);
        break;
    case MN_OBJECT_EMITTER:
        *(mnEmitter *)fields = mn_default_emitter((mnEmitterKind)variant);
        break;
    case MN_OBJECT_SINK:
        *(mnSink *)fields = mn_default_sink();
        break;
    case MN_OBJECT_SCHEDULE:
        *(mnSchedule *)fields = (mnSchedule){.other = -1};
        break;
    case MN_OBJECT_SOLVER:
        *(mnSolverDesc *)fields = mn_default_solver((mnPreset)variant);
        break;
    case MN_OBJECT_VIEW:
        *(mnView *)fields = mn_default_view();
        break;
    default:
        memset(fields, 0, mn_object_table[object].size);
        break;
    }
}

const mnKey *mn_object_selector(mnObject object) {
    const char *selector = mn_object_table[object].selector;
    return selector ? mn_key_find(object, -1, selector) : NULL;
}

int mn_object_variants(mnObject object) {
    const mnKey *selector = mn_object_selector(object);
    int count = 0;
    while (selector && selector->names[count]) count++;
    return selector ? count : 1;
}

bool mn_key_belongs(const mnKey *key, mnObject object, int variant) {
    return key->object == object && (variant < 0 || key->variants == 0 || (key->variants >> variant & 1u));
}

const mnKey *mn_key_find(mnObject object, int variant, const char *name) {
    for (int i = 0; i < mn_key_table_count; i++) {
        const mnKey *key = &mn_key_table[i];
        if (mn_key_belongs(key, object, variant) && strcmp(key->name, name) == 0) return key;
    }
    return NULL;
}

int mn_json_dimension(const json_t *scene) {
    return json_number_value(json_object_get(scene, "dimension")) == 2 ? 2 : 3;
}

double mn_key_scale(const mnKey *key) {
    return key->unit && strncmp(key->unit, "°", strlen("°")) == 0 ? acos(-1.0) / 180 : 1;
}

static json_t *numbers_json(const double *values, int count, double scale) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, mn_number_json(values[i] / scale));
    return list;
}

static int choice_index(const void *field, size_t size) {
    if (size == sizeof(bool)) return *(const bool *)field;
    int index;
    memcpy(&index, field, sizeof index);
    return index;
}

static json_t *field_json(const mnKey *key, const unsigned char *fields) {
    const void *field = fields + key->offset;
    double scale = mn_key_scale(key);
    switch (key->type) {
    case MN_KEY_NUMBER:
        return mn_number_json(*(const double *)field / scale);
    case MN_KEY_INTEGER:
        return json_integer(key->size == sizeof(int) ? *(const int *)field : *(const int64_t *)field);
    case MN_KEY_BOOLEAN:
        return json_boolean(*(const bool *)field);
    case MN_KEY_TEXT:
        return json_string(*(const char *const *)field);
    case MN_KEY_CHOICE:
        return json_string(key->names[choice_index(field, key->size)]);
    case MN_KEY_VECTOR2:
        return numbers_json(field, 2, scale);
    case MN_KEY_VECTOR3:
        return numbers_json(field, 3, scale);
    case MN_KEY_ROTATION:
        return numbers_json(field, 4, scale);
    case MN_KEY_PER_FLUID:
        return mn_number_json(*(const double *)(const void *)(fields + key->second) / scale);
    case MN_KEY_OBJECT:
        return json_object();
    case MN_KEY_LIST:
        return json_array();
    case MN_KEY_MAP:
        return json_object();
    default:
        return NULL;
    }
}

json_t *mn_key_default(const mnKey *key, int variant) {
    return key->fallback ? NULL : mn_key_default_in(key, variant, 3);
}

json_t *mn_key_default_in(const mnKey *key, int variant, int dimension) {
    /* An empty list may stand for itself only where it is allowed. */
    if (key->required || key->least > 0) return NULL;
    unsigned char *fields = malloc(mn_object_table[key->object].size);
    if (!fields) return NULL;
    mn_object_start(key->object, variant, dimension, fields);
    json_t *value = field_json(key, fields);
    free(fields);
    return value;
}

const char *mn_number_text(double value, char text[MN_NUMBER_TEXT]) {
    /* Round large numbers are easier to read as 1e6. */
    snprintf(text, MN_NUMBER_TEXT, "%.0e", value);
    if (fabs(value) < 1e5 || strtod(text, NULL) != value) snprintf(text, MN_NUMBER_TEXT, "%.10g", value);
    /* 1e-07 reads as 1e-7, 1e+15 as 1e15. */
    char *exponent = strchr(text, 'e');
    if (exponent) {
        char *from = exponent + 1, *to = exponent + 1;
        if (*from == '-') to++;
        from++;
        while (*from == '0') from++;
        memmove(to, from, strlen(from) + 1);
    }
    return text;
}

json_t *mn_number_json(double value) {
    if (!isfinite(value)) return NULL;
    if (value == floor(value) && fabs(value) < 1e15) return json_integer((json_int_t)value);
    char text[MN_NUMBER_TEXT];
    return json_real(strtod(mn_number_text(value, text), NULL));
}

void mn_key_range(const mnKey *key, char *text, size_t size) {
    text[0] = '\0';
    if (!(key->lower < key->upper)) return;
    char lower[MN_NUMBER_TEXT], upper[MN_NUMBER_TEXT];
    mn_number_text(key->lower, lower);
    mn_number_text(key->upper, upper);
    const char *unit = key->unit ? key->unit : "";
    snprintf(text, size, key->above ? "above %s, at most %s%s%s" : "%s to %s%s%s", lower, upper, *unit ? " " : "",
             unit);
}

static void choice_list(const mnKey *key, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "one of ");
    for (int i = 0; key->names[i] && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s\"%s\"", i ? ", " : "", key->names[i]);
}

void mn_key_expected(const mnKey *key, char *text, size_t size) {
    static const char *const plain[] = {
        [MN_KEY_NUMBER] = "a number",
        [MN_KEY_INTEGER] = "a whole number",
        [MN_KEY_BOOLEAN] = "true or false",
        [MN_KEY_TEXT] = "a text",
        [MN_KEY_VECTOR2] = "a list of 2 numbers",
        [MN_KEY_VECTOR3] = "a list of 3 numbers",
        [MN_KEY_ROTATION] = "an object with axis and angle, or a quaternion [x, y, z, w]",
        [MN_KEY_OBJECT] = "an object",
        [MN_KEY_LIST] = "a list of objects",
        [MN_KEY_MAP] = "an object of named objects",
        [MN_KEY_PER_FLUID] = "a number, or an object of numbers by fluid name",
        [MN_KEY_FLUID] = "the name of a fluid",
        [MN_KEY_TARGET] = "a path such as \"solids.floor.friction\"",
        [MN_KEY_VALUE] = "a number, or a list of 3 numbers for a vector",
        [MN_KEY_IGNORED] = "a text",
    };
    if (key->type == MN_KEY_CHOICE) {
        choice_list(key, text, size);
        return;
    }
    char range[128];
    mn_key_range(key, range, sizeof range);
    snprintf(text, size, range[0] ? "%s (%s)" : "%s", plain[key->type], range);
}
