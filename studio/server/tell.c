#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "room.h"

/* s between two messages of a kind to a connection, where nothing decisive has changed */
static const double STATE_PAUSE = 0.2, SCENE_PAUSE = 0.2, ROWS_PAUSE = 0.1;

enum { DIGITS = 17, ROW_DIGITS = 7 };

static void send_json(mnConnection *connection, json_t *message) {
    mn_connection_send(connection, mn_message_json(message, DIGITS));
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static json_t *error_json(const char *code, const char *text) {
    json_t *message = json_pack("{s:s,s:s,s:s}", "type", "error", "code", code, "text", text);
    if (message) return message;
    /* The text quotes what is not UTF-8. */
    return json_pack("{s:s,s:s,s:s}", "type", "error", "code", code, "text", "refused");
}

void mn_tell_error(mnConnection *connection, const char *code, const char *path, const char *text) {
    json_t *message = error_json(code, text);
    if (path) json_object_set_new(message, "path", json_string(path));
    send_json(connection, message);
}

void mn_tell_hello(const mnStudio *studio, mnConnection *connection) {
    const mnStudioDesc *desc = studio->desc;
    json_t *scenes = json_array();
    for (int i = 0; i < desc->scene_count; i++) {
        const mnStudioScene *scene = &desc->scenes[i];
        char picture[300];
        snprintf(picture, sizeof picture, "scenes/%s.png", scene->name);
        json_array_append_new(scenes, json_pack("{s:s,s:s,s:s?}", "name", scene->name, "title", scene->title, "picture",
                                                scene->has_picture ? picture : NULL));
    }
    send_json(connection, json_pack("{s:s,s:s,s:i,s:o,s:O,s:{s:s?},s:b}", "type", "hello", "version", mn_version(),
                                    "connection", connection->id, "scenes", scenes, "schema", studio->schema, "docs",
                                    "validation", desc->validation, "run", studio->finished.folder != NULL));
}

void mn_tell_roles(mnStudio *studio) {
    for (int i = 0; i < studio->connection_count; i++) {
        mnConnection *c = studio->connections[i];
        bool steers = c->id == studio->steering;
        send_json(c, json_pack("{s:s,s:b,s:b,s:i}", "type", "role", "steers", steers, "taken", studio->steering != 0,
                               "watchers", studio->connection_count - (studio->steering != 0)));
    }
}

void mn_tell_particle(mnConnection *connection, const mnSceneDesc *scene, int64_t id) {
    const mnShot *shot = connection->shown;
    int64_t i = shot ? mn_shot_find(shot, id) : -1;
    json_t *message = json_pack("{s:s,s:I,s:b}", "type", "particle", "id", (json_int_t)id, "found", i >= 0);
    if (message && i >= 0) {
        double position[3], velocity[3];
        for (int a = 0; a < 3; a++) {
            position[a] = shot->position[i][a];
            velocity[a] = shot->velocity[i][a];
        }
        int phase = shot->phase[i];
        bool is_known = scene && phase >= 0 && phase < scene->fluid_count;
        json_object_set_new(message, "position", mn_json_vector(position, 3));
        json_object_set_new(message, "velocity", mn_json_vector(velocity, 3));
        json_object_set_new(message, "speed", mn_json_number(mn_shown_value(shot, MN_SHOWN_SPEED, i)));
        json_object_set_new(message, "pressure", mn_json_number(shot->pressure[i]));
        json_object_set_new(message, "measure", mn_json_number(shot->measure[i]));
        json_object_set_new(message, "phase", json_integer(phase));
        json_object_set_new(message, "fluid", is_known ? json_string(scene->fluids[phase].name) : json_null());
        json_object_set_new(message, "time", mn_json_number(shot->time));
    }
    mn_connection_send(connection, mn_message_json(message, ROW_DIGITS));
}

void mn_tell_text(const mnStudio *studio, mnConnection *connection) {
    char name[128];
    snprintf(name, sizeof name, "%s.json", studio->document.name);
    send_json(connection, json_pack("{s:s,s:s,s:s}", "type", "text", "name", name, "text", mn_studio_text(studio)));
}

/* ---- news -------------------------------------------------------------------------------------------------------- */

static void tell_poses(mnConnection *c, const mnSceneDesc *scene, double time) {
    mnMessage *poses = scene ? mn_solids_poses(scene, time) : NULL;
    if (poses) mn_connection_send(c, poses);
}

static bool tell_scene(mnStudio *studio, mnConnection *c, double now) {
    if (c->scene_version == studio->version) return false;
    bool has_other_solids = c->solids_version != studio->solids_version;
    if (!has_other_solids && now - c->scene_told < SCENE_PAUSE) return true;
    c->scene_version = studio->version;
    c->scene_told = now;
    send_json(c, mn_document_describe(&studio->document, studio->steered, studio->steered_text,
                                      studio->job ? studio->status.time : 0));
    if (has_other_solids && studio->solids.list) {
        mn_connection_send(c, mn_message_hold(studio->solids.list));
        mn_connection_send(c, mn_message_hold(studio->solids.triangles));
        tell_poses(c, mn_studio_scene(studio), studio->job ? studio->status.time : 0);
    }
    if (has_other_solids) c->state_name = NULL; /* of another scene, even where it is called the same */
    c->solids_version = studio->solids_version;
    return false;
}

static bool tell_state(const mnStudio *studio, mnConnection *c, double now) {
    const mnRunStatus *s = &studio->status;
    const char *name = mn_studio_state(studio);
    bool is_other = c->state_job != studio->job || !c->state_name || strcmp(c->state_name, name) != 0;
    if (!is_other && c->state_step == s->step) return false;
    if (!is_other && now - c->state_told < STATE_PAUSE) return true;
    static const mnRunStatus none;
    const mnRunStatus *run = studio->job && s->job == studio->job ? s
                             : studio->shows_finished             ? &studio->past.end
                                                                  : &none;
    c->state_job = studio->job;
    c->state_step = s->step;
    c->state_name = name;
    c->state_told = now;
    const char *folder = studio->job ? studio->output : studio->shows_finished ? studio->finished.folder : NULL;
    send_json(c, json_pack("{s:s,s:s,s:o,s:I,s:I,s:I,s:I,s:s?,s:s?}", "type", "state", "state", name, "time",
                           mn_json_number(run->time), "step", (json_int_t)run->step, "particles",
                           (json_int_t)run->particles, "boundary", (json_int_t)run->boundary, "frames",
                           (json_int_t)mn_studio_frames(studio), "message", *run->message ? run->message : NULL,
                           "folder", folder));
    return false;
}

static json_t *row_json(const mnChartRow *row) {
    return mn_json_vector(row->value, MN_CHART_COLUMNS);
}

static void send_rows(mnConnection *c, const mnChartRow *rows, int count, bool is_first) {
    json_t *columns = json_array(), *list = json_array();
    for (int i = 0; i < MN_CHART_COLUMNS; i++) json_array_append_new(columns, json_string(mn_chart_names[i]));
    for (int i = 0; i < count; i++) json_array_append_new(list, row_json(&rows[i]));
    mn_connection_send(c, mn_message_json(json_pack("{s:s,s:b,s:o,s:o}", "type", "points", "first", is_first, "columns",
                                                    columns, "rows", list),
                                          ROW_DIGITS));
}

/* All at once, each time that the finished run is opened: in place of a job stands the version of the scene. */
static void tell_past(const mnStudio *studio, mnConnection *c) {
    if (c->rows_job == -studio->version) return;
    c->rows_job = -studio->version;
    if (*studio->past.notice.text) mn_tell_error(c, "file", NULL, studio->past.notice.text);
    if (studio->past.chart.count > 0) send_rows(c, studio->past.chart.rows, studio->past.chart.count, true);
}

static bool tell_rows(mnStudio *studio, mnConnection *c, double now) {
    bool is_first = c->rows_job != studio->job;
    if (!studio->job && studio->shows_finished) tell_past(studio, c);
    if (!studio->job || (!is_first && c->next_row > studio->status.step && !mn_studio_is_active(studio))) return false;
    if (!is_first && now - c->rows_told < ROWS_PAUSE) return true;
    int count = mn_runner_rows(studio->runner, studio->job, is_first ? 0 : c->next_row, studio->rows);
    if (count == 0) return mn_studio_is_active(studio);
    c->rows_job = studio->job;
    c->next_row = studio->rows[count - 1].number + 1;
    c->rows_told = now;
    send_rows(c, studio->rows, count, is_first);
    return false;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static void send_shot(const mnStudio *studio, mnConnection *c, mnShot *shot) {
    mn_shot_drop(c->shown);
    c->shown = shot;
    c->refresh = false;
    c->in_flight = true;
    tell_poses(c, mn_studio_scene(studio), shot->time);
    mn_connection_send(c, mn_wire_particles(shot, c->field, ++c->sequence));
}

/* A frame that was recorded, read back; NULL after an error. */
static mnShot *read_frame(const mnStudio *studio, int64_t number, mnError *error) {
    const mnSceneDesc *scene = mn_studio_scene(studio);
    mnFrame frame = {0};
    mnStatus status;
    if (studio->job) {
        char name[64];
        mn_frame_name(name, number, MN_FORMAT_PLY);
        char *frames = mn_path_join(studio->output, "frames"), *path = frames ? mn_path_join(frames, name) : NULL;
        status = path ? mn_frame_read(path, scene->dimension, &frame, error)
                      : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to read frame %lld", (long long)number);
        free(path);
        free(frames);
    } else {
        status = mn_run_folder_read(&studio->finished, number, &frame, error);
    }
    mnShot *shot = NULL;
    if (status == MN_OK) {
        double time = frame.has_time ? frame.time : (double)number / scene->frames_per_second;
        shot = mn_shot_take(&frame.particles, scene->spacing, time, -1, number);
        if (!shot) mn_error_set(error, MN_ERROR_MEMORY, "no memory left to show frame %lld", (long long)number);
    }
    mn_frame_clear(&frame);
    return shot;
}

static void show_recorded(mnStudio *studio, mnConnection *c) {
    mnError error = {0};
    bool is_shown = c->shown && c->shown->frame == c->frame;
    mnShot *shot = is_shown ? mn_shot_hold(c->shown) : read_frame(studio, c->frame, &error);
    if (shot) {
        send_shot(studio, c, shot);
    } else {
        c->refresh = false;
        json_t *message = error_json("file", error.text);
        json_object_set_new(message, "frame", json_integer(c->frame));
        send_json(c, message);
    }
}

static void show_live(mnStudio *studio, mnConnection *c) {
    if (!studio->job && studio->shows_finished && !studio->still) {
        mnError error = {0};
        studio->still = read_frame(studio, studio->finished.frame_count - 1, &error);
        if (!studio->still && c->refresh) mn_tell_error(c, "file", NULL, error.text);
    }
    int64_t job = studio->job ? studio->job : studio->preview;
    mnShot *shot = job ? mn_runner_shot(studio->runner, job) : mn_shot_hold(studio->still);
    if (shot && (shot != c->shown || c->refresh))
        send_shot(studio, c, shot);
    else
        mn_shot_drop(shot);
    if (studio->job) mn_runner_want_shot(studio->runner);
    c->refresh = false;
}

bool mn_tell_news(mnStudio *studio, mnConnection *c, double now) {
    bool is_left = false;
    /* Triangles are large: those of the next scene come when nothing else waits, and nothing comes before them. */
    if (c->solids_version != studio->solids_version && mn_connection_next(c)) return true;
    /* A connection that has not yet taken what was said needs no more of what will soon be old. */
    if (studio->document.text && c->waiting < MN_WAITING_MOST / 4) {
        is_left |= tell_scene(studio, c, now);
        is_left |= tell_state(studio, c, now);
        is_left |= tell_rows(studio, c, now);
    }
    if (c->in_flight || c->closing || !mn_studio_scene(studio)) return is_left;
    if (c->frame < 0)
        show_live(studio, c);
    else if (c->refresh)
        show_recorded(studio, c);
    return is_left;
}
