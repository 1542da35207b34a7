#include "base/json.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"

/* Empty objects take most, some 250 bytes for three of the text. */
enum { TREE_PER_BYTE = 100, LEAST = 1 << 16 };

static bool has_room(size_t length) {
    bool is_there = mn_memory_is_there(TREE_PER_BYTE * length + LEAST);
    errno = is_there ? 0 : ENOMEM;
    return is_there;
}

json_t *mn_json_parse(const char *text, size_t length, size_t flags, json_error_t *error) {
    if (error) *error = (json_error_t){.text = "no memory left"};
    return has_room(length) ? json_loadb(text, length, flags, error) : NULL;
}

json_t *mn_json_load(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && has_room((size_t)found.st_size) ? json_load_file(path, 0, NULL) : NULL;
}

char *mn_json_text(const json_t *root, size_t flags) {
    errno = 0;
    char *text = json_dumps(root, flags);
    if (errno != ENOMEM) return text;
    free(text);
    return NULL;
}
