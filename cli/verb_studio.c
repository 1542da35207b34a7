/* meniscus studio: a page to watch and steer a run with. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "interrupt.h"
#include "io/file.h"
#include "shipped.h"

enum { OPTION_PORT = 1000, OPTION_NO_OPEN, OPTION_THREADS, OPTION_BACKEND };

static const struct argp_option options[] = {
    {"port", OPTION_PORT, "N", 0, "Port to listen on (default: any that is free)", 0},
    {"no-open", OPTION_NO_OPEN, NULL, 0, "Open no browser", 0},
    {"output", 'o', "DIR", 0, "Folder that runs are recorded into (default: out/studio/NAME)", 0},
    {"threads", OPTION_THREADS, "N", 0, "Threads (default: all cores); results do not depend on it", 0},
    {"backend", OPTION_BACKEND, "NAME", 0, BACKEND_HELP, 0},
    {0}};

typedef struct Arguments {
    const char *shown; /* scene or folder of a run; NULL: nothing is opened */
    int port;
    bool opens_no_browser;
    const char *output;
    int threads;
    const char *backend;
} Arguments;

static error_t parse(int key, char *argument, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case 'o':
        if (!*argument) argp_error(state, "-o takes a folder");
        a->output = argument;
        break;
    case OPTION_PORT:
        a->port = (int)take_number(argument, "--port", 1, 65535, true, state);
        break;
    case OPTION_NO_OPEN:
        a->opens_no_browser = true;
        break;
    case OPTION_THREADS:
        a->threads = (int)take_number(argument, "--threads", 1, MN_THREADS_MAX, true, state);
        break;
    case OPTION_BACKEND:
        a->backend = take_backend(argument, state);
        break;
    case ARGP_KEY_ARG:
        return take_argument(&a->shown, argument, state);
    case ARGP_KEY_END:
        if (!a->backend) a->backend = default_backend(state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

#ifdef MN_HAVE_STUDIO

#include "browser.h"
#include "server.h"

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* The scenes that ship, as the page lists them. */
typedef struct Choice {
    Shipped shipped;
    mnStudioScene *scenes;
    int count;
} Choice;

static bool is_in(const char *page, const char *file) {
    char *path = mn_path_join(page, file);
    bool is_there = path && access(path, R_OK) == 0;
    free(path);
    return is_there;
}

static bool has_picture(const char *page, const char *name) {
    char file[512];
    snprintf(file, sizeof file, "scenes/%s.png", name);
    return is_in(page, file);
}

/* A scene that cannot be read is listed without a title: opening it tells why. */
static char *title_of(const char *path) {
    mnReport report = {0};
    mnScene *scene = NULL;
    char *title = NULL;
    if (mn_scene_load(path, NULL, 0, &scene, &report) == MN_OK && mn_scene_desc(scene)->title)
        title = strdup(mn_scene_desc(scene)->title);
    mn_scene_destroy(scene);
    mn_report_clear(&report);
    return title ? title : strdup("");
}

static Choice choice_find(const char *page) {
    Choice choice = {.shipped = shipped_find()};
    choice.scenes = calloc((size_t)choice.shipped.count + 1, sizeof *choice.scenes);
    for (int i = 0; choice.scenes && i < choice.shipped.count; i++) {
        char file[512];
        const char *name = choice.shipped.names[i];
        snprintf(file, sizeof file, "%s.json", name);
        char *path = mn_path_join(choice.shipped.folder, file), *title = path ? title_of(path) : NULL;
        if (title)
            choice.scenes[choice.count++] = (mnStudioScene){name, title, path, has_picture(page, name)};
        else
            free(path);
    }
    return choice;
}

static void choice_clear(Choice *choice) {
    for (int i = 0; i < choice->count; i++) {
        free((char *)choice->scenes[i].title);
        free((char *)choice->scenes[i].path);
    }
    free(choice->scenes);
    shipped_clear(&choice->shipped);
}

/* ---- the server -------------------------------------------------------------------------------------------------- */

static void say(const char *line) {
    printf("%s\n", line);
    fflush(stdout);
}

static void is_open(void *context, const char *address) {
    const Arguments *a = context;
    watch_interrupts();
    printf("The studio is at\n\n    %s\n\n", address);
    printf("It serves this machine alone, and only those who have this address. Ctrl-C ends it.\n");
    fflush(stdout);
    bool has_screen = getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");
    if (!a->opens_no_browser && has_screen) browser_open(address);
}

static bool is_over(void *context) {
    (void)context;
    return interrupted();
}

static int serve(Arguments *a, const char *scene, const char *run) {
    char *page = shipped_folder("studio");
    if (!page) {
        complain("the studio's page is not there: meniscus was built without node, with which it is made; install "
                 "Node.js 18 or newer and build again, or set MENISCUS_STUDIO to the folder of a page");
        return EXIT_FAILED;
    }
    Choice choice = choice_find(page);
    mnServerDesc desc = {.studio = {.scenes = choice.scenes,
                                    .scene_count = choice.count,
                                    .scene = scene,
                                    .run = run,
                                    .output = a->output,
                                    .threads = a->threads,
                                    .backend = a->backend,
                                    .validation = is_in(page, "validation.html") ? "validation.html" : NULL,
                                    .say = say},
                         .page = page,
                         .port = a->port,
                         .is_open = is_open,
                         .is_over = is_over,
                         .context = a};
    mnError error = {0};
    mnStatus status = mn_server_run(&desc, &error);
    if (status != MN_OK) complain("%s", error.text);
    choice_clear(&choice);
    free(page);
    return status == MN_OK ? EXIT_DONE : EXIT_BAD_INPUT;
}

/* Whether the scene lies where a run into the folder writes its own. */
static bool replaces_scene(const char *folder, const char *scene) {
    char *path = folder ? mn_path_join(folder, "scene.json") : NULL;
    bool is_same = path && is_same_file(path, scene);
    free(path);
    return is_same;
}

static int run_studio(Arguments *a) {
    struct stat found;
    if (!a->shown) return serve(a, NULL, NULL);
    if (stat(a->shown, &found) == 0 && S_ISDIR(found.st_mode)) return serve(a, NULL, a->shown);
    char *scene = shipped_resolve(a->shown);
    if (!scene) return EXIT_BAD_INPUT;
    int status = EXIT_BAD_INPUT;
    if (replaces_scene(a->output, scene))
        complain("a run into %s would replace the scene itself, %s; take another folder with -o", a->output, scene);
    else
        status = serve(a, scene, NULL);
    free(scene);
    return status;
}

#else

static int run_studio(Arguments *a) {
    (void)a;
    complain("this build has no studio: install libwebsockets 4 with its headers (Debian: libwebsockets-dev) and build "
             "again");
    return EXIT_FAILED;
}

#endif

int verb_studio(int argc, char **argv) {
    const struct argp parser = {options,
                                parse,
                                "[SCENE|DIR]",
                                "Serves a page in which a scene is chosen, run, watched and steered. SCENE is a path "
                                "or the name of a shipped one, DIR a finished run to be looked through.",
                                NULL,
                                NULL,
                                NULL};
    Arguments a = {0};
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    return run_studio(&a);
}
