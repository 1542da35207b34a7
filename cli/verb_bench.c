/* meniscus bench: reads its arguments, times cases one after the other, tells what they took. */
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "bench.h"
#include "cli.h"
#include "interrupt.h"
#include "io/file.h"
#include "progress.h"
#include "shipped.h"
#include "texts.h"

enum { OPTION_LIST = 1000, OPTION_JSON, OPTION_THREADS, OPTION_BACKEND, OPTION_KERNELS, OPTION_SIZE };

static const struct argp_option options[] = {
    {"list", OPTION_LIST, NULL, 0, "Only tell what there is to run", 0},
    {"json", OPTION_JSON, "FILE", 0, "Write the figures to FILE as well", 0},
    {"threads", OPTION_THREADS, "N", 0, "Threads (default: as many as cores)", 0},
    {"backend", OPTION_BACKEND, "NAME", 0, BACKEND_HELP, 0},
    {"kernels", OPTION_KERNELS, NULL, 0, "Have a device time its kernels and tell them, which costs some time itself",
     0},
    {"size", OPTION_SIZE, "H", 0, "Particle spacing in metres instead of the benchmark's own", 0},
    {0}};

typedef struct Arguments {
    bool *chosen; /* per benchmark */
    bool list;
    const char *json;
    BenchDesc desc;
} Arguments;

static const char *name_of(int bench) {
    return benches[bench].name;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    Arguments *a = state->input;
    switch (key) {
    case OPTION_LIST:
        a->list = true;
        break;
    case OPTION_JSON:
        a->json = argument;
        break;
    case OPTION_THREADS:
        a->desc.threads = (int)take_number(argument, "--threads", 1, MN_THREADS_MAX, true, state);
        break;
    case OPTION_BACKEND:
        a->desc.backend = take_backend(argument, state);
        break;
    case OPTION_KERNELS:
        a->desc.profiled = true;
        break;
    case OPTION_SIZE:
        a->desc.spacing = take_number(argument, "--size", 1e-9, 1e3, false, state);
        break;
    case ARGP_KEY_ARG:
        a->chosen[take_benchmark(argument, bench_count, name_of, state)] = true;
        break;
    case ARGP_KEY_END:
        if (!a->desc.backend) a->desc.backend = default_backend(state);
        if (a->json && !*a->json) argp_error(state, "--json takes a file");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

typedef struct Display {
    Progress line;
    const Bench *bench;
    const BenchCase *info;
} Display;

static bool look(double share, void *context) {
    Display *display = context;
    if (display->line.terminal) {
        char line[256];
        snprintf(line, sizeof line, "%s, %s: %.0f %%", display->bench->name, display->info->setting, 100 * share);
        progress_draw(&display->line, line, sizeof line);
    }
    return !interrupted();
}

static int run_case(const Arguments *a, const Bench *bench, const BenchCase *info, BenchRow *row) {
    Display display = {progress_start(false), bench, info};
    mnError error = {0};
    if (!display.line.terminal) fprintf(stderr, "%s, %s\n", bench->name, info->setting);
    mnStatus status = bench_run(bench, info, &a->desc, look, &display, row, &error);
    progress_break(&display.line);
    if (status != MN_OK) {
        complain("%s, %s: %s", bench->name, info->setting, error.text);
        return EXIT_FAILED;
    }
    if (row->steps > 0) bench_table_row(row);
    return EXIT_DONE;
}

static int run_chosen(const Arguments *a) {
    mnError error = {0};
    if (a->json && mn_file_try(a->json, &error) != MN_OK) {
        complain("%s", error.text);
        return EXIT_BAD_INPUT;
    }
    watch_interrupts();
    BenchRow *rows = NULL;
    int count = 0, status = EXIT_DONE;
    bench_table_head();
    for (int b = 0; b < bench_count; b++)
        for (int k = 0; a->chosen[b] && k < benches[b].case_count && !interrupted(); k++) {
            rows = list_grow(rows, count, sizeof *rows);
            if (run_case(a, &benches[b], &benches[b].cases[k], &rows[count]) != EXIT_DONE)
                status = EXIT_FAILED;
            else
                count += rows[count].steps > 0;
        }
    if (interrupted()) {
        complain("interrupted: %d case(s) had ended", count);
        status = EXIT_FAILED;
    }
    if (a->json && bench_write(rows, count, a->json, &error) != MN_OK) {
        complain("%s", error.text);
        status = EXIT_FAILED;
    }
    free(rows);
    return status;
}

static void list_benches(void) {
    for (int b = 0; b < bench_count; b++) {
        printf("%-8s %s\n", benches[b].name, benches[b].title);
        for (int k = 0; k < benches[b].case_count && benches[b].case_count > 1; k++)
            printf("           %s\n", benches[b].cases[k].setting);
    }
}

int verb_bench(int argc, char **argv) {
    const struct argp parser = {options,
                                parse,
                                "[NAME...]",
                                "Times the program on scenes of its own, all benchmarks or those named. Figures are "
                                "medians over steps; what stands behind ± is half the distance of the quartiles.",
                                NULL,
                                NULL,
                                NULL};
    Arguments a = {.desc = {.threads = mn_parallel_cores()}, .chosen = calloc((size_t)bench_count, sizeof(bool))};
    if (!a.chosen) return EXIT_FAILED;
    parse_arguments(&parser, argc, argv, &a);
    bool is_named = false;
    for (int b = 0; b < bench_count; b++) is_named = is_named || a.chosen[b];
    for (int b = 0; b < bench_count; b++) a.chosen[b] = a.chosen[b] || (!is_named && !benches[b].on_request);
    int status = EXIT_DONE;
    char *folder = a.list ? NULL : shipped_folder("scenes");
    a.desc.folder = folder;
    if (a.list)
        list_benches();
    else if (folder)
        status = run_chosen(&a);
    else {
        complain("the scenes that ship were not found; set MENISCUS_SCENES to their folder");
        status = EXIT_FAILED;
    }
    free(folder);
    free(a.chosen);
    return status;
}
