#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Control groups of Linux. A line of /proc/self/cgroup is "number:controllers:path"; in version 2 number is 0 and
 * there are no controllers. A limit set anywhere above the path holds too. */

enum { LONGEST = 1024 };

static size_t read_limit(const char *folder, const char *name) {
    char path[2 * LONGEST];
    unsigned long long limit = 0;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return SIZE_MAX;
    FILE *file = fopen(path, "r");
    bool is_number = file && fscanf(file, "%llu", &limit) == 1; /* "max": no limit */
    if (file) fclose(file);
    return is_number && limit > 0 && limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
}

/* The least limit of the group's folder and those around it, up to the first `root` characters. */
static size_t least_limit(char *folder, size_t root, const char *name) {
    size_t least = SIZE_MAX;
    for (;;) {
        size_t limit = read_limit(folder, name);
        if (limit < least) least = limit;
        char *slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < root) return least;
        *slash = '\0';
    }
}

static bool has_memory(const char *controllers) {
    for (const char *at = controllers; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "memory", 6) == 0 && (at[6] == '\0' || at[6] == ',')) return true;
    }
    return false;
}

static size_t limit_of_line(char *line, const char *mounts) {
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path) return SIZE_MAX;
    *controllers++ = *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    bool is_second = *controllers == '\0';
    if (!is_second && !has_memory(controllers)) return SIZE_MAX;
    char folder[2 * LONGEST];
    int root = snprintf(folder, sizeof folder, "%s%s", mounts, is_second ? "" : "/memory");
    if (root < 0 || (size_t)root + strlen(path) >= sizeof folder) return SIZE_MAX;
    snprintf(folder + root, sizeof folder - (size_t)root, "%s", strcmp(path, "/") == 0 ? "" : path);
    return least_limit(folder, (size_t)root, is_second ? "memory.max" : "memory.limit_in_bytes");
}

size_t mn_memory_of_group(const char *membership, const char *mounts) {
    FILE *file = fopen(membership, "r");
    if (!file) return SIZE_MAX;
    size_t least = SIZE_MAX;
    char line[LONGEST];
    while (fgets(line, sizeof line, file)) {
        size_t limit = limit_of_line(line, mounts);
        if (limit < least) least = limit;
    }
    fclose(file);
    return least;
}
