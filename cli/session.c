/* Frames are written when the pace says so (io/pace.h); the first and the last state always are. */
#include "session.h"

#include <math.h>
#include <string.h>

#include "cli.h"
#include "interrupt.h"
#include "io/pace.h"
#include "progress.h"

typedef struct Session {
    const SessionDesc *desc;
    const mnSceneDesc *scene;
    mnSim *sim;
    mnRecorder *recorder;
    Progress progress;
    mnStepReport report; /* of the last step */
    mnPace pace;
    int64_t recorded_step;
    int64_t particles; /* fluid, counted here since asking for it would bring all of it from a device */
} Session;

/* ---- when -------------------------------------------------------------------------------------------------------- */

static bool is_over(const Session *s) {
    return mn_pace_is_over(&s->pace, mn_sim_time(s->sim)) || (s->desc->steps > 0 && s->report.step >= s->desc->steps);
}

static double share_done(const Session *s) {
    double share = mn_sim_time(s->sim) / s->scene->duration;
    if (s->desc->steps > 0) share = fmax(share, (double)s->report.step / (double)s->desc->steps);
    return fmin(share, 1);
}

/* ---- what -------------------------------------------------------------------------------------------------------- */

static mnStatus record_frame(Session *s, mnError *error) {
    mnSnapshot snapshot = mn_snapshot_take(s->sim);
    mnStatus status = mn_sim_look(s->sim, error);
    if (status == MN_OK) status = mn_recorder_frame(s->recorder, &snapshot, error);
    if (status != MN_OK) return status;
    s->recorded_step = s->report.step;
    if (s->desc->verbose) {
        progress_break(&s->progress);
        fprintf(stderr, "frame %lld at %.6g s, step %lld: %lld particles, mean pressure %.4g Pa, fastest %.3g m/s\n",
                (long long)(mn_recorder_frames(s->recorder) - 1), snapshot.time, (long long)s->report.step,
                (long long)snapshot.particles.count, snapshot.totals.mean_pressure, s->report.max_velocity);
    }
    return MN_OK;
}

static mnStatus step_until_over(Session *s, mnError *error) {
    mn_pace_frame_is_due(&s->pace, mn_sim_time(s->sim));
    mnStatus status = record_frame(s, error);
    while (status == MN_OK && !is_over(s) && !interrupted()) {
        double start = seconds_now();
        mnStepReport report;
        status = mn_sim_step(s->sim, mn_pace_step_limit(&s->pace, mn_sim_time(s->sim)), &report, error);
        if (status != MN_OK) break;
        s->report = report;
        s->pace.last_step = report.dt;
        mn_recorder_step(s->recorder, &report, seconds_now() - start);
        s->particles += report.emitted - report.removed;
        progress_show(&s->progress, share_done(s), &report, s->particles);
        if (mn_pace_frame_is_due(&s->pace, mn_sim_time(s->sim))) status = record_frame(s, error);
    }
    return status;
}

static void say_end(const Session *s, const char *ending) {
    const mnStats *stats = mn_recorder_stats(s->recorder);
    if (s->desc->quiet) return;
    if (stats->not_converged > 0)
        complain("warning: %lld of %lld steps ended before they had converged", (long long)stats->not_converged,
                 (long long)stats->steps);
    mnHeldBack held_back = mn_sim_held_back(s->sim);
    if (held_back.waiting + held_back.lost > 0)
        complain("warning: emitters: %lld drops still wait for a free place, %lld drops or layers never found one",
                 (long long)held_back.waiting, (long long)held_back.lost);
    printf("%s: %.6g s in %lld steps (%.3g ms a step), %lld frames in %s, summary in %s\n", ending, mn_sim_time(s->sim),
           (long long)stats->steps, 1e3 * mn_stats_mean(stats->step_seconds, stats->steps),
           (long long)mn_recorder_frames(s->recorder), s->desc->record.folder, mn_recorder_summary_path(s->recorder));
}

/* Whatever ended the run, its last good state and its summary are written as far as that is possible. */
static int finish(Session *s, mnStatus status, mnError *error) {
    const char *ending = "failed";
    if (status == MN_OK) ending = interrupted() && !is_over(s) ? "interrupted" : "done";
    if (status == MN_ERROR_UNSTABLE) ending = "unstable";
    mnError later = {0};
    if (status != MN_ERROR_FILE && s->recorded_step != s->report.step) {
        mnStatus recorded = record_frame(s, &later);
        if (recorded != MN_OK && status == MN_OK) {
            ending = "failed";
            status = recorded;
            *error = later;
        }
    }
    progress_break(&s->progress);
    mnSnapshot snapshot = mn_snapshot_take(s->sim);
    if (mn_recorder_end(s->recorder, &snapshot, ending, status == MN_OK ? NULL : error->text, &later) != MN_OK) {
        complain("%s", later.text);
        ending = "failed";
    }
    if (status == MN_ERROR_UNSTABLE)
        complain("the run became unstable and stopped: %s", error->text);
    else if (status != MN_OK)
        complain("stopped after step %lld: %s", (long long)s->report.step, error->text);
    say_end(s, ending);
    return strcmp(ending, "done") == 0 ? EXIT_DONE : EXIT_FAILED;
}

static void say_start(const Session *s) {
    mnSampling sampling = mn_sim_sampling(s->sim);
    if (s->desc->quiet) return;
    if (sampling.overlap_removed > 0)
        complain("warning: %lld fluid particles lay inside solids or other fluid and were removed",
                 (long long)sampling.overlap_removed);
    char size[32];
    fprintf(stderr, "%s: %dD, h = %.4g m, %lld fluid and %lld boundary particles, %s of memory, %d thread(s)\n",
            s->scene->name ? s->scene->name : "scene", s->scene->dimension, s->scene->spacing,
            (long long)sampling.fluid, (long long)sampling.boundary, size_text((double)mn_sim_memory(s->sim), size),
            mn_sim_threads(s->sim));
    if (s->desc->verbose)
        fprintf(stderr, "%.6g s at %.6g frames per second into %s\n", s->scene->duration, s->scene->frames_per_second,
                s->desc->record.folder);
}

int session_run(const SessionDesc *desc, const mnSceneDesc *scene, const mnOptions *options) {
    Session s = {.desc = desc, .scene = scene, .pace.scene = scene};
    mnError error = {0};
    int exit_status = EXIT_BAD_INPUT;
    /* Large solids take minutes to be sampled, and there is no progress line yet. */
    if (!desc->quiet) fprintf(stderr, "placing particles ...\n");
    /* Only the last of these creates anything, and it does so last. */
    if (mn_recorder_check(&desc->record, &error) != MN_OK || mn_sim_create(scene, options, &s.sim, &error) != MN_OK ||
        mn_recorder_begin(&desc->record, &s.recorder, &error) != MN_OK) {
        complain("%s", error.text);
    } else {
        watch_interrupts(); /* until here there is nothing to end in good order */
        say_start(&s);
        s.progress = progress_start(desc->quiet);
        s.particles = mn_sim_sampling(s.sim).fluid;
        mnStatus status = step_until_over(&s, &error);
        exit_status = finish(&s, status, &error);
    }
    mn_recorder_destroy(s.recorder);
    mn_sim_destroy(s.sim);
    return exit_status;
}
