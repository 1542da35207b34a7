#include "io/frame_writer.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "io/solids.h"

struct mnFrameWriter {
    char *folder, *frames, *pvd;
    bool formats[MN_FORMAT_COUNT];
    bool solids;
    int64_t first, count, capacity;
    int64_t synced; /* of them are on the disk for certain */
    double *times;  /* of the frames written, s */
    mnIdOrder order;
};

/* ---- what was there before --------------------------------------------------------------------------------------- */

/* frame_ and digits, an ending of ours, perhaps still partial. */
static bool is_frame_name(const char *name, int64_t *number) {
    if (strncmp(name, "frame_", 6) != 0) return false;
    const char *rest = name + 6;
    size_t digits = strspn(rest, "0123456789");
    *number = strtoll(rest, NULL, 10);
    rest += digits;
    if (digits < 6 || *rest++ != '.') return false;
    for (int format = 0; format < MN_FORMAT_COUNT; format++) {
        const char *ending = mn_format_name((mnFormat)format);
        size_t length = strlen(ending);
        if (strncmp(rest, ending, length) == 0 && (!rest[length] || strcmp(rest + length, ".partial") == 0))
            return true;
    }
    return false;
}

static void remove_frames(const mnFrameWriter *w, int64_t from) {
    DIR *entries = opendir(w->frames);
    int64_t number;
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries))
        if (is_frame_name(entry->d_name, &number) && number >= from) unlinkat(dirfd(entries), entry->d_name, 0);
    if (entries) closedir(entries);
}

