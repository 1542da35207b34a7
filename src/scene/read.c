#include "scene/read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "scene/names.h"

/* Far beyond what any scene needs, far below what a stack holds. */
enum { DEEPEST = 40 };

_Static_assert(offsetof(mnFluid, name) == 0 && offsetof(mnSolid, name) == 0, "a map stores the name first");

/* Counts a problem; whether there is room to tell it. */
static bool may_tell(mnReader *reader, bool is_warning) {
    if (!is_warning) reader->errors++;
    if (reader->told < MN_PROBLEMS_TOLD) {
        reader->told++;
        return true;
    }
    if (is_warning)
        reader->untold_warnings++;
    else
        reader->untold_errors++;
    return false;
}

void mn_reader_problem(mnReader *reader, bool is_warning, mnPlace place, const mnPath *path, const char *format, ...) {
    if (!may_tell(reader, is_warning)) return;
    char text[1024], key[MN_PATH_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mn_path_text(path, key);
    int line = 0, column = 0;
    const mnPath *shown = place == MN_PLACE_HOLDER && path ? path->parent : path;
    bool found = !mn_sets_cover(reader->sets, key) &&
                 (place == MN_PLACE_KEY ? mn_locate_key(reader->source, shown, &line, &column)
                                        : mn_locate_value(reader->source, shown, &line, &column));
    /* What is not in the file can only have come from a change. */
    mn_report_add(reader->report, is_warning, found || reader->sets->count == 0 ? reader->file : MN_SET_FILE, line,
                  column, key, "%s", text);
}

void mn_reader_syntax(mnReader *reader, size_t offset, const char *format, ...) {
    if (!may_tell(reader, false)) return;
    char text[1024], key[MN_PATH_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int line, column;
    mn_locate_position(reader->source, offset, &line, &column);
    mn_locate_path(reader->source, offset, key);
    mn_report_add(reader->report, false, reader->file, line, column, key, "%s", text);
}

void mn_reader_mended(const mnReader *reader, mnMend *mend, char *text, size_t size) {
    const char *word = reader->source.text + mend->start;
    size_t length = mend->end - mend->start;
    snprintf(text, size, "%.*s, which %s", (int)(length < 60 ? length : 60), word,
             mend->is_too_large ? "is too large to be finite" : "JSON does not know");
    mend->told = true;
}

void mn_reader_finish(mnReader *reader) {
    for (int i = 0; i < reader->mends->count; i++) {
        mnMend *mend = &reader->mends->list[i];
        char found[128];
        int line, column;
        if (mend->told) continue;
        if (mend->is_duplicate) {
            mn_locate_position(reader->source, mend->first, &line, &column);
            mn_reader_syntax(reader, mend->at, "is given twice, first in line %d, column %d; leave one out", line,
                             column);
        } else {
            mn_reader_mended(reader, mend, found, sizeof found);
            mn_reader_syntax(reader, mend->at, "found %s", found);
        }
    }
    mn_report_more(reader->report, reader->file, reader->untold_errors, reader->untold_warnings);
}

void *mn_reader_keep(mnReader *reader, size_t count, size_t size) {
    void *block = mn_scene_keep(reader->scene, count, size);
    if (!block) reader->out_of_memory = true;
    return block;
}

static void store_pointer(void *fields, size_t offset, const void *pointer) {
    memcpy((char *)fields + offset, &pointer, sizeof pointer);
}

static bool count_is_allowed(mnReader *reader, const mnKey *key, const mnPath *path, size_t count) {
    size_t least = (size_t)key->least, most = (size_t)(key->most ? key->most : MN_LIST_MOST);
    if (count >= least && count <= most) return true;
    if (count < least)
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "is empty, needs at least one entry");
    else
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "has %zu entries, allowed are at most %zu", count, most);
    return false;
}

/* Compares the times of two entries as they stand in the file; entries without a proper time have their own problem. */
static void check_order(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *last,
                        const json_t *entry) {
    const json_t *before = json_object_get(last, "time"), *time = json_object_get(entry, "time");
    if (key->order == MN_ORDER_NONE || !json_is_number(before) || !json_is_number(time)) return;
    double a = json_number_value(before), b = json_number_value(time);
    if (key->order == MN_ORDER_RISING ? b > a : b >= a) return;
    char found[MN_NUMBER_TEXT], previous[MN_NUMBER_TEXT];
    mnPath at = {path, "time", 0};
    mn_reader_problem(reader, false, MN_PLACE_VALUE, &at, "found %s s after %s s in the entry before; times must %s",
                      mn_number_text(b, found), mn_number_text(a, previous),
                      key->order == MN_ORDER_RISING ? "rise" : "not fall");
}

static void read_list(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, void *fields) {
    size_t count = json_array_size(json), size = mn_object_info(key->child)->size;
    if (!count_is_allowed(reader, key, path, count) || count == 0) return;
    char *entries = mn_reader_keep(reader, count, size);
    if (!entries) return;
    for (size_t i = 0; i < count; i++) {
        mnPath at = {path, NULL, i};
        const json_t *entry = json_array_get(json, i);
        mn_read_object(reader, key->child, &at, entry, entries + i * size);
        if (i > 0) check_order(reader, key, &at, json_array_get(json, i - 1), entry);
    }
    store_pointer(fields, key->offset, entries);
    *(int *)(void *)((char *)fields + key->second) = (int)count;
}

