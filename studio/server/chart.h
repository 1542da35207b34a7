/* What charts are drawn from: a row per step, thinned where there are too many. */
#ifndef MN_STUDIO_CHART_H
#define MN_STUDIO_CHART_H

#include <stdbool.h>
#include <stdint.h>

enum { MN_CHART_ROWS = 2000 };

typedef enum mnChartColumn {
    MN_CHART_TIME,
    MN_CHART_STEP,
    MN_CHART_DT,
    MN_CHART_ITERATIONS,
    MN_CHART_RESIDUAL_VOLUME,
    MN_CHART_RESIDUAL_TENSION,
    MN_CHART_RESIDUAL_FRICTION,
    MN_CHART_MAX_VELOCITY,
    MN_CHART_KINETIC, /* this one and all that follow are NaN in rows of steps after which nobody looked */
    MN_CHART_SURFACE,
    MN_CHART_POTENTIAL,
    MN_CHART_MEAN_PRESSURE,
    MN_CHART_CORE_PRESSURE,
    MN_CHART_COLUMNS
} mnChartColumn;

extern const char *const mn_chart_names[MN_CHART_COLUMNS];

typedef struct mnChartRow {
    int64_t number; /* of the row, from 0, with those that are gone */
    double value[MN_CHART_COLUMNS];
} mnChartRow;

typedef struct mnChart {
    mnChartRow rows[MN_CHART_ROWS];
    int count;
    int64_t next; /* number of the next row */
} mnChart;

/* Rows go when there is no room, evenly along the way, and rather those that were not looked at. */
void mn_chart_add(mnChart *chart, const double value[MN_CHART_COLUMNS]);

/* The place of the first row with at least this number. */
int mn_chart_from(const mnChart *chart, int64_t number);

#endif
