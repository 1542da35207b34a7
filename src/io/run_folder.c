#include "io/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/file.h"

static mnStatus no_memory(const char *path, mnError *error) {
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to look at %s", path);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* The number in "frame_000012.ply"; −1: not such a name. */
static int64_t number_of(const char *name) {
    if (strncmp(name, "frame_", 6) != 0) return -1;
    size_t digits = strspn(name + 6, "0123456789");
    if (digits < 6 || digits > 18 || name[6 + digits] != '.' || mn_format_of(name) == MN_FORMAT_COUNT) return -1;
    return strtoll(name + 6, NULL, 10);
}

static bool add_frame(mnRunFolder *run, int64_t number, const char *folder, const char *name) {
    if ((run->frame_count & (run->frame_count - 1)) == 0) {
        size_t room = run->frame_count ? 2 * (size_t)run->frame_count : 1;
        mnFrameFile *frames = realloc(run->frames, room * sizeof *frames);
        if (!frames) return false;
        run->frames = frames;
    }
    char *path = mn_path_join(folder, name);
    if (!path) return false;
    run->frames[run->frame_count++] = (mnFrameFile){number, path};
    return true;
}

/* By number, and where there are several files of one the format that stands first in the enumeration. */
static int compare(const void *a, const void *b) {
    const mnFrameFile *left = a, *right = b;
    if (left->number != right->number) return left->number < right->number ? -1 : 1;
    return (int)mn_format_of(left->path) - (int)mn_format_of(right->path);
}

static void keep_one_of_each(mnRunFolder *run) {
    int64_t kept = 0;
    for (int64_t k = 0; k < run->frame_count; k++)
        if (kept > 0 && run->frames[kept - 1].number == run->frames[k].number)
            free(run->frames[k].path);
        else
            run->frames[kept++] = run->frames[k];
    run->frame_count = kept;
}

static mnStatus list_frames(mnRunFolder *run, const char *folder, mnError *error) {
    DIR *entries = opendir(folder);
    if (!entries) return mn_error_set(error, MN_ERROR_FILE, "cannot read the folder %s: %s", folder, strerror(errno));
    bool has_room = true;
    for (struct dirent *entry = readdir(entries); entry && has_room; entry = readdir(entries)) {
        int64_t number = number_of(entry->d_name);
        if (number >= 0) has_room = add_frame(run, number, folder, entry->d_name);
    }
    closedir(entries);
    if (!has_room) return no_memory(folder, error);
    if (run->frame_count == 0)
        return mn_error_set(error, MN_ERROR_FILE, "%s has no frames: no file of it is named like frame_000000.ply",
                            folder);
    qsort(run->frames, (size_t)run->frame_count, sizeof *run->frames, compare);
    keep_one_of_each(run);
    return MN_OK;
}

/* ---- the folder -------------------------------------------------------------------------------------------------- */

static bool is_folder(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* "a/b" of "a/b/c", "." of "c", "./.." of ".", whatever slashes end it. */
static char *folder_above(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    size_t dots = 0;
    while (dots < length && path[length - 1 - dots] == '.') dots++;
    if (dots > 0 && dots <= 2 && (dots == length || path[length - 1 - dots] == '/')) return mn_path_join(path, "..");
    while (length > 0 && path[length - 1] != '/') length--;
    while (length > 1 && path[length - 1] == '/') length--;
    return length ? strndup(path, length) : strdup(".");
}

/* The run that a folder of frames belongs to is above it, if that folder is the run's `frames`: any other scene.json
 * above is somebody else's. Otherwise it is the folder itself, where somebody may have put the scene beside them. */
static char *run_of(const char *frames) {
    char *above = folder_above(frames), *named = above ? mn_path_join(above, "frames") : NULL;
    struct stat here, there;
    bool is_run = named && stat(frames, &here) == 0 && stat(named, &there) == 0 && here.st_dev == there.st_dev &&
                  here.st_ino == there.st_ino;
    free(named);
    if (!above || is_run) return above;
    free(above);
    return strdup(frames);
}

static mnStatus open_frame(const char *path, mnRunFolder *run, mnError *error) {
    char *frames = folder_above(path);
    if (!frames) return no_memory(path, error);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int64_t number = number_of(name);
    bool is_kept = add_frame(run, number < 0 ? 0 : number, frames, name);
    run->folder = run_of(frames);
    free(frames);
    return is_kept && run->folder ? MN_OK : no_memory(path, error);
}

static mnStatus open_folder(const char *path, mnRunFolder *run, mnError *error) {
    char *frames = mn_path_join(path, "frames");
    if (!frames) return no_memory(path, error);
    bool is_run = is_folder(frames);
    run->folder = is_run ? strdup(path) : run_of(path);
    mnStatus status = run->folder ? list_frames(run, is_run ? frames : path, error) : no_memory(path, error);
    free(frames);
    return status;
}

static mnStatus load_scene(mnRunFolder *run, mnError *error) {
    char *path = mn_path_join(run->folder, "scene.json");
    if (!path) return no_memory(run->folder, error);
    struct stat found;
    mnReport report = {0};
    mnStatus status = MN_OK;
    if (stat(path, &found) == 0) status = mn_scene_load(path, NULL, 0, &run->scene, &report);
    if (status == MN_ERROR_MEMORY)
        no_memory(path, error);
    else if (status != MN_OK)
        mn_error_set(error, status,
                     "%s, the scene of the run, cannot be used any more: %s; put back what it needs, or correct it",
                     path, report.count > 0 ? report.problems[0].text : "it cannot be read");
    mn_report_clear(&report);
    free(path);
    return status;
}

mnStatus mn_run_folder_open(const char *path, mnRunFolder *run, mnError *error) {
    *run = (mnRunFolder){0};
    struct stat found;
    mnStatus status;
    if (stat(path, &found) != 0)
        status = mn_error_set(error, MN_ERROR_FILE, "cannot read %s: %s", path, strerror(errno));
    else
        status = S_ISDIR(found.st_mode) ? open_folder(path, run, error) : open_frame(path, run, error);
    if (status == MN_OK) status = load_scene(run, error);
    if (status != MN_OK) mn_run_folder_close(run);
    return status;
}

void mn_run_folder_close(mnRunFolder *run) {
    for (int64_t k = 0; k < run->frame_count; k++) free(run->frames[k].path);
    free(run->frames);
    free(run->folder);
    mn_scene_destroy(run->scene);
    *run = (mnRunFolder){0};
}

mnStatus mn_run_folder_select(mnRunFolder *run, int64_t first, int64_t last, mnError *error) {
    int64_t lowest = run->frames[0].number, highest = run->frames[run->frame_count - 1].number, kept = 0;
    if (first > highest || last < lowest || first > last)
        return mn_error_set(error, MN_ERROR_INPUT, "%s has no frames %lld to %lld, only %lld to %lld", run->folder,
                            (long long)first, (long long)last, (long long)lowest, (long long)highest);
    for (int64_t k = 0; k < run->frame_count; k++)
        if (run->frames[k].number >= first && run->frames[k].number <= last)
            run->frames[kept++] = run->frames[k];
        else
            free(run->frames[k].path);
    run->frame_count = kept;
    return MN_OK;
}

mnStatus mn_run_folder_read(const mnRunFolder *run, int64_t index, mnFrame *frame, mnError *error) {
    const mnSceneDesc *scene = run->scene ? mn_scene_desc(run->scene) : NULL;
    int dimension = scene ? scene->dimension : 3;
    mnStatus status = mn_frame_read(run->frames[index].path, dimension, frame, error);
    if (status != MN_OK || !scene) return status;
    mnVec *position = (mnVec *)frame->particles.position; /* the frame's own */
    mnReal rest = (mnReal)pow(scene->spacing, dimension);
    for (int64_t i = 0; i < frame->particles.count; i++)
        if (position[i].w == 0) position[i].w = rest;
    return MN_OK;
}
