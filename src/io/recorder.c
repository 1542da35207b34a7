#include "io/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parallel.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/frame_writer.h"

struct mnRecorder {
    char *folder, *summary, *boundary;
    mnFrameWriter *frames;
    mnTable series, timings;
    mnStats total, since_frame;
    double start; /* s, monotonic */
};

/* ---- folders ----------------------------------------------------------------------------------------------------- */

/* The nearest existing place at or above `path` must be a folder that can be written. */
static mnStatus check_place(const char *path, mnError *error) {
    char *place = strdup(*path ? path : ".");
    if (!place) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to look at %s", path);
    struct stat found;
    while (stat(place, &found) != 0 && errno == ENOENT) {
        char *slash = strrchr(place, '/');
        if (!slash)
            memcpy(place, ".", 2);
        else if (slash == place)
            slash[1] = '\0';
        else
            *slash = '\0';
    }
    int reason = 0;
    if (stat(place, &found) != 0)
        reason = errno;
    else if (!S_ISDIR(found.st_mode))
        reason = ENOTDIR;
    else if (access(place, W_OK | X_OK) != 0)
        reason = errno;
    mnStatus status = MN_OK;
    if (reason)
        status = mn_error_set(error, MN_ERROR_FILE, "cannot write into the folder %s: %s: %s", path, place,
                              strerror(reason));
    free(place);
    return status;
}

/* The summary replaces what is at its path, which must not be a folder, a link or a device, nor one of the files that a
 * run writes besides it. */
static mnStatus check_summary(const char *path, mnError *error) {
    static const char *const taken[] = {".csv", ".ply", ".vtp", ".pvd", ".bgeo", ".vtkhdf"};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof taken / sizeof *taken; i++)
        if (strcmp(ending, taken[i]) == 0)
            return mn_error_set(error, MN_ERROR_FILE, "cannot write a summary to %s: it is JSON, use the ending .json",
                                path);
    const char *slash = strrchr(path, '/');
    if (strcmp(slash ? slash + 1 : path, "scene.json") == 0)
        return mn_error_set(error, MN_ERROR_FILE, "cannot write a summary to %s: scenes have that name", path);
    if (mn_file_check(path, error) != MN_OK) return MN_ERROR_FILE;
    char *folder = mn_path_folder(path);
    mnStatus status = folder ? check_place(folder, error)
                             : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to look at %s", path);
    free(folder);
    return status;
}

/* Somebody may keep a scene or a mesh of his own under a name that a run takes. Runs have a folder of frames beside
 * their scene, and make it first. */
static mnStatus check_own_files(const char *folder, mnError *error) {
    char *scene = mn_path_join(folder, "scene.json"), *frames = mn_path_join(folder, "frames");
    char *boundary = mn_path_join(folder, "boundary.ply"), *series = mn_path_join(folder, "series.csv");
    mnStatus status = scene && frames && boundary && series
                          ? mn_file_check(scene, error)
                          : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to look at %s", folder);
    if (status == MN_OK) status = mn_table_check(series, error);
    if (status == MN_OK && access(scene, F_OK) == 0 && access(frames, F_OK) != 0)
        status = mn_file_foreign(scene, error);
    if (status == MN_OK) status = mn_file_check_ours(boundary, (const char *[]){MN_BOUNDARY_START, NULL}, error);
    free(scene);
    free(frames);
    free(boundary);
    free(series);
    return status;
}

mnStatus mn_recorder_check(const mnRecorderDesc *desc, mnError *error) {
    char *frames = mn_path_join(desc->folder, "frames");
    mnStatus status = frames ? check_place(desc->folder, error)
                             : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to look at %s", desc->folder);
    if (status == MN_OK) status = check_place(frames, error);
    if (status == MN_OK) status = check_own_files(desc->folder, error);
    if (status == MN_OK && desc->summary) status = check_summary(desc->summary, error);
    for (int format = 0; format < MN_FORMAT_COUNT && status == MN_OK; format++)
        if (desc->formats[format]) status = mn_format_check((mnFormat)format, error);
    free(frames);
    return status;
}

/* ---- the recorder ------------------------------------------------------------------------------------------------ */

/* From here on the folder is this run's: others are refused. */
static mnStatus open_tables(mnRecorder *r, mnError *error) {
    char *series = mn_path_join(r->folder, "series.csv");
    char *timings = mn_path_join(r->folder, "timings.csv");
    mnStatus status = MN_ERROR_MEMORY;
    if (series && timings)
        status = mn_table_open(&r->series, series, error);
    else
        mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write into %s", r->folder);
    if (status == MN_OK) status = mn_table_open(&r->timings, timings, error);
    free(series);
    free(timings);
    return status;
}

