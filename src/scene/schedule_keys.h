/* Finding a time among keyframes; shared by schedules and motions. */
#ifndef MN_SCENE_SCHEDULE_KEYS_H
#define MN_SCENE_SCHEDULE_KEYS_H

#include <stddef.h>

/* Where a time falls: between the keys `index` and `index + 1`, the share `fraction` (0 … 1) of the way. Outside the
 * keys, and behind the last of several keys with one time, `fraction` is 0 and `index` the key that holds; `span` is
 * then 0, else the seconds between the two keys. */
typedef struct mnKeyPlace {
    int index;
    double fraction, span;
} mnKeyPlace;

/* `times` points to the time of the first of `count` > 0 keys, which lie `stride` bytes apart, times never falling. */
mnKeyPlace mn_keys_find(const double *times, size_t stride, int count, double time);

#endif
