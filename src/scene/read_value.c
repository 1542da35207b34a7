/* Values that are not made of objects: numbers, texts, vectors, rotations, numbers per fluid. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "scene/names.h"
#include "scene/read.h"

/* "the text "abc"", "a list of 3": what was found, short enough for a message. */
static void describe(const json_t *json, char *text, size_t size) {
    char number[MN_NUMBER_TEXT];
    switch (json ? json_typeof(json) : JSON_NULL) {
    case JSON_OBJECT:
        snprintf(text, size, "an object");
        break;
    case JSON_ARRAY:
        snprintf(text, size, "a list of %zu", json_array_size(json));
        break;
    case JSON_STRING:
        snprintf(text, size, "the text \"%.60s\"", json_string_value(json));
        break;
    case JSON_INTEGER:
    case JSON_REAL:
        snprintf(text, size, "the number %s", mn_number_text(json_number_value(json), number));
        break;
    case JSON_TRUE:
        snprintf(text, size, "true");
        break;
    case JSON_FALSE:
        snprintf(text, size, "false");
        break;
    case JSON_NULL:
        snprintf(text, size, "null");
        break;
    }
}

/* What the file has where null stands in for what is not JSON; NULL where the value is what it seems. */
static mnMend *find_mend(const mnReader *reader, const mnPath *path, const json_t *json) {
    char key[MN_PATH_TEXT];
    size_t offset;
    if (!json_is_null(json) || reader->mends->count == 0) return NULL;
    mn_path_text(path, key);
    if (mn_sets_cover(reader->sets, key) || !mn_locate_offset(reader->source, path, &offset)) return NULL;
    return mn_mends_value_at(reader->mends, offset);
}

void mn_read_wrong(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json) {
    char found[128], expected[300];
    mnMend *mend = find_mend(reader, path, json);
    if (mend)
        mn_reader_mended(reader, mend, found, sizeof found);
    else
        describe(json, found, sizeof found);
    mn_key_expected(key, expected, sizeof expected);
    mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "found %s, expected %s", found, expected);
}

/* A number in the struct's unit; false after a problem. */
static bool read_number(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, double *value) {
    if (!json_is_number(json)) {
        mn_read_wrong(reader, key, path, json);
        return false;
    }
    double number = json_number_value(json);
    bool in_range = key->lower < key->upper ? number >= key->lower && number <= key->upper : isfinite(number);
    if (!in_range || (key->above && number == key->lower)) {
        char range[128], found[MN_NUMBER_TEXT];
        mn_key_range(key, range, sizeof range);
        const char *unit = key->unit ? key->unit : "";
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "found %s%s%s, allowed is %s",
                          mn_number_text(number, found), *unit ? " " : "", unit, range[0] ? range : "a finite number");
        return false;
    }
    *value = number * mn_key_scale(key);
    return true;
}

static void read_integer(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, void *field) {
    double value;
    if (!read_number(reader, key, path, json, &value)) return;
    if (value != floor(value)) {
        mn_read_wrong(reader, key, path, json);
    } else if (key->size == sizeof(int)) {
        *(int *)field = (int)value;
    } else {
        *(int64_t *)field = (int64_t)value;
    }
}

static void read_text(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, void *field) {
    if (!json_is_string(json)) {
        mn_read_wrong(reader, key, path, json);
        return;
    }
    const char *text = json_string_value(json);
    if (strpbrk(text, "\n\r")) {
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "has several lines, expected one");
    } else if (mn_text_has_control(text)) {
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path,
                          "has a control character, expected a plain text: \"%.60s\"", text);
    } else if (key->required && *text == '\0') {
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "is empty, expected a text");
    } else {
        char *kept = mn_scene_keep_text(reader->scene, text, json_string_length(json));
        if (!kept) reader->out_of_memory = true;
        *(const char **)field = kept;
    }
}

static void read_choice(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, void *field) {
    const char *text = json_string_value(json);
    if (!text) {
        mn_read_wrong(reader, key, path, json);
        return;
    }
    mnNames names = mn_names_start(text);
    for (int i = 0; key->names[i]; i++) {
        mn_names_offer(&names, key->names[i]);
        if (strcmp(key->names[i], text) != 0) continue;
        if (key->size == sizeof(bool))
            *(bool *)field = i != 0;
        else
            memcpy(field, &i, sizeof i);
        return;
    }
    char hint[600];
    mn_names_hint(&names, "allowed", hint, sizeof hint);
    mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "found \"%.60s\"%s", text, hint);
}

static void check_planar(mnReader *reader, const mnKey *key, const mnPath *path, const double *vector) {
    if (reader->dimension != 2) return;
    if (key->planar == MN_PLANAR_WITHIN && vector[2] != 0)
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path,
                          "has a z component, which must be 0 in 2D: everything lives in the plane z = 0");
    if (key->planar == MN_PLANAR_ABOUT && (vector[0] != 0 || vector[1] != 0))
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "turns out of the plane z = 0; in 2D only z is an axis");
}

static void read_vector(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, double *field) {
    size_t count = json_array_size(json), wanted = key->type == MN_KEY_VECTOR2 ? 2 : 3;
    bool fits = count == wanted || (wanted == 3 && count == 2 && reader->dimension == 2);
    if (!json_is_array(json) || !fits) {
        mn_read_wrong(reader, key, path, json);
        return;
    }
    double vector[3] = {0, 0, 0}; /* not what stood there before: two numbers lie in the plane z = 0 */
    bool good = true;
    mnKey component = *key;
    component.type = MN_KEY_NUMBER;
    for (size_t i = 0; i < count; i++) {
        mnPath at = {path, NULL, i};
        good &= read_number(reader, &component, &at, json_array_get(json, i), &vector[i]);
    }
    if (!good) return;
    if (key->nonzero && vector[0] == 0 && vector[1] == 0 && vector[2] == 0)
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "is the zero vector, expected a direction");
    check_planar(reader, key, path, vector);
    memcpy(field, vector, wanted * sizeof *field);
}