static mnStatus cut_tables(mnRecorder *r, mnError *error) {
    mnStatus status = mn_table_cut(&r->series, error);
    return status == MN_OK ? mn_table_cut(&r->timings, error) : status;
}

static mnStatus make_folder_of(const char *path, mnError *error) {
    char *folder = mn_path_folder(path);
    mnStatus status = folder ? mn_folder_create(folder, error)
                             : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write %s", path);
    free(folder);
    return status;
}

mnStatus mn_recorder_scene(const char *folder, const char *text, mnError *error) {
    char *path = mn_path_join(folder, "scene.json");
    mnFile file;
    mnStatus status = path ? mn_file_create(&file, path, error)
                           : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write into %s", folder);
    if (status == MN_OK) {
        mn_file_print(&file, "%s\n", text);
        mn_file_sync(&file);
        status = mn_file_commit(&file, error);
    }
    free(path);
    return status;
}

/* What goes before either kind of beginning. */
static mnStatus prepare(mnRecorder *r, const mnRecorderDesc *desc, mnError *error) {
    mnFrameWriterDesc frames = {.folder = desc->folder, .solids = true};
    memcpy(frames.formats, desc->formats, sizeof frames.formats);
    r->folder = strdup(desc->folder);
    r->boundary = mn_path_join(desc->folder, "boundary.ply");
    r->summary = desc->summary ? strdup(desc->summary) : mn_path_join(desc->folder, "summary.json");
    if (!r->folder || !r->boundary || !r->summary)
        return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write into %s", desc->folder);
    mnStatus status = mn_frame_writer_begin(&frames, &r->frames, error);
    if (status == MN_OK) status = open_tables(r, error);
    if (status == MN_OK && desc->summary) status = make_folder_of(desc->summary, error);
    return status;
}

static mnStatus start(mnRecorder *r, const mnRecorderDesc *desc, mnError *error) {
    mnStatus status = prepare(r, desc, error);
    /* What an earlier run could go on from goes before what it would go on with. */
    if (status == MN_OK) status = mn_checkpoints_clear(desc->folder, error);
    if (status == MN_OK) status = mn_recorder_scene(desc->folder, desc->scene, error);
    if (status == MN_OK) status = cut_tables(r, error);
    if (status != MN_OK) return status;
    /* Frames of a longer run before this one would otherwise seem to belong to it. */
    mn_frame_writer_clear(r->frames);
    unlink(r->boundary);
    unlink(r->summary);
    return MN_OK;
}

static mnStatus begin(mnRecorder *r, mnStatus status, mnRecorder **recorder) {
    if (status == MN_OK)
        *recorder = r;
    else
        mn_recorder_destroy(r);
    return status;
}

mnStatus mn_recorder_begin(const mnRecorderDesc *desc, mnRecorder **recorder, mnError *error) {
    *recorder = NULL;
    mnRecorder *r = calloc(1, sizeof *r);
    if (!r) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write into %s", desc->folder);
    mnStatus status = start(r, desc, error);
    r->start = mn_clock();
    return begin(r, status, recorder);
}

void mn_recorder_exchange(mnRecorder *r, mnArchive *archive) {
    double wall_seconds = mn_clock() - r->start;
    int64_t series = r->series.good_bytes, timings = r->timings.good_bytes;
    mn_frame_writer_exchange(r->frames, archive);
    mn_archive_group(archive, "run");
    mn_archive_real(archive, "wall_seconds", &wall_seconds);
    mn_archive_count(archive, "series_bytes", &series, 1, INT64_MAX / 2);
    mn_archive_count(archive, "timings_bytes", &timings, 1, INT64_MAX / 2);
    mn_stats_exchange(&r->total, "total", archive);
    mn_stats_exchange(&r->since_frame, "since_frame", archive);
    if (!mn_archive_is_read(archive)) return;
    r->start = mn_clock() - wall_seconds;
    r->series.good_bytes = (long)series;
    r->timings.good_bytes = (long)timings;
}

static mnStatus go_on(mnRecorder *r, const mnRecorderDesc *desc, const mnSceneDesc *scene, mnArchive *archive,
                      int64_t step, mnError *error) {
    mnStatus status = prepare(r, desc, error);
    if (status != MN_OK) return status;
    mn_recorder_exchange(r, archive);
    status = mn_archive_check(archive, error);
    if (status != MN_OK) return status;
    mn_checkpoints_cut(desc->folder, step); /* before what they count */
    status = cut_tables(r, error);
    if (status == MN_OK) status = mn_frame_writer_cut(r->frames, scene, error);
    if (status == MN_OK) unlink(r->summary);
    return status;
}

