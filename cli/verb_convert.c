/* meniscus convert: one frame into another file, or the frames of a run into a folder that is laid out like a run's. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "formats.h"
#include "frames.h"
#include "interrupt.h"
#include "io/file.h"
#include "io/frame_writer.h"
#include "io/run_folder.h"
#include "progress.h"

enum { OPTION_FORMAT = 1000, OPTION_FRAMES };

static const struct argp_option options[] = {
    {"format", OPTION_FORMAT, "LIST", 0, "For a folder: formats to write, out of " FORMAT_NAMES, 0},
    {"frames", OPTION_FRAMES, "A-B", 0, "For a folder: only the frames numbered A to B, or A alone", 0},
    {"quiet", 'q', NULL, 0, "Say nothing but errors", 0},
    {0}};

typedef struct Arguments {
    const char *in, *out;
    bool has_formats, formats[MN_FORMAT_COUNT];
    bool has_frames;
    int64_t first, last;
    bool quiet;
} Arguments;

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static error_t parse(int key, char *argument, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 'q':
        a->quiet = true;
        break;
    case OPTION_FORMAT:
        take_formats(argument, a->formats, state);
        a->has_formats = true;
        break;
    case OPTION_FRAMES:
        take_frames(argument, &a->first, &a->last, state);
        a->has_frames = true;
        break;
    case ARGP_KEY_ARG:
        if (a->out) argp_error(state, "two arguments are enough: what is \"%s\"?", argument);
        *(a->in ? &a->out : &a->in) = argument;
        break;
    case ARGP_KEY_END:
        if (!a->out || !*a->out) argp_error(state, "from which frame or run, and to which file or folder?");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int refuse(const mnError *error) {
    complain("%s", error->text);
    return EXIT_BAD_INPUT;
}

static bool is_folder(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* ---- one frame --------------------------------------------------------------------------------------------------- */

/* A frame of a run as it was at its time. Frames as CSV do not tell it; then it is that of the number. */
static mnSnapshot snapshot_of(const mnRunFolder *run, int64_t index, const mnFrame *frame) {
    const mnSceneDesc *scene = run->scene ? mn_scene_desc(run->scene) : NULL;
    mnSnapshot snapshot = mn_frame_snapshot(frame, scene);
    if (!frame->has_time && scene)
        snapshot.time = fmin((double)run->frames[index].number / scene->frames_per_second, scene->duration);
    return snapshot;
}

