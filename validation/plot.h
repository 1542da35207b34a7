/* A benchmark's plots: each as CSV, and drawn by gnuplot where that is there. */
#ifndef MN_VALIDATION_PLOT_H
#define MN_VALIDATION_PLOT_H

#include "runner.h"

/* Whether gnuplot can be started. */
bool plot_can_draw(void);

int benchmark_plot_count(const Benchmark *benchmark);

/* Whether a plot has any points. */
bool plot_has_points(const Finding *finding, const PlotInfo *plot);

/* Writes FOLDER/BENCHMARK-PLOT.csv and, if `draw`, FOLDER/BENCHMARK-PLOT.svg. */
mnStatus plot_write(const Finding *finding, const PlotInfo *plot, const char *folder, bool draw, mnError *error);

#endif
