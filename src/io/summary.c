#include "io/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "io/file.h"
#include "scene/keys.h"

/* JSON has no NaN; a run that met one still gets its summary. */
static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *vector(const double v[3]) {
    return json_pack("[o, o, o]", number(v[0]), number(v[1]), number(v[2]));
}

static json_t *text(const char *value) {
    json_t *string = json_string(value ? value : "");
    return string ? string : json_string("(not UTF-8)");
}

/* The word a scene file uses for a choice of the solver. */
static const char *choice(const char *key, int value) {
    const mnKey *row = mn_key_find(MN_OBJECT_SOLVER, -1, key);
    return row && row->names ? row->names[value] : "";
}

static int64_t count_moving(const mnSceneDesc *scene) {
    int64_t moving = 0;
    for (int i = 0; i < scene->solid_count; i++) moving += scene->solids[i].motion_count > 0;
    return moving;
}

static json_t *timers(const mnStats *stats) {
    double ms[MN_STAGE_COUNT];
    for (int stage = 0; stage < MN_STAGE_COUNT; stage++)
        ms[stage] = 1e3 * mn_stats_mean(stats->stage_seconds[stage], stats->steps);
    return json_pack("{s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o, s:o, s:o}, s:o, s:o}", "scene", number(ms[MN_STAGE_SCENE]),
                     "neighbours", number(ms[MN_STAGE_NEIGHBOURS]), "viscosity", number(ms[MN_STAGE_VISCOSITY]),
                     "diagonals", number(ms[MN_STAGE_DIAGONALS]), "solver", "total", number(ms[MN_STAGE_SOLVER]),
                     "force", number(ms[MN_STAGE_SOLVER_FORCE]), "measure", number(ms[MN_STAGE_SOLVER_MEASURE]),
                     "gradient", number(ms[MN_STAGE_SOLVER_GRADIENT]), "accelerate",
                     number(ms[MN_STAGE_SOLVER_ACCELERATE]), "integrate", number(ms[MN_STAGE_INTEGRATE]), "output",
                     number(1e3 * mn_stats_mean(stats->output_seconds, stats->steps)));
}

static int add_run(json_t *root, const mnSnapshot *snapshot, const mnStats *stats, const mnOutcome *outcome) {
    const mnSceneDesc *scene = snapshot->scene;
    json_t *part = json_pack(
        "{s:s, s:o, s:o, s:o, s:s, s:s, s:s, s:i, s:o, s:i, s:{s:I, s:I}, s:I, s:I, s:I}", "version", mn_version(),
        "scene", text(scene->name), "status", text(outcome->status), "message", text(outcome->message), "method",
        "unified", "coupling", choice("coupling", (int)scene->solver.coupling), "solver",
        choice("kind", (int)scene->solver.kind), "dimension", scene->dimension, "h", number(scene->spacing), "threads",
        snapshot->threads, "particles", "fluid", (json_int_t)snapshot->particles.count, "boundary",
        (json_int_t)snapshot->sampling.boundary, "overlap_removed", (json_int_t)snapshot->sampling.overlap_removed,
        "moving_solids", (json_int_t)count_moving(scene), "frames", (json_int_t)outcome->frames);
    int failed = !part || json_object_update(root, part);
    json_decref(part);
    part = json_pack("{s:I, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I}", "steps", (json_int_t)stats->steps, "time",
                     number(snapshot->time), "dt_mean", number(mn_stats_mean(stats->dt, stats->steps)),
                     "dt_over_capillary", number(mn_stats_mean(stats->dt_over_capillary, stats->steps)),
                     "steps_not_converged", (json_int_t)stats->not_converged, "steps_repeated",
                     (json_int_t)stats->retries, "particles_emitted", (json_int_t)stats->emitted, "particles_removed",
                     (json_int_t)stats->removed, "drops_waiting", (json_int_t)snapshot->held_back.waiting, "drops_lost",
                     (json_int_t)snapshot->held_back.lost);
    failed |= !part || json_object_update(root, part);
    json_decref(part);
    return failed;
}

static int add_cost(json_t *root, const mnSnapshot *snapshot, const mnStats *stats, const mnOutcome *outcome) {
    double per_iteration = mn_stats_mean(stats->stage_seconds[MN_STAGE_SOLVER], stats->iterations);
    json_t *part =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:I}", "wall_seconds", number(outcome->wall_seconds), "ms_per_step",
                  number(1e3 * mn_stats_mean(stats->step_seconds, stats->steps)), "iterations_mean",
                  number(mn_stats_mean((double)stats->iterations, stats->steps)), "ms_per_iteration",
                  number(1e3 * per_iteration), "timers", timers(stats), "memory_bytes", (json_int_t)snapshot->memory);
    int failed = !part || json_object_update(root, part);
    json_decref(part);
    return failed;
}

static int add_state(json_t *root, const mnSnapshot *snapshot, const mnStats *stats) {
    const mnTotals *t = &snapshot->totals;
    json_t *part =
        json_pack("{s:{s:o, s:o, s:o}, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}}", "residuals", "volume",
                  number(stats->last.residual_volume), "tension", number(stats->last.residual_tension), "friction",
                  number(stats->last.residual_friction), "mean_pressure", number(t->mean_pressure), "max_compression",
                  number(t->max_compression), "mass", number(t->mass), "momentum", vector(t->momentum), "centre",
                  vector(t->centre), "energy", "kinetic", number(t->kinetic_energy), "surface",
                  number(t->surface_energy), "potential", number(t->potential_energy));
    int failed = !part || json_object_update(root, part);
    json_decref(part);
    return failed;
}

mnStatus mn_summary_write(const char *path, const mnSnapshot *snapshot, const mnStats *stats, const mnOutcome *outcome,
                          mnError *error) {
    json_t *root = json_object();
    char *dumped = NULL;
    if (root && !add_run(root, snapshot, stats, outcome) && !add_cost(root, snapshot, stats, outcome) &&
        !add_state(root, snapshot, stats))
        dumped = mn_json_text(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(root);
    if (!dumped) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write %s", path);
    mnFile file;
    mnStatus status = mn_file_create(&file, path, error);
    if (status == MN_OK) {
        mn_file_put(&file, dumped, strlen(dumped));
        mn_file_put(&file, "\n", 1);
        status = mn_file_commit(&file, error);
    }
    free(dumped);
    return status;
}
