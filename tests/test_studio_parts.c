/* Parts of the studio that need no socket: who may come in, what waits to be sent, pictures, charts, solids. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chart.h"
#include "connection.h"
#include "core.h"
#include "gate.h"
#include "solids.h"
#include "wire.h"

/* ---- gate -------------------------------------------------------------------------------------------------------- */

static void tokens_differ_and_open(void **state) {
    (void)state;
    char token[MN_TOKEN_DIGITS + 1], other[MN_TOKEN_DIGITS + 1], path[128];
    const char *rest;
    assert_int_equal(mn_gate_token(token, NULL), MN_OK);
    assert_int_equal(mn_gate_token(other, NULL), MN_OK);
    assert_int_equal(strspn(token, "0123456789abcdef"), MN_TOKEN_DIGITS);
    assert_string_not_equal(token, other);
    snprintf(path, sizeof path, "/%s/a/b", token);
    assert_true(mn_gate_path(path, token, &rest));
    assert_string_equal(rest, "a/b");
    for (int i = 0; i <= MN_TOKEN_DIGITS + 1; i++) {
        char wrong[128];
        memcpy(wrong, path, sizeof wrong);
        wrong[i] = wrong[i] == 'x' ? 'y' : 'x';
        assert_false(mn_gate_path(wrong, token, &rest));
        wrong[i] = '\0';
        assert_false(mn_gate_path(wrong, token, &rest));
    }
    assert_true(mn_gate_host("localhost:80", 80) && mn_gate_origin("http://127.0.0.1:80", 80));
    assert_false(mn_gate_host(NULL, 80) || mn_gate_origin(NULL, 80) || mn_gate_origin("null", 80));
    assert_false(mn_gate_origin("https://127.0.0.1:80", 80) || mn_gate_origin("http://127.0.0.1:8080", 80));
}

/* ---- connections ------------------------------------------------------------------------------------------------- */

static void what_waits_is_bounded(void **state) {
    (void)state;
    mnConnection *c = mn_connection_new(1);
    mnMessage *message = mn_message_new(1000, false);
    for (int i = 0; i <= MN_WAITING_MOST / 1000; i++) {
        assert_int_equal(c->closing, MN_CLOSING_NOT);
        mn_connection_send(c, mn_message_hold(message));
    }
    assert_int_equal(c->closing, MN_CLOSING_POLICY);
    size_t waiting = c->waiting;
    mn_connection_send(c, mn_message_hold(message));
    assert_int_equal(c->waiting, waiting); /* nothing more is kept for it */
    mn_connection_free(c);
    assert_int_equal(message->holders, 1);
    mn_message_drop(message);
}

static void messages_leave_in_order_and_in_pieces(void **state) {
    (void)state;
    mnConnection *c = mn_connection_new(1);
    mnMessage *first = mn_message_new(10, false), *second = mn_message_new(7, true);
    mn_connection_send(c, first);
    mn_connection_send(c, second);
    assert_int_equal(c->waiting, 10); /* of text */
    mn_connection_sent(c, 4);
    assert_ptr_equal(mn_connection_next(c), first);
    mn_connection_sent(c, 6);
    assert_ptr_equal(mn_connection_next(c), second);
    assert_int_equal(c->waiting, 0);
    mn_connection_sent(c, 7);
    assert_null(mn_connection_next(c));
    mn_connection_send(c, NULL); /* there was no memory for it */
    assert_int_equal(c->closing, MN_CLOSING_MEMORY);
    mn_connection_free(c);
}

