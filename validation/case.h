/* The inside of a case, for the runner and for those who write results down. Benchmarks see suite.h only. */
#ifndef MN_VALIDATION_CASE_H
#define MN_VALIDATION_CASE_H

#include <stdatomic.h>
#include <stdint.h>

#include "suite.h"
#include "texts.h"

typedef enum Verdict { VERDICT_NONE, VERDICT_PASS, VERDICT_MISS } Verdict;

/* A check with its outcome. Texts are owned. */
typedef struct Row {
    char *quantity, *unit;
    char *note;                             /* what went wrong, or that it was cut short; NULL where nothing did */
    double expected, measured, error, goal; /* NAN where there is none */
    double resolution, dt_over_capillary;   /* 0: not meaningful */
    Judge judge;
    Verdict verdict;
} Row;

typedef struct Curve {
    char *name;
    double *x, *y;
    int count;
} Curve;

typedef enum CaseState { CASE_WAITING, CASE_RUNNING, CASE_DONE, CASE_CUT } CaseState;

/* Written by the one thread that runs it; `state`, `started` and `share` are looked at by others meanwhile. */
struct Case {
    const Benchmark *benchmark;
    const CaseInfo *info;    /* NULL in a conclusion */
    const char *folder;      /* of the scenes */
    const char *const *sets; /* changes to every scene */
    const char *backend;     /* of every simulation */
    const atomic_bool *stop; /* set: end soon; what was found so far will be forgotten */
    _Atomic(CaseState) state;
    _Atomic double started, share; /* s by mn_clock; 0 … 1, 0: never told */
    double wall_seconds;
    int64_t steps;
    double ratio_sum; /* of Δt over the capillary limit, over all steps */
    Row *rows;
    Curve *curves;
    mnSim **sims; /* NULL where closed */
    char **texts; /* of case_set */
    int row_count, curve_count, sim_count, text_count;
};

void case_close_all(Case *c); /* simulations, which are large; what was found stays */
void case_forget(Case *c);    /* what was found */
void case_cut(Case *c);       /* says in a row that it did not come to its end */
void case_clear(Case *c);

/* Error and verdict of a check. */
double check_error(const Check *check);
Verdict check_verdict(const Check *check);

/* NULL where there is none of this name. */
const Curve *case_curve(const Case *c, const char *name);
void curve_add(Curve *curve, double x, double y);
void curve_clear(Curve *curve);

#endif
