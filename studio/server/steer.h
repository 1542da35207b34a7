/* Changes of a running scene, recorded in the scene itself.
 *
 * A quantity that is steered gets a schedule, or more keys in the one it has: the value that held until just before the
 * present time, then the new one at that time; later keys go. Read again and run again, the scene goes the same way to
 * the bit. What cannot be told like this is refused: an angle that follows from energies has no value to hold until
 * then, and between two keys of different values a change would bend the way that lies behind. */
#ifndef MN_STUDIO_STEER_H
#define MN_STUDIO_STEER_H

#include <jansson.h>

#include "scene/keys.h"

/* A quantity that can be steered. */
typedef struct mnSteerable {
    char path[256];   /* target of its schedule: "solids.floor.friction.water" */
    const mnKey *key; /* its name, unit, limits and help */
    mnQuantity quantity;
    int index, other; /* as in mnSchedule */
    int schedule;     /* that drives it already; −1: none */
} mnSteerable;

/* All that a scene has, to be freed; NULL: no memory. */
mnSteerable *mn_steerables_find(const mnSceneDesc *scene, int *count);

/* Its value at a time, in the unit of the key: three numbers for gravity, else one. */
void mn_steerable_value(const mnSteerable *steerable, const mnSceneDesc *scene, double time, double value[3]);

/* Whether the scene's own schedule changes the quantity between its keys `k` and `k + 1`, so that it cannot be
 * steered there. */
bool mn_schedule_slopes(const mnSchedule *schedule, int k);

/* Records that `path` is `value` from `time` on in the tree of a scene's text; `scene` is that text, read. Whether the
 * value is allowed is told by reading the new text. */
mnStatus mn_steer_record(json_t *root, const mnSceneDesc *scene, double time, const char *path, const json_t *value,
                         mnError *error);

#endif
