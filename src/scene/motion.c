#include "scene/motion.h"

#include <math.h>
#include <string.h>

#include "scene/schedule_keys.h"

/* Between two keys the rotation is exp(s·φ)·R_a, where φ is the rotation vector of R_b·R_aᵀ in world axes and s runs
 * from 0 to 1: the same path as spherical interpolation of the quaternions, but its derivative φ/span can be read off.
 * Pose and velocity both come from φ, so they cannot disagree. */

static void multiply(const double a[4], const double b[4], double product[4]) {
    product[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    product[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    product[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static double length4(const double q[4]) {
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static void normalise(const double q[4], double unit[4]) {
    double length = length4(q);
    for (int i = 0; i < 4; i++) unit[i] = q[i] / length;
}

/* to · from⁻¹, of the two signs the one that turns by at most π. Both of unit length. Half a turn can go either way:
 * it goes the one that the signs of the quaternions say, up to rounding, so that 0°, 180°, 360° turn on. */
static void relative(const double from[4], const double to[4], double q[4]) {
    double inverse[4] = {-from[0], -from[1], -from[2], from[3]};
    multiply(to, inverse, q);
    if (q[3] < -1e-9)
        for (int i = 0; i < 4; i++) q[i] = -q[i];
}

static void rotation_vector(const double q[4], double vector[3]) {
    double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    double scale = sine > 1e-12 ? 2 * atan2(sine, q[3]) / sine : 2;
    for (int i = 0; i < 3; i++) vector[i] = scale * q[i];
}

static void rotation_from_vector(const double vector[3], double q[4]) {
    double angle = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    double scale = angle > 1e-12 ? sin(angle / 2) / angle : 0.5;
    for (int i = 0; i < 3; i++) q[i] = scale * vector[i];
    q[3] = cos(angle / 2);
}

static void cross(const double a[3], const double b[3], double product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* The rotation vector from the key to its follower. */
static void key_turn(const mnMotionKey *key, double vector[3]) {
    double from[4], to[4], q[4];
    normalise(key[0].rotation, from);
    normalise(key[1].rotation, to);
    relative(from, to, q);
    rotation_vector(q, vector);
}

bool mn_motion_is_valid(const mnMotionKey *keys, int count) {
    for (int k = 0; k < count; k++) {
        const mnMotionKey *key = &keys[k];
        if (!isfinite(key->time) || (k > 0 && key->time < key[-1].time)) return false;
        for (int i = 0; i < 3; i++)
            if (!isfinite(key->translation[i])) return false;
        double length = length4(key->rotation);
        if (!isfinite(length) || length < 1e-6) return false;
    }
    return true;
}

bool mn_motion_is_there(const mnSceneDesc *scene) {
    bool is_there = false;
    for (int s = 0; s < scene->solid_count; s++) is_there = is_there || scene->solids[s].motion_count > 0;
    return is_there;
}

mnPose mn_motion_pose(const mnMotionKey *keys, int count, double time) {
    mnPose pose = {.rotation = {0, 0, 0, 1}};
    if (count <= 0) return pose;
    mnKeyPlace place = mn_keys_find(&keys[0].time, sizeof *keys, count, time);
    const mnMotionKey *key = &keys[place.index];
    memcpy(pose.translation, key->translation, sizeof pose.translation);
    normalise(key->rotation, pose.rotation);
    if (place.fraction > 0) {
        double from[4], vector[3], turn[4];
        memcpy(from, pose.rotation, sizeof from);
        key_turn(key, vector);
        for (int i = 0; i < 3; i++) {
            pose.translation[i] += place.fraction * (key[1].translation[i] - key->translation[i]);
            vector[i] *= place.fraction;
        }
        rotation_from_vector(vector, turn);
        multiply(turn, from, pose.rotation);
    }
    return pose;
}

void mn_pose_apply(const mnPose *pose, const double local[3], double world[3]) {
    /* x + 2w(v × x) + 2v × (v × x), for a unit quaternion (v, w). */
    const double *q = pose->rotation;
    double once[3], twice[3];
    cross(q, local, once);
    cross(q, once, twice);
    for (int i = 0; i < 3; i++) world[i] = local[i] + 2 * (q[3] * once[i] + twice[i]) + pose->translation[i];
}

void mn_pose_undo(const mnPose *pose, const double world[3], double local[3]) {
    mnPose back = {.rotation = {-pose->rotation[0], -pose->rotation[1], -pose->rotation[2], pose->rotation[3]}};
    double shifted[3];
    for (int i = 0; i < 3; i++) shifted[i] = world[i] - pose->translation[i];
    mn_pose_apply(&back, shifted, local);
}

void mn_motion_velocity(const mnMotionKey *keys, int count, double time, double linear[3], double angular[3]) {
    for (int i = 0; i < 3; i++) linear[i] = angular[i] = 0;
    if (count <= 0) return;
    mnKeyPlace place = mn_keys_find(&keys[0].time, sizeof *keys, count, time);
    if (!(place.span > 0)) return;
    const mnMotionKey *key = &keys[place.index];
    key_turn(key, angular);
    for (int i = 0; i < 3; i++) {
        linear[i] = (key[1].translation[i] - key->translation[i]) / place.span;
        angular[i] /= place.span;
    }
}

/* turn += scale·[v]×. */
static void add_cross_matrix(const double v[3], double scale, double turn[3][3]) {
    turn[0][1] -= scale * v[2], turn[0][2] += scale * v[1];
    turn[1][0] += scale * v[2], turn[1][2] -= scale * v[0];
    turn[2][0] -= scale * v[1], turn[2][1] += scale * v[0];
}

mnMotionStep mn_motion_step(const mnMotionKey *keys, int count, double t0, double t1) {
    mnMotionStep step = {0};
    mnPose from = mn_motion_pose(keys, count, t0);
    memcpy(step.centre, from.translation, sizeof step.centre);
    double dt = t1 - t0;
    if (!(dt > 0)) {
        double angular[3];
        mn_motion_velocity(keys, count, t0, step.linear, angular);
        add_cross_matrix(angular, 1, step.turn);
    } else {
        mnPose to = mn_motion_pose(keys, count, t1);
        double q[4];
        relative(from.rotation, to.rotation, q);
        /* R − 1 = 2w[v]× + 2[v]×², formed without R, whose diagonal would cancel against 1 in a short step. */
        add_cross_matrix(q, 2 * q[3] / dt, step.turn);
        double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
        for (int i = 0; i < 3; i++) {
            step.linear[i] = (to.translation[i] - from.translation[i]) / dt;
            for (int j = 0; j < 3; j++) step.turn[i][j] += 2 * (q[i] * q[j] - (i == j ? square : 0)) / dt;
        }
    }
    return step;
}
