/* meniscus render: pictures of a run's frames, or a film of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/parallel.h"
#include "cli.h"
#include "frames.h"
#include "interrupt.h"
#include "io/file.h"
#include "progress.h"
#include "render/film.h"
#include "render/show.h"

enum { OPTION_CAMERA = 1000, OPTION_SIZE, OPTION_SAMPLES, OPTION_LOOK, OPTION_FRAMES, OPTION_FPS, OPTION_THREADS };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "What is written: .png shows the last frame, .mp4 all of them (default: picture.png in the run's folder)", 0},
    {"camera", OPTION_CAMERA, "TEXT", 0,
     "Any of from=x,y,z to=x,y,z up=x,y,z fov=DEGREES aperture=METRES focus=METRES, with spaces between (default: the "
     "scene's, else found)",
     0},
    {"size", OPTION_SIZE, "WxH", 0, "Pixels (default: 1280x720)", 0},
    {"samples", OPTION_SAMPLES, "N", 0, "Paths of light per pixel (default: 64)", 0},
    {"look", OPTION_LOOK, "LOOK", 0,
     "water, clay or field:NAME with one of speed, pressure, measure, phase, id, height (default: the scene's, else "
     "water, and in 2D field:speed)",
     0},
    {"frames", OPTION_FRAMES, "A-B", 0, "Which frames, by their numbers (default: all)", 0},
    {"fps", OPTION_FPS, "N", 0, "Pictures of a film per second (default: 25)", 0},
    {"threads", OPTION_THREADS, "N", 0, "Threads (default: all cores); pictures do not depend on it", 0},
    {"quiet", 'q', NULL, 0, "Say nothing but errors", 0},
    {0}};

typedef struct Arguments {
    const char *source, *output;
    mnShowDesc show;
    int64_t first, last; /* frames; −1: all */
    double fps;
    bool quiet;
} Arguments;

static void parse_size(const char *text, mnShowDesc *show, struct argp_state *state) {
    int end = 0;
    if (sscanf(text, "%5dx%5d%n", &show->width, &show->height, &end) != 2 || text[end] ||
        show->width < MN_PICTURE_SIDE_MIN || show->height < MN_PICTURE_SIDE_MIN || show->width > MN_PICTURE_SIDE_MAX ||
        show->height > MN_PICTURE_SIDE_MAX)
        argp_error(state, "--size takes two numbers from %d to %d such as 1280x720, not \"%s\"", MN_PICTURE_SIDE_MIN,
                   MN_PICTURE_SIDE_MAX, text);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    Arguments *a = state->input;
    mnError error = {0};
    switch (key) {
    case 'o':
        a->output = argument;
        break;
    case 'q':
        a->quiet = true;
        break;
    case OPTION_CAMERA:
        a->show.camera = argument;
        break;
    case OPTION_SIZE:
        parse_size(argument, &a->show, state);
        break;
    case OPTION_SAMPLES:
        /* The filter wants two halves. */
        a->show.samples = 2 * (((int)take_number(argument, "--samples", 1, 1000000, true, state) + 1) / 2);
        break;
    case OPTION_LOOK:
        if (mn_look_parse(argument, &a->show.look, &error) != MN_OK) argp_error(state, "%s", error.text);
        break;
    case OPTION_FRAMES:
        take_frames(argument, &a->first, &a->last, state);
        break;
    case OPTION_FPS:
        a->fps = take_number(argument, "--fps", 0.1, 1000, false, state);
        break;
    case OPTION_THREADS:
        a->show.threads = (int)take_number(argument, "--threads", 1, MN_THREADS_MAX, true, state);
        break;
    case ARGP_KEY_ARG:
        return take_argument(&a->source, argument, state);
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which frame or folder of a run?");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

/* Of all pictures together. */
typedef struct Advance {
    Progress progress;
    int64_t done, count;
} Advance;

static bool go_on(void *context, double share) {
    Advance *advance = context;
    char what[64];
    snprintf(what, sizeof what, "picture %lld of %lld", (long long)advance->done + 1, (long long)advance->count);
    progress_tell(&advance->progress, ((double)advance->done + share) / (double)advance->count, what);
    return !interrupted();
}

/* ---- work -------------------------------------------------------------------------------------------------------- */

static int refuse(const mnError *error) {
    complain("%s", error->text);
    return error->status == MN_ERROR_MEMORY ? EXIT_FAILED : EXIT_BAD_INPUT;
}

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), wanted = strlen(ending);
    return length >= wanted && strcasecmp(path + length - wanted, ending) == 0;
}

