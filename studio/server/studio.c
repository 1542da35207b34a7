#include "studio.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "io/file.h"
#include "protocol.h"
#include "room.h"

static const double TICK = 0.03;

/* ---- what there is ----------------------------------------------------------------------------------------------- */

bool mn_studio_is_active(const mnStudio *s) {
    if (!s->job) return false;
    return s->status.job != s->job || s->status.state == MN_RUN_PREPARING || s->status.state == MN_RUN_RUNNING ||
           s->status.state == MN_RUN_PAUSED;
}

int64_t mn_studio_frames(const mnStudio *s) {
    if (!s->job) return s->shows_finished ? s->finished.frame_count : 0;
    return s->status.job == s->job ? s->status.frames : 0;
}

const char *mn_studio_text(const mnStudio *s) {
    return s->steered_text ? s->steered_text : s->document.text;
}

const mnSceneDesc *mn_studio_scene(const mnStudio *s) {
    const mnScene *scene = s->steered ? s->steered : s->document.scene;
    return scene ? mn_scene_desc(scene) : NULL;
}

const char *mn_studio_state(const mnStudio *s) {
    static const char *const names[] = {
        [MN_RUN_NONE] = "ready",    [MN_RUN_PREPARING] = "preparing", [MN_RUN_RUNNING] = "running",
        [MN_RUN_PAUSED] = "paused", [MN_RUN_STOPPED] = "stopped",     [MN_RUN_DONE] = "done",
        [MN_RUN_FAILED] = "failed",
    };
    if (!s->document.text) return "empty";
    if (!s->job) return s->shows_finished ? "done" : "ready";
    return names[s->status.job == s->job ? s->status.state : MN_RUN_PREPARING];
}

