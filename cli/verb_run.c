/* meniscus run: reads its arguments and a scene, then hands over to the session that steps and records. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "formats.h"
#include "io/file.h"
#include "resume.h"
#include "session.h"
#include "shipped.h"

enum {
    OPTION_SET = 1000,
    OPTION_UNTIL,
    OPTION_STEPS,
    OPTION_FPS,
    OPTION_FORMAT,
    OPTION_THREADS,
    OPTION_BACKEND,
    OPTION_SUMMARY,
    OPTION_CHECKPOINT,
    OPTION_RESUME
};

static const struct argp_option options[] = {
    {"output", 'o', "DIR", 0, "Folder for all that is written (default: out/NAME)", 0},
    {"set", OPTION_SET, "PATH=VALUE", 0, "Change a key of the scene, such as fluids.water.tension.vapor=0.03", 0},
    {"until", OPTION_UNTIL, "SECONDS", 0, "Simulated time to stop at (default: the scene's duration)", 0},
    {"steps", OPTION_STEPS, "N", 0, "Stop after N steps", 0},
    {"fps", OPTION_FPS, "N", 0, "Frames per simulated second (default: the scene's)", 0},
    {"format", OPTION_FORMAT, "LIST", 0, "Frame formats out of " FORMAT_NAMES " (default: ply,vtp)", 0},
    {"threads", OPTION_THREADS, "N", 0, "Threads (default: all cores); results do not depend on it", 0},
    {"backend", OPTION_BACKEND, "NAME", 0, BACKEND_HELP, 0},
    {"summary", OPTION_SUMMARY, "FILE", 0, "Where the summary goes (default: DIR/summary.json)", 0},
    {"checkpoint-every", OPTION_CHECKPOINT, "N|Ns", 0,
     "Steps, or with an s seconds of wall time, between checkpoints that a run can go on from (default: 300s); "
     "\"never\" or 0 for none",
     0},
    {"resume", OPTION_RESUME, "DIR", 0,
     "Go on with the run in this folder from its last checkpoint, as if it had never been stopped; --set, --until, "
     "--steps and --fps may change it from there on",
     0},
    {"quiet", 'q', NULL, 0, "Say nothing but errors", 0},
    {"verbose", 'v', NULL, 0, "Say more: the set-up, and a line for every frame", 0},
    {0}};

typedef struct Arguments {
    const char *scene;
    const char **sets;
    int set_count;
    char until[64], fps[64]; /* what they set in the scene; empty: nothing */
    int threads;
    const char *backend;
    const char *resume;               /* folder; NULL: a new run */
    bool has_format, has_checkpoints; /* asked for */
    SessionDesc session;
} Arguments;

static void set_number(char set[64], const char *key, double value) {
    snprintf(set, 64, "%s=%.17g", key, value);
}

static void take_interval(Arguments *a, const char *text, struct argp_state *state) {
    size_t length = strlen(text);
    bool is_time = length > 1 && text[length - 1] == 's';
    char number[64] = "0";
    if (strcmp(text, "never") != 0) snprintf(number, sizeof number, "%.*s", (int)length - is_time, text);
    double value = take_number(number, "--checkpoint-every", 0, 1e15, !is_time, state);
    a->session.checkpoint_steps = is_time ? 0 : (int64_t)value;
    a->session.checkpoint_seconds = is_time ? value : 0;
    a->has_checkpoints = value > 0;
}