static void read_quaternion(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, double q[4]) {
    static const mnKey component = {.type = MN_KEY_NUMBER, .lower = -1e6, .upper = 1e6};
    double squares = 0;
    bool good = json_array_size(json) == 4;
    if (!good) mn_read_wrong(reader, key, path, json);
    for (size_t i = 0; i < 4 && good; i++) {
        mnPath at = {path, NULL, i};
        good = read_number(reader, &component, &at, json_array_get(json, i), &q[i]);
        squares += q[i] * q[i];
    }
    if (good && squares < 1e-12)
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "is the zero quaternion, [0, 0, 0, 1] is no rotation");
    else if (good)
        for (int i = 0; i < 4; i++) q[i] /= sqrt(squares);
}

static void read_rotation(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, double *field) {
    double q[4] = {0, 0, 0, 1};
    int errors = reader->errors;
    if (json_is_object(json)) {
        mnAxisAngle turn;
        mn_read_object(reader, MN_OBJECT_ROTATION, path, json, &turn);
        double length = sqrt(turn.axis[0] * turn.axis[0] + turn.axis[1] * turn.axis[1] + turn.axis[2] * turn.axis[2]);
        for (int i = 0; i < 3 && length > 0; i++) q[i] = turn.axis[i] / length * sin(turn.angle / 2);
        q[3] = cos(turn.angle / 2);
    } else if (json_is_array(json)) {
        read_quaternion(reader, key, path, json, q);
    } else {
        mn_read_wrong(reader, key, path, json);
    }
    if (reader->errors > errors) return;
    check_planar(reader, key, path, q);
    memcpy(field, q, sizeof q);
}

static void read_per_fluid(mnReader *reader, const mnKey *key, const mnPath *path, json_t *json, void *fields) {
    bool has_common = key->second != MN_NO_FIELD;
    double *common = has_common ? (double *)(void *)((char *)fields + key->second) : NULL;
    double value = NAN, *array;
    const json_t *rest = json_is_object(json) ? json_object_get(json, "default") : json;
    mnPath rest_path = {path, "default", 0};
    if (!json_is_object(json) && !json_is_number(json)) {
        mn_read_wrong(reader, key, path, json);
        return;
    }
    if (rest && !read_number(reader, key, json_is_object(json) ? &rest_path : path, rest, &value)) value = NAN;
    if (common && !isnan(value)) *common = value;
    if (common && json_is_number(json)) return;
    size_t count = json_object_size(reader->fluids);
    if (count == 0 || !(array = mn_reader_keep(reader, count, sizeof *array))) return;
    for (size_t i = 0; i < count; i++) array[i] = common ? *common : value;
    const char *name;
    json_t *entry;
    json_object_foreach(json, name, entry) {
        if (strcmp(name, "default") == 0) continue;
        mnPath at = {path, name, 0};
        int fluid = mn_read_fluid_name(reader, &at, MN_PLACE_KEY, name);
        double own;
        if (read_number(reader, key, &at, entry, &own) && fluid >= 0) array[fluid] = own;
    }
    memcpy((char *)fields + key->offset, &array, sizeof array);
}

/* A keyframe is judged by the row of what it drives. */
static void read_keyframe(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, double *field) {
    const mnKey *target = reader->target;
    if (!target) {
        if (!json_is_number(json) && !json_is_array(json)) mn_read_wrong(reader, key, path, json);
    } else if (target->type == MN_KEY_VECTOR3) {
        read_vector(reader, target, path, json, field);
    } else {
        mnKey number = *target;
        number.type = MN_KEY_NUMBER;
        read_number(reader, &number, path, json, field);
    }
}

void mn_read_value(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, void *fields) {
    void *field = (char *)fields + key->offset;
    switch (key->type) {
    case MN_KEY_NUMBER:
        read_number(reader, key, path, json, field);
        break;
    case MN_KEY_INTEGER:
        read_integer(reader, key, path, json, field);
        break;
    case MN_KEY_BOOLEAN:
        if (json_is_boolean(json))
            *(bool *)field = json_is_true(json);
        else
            mn_read_wrong(reader, key, path, json);
        break;
    case MN_KEY_TEXT:
        read_text(reader, key, path, json, field);
        break;
    case MN_KEY_CHOICE:
        read_choice(reader, key, path, json, field);
        break;
    case MN_KEY_VECTOR2:
    case MN_KEY_VECTOR3:
        read_vector(reader, key, path, json, field);
        break;
    case MN_KEY_ROTATION:
        read_rotation(reader, key, path, json, field);
        break;
    case MN_KEY_PER_FLUID:
        read_per_fluid(reader, key, path, (json_t *)json, fields);
        break;
    case MN_KEY_VALUE:
        read_keyframe(reader, key, path, json, field);
        break;
    case MN_KEY_FLUID:
        if (json_is_string(json)) {
            int fluid = mn_read_fluid_name(reader, path, MN_PLACE_VALUE, json_string_value(json));
            *(int *)field = fluid < 0 ? 0 : fluid;
        } else {
            mn_read_wrong(reader, key, path, json);
        }
        break;
    case MN_KEY_TARGET:
        reader->target = NULL;
        if (json_is_string(json))
            mn_read_target(reader, path, json_string_value(json), fields);
        else
            mn_read_wrong(reader, key, path, json);
        break;
    default:
        if (!json_is_string(json)) mn_read_wrong(reader, key, path, json);
        break;
    }
}
