/* Frames are written when the pace says so (io/pace.h); the first and the last state always are.
 *
 * A checkpoint counts the frames that a run has whenever it is made. The frame of a last state that the pace did not
 * ask for is not among them: a run that goes on has no such frame, and takes it away. */
#include "session.h"

#include <math.h>
#include <string.h>

#include "cli.h"
#include "interrupt.h"
#include "progress.h"
#include "sim_state.h"

typedef struct Session {
    const SessionDesc *desc;
    const mnSceneDesc *scene;
    mnSim *sim;
    mnRecorder *recorder;
    Progress progress;
    mnStepReport report; /* of the last step */
    mnPace pace;
    const char *scene_before; /* text of the scene before it was changed last */
    double checkpoint_at;     /* s, when the last one was made */
    int64_t checkpoint_step;  /* of the last one; −1: there is none */
    int64_t particles;        /* fluid, counted here since asking for it would bring all of it from a device */
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
    mnSnapshot snapshot = mn_recorder_look(s->recorder, s->sim);
    mnStatus status = mn_sim_look(s->sim, error);
    if (status == MN_OK) status = mn_recorder_frame(s->recorder, &snapshot, error);
    if (status != MN_OK) return status;
    if (s->desc->verbose) {
        progress_break(&s->progress);
        fprintf(stderr, "frame %lld at %.6g s, step %lld: %lld particles, mean pressure %.4g Pa, fastest %.3g m/s\n",
                (long long)(mn_recorder_frames(s->recorder) - 1), snapshot.time, (long long)s->report.step,
                (long long)snapshot.particles.count, snapshot.totals.mean_pressure, s->report.max_velocity);
    }
    return MN_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static bool has_checkpoints(const Session *s) {
    return s->desc->checkpoint_steps > 0 || s->desc->checkpoint_seconds > 0;
}

static bool checkpoint_is_due(const Session *s) {
    int64_t steps = s->desc->checkpoint_steps;
    double seconds = s->desc->checkpoint_seconds;
    return (steps > 0 && s->report.step % steps == 0) || (seconds > 0 && seconds_now() - s->checkpoint_at >= seconds);
}

/* All there is to tell at the moment; NULL with the error where that fails. */
static mnArchive *take_checkpoint(Session *s, mnError *error) {
    mnArchive *archive;
    mnStatus status = mn_archive_create(&archive, error);
    if (status != MN_OK) return NULL;
    mnCheckpointHead head = {.name = (char *)(s->scene->name ? s->scene->name : ""),
                             .scene = (char *)s->desc->record.scene,
                             .before = (char *)s->scene_before,
                             .pace = s->pace};
    mn_checkpoint_exchange(&head, archive);
    mn_recorder_exchange(s->recorder, archive);
    if (mn_sim_put(s->sim, archive, error) == MN_OK) return archive;
    mn_archive_destroy(archive);
    return NULL;
}

/* What a checkpoint counts must be on the disk before it is. */
static mnStatus save_checkpoint(Session *s, mnArchive *archive, mnError *error) {
    mnStatus status = mn_recorder_sync(s->recorder, error);
    if (status == MN_OK) status = mn_checkpoint_save(archive, s->desc->record.folder, s->report.step, error);
    if (status == MN_OK) s->checkpoint_step = s->report.step;
    return status;
}

static mnStatus make_checkpoint(Session *s, mnError *error) {
    mnArchive *archive = take_checkpoint(s, error);
    mnStatus status = archive ? save_checkpoint(s, archive, error) : MN_ERROR_FILE;
    mn_archive_destroy(archive);
    return status;
}

/* A run does not end because it could not be made safe; if the disk is full, the next frame will say so. */
static void checkpoint_when_due(Session *s) {
    mnError error = {0};
    if (!checkpoint_is_due(s)) return;
    double start = seconds_now();
    mnStatus status = make_checkpoint(s, &error);
    if (status != MN_OK || s->desc->verbose) progress_break(&s->progress);
    if (status != MN_OK)
        complain("warning: there is no checkpoint of step %lld: %s", (long long)s->report.step, error.text);
    else if (s->desc->verbose)
        fprintf(stderr, "checkpoint at %.6g s, step %lld: made in %.3g s\n", mn_sim_time(s->sim),
                (long long)s->report.step, seconds_now() - start);
    s->checkpoint_at = seconds_now();
}

/* ---- from start to end ------------------------------------------------------------------------------------------- */

static mnStatus record_start(Session *s, mnError *error) {
    mn_pace_frame_is_due(&s->pace, mn_sim_time(s->sim));
    return record_frame(s, error);
}

static mnStatus step_until_over(Session *s, mnError *error) {
    mnStatus status = MN_OK;
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
        if (status == MN_OK && !is_over(s)) checkpoint_when_due(s);
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
    if (strcmp(ending, "done") != 0 && s->checkpoint_step >= 0)
        complain("it can go on from step %lld: meniscus run --resume %s", (long long)s->checkpoint_step,
                 s->desc->record.folder);
    printf("%s: %.6g s in %lld steps (%.3g ms a step), %lld frames in %s, summary in %s\n", ending, mn_sim_time(s->sim),
           (long long)stats->steps, 1e3 * mn_stats_mean(stats->step_seconds, stats->steps),
           (long long)mn_recorder_frames(s->recorder), s->desc->record.folder, mn_recorder_summary_path(s->recorder));
}

static void end_with_checkpoint(Session *s, mnArchive *archive, const mnError *trouble) {
    mnError error = *trouble;
    if (!archive || save_checkpoint(s, archive, &error) != MN_OK)
        complain("warning: there is no checkpoint of the last state: %s", error.text);
}

/* Whatever ended the run, its last good state and its summary are written as far as that is possible. */
static int finish(Session *s, mnStatus status, mnError *error) {
    const char *ending = "failed";
    if (status == MN_OK) ending = interrupted() && !is_over(s) ? "interrupted" : "done";
    if (status == MN_ERROR_UNSTABLE) ending = "unstable";
    progress_break(&s->progress);
    mnError later = {0}, trouble = {0};
    bool is_last = status == MN_OK && is_over(s);
    bool is_sound = status == MN_OK || status == MN_ERROR_UNSTABLE; /* and has all the frames that were due */
    bool ends_safely = has_checkpoints(s) && is_sound && s->checkpoint_step != s->report.step;
    mnArchive *archive = ends_safely ? take_checkpoint(s, &trouble) : NULL;
    if (ends_safely && !is_last) end_with_checkpoint(s, archive, &trouble);
    if (status != MN_ERROR_FILE && !mn_recorder_is_current(s->recorder)) {
        mnStatus recorded = record_frame(s, &later);
        if (recorded != MN_OK && status == MN_OK) {
            ending = "failed";
            status = recorded;
            *error = later;
        }
    }
    mnSnapshot snapshot = mn_snapshot_take(s->sim);
    if (mn_recorder_end(s->recorder, &snapshot, ending, status == MN_OK ? NULL : error->text, &later) != MN_OK) {
        complain("%s", later.text);
        ending = "failed";
    }
    if (status == MN_ERROR_UNSTABLE)
        complain("the run became unstable and stopped: %s", error->text);
    else if (status != MN_OK)
        complain("stopped after step %lld: %s", (long long)s->report.step, error->text);
    /* One of a run that is over comes last, and so tells that all else is there. */
    bool is_done = strcmp(ending, "done") == 0;
    if (ends_safely && is_last && is_done) end_with_checkpoint(s, archive, &trouble);
    mn_archive_destroy(archive);
    say_end(s, ending);
    return is_done ? EXIT_DONE : EXIT_FAILED;
}

static void say_start(const Session *s) {
    mnSampling sampling = mn_sim_sampling(s->sim);
    if (s->desc->quiet) return;
    if (sampling.overlap_removed > 0)
        complain("warning: %lld fluid particles lay inside solids or other fluid and were removed",
                 (long long)sampling.overlap_removed);
    char size[32];
    fprintf(stderr, "%s: %dD, h = %.4g m, %lld fluid and %lld boundary particles, %s of memory, %d thread(s)\n",
            s->scene->name ? s->scene->name : "scene", s->scene->dimension, s->scene->spacing, (long long)s->particles,
            (long long)sampling.boundary, size_text((double)mn_sim_memory(s->sim), size), mn_sim_threads(s->sim));
    if (!s->desc->verbose) return;
    fprintf(stderr, "%.6g s at %.6g frames per second into %s\n", s->scene->duration, s->scene->frames_per_second,
            s->desc->record.folder);
    if (s->desc->checkpoint_steps > 0)
        fprintf(stderr, "checkpoints every %lld steps\n", (long long)s->desc->checkpoint_steps);
    else if (has_checkpoints(s))
        fprintf(stderr, "checkpoints every %.6g s\n", s->desc->checkpoint_seconds);
    else
        fprintf(stderr, "no checkpoints\n");
}

static int run_to_end(Session *s, mnStatus status, mnError *error) {
    s->checkpoint_at = seconds_now();
    if (status == MN_OK) status = step_until_over(s, error);
    return finish(s, status, error);
}

int session_run(const SessionDesc *desc, const mnSceneDesc *scene, const mnOptions *options) {
    Session s = {
        .desc = desc, .scene = scene, .pace.scene = scene, .scene_before = desc->record.scene, .checkpoint_step = -1};
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
        s.particles = mn_sim_sampling(s.sim).fluid;
        say_start(&s);
        s.progress = progress_start(desc->quiet);
        exit_status = run_to_end(&s, record_start(&s, &error), &error);
    }
    mn_recorder_destroy(s.recorder);
    mn_sim_destroy(s.sim);
    return exit_status;
}

