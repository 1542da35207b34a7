#include <stdlib.h>

#include "cli.h"

enum { OPTION_PAGE = 1000 };

static const struct argp_option options[] = {
    {"page", OPTION_PAGE, NULL, 0, "Print the same as a page to read (docs/scene.md)", 0}, {0}};

static error_t parse(int key, char *argument, struct argp_state *state) {
    bool *page = state->input;
    if (key == OPTION_PAGE)
        *page = true;
    else if (key == ARGP_KEY_ARG)
        argp_error(state, "no argument is expected, found \"%s\"", argument);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int verb_schema(int argc, char **argv) {
    const struct argp parser = {options, parse, NULL, "Prints the JSON Schema of a scene file.", NULL, NULL, NULL};
    bool page = false;
    parse_arguments(&parser, argc, argv, &page);
    char *text = page ? mn_scene_manual() : mn_scene_schema();
    if (!text) {
        complain("no memory left");
        return EXIT_FAILED;
    }
    int failed = fputs(text, stdout) < 0 || fflush(stdout) != 0;
    free(text);
    if (failed) complain("cannot write to the output");
    return failed ? EXIT_FAILED : EXIT_DONE;
}
