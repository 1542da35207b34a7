#include <stdlib.h>

#include "cli.h"
#include "io/file.h"
#include "shipped.h"

static error_t parse(int key, char *argument, struct argp_state *state) {
    (void)state;
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    argp_error(state, "no argument is expected, found \"%s\"", argument);
    return 0;
}

static void print_scene(const Shipped *shipped, const char *name) {
    char file[512];
    snprintf(file, sizeof file, "%s.json", name);
    char *path = mn_path_join(shipped->folder, file);
    mnReport report = {0};
    mnScene *scene = NULL;
    const char *title = "(cannot be read; \"meniscus check\" tells why)";
    if (path && mn_scene_load(path, NULL, 0, &scene, &report) == MN_OK) {
        title = mn_scene_desc(scene)->title;
        if (!title) title = "";
    }
    printf("%-20s %s\n", name, title);
    mn_scene_destroy(scene);
    mn_report_clear(&report);
    free(path);
}

int verb_scenes(int argc, char **argv) {
    const struct argp parser = {NULL, parse, NULL, "Lists the scenes that ship, one line each.", NULL, NULL, NULL};
    parse_arguments(&parser, argc, argv, NULL);
    Shipped shipped = shipped_find();
    if (!shipped.folder || shipped.count == 0) {
        complain("no scenes found%s%s; set MENISCUS_SCENES to their folder", shipped.folder ? " in " : "",
                 shipped.folder ? shipped.folder : "");
        shipped_clear(&shipped);
        return EXIT_FAILED;
    }
    for (int i = 0; i < shipped.count; i++) print_scene(&shipped, shipped.names[i]);
    shipped_clear(&shipped);
    return EXIT_DONE;
}
