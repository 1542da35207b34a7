/* The page docs/scene.md, made from the table of keys. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "meniscus/scene.h"
#include "scene/keys.h"

static const char opening[] =
    "# Scene files\n"
    "\n"
    "A scene is one JSON object. This page lists every key with its unit, default and range; it is made from the same "
    "table that reads and checks the files, as is the JSON Schema that `meniscus schema` prints. `meniscus check "
    "SCENE` "
    "reports every problem of a scene in one go.\n"
    "\n"
    "Units are SI: metres, seconds, kilograms, newtons; angles are in degrees. A position or direction is a list of "
    "three numbers `[x, y, z]`; in 2D scenes everything lives in the plane z = 0, `[x, y]` is enough, and gravity "
    "points "
    "along −y. On the command line any key can be changed by its dotted path, `--set fluids.water.tension.vapor=0.03`, "
    "list entries by their number from 0, `--set emitters.0.rate=5`.\n"
    "\n"
    "A small scene, a drop that settles on a floor:\n"
    "\n"
    "```json\n"
    "{\n"
    "  \"title\": \"A drop settles on a floor\",\n"
    "  \"spacing\": 0.0002,\n"
    "  \"duration\": 0.1,\n"
    "  \"fluids\": {\n"
    "    \"water\": {\n"
    "      \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.001, \"translation\": [0, 0, 0.0011]}}]\n"
    "    }\n"
    "  },\n"
    "  \"solids\": {\n"
    "    \"floor\": {\n"
    "      \"shape\": {\"kind\": \"plane\", \"size\": [0.01, 0.01]},\n"
    "      \"contact_angle\": 60,\n"
    "      \"friction\": 0.3\n"
    "    }\n"
    "  }\n"
    "}\n"
    "```\n";

/* The type of a key, with links to the sections of objects. */
static void write_type(FILE *page, const mnKey *key) {
    const mnObjectInfo *child = mn_object_info(key->child);
    switch (key->type) {
    case MN_KEY_NUMBER:
        fprintf(page, "number");
        break;
    case MN_KEY_INTEGER:
        fprintf(page, "whole number");
        break;
    case MN_KEY_BOOLEAN:
        fprintf(page, "true or false");
        break;
    case MN_KEY_CHOICE:
        for (int i = 0; key->names[i]; i++) fprintf(page, "%s`\"%s\"`", i ? ", " : "", key->names[i]);
        break;
    case MN_KEY_VECTOR2:
        fprintf(page, "2 numbers");
        break;
    case MN_KEY_VECTOR3:
        fprintf(page, "3 numbers");
        break;
    case MN_KEY_ROTATION:
        fprintf(page, "[rotation](#rotation)");
        break;
    case MN_KEY_OBJECT:
        fprintf(page, "[%s](#%s)", child->name, child->name);
        break;
    case MN_KEY_LIST:
        fprintf(page, "list of [%s](#%s)", child->name, child->name);
        break;
    case MN_KEY_MAP:
        fprintf(page, "[%s](#%s) by name", child->name, child->name);
        break;
    case MN_KEY_PER_FLUID:
        fprintf(page, "number, or numbers by fluid name and `default`");
        break;
    case MN_KEY_FLUID:
        fprintf(page, "name of a fluid");
        break;
    case MN_KEY_TARGET:
        fprintf(page, "path");
        break;
    case MN_KEY_VALUE:
        fprintf(page, "number, or 3 numbers");
        break;
    default:
        fprintf(page, "text");
        break;
    }
}

static void write_json(FILE *page, json_t *value) {
    char *text = mn_json_text(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(10));
    fprintf(page, "`%s`", text ? text : "");
    free(text);
}

