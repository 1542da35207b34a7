/* Keyframed rigid motions of solids.
 *
 * A solid's particles are known in world coordinates as the scene describes them (the shape's own scale, rotation and
 * translation applied); call such a place x0. The motion comes on top: x = R(t)·x0 + T(t). A rotation key thus turns
 * about the world's origin, and one about another point c needs T = c − R·c. Keys must pass mn_motion_is_valid.
 * Metres, seconds, radians; quaternions are x, y, z, w. */
#ifndef MN_SCENE_MOTION_H
#define MN_SCENE_MOTION_H

#include <stdbool.h>

#include "meniscus/scene.h"

typedef struct mnPose {
    double translation[3];
    double rotation[4]; /* unit length */
} mnPose;

/* Times finite and never falling, translations finite, quaternions finite and far from zero length. */
bool mn_motion_is_valid(const mnMotionKey *keys, int count);

/* Whether any solid of a scene has keys. */
bool mn_motion_is_there(const mnSceneDesc *scene);

/* Linear translation and the shorter way of rotation between keys; constant before the first and after the last;
 * identity without keys. */
mnPose mn_motion_pose(const mnMotionKey *keys, int count, double time);

/* x = R·local + T; `world` may be `local`. */
void mn_pose_apply(const mnPose *pose, const double local[3], double world[3]);

/* The place that the pose takes to `world`. */
void mn_pose_undo(const mnPose *pose, const double world[3], double local[3]);

/* The derivatives of the pose: dT/dt and the angular velocity in world axes. Both are constant between two keys, the
 * value at a key is that of the span that begins there, and zero holds outside the keys. */
void mn_motion_velocity(const mnMotionKey *keys, int count, double time, double linear[3], double angular[3]);

/* What a motion does over a step from t0 to t1: the velocity (x(t1) − x(t0))/(t1 − t0) = linear + turn·(x − centre) of
 * each point x where it is at t0. A solver that moves walls by Δt times this velocity puts them exactly where the keys
 * say, also for rotations and across keys; a field of the form u + ω × x can do that for translations only. Compared
 * with the velocity at the middle of the step it differs by terms of Δt². */
typedef struct mnMotionStep {
    double centre[3];  /* T(t0) */
    double linear[3];  /* (T(t1) − T(t0))/Δt */
    double turn[3][3]; /* (R(t1)·R(t0)ᵀ − 1)/Δt, rows first */
} mnMotionStep;

/* For t1 = t0 the field is that of mn_motion_velocity. */
mnMotionStep mn_motion_step(const mnMotionKey *keys, int count, double t0, double t1);

#endif
