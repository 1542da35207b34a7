#include "io/series.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

void mn_stats_add(mnStats *stats, const mnStepReport *report, double seconds) {
    stats->steps++;
    stats->iterations += report->iterations;
    stats->viscosity_iterations += report->viscosity_iterations;
    stats->not_converged += !report->converged;
    stats->retries += report->retries;
    stats->emitted += report->emitted;
    stats->removed += report->removed;
    stats->dt += report->dt;
    stats->dt_over_capillary += report->dt_over_capillary;
    stats->step_seconds += seconds;
    for (int stage = 0; stage < MN_STAGE_COUNT; stage++) stats->stage_seconds[stage] += report->stage_seconds[stage];
    stats->last = *report;
}

void mn_stats_exchange(mnStats *stats, const char *prefix, mnArchive *archive) {
    mnStepReport *last = &stats->last;
    int64_t iterations = last->iterations, retries = last->retries, viscosity = last->viscosity_iterations;
    int64_t *const counts[] = {&stats->steps,
                               &stats->iterations,
                               &stats->viscosity_iterations,
                               &stats->not_converged,
                               &stats->retries,
                               &stats->emitted,
                               &stats->removed,
                               &last->step,
                               &iterations,
                               &retries,
                               &viscosity,
                               &last->emitted,
                               &last->removed};
    double *const reals[] = {&stats->dt,
                             &stats->dt_over_capillary,
                             &stats->step_seconds,
                             &stats->output_seconds,
                             &last->time,
                             &last->dt,
                             &last->dt_over_capillary,
                             &last->residual_volume,
                             &last->residual_tension,
                             &last->residual_friction,
                             &last->max_velocity};
    enum { COUNTS = sizeof counts / sizeof *counts, REALS = sizeof reals / sizeof *reals };
    int64_t count[COUNTS];
    double real[REALS];
    char name[64];
    for (int k = 0; k < COUNTS; k++) count[k] = *counts[k];
    for (int k = 0; k < REALS; k++) real[k] = *reals[k];
    snprintf(name, sizeof name, "%s_counts", prefix);
    mn_archive_array(archive, name, MN_ARCHIVE_INT64, count, COUNTS);
    snprintf(name, sizeof name, "%s_sums", prefix);
    mn_archive_reals(archive, name, real, REALS);
    snprintf(name, sizeof name, "%s_stage_seconds", prefix);
    mn_archive_reals(archive, name, stats->stage_seconds, MN_STAGE_COUNT);
    snprintf(name, sizeof name, "%s_last_stage_seconds", prefix);
    mn_archive_reals(archive, name, last->stage_seconds, MN_STAGE_COUNT);
    snprintf(name, sizeof name, "%s_converged", prefix);
    mn_archive_flag(archive, name, &last->converged);
    for (int k = 0; k < COUNTS; k++) *counts[k] = count[k];
    for (int k = 0; k < REALS; k++) *reals[k] = real[k];
    last->iterations = (int)iterations;
    last->retries = (int)retries;
    last->viscosity_iterations = (int)viscosity;
}

