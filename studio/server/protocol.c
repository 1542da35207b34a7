#include "protocol.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "scene/names.h"

typedef enum Kind { KIND_NONE, KIND_TEXT, KIND_TRUE, KIND_ANY, KIND_VALUE, KIND_NUMBER, KIND_NUMBER_OR_NULL } Kind;

typedef struct Key {
    const char *name;
    Kind kind;
    bool required;
} Key;

enum { KEYS_MOST = 4 };

typedef struct Form {
    const char *type;
    bool steers;
    Key keys[KEYS_MOST];
} Form;

static const Form forms[MN_STUDIO_VERBS] = {
    [MN_STUDIO_OPEN] = {"open",
                        true,
                        {{"scene", KIND_TEXT, false},
                         {"text", KIND_TEXT, false},
                         {"name", KIND_TEXT, false},
                         {"run", KIND_TRUE, false}}},
    [MN_STUDIO_SET] = {"set", true, {{"path", KIND_TEXT, true}, {"value", KIND_ANY, false}}},
    [MN_STUDIO_RUN] = {"run", true, {{0}}},
    [MN_STUDIO_PAUSE] = {"pause", true, {{0}}},
    [MN_STUDIO_STEP] = {"step", true, {{0}}},
    [MN_STUDIO_STOP] = {"stop", true, {{0}}},
    [MN_STUDIO_RESTART] = {"restart", true, {{0}}},
    [MN_STUDIO_STEER] = {"steer", true, {{"path", KIND_TEXT, true}, {"value", KIND_VALUE, true}}},
    [MN_STUDIO_FRAME] = {"frame", false, {{"number", KIND_NUMBER_OR_NULL, true}}},
    [MN_STUDIO_FIELD] = {"field", false, {{"name", KIND_TEXT, true}}},
    [MN_STUDIO_PICK] = {"pick", false, {{"id", KIND_NUMBER, true}}},
    [MN_STUDIO_TAKE] = {"take", false, {{0}}},
    [MN_STUDIO_RELEASE] = {"release", false, {{0}}},
    [MN_STUDIO_SAVE] = {"save", false, {{0}}},
    [MN_STUDIO_ACK] = {"ack", false, {{"sequence", KIND_NUMBER, true}}},
};

bool mn_studio_verb_steers(mnStudioVerb verb) {
    return forms[verb].steers;
}

static bool is_whole(const json_t *value) {
    double number = json_number_value(value);
    return json_is_number(value) && number >= 0 && number < 9e15 && number == floor(number);
}

static bool is_vector(const json_t *value) {
    size_t index;
    json_t *entry;
    json_array_foreach(value, index, entry) if (!json_is_number(entry)) return false;
    return json_array_size(value) == 3 || json_array_size(value) == 2;
}

/* What the kind asks for, where the value is not that; NULL where it is. */
static const char *missing(Kind kind, const json_t *value) {
    switch (kind) {
    case KIND_TEXT:
        return json_is_string(value) ? NULL : "a text";
    case KIND_TRUE:
        return json_is_true(value) ? NULL : "true";
    case KIND_VALUE:
        return json_is_number(value) || is_vector(value) ? NULL : "a number or a list of three";
    case KIND_NUMBER:
        return is_whole(value) ? NULL : "a whole number that is not negative";
    case KIND_NUMBER_OR_NULL:
        return is_whole(value) || json_is_null(value) ? NULL : "a whole number that is not negative, or null";
    default:
        return NULL;
    }
}

static const Key *key_named(const Form *form, const char *name) {
    for (int k = 0; k < KEYS_MOST && form->keys[k].name; k++)
        if (strcmp(form->keys[k].name, name) == 0) return &form->keys[k];
    return NULL;
}

static mnStatus refuse(mnStudioMessage *message, const char *code) {
    message->code = code;
    return MN_ERROR_INPUT;
}