/* Of a run that goes on. */
static void check_resume(const Arguments *a, struct argp_state *state) {
    if (a->scene) argp_error(state, "--resume takes the scene from the run, \"%s\" is one too many", a->scene);
    if (!*a->resume) argp_error(state, "--resume takes a folder");
    if (a->session.record.folder) argp_error(state, "--resume goes on in the folder of the run, -o has no place there");
    if (a->has_format) argp_error(state, "--format cannot be changed on the way, --resume keeps that of the run");
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    Arguments *a = state->input;
    SessionDesc *s = &a->session;
    switch (key) {
    case 'o':
        s->record.folder = argument;
        break;
    case 'q':
        s->quiet = true;
        break;
    case 'v':
        s->verbose = true;
        break;
    case OPTION_SET:
        a->sets[a->set_count++] = argument;
        break;
    case OPTION_UNTIL:
        set_number(a->until, "duration", take_number(argument, "--until", 1e-12, 1e6, false, state));
        break;
    case OPTION_STEPS:
        s->steps = (int64_t)take_number(argument, "--steps", 1, 1e15, true, state);
        break;
    case OPTION_FPS:
        set_number(a->fps, "fps", take_number(argument, "--fps", 1e-3, 1e6, false, state));
        break;
    case OPTION_THREADS:
        a->threads = (int)take_number(argument, "--threads", 1, MN_THREADS_MAX, true, state);
        break;
    case OPTION_BACKEND:
        a->backend = take_backend(argument, state);
        break;
    case OPTION_CHECKPOINT:
        take_interval(a, argument, state);
        break;
    case OPTION_RESUME:
        a->resume = argument;
        break;
    case OPTION_FORMAT:
        a->has_format = true;
        take_formats(argument, s->record.formats, state);
        break;
    case OPTION_SUMMARY:
        s->record.summary = argument;
        break;
    case ARGP_KEY_ARG:
        return take_argument(&a->scene, argument, state);
    case ARGP_KEY_NO_ARGS:
        if (!a->resume) argp_error(state, "which scene? \"meniscus scenes\" lists those that ship");
        break;
    case ARGP_KEY_END:
        if (a->resume) check_resume(a, state);
        if (!a->backend) a->backend = default_backend(state);
        if (s->quiet && s->verbose) argp_error(state, "--quiet and --verbose exclude each other");
        if (s->record.folder && !*s->record.folder) argp_error(state, "-o takes a folder");
        if (s->record.summary && !*s->record.summary) argp_error(state, "--summary takes a file");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Whether the scene lies where a run into the folder writes what is JSON too. */
static bool replaces_scene(const char *folder, const char *scene) {
    static const char *const names[] = {"scene.json", "summary.json"};
    bool is_same = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = mn_path_join(folder, names[i]);
        is_same = is_same || (path && is_same_file(path, scene));
        free(path);
    }
    return is_same;
}

static mnOptions options_of(const Arguments *a) {
    mnOptions sim_options = mn_default_options();
    sim_options.threads = a->threads;
    sim_options.backend = a->backend;
    return sim_options;
}

static int run_loaded(Arguments *a, const char *path, const mnScene *loaded) {
    const mnSceneDesc *scene = mn_scene_desc(loaded);
    char folder[512];
    if (!a->session.record.folder) {
        snprintf(folder, sizeof folder, "out/%s", scene->name && *scene->name ? scene->name : "run");
        a->session.record.folder = folder;
    }
    if (replaces_scene(a->session.record.folder, path)) {
        complain("a run into %s would replace the scene itself, %s; take another folder with -o",
                 a->session.record.folder, path);
        return EXIT_BAD_INPUT;
    }
    a->session.record.scene = mn_scene_text(loaded);
    mnOptions sim_options = options_of(a);
    return session_run(&a->session, scene, &sim_options);
}

static int run_scene(Arguments *a) {
    char *path = shipped_resolve(a->scene);
    if (!path) return EXIT_BAD_INPUT;
    if (a->session.record.summary && is_same_file(a->session.record.summary, path)) {
        complain("--summary %s would replace the scene itself", path);
        free(path);
        return EXIT_BAD_INPUT;
    }
    mnReport report = {0};
    mnScene *scene = NULL;
    int status = EXIT_BAD_INPUT;
    mnStatus loaded = mn_scene_load(path, a->sets, a->set_count, &scene, &report);
    if (loaded != MN_OK || !a->session.quiet) print_report(stderr, &report);
    if (loaded == MN_OK)
        status = run_loaded(a, path, scene);
    else
        complain("%s has %d problem(s), nothing was written", path, report.errors);
    mn_scene_destroy(scene);
    mn_report_clear(&report);
    free(path);
    return status;
}

static int run_resumed(Arguments *a) {
    Resume resume;
    int status = EXIT_BAD_INPUT;
    mnScene *scene = NULL;
    if (resume_begin(a->resume, &resume)) scene = resume_scene(&resume, a->sets, a->set_count, a->session.quiet);
    if (scene) {
        mnOptions sim_options = options_of(a);
        a->session.record.folder = a->resume;
        a->session.record.scene = mn_scene_text(scene);
        status = session_resume(&a->session, &resume, mn_scene_desc(scene), &sim_options);
    }
    mn_scene_destroy(scene);
    resume_end(&resume);
    return status;
}

/* Without what checkpoints need there are none, unless they were asked for. */
static int run_checked(Arguments *a) {
    mnError error = {0};
    bool is_wanted = a->resume || a->has_checkpoints;
    if (mn_archive_available(&error) != MN_OK) {
        a->session.checkpoint_steps = 0;
        a->session.checkpoint_seconds = 0;
        if (is_wanted || a->session.verbose) complain("%s", error.text);
        if (is_wanted) return EXIT_BAD_INPUT;
    }
    if (*a->until) a->sets[a->set_count++] = a->until;
    if (*a->fps) a->sets[a->set_count++] = a->fps;
    return a->resume ? run_resumed(a) : run_scene(a);
}

int verb_run(int argc, char **argv) {
    const struct argp parser = {options,
                                parse,
                                "SCENE\n--resume DIR",
                                "Simulates a scene, which is a path or the name of a shipped one, and writes frames, a "
                                "time series and a summary.",
                                NULL,
                                NULL,
                                NULL};
    Arguments a = {
        .session = {.record.formats = {[MN_FORMAT_PLY] = true, [MN_FORMAT_VTP] = true}, .checkpoint_seconds = 300}};
    /* There cannot be more changes than arguments. */
    a.sets = calloc((size_t)argc + 1, sizeof *a.sets);
    if (!a.sets) {
        complain("no memory left");
        return EXIT_FAILED;
    }
    parse_arguments(&parser, argc, argv, &a);
    int status = run_checked(&a);
    free(a.sets);
    return status;
}
