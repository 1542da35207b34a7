/* One lock guards all that the threads share: `wishes` and `told`. The run's thread takes it for moments only, never
 * while it steps. */
#include "runner.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "core.h"
#include "document.h"
#include "io/pace.h"
#include "io/recorder.h"
#include "steer.h"

enum { CHANGES_WAITING = 64, REFUSALS_WAITING = 16 };
enum { PREVIEW_MOST = 200000 }; /* particles of a scene whose start is shown before it runs: it takes a second or two */

/* Nobody sees more than 30 pictures a second, or reads more than 20 rows; and looking may take no more than a small
 * share of the time, however large the scene is: as much as 30 pictures of 200,000 particles take. */
static const double SHOT_PAUSE = 0.03, TOTALS_PAUSE = 0.05, NEWS_PAUSE = 0.03;
static const double SHOT_SHARE = 0.15, TOTALS_SHARE = 0.05;

typedef struct Change {
    int asker;
    char *path;
    json_t *value;
} Change;

typedef struct Job {
    int64_t number;
    char *text, *name, *folder, *output, *backend;
    int threads;
} Job;

struct mnRunner {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wished;
    void (*tell)(void *context);
    void *context;
    struct {
        Job *job; /* to begin with; NULL: none */
        bool quit, stop, run;
        bool one_step; /* before a pause */
        bool shot;
        Change changes[CHANGES_WAITING];
        int change_count;
    } wishes;
    struct {
        mnRunStatus status;
        mnShot *shot;
        mnChart chart;
        char *text; /* NULL: the scene was not changed */
        mnRefusal refusals[REFUSALS_WAITING];
        int refusal_count;
    } told;
    int64_t jobs; /* given out */
};

/* One run; only its own thread knows it. */
typedef struct Run {
    mnRunner *runner;
    const Job *job;
    mnScene *scene; /* with all changes */
    json_t *tree;   /* of its text */
    mnSim *sim;
    mnRecorder *recorder;
    mnPace pace;
    mnStepReport report;   /* of the last step */
    int64_t recorded_step; /* −1: nothing is recorded */
    int64_t particles;
    int64_t shot_step;                        /* of the last shot; −1: none */
    double next_shot, next_totals, next_news; /* on the clock */
} Run;

static void lock(mnRunner *r) {
    pthread_mutex_lock(&r->lock);
}

static void unlock(mnRunner *r) {
    pthread_mutex_unlock(&r->lock);
}

static void job_free(Job *job) {
    if (!job) return;
    free(job->text);
    free(job->name);
    free(job->folder);
    free(job->output);
    free(job->backend);
    free(job);
}

