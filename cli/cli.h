/* What the verbs of the program share.
 *
 * A verb gets its own arguments (argv[0] is "meniscus VERB") and returns the exit status. Results go to stdout,
 * everything else to stderr. */
#ifndef MN_CLI_CLI_H
#define MN_CLI_CLI_H

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "meniscus/meniscus.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_BAD_INPUT = 2 };

typedef struct Verb {
    const char *name;
    const char *arguments; /* for the list of verbs */
    const char *line;      /* what it does */
    int (*run)(int argc, char **argv);
} Verb;

int verb_run(int argc, char **argv);
int verb_check(int argc, char **argv);
int verb_convert(int argc, char **argv);
int verb_info(int argc, char **argv);
int verb_measure(int argc, char **argv);
int verb_mesh(int argc, char **argv);
int verb_render(int argc, char **argv);
int verb_scenes(int argc, char **argv);
int verb_schema(int argc, char **argv);
int verb_studio(int argc, char **argv);
int verb_validate(int argc, char **argv);
int verb_bench(int argc, char **argv);
int verb_devices(int argc, char **argv);

/* "meniscus: " and the text, as a line on stderr. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One line per problem: file:line:column: key: text. */
void print_report(FILE *stream, const mnReport *report);

/* Whether both are there and one and the same. */
bool is_same_file(const char *a, const char *b);

/* "1.4 GB" */
const char *size_text(double bytes, char text[32]);

/* argp_parse, which ends the program where arguments are wrong, and here also where they cannot be read. */
void parse_arguments(const struct argp *parser, int argc, char **argv, void *input);

/* For a verb's one positional argument: keeps it, or refuses a second one. */
error_t take_argument(const char **kept, char *argument, struct argp_state *state);

/* The entry, of `count`, whose name the argument is, or a refusal that tells the names of all benchmarks. */
int take_benchmark(const char *name, int count, const char *(*name_of)(int entry), struct argp_state *state);

/* What an option --backend says, and what stands for one that was not given: the variable MENISCUS_BACKEND, else the
 * CPU. Or an error of usage. */
#define BACKEND_HELP                                                                                                   \
    "What simulates: cpu, opencl, or opencl:DEVICE, which is a number or part of a name that \"meniscus devices\" "    \
    "lists (default: the environment variable MENISCUS_BACKEND, else cpu)"
const char *take_backend(const char *name, struct argp_state *state);
const char *default_backend(struct argp_state *state);

/* The number in an option's argument, or a refusal. */
double take_number(const char *text, const char *option, double least, double most, bool whole,
                   struct argp_state *state);

#endif
