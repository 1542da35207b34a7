#include "scene/locate.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Names in messages are cut here, so that one monstrous key cannot fill the report. */
enum { NAME_SHOWN = 80, LEVELS = 64 };

static size_t append_step(char *text, size_t length, const char *name, size_t name_length, size_t index) {
    size_t room = MN_PATH_TEXT - length;
    int added;
    if (name)
        added = snprintf(text + length, room, "%s%.*s", length ? "." : "",
                         (int)(name_length < NAME_SHOWN ? name_length : NAME_SHOWN), name);
    else
        added = snprintf(text + length, room, "[%zu]", index);
    return length + (size_t)added < MN_PATH_TEXT ? length + (size_t)added : MN_PATH_TEXT - 1;
}

static size_t append_path(const mnPath *path, char *text) {
    if (!path) return 0;
    size_t length = append_path(path->parent, text);
    return append_step(text, length, path->name, path->name ? strlen(path->name) : 0, path->index);
}

void mn_path_text(const mnPath *path, char text[MN_PATH_TEXT]) {
    text[0] = '\0';
    append_path(path, text);
}

/* All scanning functions move `at` forward and stay inside the text whatever it holds. */
typedef struct Scan {
    const char *at, *end;
} Scan;

static void skip_space(Scan *scan) {
    while (scan->at < scan->end && memchr(" \t\r\n", *scan->at, 4)) scan->at++;
}

static void skip_string(Scan *scan) {
    scan->at++;
    while (scan->at < scan->end && *scan->at != '"') scan->at += *scan->at == '\\' && scan->end - scan->at > 1 ? 2 : 1;
    if (scan->at < scan->end) scan->at++;
}

static void skip_value(Scan *scan) {
    int depth = 0;
    while (scan->at < scan->end) {
        char c = *scan->at;
        if (depth == 0 && memchr(",]}", c, 3)) return;
        if (c == '"') {
            skip_string(scan);
            if (depth == 0) return;
            continue;
        }
        depth += c == '{' || c == '[';
        if (c == '}' || c == ']') depth--;
        scan->at++;
        if (depth == 0 && (c == '}' || c == ']')) return;
    }
}

static bool skip_char(Scan *scan, char wanted) {
    skip_space(scan);
    if (scan->at >= scan->end || *scan->at != wanted) return false;
    scan->at++;
    return true;
}

/* Compares a quoted key with a name; one with escapes is rare enough to be handed to jansson. */
static bool key_is(const char *quoted, size_t length, const char *name) {
    if (length < 2) return false;
    if (!memchr(quoted, '\\', length)) return strlen(name) == length - 2 && memcmp(quoted + 1, name, length - 2) == 0;
    json_t *key = json_loadb(quoted, length, JSON_DECODE_ANY, NULL);
    bool same = key && strcmp(json_string_value(key), name) == 0;
    json_decref(key);
    return same;
}

/* Moves from the start of an object to the value of a key; `key` gets where the key stands. */
static bool enter_object(Scan *scan, const char *name, const char **key) {
    if (!skip_char(scan, '{')) return false;
    do {
        skip_space(scan);
        if (scan->at >= scan->end || *scan->at != '"') return false;
        const char *start = scan->at;
        skip_string(scan);
        size_t length = (size_t)(scan->at - start);
        if (!skip_char(scan, ':')) return false;
        skip_space(scan);
        if (key_is(start, length, name)) {
            *key = start;
            return true;
        }
        skip_value(scan);
    } while (skip_char(scan, ','));
    return false;
}

static bool enter_list(Scan *scan, size_t index) {
    if (!skip_char(scan, '[')) return false;
    for (size_t i = 0; i < index; i++) {
        skip_space(scan);
        skip_value(scan);
        if (!skip_char(scan, ',')) return false;
    }
    skip_space(scan);
    return scan->at < scan->end && *scan->at != ']';
}

static bool enter(Scan *scan, const mnPath *path, const char **key) {
    if (!path) {
        skip_space(scan);
        return scan->at < scan->end;
    }
    if (!enter(scan, path->parent, key)) return false;
    return path->name ? enter_object(scan, path->name, key) : enter_list(scan, path->index);
}

static void count_position(mnSource source, const char *at, int *line, int *column) {
    *line = 1;
    *column = 1;
    for (const char *c = source.text; c < at; c++) {
        if (*c == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)*c & 0xc0) != 0x80) {
            ++*column; /* bytes that continue a UTF-8 character do not count */
        }
    }
}

bool mn_locate_value(mnSource source, const mnPath *path, int *line, int *column) {
    Scan scan = {source.text, source.text + source.length};
    const char *key = NULL;
    if (!enter(&scan, path, &key)) return false;
    count_position(source, scan.at, line, column);
    return true;
}

bool mn_locate_key(mnSource source, const mnPath *path, int *line, int *column) {
    Scan scan = {source.text, source.text + source.length};
    const char *key = NULL;
    if (!enter(&scan, path, &key) || !key) return false;
    count_position(source, key, line, column);
    return true;
}

/* One open object (with the key last read) or list of mn_locate_path. */
typedef struct Level {
    bool is_list;
    const char *key;
    size_t length, index;
} Level;

void mn_locate_path(mnSource source, size_t offset, char text[MN_PATH_TEXT]) {
    Scan scan = {source.text, source.text + (offset < source.length ? offset : source.length)};
    Level levels[LEVELS] = {{false, NULL, 0, 0}};
    size_t depth = 0; /* levels beyond the array are counted but not named */
    while (scan.at < scan.end) {
        char c = *scan.at;
        Level *top = depth > 0 && depth <= LEVELS ? &levels[depth - 1] : NULL;
        if (c == '"') {
            const char *start = scan.at;
            skip_string(&scan);
            /* A key comes first in its object and after each comma. */
            size_t length = (size_t)(scan.at - start);
            if (top && !top->is_list && !top->key && length >= 2) {
                top->key = start + 1;
                top->length = length - 2;
            }
            continue;
        }
        if (c == '{' || c == '[') {
            if (depth < LEVELS) levels[depth] = (Level){c == '[', NULL, 0, 0};
            depth++;
        } else if ((c == '}' || c == ']') && depth > 0) {
            depth--;
        } else if (c == ',' && top) {
            top->index++;
            top->key = NULL;
        }
        scan.at++;
    }
    text[0] = '\0';
    size_t length = 0;
    for (size_t i = 0; i < depth && i < LEVELS; i++) {
        if (levels[i].is_list || levels[i].key)
            length =
                append_step(text, length, levels[i].is_list ? NULL : levels[i].key, levels[i].length, levels[i].index);
    }
}
