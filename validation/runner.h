/* Runs the cases of benchmarks on a pool of threads, longest first. Each simulation has one thread, so results do not
 * depend on the size of the pool. */
#ifndef MN_VALIDATION_RUNNER_H
#define MN_VALIDATION_RUNNER_H

#include "case.h"

/* What a benchmark found. */
typedef struct Finding {
    const Benchmark *benchmark;
    Case *cases; /* those that were asked for, in the benchmark's order */
    int case_count;
    Case conclusion;
} Finding;

/* A row and where it belongs. */
typedef struct Entry {
    const Benchmark *benchmark;
    const Case *owner;
    const Row *row;
} Entry;

typedef struct RunDesc {
    const Benchmark *const *benchmarks;
    int benchmark_count;
    const char *folder;      /* of the scenes */
    const char *const *sets; /* "path=value" changes to every scene, NULL-terminated; NULL: none */
    bool quick, compare;
    int threads;
    const char *backend; /* as mnOptions has it; on a device cases run one at a time */
} RunDesc;

typedef struct Run {
    RunDesc desc;
    Finding *findings; /* benchmarks none of whose cases is asked for are left out */
    int finding_count, case_count, done_count;
    double started, wall_seconds;
    atomic_bool stop;
    /* When done: every row, cases' before their conclusion's. Of a run that was stopped: those of the cases that had
     * ended by themselves, a row without figures for each other one, and the conclusions of benchmarks all of whose
     * cases had ended. */
    Entry *entries;
    int entry_count;
} Run;

/* The cases that are asked for; nothing runs yet. */
Run *run_plan(const RunDesc *desc);
void run_destroy(Run *run);

/* Runs everything. `look` is called from this thread a few times a second and whenever a case ends; it returns false to
 * stop, and then this ends as soon as every case has ended its step. False: not every case was run to its end. */
bool run_all(Run *run, bool (*look)(const Run *run, void *context), void *context);

/* Of a case that is running, 0 … 1: what it says, or else by its estimate. */
double case_share(const Case *c);

/* Seconds to go, by the estimates of the cases and by how far these were off until now. */
double run_seconds_left(const Run *run);

/* All points of a curve that the benchmark's cases and conclusion gave, in this order or sorted by x. To be released
 * with curve_clear. */
Curve finding_curve(const Finding *finding, const char *name, bool sorted);

#endif
