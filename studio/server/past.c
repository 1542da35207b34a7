#include "past.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

enum { LINE = 4096, COLUMNS_MOST = 256, LARGEST = 64 << 20 }; /* a row per frame has some 300 bytes */

/* What a column of the file is: one of a chart, or one of these. */
enum { PARTICLES = MN_CHART_COLUMNS, BOUNDARY, QUANTITIES, UNKNOWN = QUANTITIES };

/* As a run records them (io/series.c); pressure in the core is told by live runs alone. */
static const char *const names[QUANTITIES] = {
    [MN_CHART_TIME] = "time",
    [MN_CHART_STEP] = "step",
    [MN_CHART_DT] = "dt",
    [MN_CHART_ITERATIONS] = "iterations_mean",
    [MN_CHART_RESIDUAL_VOLUME] = "residual_volume",
    [MN_CHART_RESIDUAL_TENSION] = "residual_tension",
    [MN_CHART_RESIDUAL_FRICTION] = "residual_friction",
    [MN_CHART_MAX_VELOCITY] = "max_velocity",
    [MN_CHART_KINETIC] = "energy_kinetic",
    [MN_CHART_SURFACE] = "energy_surface",
    [MN_CHART_POTENTIAL] = "energy_potential",
    [MN_CHART_MEAN_PRESSURE] = "mean_pressure",
    [PARTICLES] = "particles_fluid",
    [BOUNDARY] = "particles_boundary",
};

typedef struct Columns {
    int quantity[COLUMNS_MOST];
    int count;
} Columns;

static int quantity_named(const char *name, size_t length) {
    for (int q = 0; q < QUANTITIES; q++)
        if (names[q] && strlen(names[q]) == length && strncmp(names[q], name, length) == 0) return q;
    return UNKNOWN;
}

/* False: it is not the first line of a series. A name ends where its unit begins. */
static bool find_columns(const char *line, Columns *columns) {
    bool has_time = false;
    columns->count = 0;
    for (const char *at = line; columns->count < COLUMNS_MOST; at++) {
        int quantity = quantity_named(at, strcspn(at, " ,\r\n"));
        columns->quantity[columns->count++] = quantity;
        has_time |= quantity == MN_CHART_TIME;
        at += strcspn(at, ",\r\n");
        if (*at != ',') return has_time && *at != '\0';
    }
    return false;
}

/* A number for each column, and the end of the line. */
static bool read_row(const char *line, const Columns *columns, double value[QUANTITIES]) {
    for (int q = 0; q < QUANTITIES; q++) value[q] = NAN;
    for (int k = 0; k < columns->count; k++) {
        char *end;
        double number = strtod(line, &end);
        if (end != line && *end == '\r') end++;
        if (end == line || *end != (k + 1 < columns->count ? ',' : '\n')) return false;
        if (columns->quantity[k] != UNKNOWN) value[columns->quantity[k]] = number;
        line = end + 1;
    }
    return isfinite(value[MN_CHART_TIME]);
}

static int64_t count_of(double value) {
    return value > 0 && value < 9e15 ? (int64_t)value : 0;
}

static void take_row(mnPast *past, const double value[QUANTITIES]) {
    double row[MN_CHART_COLUMNS];
    memcpy(row, value, sizeof row);
    past->end = (mnRunStatus){.state = MN_RUN_DONE,
                              .time = value[MN_CHART_TIME],
                              .step = count_of(value[MN_CHART_STEP]),
                              .particles = count_of(value[PARTICLES]),
                              .boundary = count_of(value[BOUNDARY])};
    /* Before the first step there was none to tell of. */
    for (int c = MN_CHART_DT; past->end.step == 0 && c <= MN_CHART_MAX_VELOCITY; c++) row[c] = NAN;
    mn_chart_add(&past->chart, row);
}

static void read_rows(mnPast *past, FILE *stream, const char *path) {
    char line[LINE];
    Columns columns;
    if (!fgets(line, sizeof line, stream) || !find_columns(line, &columns)) {
        mn_error_set(&past->notice, MN_ERROR_FILE, "%s is not the series of a run, so there are no charts", path);
        return;
    }
    size_t taken = strlen(line);
    for (long long row = 1; fgets(line, sizeof line, stream); row++) {
        double value[QUANTITIES];
        bool is_good = read_row(line, &columns, value) && value[MN_CHART_TIME] >= past->end.time;
        taken += strlen(line);
        if (!is_good || taken > LARGEST) { /* it may have grown since it was looked at */
            mn_error_set(&past->notice, MN_ERROR_FILE, "row %lld of %s is broken; the charts end before it", row, path);
            return;
        }
        take_row(past, value);
    }
    if (ferror(stream))
        mn_error_set(&past->notice, MN_ERROR_FILE, "%s cannot be read to its end; the charts are not whole", path);
}

void mn_past_read(mnPast *past, const char *folder) {
    *past = (mnPast){0};
    char *path = mn_path_join(folder, "series.csv");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1; /* without waiting at a pipe */
    struct stat found;
    FILE *stream = NULL;
    if (!path)
        mn_error_set(&past->notice, MN_ERROR_MEMORY, "no memory left for the charts of %s", folder);
    else if (file < 0 || fstat(file, &found) != 0)
        mn_error_set(&past->notice, MN_ERROR_FILE, "there are no charts, cannot read %s: %s", path, strerror(errno));
    else if (!S_ISREG(found.st_mode))
        mn_error_set(&past->notice, MN_ERROR_FILE, "there are no charts, %s is not a plain file", path);
    else if (found.st_size > LARGEST)
        mn_error_set(&past->notice, MN_ERROR_FILE, "there are no charts, %s is larger than 64 MiB", path);
    else if (!(stream = fdopen(file, "rb")))
        mn_error_set(&past->notice, MN_ERROR_FILE, "there are no charts, cannot read %s: %s", path, strerror(errno));
    else
        read_rows(past, stream, path);
    if (stream)
        fclose(stream);
    else if (file >= 0)
        close(file);
    free(path);
}
