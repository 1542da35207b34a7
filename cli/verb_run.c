/* meniscus run: reads its arguments and a scene, then hands over to the session that steps and records. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "formats.h"
#include "io/file.h"
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
    OPTION_SUMMARY
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
    SessionDesc session;
} Arguments;

static void set_number(char set[64], const char *key, double value) {
    snprintf(set, 64, "%s=%.17g", key, value);
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
    case OPTION_FORMAT:
        take_formats(argument, s->record.formats, state);
        break;
    case OPTION_SUMMARY:
        s->record.summary = argument;
        break;
    case ARGP_KEY_ARG:
        return take_argument(&a->scene, argument, state);
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which scene? \"meniscus scenes\" lists those that ship");
        break;
    case ARGP_KEY_END:
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
    mnOptions sim_options = mn_default_options();
    sim_options.threads = a->threads;
    sim_options.backend = a->backend;
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
    if (*a->until) a->sets[a->set_count++] = a->until;
    if (*a->fps) a->sets[a->set_count++] = a->fps;
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

int verb_run(int argc, char **argv) {
    const struct argp parser = {options,
                                parse,
                                "SCENE",
                                "Simulates a scene, which is a path or the name of a shipped one, and writes frames, a "
                                "time series and a summary.",
                                NULL,
                                NULL,
                                NULL};
    Arguments a = {.session.record.formats = {[MN_FORMAT_PLY] = true, [MN_FORMAT_VTP] = true}};
    /* There cannot be more changes than arguments. */
    a.sets = calloc((size_t)argc + 1, sizeof *a.sets);
    if (!a.sets) {
        complain("no memory left");
        return EXIT_FAILED;
    }
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    int status = run_scene(&a);
    free(a.sets);
    return status;
}
