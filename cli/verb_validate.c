/* meniscus validate: reads its arguments, runs benchmarks of the suite, tells what they found. */
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "cli.h"
#include "interrupt.h"
#include "runner.h"
#include "scene/names.h"
#include "shipped.h"
#include "table.h"

enum { OPTION_LIST = 1000, OPTION_QUICK, OPTION_COMPARE, OPTION_THREADS };

static const struct argp_option options[] = {
    {"list", OPTION_LIST, NULL, 0, "Only tell what there is to run", 0},
    {"quick", OPTION_QUICK, NULL, 0, "Only the cases that take little time, together about two minutes", 0},
    {"compare", OPTION_COMPARE, NULL, 0, "Also the tension models of others, where a benchmark has them", 0},
    {"threads", OPTION_THREADS, "N", 0, "Cases at a time (default: as many as cores); results do not depend on it", 0},
    {0}};

typedef struct Arguments {
    const Benchmark **chosen; /* in the suite's order; all where none is named */
    int chosen_count;
    bool list;
    RunDesc run;
} Arguments;

static void choose(Arguments *a, const char *name, struct argp_state *state) {
    mnNames names = mn_names_start(name);
    for (int b = 0; b < benchmark_count; b++) {
        if (strcmp(benchmarks[b]->name, name) == 0) {
            a->chosen[a->chosen_count++] = benchmarks[b];
            return;
        }
        mn_names_offer(&names, benchmarks[b]->name);
    }
    char hint[600];
    mn_names_hint(&names, "benchmark", hint, sizeof hint);
    argp_error(state, "there is no benchmark \"%s\"%s", name, hint);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case OPTION_LIST:
        a->list = true;
        break;
    case OPTION_QUICK:
        a->run.quick = true;
        break;
    case OPTION_COMPARE:
        a->run.compare = true;
        break;
    case OPTION_THREADS:
        a->run.threads = (int)take_number(argument, "--threads", 1, MN_THREADS_MAX, true, state);
        break;
    case ARGP_KEY_ARG:
        choose(a, argument, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static bool look(const Run *run, void *context) {
    (void)run;
    (void)context;
    return !interrupted();
}

static int run_chosen(const RunDesc *desc) {
    Run *run = run_plan(desc);
    int status = EXIT_FAILED;
    watch_interrupts();
    if (run_all(run, look, NULL)) {
        table_print(stdout, run);
        Tally tally = run_tally(run);
        printf("%d goals met, %d missed, %d rows for information\n", tally.met, tally.missed, tally.told);
        status = tally.missed ? EXIT_FAILED : EXIT_DONE;
    } else {
        complain("interrupted, nothing is told");
    }
    run_destroy(run);
    return status;
}

int verb_validate(int argc, char **argv) {
    const struct argp parser = {options,
                                parse,
                                "[NAME...]",
                                "Compares simulations with laws of nature and prints what was found. Exit status 1: a "
                                "goal was missed.",
                                NULL,
                                NULL,
                                NULL};
    Arguments a = {.run.threads = mn_parallel_cores()};
    a.chosen = calloc((size_t)argc, sizeof *a.chosen);
    if (!a.chosen) {
        complain("no memory left");
        return EXIT_FAILED;
    }
    argp_parse(&parser, argc, argv, 0, NULL, &a);
    a.run.benchmarks = a.chosen_count ? a.chosen : benchmarks;
    a.run.benchmark_count = a.chosen_count ? a.chosen_count : benchmark_count;
    char *folder = shipped_folder("validation");
    a.run.folder = folder;
    int status = run_chosen(&a.run);
    free(folder);
    free(a.chosen);
    return status;
}
