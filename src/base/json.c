#include "base/json.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"

/* As counted with jansson 2.14 and the C library of GNU: three bytes, "{},", take most of all, 224 for the object and
 * up to 24 for its place in a list that grows. Each mark takes most in {"":{"":…, 304 for two of them. What is between
 * marks is held up to three times, when a long string grows. */
enum { MOST_PER_BYTE = 83, PER_MARK = 152, BETWEEN = 3, LEAST = 1 << 16 };

/* Asking the machine takes longer than reading a short text. */
static const size_t much = (size_t)64 << 20;

static bool has_room(size_t bytes) {
    bool is_there = (bytes < much || bytes <= mn_memory_left()) && mn_memory_is_there(bytes);
    errno = is_there ? 0 : ENOMEM;
    return is_there;
}

size_t mn_json_room(const char *text, size_t length) {
    size_t marks = 0;
    for (size_t i = 0; i < length; i++) marks += text[i] == '{' || text[i] == '[' || text[i] == ':' || text[i] == ',';
    size_t counted = PER_MARK * marks + BETWEEN * length, most = MOST_PER_BYTE * length;
    return LEAST + (counted < most ? counted : most);
}

json_t *mn_json_parse(const char *text, size_t length, size_t flags, json_error_t *error) {
    if (error) *error = (json_error_t){.text = "no memory left"};
    return has_room(mn_json_room(text, length)) ? json_loadb(text, length, flags, error) : NULL;
}

json_t *mn_json_load(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && has_room(MOST_PER_BYTE * (size_t)found.st_size + LEAST)
               ? json_load_file(path, 0, NULL)
               : NULL;
}

char *mn_json_text(const json_t *root, size_t flags) {
    errno = 0;
    char *text = json_dumps(root, flags);
    if (errno != ENOMEM) return text;
    free(text);
    return NULL;
}