void mn_frame_writer_clear(const mnFrameWriter *w) {
    unlink(w->pvd);
    remove_frames(w, 0);
    mn_solids_remove(w->folder);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

mnStatus mn_frame_writer_begin(const mnFrameWriterDesc *desc, mnFrameWriter **writer, mnError *error) {
    *writer = NULL;
    mnFrameWriter *w = calloc(1, sizeof *w);
    if (w) {
        memcpy(w->formats, desc->formats, sizeof w->formats);
        w->first = desc->first;
        w->solids = desc->solids;
        w->folder = strdup(desc->folder);
        w->frames = mn_path_join(desc->folder, "frames");
        w->pvd = w->frames ? mn_path_join(w->frames, "frames.pvd") : NULL;
    }
    mnStatus status = w && w->folder && w->pvd
                          ? mn_folder_create(w->frames, error)
                          : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write into %s", desc->folder);
    if (status != MN_OK) {
        mn_frame_writer_end(w);
        return status;
    }
    *writer = w;
    return MN_OK;
}

void mn_frame_writer_end(mnFrameWriter *w) {
    if (!w) return;
    mn_order_clear(&w->order);
    free(w->folder);
    free(w->frames);
    free(w->pvd);
    free(w->times);
    free(w);
}

static char *frame_path(const mnFrameWriter *w, int64_t frame, mnFormat format) {
    char name[64];
    mn_frame_name(name, w->first + frame, format);
    return mn_path_join(w->frames, name);
}

static mnStatus reserve_times(mnFrameWriter *w, int64_t needed, mnError *error) {
    if (needed <= w->capacity) return MN_OK;
    int64_t capacity = needed > 2 * w->capacity ? needed + 256 : 2 * w->capacity;
    double *times = realloc(w->times, (size_t)capacity * sizeof *times);
    if (!times) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for more frames");
    w->times = times;
    w->capacity = capacity;
    return MN_OK;
}

/* What tells of all frames so far, the list of their files last: where it cannot be written, none that it names has to
 * go. */
static mnStatus write_index(const mnFrameWriter *w, const mnSceneDesc *scene, int64_t count, mnError *error) {
    mnStatus status = MN_OK;
    if (w->solids && scene) status = mn_solids_move(w->folder, scene, w->times, count, error);
    if (status == MN_OK && w->formats[MN_FORMAT_VTP]) status = mn_pvd_write(w->pvd, w->first, w->times, count, error);
    return status;
}

static mnStatus write_files(mnFrameWriter *w, const mnSnapshot *snapshot, mnError *error) {
    mnStatus status = mn_order_by_id(&w->order, &snapshot->particles, error);
    for (int format = 0; format < MN_FORMAT_COUNT && status == MN_OK; format++) {
        if (!w->formats[format]) continue;
        char *path = frame_path(w, w->count, (mnFormat)format);
        status = path ? mn_frame_write((mnFormat)format, path, snapshot, w->order.index, error)
                      : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write a frame");
        free(path);
    }
    if (status == MN_OK && w->count == 0 && w->solids && snapshot->scene)
        status = mn_solids_write(w->folder, snapshot->scene, error);
    return status == MN_OK ? write_index(w, snapshot->scene, w->count + 1, error) : status;
}

/* The files of the frame after the last. */
static void take_back(const mnFrameWriter *w) {
    for (int format = 0; format < MN_FORMAT_COUNT; format++) {
        char *path = w->formats[format] ? frame_path(w, w->count, (mnFormat)format) : NULL;
        if (path) unlink(path);
        free(path);
    }
}

mnStatus mn_frame_writer_add(mnFrameWriter *w, const mnSnapshot *snapshot, mnError *error) {
    mnStatus status = reserve_times(w, w->count + 1, error);
    if (status != MN_OK) return status;
    w->times[w->count] = snapshot->time;
    status = write_files(w, snapshot, error);
    if (status == MN_OK)
        w->count++;
    else
        take_back(w);
    return status;
}

void mn_frame_writer_drop(mnFrameWriter *w, const mnSceneDesc *scene) {
    bool is_listed = w->count > 1 ? write_index(w, scene, w->count - 1, NULL) != MN_OK : unlink(w->pvd) != 0;
    if (is_listed && w->formats[MN_FORMAT_VTP]) return;
    w->count--;
    take_back(w);
}

int64_t mn_frame_writer_count(const mnFrameWriter *w) {
    return w->count;
}

void mn_frame_writer_name_last(const mnFrameWriter *w, mnError *error) {
    if (!error) return;
    size_t used = strlen(error->text);
    if (w->count == 0)
        snprintf(error->text + used, sizeof error->text - used, "; no frame was written");
    else
        snprintf(error->text + used, sizeof error->text - used, "; the last good frame is %s/frame_%06lld at %.6g s",
                 w->frames, (long long)(w->first + w->count - 1), w->times[w->count - 1]);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

mnStatus mn_frame_writer_sync(mnFrameWriter *w, mnError *error) {
    mnStatus status = MN_OK;
    for (; w->synced < w->count && status == MN_OK; w->synced += status == MN_OK)
        for (int format = 0; format < MN_FORMAT_COUNT && status == MN_OK; format++) {
            char *path = w->formats[format] ? frame_path(w, w->synced, (mnFormat)format) : NULL;
            if (path) status = mn_path_sync(path, error);
            free(path);
        }
    if (status == MN_OK && w->solids) status = mn_solids_sync(w->folder, error);
    return status == MN_OK ? mn_path_sync(w->frames, error) : status;
}

void mn_frame_writer_exchange(mnFrameWriter *w, mnArchive *archive) {
    mn_archive_group(archive, "frames");
    for (int format = 0; format < MN_FORMAT_COUNT; format++)
        mn_archive_flag(archive, mn_format_name((mnFormat)format), &w->formats[format]);
    if (mn_archive_is_read(archive)) {
        int64_t count = mn_archive_length(archive, "times");
        if (reserve_times(w, count, NULL) != MN_OK) mn_archive_lack(archive);
        if (mn_archive_check(archive, NULL) != MN_OK) return;
        w->count = count;
    }
    mn_archive_reals(archive, "times", w->times, w->count);
}

mnStatus mn_frame_writer_cut(mnFrameWriter *w, const mnSceneDesc *scene, mnError *error) {
    mnStatus status = write_index(w, scene, w->count, error);
    if (status == MN_OK) remove_frames(w, w->first + w->count); /* when no list names them any more */
    return status;
}
