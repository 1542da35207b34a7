#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "run/run.h"
#include "scene/names.h"
#include "shipped.h"

static const Verb verbs[] = {
    {"run", "SCENE", "simulate a scene and write frames, a time series and a summary", verb_run},
    {"check", "SCENE", "report every problem in a scene", verb_check},
    {"convert", "IN OUT", "write frames of a run in other formats", verb_convert},
    {"info", "FILE|DIR", "tell what a scene, frame, mesh or output folder holds", verb_info},
    {"measure", "DIR", "tell the drops, wetted areas and contact angles of a run, frame by frame", verb_measure},
    {"mesh", "DIR", "turn the frames of a run into surfaces of its fluids", verb_mesh},
    {"render", "FRAME|DIR", "make a picture of a frame or a film of a run", verb_render},
    {"scenes", "", "list the scenes that ship", verb_scenes},
    {"schema", "", "print the JSON Schema of a scene file", verb_schema},
    {"studio", "[SCENE|DIR]", "watch and steer a run in the browser", verb_studio},
    {"validate", "[NAME...]", "compare simulations with laws of nature", verb_validate},
    {"bench", "[NAME...]", "time the program on scenes of its own", verb_bench},
    {"devices", "", "list the devices that OpenCL can run on", verb_devices},
};
enum { VERBS = sizeof verbs / sizeof verbs[0] };

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("meniscus: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void print_report(FILE *stream, const mnReport *report) {
    static const char untold[] = "no memory left to tell what is wrong";
    for (int i = 0; i < report->count; i++) {
        const mnProblem *p = &report->problems[i];
        if (p->file && *p->file) fprintf(stream, "%s:", p->file);
        if (p->line > 0) fprintf(stream, "%d:", p->line);
        if (p->line > 0 && p->column > 0) fprintf(stream, "%d:", p->column);
        fputs(p->is_warning ? " warning: " : " ", stream);
        if (p->key && *p->key) fprintf(stream, "%s: ", p->key);
        fprintf(stream, "%s\n", p->text ? p->text : untold);
    }
    if (report->count == 0 && report->errors + report->warnings > 0) fprintf(stream, "%s\n", untold);
}

bool is_same_file(const char *a, const char *b) {
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

const char *size_text(double bytes, char text[32]) {
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 5; unit++) bytes /= 1000;
    snprintf(text, 32, unit && bytes < 100 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

void parse_arguments(const struct argp *parser, int argc, char **argv, void *input) {
    error_t trouble = argp_parse(parser, argc, argv, 0, NULL, input);
    if (!trouble) return;
    complain("the arguments cannot be read: %s", strerror(trouble));
    exit(EXIT_FAILED);
}

error_t take_argument(const char **kept, char *argument, struct argp_state *state) {
    if (*kept) argp_error(state, "one argument is enough: \"%s\" or \"%s\"?", *kept, argument);
    *kept = argument;
    return 0;
}

int take_benchmark(const char *name, int count, const char *(*name_of)(int entry), struct argp_state *state) {
    mnNames names = mn_names_start(name);
    for (int i = 0; i < count; i++) {
        if (strcmp(name_of(i), name) == 0) return i;
        mn_names_offer(&names, name_of(i));
    }
    char hint[600];
    mn_names_hint(&names, "Benchmarks", hint, sizeof hint);
    argp_error(state, "unknown benchmark \"%s\"%s", name, hint);
    return -1;
}

double take_number(const char *text, const char *option, double least, double most, bool whole,
                   struct argp_state *state) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || errno || !(value >= least && value <= most) || (whole && value != floor(value)))
        argp_error(state, "%s takes a %snumber from %g to %g, not \"%s\"", option, whole ? "whole " : "", least, most,
                   text);
    return value;
}

static const char *check_backend(const char *name, const char *source, struct argp_state *state) {
    if (!mn_run_is_backend(name)) argp_error(state, "%s takes cpu, opencl or opencl:DEVICE, not \"%s\"", source, name);
    return name;
}