/* With the lock. */
static void drop_changes(mnRunner *r) {
    for (int i = 0; i < r->wishes.change_count; i++) {
        free(r->wishes.changes[i].path);
        json_decref(r->wishes.changes[i].value);
    }
    r->wishes.change_count = 0;
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

/* With the lock. */
static void update_status(const Run *run) {
    mnRunStatus *status = &run->runner->told.status;
    if (!run->sim) return;
    status->time = mn_sim_time(run->sim);
    status->step = run->report.step;
    status->particles = run->particles;
    status->frames = run->recorder ? mn_recorder_frames(run->recorder) : 0;
}

static void tell_state(Run *run, mnRunState state, const char *message) {
    mnRunner *r = run->runner;
    lock(r);
    mnRunStatus *status = &r->told.status;
    update_status(run);
    status->state = state;
    snprintf(status->message, sizeof status->message, "%s", message ? message : "");
    unlock(r);
    r->tell(r->context);
}

static void tell_refusal(mnRunner *r, const Change *change, const char *text) {
    lock(r);
    if (r->told.refusal_count < REFUSALS_WAITING) {
        mnRefusal *refusal = &r->told.refusals[r->told.refusal_count++];
        refusal->asker = change->asker;
        snprintf(refusal->path, sizeof refusal->path, "%s", change->path);
        snprintf(refusal->text, sizeof refusal->text, "%s", text);
    }
    unlock(r);
    r->tell(r->context);
}

static void tell_shot(Run *run) {
    mnRunner *r = run->runner;
    double start = mn_clock();
    mnParticles particles = mn_sim_particles(run->sim);
    mnShot *shot =
        mn_shot_take(&particles, mn_scene_desc(run->scene)->spacing, mn_sim_time(run->sim), run->report.step, -1);
    run->shot_step = run->report.step;
    run->next_shot = start + fmax(SHOT_PAUSE, (mn_clock() - start) / SHOT_SHARE);
    if (!shot) return; /* without memory the last one stays */
    lock(r);
    mnShot *last = r->told.shot;
    r->told.shot = shot;
    r->wishes.shot = false;
    unlock(r);
    mn_shot_drop(last);
    r->tell(r->context);
}

static void tell_step(Run *run, const mnTotals *totals, double core) {
    mnRunner *r = run->runner;
    const mnStepReport *s = &run->report;
    double row[MN_CHART_COLUMNS] = {
        [MN_CHART_TIME] = mn_sim_time(run->sim),
        [MN_CHART_STEP] = (double)s->step,
        [MN_CHART_DT] = s->step ? s->dt : (double)NAN,
        [MN_CHART_ITERATIONS] = s->step ? s->iterations : (double)NAN,
        [MN_CHART_RESIDUAL_VOLUME] = s->step ? s->residual_volume : (double)NAN,
        [MN_CHART_RESIDUAL_TENSION] = s->step ? s->residual_tension : (double)NAN,
        [MN_CHART_RESIDUAL_FRICTION] = s->step ? s->residual_friction : (double)NAN,
        [MN_CHART_MAX_VELOCITY] = s->step ? s->max_velocity : (double)NAN,
        [MN_CHART_KINETIC] = totals ? totals->kinetic_energy : (double)NAN,
        [MN_CHART_SURFACE] = totals ? totals->surface_energy : (double)NAN,
        [MN_CHART_POTENTIAL] = totals ? totals->potential_energy : (double)NAN,
        [MN_CHART_MEAN_PRESSURE] = totals ? totals->mean_pressure : (double)NAN,
        [MN_CHART_CORE_PRESSURE] = core,
    };
    lock(r);
    update_status(run);
    mn_chart_add(&r->told.chart, row);
    bool wants_shot = r->wishes.shot;
    unlock(r);
    if (wants_shot && mn_clock() >= run->next_shot) tell_shot(run);
    if (mn_clock() < run->next_news) return;
    run->next_news = mn_clock() + NEWS_PAUSE;
    r->tell(r->context);
}

/* A row with sums where it is time for them or a frame was written. */
static void look(Run *run, bool at_frame) {
    if (!at_frame && mn_clock() < run->next_totals) {
        tell_step(run, NULL, (double)NAN);
        return;
    }
    double start = mn_clock();
    mnTotals totals = mn_sim_totals(run->sim);
    mnParticles particles = mn_sim_particles(run->sim);
    double core = mn_core_pressure(&particles, mn_scene_desc(run->scene)->spacing);
    run->next_totals = mn_clock() + fmax(TOTALS_PAUSE, (mn_clock() - start) / TOTALS_SHARE);
    tell_step(run, &totals, core);
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

/* `changed`: the path that was changed, which tells more than where in the scene that was recorded; NULL: none was. */
static mnStatus first_problem(const mnReport *report, const char *changed, mnError *error) {
    for (int i = 0; i < report->count; i++)
        if (!report->problems[i].is_warning)
            return mn_error_set(error, MN_ERROR_INPUT, "%s: %s", changed ? changed : report->problems[i].key,
                                report->problems[i].text);
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to read the scene");
}

/* Reads a text as the run's scene, made from a tree; on success both replace those of before. */
static mnStatus read_scene(Run *run, const char *text, json_t *tree, const char *changed, mnError *error) {
    mnReport report = {0};
    mnScene *scene = NULL;
    mnStatus status = mn_scene_parse(text, strlen(text), run->job->name, run->job->folder, NULL, 0, &scene, &report);
    if (status != MN_OK) first_problem(&report, changed, error);
    mn_report_clear(&report);
    if (status == MN_OK && run->sim) status = mn_sim_set_schedules(run->sim, mn_scene_desc(scene), error);
    if (status != MN_OK) {
        mn_scene_destroy(scene);
        return status;
    }
    mn_scene_destroy(run->scene);
    run->scene = scene;
    json_decref(run->tree);
    run->tree = json_incref(tree);
    run->pace.scene = mn_scene_desc(scene);
    return MN_OK;
}

static mnStatus apply(Run *run, const Change *change, char **text, mnError *error) {
    json_t *tree = json_deep_copy(run->tree);
    mnStatus status = tree ? mn_steer_record(tree, mn_scene_desc(run->scene), mn_sim_time(run->sim), change->path,
                                             change->value, error)
                           : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to record the change");
    char *changed = status == MN_OK ? mn_scene_tree_text(tree) : NULL;
    if (status == MN_OK && !changed)
        status = mn_error_set(error, MN_ERROR_MEMORY, "no memory left to record the change");
    if (status == MN_OK) status = read_scene(run, changed, tree, change->path, error);
    json_decref(tree);
    if (status == MN_OK) {
        free(*text);
        *text = changed;
    } else {
        free(changed);
    }
    return status;
}

/* All changes that wait. What can be seen of a run is not lost when recording a change fails for lack of room. */
static mnStatus apply_changes(Run *run, Change *changes, int count, mnError *error) {
    mnRunner *r = run->runner;
    mnStatus status = MN_OK;
    char *text = NULL;
    for (int i = 0; i < count; i++) {
        mnError refused;
        if (apply(run, &changes[i], &text, &refused) != MN_OK) tell_refusal(r, &changes[i], refused.text);
        free(changes[i].path);
        json_decref(changes[i].value);
    }
    if (!text) return MN_OK;
    status = mn_recorder_scene(run->job->output, mn_scene_text(run->scene), error);
    lock(r);
    free(r->told.text);
    r->told.text = text;
    r->told.status.changes++;
    unlock(r);
    r->tell(r->context);
    return status;
}

/* ---- wishes ------------------------------------------------------------------------------------------------------ */

typedef enum Turn { TURN_END, TURN_WAIT, TURN_STEP } Turn;

/* With the lock. */
static Turn turn_of(const mnRunner *r) {
    if (r->wishes.quit || r->wishes.stop || r->wishes.job) return TURN_END;
    return r->wishes.run || r->wishes.one_step ? TURN_STEP : TURN_WAIT;
}

/* What comes next, and the changes to be made before. */
static Turn take_wishes(mnRunner *r, Change changes[CHANGES_WAITING], int *count) {
    lock(r);
    Turn turn = turn_of(r);
    *count = r->wishes.change_count;
    memcpy(changes, r->wishes.changes, (size_t)*count * sizeof *changes);
    r->wishes.change_count = 0;
    if (turn == TURN_STEP) r->wishes.one_step = false;
    unlock(r);
    return turn;
}

static mnRunState state_now(mnRunner *r) {
    lock(r);
    mnRunState state = r->told.status.state;
    unlock(r);
    return state;
}

static void wait_for_wishes(Run *run) {
    mnRunner *r = run->runner;
    if (run->shot_step != run->report.step) tell_shot(run);
    if (state_now(r) != MN_RUN_PAUSED) tell_state(run, MN_RUN_PAUSED, NULL);
    lock(r);
    while (turn_of(r) == TURN_WAIT && r->wishes.change_count == 0) pthread_cond_wait(&r->wished, &r->lock);
    unlock(r);
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static mnStatus record_frame(Run *run, mnError *error) {
    mnSnapshot snapshot = mn_recorder_look(run->recorder, run->sim);
    mnStatus status = mn_sim_look(run->sim, error);
    if (status == MN_OK) status = mn_recorder_frame(run->recorder, &snapshot, error);
    if (status == MN_OK) run->recorded_step = run->report.step;
    return status;
}

static bool is_over(const Run *run) {
    return mn_pace_is_over(&run->pace, mn_sim_time(run->sim));
}

/* The start is recorded only when it is left: until then it may still be changed. */
static mnStatus record_start(Run *run, mnError *error) {
    if (run->recorded_step >= 0) return MN_OK;
    mn_pace_frame_is_due(&run->pace, mn_sim_time(run->sim));
    return record_frame(run, error);
}

static mnStatus make_step(Run *run, mnError *error) {
    mnStatus status = record_start(run, error);
    if (status != MN_OK) return status;
    double start = mn_clock();
    mnStepReport report;
    status = mn_sim_step(run->sim, mn_pace_step_limit(&run->pace, mn_sim_time(run->sim)), &report, error);
    if (status != MN_OK) return status;
    run->report = report;
    run->pace.last_step = report.dt;
    mn_recorder_step(run->recorder, &report, mn_clock() - start);
    run->particles += report.emitted - report.removed;
    bool at_frame = mn_pace_frame_is_due(&run->pace, mn_sim_time(run->sim));
    if (at_frame) status = record_frame(run, error);
    look(run, at_frame);
    return status;
}

static mnStatus step_until_over(Run *run, mnError *error) {
    mnStatus status = MN_OK;
    while (status == MN_OK && !is_over(run)) {
        Change changes[CHANGES_WAITING];
        int count;
        Turn turn = take_wishes(run->runner, changes, &count);
        status = apply_changes(run, changes, count, error);
        if (turn == TURN_END || status != MN_OK) break;
        if (turn == TURN_WAIT) {
            wait_for_wishes(run);
            continue;
        }
        if (state_now(run->runner) != MN_RUN_RUNNING) tell_state(run, MN_RUN_RUNNING, NULL);
        status = make_step(run, error);
    }
    return status;
}

/* Whatever ended the run, its last good state and its summary are written as far as that is possible. */
static void finish(Run *run, mnStatus status, mnError *error) {
    const char *ending = status == MN_ERROR_UNSTABLE ? "unstable" : "failed";
    if (status == MN_OK) ending = is_over(run) ? "done" : "interrupted";
    mnError later = {0};
    if (status != MN_ERROR_FILE && run->recorded_step != run->report.step) {
        mnStatus recorded = record_frame(run, &later);
        if (recorded != MN_OK && status == MN_OK) {
            ending = "failed";
            status = recorded;
            *error = later;
        }
    }
    mnSnapshot snapshot = mn_snapshot_take(run->sim);
    mnStatus ended = mn_recorder_end(run->recorder, &snapshot, ending, status == MN_OK ? NULL : error->text, &later);
    if (ended != MN_OK && status == MN_OK) {
        status = ended;
        *error = later;
    }
    if (run->shot_step != run->report.step) tell_shot(run);
    if (status != MN_OK)
        tell_state(run, MN_RUN_FAILED, error->text);
    else
        tell_state(run, is_over(run) ? MN_RUN_DONE : MN_RUN_STOPPED, NULL);
}

static mnStatus take_scene(Run *run, mnError *error) {
    json_t *tree = mn_scene_tree(run->job->text);
    mnStatus status = read_scene(run, run->job->text, tree, NULL, error);
    json_decref(tree);
    return status;
}

static mnStatus prepare(Run *run, mnError *error) {
    const Job *job = run->job;
    mnStatus status = take_scene(run, error);
    if (status != MN_OK) return status;
    mnRecorderDesc record = {
        .folder = job->output, .scene = mn_scene_text(run->scene), .formats = {[MN_FORMAT_PLY] = true}};
    mnOptions options = mn_default_options();
    options.threads = job->threads;
    options.backend = job->backend;
    status = mn_recorder_check(&record, error);
    if (status == MN_OK) status = mn_sim_create(mn_scene_desc(run->scene), &options, &run->sim, error);
    if (status == MN_OK) status = mn_recorder_begin(&record, &run->recorder, error);
    return status;
}

/* The start, if it is soon made. What is wrong with it will be said when it is run. */
static void preview(Run *run) {
    int64_t particles = 0;
    size_t bytes;
    mnOptions options = mn_default_options();
    options.threads = run->job->threads;
    if (take_scene(run, NULL) == MN_OK &&
        mn_sim_estimate(mn_scene_desc(run->scene), &particles, &bytes, NULL) == MN_OK && particles <= PREVIEW_MOST &&
        mn_sim_create(mn_scene_desc(run->scene), &options, &run->sim, NULL) == MN_OK)
        tell_shot(run);
    tell_state(run, MN_RUN_NONE, NULL);
}

static void begin_telling(Run *run) {
    mnRunner *r = run->runner;
    lock(r);
    mnShot *last = r->told.shot;
    r->told.shot = NULL;
    free(r->told.text);
    r->told.text = NULL;
    r->told.chart.count = 0;
    r->told.chart.next = 0;
    r->told.status = (mnRunStatus){.job = run->job->number, .state = MN_RUN_PREPARING};
    unlock(r);
    mn_shot_drop(last);
    r->tell(r->context);
}

static void do_job(mnRunner *r, const Job *job) {
    Run run = {.runner = r, .job = job, .recorded_step = -1, .shot_step = -1};
    mnError error = {0};
    begin_telling(&run);
    if (!job->output) {
        preview(&run);
    } else if (prepare(&run, &error) == MN_OK) {
        mnSampling sampling = mn_sim_sampling(run.sim);
        run.particles = sampling.fluid;
        lock(r);
        r->told.status.boundary = sampling.boundary;
        unlock(r);
        look(&run, true);
        if (run.shot_step < 0) tell_shot(&run);
        mnStatus status = step_until_over(&run, &error);
        finish(&run, status, &error);
    } else {
        tell_state(&run, MN_RUN_FAILED, error.text);
    }
    mn_recorder_destroy(run.recorder);
    mn_sim_destroy(run.sim);
    mn_scene_destroy(run.scene);
    json_decref(run.tree);
}

static void *work(void *context) {
    mnRunner *r = context;
    for (;;) {
        lock(r);
        while (!r->wishes.quit && !r->wishes.job) pthread_cond_wait(&r->wished, &r->lock);
        bool quit = r->wishes.quit;
        Job *job = r->wishes.job;
        r->wishes.job = NULL;
        unlock(r);
        if (!quit) do_job(r, job);
        job_free(job);
        if (quit) return NULL;
    }
}

/* ---- what others call -------------------------------------------------------------------------------------------- */

/* Signals are for the program's first thread. */
static int start_thread(mnRunner *r) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int trouble = pthread_create(&r->thread, NULL, work, r);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return trouble;
}

mnStatus mn_runner_create(void (*tell)(void *context), void *context, mnRunner **runner, mnError *error) {
    *runner = NULL;
    mnRunner *r = calloc(1, sizeof *r);
    if (!r) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for a run");
    r->tell = tell;
    r->context = context;
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->wished, NULL);
    int trouble = start_thread(r);
    if (trouble) {
        pthread_cond_destroy(&r->wished);
        pthread_mutex_destroy(&r->lock);
        free(r);
        return mn_error_set(error, MN_ERROR_MEMORY, "cannot start a thread for runs: %s", strerror(trouble));
    }
    *runner = r;
    return MN_OK;
}

void mn_runner_end(mnRunner *r) {
    lock(r);
    bool was_ended = r->wishes.quit;
    r->wishes.quit = true;
    pthread_cond_signal(&r->wished);
    unlock(r);
    if (!was_ended) pthread_join(r->thread, NULL);
}

void mn_runner_destroy(mnRunner *r) {
    if (!r) return;
    mn_runner_end(r);
    drop_changes(r);
    job_free(r->wishes.job);
    mn_shot_drop(r->told.shot);
    free(r->told.text);
    pthread_cond_destroy(&r->wished);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

static char *copy_of(const char *text, bool *has_room) {
    char *copy = text ? strdup(text) : NULL;
    *has_room = *has_room && (copy || !text);
    return copy;
}

int64_t mn_runner_start(mnRunner *r, const mnRunnerJob *wanted) {
    Job *job = calloc(1, sizeof *job);
    bool has_room = job != NULL;
    if (has_room)
        *job = (Job){.number = ++r->jobs,
                     .text = copy_of(wanted->text, &has_room),
                     .name = copy_of(wanted->name, &has_room),
                     .folder = copy_of(wanted->folder, &has_room),
                     .output = copy_of(wanted->output, &has_room),
                     .backend = copy_of(wanted->backend, &has_room),
                     .threads = wanted->threads};
    if (!has_room) {
        job_free(job);
        return 0;
    }
    int64_t number = job->number; /* once it is handed over it may be gone at any time */
    lock(r);
    job_free(r->wishes.job);
    drop_changes(r);
    r->wishes.job = job;
    r->wishes.run = true;
    r->wishes.one_step = r->wishes.stop = false;
    pthread_cond_signal(&r->wished);
    unlock(r);
    return number;
}

void mn_runner_go_on(mnRunner *r) {
    lock(r);
    r->wishes.run = true;
    pthread_cond_signal(&r->wished);
    unlock(r);
}

void mn_runner_pause(mnRunner *r) {
    lock(r);
    r->wishes.run = false;
    unlock(r);
}

void mn_runner_step(mnRunner *r) {
    lock(r);
    r->wishes.run = false;
    r->wishes.one_step = true;
    pthread_cond_signal(&r->wished);
    unlock(r);
}

void mn_runner_stop(mnRunner *r) {
    lock(r);
    r->wishes.stop = true;
    pthread_cond_signal(&r->wished);
    unlock(r);
}

bool mn_runner_steer(mnRunner *r, int asker, const char *path, const json_t *value) {
    Change change = {.asker = asker, .path = strdup(path), .value = json_deep_copy(value)};
    bool is_taken = change.path && change.value;
    lock(r);
    int at = 0;
    while (is_taken && at < r->wishes.change_count && strcmp(r->wishes.changes[at].path, path) != 0) at++;
    is_taken = is_taken && at < CHANGES_WAITING;
    if (is_taken) {
        Change last = at < r->wishes.change_count ? r->wishes.changes[at] : (Change){0};
        r->wishes.changes[at] = change;
        if (at == r->wishes.change_count) r->wishes.change_count++;
        change = last;
    }
    pthread_cond_signal(&r->wished);
    unlock(r);
    free(change.path);
    json_decref(change.value);
    return is_taken;
}

void mn_runner_want_shot(mnRunner *r) {
    lock(r);
    r->wishes.shot = true;
    unlock(r);
}

mnRunStatus mn_runner_status(mnRunner *r) {
    lock(r);
    mnRunStatus status = r->told.status;
    unlock(r);
    return status;
}

mnShot *mn_runner_shot(mnRunner *r, int64_t job) {
    lock(r);
    mnShot *shot = r->told.status.job == job ? mn_shot_hold(r->told.shot) : NULL;
    unlock(r);
    return shot;
}

int mn_runner_rows(mnRunner *r, int64_t job, int64_t from, mnChartRow *rows) {
    int count = 0;
    lock(r);
    const mnChart *chart = &r->told.chart;
    if (r->told.status.job == job) {
        int first = mn_chart_from(chart, from);
        count = chart->count - first;
        memcpy(rows, chart->rows + first, (size_t)count * sizeof *rows);
    }
    unlock(r);
    return count;
}

char *mn_runner_text(mnRunner *r, int64_t job) {
    lock(r);
    char *text = r->told.status.job == job && r->told.text ? strdup(r->told.text) : NULL;
    unlock(r);
    return text;
}

bool mn_runner_refusal(mnRunner *r, mnRefusal *refusal) {
    lock(r);
    bool is_there = r->told.refusal_count > 0;
    if (is_there) {
        *refusal = r->told.refusals[0];
        memmove(r->told.refusals, r->told.refusals + 1, (size_t)--r->told.refusal_count * sizeof *refusal);
    }
    unlock(r);
    return is_there;
}