static void messages_are_counted_by_the_second(void **state) {
    (void)state;
    mnConnection *c = mn_connection_new(1);
    for (int second = 1; second < 4; second++)
        for (int i = 0; i < MN_MESSAGES_MOST; i++) {
            assert_true(mn_connection_take(c, "{}", 2, true, false, second));
            c->incoming_length = 0;
        }
    assert_false(mn_connection_take(c, "{}", 2, true, false, 3.5));
    assert_int_equal(c->closing, MN_CLOSING_POLICY);
    mn_connection_free(c);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

enum { COUNT = 5001 };

typedef struct Cloud {
    mnVec position[COUNT], velocity[COUNT], measure[COUNT];
    mnReal pressure[COUNT];
    int32_t phase[COUNT];
    int64_t id[COUNT];
} Cloud;

static Cloud cloud;

static mnParticles cloud_particles(void) {
    for (int i = 0; i < COUNT; i++) {
        mnReal t = (mnReal)i / COUNT;
        cloud.position[i] = (mnVec){t, 2 * t - 5, 0, 1};
        cloud.velocity[i] = (mnVec){3 * t, 4 * t, 0, 0};
        cloud.pressure[i] = i == 17 ? (mnReal)1e12 : 100 * t; /* one that may be anything */
        cloud.phase[i] = i % 3;
        cloud.id[i] = COUNT - i;
    }
    return (mnParticles){COUNT, cloud.position, cloud.velocity, cloud.pressure, cloud.measure, cloud.phase, cloud.id};
}

static float float_at(const unsigned char *bytes) {
    float value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static uint32_t u32_at(const unsigned char *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static double spread_at(const unsigned char *bytes, double low, double high) {
    return low + (bytes[0] + 256 * bytes[1]) / 65535.0 * (high - low);
}

static void pictures_tell_particles_closely(void **state) {
    (void)state;
    mnParticles particles = cloud_particles();
    mnShot *shot = mn_shot_take(&particles, 0.5, 1.5, 7, -1);
    size_t positions = 80, values = positions + (6 * COUNT + 3) / 4 * 4, ids = values + (2 * COUNT + 3) / 4 * 4;
    for (int field = 0; field < MN_SHOWN_COUNT; field++) {
        mnMessage *message = mn_wire_particles(shot, (mnShown)field, 9);
        const unsigned char *b = message->bytes;
        double lower[3], upper[3], low = float_at(b + 64), high = float_at(b + 68);
        assert_int_equal(message->length, ids + 4 * COUNT + (COUNT + 3) / 4 * 4);
        assert_memory_equal(b, "SMN1", 4);
        assert_true(u32_at(b + 4) == 1 && u32_at(b + 8) == 9 && u32_at(b + 12) == COUNT);
        assert_int_equal(u32_at(b + 72), field);
        assert_true(float_at(b + 76) == 0.25f);
        for (int a = 0; a < 3; a++) {
            lower[a] = float_at(b + 40 + 4 * a);
            upper[a] = float_at(b + 52 + 4 * a);
        }
        for (int i = 0; i < COUNT; i++) {
            for (int a = 0; a < 3; a++) {
                double found = spread_at(b + positions + 6 * i + 2 * a, lower[a], upper[a]);
                assert_true(fabs(found - (double)shot->position[i][a]) <= 0.51 / 65535 * (upper[a] - lower[a]));
            }
            double value = fmin(fmax(mn_shown_value(shot, (mnShown)field, i), low), high);
            assert_true(fabs(spread_at(b + values + 2 * i, low, high) - value) <= 0.51 / 65535 * (high - low));
            assert_int_equal(u32_at(b + ids + 4 * i), COUNT - i);
            assert_int_equal(b[ids + 4 * COUNT + i], i % 3);
        }
        /* A pressure beyond all others does not make them one colour. */
        if (field == MN_SHOWN_PRESSURE) assert_true(low >= 0 && low < 1 && high > 99 && high < 1e10);
        if (field == MN_SHOWN_SPEED) assert_true(high > 4.95 && high <= 5.01);
        mn_message_drop(message);
    }
    assert_int_equal(mn_shot_find(shot, COUNT - 3), 3);
    assert_int_equal(mn_shot_find(shot, 0), -1);
    mn_shot_drop(shot);
}

static void an_empty_picture_is_one(void **state) {
    (void)state;
    mnParticles nothing = {0};
    mnShot *shot = mn_shot_take(&nothing, 0.5, 0, 0, 3);
    mnMessage *message = mn_wire_particles(shot, MN_SHOWN_SPEED, 1);
    assert_int_equal(message->length, 80);
    mn_message_drop(message);
    mn_shot_drop(shot);
}

/* ---- charts ------------------------------------------------------------------------------------------------------ */

static void charts_keep_the_whole_way(void **state) {
    (void)state;
    mnChart *chart = calloc(1, sizeof *chart);
    double row[MN_CHART_COLUMNS] = {0};
    for (int step = 0; step < 50000; step++) {
        row[MN_CHART_STEP] = step;
        row[MN_CHART_KINETIC] = step % 50 == 1 ? 1 : (double)NAN;
        mn_chart_add(chart, row);
    }
    assert_true(chart->count > MN_CHART_ROWS / 4 && chart->count <= MN_CHART_ROWS);
    int looked_at = 0;
    for (int i = 0; i < chart->count; i++) {
        assert_true(chart->rows[i].value[MN_CHART_STEP] == (double)chart->rows[i].number);
        if (i > 0) assert_true(chart->rows[i].number > chart->rows[i - 1].number);
        looked_at += !isnan(chart->rows[i].value[MN_CHART_KINETIC]);
    }
    assert_true(chart->rows[0].number < 100 && chart->rows[chart->count - 1].number == 49999);
    assert_true(looked_at > chart->count / 3); /* rows that were looked at stay rather than others */
    assert_int_equal(mn_chart_from(chart, 50000), chart->count);
    assert_int_equal(mn_chart_from(chart, 49999), chart->count - 1);
    assert_int_equal(mn_chart_from(chart, 0), 0);
    free(chart);
}

/* A slab of 21 layers whose two outermost ones are its skin: the core begins behind the fifth. */
static void the_core_is_deep_inside(void **state) {
    (void)state;
    enum { SIDE = 11, LAYERS = 21, ALL = SIDE * SIDE * LAYERS };
    static mnVec position[ALL], measure[ALL];
    static mnReal pressure[ALL];
    for (int i = 0; i < ALL; i++) {
        int layer = i / (SIDE * SIDE);
        position[i] = (mnVec){(mnReal)(i % SIDE), (mnReal)(i / SIDE % SIDE), (mnReal)layer, 1};
        measure[i].x = layer == 0 || layer == LAYERS - 1 ? (mnReal)0.4 : 0;
        pressure[i] = layer >= 4 && layer < LAYERS - 4 ? 7 : 1000;
    }
    mnParticles particles = {.count = ALL, .position = position, .measure = measure, .pressure = pressure};
    assert_true(mn_core_pressure(&particles, 1) == 7);
    for (int i = 0; i < ALL; i++) { /* a wall through all of it */
        int column = i % SIDE;
        measure[i].z = column == 5 ? (mnReal)0.3 : 0;
        if (pressure[i] == 7 && abs(column - 5) > 3) pressure[i] = 9;
    }
    assert_true(mn_core_pressure(&particles, 1) == 9);
    for (int i = 0; i < ALL; i++) measure[i].y = (mnReal)0.3;
    assert_true(isnan(mn_core_pressure(&particles, 1)));
    particles.count = 0;
    assert_true(isnan(mn_core_pressure(&particles, 1)));
}

/* ---- solids ------------------------------------------------------------------------------------------------------ */

static mnSceneDesc scene_of(mnSolid *solid, int dimension) {
    mnSceneDesc scene = mn_default_scene();
    scene.dimension = dimension;
    scene.spacing = 0.01;
    scene.solids = solid;
    scene.solid_count = 1;
    return scene;
}

static void flat_solids_are_filled(void **state) {
    (void)state;
    mnStudioSolids solids;
    mnSolid disc = mn_default_solid();
    disc.name = "disc";
    disc.shape = mn_default_shape(MN_SHAPE_SPHERE);
    disc.shape.radius = 0.3;
    mnSceneDesc scene = scene_of(&disc, 2);
    assert_int_equal(mn_solids_show(&scene, &solids, NULL), MN_OK);
    const unsigned char *b = solids.triangles->bytes;
    size_t vertices = u32_at(b + 8), triangles = u32_at(b + 12);
    assert_int_equal(u32_at(b + 4), 2);
    assert_int_equal(vertices, 3 * triangles);
    assert_int_equal(solids.triangles->length, 16 + 12 * vertices + 12 * triangles);
    double area = 0;
    for (size_t t = 0; t < triangles; t++) {
        const unsigned char *corner = b + 16 + 36 * t;
        double x[3], y[3];
        for (int c = 0; c < 3; c++) {
            x[c] = float_at(corner + 12 * c);
            y[c] = float_at(corner + 12 * c + 4);
        }
        area += 0.5 * fabs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]));
    }
    assert_true(fabs(area / (3.14159265 * 0.09) - 1) < 0.02);
    assert_null(mn_solids_poses(&scene, 1));
    mn_solids_clear(&solids);
}

