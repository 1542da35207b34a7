/* meniscus validate: reads its arguments, runs benchmarks of the suite, tells what they found. */
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "cli.h"
#include "interrupt.h"
#include "plot.h"
#include "report.h"
#include "results.h"
#include "shipped.h"
#include "table.h"
#include "validate_progress.h"

enum {
    OPTION_LIST = 1000,
    OPTION_QUICK,
    OPTION_COMPARE,
    OPTION_JSON,
    OPTION_REPORT,
    OPTION_SET,
    OPTION_THREADS,
    OPTION_BACKEND
};

static const struct argp_option options[] = {
    {"list", OPTION_LIST, NULL, 0, "Only tell what there is to run", 0},
    {"quick", OPTION_QUICK, NULL, 0, "Only cases that take little time, together about two minutes", 0},
    {"compare", OPTION_COMPARE, NULL, 0, "Other models of surface tension too, where a benchmark has them", 0},
    {"json", OPTION_JSON, "FILE", 0, "Write the results to FILE as well", 0},
    {"report", OPTION_REPORT, "DIR", 0, "Write DIR/index.html and DIR/validation.md with plots", 0},
    {"set", OPTION_SET, "PATH=VALUE", 0, "Change a key of every scene, such as solver.preset=paper", 0},
    {"threads", OPTION_THREADS, "N", 0,
     "Cases at a time (default: as many as cores, one on a device); results do not depend on it", 0},
    {"backend", OPTION_BACKEND, "NAME", 0, BACKEND_HELP, 0},
    {0}};

typedef struct Arguments {
    const Benchmark **chosen; /* none: all of them */
    const char **sets;
    int chosen_count, set_count;
    bool list;
    const char *json;
    ReportDesc report;
    RunDesc run;
} Arguments;

static const char *name_of(int benchmark) {
    return benchmarks[benchmark]->name;
}