/* ---- from a checkpoint ------------------------------------------------------------------------------------------- */

static void take_over(Session *s, const Resume *resume) {
    const mnStats *stats = mn_recorder_stats(s->recorder);
    s->report = stats->last;
    s->report.step = s->checkpoint_step = resume->step;
    s->particles = mn_sim_sampling(s->sim).fluid + stats->emitted - stats->removed;
    s->progress = progress_start(s->desc->quiet);
    s->progress.start -= stats->step_seconds + stats->output_seconds;
}

/* A scene that was changed goes into a checkpoint before it goes into scene.json, which may be either of the two when
 * this is interrupted. */
static mnStatus keep_scene(Session *s, const Resume *resume, mnError *error) {
    mnStatus status = MN_OK;
    if (resume->is_changed) status = make_checkpoint(s, error);
    if (status == MN_OK && (resume->is_changed || !resume->has_scene))
        status = mn_recorder_scene(s->desc->record.folder, s->desc->record.scene, error);
    s->scene_before = s->desc->record.scene;
    return status;
}

static int go_on(Session *s, const Resume *resume, mnError *error) {
    take_over(s, resume);
    if (keep_scene(s, resume, error) != MN_OK) {
        complain("%s", error->text);
        return EXIT_FAILED;
    }
    watch_interrupts();
    say_start(s);
    if (!s->desc->quiet)
        fprintf(stderr, "going on from step %lld at %.6g s, after frame %lld\n", (long long)resume->step,
                mn_sim_time(s->sim), (long long)(mn_recorder_frames(s->recorder) - 1));
    return run_to_end(s, MN_OK, error);
}