static mnStatus write_picture(mnShow *show, const mnRunFolder *run, const char *path, mnError *error) {
    mnPicture picture = {0};
    mnStatus status = mn_show_frame(show, run->frame_count - 1, &picture, error);
    if (status == MN_OK) status = mn_png_write(path, &picture, error);
    mn_picture_clear(&picture);
    return status;
}

static mnStatus write_film(mnShow *show, const Arguments *a, const mnRunFolder *run, const char *path, Advance *advance,
                           mnError *error) {
    mnFilm film;
    mnStatus status = mn_film_start(&film, path, a->show.width, a->show.height, a->fps, error);
    if (status != MN_OK) return status;
    for (int64_t k = 0; k < run->frame_count && status == MN_OK; k++, advance->done++) {
        mnPicture picture = {0};
        status = mn_show_frame(show, k, &picture, error);
        if (status == MN_OK) status = mn_film_add(&film, &picture, error);
        mn_picture_clear(&picture);
        if (status == MN_OK && !go_on(advance, 1) && k + 1 < run->frame_count)
            status = mn_error_set(error, MN_ERROR_INPUT, "stopped before the film was whole");
    }
    if (status == MN_OK) return mn_film_commit(&film, error);
    mn_film_discard(&film);
    return status;
}

/* Everything that can be known to fail is tried before the work begins. */
static mnStatus check_target(const char *path, bool is_film, mnError *error) {
    mnStatus status = is_film ? MN_OK : mn_png_check(error);
    return status == MN_OK ? mn_file_try(path, error) : status;
}

static int render(Arguments *a, mnRunFolder *run, const char *path) {
    mnError error = {0};
    bool is_film = ends_with(path, ".mp4");
    if (!is_film && !ends_with(path, ".png")) {
        complain("%s: a picture is .png, a film .mp4", path);
        return EXIT_BAD_INPUT;
    }
    if (is_film && (a->show.width % 2 || a->show.height % 2)) {
        complain("a film needs even sides, not %dx%d", a->show.width, a->show.height);
        return EXIT_BAD_INPUT;
    }
    if (check_target(path, is_film, &error) != MN_OK) return refuse(&error);
    if (is_film && check_frames(run, a->first >= 0, a->first, a->last, &error) != MN_OK) return refuse(&error);
    /* Camera and range of colours suit the frames that are shown: for a picture the last one alone. */
    if (!is_film && mn_run_folder_select(run, run->frames[run->frame_count - 1].number, INT64_MAX, &error) != MN_OK)
        return refuse(&error);
    Advance advance = {.progress = progress_start(a->quiet), .count = is_film ? run->frame_count : 1};
    a->show.go_on = go_on;
    a->show.context = &advance;
    mnShow *show = NULL;
    if (mn_show_open(run, &a->show, &show, &error) != MN_OK) return refuse(&error);
    mnStatus status =
        is_film ? write_film(show, a, run, path, &advance, &error) : write_picture(show, run, path, &error);
    mn_show_close(show);
    progress_break(&advance.progress);
    if (status != MN_OK) {
        complain("%s", interrupted() ? "interrupted, nothing was written" : error.text);
        return EXIT_FAILED;
    }
    if (!a->quiet) printf("%s\n", path);
    return EXIT_DONE;
}

static int render_run(Arguments *a, mnRunFolder *run) {
    mnError error = {0};
    if (a->first >= 0 && mn_run_folder_select(run, a->first, a->last, &error) != MN_OK) return refuse(&error);
    if (a->output) return render(a, run, a->output);
    char *path = mn_path_join(run->folder, "picture.png");
    int status = path ? render(a, run, path) : EXIT_FAILED;
    if (!path) complain("no memory left");
    free(path);
    return status;
}

int verb_render(int argc, char **argv) {
    const struct argp parser = {options,
                                parse,
                                "FRAME|DIR",
                                "Makes a picture of a frame, or a film of the frames of a run. DIR is what \"meniscus "
                                "run\" has written.",
                                NULL,
                                NULL,
                                NULL};
    Arguments a = {.show = {.width = 1280, .height = 720, .samples = 64}, .first = -1, .fps = 25};
    parse_arguments(&parser, argc, argv, &a);
    if (a.show.threads == 0) a.show.threads = mn_parallel_cores();
    watch_interrupts();
    mnError error = {0};
    mnRunFolder run;
    if (mn_run_folder_open(a.source, &run, &error) != MN_OK) return refuse(&error);
    int status = render_run(&a, &run);
    mn_run_folder_close(&run);
    return status;
}
