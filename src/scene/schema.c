/* The JSON Schema (draft 2020-12) of a scene file, made from the table of keys. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "meniscus/scene.h"
#include "scene/keys.h"

static json_t *typed(const char *type) {
    json_t *schema = json_object();
    json_object_set_new(schema, "type", json_string(type));
    return schema;
}

static json_t *number_schema(const mnKey *key, const char *type) {
    json_t *schema = typed(type);
    if (key->lower < key->upper) {
        json_object_set_new(schema, key->above ? "exclusiveMinimum" : "minimum", mn_number_json(key->lower));
        json_object_set_new(schema, "maximum", mn_number_json(key->upper));
    }
    return schema;
}

static json_t *list_schema(json_t *items, int least, int most) {
    json_t *schema = typed("array");
    json_object_set_new(schema, "items", items);
    if (least > 0) json_object_set_new(schema, "minItems", json_integer(least));
    json_object_set_new(schema, "maxItems", json_integer(most));
    return schema;
}

static json_t *map_schema(json_t *values, int least, int most) {
    json_t *schema = typed("object");
    json_object_set_new(schema, "additionalProperties", values);
    if (least > 0) json_object_set_new(schema, "minProperties", json_integer(least));
    if (most > 0) json_object_set_new(schema, "maxProperties", json_integer(most));
    return schema;
}

static json_t *reference(mnObject object) {
    char text[64];
    snprintf(text, sizeof text, "#/$defs/%s", mn_object_info(object)->name);
    json_t *schema = json_object();
    json_object_set_new(schema, "$ref", json_string(text));
    return schema;
}

static json_t *either(json_t *a, json_t *b) {
    json_t *schema = json_object(), *options = json_array();
    json_array_append_new(options, a);
    json_array_append_new(options, b);
    json_object_set_new(schema, "anyOf", options);
    return schema;
}

static json_t *choice_schema(const mnKey *key) {
    json_t *schema = json_object(), *names = json_array();
    for (int i = 0; key->names[i]; i++) json_array_append_new(names, json_string(key->names[i]));
    json_object_set_new(schema, "enum", names);
    return schema;
}

static json_t *name_rule(void) {
    json_t *schema = json_object();
    json_object_set_new(schema, "pattern", json_string("^[^.\\[\\]=\\u0000-\\u001f]{1,60}$"));
    json_t *taken = json_object();
    json_object_set_new(taken, "const", json_string("default"));
    json_object_set_new(schema, "not", taken);
    return schema;
}

static json_t *value_schema(const mnKey *key) {
    int most = key->most ? key->most : MN_LIST_MOST;
    static const mnKey any = {.type = MN_KEY_NUMBER};
    json_t *schema;
    switch (key->type) {
    case MN_KEY_NUMBER:
        return number_schema(key, "number");
    case MN_KEY_INTEGER:
        return number_schema(key, "integer");
    case MN_KEY_BOOLEAN:
        return typed("boolean");
    case MN_KEY_CHOICE:
        return choice_schema(key);
    case MN_KEY_VECTOR2:
        return list_schema(number_schema(key, "number"), 2, 2);
    case MN_KEY_VECTOR3: /* two numbers are enough in 2D, which a schema cannot know here */
        return list_schema(number_schema(key, "number"), 2, 3);
    case MN_KEY_ROTATION:
        return either(reference(MN_OBJECT_ROTATION), list_schema(number_schema(&any, "number"), 4, 4));
    case MN_KEY_OBJECT:
        return reference(key->child);
    case MN_KEY_LIST:
        return list_schema(reference(key->child), key->least, most);
    case MN_KEY_MAP:
        schema = map_schema(reference(key->child), key->least, most);
        json_object_set_new(schema, "propertyNames", name_rule());
        return schema;
    case MN_KEY_PER_FLUID:
        return either(number_schema(key, "number"), map_schema(number_schema(key, "number"), 0, 0));
    case MN_KEY_VALUE:
        return either(number_schema(&any, "number"), list_schema(number_schema(&any, "number"), 2, 3));
    default:
        return typed("string");
    }
}

static json_t *key_schema(const mnKey *key, int variant) {
    json_t *schema = value_schema(key);
    char text[512];
    bool has_unit = key->unit && key->unit[0];
    snprintf(text, sizeof text, "%s%s%s%s", key->doc, has_unit ? " Unit: " : "", has_unit ? key->unit : "",
             has_unit ? "." : "");
    json_object_set_new(schema, "description", json_string(text));
    json_t *fallback = mn_key_default(key, variant);
    if (fallback) json_object_set_new(schema, "default", fallback);
    return schema;
}

/* One object for one value of its selector. */
static json_t *variant_schema(mnObject object, int variant, bool fix_selector) {
    json_t *schema = typed("object"), *properties = json_object(), *required = json_array();
    const mnKey *selector = mn_object_selector(object);
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int i = 0; i < count; i++) {
        const mnKey *key = &rows[i];
        if (!mn_key_belongs(key, object, variant)) continue;
        json_t *property = key_schema(key, variant);
        if (fix_selector && key == selector) {
            json_object_del(property, "enum");
            json_object_set_new(property, "const", json_string(selector->names[variant]));
        }
        json_object_set_new(properties, key->name, property);
        if (key->required) json_array_append_new(required, json_string(key->name));
        if (key->alone) {
            /* A file with this key has no other: "if it is there, one property at most". */
            json_t *given = json_object(), *only = json_object(), *names = json_array();
            json_array_append_new(names, json_string(key->name));
            json_object_set_new(given, "required", names);
            json_object_set_new(only, "maxProperties", json_integer(1));
            json_object_set_new(schema, "if", given);
            json_object_set_new(schema, "then", only);
        }
    }
    json_object_set_new(schema, "properties", properties);
    if (json_array_size(required) > 0)
        json_object_set_new(schema, "required", required);
    else
        json_decref(required);
    json_object_set_new(schema, "additionalProperties", json_false());
    return schema;
}

/* Whether the selector decides which keys there are, not only their defaults. */
static bool keys_vary(mnObject object) {
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int i = 0; i < count; i++)
        if (rows[i].object == object && rows[i].variants) return true;
    return false;
}

static json_t *object_schema(mnObject object) {
    json_t *schema;
    if (keys_vary(object)) {
        json_t *options = json_array();
        for (int i = 0; i < mn_object_variants(object); i++)
            json_array_append_new(options, variant_schema(object, i, true));
        schema = json_object();
        json_object_set_new(schema, "oneOf", options);
    } else {
        schema = variant_schema(object, 0, false);
    }
    json_object_set_new(schema, "description", json_string(mn_object_info(object)->doc));
    return schema;
}

char *mn_scene_schema(void) {
    errno = 0;
    json_t *schema = json_object(), *definitions = json_object();
    json_object_set_new(schema, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
    json_object_set_new(schema, "title", json_string("meniscus scene"));
    json_t *scene = object_schema(MN_OBJECT_SCENE);
    json_object_update(schema, scene);
    json_decref(scene);
    for (int i = MN_OBJECT_SCENE + 1; i < MN_OBJECT_COUNT; i++)
        json_object_set_new(definitions, mn_object_info((mnObject)i)->name, object_schema((mnObject)i));
    json_object_set_new(schema, "$defs", definitions);
    bool is_whole = errno != ENOMEM;
    char *text = is_whole ? mn_json_text(schema, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) : NULL;
    json_decref(schema);
    return text;
}