static mnStatus check_keys(const Form *form, mnStudioMessage *message, mnError *error) {
    const char *name;
    json_t *value;
    json_object_foreach(message->json, name, value) {
        const Key *key = key_named(form, name);
        if (strcmp(name, "type") == 0) continue;
        if (!key) {
            mn_error_set(error, MN_ERROR_INPUT, "\"%s\" has no key \"%.60s\"", form->type, name);
            return refuse(message, "unknown");
        }
        const char *wanted = missing(key->kind, value);
        if (wanted) {
            mn_error_set(error, MN_ERROR_INPUT, "\"%s\" of \"%s\" must be %s", name, form->type, wanted);
            return refuse(message, "malformed");
        }
    }
    for (int k = 0; k < KEYS_MOST && form->keys[k].name; k++)
        if (form->keys[k].required && !json_object_get(message->json, form->keys[k].name)) {
            mn_error_set(error, MN_ERROR_INPUT, "\"%s\" needs the key \"%s\"", form->type, form->keys[k].name);
            return refuse(message, "malformed");
        }
    return MN_OK;
}

static mnStatus find_verb(mnStudioMessage *message, mnError *error) {
    const char *type = json_string_value(json_object_get(message->json, "type"));
    if (!type) {
        mn_error_set(error, MN_ERROR_INPUT, "a message is an object with a \"type\"");
        return refuse(message, "malformed");
    }
    mnNames names = mn_names_start(type);
    for (int v = 0; v < MN_STUDIO_VERBS; v++) {
        mn_names_offer(&names, forms[v].type);
        if (strcmp(forms[v].type, type) != 0) continue;
        message->verb = (mnStudioVerb)v;
        return MN_OK;
    }
    char hint[600];
    mn_names_hint(&names, "Types", hint, sizeof hint);
    mn_error_set(error, MN_ERROR_INPUT, "no message has the type \"%.60s\"%s", type, hint);
    return refuse(message, "unknown");
}

static const char *text_of(const mnStudioMessage *message, const char *key) {
    return json_string_value(json_object_get(message->json, key));
}

/* What one key by itself does not tell. */
static mnStatus take_values(mnStudioMessage *m, mnError *error) {
    m->scene = text_of(m, "scene");
    m->text = text_of(m, "text");
    m->name = text_of(m, "name");
    m->path = text_of(m, "path");
    m->run = json_is_true(json_object_get(m->json, "run"));
    m->value = json_object_get(m->json, "value");
    const json_t *number = json_object_get(m->json, "number");
    if (!number) number = json_object_get(m->json, "id");
    if (!number) number = json_object_get(m->json, "sequence");
    m->number = json_is_number(number) ? (int64_t)json_number_value(number) : -1;
    if (m->verb == MN_STUDIO_OPEN && (m->scene != NULL) + (m->text && m->name) + m->run != 1) {
        mn_error_set(error, MN_ERROR_INPUT, "\"open\" takes either a scene, a text with its name, or \"run\": true");
        return refuse(m, "malformed");
    }
    if (m->verb != MN_STUDIO_FIELD) return MN_OK;
    m->field = mn_shown_named(m->name);
    if (m->field < MN_SHOWN_COUNT) return MN_OK;
    mn_error_set(error, MN_ERROR_INPUT, "there is no field \"%.60s\": speed, pressure, measure, phase", m->name);
    return refuse(m, "unknown");
}

mnStatus mn_studio_parse(const char *text, size_t length, mnStudioMessage *message, mnError *error) {
    *message = (mnStudioMessage){.number = -1};
    json_error_t trouble;
    message->json = mn_json_parse(text, length, JSON_REJECT_DUPLICATES, &trouble);
    if (!message->json) {
        bool lacks_memory = errno == ENOMEM;
        mn_error_set(error, MN_ERROR_INPUT, "%s%.160s", lacks_memory ? "" : "not JSON: ",
                     lacks_memory ? "no memory left to read the message" : trouble.text);
        return refuse(message, lacks_memory ? "refused" : "malformed");
    }
    mnStatus status = find_verb(message, error);
    if (status == MN_OK) status = check_keys(&forms[message->verb], message, error);
    return status == MN_OK ? take_values(message, error) : status;
}

void mn_studio_message_clear(mnStudioMessage *message) {
    json_decref(message->json);
    *message = (mnStudioMessage){0};
}
