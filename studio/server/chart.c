#include "chart.h"

#include <math.h>
#include <string.h>

const char *const mn_chart_names[MN_CHART_COLUMNS] = {
    "time",    "step",    "dt",        "iterations",    "residual_volume", "residual_tension", "residual_friction",
    "kinetic", "surface", "potential", "mean_pressure", "core_pressure",
};

static void thin(mnChart *chart) {
    int kept = 0;
    for (int i = 0; i + 1 < chart->count; i += 2) {
        const mnChartRow *first = &chart->rows[i], *second = first + 1;
        bool second_is_better = isnan(first->value[MN_CHART_KINETIC]) && !isnan(second->value[MN_CHART_KINETIC]);
        chart->rows[kept++] = second_is_better ? *second : *first;
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
