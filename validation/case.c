#include "case.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lifetime ------------------------------------------------------------------------------------------------------
 */

void curve_clear(Curve *curve) {
    free(curve->name);
    free(curve->x);
    free(curve->y);
    *curve = (Curve){0};
}

void case_close_all(Case *c) {
    for (int i = 0; i < c->sim_count; i++) mn_sim_destroy(c->sims[i]);
    free(c->sims);
    c->sims = NULL;
    c->sim_count = 0;
}

void case_forget(Case *c) {
    for (int i = 0; i < c->row_count; i++) {
        free(c->rows[i].quantity);
        free(c->rows[i].unit);
        free(c->rows[i].note);
    }
    for (int i = 0; i < c->curve_count; i++) curve_clear(&c->curves[i]);
    free(c->rows);
    free(c->curves);
    c->rows = NULL;
    c->curves = NULL;
    c->row_count = c->curve_count = 0;
}

void case_clear(Case *c) {
    case_close_all(c);
    case_forget(c);
    for (int i = 0; i < c->text_count; i++) free(c->texts[i]);
    free(c->texts);
    *c = (Case){0};
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

double check_error(const Check *check) {
    if (check->judge == JUDGE_ABSOLUTE) return check->measured - check->expected;
    return check->measured / check->expected - 1;
}

/* Written so that what is not a number misses. */
Verdict check_verdict(const Check *check) {
    bool pass = false;
    switch (check->judge) {
    case JUDGE_NONE:
        return VERDICT_NONE;
    case JUDGE_AT_LEAST:
        pass = check->measured >= check->expected;
        break;
    case JUDGE_RELATIVE:
    case JUDGE_ABSOLUTE:
        pass = fabs(check_error(check)) <= check->goal;
        break;
    }
    return pass ? VERDICT_PASS : VERDICT_MISS;
}

static void add_row(Case *c, Row row) {
    c->rows = list_grow(c->rows, c->row_count, sizeof *c->rows);
    c->rows[c->row_count++] = row;
}

void case_check(Case *c, Check check) {
    add_row(c, (Row){.quantity = text_copy(check.quantity),
                     .unit = text_copy(check.unit),
                     .expected = check.expected,
                     .measured = check.measured,
                     .error = check_error(&check),
                     .goal = check.goal,
                     .resolution = check.resolution,
                     .dt_over_capillary = case_dt_over_capillary(c),
                     .judge = check.judge,
                     .verdict = check_verdict(&check)});
}

static void add_note(Case *c, const char *quantity, const char *note, Verdict verdict) {
    add_row(c, (Row){.quantity = text_copy(quantity),
                     .unit = text_copy(""),
                     .note = text_copy(note),
                     .expected = NAN,
                     .measured = NAN,
                     .error = NAN,
                     .goal = NAN,
                     .dt_over_capillary = case_dt_over_capillary(c),
                     .judge = JUDGE_NONE,
                     .verdict = verdict});
}

void case_fail(Case *c, const char *quantity, const char *format, ...) {
    char note[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
    add_note(c, quantity, note, VERDICT_MISS);
}

void case_cut(Case *c) {
    add_note(c, c->info->label, "interrupted before its end", VERDICT_NONE);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

const Curve *case_curve(const Case *c, const char *name) {
    for (int i = 0; i < c->curve_count; i++)
        if (strcmp(c->curves[i].name, name) == 0) return &c->curves[i];
    return NULL;
}

void curve_add(Curve *curve, double x, double y) {
    curve->x = list_grow(curve->x, curve->count, sizeof *curve->x);
    curve->y = list_grow(curve->y, curve->count, sizeof *curve->y);
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
}

void case_point(Case *c, const char *name, double x, double y) {
    Curve *curve = (Curve *)case_curve(c, name);
    if (!curve) {
        c->curves = list_grow(c->curves, c->curve_count, sizeof *c->curves);
        curve = &c->curves[c->curve_count++];
        *curve = (Curve){.name = text_copy(name)};
    }
    curve_add(curve, x, y);
}

/* ---- simulations ------------------------------------------------------------------------------------------------- */

double case_value(const Case *c, int index) {
    return c->info->values[index];
}

const char *case_label(const Case *c) {
    return c->info->label;
}

const char *case_set(Case *c, const char *path, double value) {
    c->texts = list_grow(c->texts, c->text_count, sizeof *c->texts);
    return c->texts[c->text_count++] = text_format("%s=%.17g", path, value);
}

static const char **add_sets(const char **all, int *count, const char *const *more) {
    for (; more && *more; more++) {
        all = list_grow(all, *count, sizeof *all);
        all[(*count)++] = *more;
    }
    return all;
}

static mnScene *load_scene(Case *c, const char *name, const char *const *own) {
    char *path = text_format("%s/%s.json", c->folder, name);
    int set_count = 0;
    const char **sets = add_sets(add_sets(NULL, &set_count, own), &set_count, c->sets);
    mnReport report = {0};
    mnScene *scene = NULL;
    if (mn_scene_load(path, sets, set_count, &scene, &report) != MN_OK) {
        const mnProblem *p = report.problems, *end = p + report.count;
        while (p < end && p->is_warning) p++;
        if (p < end)
            case_fail(c, c->info->label, "%s:%d: %s: %s", p->file, p->line, p->key, p->text);
        else
            case_fail(c, c->info->label, "cannot load %s", path);
        mn_scene_destroy(scene);
        scene = NULL;
    }
    mn_report_clear(&report);
    free(sets);
    free(path);
    return scene;
}

mnSim *case_open(Case *c, const char *name, const char *const *sets) {
    mnScene *scene = load_scene(c, name, sets);
    if (!scene) return NULL;
    /* One thread each: cases run side by side, and waiting for each other within a step costs more than it gains. */
    mnOptions options = mn_default_options();
    options.threads = 1;
    options.backend = c->backend;
    mnSim *sim = NULL;
    mnError error = {0};
    if (mn_sim_create(mn_scene_desc(scene), &options, &sim, &error) != MN_OK)
        case_fail(c, c->info->label, "%s", error.text);
    mn_scene_destroy(scene);
    if (!sim) return NULL;
    c->sims = list_grow(c->sims, c->sim_count, sizeof *c->sims);
    return c->sims[c->sim_count++] = sim;
}

void case_close(Case *c, mnSim *sim) {
    for (int i = 0; i < c->sim_count; i++)
        if (c->sims[i] == sim) c->sims[i] = NULL;
    mn_sim_destroy(sim);
}

bool case_watch(Case *c, mnSim *sim, double time, bool (*look)(mnSim *sim, void *context), void *context) {
    const mnTimeDesc *steps = &mn_sim_scene(sim)->time;
    mnStepReport report = {0};
    mnError error = {0};
    for (;;) {
        double left = time - mn_sim_time(sim), slack = steps->adaptive ? 1e-6 * report.dt : 0.5 * steps->step;
        if (left <= slack) return true;
        if (atomic_load(c->stop)) return false;
        if (mn_sim_step(sim, steps->adaptive ? left : INFINITY, &report, &error) != MN_OK) {
            case_fail(c, c->info->label, "%s", error.text);
            return false;
        }
        c->steps++;
        c->ratio_sum += report.dt_over_capillary;
        if (look && !look(sim, context)) return true;
    }
}

bool case_run(Case *c, mnSim *sim, double time) {
    return case_watch(c, sim, time, NULL, NULL);
}

void case_progress(Case *c, double share) {
    atomic_store(&c->share, fmin(fmax(share, 0), 1));
}

double case_dt_over_capillary(const Case *c) {
    return c->steps ? c->ratio_sum / (double)c->steps : 0;
}
