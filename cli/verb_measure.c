/* meniscus measure: reads the frames of a run one by one and tells what drops they hold. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/drops.h"
#include "base/parallel.h"
#include "cli.h"
#include "frames.h"
#include "interrupt.h"
#include "io/run_folder.h"
#include "measure_output.h"
#include "progress.h"

enum { OPTION_JSON = 1000, OPTION_FRAMES };

static const struct argp_option options[] = {
    {"json", OPTION_JSON, "FILE", 0, "Write everything, drop by drop, to FILE", 0},
    {"frames", OPTION_FRAMES, "A-B", 0, "Only frames A to B, or A alone (default: all)", 0},
    {"quiet", 'q', NULL, 0, "Say nothing but the table and errors", 0},
    {0}};

typedef struct Arguments {
    const char *path, *json;
    int64_t first, last;
    bool quiet;
} Arguments;

static error_t parse(int key, char *argument, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case OPTION_JSON:
        a->json = argument;
        if (!*argument) argp_error(state, "--json takes a file");
        break;
    case OPTION_FRAMES:
        take_frames(argument, &a->first, &a->last, state);
        break;
    case 'q':
        a->quiet = true;
        break;
    case ARGP_KEY_ARG:
        return take_argument(&a->path, argument, state);
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "of which run? Name the folder that \"meniscus run\" wrote, or one of its frames");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- before anything is measured --------------------------------------------------------------------------------- */

/* The results must not take the place of what they are made of. */
static mnStatus check_target(const char *json, const mnRunFolder *run, mnError *error) {
    if (mn_format_of(json) != MN_FORMAT_COUNT)
        return mn_error_set(error, MN_ERROR_INPUT, "--json %s has the ending of a frame; use .json", json);
    char *scene = mn_path_join(run->folder, "scene.json");
    bool is_source = scene && is_same_file(json, scene);
    free(scene);
    if (is_source) return mn_error_set(error, MN_ERROR_INPUT, "--json %s would replace the scene of the run", json);
    return mn_file_try(json, error);
}

static mnStatus open_run(const Arguments *a, mnRunFolder *run, mnError *error) {
    mnStatus status = mn_run_folder_open(a->path, run, error);
    if (status != MN_OK) return status;
    if (!run->scene)
        status = mn_error_set(error, MN_ERROR_INPUT,
                              "%s has no scene.json, which tells the spacing, fluids and solids of its frames; run the "
                              "scene again, or put the scene there under that name",
                              run->folder);
    if (status == MN_OK && a->last >= 0) status = mn_run_folder_select(run, a->first, a->last, error);
    if (status == MN_OK && a->json) status = check_target(a->json, run, error);
    if (status != MN_OK) mn_run_folder_close(run);
    return status;
}

/* ---- frame by frame ---------------------------------------------------------------------------------------------- */

typedef struct Work {
    const mnRunFolder *run;
    const mnSceneDesc *scene;
    mnWalls walls;
    mnFrame frame;
    mnFile *json; /* NULL: none */
    Progress progress;
} Work;

static mnStatus tell(Work *work, int64_t index, const mnDrops *drops, mnError *error) {
    Measured measured = {.frame = work->run->frames[index].number,
                         .time = work->frame.has_time ? work->frame.time : NAN,
                         .scene = work->scene,
                         .drops = drops};
    progress_clear(&work->progress);
    print_measured(&measured);
    if (!work->json) return MN_OK;
    if (index > 0) mn_file_print(work->json, ",\n");
    return write_measured(work->json, &measured) ? MN_OK : mn_error_set(error, MN_ERROR_MEMORY, "no memory left");
}

static mnStatus measure_frame(Work *work, int64_t index, mnError *error) {
    const char *path = work->run->frames[index].path;
    mnError trouble = {0};
    mnDrops drops;
    mnStatus status = mn_run_folder_read(work->run, index, &work->frame, error);
    if (status == MN_OK) status = mn_walls_place(&work->walls, work->frame.has_time, work->frame.time, path, error);
    if (status != MN_OK) return status;
    status = mn_drops_measure(&work->frame.particles, work->scene, &work->walls,
                              work->frame.has_time ? work->frame.time : 0, mn_parallel_cores(), &drops, &trouble);
    if (status != MN_OK) return mn_error_set(error, status, "%s: %s", path, trouble.text);
    status = tell(work, index, &drops, error);
    mn_drops_clear(&drops);
    return status;
}

/* In the end MN_OK with fewer frames than there are means that it was interrupted. */
static mnStatus measure_frames(Work *work, int64_t *done, mnError *error) {
    mnStatus status = mn_walls_create(work->scene, &work->walls, error);
    if (status != MN_OK) return status;
    print_measured_head(work->scene);
    for (*done = 0; *done < work->run->frame_count && !interrupted(); ++*done) {
        progress_count(&work->progress, *done, work->run->frame_count, "frames");
        status = measure_frame(work, *done, error);
        if (status != MN_OK) break;
    }
    progress_clear(&work->progress);
    mn_frame_clear(&work->frame);
    mn_walls_clear(&work->walls);
    return status;
}

static int exit_status(mnStatus status) {
    return status == MN_OK ? EXIT_DONE : status == MN_ERROR_MEMORY ? EXIT_FAILED : EXIT_BAD_INPUT;
}

static int measure_run(const Arguments *a, const mnRunFolder *run) {
    Work work = {.run = run, .scene = mn_scene_desc(run->scene), .progress = progress_start(a->quiet)};
    mnError error = {0};
    mnFile file;
    int64_t done = 0;
    mnStatus status = a->json ? mn_file_create(&file, a->json, &error) : MN_OK;
    if (status == MN_OK && a->json) {
        work.json = &file;
        mn_file_print(work.json, "[\n");
    }
    if (status == MN_OK) status = measure_frames(&work, &done, &error);
    int result = exit_status(status);
    if (status == MN_OK && done < run->frame_count) {
        mn_error_set(&error, MN_OK, "interrupted after %lld of %lld frames%s%s%s", (long long)done,
                     (long long)run->frame_count, a->json ? "; " : "", a->json ? a->json : "",
                     a->json ? " was not written" : "");
        result = EXIT_FAILED;
    }
    if (work.json && result == EXIT_DONE) {
        mn_file_print(work.json, "\n]\n");
        if (mn_file_commit(work.json, &error) != MN_OK) result = EXIT_FAILED;
    } else if (work.json) {
        mn_file_discard(work.json);
    }
    if (result != EXIT_DONE) complain("%s", error.text);
    return result;
}

int verb_measure(int argc, char **argv) {
    const struct argp parser = {options,
                                parse,
                                "DIR",
                                "Tells the drops in the frames of a run: how many, how large and how fast, the area "
                                "they wet, their contact angles, thickness and sliding speed. DIR is what \"meniscus "
                                "run\" wrote; a single frame of it will do. docs/measure.md says what the columns mean "
                                "and how well they are known.",
                                NULL,
                                NULL,
                                NULL};
    Arguments a = {.last = -1};
    parse_arguments(&parser, argc, argv, &a);
    mnError error = {0};
    mnRunFolder run;
    if (open_run(&a, &run, &error) != MN_OK) {
        complain("%s", error.text);
        return exit_status(error.status);
    }
    watch_interrupts();
    int status = measure_run(&a, &run);
    mn_run_folder_close(&run);
    return status;
}
