#include "scene/schedule.h"

#include <math.h>
#include <stdint.h>

#include "scene/schedule_keys.h"

static double time_at(const double *times, size_t stride, int index) {
    return *(const double *)(const void *)((const char *)times + stride * (size_t)index);
}

mnKeyPlace mn_keys_find(const double *times, size_t stride, int count, double time) {
    /* The invariant of the bisection: the key `low` is not later than `time`, the key `high` is. */
    int low = -1, high = count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (time_at(times, stride, middle) <= time)
            low = middle;
        else
            high = middle;
    }
    if (low < 0) return (mnKeyPlace){.index = 0};
    if (high == count) return (mnKeyPlace){.index = count - 1};
    double before = time_at(times, stride, low), span = time_at(times, stride, high) - before;
    return (mnKeyPlace){.index = low, .fraction = (time - before) / span, .span = span};
}

void mn_schedule_value(const mnSchedule *schedule, double time, double value[3]) {
    if (schedule->key_count <= 0) return;
    mnKeyPlace place = mn_keys_find(&schedule->keys[0].time, sizeof *schedule->keys, schedule->key_count, time);
    const mnScheduleKey *key = &schedule->keys[place.index];
    for (int i = 0; i < 3; i++) {
        value[i] = key->value[i];
        if (place.fraction > 0) value[i] += place.fraction * (key[1].value[i] - key->value[i]);
    }
}

static bool is_of_solid(mnQuantity quantity) {
    return quantity >= MN_QUANTITY_SOLID_TENSION_VAPOR && quantity <= MN_QUANTITY_SOLID_CONTACT_ANGLE;
}

static bool is_of_pair(mnQuantity quantity) {
    return quantity == MN_QUANTITY_SOLID_FRICTION || quantity == MN_QUANTITY_SOLID_CONTACT_ANGLE;
}

static mnStatus check_keys(const mnSchedule *schedule, int number, mnError *error) {
    int components = schedule->quantity == MN_QUANTITY_GRAVITY ? 3 : 1;
    for (int k = 0; k < schedule->key_count; k++) {
        const mnScheduleKey *key = &schedule->keys[k];
        if (!isfinite(key->time) || (k > 0 && key->time < key[-1].time))
            return mn_error_set(error, MN_ERROR_INPUT,
                                "schedule %d: the time of key %d is %g; times must be finite and never fall", number, k,
                                key->time);
        for (int i = 0; i < components; i++)
            if (!isfinite(key->value[i]))
                return mn_error_set(error, MN_ERROR_INPUT, "schedule %d: the value of key %d is not finite", number, k);
    }
    return MN_OK;
}

static mnStatus check_schedule(const mnSceneDesc *desc, int number, mnError *error) {
    const mnSchedule *schedule = &desc->schedules[number];
    if ((int)schedule->quantity < MN_QUANTITY_GRAVITY || schedule->quantity > MN_QUANTITY_SOLID_CONTACT_ANGLE)
        return mn_error_set(error, MN_ERROR_INPUT, "schedule %d: %d is not a quantity", number,
                            (int)schedule->quantity);
    if (schedule->quantity != MN_QUANTITY_GRAVITY) {
        bool solid = is_of_solid(schedule->quantity);
        int count = solid ? desc->solid_count : desc->fluid_count;
        if (schedule->index < 0 || schedule->index >= count)
            return mn_error_set(error, MN_ERROR_INPUT, "schedule %d: there is no %s %d; the scene has %d", number,
                                solid ? "solid" : "fluid", schedule->index, count);
        if (is_of_pair(schedule->quantity) && (schedule->other < -1 || schedule->other >= desc->fluid_count))
            return mn_error_set(error, MN_ERROR_INPUT, "schedule %d: there is no fluid %d; the scene has %d", number,
                                schedule->other, desc->fluid_count);
    }
    return check_keys(schedule, number, error);
}

mnStatus mn_schedules_check(const mnSceneDesc *desc, mnError *error) {
    mnStatus status = MN_OK;
    for (int i = 0; status == MN_OK && i < desc->schedule_count; i++) status = check_schedule(desc, i, error);
    return status;
}

/* Cuts the block into the arrays, in the order of the struct. */
static void place_arrays(mnSceneNow *now, size_t fluids, size_t solids) {
    double *next = now->storage;
    now->fluid_viscosity = next, next += fluids;
    now->fluid_tension_vapor = next, next += fluids;
    now->fluid_tension_fluid = next, next += fluids;
    now->fluid_tension_solid = next, next += fluids;
    now->solid_tension_vapor = next, next += solids;
    now->solid_tension_fluid = next, next += solids;
    now->friction = next, next += solids * fluids;
    now->contact_angle = next;
}

