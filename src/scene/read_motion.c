/* Turns between the keyframes of a motion. A keyframe is an orientation and not a count of turns, so what lies between
 * two is the shorter way; who writes angles that are further apart means the longer one and has to be told. */
#include <math.h>

#include "scene/read.h"

/* A rotation as it stands in the file. */
typedef struct Turn {
    double axis[3]; /* unit length; of no meaning for an angle of 0 */
    double angle;   /* degrees */
} Turn;

/* False for quaternions, which say nothing about the way, and for what is wrong and was told of. */
static bool find_turn(const json_t *entry, Turn *turn) {
    const json_t *rotation = json_object_get(entry, "rotation");
    *turn = (Turn){.angle = 0};
    if (!rotation) return true;
    const json_t *axis = json_object_get(rotation, "axis");
    turn->angle = json_number_value(json_object_get(rotation, "angle"));
    for (size_t i = 0; i < 3; i++) turn->axis[i] = json_number_value(json_array_get(axis, i));
    double length = sqrt(turn->axis[0] * turn->axis[0] + turn->axis[1] * turn->axis[1] + turn->axis[2] * turn->axis[2]);
    for (int i = 0; i < 3 && length > 0; i++) turn->axis[i] /= length;
    return length > 0;
}

/* The angle from one turn to the next in degrees; 0 where they do not share an axis and there is no such angle. */
static double angle_between(const Turn *from, const Turn *to) {
    if (from->angle == 0) return to->angle;
    if (to->angle == 0) return -from->angle;
    double along = from->axis[0] * to->axis[0] + from->axis[1] * to->axis[1] + from->axis[2] * to->axis[2];
    if (fabs(along) < 1 - 1e-9) return 0;
    return to->angle - (along < 0 ? -from->angle : from->angle);
}

void mn_read_motion(mnReader *reader, const mnPath *path, const json_t *json) {
    mnPath motion = {path, "motion", 0};
    const json_t *entries = json_object_get(json, "motion");
    for (size_t i = 1; i < json_array_size(entries); i++) {
        Turn from, to;
        if (!find_turn(json_array_get(entries, i - 1), &from) || !find_turn(json_array_get(entries, i), &to)) continue;
        double angle = angle_between(&from, &to);
        if (fabs(angle) <= 180 + 1e-9) continue;
        bool is_written = json_object_get(json_array_get(entries, i), "rotation") != NULL;
        mnPath entry = {&motion, NULL, i}, rotation = {&entry, "rotation", 0};
        mn_reader_problem(reader, false, is_written ? MN_PLACE_VALUE : MN_PLACE_HOLDER, &rotation,
                          "turns by %.6g° from the keyframe before, allowed is at most 180°; add a keyframe in between",
                          angle);
    }
}