int session_resume(const SessionDesc *desc, Resume *resume, const mnSceneDesc *scene, const mnOptions *options) {
    Session s = {.desc = desc, .scene = scene, .pace = resume->head.pace, .scene_before = resume->head.scene};
    s.pace.scene = scene;
    s.report.step = resume->step;
    mnError error = {0};
    int exit_status = EXIT_BAD_INPUT;
    if (mn_recorder_check(&desc->record, &error) != MN_OK ||
        mn_sim_take(scene, options, resume->archive, &s.sim, &error) != MN_OK) {
        complain("%s", error.text);
        return exit_status;
    }
    if (resume->new_pace) {
        s.pace.next_frame = 0;
        mn_pace_frame_is_due(&s.pace, mn_sim_time(s.sim));
    }
    if (is_over(&s)) {
        if (!desc->quiet)
            printf("done already: %s is at %.6g s, step %lld; --until a later time goes on with it\n",
                   desc->record.folder, mn_sim_time(s.sim), (long long)resume->step);
        exit_status = EXIT_DONE;
    } else if (mn_recorder_resume(&desc->record, scene, resume->archive, resume->step, &s.recorder, &error) != MN_OK) {
        complain("%s", error.text);
    } else {
        exit_status = go_on(&s, resume, &error);
    }
    mn_recorder_destroy(s.recorder);
    mn_sim_destroy(s.sim);
    return exit_status;
}