const char *take_backend(const char *name, struct argp_state *state) {
    return check_backend(name, "--backend", state);
}

const char *default_backend(struct argp_state *state) {
    const char *name = getenv("MENISCUS_BACKEND");
    return name && *name ? check_backend(name, "the variable MENISCUS_BACKEND", state) : "cpu";
}

static void print_help(FILE *stream) {
    fprintf(stream, "meniscus %s: fluids at the scale where surface tension and friction rule\n\n", mn_version());
    for (int v = 0; v < VERBS; v++)
        fprintf(stream, "  meniscus %-8s %-11s %s\n", verbs[v].name, verbs[v].arguments, verbs[v].line);
    fprintf(stream, "\nmeniscus help VERB (or meniscus VERB --help) tells the options of a verb.\n"
                    "SCENE is a path or the name of a shipped scene, for example: meniscus run drop_on_slope\n"
                    "Exit status: 0 done, 1 failed while running, 2 bad input or usage.\n");
}

static int run_verb(const Verb *verb, int argc, char **argv) {
    char name[64];
    snprintf(name, sizeof name, "meniscus %s", verb->name);
    argv[0] = name;
    return verb->run(argc, argv);
}

static const Verb *find_verb(const char *name) {
    mnNames names = mn_names_start(name);
    for (int v = 0; v < VERBS; v++) {
        if (strcmp(verbs[v].name, name) == 0) return &verbs[v];
        mn_names_offer(&names, verbs[v].name);
    }
    if (names.nearest)
        complain("unknown verb \"%s\"; did you mean \"%s\"? \"meniscus --help\" lists all", name, names.nearest);
    else
        complain("unknown verb \"%s\"; \"meniscus --help\" lists all", name);
    return NULL;
}

/* Threads of gcc's OpenMP spin before they sleep when they wait for each other. On a busy machine its own setting is
 * ruinous: drop_on_slope with 2 threads on 2 cores, beside one to three other busy processes, took 43 to 1530 ms a step
 * with it and 22 to 131 ms with a spin count of 1000, which was faster in each of 12 interleaved pairs of runs. Not
 * spinning at all was about as good there (15 to 41 ms) but slow on a quiet machine: 12.5 ms instead of 8.5. The
 * setting is read before main, so the program starts itself once more with it. */
static void restart_with_short_spins(char **argv) {
    if (getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY")) return;
    char path[PATH_MAX];
    /* Started through a loader or an emulator, the executable is not us. */
    const char *name = program_path(path) ? strrchr(path, '/') : NULL;
    if (name && strcmp(name, "/meniscus") == 0 && setenv("GOMP_SPINCOUNT", "1000", 1) == 0) execv(path, argv);
}

int main(int argc, char **argv) {
    argp_err_exit_status = EXIT_BAD_INPUT;
    const char *first = argc > 1 ? argv[1] : "";
    if (!*first) {
        print_help(stderr);
        return EXIT_BAD_INPUT;
    }
    bool help = strcmp(first, "help") == 0;
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        printf("meniscus %s\n", mn_version());
        return EXIT_DONE;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-?") == 0 || strcmp(first, "-h") == 0 || (help && argc == 2)) {
        print_help(stdout);
        return EXIT_DONE;
    }
    const Verb *verb = find_verb(help ? argv[2] : first);
    if (!verb) return EXIT_BAD_INPUT;
    bool computes = verb->run == verb_run || verb->run == verb_bench || verb->run == verb_measure ||
                    verb->run == verb_mesh || verb->run == verb_render || verb->run == verb_studio;
    if (!help && computes) restart_with_short_spins(argv);
    if (help) return run_verb(verb, 2, (char *[]){NULL, (char[]){"--help"}, NULL});
    int status = run_verb(verb, argc - 1, argv + 1);
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    complain("cannot write to the standard output: %s", strerror(errno));
    return status == EXIT_DONE ? EXIT_FAILED : status;
}
