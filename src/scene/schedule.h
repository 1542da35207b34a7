/* Schedules: what the materials and gravity are at a given time.
 *
 * mnSceneNow holds every quantity of a scene that a schedule can change, whether one does or not, so whoever reads it
 * need not know that schedules exist. Units are those of meniscus/scene.h. */
#ifndef MN_SCENE_SCHEDULE_H
#define MN_SCENE_SCHEDULE_H

#include <stddef.h>

#include "base/memory.h"
#include "meniscus/scene.h"

/* Linear between keys, constant before the first and after the last; of several keys with one time the last counts
 * from that time on. Without keys `value` stays as it is. */
void mn_schedule_value(const mnSchedule *schedule, double time, double value[3]);

/* One entry per fluid or solid; pairs lie at solid · fluid_count + fluid. */
typedef struct mnSceneNow {
    double gravity[3];
    double *fluid_viscosity;
    double *fluid_tension_vapor, *fluid_tension_fluid, *fluid_tension_solid;
    double *solid_tension_vapor, *solid_tension_fluid;
    double *friction;
    double *contact_angle; /* NaN where the energies decide; a scheduled angle decides from its first step on, and a
                              schedule of an energy does not take an angle away */
    double *storage;       /* the one block all arrays lie in */
    size_t bytes;          /* of the block */
    mnMemory *memory;      /* where it comes from */
} mnSceneNow;

/* MN_ERROR_INPUT where an index, key or value of a schedule cannot be used. */
mnStatus mn_schedules_check(const mnSceneDesc *desc, mnError *error);

/* Fails where mn_schedules_check does. The values are those at the time 0. `memory` must outlive the object. */
mnStatus mn_scene_now_create(const mnSceneDesc *desc, mnMemory *memory, mnSceneNow **now, mnError *error);
void mn_scene_now_destroy(mnSceneNow *now);

/* Fills `now`, which was made from the same description, with the values at `time`. Where two schedules name one
 * quantity the later one wins. Allocates nothing. */
void mn_scene_now_update(mnSceneNow *now, const mnSceneDesc *desc, double time);

#endif