double mn_stats_mean(double sum, int64_t count) {
    return count > 0 ? sum / (double)count : 0.0;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void put(mnRow *row, const char *name, const char *unit, double value) {
    assert(row->count < (int)(sizeof row->value / sizeof row->value[0]));
    row->name[row->count] = name;
    row->unit[row->count] = unit;
    row->value[row->count++] = value;
}

mnRow mn_series_row(const mnSnapshot *snapshot, int64_t frame, const mnStats *total, const mnStats *since_frame) {
    const mnTotals *t = &snapshot->totals;
    const mnStepReport *last = &total->last;
    /* In 2D masses are per metre of depth, and so is all that is made of them. */
    bool flat = snapshot->scene && snapshot->scene->dimension == 2;
    const char *mass = flat ? "kg/m" : "kg", *momentum = flat ? "kg/s" : "kg m/s", *energy = flat ? "J/m" : "J",
               *force = flat ? "N/m" : "N";
    mnRow row = {0};
    put(&row, "frame", NULL, (double)frame);
    put(&row, "time", "s", snapshot->time);
    put(&row, "step", NULL, (double)total->steps);
    put(&row, "dt", "s", last->dt);
    put(&row, "dt_over_capillary", NULL, last->dt_over_capillary);
    put(&row, "iterations_mean", NULL, mn_stats_mean((double)since_frame->iterations, since_frame->steps));
    put(&row, "particles_fluid", NULL, (double)snapshot->particles.count);
    put(&row, "particles_boundary", NULL, (double)snapshot->sampling.boundary);
    put(&row, "residual_volume", NULL, last->residual_volume);
    put(&row, "residual_tension", NULL, last->residual_tension);
    put(&row, "residual_friction", NULL, last->residual_friction);
    put(&row, "max_velocity", "m/s", last->max_velocity);
    put(&row, "mean_pressure", "Pa", t->mean_pressure);
    put(&row, "max_compression", NULL, t->max_compression);
    put(&row, "mass", mass, t->mass);
    put(&row, "momentum_x", momentum, t->momentum[0]);
    put(&row, "momentum_y", momentum, t->momentum[1]);
    put(&row, "momentum_z", momentum, t->momentum[2]);
    put(&row, "centre_x", "m", t->centre[0]);
    put(&row, "centre_y", "m", t->centre[1]);
    put(&row, "centre_z", "m", t->centre[2]);
    put(&row, "energy_kinetic", energy, t->kinetic_energy);
    put(&row, "energy_surface", energy, t->surface_energy);
    put(&row, "energy_potential", energy, t->potential_energy);
    put(&row, "normal_force", force, t->normal_force);
    put(&row, "memory_bytes", NULL, (double)snapshot->memory);
    return row;
}

mnRow mn_timings_row(const mnSnapshot *snapshot, int64_t frame, double wall_seconds, const mnStats *total,
                     const mnStats *since_frame) {
    mnRow row = {0};
    put(&row, "frame", NULL, (double)frame);
    put(&row, "time", "s", snapshot->time);
    put(&row, "step", NULL, (double)total->steps);
    put(&row, "wall_seconds", NULL, wall_seconds);
    put(&row, "ms_per_step", NULL, 1e3 * mn_stats_mean(since_frame->step_seconds, since_frame->steps));
    put(&row, "ms_per_iteration", NULL,
        1e3 * mn_stats_mean(since_frame->stage_seconds[MN_STAGE_SOLVER], since_frame->iterations));
    for (int stage = 0; stage < MN_STAGE_COUNT; stage++)
        put(&row, mn_stage_name((mnStage)stage), "ms/step",
            1e3 * mn_stats_mean(since_frame->stage_seconds[stage], since_frame->steps));
    put(&row, "output", "ms/step", 1e3 * mn_stats_mean(since_frame->output_seconds, since_frame->steps));
    return row;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* Some disks know no locks; then this is nobody's. */
static bool is_taken(int table, int lock) {
    return flock(table, lock | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

static mnStatus refuse(const char *path, mnError *error) {
    return mn_error_set(error, MN_ERROR_FILE,
                        "cannot write %s: another run is writing there; stop it, or take another folder", path);
}

mnStatus mn_table_check(const char *path, mnError *error) {
    int table = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (table < 0) return MN_OK;
    mnStatus status = is_taken(table, LOCK_SH) ? refuse(path, error) : MN_OK;
    close(table);
    return status;
}

mnStatus mn_table_open(mnTable *table, const char *path, mnError *error) {
    *table = (mnTable){.path = strdup(path), .locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (table->path && table->locale) table->stream = fopen(path, "ab");
    mnStatus status = MN_OK;
    if (!table->stream)
        status = mn_error_set(error, MN_ERROR_FILE, "cannot write %s: %s", path, strerror(errno));
    else if (is_taken(fileno(table->stream), LOCK_EX))
        status = refuse(path, error);
    if (status != MN_OK) mn_table_close(table);
    return status;
}

mnStatus mn_table_cut(mnTable *table, mnError *error) {
    struct stat found;
    int file = fileno(table->stream);
    if (fstat(file, &found) == 0 && found.st_size < table->good_bytes)
        return mn_error_set(error, MN_ERROR_FILE, "%s is shorter than it was: it should have %ld bytes at least",
                            table->path, table->good_bytes);
    if (ftruncate(file, table->good_bytes) != 0 || fseek(table->stream, 0, SEEK_END) != 0)
        return mn_error_set(error, MN_ERROR_FILE, "cannot write %s: %s", table->path, strerror(errno));
    return MN_OK;
}

mnStatus mn_table_sync(const mnTable *table, mnError *error) {
    return mn_path_sync(table->path, error);
}

/* Without memory printf may fail and leave the stream in good order, so its word counts too. */
static bool print_row(FILE *stream, const mnRow *row, bool header) {
    int printed = 0;
    for (int c = 0; c < row->count && printed >= 0; c++) {
        const char *end = c + 1 < row->count ? "," : "\n";
        double value = row->value[c];
        if (header && row->unit[c])
            printed = fprintf(stream, "%s [%s]%s", row->name[c], row->unit[c], end);
        else if (header)
            printed = fprintf(stream, "%s%s", row->name[c], end);
        else if (value == floor(value) && fabs(value) < 1e15)
            printed = fprintf(stream, "%.0f%s", value, end);
        else
            printed = fprintf(stream, "%.9g%s", value, end);
    }
    return printed >= 0;
}

mnStatus mn_table_add(mnTable *table, const mnRow *row, mnError *error) {
    if (!table->stream)
        return mn_error_set(error, MN_ERROR_FILE, "cannot write %s, since a row before could not be written",
                            table->path);
    locale_t previous = uselocale(table->locale);
    errno = 0;
    bool printed =
        (table->good_bytes > 0 || print_row(table->stream, row, true)) && print_row(table->stream, row, false);
    uselocale(previous);
    if (printed) errno = 0;
    if (printed && fflush(table->stream) == 0 && !ferror(table->stream)) {
        table->good_bytes = ftell(table->stream);
        return MN_OK;
    }
    int reason = errno ? errno : EIO;
    /* The file keeps its whole rows; if even that cannot be had, the reader finds one broken last line. What the stream
     * still holds goes out before, so that nothing follows the cut. */
    fclose(table->stream);
    table->stream = NULL;
    bool is_cut = truncate(table->path, table->good_bytes) == 0;
    return mn_error_set(error, MN_ERROR_FILE, "cannot write %s: %s%s", table->path, strerror(reason),
                        is_cut ? "" : "; its last row may be torn");
}

void mn_table_close(mnTable *table) {
    if (table->stream) fclose(table->stream);
    if (table->locale) freelocale(table->locale);
    free(table->path);
    *table = (mnTable){0};
}
