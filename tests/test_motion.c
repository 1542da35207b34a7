/* Keyframed motions: poses, their derivatives, and the velocity field of a step. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scene/motion.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static mnMotionKey key_at(double time, double x, double y, double z, double ax, double ay, double az, double angle) {
    double length = sqrt(ax * ax + ay * ay + az * az), s = sin(angle / 2) / length;
    return (mnMotionKey){.time = time, .translation = {x, y, z}, .rotation = {s * ax, s * ay, s * az, cos(angle / 2)}};
}

static int tumble(mnMotionKey keys[4]) {
    keys[0] = key_at(1.0, 0.1, 0.2, 0.3, 0, 0, 1, 0.3);
    keys[1] = key_at(1.5, 0.4, -0.2, 0.1, 1, 2, 3, 1.1);
    keys[2] = key_at(2.5, 0.0, 0.5, 0.2, -1, 0.5, 0.2, 2.8);
    keys[3] = key_at(2.7, 0.0, 0.5, 0.2, 0, 1, 0, -0.4);
    return 4;
}

/* What mnMotionStep says of the point that is at `start` at the beginning of the step. */
static void step_velocity(const mnMotionStep *step, const double start[3], double velocity[3]) {
    double arm[3] = {start[0] - step->centre[0], start[1] - step->centre[1], start[2] - step->centre[2]};
    for (int i = 0; i < 3; i++)
        velocity[i] =
            step->linear[i] + step->turn[i][0] * arm[0] + step->turn[i][1] * arm[1] + step->turn[i][2] * arm[2];
}

static void no_keys_leave_points_alone(void **state) {
    (void)state;
    mnPose pose = mn_motion_pose(NULL, 0, 3.0);
    double x[3] = {1, 2, 3}, v[3];
    mn_pose_apply(&pose, x, x);
    assert_true(x[0] == 1 && x[1] == 2 && x[2] == 3);
    mnMotionStep step = mn_motion_step(NULL, 0, 0, 1);
    step_velocity(&step, x, v);
    assert_true(v[0] == 0 && v[1] == 0 && v[2] == 0);
}

static void pose_passes_through_keys_and_rests_outside(void **state) {
    (void)state;
    mnMotionKey keys[4];
    int count = tumble(keys);
    const double times[6] = {0.0, 1.0, 1.5, 2.5, 2.7, 9.0};
    const int at[6] = {0, 0, 1, 2, 3, 3};
    for (int i = 0; i < 6; i++) {
        mnPose pose = mn_motion_pose(keys, count, times[i]);
        double dot = 0;
        for (int c = 0; c < 4; c++) dot += pose.rotation[c] * keys[at[i]].rotation[c];
        NEAR(fabs(dot), 1, 1e-14);
        for (int c = 0; c < 3; c++) NEAR(pose.translation[c], keys[at[i]].translation[c], 1e-15);
    }
    double linear[3], angular[3];
    mn_motion_velocity(keys, count, 0.99, linear, angular);
    for (int c = 0; c < 3; c++) assert_true(linear[c] == 0 && angular[c] == 0);
    mn_motion_velocity(keys, count, 2.7, linear, angular);
    for (int c = 0; c < 3; c++) assert_true(linear[c] == 0 && angular[c] == 0);
}

static void rotation_follows_the_great_circle(void **state) {
    (void)state;
    /* About one axis the angle must be linear in time. */
    mnMotionKey keys[2] = {key_at(0, 0, 0, 0, 1, 1, 0, 0.2), key_at(2, 0, 0, 0, 1, 1, 0, 2.6)};
    for (int i = 0; i <= 10; i++) {
        mnPose pose = mn_motion_pose(keys, 2, 0.2 * i);
        mnMotionKey expected = key_at(0, 0, 0, 0, 1, 1, 0, 0.2 + 0.24 * i);
        for (int c = 0; c < 4; c++) NEAR(pose.rotation[c], expected.rotation[c], 1e-14);
    }
    /* Between arbitrary keys: the textbook sin((1 − s)θ)/sin θ, sin(sθ)/sin θ form. */
    mnMotionKey odd[4];
    int count = tumble(odd);
    double dot = 0, s = 0.3;
    for (int c = 0; c < 4; c++) dot += odd[1].rotation[c] * odd[2].rotation[c];
    double sign = dot < 0 ? -1 : 1, theta = acos(fabs(dot));
    mnPose pose = mn_motion_pose(odd, count, 1.5 + s * 1.0);
    for (int c = 0; c < 4; c++)
        NEAR(pose.rotation[c],
             (sin((1 - s) * theta) * odd[1].rotation[c] + sign * sin(s * theta) * odd[2].rotation[c]) / sin(theta),
             1e-14);
}