static void solids_that_move_have_poses(void **state) {
    (void)state;
    static const mnMotionKey motion[2] = {{0, {0}, {0, 0, 0, 1}}, {2, {4, 0, 0}, {0, 0, 0, 1}}};
    mnStudioSolids solids;
    mnSolid ball = mn_default_solid();
    ball.name = "ball";
    ball.shape = mn_default_shape(MN_SHAPE_SPHERE);
    ball.shape.radius = 20; /* of two thousand spacings: coarser triangles will do */
    ball.motion = motion;
    ball.motion_count = 2;
    mnSceneDesc scene = scene_of(&ball, 3);
    assert_int_equal(mn_solids_show(&scene, &solids, NULL), MN_OK);
    assert_in_range(u32_at(solids.triangles->bytes + 12), 1000, 50000);
    mn_solids_clear(&solids);
    mnMessage *message = mn_solids_poses(&scene, 1);
    json_t *poses = json_loadb((char *)message->bytes, message->length, 0, NULL);
    json_t *pose = json_array_get(json_object_get(poses, "poses"), 0);
    assert_string_equal(json_string_value(json_object_get(pose, "solid")), "ball");
    assert_true(json_number_value(json_array_get(json_object_get(pose, "translation"), 0)) == 2);
    json_decref(poses);
    mn_message_drop(message);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_differ_and_open),
        cmocka_unit_test(what_waits_is_bounded),
        cmocka_unit_test(messages_leave_in_order_and_in_pieces),
        cmocka_unit_test(messages_are_counted_by_the_second),
        cmocka_unit_test(pictures_tell_particles_closely),
        cmocka_unit_test(an_empty_picture_is_one),
        cmocka_unit_test(charts_keep_the_whole_way),
        cmocka_unit_test(the_core_is_deep_inside),
        cmocka_unit_test(flat_solids_are_filled),
        cmocka_unit_test(solids_that_move_have_poses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