static void say(const mnStudio *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const mnStudio *s, const char *format, ...) {
    if (!s->desc->say) return;
    char line[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    s->desc->say(line);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static void forget_changes(mnStudio *s) {
    mn_scene_destroy(s->steered);
    free(s->steered_text);
    s->steered = NULL;
    s->steered_text = NULL;
}

/* Connections look at whatever comes next. */
static void look_anew(mnStudio *s) {
    for (int i = 0; i < s->connection_count; i++) {
        mnConnection *c = s->connections[i];
        c->frame = -1;
        c->refresh = true;
        c->scene_told = 0; /* at once */
        mn_shot_drop(c->shown);
        c->shown = NULL;
    }
}

/* Lets the start of the document be shown before it runs. */
static void show_start(mnStudio *s) {
    mnRunnerJob job = {
        .text = s->document.text, .name = s->document.name, .folder = s->document.folder, .threads = s->desc->threads};
    s->preview = mn_runner_start(s->runner, &job);
}

/* The document is another one, of which nothing runs. */
static void begin_scene(mnStudio *s, bool shows_finished) {
    if (mn_studio_is_active(s)) mn_runner_stop(s->runner);
    forget_changes(s);
    s->job = s->preview = 0;
    s->shows_finished = shows_finished;
    mn_shot_drop(s->still);
    s->still = NULL;
    s->version++;
    s->solids_version++;
    mn_solids_clear(&s->solids);
    mnError error = {0};
    if (s->document.scene && mn_solids_show(mn_scene_desc(s->document.scene), &s->solids, &error) != MN_OK)
        say(s, "the solids cannot be shown: %s", error.text);
    if (s->document.scene && !shows_finished) show_start(s);
    look_anew(s);
}

static mnStatus load(mnStudio *s, const char *path, mnError *error) {
    mnStatus status = mn_document_load(&s->document, path, error);
    if (status == MN_OK) mn_document_list_meshes(&s->document, s->meshes);
    if (status == MN_OK) begin_scene(s, false);
    return status;
}

/* The last part of a path. */
static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static mnStatus open_finished(mnStudio *s, mnError *error) {
    const char *folder = s->finished.folder;
    char *path = mn_path_join(folder, "scene.json"), *full = realpath(folder, NULL);
    mnStatus status = path ? mn_document_load(&s->document, path, error)
                           : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to open %s", folder);
    if (status == MN_OK) {
        char *name = strdup(base_of(full ? full : folder));
        if (name) {
            free(s->document.name);
            s->document.name = name;
        }
        mn_document_list_meshes(&s->document, s->meshes);
        begin_scene(s, true);
    }
    free(full);
    free(path);
    return status;
}

static mnStatus open_named(mnStudio *s, const char *name, mnError *error) {
    for (int i = 0; i < s->desc->scene_count; i++)
        if (strcmp(s->desc->scenes[i].name, name) == 0) return load(s, s->desc->scenes[i].path, error);
    return mn_error_set(error, MN_ERROR_INPUT, "there is no shipped scene \"%.60s\"", name);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static bool is_same(const char *a, const char *b) {
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Runs replace each other, but never the one that is there to be looked at. */
static char *choose_output(const mnStudio *s) {
    char folder[300];
    if (s->desc->output) return strdup(s->desc->output);
    snprintf(folder, sizeof folder, "out/studio/%.120s", s->document.name);
    if (s->finished.folder && is_same(folder, s->finished.folder))
        snprintf(folder, sizeof folder, "out/studio/%.120s_again", s->document.name);
    return strdup(folder);
}

static mnStatus start(mnStudio *s, mnError *error) {
    if (!s->document.scene)
        return mn_error_set(error, MN_ERROR_INPUT, "the scene has %d problem(s), correct them first",
                            s->document.report.errors);
    char *output = choose_output(s);
    mnRunnerJob job = {.text = s->document.text,
                       .name = s->document.name,
                       .folder = s->document.folder,
                       .output = output,
                       .threads = s->desc->threads,
                       .backend = s->desc->backend};
    int64_t number = output ? mn_runner_start(s->runner, &job) : 0;
    if (!number) {
        free(output);
        return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to begin a run");
    }
    free(s->output);
    s->output = output;
    forget_changes(s);
    s->job = number;
    s->shows_finished = false;
    s->version++;
    look_anew(s);
    say(s, "%s runs, recorded into %s", s->document.name, output);
    return MN_OK;
}

static void say_end(const mnStudio *s) {
    const mnRunStatus *r = &s->status;
    if (r->state == MN_RUN_FAILED)
        say(s, "%s failed at %.6g s: %s", s->document.name, r->time, r->message);
    else if (r->state == MN_RUN_DONE || r->state == MN_RUN_STOPPED)
        say(s, "%s %s at %.6g s after %lld steps, %lld frames in %s", s->document.name,
            r->state == MN_RUN_DONE ? "is done" : "was stopped", r->time, (long long)r->step, (long long)r->frames,
            s->output);
}

/* Reads the scene as it was steered, for what is told of it. */
static void take_changes(mnStudio *s) {
    char *text = mn_runner_text(s->runner, s->job);
    mnScene *scene = NULL;
    if (text) mn_scene_parse(text, strlen(text), s->document.name, s->document.folder, NULL, 0, &scene, NULL);
    if (!scene) {
        free(text);
        return;
    }
    forget_changes(s);
    s->steered = scene;
    s->steered_text = text;
    s->version++;
}

static mnConnection *connection_with(const mnStudio *s, int id) {
    for (int i = 0; i < s->connection_count; i++)
        if (s->connections[i]->id == id) return s->connections[i];
    return NULL;
}

static void look_at_runner(mnStudio *s) {
    mnRunStatus last = s->status;
    s->status = mn_runner_status(s->runner);
    if (s->job && s->status.job == s->job) {
        bool is_other = last.job != s->job || last.state != s->status.state;
        if (is_other) say_end(s);
        if (s->status.changes != (last.job == s->job ? last.changes : 0)) take_changes(s);
    }
    mnRefusal refusal;
    while (mn_runner_refusal(s->runner, &refusal)) {
        mnConnection *asker = connection_with(s, refusal.asker);
        if (asker) mn_tell_error(asker, "refused", refusal.path, refusal.text);
    }
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* What was asked could not be done: why, and how the answer calls that. */
typedef struct Answer {
    const char *code; /* NULL: it was done */
    mnError error;
} Answer;

static Answer refuse(const char *code, const char *text) {
    Answer answer = {.code = code};
    mn_error_set(&answer.error, MN_ERROR_INPUT, "%s", text);
    return answer;
}

/* The answer to something that has failed or not. */
static Answer answer_of(mnStatus status, const mnError *error) {
    Answer answer = {.error = *error};
    if (status != MN_OK) answer.code = status == MN_ERROR_FILE ? "file" : "refused";
    return answer;
}

static Answer do_open(mnStudio *s, const mnStudioMessage *m) {
    mnError error = {0};
    mnStatus status;
    if (m->run && !s->finished.folder) return refuse("refused", "the studio was not started with a finished run");
    if (m->run) {
        status = open_finished(s, &error);
    } else if (m->scene) {
        status = open_named(s, m->scene, &error);
    } else {
        status = mn_document_open(&s->document, m->text, m->name, NULL, s->meshes, &error);
        if (status == MN_OK) begin_scene(s, false);
    }
    return answer_of(status, &error);
}

static Answer do_set(mnStudio *s, const mnStudioMessage *m) {
    mnError error = {0};
    if (mn_studio_is_active(s)) return refuse("state", "stop the run before the scene is changed, or steer");
    mnStatus status = mn_document_set(&s->document, m->path, m->value, s->meshes, &error);
    if (status == MN_OK) begin_scene(s, false);
    return answer_of(status, &error);
}

static Answer do_start(mnStudio *s) {
    mnError error = {0};
    mnStatus status = start(s, &error);
    return answer_of(status, &error);
}

static Answer do_steer(mnStudio *s, const mnConnection *c, const mnStudioMessage *m) {
    if (!mn_runner_steer(s->runner, c->id, m->path, m->value))
        return refuse("too_many", "too many changes wait to be made");
    return (Answer){0};
}

static Answer do_with_run(mnStudio *s, const mnConnection *c, const mnStudioMessage *m) {
    bool is_active = mn_studio_is_active(s);
    if (!s->document.text) return refuse("state", "no scene is open");
    bool is_fresh = !s->job && !s->shows_finished;
    bool begins = m->verb == MN_STUDIO_RESTART || (is_fresh && (m->verb == MN_STUDIO_RUN || m->verb == MN_STUDIO_STEP));
    if (begins) {
        Answer answer = do_start(s);
        if (!answer.code && m->verb == MN_STUDIO_STEP) mn_runner_step(s->runner);
        return answer;
    }
    if (!is_active) return refuse("state", is_fresh ? "nothing runs" : "the run has ended; it can only start over");
    switch (m->verb) {
    case MN_STUDIO_RUN:
        mn_runner_go_on(s->runner);
        break;
    case MN_STUDIO_PAUSE:
        mn_runner_pause(s->runner);
        break;
    case MN_STUDIO_STEP:
        mn_runner_step(s->runner);
        break;
    case MN_STUDIO_STOP:
        mn_runner_stop(s->runner);
        break;
    default:
        return do_steer(s, c, m);
    }
    return (Answer){0};
}

static Answer do_frame(const mnStudio *s, mnConnection *c, const mnStudioMessage *m) {
    if (m->number >= mn_studio_frames(s)) return refuse("refused", "there is no such frame");
    c->frame = m->number;
    c->refresh = true;
    return (Answer){0};
}

static Answer do_take(mnStudio *s, const mnConnection *c) {
    if (s->steering && s->steering != c->id) return refuse("refused", "another page steers");
    s->steering = c->id;
    mn_tell_roles(s);
    return (Answer){0};
}

static Answer do_save(const mnStudio *s, mnConnection *c) {
    if (!s->document.text) return refuse("state", "no scene is open");
    mn_tell_text(s, c);
    return (Answer){0};
}

static void do_release(mnStudio *s, const mnConnection *c) {
    if (s->steering != c->id) return;
    s->steering = 0;
    mn_tell_roles(s);
}

static Answer do_message(mnStudio *s, mnConnection *c, const mnStudioMessage *m) {
    if (mn_studio_verb_steers(m->verb) && s->steering != c->id)
        return refuse("not_steering", "this page watches; ask to steer first");
    switch (m->verb) {
    case MN_STUDIO_OPEN:
        return do_open(s, m);
    case MN_STUDIO_SET:
        return do_set(s, m);
    case MN_STUDIO_FRAME:
        return do_frame(s, c, m);
    case MN_STUDIO_FIELD:
        c->field = m->field;
        c->refresh = true;
        break;
    case MN_STUDIO_PICK:
        mn_tell_particle(c, mn_studio_scene(s), m->number);
        break;
    case MN_STUDIO_TAKE:
        return do_take(s, c);
    case MN_STUDIO_RELEASE:
        do_release(s, c);
        break;
    case MN_STUDIO_SAVE:
        return do_save(s, c);
    case MN_STUDIO_ACK:
        if (m->number == c->sequence) c->in_flight = false;
        break;
    default:
        return do_with_run(s, c, m);
    }
    return (Answer){0};
}

void mn_studio_receive(mnStudio *s, mnConnection *c, const char *text, size_t length) {
    mnStudioMessage message;
    mnError error = {0};
    look_at_runner(s);
    if (mn_studio_parse(text, length, &message, &error) != MN_OK) {
        mn_tell_error(c, message.code, NULL, error.text);
        if (++c->refused >= MN_REFUSED_MOST) c->closing = MN_CLOSING_POLICY;
    } else {
        c->refused = 0;
        Answer answer = do_message(s, c, &message);
        if (answer.code) mn_tell_error(c, answer.code, message.path, answer.error.text);
    }
    mn_studio_message_clear(&message);
}

/* ---- connections ------------------------------------------------------------------------------------------------- */

mnConnection *mn_studio_join(mnStudio *s) {
    if (s->connection_count == MN_CONNECTIONS_MOST) return NULL;
    mnConnection *c = mn_connection_new(++s->last_id);
    if (!c) return NULL;
    s->connections[s->connection_count++] = c;
    if (!s->steering) s->steering = c->id;
    mn_tell_hello(s, c);
    mn_tell_roles(s);
    return c;
}

void mn_studio_leave(mnStudio *s, mnConnection *c) {
    for (int i = 0; i < s->connection_count; i++)
        if (s->connections[i] == c) s->connections[i] = s->connections[--s->connection_count];
    if (s->steering == c->id) s->steering = 0;
    mn_connection_free(c);
    mn_tell_roles(s);
}

double mn_studio_tick(mnStudio *s, double now) {
    look_at_runner(s);
    bool is_left = mn_studio_is_active(s);
    for (int i = 0; i < s->connection_count; i++) is_left |= mn_tell_news(s, s->connections[i], now);
    return is_left ? TICK : INFINITY;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static mnStatus open_at_start(mnStudio *s, mnError *error) {
    const mnStudioDesc *desc = s->desc;
    mnStatus status = MN_OK;
    if (desc->scene) return load(s, desc->scene, error);
    if (!desc->run) return MN_OK;
    status = mn_run_folder_open(desc->run, &s->finished, error);
    if (status == MN_OK && !s->finished.scene)
        status = mn_error_set(error, MN_ERROR_INPUT, "%s has no scene.json, without which the studio cannot show it",
                              s->finished.folder);
    if (status == MN_OK && desc->output && is_same(desc->output, s->finished.folder))
        status = mn_error_set(error, MN_ERROR_INPUT, "a run into %s would replace the one that is to be shown",
                              desc->output);
    if (status != MN_OK) return status;
    mn_past_read(&s->past, s->finished.folder);
    return open_finished(s, error);
}

mnStatus mn_studio_create(const mnStudioDesc *desc, void (*wake)(void *context), void *context, mnStudio **studio,
                          mnError *error) {
    *studio = NULL;
    mnStudio *s = calloc(1, sizeof *s);
    char *schema = mn_scene_schema();
    if (s) s->schema = schema ? mn_json_parse(schema, strlen(schema), 0, NULL) : NULL;
    if (s) s->meshes = json_array();
    free(schema);
    mnStatus status =
        s && s->schema && s->meshes ? MN_OK : mn_error_set(error, MN_ERROR_MEMORY, "no memory left for the studio");
    if (status == MN_OK) {
        s->desc = desc;
        status = mn_runner_create(wake, context, &s->runner, error);
    }
    if (status == MN_OK) status = open_at_start(s, error);
    if (status != MN_OK)
        mn_studio_destroy(s);
    else
        *studio = s;
    return status;
}

void mn_studio_end(mnStudio *s) {
    mn_runner_end(s->runner);
    look_at_runner(s);
}

void mn_studio_destroy(mnStudio *s) {
    if (!s) return;
    mn_runner_destroy(s->runner);
    for (int i = 0; i < s->connection_count; i++) mn_connection_free(s->connections[i]);
    forget_changes(s);
    mn_document_clear(&s->document);
    mn_solids_clear(&s->solids);
    mn_run_folder_close(&s->finished);
    mn_shot_drop(s->still);
    json_decref(s->schema);
    json_decref(s->meshes);
    free(s->output);
    free(s);
}
