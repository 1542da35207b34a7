#include "scene/locate.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "scene/scan.h"

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

/* Compares a quoted key with a name; one with escapes is rare enough to be handed to jansson. */
static bool key_is(const char *quoted, size_t length, const char *name) {
    if (length < 2) return false;
    if (!memchr(quoted, '\\', length)) return strlen(name) == length - 2 && memcmp(quoted + 1, name, length - 2) == 0;
    json_t *key = mn_json_parse(quoted, length, JSON_DECODE_ANY, NULL);
    bool same = key && strcmp(json_string_value(key), name) == 0;
    json_decref(key);
    return same;
}

/* Moves from the start of an object to the value of a key; `key` gets where the key stands. */
static bool enter_object(mnScan *scan, const char *name, const char **key) {
    if (!mn_scan_mark(scan, '{')) return false;
    do {
        mn_scan_space(scan);
        if (scan->at >= scan->end || *scan->at != '"') return false;
        const char *start = scan->at;
        mn_scan_string(scan);
        size_t length = (size_t)(scan->at - start);
        if (!mn_scan_mark(scan, ':')) return false;
        mn_scan_space(scan);
        if (key_is(start, length, name)) {
            *key = start;
            return true;
        }
        mn_scan_value(scan);
    } while (mn_scan_mark(scan, ','));
    return false;
}

static bool enter_list(mnScan *scan, size_t index) {
    if (!mn_scan_mark(scan, '[')) return false;
    for (size_t i = 0; i < index; i++) {
        mn_scan_space(scan);
        mn_scan_value(scan);
        if (!mn_scan_mark(scan, ',')) return false;
    }
    mn_scan_space(scan);
    return scan->at < scan->end && *scan->at != ']';
}

static bool enter(mnScan *scan, const mnPath *path, const char **key) {
    if (!path) {
        mn_scan_space(scan);
        return scan->at < scan->end;
    }
    if (!enter(scan, path->parent, key)) return false;
    return path->name ? enter_object(scan, path->name, key) : enter_list(scan, path->index);
}

void mn_locate_position(mnSource source, size_t offset, int *line, int *column) {
    *line = 1;
    *column = 1;
    for (const char *c = source.text; c < source.text + offset; c++) {
        if (*c == '\n') {
            ++*line;
            *column = 1;
        } else if (((unsigned char)*c & 0xc0) != 0x80) {
            ++*column; /* bytes that continue a UTF-8 character do not count */
        }
    }
}

bool mn_locate_offset(mnSource source, const mnPath *path, size_t *offset) {
    mnScan scan = {source.text, source.text + source.length};
    const char *key = NULL;
    if (!enter(&scan, path, &key)) return false;
    *offset = (size_t)(scan.at - source.text);
    return true;
}

bool mn_locate_value(mnSource source, const mnPath *path, int *line, int *column) {
    size_t offset;
    if (!mn_locate_offset(source, path, &offset)) return false;
    mn_locate_position(source, offset, line, column);
    return true;
}

bool mn_locate_key(mnSource source, const mnPath *path, int *line, int *column) {
    mnScan scan = {source.text, source.text + source.length};
    const char *key = NULL;
    if (!enter(&scan, path, &key) || !key) return false;
    mn_locate_position(source, (size_t)(key - source.text), line, column);
    return true;
}

size_t mn_locate_token(mnSource source, size_t offset) {
    mnScan scan = {source.text, source.text + source.length};
    size_t start = 0;
    for (;;) {
        mn_scan_space(&scan);
        size_t at = (size_t)(scan.at - source.text);
        if (scan.at >= scan.end || at > offset) return start;
        start = at;
        mn_scan_token(&scan);
    }
}

/* One open object (with the key last read) or list of mn_locate_path. */
typedef struct Level {
    bool is_list;
    const char *key;
    size_t length, index;
} Level;

void mn_locate_path(mnSource source, size_t offset, char text[MN_PATH_TEXT]) {
    mnScan scan = {source.text + offset, source.text + source.length};
    if (scan.at < scan.end && *scan.at == '"') mn_scan_string(&scan);
    scan = (mnScan){source.text, scan.at};
    Level levels[LEVELS] = {{false, NULL, 0, 0}};
    size_t depth = 0; /* levels beyond the array are counted but not named */
    while (scan.at < scan.end) {
        char c = *scan.at;
        Level *top = depth > 0 && depth <= LEVELS ? &levels[depth - 1] : NULL;
        if (c == '"') {
            const char *start = scan.at;
            mn_scan_string(&scan);
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
