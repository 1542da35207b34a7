#include "chart.h"

#include <math.h>
#include <string.h>

const char *const mn_chart_names[MN_CHART_COLUMNS] = {
    "time",         "step",    "dt",      "iterations", "residual_volume", "residual_tension", "residual_friction",
    "max_velocity", "kinetic", "surface", "potential",  "mean_pressure",   "core_pressure",
};

enum { SPREAD = MN_CHART_ROWS / 2, LATEST = MN_CHART_ROWS / 4 };

static bool was_looked_at(const mnChartRow *row) {
    return !isnan(row->value[MN_CHART_KINETIC]);
}

/* Of each stretch of the way one row is kept, of which there are SPREAD in all; and all of the latest. */
static void thin(mnChart *chart) {
    int64_t stretch = chart->next / SPREAD + 1;
    int kept = 0;
    for (int i = 0; i < chart->count; i++) {
        const mnChartRow *row = &chart->rows[i];
        mnChartRow *last = kept ? &chart->rows[kept - 1] : NULL;
        bool is_late = i >= chart->count - LATEST;
        if (!last || is_late || last->number / stretch != row->number / stretch)
            chart->rows[kept++] = *row;
        else if (!was_looked_at(last) && was_looked_at(row))
            *last = *row;
    }
    chart->count = kept;
}

void mn_chart_add(mnChart *chart, const double value[MN_CHART_COLUMNS]) {
    if (chart->count == MN_CHART_ROWS) thin(chart);
    mnChartRow *row = &chart->rows[chart->count++];
    row->number = chart->next++;
    memcpy(row->value, value, sizeof row->value);
}

int mn_chart_from(const mnChart *chart, int64_t number) {
    int low = 0, high = chart->count; /* rows before `low` have lower numbers, those from `high` on do not */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (chart->rows[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