mnStatus mn_recorder_resume(const mnRecorderDesc *desc, const mnSceneDesc *scene, mnArchive *archive, int64_t step,
                            mnRecorder **recorder, mnError *error) {
    *recorder = NULL;
    mnRecorder *r = calloc(1, sizeof *r);
    if (!r) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write into %s", desc->folder);
    return begin(r, go_on(r, desc, scene, archive, step, error), recorder);
}

mnStatus mn_recorder_sync(mnRecorder *r, mnError *error) {
    mnStatus status = mn_frame_writer_sync(r->frames, error);
    if (status == MN_OK && access(r->boundary, F_OK) == 0) status = mn_path_sync(r->boundary, error);
    if (status == MN_OK) status = mn_table_sync(&r->series, error);
    if (status == MN_OK) status = mn_table_sync(&r->timings, error);
    return status == MN_OK ? mn_path_sync(r->folder, error) : status;
}

void mn_recorder_destroy(mnRecorder *r) {
    if (!r) return;
    mn_table_close(&r->series);
    mn_table_close(&r->timings);
    mn_frame_writer_end(r->frames);
    free(r->folder);
    free(r->summary);
    free(r->boundary);
    free(r);
}

void mn_recorder_step(mnRecorder *r, const mnStepReport *report, double seconds) {
    mn_stats_add(&r->total, report, seconds);
    mn_stats_add(&r->since_frame, report, seconds);
}

static mnStatus add_rows(mnRecorder *r, const mnSnapshot *snapshot, int64_t frame, double start, mnError *error) {
    mnRow row = mn_series_row(snapshot, frame, &r->total, &r->since_frame);
    mnStatus status = mn_table_add(&r->series, &row, error);
    r->since_frame.output_seconds += mn_clock() - start;
    r->total.output_seconds += mn_clock() - start;
    if (status != MN_OK) return status;
    row = mn_timings_row(snapshot, frame, mn_clock() - r->start, &r->total, &r->since_frame);
    return mn_table_add(&r->timings, &row, error);
}

mnSnapshot mn_recorder_look(const mnRecorder *r, const mnSim *sim) {
    mnSnapshot snapshot = mn_snapshot_take(sim);
    if (mn_recorder_frames(r) == 0) snapshot.boundary = mn_sim_boundary(sim);
    return snapshot;
}

static mnStatus write_walls(const mnRecorder *r, const mnSnapshot *snapshot, mnError *error) {
    if (snapshot->boundary.count == snapshot->sampling.boundary) return mn_boundary_write(r->boundary, snapshot, error);
    return mn_error_set(error, MN_ERROR_MEMORY, "out of memory: there is no room to write %s", r->boundary);
}

mnStatus mn_recorder_frame(mnRecorder *r, const mnSnapshot *snapshot, mnError *error) {
    double start = mn_clock();
    int64_t frame = mn_frame_writer_count(r->frames);
    mnStatus status = MN_OK;
    if (frame == 0 && snapshot->sampling.boundary > 0) status = write_walls(r, snapshot, error);
    if (status == MN_OK) status = mn_frame_writer_add(r->frames, snapshot, error);
    if (status == MN_OK) {
        status = add_rows(r, snapshot, frame, start, error);
        if (status != MN_OK) mn_frame_writer_drop(r->frames, snapshot->scene);
    }
    if (status == MN_OK)
        r->since_frame = (mnStats){0};
    else
        mn_frame_writer_name_last(r->frames, error);
    return status;
}

mnStatus mn_recorder_end(mnRecorder *r, const mnSnapshot *snapshot, const char *status, const char *message,
                         mnError *error) {
    mnOutcome outcome = {
        .status = status, .message = message, .frames = mn_recorder_frames(r), .wall_seconds = mn_clock() - r->start};
    return mn_summary_write(r->summary, snapshot, &r->total, &outcome, error);
}

int64_t mn_recorder_frames(const mnRecorder *r) {
    return mn_frame_writer_count(r->frames);
}

bool mn_recorder_is_current(const mnRecorder *r) {
    return mn_recorder_frames(r) > 0 && r->since_frame.steps == 0;
}

const mnStats *mn_recorder_stats(const mnRecorder *r) {
    return &r->total;
}

const char *mn_recorder_summary_path(const mnRecorder *r) {
    return r->summary;
}
