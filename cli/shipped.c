#include "shipped.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "io/file.h"
#include "scene/names.h"

static bool is_folder(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

bool program_path(char path[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    return true;
}

/* The page is made while the program is built, all else lies in the source tree. */
static const struct {
    const char *name, *variable, *in_build;
} folders[] = {
    {"scenes", "MENISCUS_SCENES", MN_DATA_FROM_BUILD "/scenes"},
    {"validation", "MENISCUS_VALIDATION", MN_DATA_FROM_BUILD "/validation"},
    {"studio", "MENISCUS_STUDIO", "studio/page"},
};

char *shipped_folder(const char *name) {
    size_t which = 0;
    while (strcmp(folders[which].name, name) != 0) which++;
    const char *wanted = getenv(folders[which].variable);
    if (wanted && *wanted) return strdup(wanted);
    char program[PATH_MAX];
    if (!program_path(program)) return NULL;
    char *slash = strrchr(program, '/');
    if (slash) *slash = '\0';
    char installed[sizeof MN_DATA_FROM_BIN + 32];
    snprintf(installed, sizeof installed, "%s/%s", MN_DATA_FROM_BIN, name);
    const char *const places[] = {installed, folders[which].in_build};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char *joined = mn_path_join(program, places[i]);
        char *folder = joined ? realpath(joined, NULL) : NULL;
        free(joined);
        if (folder && is_folder(folder)) return folder;
        free(folder);
    }
    return NULL;
}

static int is_scene(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

Shipped shipped_find(void) {
    Shipped shipped = {.folder = shipped_folder("scenes")};
    struct dirent **entries = NULL;
    int count = shipped.folder ? scandir(shipped.folder, &entries, is_scene, alphasort) : 0;
    if (count > 0) shipped.names = calloc((size_t)count, sizeof *shipped.names);
    for (int i = 0; i < count; i++) {
        char *name = entries[i]->d_name;
        if (shipped.names && (shipped.names[shipped.count] = strndup(name, strlen(name) - 5))) shipped.count++;
        free(entries[i]);
    }
    free(entries);
    return shipped;
}

void shipped_clear(Shipped *shipped) {
    for (int i = 0; i < shipped->count; i++) free(shipped->names[i]);
    free(shipped->names);
    free(shipped->folder);
    *shipped = (Shipped){0};
}

char *shipped_resolve(const char *scene) {
    struct stat found;
    if (stat(scene, &found) == 0) {
        if (S_ISREG(found.st_mode)) {
            char *copy = strdup(scene);
            if (!copy) complain("no memory left to read %s", scene);
            return copy;
        }
        complain("%s is not a scene file%s", scene, S_ISDIR(found.st_mode) ? ", it is a folder" : "");
        return NULL;
    }
    int reason = errno;
    Shipped shipped = shipped_find();
    mnNames names = mn_names_start(scene);
    char *path = NULL;
    for (int i = 0; i < shipped.count && !path; i++) {
        mn_names_offer(&names, shipped.names[i]);
        size_t length = strlen(shipped.names[i]);
        bool same = strncmp(scene, shipped.names[i], length) == 0;
        if (!same || (scene[length] && strcmp(scene + length, ".json") != 0)) continue;
        char file[NAME_MAX + 8];
        snprintf(file, sizeof file, "%s.json", shipped.names[i]);
        path = mn_path_join(shipped.folder, file);
    }
    if (!path && names.nearest)
        complain("cannot read %s: %s; did you mean the shipped scene \"%s\"?", scene, strerror(reason), names.nearest);
    else if (!path)
        complain("cannot read %s: %s; \"meniscus scenes\" lists the scenes that ship", scene, strerror(reason));
    shipped_clear(&shipped);
    return path;
}