static void opposite_quaternions_do_not_turn(void **state) {
    (void)state;
    mnMotionKey keys[2] = {key_at(0, 0, 0, 0, 1, 2, 3, 1), key_at(1, 0, 0, 0, 1, 2, 3, 1)};
    for (int c = 0; c < 4; c++) keys[1].rotation[c] = -keys[1].rotation[c];
    double linear[3], angular[3];
    mn_motion_velocity(keys, 2, 0.5, linear, angular);
    for (int c = 0; c < 3; c++) NEAR(angular[c], 0, 1e-15);
    /* Almost a full turn backwards as written, 0.1 rad forwards the short way. */
    keys[1] = key_at(1, 0, 0, 0, 1, 2, 3, 1 + 0.1 - 2 * 3.14159265358979323846);
    mn_motion_velocity(keys, 2, 0.5, linear, angular);
    NEAR(sqrt(angular[0] * angular[0] + angular[1] * angular[1] + angular[2] * angular[2]), 0.1, 1e-13);
}

/* Half turns lie between two ways; those that follow each other go on in the direction of their angles. */
static void half_turns_go_on(void **state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < 40; i++) {
        double start = -pi + 0.05 * i, sense = i % 2 ? -1 : 1, axis[3] = {1, 0.3 * i - 2, 0.7}, length = 0;
        mnMotionKey keys[3];
        for (int k = 0; k < 3; k++) keys[k] = key_at(k, 0, 0, 0, axis[0], axis[1], axis[2], sense * (start + k * pi));
        for (int c = 0; c < 3; c++) length += axis[c] * axis[c];
        for (int k = 0; k < 2; k++) {
            double linear[3], angular[3];
            mn_motion_velocity(keys, 3, k + 0.5, linear, angular);
            for (int c = 0; c < 3; c++) NEAR(angular[c], sense * pi * axis[c] / sqrt(length), 1e-12);
        }
    }
}

static void pose_undone(void **state) {
    (void)state;
    mnMotionKey keys[4];
    int count = tumble(keys);
    const double x0[3] = {0.7, -0.3, 0.4};
    mnPose pose = mn_motion_pose(keys, count, 1.7);
    double world[3], back[3];
    mn_pose_apply(&pose, x0, world);
    mn_pose_undo(&pose, world, back);
    for (int c = 0; c < 3; c++) NEAR(back[c], x0[c], 1e-14);
}

static void velocity_is_the_derivative_of_the_pose(void **state) {
    (void)state;
    mnMotionKey keys[4];
    int count = tumble(keys);
    const double x0[3] = {0.7, -0.3, 0.4}, step = 1e-5;
    for (double time = 1.01; time < 2.69; time += 0.0731) {
        double before[3], after[3], now[3], velocity[3];
        mnPose a = mn_motion_pose(keys, count, time - step), b = mn_motion_pose(keys, count, time + step);
        mnPose c = mn_motion_pose(keys, count, time);
        mn_pose_apply(&a, x0, before);
        mn_pose_apply(&b, x0, after);
        mn_pose_apply(&c, x0, now);
        mnMotionStep at_once = mn_motion_step(keys, count, time, time);
        step_velocity(&at_once, now, velocity);
        double linear[3], angular[3];
        mn_motion_velocity(keys, count, time, linear, angular);
        for (int i = 0; i < 3; i++) {
            NEAR((after[i] - before[i]) / (2 * step), velocity[i], 1e-7);
            int j = (i + 1) % 3, k = (i + 2) % 3;
            double by_hand =
                linear[i] + angular[j] * (now[k] - c.translation[k]) - angular[k] * (now[j] - c.translation[j]);
            NEAR(by_hand, velocity[i], 1e-13);
        }
    }
}

