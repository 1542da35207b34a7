/* Timing of the program on scenes of its own: what there is to run, how it is timed, and what comes out of it.
 *
 * A case is a shipped scene with some of its keys changed. It takes a few steps to warm up and then as many as are
 * asked for, each of which is timed; figures are medians over these steps, with the distance between the quartiles as
 * their spread. */
#ifndef MN_BENCH_BENCH_H
#define MN_BENCH_BENCH_H

#include <stdbool.h>

#include "meniscus/meniscus.h"

enum { BENCH_SETS_MAX = 5 };

typedef struct BenchCase {
    const char *setting; /* what sets it apart from the other cases of its benchmark; "" where there are none */
    const char *sets[BENCH_SETS_MAX];
    int warm_up, steps;              /* on the CPU; ten times as many on a device */
    double paper_jacobi, paper_nncg; /* iterations that the paper tells; 0: none */
} BenchCase;

typedef struct Bench {
    const char *name, *title, *scene;
    bool on_request; /* runs only when it is named */
    const BenchCase *cases;
    int case_count;
} Bench;

extern const Bench benches[];
extern const int bench_count;

/* A median and the distance between the quartiles. */
typedef struct Spread {
    double median, spread;
} Spread;

typedef struct BenchRow {
    const Bench *bench;
    const BenchCase *info;
    const char *backend;
    int threads;
    int64_t particles, boundary;
    int steps;
    double spacing, dt;      /* m; s, mean */
    double iterations_mean;  /* per step */
    Spread step, iteration;  /* s */
    double per_second;       /* seconds of wall time per simulated second, median */
    double pairs_per_second; /* of the solver: two passes over the neighbours within 2h and two over those within 3h */
    double flops_share;      /* of what the yardstick does, at 35 operations a pair */
    double bytes_per_particle;     /* of fluid; those that a device holds where there is one, else the machine's */
    double stages[MN_STAGE_COUNT]; /* s a step, medians */
    double yardstick;              /* s that the yardstick took around this case */
} BenchRow;

typedef struct BenchDesc {
    const char *folder; /* of the scenes */
    int threads;
    const char *backend; /* as mnOptions has it */
    bool profiled;
    double spacing; /* m; 0: the scene's own */
} BenchDesc;

/* Runs one case; `look` is called after each step with the share that is done and ends the case by returning false. An
 * ended case is told as MN_OK with row->steps 0. */
mnStatus bench_run(const Bench *bench, const BenchCase *info, const BenchDesc *desc,
                   bool (*look)(double share, void *context), void *context, BenchRow *row, mnError *error);

/* A fixed amount of arithmetic, 4·10⁹ operations in all, on `threads` threads: seconds it took. What a figure of a
 * slower machine means for a faster one can be told from the two of them. */
double yardstick_seconds(int threads);
extern const double yardstick_flops;

/* As the columns of a table and as an array of JSON objects. */
void bench_table_head(void);
void bench_table_row(const BenchRow *row);
mnStatus bench_write(const BenchRow *rows, int count, const char *path, mnError *error);

#endif