static int convert_file(const Arguments *a, const mnRunFolder *run) {
    mnFormat format = mn_format_of(a->out);
    mnFrame frame = {0};
    mnIdOrder order = {0};
    mnError error = {0};
    if (a->has_formats || a->has_frames) {
        complain("--format and --frames are for folders; %s is one frame, and the ending of %s tells its format", a->in,
                 a->out);
        return EXIT_BAD_INPUT;
    }
    if (format == MN_FORMAT_COUNT) {
        complain("%s: give it the ending of a format out of " FORMAT_NAMES, a->out);
        return EXIT_BAD_INPUT;
    }
    if (is_same_file(a->in, a->out)) {
        complain("%s would replace what it is made of", a->out);
        return EXIT_BAD_INPUT;
    }
    if (mn_format_check(format, &error) != MN_OK || mn_file_check(a->out, &error) != MN_OK ||
        mn_run_folder_read(run, 0, &frame, &error) != MN_OK)
        return refuse(&error);
    mnSnapshot snapshot = snapshot_of(run, 0, &frame);
    mnStatus status = mn_order_by_id(&order, &frame.particles, &error);
    if (status == MN_OK) status = mn_frame_write(format, a->out, &snapshot, order.index, &error);
    mn_order_clear(&order);
    mn_frame_clear(&frame);
    if (status == MN_OK) return EXIT_DONE;
    complain("%s", error.text);
    return EXIT_FAILED;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

typedef struct Conversion {
    const Arguments *arguments;
    const mnRunFolder *run;
    bool in_place; /* into the folder that the frames come from */
    mnFrameWriter *writer;
    Progress progress;
} Conversion;

/* Formats can be added to a run, but no file of it is replaced. */
static mnStatus check_in_place(const Conversion *c, const char *frames, mnError *error) {
    mnStatus status = MN_OK;
    for (int64_t k = 0; k < c->run->frame_count; k++)
        for (int f = 0; f < MN_FORMAT_COUNT && status == MN_OK; f++) {
            if (!c->arguments->formats[f]) continue;
            char name[64];
            mn_frame_name(name, c->run->frames[k].number, (mnFormat)f);
            char *path = mn_path_join(frames, name);
            if (!path)
                status = mn_error_set(error, MN_ERROR_MEMORY, "no memory left");
            else if (access(path, F_OK) == 0)
                status =
                    mn_error_set(error, MN_ERROR_INPUT, "%s is a frame of the run itself; take another folder", path);
            free(path);
        }
    return status;
}

/* Frames of one run do not go among those of another. */
static mnStatus check_apart(const char *folder, mnError *error) {
    char *scene = mn_path_join(folder, "scene.json");
    mnStatus status = scene ? MN_OK : mn_error_set(error, MN_ERROR_MEMORY, "no memory left");
    if (scene && access(scene, F_OK) == 0)
        status = mn_error_set(error, MN_ERROR_INPUT, "%s is the folder of another run; take another one", folder);
    free(scene);
    return status;
}

static mnStatus check_target(Conversion *c, mnError *error) {
    mnStatus status = MN_OK;
    for (int f = 0; f < MN_FORMAT_COUNT && status == MN_OK; f++)
        if (c->arguments->formats[f]) status = mn_format_check((mnFormat)f, error);
    if (status != MN_OK) return status;
    char *from = strdup(c->run->frames[0].path), *to = mn_path_join(c->arguments->out, "frames");
    if (from && to) {
        *strrchr(from, '/') = '\0'; /* paths of a run folder have one */
        c->in_place = is_same_file(from, to);
        if (c->in_place)
            status = check_in_place(c, to, error);
        else
            status = check_apart(c->arguments->out, error);
    } else {
        status = mn_error_set(error, MN_ERROR_MEMORY, "no memory left");
    }
    free(from);
    free(to);
    return status;
}

/* Nothing is made before the first frame could be read. */
static mnStatus begin(Conversion *c, mnError *error) {
    mnFrameWriterDesc desc = {.folder = c->arguments->out, .first = c->run->frames[0].number, .solids = !c->in_place};
    memcpy(desc.formats, c->arguments->formats, sizeof desc.formats);
    return mn_frame_writer_begin(&desc, &c->writer, error);
}

static mnStatus convert_frames(Conversion *c, mnError *error) {
    mnFrame frame = {0};
    mnStatus status = MN_OK;
    for (int64_t k = 0; k < c->run->frame_count && status == MN_OK && !interrupted(); k++) {
        status = mn_run_folder_read(c->run, k, &frame, error);
        if (status == MN_OK && !c->writer) status = begin(c, error);
        if (status != MN_OK) break;
        mnSnapshot snapshot = snapshot_of(c->run, k, &frame);
        status = mn_frame_writer_add(c->writer, &snapshot, error);
        progress_count(&c->progress, k + 1, c->run->frame_count, "frames");
    }
    mn_frame_clear(&frame);
    return status;
}

static int convert_run(const Arguments *a, mnRunFolder *run) {
    Conversion c = {.arguments = a, .run = run};
    mnError error = {0};
    if (!a->has_formats || mn_format_of(a->out) != MN_FORMAT_COUNT) {
        complain("%s is a folder of frames: give --format a list out of " FORMAT_NAMES ", and a folder to write to",
                 a->in);
        return EXIT_BAD_INPUT;
    }
    if ((a->has_frames && mn_run_folder_select(run, a->first, a->last, &error) != MN_OK) ||
        check_frames(run, a->has_frames, a->first, a->last, &error) != MN_OK || check_target(&c, &error) != MN_OK)
        return refuse(&error);
    watch_interrupts();
    c.progress = progress_start(a->quiet);
    mnStatus status = convert_frames(&c, &error);
    progress_break(&c.progress);
    int64_t done = c.writer ? mn_frame_writer_count(c.writer) : 0;
    int exit_status = status == MN_OK && done == run->frame_count ? EXIT_DONE : EXIT_FAILED;
    if (status != MN_OK) {
        if (c.writer) mn_frame_writer_name_last(c.writer, &error);
        complain("%s", error.text);
        if (!c.writer) exit_status = EXIT_BAD_INPUT;
    } else if (!a->quiet) {
        printf("%s: %lld of %lld frames in %s\n", exit_status == EXIT_DONE ? "done" : "interrupted", (long long)done,
               (long long)run->frame_count, a->out);
    }
    mn_frame_writer_end(c.writer);
    return exit_status;
}

int verb_convert(int argc, char **argv) {
    const struct argp parser = {options,
                                parse,
                                "IN OUT",
                                "Writes frames in other formats. IN is a frame, then OUT is a file whose ending tells "
                                "the format; or IN is the folder of a run or its folder of frames, then OUT is a "
                                "folder that gets frames and solids as a run does.\v"
                                "meniscus convert out/run/frames/frame_000010.ply drop.bgeo\n"
                                "meniscus convert out/run houdini --format bgeo --frames 0-99",
                                NULL,
                                NULL,
                                NULL};
    Arguments a = {0};
    parse_arguments(&parser, argc, argv, &a);
    mnRunFolder run;
    mnError error = {0};
    if (mn_run_folder_open(a.in, &run, &error) != MN_OK) return refuse(&error);
    int status = is_folder(a.in) ? convert_run(&a, &run) : convert_file(&a, &run);
    mn_run_folder_close(&run);
    return status;
}