static void step_field_lands_on_the_pose(void **state) {
    (void)state;
    mnMotionKey keys[4];
    int count = tumble(keys);
    const double x0[3] = {0.7, -0.3, 0.4};
    /* Within a span, across a key, into the rest, and with a step of a solver. */
    const double steps[5][2] = {{1.1, 1.3}, {1.4, 1.9}, {2.6, 3.0}, {0.5, 1.2}, {1.2, 1.2 + 1e-5}};
    for (int s = 0; s < 5; s++) {
        double dt = steps[s][1] - steps[s][0], from[3], to[3], velocity[3];
        mnPose a = mn_motion_pose(keys, count, steps[s][0]), b = mn_motion_pose(keys, count, steps[s][1]);
        mn_pose_apply(&a, x0, from);
        mn_pose_apply(&b, x0, to);
        mnMotionStep step = mn_motion_step(keys, count, steps[s][0], steps[s][1]);
        step_velocity(&step, from, velocity);
        for (int i = 0; i < 3; i++) NEAR(from[i] + dt * velocity[i], to[i], 1e-14);
    }
}

static void step_velocity_is_second_order(void **state) {
    (void)state;
    mnMotionKey keys[2] = {key_at(0, 0, 0, 0, 0, 0, 1, 0), key_at(1, 0, 0, 0, 0, 0, 1, 1)};
    const double x0[3] = {1, 0, 0};
    double errors[2];
    for (int n = 0; n < 2; n++) {
        double dt = n == 0 ? 0.02 : 0.01, from[3], middle[3], chord[3], exact[3];
        mnPose a = mn_motion_pose(keys, 2, 0.3), m = mn_motion_pose(keys, 2, 0.3 + dt / 2);
        mn_pose_apply(&a, x0, from);
        mn_pose_apply(&m, x0, middle);
        mnMotionStep step = mn_motion_step(keys, 2, 0.3, 0.3 + dt);
        step_velocity(&step, from, chord);
        mnMotionStep at_middle = mn_motion_step(keys, 2, 0.3 + dt / 2, 0.3 + dt / 2);
        step_velocity(&at_middle, middle, exact);
        errors[n] = hypot(chord[0] - exact[0], chord[1] - exact[1]);
    }
    NEAR(errors[0] / errors[1], 4, 0.01);
}

static void jumps_and_bad_keys(void **state) {
    (void)state;
    mnMotionKey keys[3] = {key_at(0, 0, 0, 0, 0, 0, 1, 0), key_at(1, 1, 0, 0, 0, 0, 1, 0),
                           key_at(1, 5, 0, 0, 0, 0, 1, 0)};
    assert_true(mn_motion_is_valid(keys, 3));
    NEAR(mn_motion_pose(keys, 3, 0.999999).translation[0], 0.999999, 1e-15);
    NEAR(mn_motion_pose(keys, 3, 1).translation[0], 5, 0);
    keys[2].time = 0.5;
    assert_false(mn_motion_is_valid(keys, 3));
    keys[2].time = NAN;
    assert_false(mn_motion_is_valid(keys, 3));
    keys[2].time = 2;
    memset(keys[2].rotation, 0, sizeof keys[2].rotation);
    assert_false(mn_motion_is_valid(keys, 3));
    /* Length does not matter as long as there is one. */
    keys[2].rotation[3] = 7;
    assert_true(mn_motion_is_valid(keys, 3));
    NEAR(mn_motion_pose(keys, 3, 3).rotation[3], 1, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_keys_leave_points_alone),
        cmocka_unit_test(pose_passes_through_keys_and_rests_outside),
        cmocka_unit_test(rotation_follows_the_great_circle),
        cmocka_unit_test(opposite_quaternions_do_not_turn),
        cmocka_unit_test(half_turns_go_on),
        cmocka_unit_test(pose_undone),
        cmocka_unit_test(velocity_is_the_derivative_of_the_pose),
        cmocka_unit_test(step_field_lands_on_the_pose),
        cmocka_unit_test(step_velocity_is_second_order),
        cmocka_unit_test(jumps_and_bad_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
