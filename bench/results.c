#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "io/file.h"
#include "texts.h"

void bench_table_head(void) {
    printf("%-8s %-38s %9s %9s %8s %7s %16s %10s %10s %8s %7s %6s\n", "bench", "setting", "particles", "boundary",
           "Δt, µs", "iter.", "ms a step", "ms an it.", "s per s", "Gpair/s", "of peak", "B/part");
}

void bench_table_row(const BenchRow *row) {
    char time[48];
    snprintf(time, sizeof time, "%.2f ± %.2f", 1e3 * row->step.median, 0.5e3 * row->step.spread);
    const char *setting = row->info->setting;
    printf("%-8s %s%*s %9lld %9lld %7.1f %7.1f %*s%s %10.2f %10.1f %8.2f %6.0f%% %6.0f\n", row->bench->name, setting,
           38 - text_width(setting), "", (long long)row->particles, (long long)row->boundary, 1e6 * row->dt,
           row->iterations_mean, 16 - text_width(time), "", time, 1e3 * row->iteration.median, row->per_second,
           1e-9 * row->pairs_per_second, 100 * row->flops_share, row->bytes_per_particle);
    fflush(stdout);
}

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *stages_json(const BenchRow *row) {
    json_t *stages = json_object();
    for (int s = 0; s < MN_STAGE_COUNT; s++)
        json_object_set_new(stages, mn_stage_name((mnStage)s), number(1e3 * row->stages[s]));
    return stages;
}

static json_t *row_json(const BenchRow *row) {
    json_t *object = json_pack("{s:s, s:s, s:s, s:i, s:I, s:I, s:i}", "name", row->bench->name, "setting",
                               row->info->setting, "backend", row->backend, "threads", row->threads, "particles",
                               (json_int_t)row->particles, "boundary", (json_int_t)row->boundary, "steps", row->steps);
    const struct {
        const char *key;
        double value;
    } figures[] = {
        {"spacing", row->spacing},
        {"dt", row->dt},
        {"iterations_mean", row->iterations_mean},
        {"ms_per_step", 1e3 * row->step.median},
        {"ms_per_step_spread", 1e3 * row->step.spread},
        {"ms_per_iteration", 1e3 * row->iteration.median},
        {"ms_per_iteration_spread", 1e3 * row->iteration.spread},
        {"seconds_per_simulated_second", row->per_second},
        {"pairs_per_second", row->pairs_per_second},
        {"flops_share_of_peak", row->flops_share},
        {"bytes_per_particle", row->bytes_per_particle},
        {"yardstick_ms", 1e3 * row->yardstick},
        {"steps_per_yardstick", row->yardstick / row->step.median},
    };
    for (size_t k = 0; object && k < sizeof figures / sizeof figures[0]; k++)
        json_object_set_new(object, figures[k].key, number(figures[k].value));
    if (object && row->info->paper_jacobi > 0) {
        json_object_set_new(object, "paper_iterations_jacobi", number(row->info->paper_jacobi));
        json_object_set_new(object, "paper_iterations_nncg", number(row->info->paper_nncg));
    }
    if (object) json_object_set_new(object, "ms_per_stage", stages_json(row));
    return object;
}

mnStatus bench_write(const BenchRow *rows, int count, const char *path, mnError *error) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, row_json(&rows[i]));
    char *text = json_dumps(list, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    json_decref(list);
    if (!text) return mn_error_set(error, MN_ERROR_MEMORY, "out of memory");
    mnFile file;
    mnStatus status = mn_file_create(&file, path, error);
    if (status == MN_OK) {
        mn_file_print(&file, "%s\n", text);
        status = mn_file_commit(&file, error);
    }
    free(text);
    return status;
}