mnStatus mn_scene_now_create(const mnSceneDesc *desc, mnMemory *memory, mnSceneNow **now, mnError *error) {
    *now = NULL;
    mnStatus status = mn_schedules_check(desc, error);
    if (status != MN_OK) return status;
    uint64_t fluids = (uint64_t)desc->fluid_count, solids = (uint64_t)desc->solid_count;
    /* Both counts are ints, so the number of doubles stays below 2⁶⁴; the bytes might not. */
    uint64_t doubles = 4 * fluids + 2 * solids + 2 * fluids * solids;
    bool fits = doubles <= SIZE_MAX / sizeof(double);
    mnSceneNow *made = fits ? mn_memory_take(memory, sizeof *made) : NULL;
    double *storage = made ? mn_memory_take(memory, (size_t)doubles * sizeof *storage) : NULL;
    if (!storage) {
        mn_memory_give(memory, made, sizeof *made);
        return mn_error_set(error, MN_ERROR_MEMORY, "no memory for the quantities of %d fluids and %d solids",
                            desc->fluid_count, desc->solid_count);
    }
    made->storage = storage;
    made->bytes = (size_t)doubles * sizeof *storage;
    made->memory = memory;
    place_arrays(made, (size_t)fluids, (size_t)solids);
    mn_scene_now_update(made, desc, 0);
    *now = made;
    return MN_OK;
}

void mn_scene_now_destroy(mnSceneNow *now) {
    if (!now) return;
    mnMemory *memory = now->memory;
    mn_memory_give(memory, now->storage, now->bytes);
    mn_memory_give(memory, now, sizeof *now);
}

static void take_description(mnSceneNow *now, const mnSceneDesc *desc) {
    for (int i = 0; i < 3; i++) now->gravity[i] = desc->gravity[i];
    for (int f = 0; f < desc->fluid_count; f++) {
        now->fluid_viscosity[f] = desc->fluids[f].viscosity;
        now->fluid_tension_vapor[f] = desc->fluids[f].tension_vapor;
        now->fluid_tension_fluid[f] = desc->fluids[f].tension_fluid;
        now->fluid_tension_solid[f] = desc->fluids[f].tension_solid;
    }
    for (int s = 0; s < desc->solid_count; s++) {
        const mnSolid *solid = &desc->solids[s];
        now->solid_tension_vapor[s] = solid->tension_vapor;
        now->solid_tension_fluid[s] = solid->tension_fluid;
        for (int f = 0; f < desc->fluid_count; f++) {
            ptrdiff_t pair = (ptrdiff_t)s * desc->fluid_count + f;
            now->friction[pair] = solid->friction_of ? solid->friction_of[f] : solid->friction;
            now->contact_angle[pair] = solid->contact_angle ? solid->contact_angle[f] : (double)NAN;
        }
    }
}

/* The array a quantity lives in; not for gravity. */
static double *array_of(mnSceneNow *now, mnQuantity quantity) {
    switch (quantity) {
    case MN_QUANTITY_FLUID_VISCOSITY:
        return now->fluid_viscosity;
    case MN_QUANTITY_FLUID_TENSION_VAPOR:
        return now->fluid_tension_vapor;
    case MN_QUANTITY_FLUID_TENSION_FLUID:
        return now->fluid_tension_fluid;
    case MN_QUANTITY_FLUID_TENSION_SOLID:
        return now->fluid_tension_solid;
    case MN_QUANTITY_SOLID_TENSION_VAPOR:
        return now->solid_tension_vapor;
    case MN_QUANTITY_SOLID_TENSION_FLUID:
        return now->solid_tension_fluid;
    case MN_QUANTITY_SOLID_FRICTION:
        return now->friction;
    case MN_QUANTITY_SOLID_CONTACT_ANGLE:
        return now->contact_angle;
    case MN_QUANTITY_GRAVITY:
        break;
    }
    return NULL;
}

static void apply_schedule(mnSceneNow *now, const mnSceneDesc *desc, const mnSchedule *schedule, double time) {
    if (schedule->quantity == MN_QUANTITY_GRAVITY) {
        mn_schedule_value(schedule, time, now->gravity);
        return;
    }
    double value[3];
    mn_schedule_value(schedule, time, value);
    double *array = array_of(now, schedule->quantity);
    if (!is_of_pair(schedule->quantity)) {
        array[schedule->index] = value[0];
        return;
    }
    int first = schedule->other < 0 ? 0 : schedule->other;
    int end = schedule->other < 0 ? desc->fluid_count : schedule->other + 1;
    for (int f = first; f < end; f++) array[(ptrdiff_t)schedule->index * desc->fluid_count + f] = value[0];
}

void mn_scene_now_update(mnSceneNow *now, const mnSceneDesc *desc, double time) {
    take_description(now, desc);
    for (int i = 0; i < desc->schedule_count; i++)
        if (desc->schedules[i].key_count > 0) apply_schedule(now, desc, &desc->schedules[i], time);
}