/* The default, and those of the other values of a selector where they differ. */
static void write_default(FILE *page, const mnKey *key) {
    if (key->required || key->fallback || key->least > 0) {
        fprintf(page, "%s", key->required ? "**required**" : key->fallback ? key->fallback : "none");
        return;
    }
    const mnKey *selector = mn_object_selector(key->object);
    if (key->type == MN_KEY_OBJECT) {
        fprintf(page, "its defaults");
        return;
    }
    json_t *first = mn_key_default(key, 0);
    write_json(page, first);
    for (int i = 1; i < mn_object_variants(key->object) && key != selector; i++) {
        json_t *other = mn_key_default(key, i);
        if (!json_equal(first, other)) {
            fprintf(page, ", %s: ", selector->names[i]);
            write_json(page, other);
        }
        json_decref(other);
    }
    json_decref(first);
}

static void write_range(FILE *page, const mnKey *key) {
    char range[128];
    mnKey bare = *key;
    bare.unit = NULL;
    mn_key_range(&bare, range, sizeof range);
    fprintf(page, "%s", range[0] ? range : key->least ? "at least one" : "");
}

/* Which kinds a key belongs to, or which it does not where these are fewer. */
static void write_kinds(FILE *page, const mnKey *key) {
    const mnKey *selector = mn_object_selector(key->object);
    if (!key->variants) return;
    int kinds = mn_object_variants(key->object), own = 0;
    for (int i = 0; i < kinds; i++) own += key->variants >> i & 1u;
    bool list_others = 2 * own > kinds;
    const char *gap = list_others ? "all but " : "";
    for (int i = 0; i < kinds; i++) {
        if ((key->variants >> i & 1u) == list_others) continue;
        fprintf(page, "%s%s", gap, selector->names[i]);
        gap = ", ";
    }
    fprintf(page, ": ");
}

static void write_key(FILE *page, const mnKey *key) {
    fprintf(page, "| `%s` | ", key->name);
    write_type(page, key);
    fprintf(page, " | %s | ", key->unit ? key->unit : "");
    write_default(page, key);
    fprintf(page, " | ");
    write_range(page, key);
    fprintf(page, " | ");
    write_kinds(page, key);
    fprintf(page, "%s |\n", key->doc);
}

/* The paths that schedules can drive: every way from the scene down to a row with a quantity. */
static void write_targets(FILE *page, mnObject object, const char *prefix) {
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int i = 0; i < count; i++) {
        const mnKey *key = &rows[i];
        if (key->object != object) continue;
        char path[128];
        snprintf(path, sizeof path, "%s%s", prefix, key->name);
        if (key->quantity)
            fprintf(page, "- `%s`%s%s%s\n", path, key->unit ? ", " : "", key->unit ? key->unit : "",
                    key->type == MN_KEY_PER_FLUID ? ", of all fluids, or of one with its name behind another dot" : "");
        if (key->type != MN_KEY_OBJECT && key->type != MN_KEY_MAP) continue;
        strncat(path, key->type == MN_KEY_MAP ? ".NAME." : ".", sizeof path - strlen(path) - 1);
        write_targets(page, key->child, path);
    }
}

static void write_object(FILE *page, mnObject object) {
    const mnObjectInfo *info = mn_object_info(object);
    int count;
    const mnKey *rows = mn_key_rows(&count);
    fprintf(page, "\n<a id=\"%s\"></a>\n\n## %s\n\n%s\n\n", info->name, info->title, info->doc);
    fprintf(page, "| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n");
    for (int i = 0; i < count; i++)
        if (rows[i].object == object) write_key(page, &rows[i]);
    if (object == MN_OBJECT_SCHEDULE) {
        fprintf(page, "\nTargets, with their units:\n\n");
        write_targets(page, MN_OBJECT_SCENE, "");
    }
}

char *mn_scene_manual(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    if (!page) return NULL;
    fprintf(page, "%s", opening);
    for (int i = 0; i < MN_OBJECT_COUNT; i++) write_object(page, (mnObject)i);
    bool failed = ferror(page) != 0;
    if (fclose(page) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
