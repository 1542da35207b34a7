/* Tables that grow by a row per frame (CSV, header with units), and what the rows of a run say.
 *
 * A run has two: series.csv holds what the physics decided and is the same, bit for bit, for any number of threads;
 * timings.csv holds what the machine decided. */
#ifndef MN_IO_SERIES_H
#define MN_IO_SERIES_H

#include <locale.h>
#include <stdint.h>
#include <stdio.h>

#include "io/archive.h"
#include "io/frames.h"

/* Sums over the steps of a run, or over those since the last frame. */
typedef struct mnStats {
    int64_t steps, iterations, viscosity_iterations, not_converged, retries, emitted, removed;
    double dt, dt_over_capillary;        /* sums */
    double step_seconds, output_seconds; /* wall time of stepping and of writing */
    double stage_seconds[MN_STAGE_COUNT];
    mnStepReport last;
} mnStats;

void mn_stats_add(mnStats *stats, const mnStepReport *report, double seconds);
/* Its numbers in the current group of an archive, under names that begin with `prefix`; `last` is one of them. */
void mn_stats_exchange(mnStats *stats, const char *prefix, mnArchive *archive);
double mn_stats_mean(double sum, int64_t count); /* 0 for nothing */

/* Columns of one row, in the order they were put. */
typedef struct mnRow {
    const char *name[80], *unit[80];
    double value[80];
    int count;
} mnRow;

mnRow mn_series_row(const mnSnapshot *snapshot, int64_t frame, const mnStats *total, const mnStats *since_frame);
mnRow mn_timings_row(const mnSnapshot *snapshot, int64_t frame, double wall_seconds, const mnStats *total,
                     const mnStats *since_frame);

typedef struct mnTable {
    FILE *stream;
    char *path;
    locale_t locale;
    long good_bytes; /* length of the file with whole rows only */
} mnTable;

/* A table that is open is locked as long as the program lives. Refuses one that another run has open. */
mnStatus mn_table_check(const char *path, mnError *error);
/* The same, and opens it. What is in it stays until it is cut. */
mnStatus mn_table_open(mnTable *table, const char *path, mnError *error);
/* Cuts it to its `good_bytes`, which are 0 unless they were set; due before the first row. */
mnStatus mn_table_cut(mnTable *table, mnError *error);
/* The first row also writes the header. A row that does not fit on the disk is taken back whole. */
mnStatus mn_table_add(mnTable *table, const mnRow *row, mnError *error);
/* What was added is on the disk when this returns. */
mnStatus mn_table_sync(const mnTable *table, mnError *error);
void mn_table_close(mnTable *table);

#endif