static void choose(Arguments *a, const Benchmark *benchmark) {
    for (int i = 0; i < a->chosen_count; i++)
        if (a->chosen[i] == benchmark) return;
    a->chosen[a->chosen_count++] = benchmark;
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
    case OPTION_JSON:
        a->json = argument;
        break;
    case OPTION_REPORT:
        a->report.folder = argument;
        break;
    case OPTION_SET:
        a->sets = list_grow(a->sets, a->set_count + 1, sizeof *a->sets);
        a->sets[a->set_count++] = argument;
        a->sets[a->set_count] = NULL;
        break;
    case OPTION_THREADS:
        a->run.threads = (int)take_number(argument, "--threads", 1, MN_THREADS_MAX, true, state);
        break;
    case OPTION_BACKEND:
        a->run.backend = take_backend(argument, state);
        break;
    case ARGP_KEY_ARG:
        choose(a, benchmarks[take_benchmark(argument, benchmark_count, name_of, state)]);
        break;
    case ARGP_KEY_END:
        if (!a->run.backend) a->run.backend = default_backend(state);
        if (a->json && !*a->json) argp_error(state, "--json takes a file");
        if (a->report.folder && !*a->report.folder) argp_error(state, "--report takes a folder");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* "meniscus validate --quick", for the report. */
static char *command_text(int argc, char **argv) {
    char *text = text_copy(argv[0]);
    for (int i = 1; i < argc; i++) {
        char *longer = text_format("%s %s", text, argv[i]);
        free(text);
        text = longer;
    }
    return text;
}

static void print_padded(const char *text, int width) {
    printf("%s%*s  ", text, width - text_width(text), "");
}

static void list_benchmarks(const Run *run) {
    int name = 0, title = 0, law = 0;
    for (int f = 0; f < run->finding_count; f++) {
        const Benchmark *b = run->findings[f].benchmark;
        name = text_width(b->name) > name ? text_width(b->name) : name;
        title = text_width(b->title) > title ? text_width(b->title) : title;
        law = text_width(b->law) > law ? text_width(b->law) : law;
    }
    for (int f = 0; f < run->finding_count; f++) {
        const Finding *finding = &run->findings[f];
        double seconds = 0;
        for (int i = 0; i < finding->case_count; i++) seconds += finding->cases[i].info->seconds;
        char time[DURATION_BYTES];
        print_padded(finding->benchmark->name, name);
        print_padded(finding->benchmark->title, title);
        print_padded(finding->benchmark->law, law);
        printf("%2d case(s), about %s of one core\n", finding->case_count, text_duration(seconds, time));
    }
}

/* What cannot be written is told before anything runs. */
static bool can_write(Arguments *a) {
    mnError error = {0};
    if ((a->json && mn_file_try(a->json, &error) != MN_OK) ||
        (a->report.folder && report_check(a->report.folder, &error) != MN_OK)) {
        complain("%s", error.text);
        return false;
    }
    a->report.drawn = a->report.folder && plot_can_draw();
    if (a->report.folder && !a->report.drawn) complain("warning: %s", report_without_plots);
    return true;
}

static bool look(const Run *run, void *context) {
    validate_progress_show(context, run);
    return !interrupted();
}

static int tell(const Arguments *a, const Run *run) {
    table_print(stdout, run);
    int status = run_tally(run).missed ? EXIT_FAILED : EXIT_DONE;
    mnError error = {0};
    if (a->json && results_write(run, a->json, &error) != MN_OK) {
        complain("%s", error.text);
        status = EXIT_FAILED;
    }
    if (a->report.folder && report_write(run, &a->report, &error) != MN_OK) {
        complain("%s", error.text);
        status = EXIT_FAILED;
    }
    return status;
}

static int run_chosen(Arguments *a, Run *run) {
    if (!can_write(a)) return EXIT_BAD_INPUT;
    watch_interrupts();
    ValidateProgress progress = validate_progress_start(run);
    bool done = run_all(run, look, &progress);
    validate_progress_end(&progress);
    int status = tell(a, run);
    if (done) return status;
    complain("interrupted: %d of %d cases had ended, of the others there are no figures", run->done_count,
             run->case_count);
    return EXIT_FAILED;
}

static int plan_and_run(Arguments *a) {
    char *folder = shipped_folder("validation");
    if (!folder) {
        complain("the files of the validation suite were not found; set MENISCUS_VALIDATION to their folder");
        return EXIT_FAILED;
    }
    a->run.folder = folder;
    Run *run = run_plan(&a->run);
    int status = EXIT_DONE;
    if (run->case_count == 0) {
        complain("no case of what was named is a quick one; leave --quick out");
        status = EXIT_BAD_INPUT;
    } else if (a->list) {
        list_benchmarks(run);
    } else {
        status = run_chosen(a, run);
    }
    run_destroy(run);
    free(folder);
    return status;
}

int verb_validate(int argc, char **argv) {
    const struct argp parser = {
        options,
        parse,
        "[NAME...]",
        "Compares simulations with laws of nature and published figures, all benchmarks or "
        "those named, and prints a table of what was found. Exit status 1: a goal was missed, or the "
        "run was interrupted; what had ended by then is told and written all the same.",
        NULL,
        NULL,
        NULL};
    Arguments a = {.run.threads = mn_parallel_cores()};
    /* argp moves the options to the front, so the command is kept as it was typed. */
    char *command = command_text(argc, argv);
    a.report.command = command;
    a.chosen = list_grow(NULL, 0, (size_t)benchmark_count * sizeof *a.chosen);
    parse_arguments(&parser, argc, argv, &a);
    a.run.sets = a.sets;
    a.run.benchmarks = a.chosen_count ? a.chosen : benchmarks;
    a.run.benchmark_count = a.chosen_count ? a.chosen_count : benchmark_count;
    int status = plan_and_run(&a);
    free(a.sets);
    free(a.chosen);
    free(command);
    return status;
}
