#include "io/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "io/file.h"

enum { KEPT = 2, LISTED = 64 };

#define FOLDER "checkpoints"

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* "checkpoint_000001234.h5", perhaps still partial. */
static bool is_name(const char *name, int64_t *step, bool *is_partial) {
    int end = 0;
    long long number = 0;
    if (sscanf(name, "checkpoint_%18lld.h5%n", &number, &end) != 1 || end == 0 || number < 0) return false;
    *step = number;
    *is_partial = strcmp(name + end, ".partial") == 0;
    return !name[end] || *is_partial;
}

static char *path_of(const char *folder, int64_t step) {
    char name[64];
    snprintf(name, sizeof name, FOLDER "/checkpoint_%09lld.h5", (long long)step);
    return mn_path_join(folder, name);
}

static DIR *open_entries(const char *folder) {
    char *place = mn_path_join(folder, FOLDER);
    DIR *entries = place ? opendir(place) : NULL;
    free(place);
    return entries;
}

int mn_checkpoints_list(const char *folder, int64_t *steps, int capacity) {
    DIR *entries = open_entries(folder);
    int count = 0;
    int64_t step;
    bool is_partial;
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries)) {
        if (!is_name(entry->d_name, &step, &is_partial) || is_partial) continue;
        int at = count < capacity ? count++ : capacity;
        for (; at > 0 && steps[at - 1] < step; at--)
            if (at < capacity) steps[at] = steps[at - 1];
        if (at < capacity) steps[at] = step;
    }
    if (entries) closedir(entries);
    return count;
}

/* Removes those outside of [first, last], and what was never finished. None may come back after a power cut: one of an
 * earlier run would be taken for one of this. Returns 0, or why one stays. */
static int keep_between(const char *folder, int64_t first, int64_t last) {
    DIR *entries = open_entries(folder);
    int64_t step;
    bool is_partial, has_removed = false;
    int trouble = 0;
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries))
        if (is_name(entry->d_name, &step, &is_partial) && (is_partial || step < first || step > last)) {
            if (unlinkat(dirfd(entries), entry->d_name, 0) == 0)
                has_removed = true;
            else
                trouble = errno;
        }
    if (has_removed) fsync(dirfd(entries));
    if (entries) closedir(entries);
    return trouble;
}

void mn_checkpoints_cut(const char *folder, int64_t step) {
    keep_between(folder, 0, step);
}

mnStatus mn_checkpoints_clear(const char *folder, mnError *error) {
    int trouble = keep_between(folder, 0, -1);
    if (trouble != 0)
        return mn_error_set(error, MN_ERROR_FILE, "cannot remove a checkpoint of an earlier run in %s: %s", folder,
                            strerror(trouble));
    char *place = mn_path_join(folder, FOLDER);
    if (place) rmdir(place); /* where nothing else is in it */
    free(place);
    return MN_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

mnStatus mn_checkpoint_save(mnArchive *archive, const char *folder, int64_t step, mnError *error) {
    char *path = path_of(folder, step), *place = path ? mn_path_folder(path) : NULL;
    mnStatus status = place ? mn_folder_create(place, error)
                            : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write into %s", folder);
    if (status == MN_OK) status = mn_archive_save(archive, path, error);
    if (status == MN_OK) status = mn_path_sync(folder, error); /* its folder may be new */
    free(place);
    free(path);
    if (status != MN_OK) return status;
    int64_t steps[KEPT];
    int count = mn_checkpoints_list(folder, steps, KEPT);
    if (count == KEPT) keep_between(folder, steps[KEPT - 1], step);
    return MN_OK;
}

static mnStatus no_memory(const char *folder, mnError *error) {
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to look at the checkpoints of %s", folder);
}

mnStatus mn_checkpoint_open(const char *folder, mnArchive **archive, int64_t *step, mnReport *report, mnError *error) {
    int64_t steps[LISTED];
    errno = 0;
    int count = mn_checkpoints_list(folder, steps, LISTED);
    *archive = NULL;
    if (errno == ENOMEM) return no_memory(folder, error);
    if (count == 0 && errno && errno != ENOENT)
        return mn_error_set(error, MN_ERROR_FILE, "cannot look at the checkpoints of %s: %s", folder, strerror(errno));
    for (int k = 0; k < count; k++) {
        mnError trouble = {0};
        char *path = path_of(folder, steps[k]);
        if (!path) return no_memory(folder, error);
        mnStatus status = mn_archive_open(path, archive, &trouble);
        free(path);
        *step = steps[k];
        if (status == MN_OK) return MN_OK;
        if (status == MN_ERROR_MEMORY) return mn_error_set(error, status, "%s", trouble.text);
        mn_report_add(report, true, NULL, 0, 0, NULL, "%s", trouble.text);
    }
    return mn_error_set(
        error, MN_ERROR_FILE,
        "%s has no %scheckpoint to go on from; runs write them every 300 s and at their end unless told otherwise",
        folder, count > 0 ? "good " : "");
}

/* ---- what is in them --------------------------------------------------------------------------------------------- */

void mn_checkpoint_exchange(mnCheckpointHead *head, mnArchive *archive) {
    mn_archive_group(archive, "checkpoint");
    mn_archive_text(archive, "name", &head->name);
    mn_archive_text(archive, "scene", &head->scene);
    mn_archive_text(archive, "scene_before", &head->before);
    mn_archive_count(archive, "next_frame", &head->pace.next_frame, 0, INT64_MAX / 2);
    mn_archive_real(archive, "last_step", &head->pace.last_step);
}

void mn_checkpoint_clear(mnCheckpointHead *head) {
    free(head->name);
    free(head->scene);
    free(head->before);
    *head = (mnCheckpointHead){0};
}
