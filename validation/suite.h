/* The validation suite: laws of nature and published figures against simulations.
 *
 * A benchmark is a law, a page (validation/NAME.md), one or more scene files (validation/….json) and a list of cases. A
 * case is one independent simulation, or a few that belong together; cases run side by side, each on one thread, so a
 * case never sees another. What a case finds are checks (rows of the table) and points (curves of the plot). When all
 * cases of a benchmark are through, `conclude` may derive further checks from the points: fits, orderings. */
#ifndef MN_VALIDATION_SUITE_H
#define MN_VALIDATION_SUITE_H

#include <stdbool.h>

#include "meniscus/meniscus.h"

typedef struct Case Case;

/* How a measured value is judged. */
typedef enum Judge {
    JUDGE_RELATIVE, /* error = measured/expected − 1, passes when |error| ≤ goal */
    JUDGE_ABSOLUTE, /* error = measured − expected, passes when |error| ≤ goal */
    JUDGE_AT_LEAST, /* error = measured/expected − 1, passes when measured ≥ expected */
    JUDGE_NONE      /* told for information: error as in JUDGE_RELATIVE, no verdict */
} Judge;

/* One row. Texts are copied. */
typedef struct Check {
    const char *quantity; /* "period", "core pressure, R/h = 14" */
    const char *unit;     /* "ms", "" where it is a plain number */
    double expected, measured, goal;
    Judge judge;
    double resolution; /* particles across the thing that the law is about, usually D/h; 0: not meaningful */
} Check;

/* Small things of the plane differ by their packings, angles by some degrees, pressures and speeds by some per cent:
 * what is told of them is the mean of so many, with `seed` from 0 on. */
enum { SEEDS_2D = 4 };

/* ---- inside a case ----------------------------------------------------------------------------------------------- */

/* The numbers and the label of this case from its row in the benchmark's table. */
double case_value(const Case *c, int index);
const char *case_label(const Case *c);

/* Loads validation/SCENE.json with "path=value" changes (NULL-terminated list) and creates the simulation, owned by the
 * case. NULL: the case has failed and says why; return at once. */
mnSim *case_open(Case *c, const char *scene, const char *const *sets);
void case_close(Case *c, mnSim *sim); /* optional: frees memory early */

/* "path=1.25e-3": a text that lives as long as the case, for the list of changes. */
const char *case_set(Case *c, const char *path, double value);

/* Steps until `time`, ending there exactly where steps are adaptive. False: the case has failed; return at once. */
bool case_run(Case *c, mnSim *sim, double time);

/* Like case_run, and calls `look` after every step; `look` returns false to stop early (which is no failure). The time
 * may be INFINITY. */
bool case_watch(Case *c, mnSim *sim, double time, bool (*look)(mnSim *sim, void *context), void *context);

/* How much of the case is done, 0 … 1, for the progress display. */
void case_progress(Case *c, double share);

/* Mean Δt over the explicit capillary limit so far; goes into the row by itself, given here for pages. */
double case_dt_over_capillary(const Case *c);

void case_check(Case *c, Check check);

/* A point of a curve. Curves are named; the benchmark's plots refer to them by name. Cases may share a curve: its
 * points are joined in the order of the cases, and sorted by x unless the plot is `equal`, where a line may turn back.
 */
void case_point(Case *c, const char *curve, double x, double y);

/* A failure of the case that is not an error of the simulation ("the drop never left the plane"): a row that misses. */
void case_fail(Case *c, const char *quantity, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- a benchmark ------------------------------------------------------------------------------------------------- */

typedef struct CaseInfo {
    const char *label; /* "R/h = 14" */
    void (*run)(Case *c);
    double values[6];
    double seconds; /* rough wall time on one core: long ones are started first, and the display needs it */
    bool quick;     /* part of --quick */
    bool compare;   /* only with --compare */
} CaseInfo;

typedef struct Points {
    int count;
    const double *x, *y;
} Points;

/* What `conclude` sees: the points of all cases, a case to add checks to. Curves come sorted by x. */
typedef struct Conclusion Conclusion;
Points conclusion_points(Conclusion *conclusion, const char *curve);
Case *conclusion_case(Conclusion *conclusion); /* for case_check, case_point (curves of laws and fits) and case_fail */

typedef enum CurveStyle { CURVE_POINTS, CURVE_LINE, CURVE_LAW } CurveStyle; /* a law is a black line */

typedef struct CurveInfo {
    const char *name;  /* as in case_point */
    const char *title; /* in the legend */
    CurveStyle style;
} CurveInfo;

enum { PLOT_CURVES_MAX = 16, BENCHMARK_PLOTS_MAX = 4 };

typedef struct PlotInfo {
    const char *name;                  /* file name: NAME.svg becomes BENCHMARK-NAME.svg */
    const char *title;                 /* one line */
    const char *x, *y;                 /* axis titles with units */
    bool log_x, log_y, equal;          /* equal: same scale on both axes, for profiles */
    CurveInfo curves[PLOT_CURVES_MAX]; /* ends with name NULL; curves without points are left out */
} PlotInfo;

typedef struct Benchmark {
    const char *name;  /* "laplace" */
    const char *title; /* "Young–Laplace" */
    const char *law;   /* short, for the table: "p = 2γ/R" */
    const CaseInfo *cases;
    int case_count;
    void (*conclude)(Conclusion *conclusion); /* NULL where the cases say it all */
    bool conclude_quick;                      /* also under --quick, where only the quick cases have run */
    PlotInfo plots[BENCHMARK_PLOTS_MAX];      /* ends with name NULL */
} Benchmark;

/* Every benchmark, in the order of the page; each is defined in its own bench_NAME.c as benchmark_NAME. */
extern const Benchmark *const benchmarks[];
extern const int benchmark_count;

#endif
