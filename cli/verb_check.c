#include <stdlib.h>

#include "cli.h"
#include "shipped.h"

static error_t parse(int key, char *argument, struct argp_state *state) {
    if (key == ARGP_KEY_ARG) return take_argument(state->input, argument, state);
    if (key != ARGP_KEY_NO_ARGS) return ARGP_ERR_UNKNOWN;
    argp_error(state, "which scene?");
    return 0;
}

/* What only shows when meshes are read and particles are counted. */
static int check_size(const char *path, const mnSceneDesc *scene) {
    mnError error = {0};
    int64_t particles = 0;
    size_t bytes = 0;
    if (mn_sim_estimate(scene, &particles, &bytes, &error) != MN_OK) {
        printf("%s: %s\n", path, error.text);
        return EXIT_BAD_INPUT;
    }
    char size[32];
    printf("%s: good: %dD, h = %.4g m, %d fluid(s), %d solid(s), %lld particles at the start, %s of memory\n", path,
           scene->dimension, scene->spacing, scene->fluid_count, scene->solid_count, (long long)particles,
           size_text((double)bytes, size));
    return EXIT_DONE;
}

int verb_check(int argc, char **argv) {
    const struct argp parser = {
        NULL, parse, "SCENE", "Reports every problem in a scene, exit status 2 if there is one.", NULL, NULL, NULL};
    const char *name = NULL;
    parse_arguments(&parser, argc, argv, &name);
    char *path = shipped_resolve(name);
    if (!path) return EXIT_BAD_INPUT;
    mnReport report = {0};
    mnScene *scene = NULL;
    int status = EXIT_BAD_INPUT;
    mnStatus loaded = mn_scene_load(path, NULL, 0, &scene, &report);
    print_report(stdout, &report);
    if (loaded == MN_OK)
        status = check_size(path, mn_scene_desc(scene));
    else
        printf("%s: %d problem(s)\n", path, report.errors);
    mn_scene_destroy(scene);
    mn_report_clear(&report);
    free(path);
    return status;
}