static void read_map(mnReader *reader, const mnKey *key, const mnPath *path, json_t *json, void *fields) {
    size_t count = json_object_size(json), size = mn_object_info(key->child)->size;
    if (!count_is_allowed(reader, key, path, count) || count == 0) return;
    char *entries = mn_reader_keep(reader, count, size);
    if (!entries) return;
    size_t i = 0;
    const char *name;
    json_t *entry;
    json_object_foreach(json, name, entry) {
        mnPath at = {path, name, 0};
        if (!mn_name_is_usable(name))
            mn_reader_problem(reader, false, MN_PLACE_KEY, &at,
                              "a name has 1 to 60 characters, is not \"default\" and has none of . [ ] = in it");
        mn_read_object(reader, key->child, &at, entry, entries + i * size);
        char *kept = mn_scene_keep_text(reader->scene, name, strlen(name));
        if (!kept) reader->out_of_memory = true;
        store_pointer(entries + i * size, 0, kept);
        i++;
    }
    store_pointer(fields, key->offset, entries);
    *(int *)(void *)((char *)fields + key->second) = (int)count;
}

static void read_key(mnReader *reader, const mnKey *key, const mnPath *path, json_t *json, void *fields) {
    switch (key->type) {
    case MN_KEY_OBJECT:
        mn_read_object(reader, key->child, path, json, (char *)fields + key->offset);
        break;
    case MN_KEY_LIST:
        if (json_is_array(json))
            read_list(reader, key, path, json, fields);
        else
            mn_read_wrong(reader, key, path, json);
        break;
    case MN_KEY_MAP:
        if (json_is_object(json))
            read_map(reader, key, path, json, fields);
        else
            mn_read_wrong(reader, key, path, json);
        break;
    default:
        mn_read_value(reader, key, path, json, fields);
        break;
    }
}

static void unknown_key(mnReader *reader, mnObject object, int variant, const mnPath *path) {
    int count;
    const mnKey *rows = mn_key_rows(&count);
    mnNames names = mn_names_start(path->name);
    for (int i = 0; i < count; i++) /* of rows that share a name the first one stands for all */
        if (mn_key_find(object, variant, rows[i].name) == &rows[i]) mn_names_offer(&names, rows[i].name);
    char hint[600];
    mn_names_hint(&names, "known keys", hint, sizeof hint);
    const mnKey *selector = mn_object_selector(object);
    if (mn_key_find(object, -1, path->name) && selector)
        mn_reader_problem(reader, false, MN_PLACE_KEY, path, "does not belong to the %s \"%s\"%s", selector->name,
                          selector->names[variant], hint);
    else
        mn_reader_problem(reader, false, MN_PLACE_KEY, path, "unknown key%s", hint);
}

static void check_keys(mnReader *reader, mnObject object, int variant, const mnPath *path, const json_t *json) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)json, name, value) {
        mnPath at = {path, name, 0};
        const mnKey *key = mn_key_find(object, variant, name);
        if (!key)
            unknown_key(reader, object, variant, &at);
        else if (key->alone && json_object_size(json) > 1)
            mn_reader_problem(reader, false, MN_PLACE_KEY, &at, "excludes every other key here, found %zu more",
                              json_object_size(json) - 1);
    }
}

/* The value of the object's selector; −1 when it is missing or wrong and nothing else can be judged without it. */
static int find_variant(mnObject object, const json_t *json) {
    const mnKey *selector = mn_object_selector(object);
    if (!selector) return 0;
    const char *value = json_string_value(json_object_get(json, selector->name));
    for (int i = 0; value && selector->names[i]; i++)
        if (strcmp(value, selector->names[i]) == 0) return i;
    return selector->required ? -1 : 0;
}

static void missing_key(mnReader *reader, const mnKey *key, const mnPath *path) {
    char expected[300];
    mn_key_expected(key, expected, sizeof expected);
    mn_reader_problem(reader, false, MN_PLACE_HOLDER, path, "is missing, expected %s", expected);
}

void mn_read_object(mnReader *reader, mnObject object, const mnPath *path, const json_t *json, void *fields) {
    int variant = find_variant(object, json);
    bool own_struct = mn_object_info(object)->holder == object;
    if (own_struct) mn_object_start(object, variant < 0 ? 0 : variant, reader->dimension, fields);
    if (!json_is_object(json)) {
        mn_read_wrong(reader, &(mnKey){.type = MN_KEY_OBJECT}, path, json);
        return;
    }
    if (reader->depth == DEEPEST) {
        mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "is nested too deeply, allowed are %d levels", DEEPEST);
        return;
    }
    reader->depth++;
    check_keys(reader, object, variant, path, json);
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int i = 0; i < count; i++) {
        const mnKey *key = &rows[i];
        bool is_selector = variant >= 0 || key == mn_object_selector(object);
        if (!mn_key_belongs(key, object, variant) || !is_selector) continue;
        mnPath at = {path, key->name, 0};
        json_t *value = json_object_get(json, key->name);
        if (value)
            read_key(reader, key, &at, value, fields);
        else if (key->required)
            missing_key(reader, key, &at);
    }
    if (variant >= 0) mn_read_check(reader, object, path, json, fields);
    reader->depth--;
}
