#include "render/look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/keys.h"
#include "scene/names.h"

/* The names are those of the scene's key. */
static const char *const *look_names(void) {
    return mn_key_find(MN_OBJECT_VIEW, -1, "look")->names;
}

mnStatus mn_look_parse(const char *text, mnLook *look, mnError *error) {
    const char *const *all = look_names();
    mnNames names = mn_names_start(text);
    for (int i = 0; all[i]; i++) {
        if (strcmp(all[i], text) == 0) {
            *look = (mnLook)i;
            return MN_OK;
        }
        mn_names_offer(&names, all[i]);
    }
    char hint[600];
    mn_names_hint(&names, "Looks", hint, sizeof hint);
    return mn_error_set(error, MN_ERROR_INPUT, "unknown look \"%s\"%s", text, hint);
}

bool mn_look_is_field(mnLook look) {
    return look >= MN_LOOK_SPEED;
}

const char *mn_field_name(mnLook field) {
    return look_names()[field] + strlen("field:");
}

const char *mn_field_unit(mnLook field) {
    return field == MN_LOOK_SPEED ? "m/s" : field == MN_LOOK_PRESSURE ? "Pa" : field == MN_LOOK_HEIGHT ? "m" : "";
}

double mn_field_value(mnLook field, const mnParticles *p, int64_t i, const double up[3]) {
    mnVec x = p->position[i], v = p->velocity[i];
    switch (field) {
    case MN_LOOK_SPEED:
        return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
    case MN_LOOK_PRESSURE:
        return (double)p->pressure[i];
    case MN_LOOK_MEASURE:
        return (double)p->measure[i].x;
    case MN_LOOK_PHASE:
        return (double)p->phase[i];
    case MN_LOOK_ID:
        return (double)p->id[i];
    case MN_LOOK_HEIGHT:
        return up[0] * (double)x.x + up[1] * (double)x.y + up[2] * (double)x.z;
    default:
        return 0;
    }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

mnStatus mn_field_range(mnLook field, const mnParticles *particles, const double up[3], double range[2],
                        mnError *error) {
    double *value = malloc((size_t)(particles->count + 1) * sizeof *value);
    if (!value) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for the range of a field");
    int64_t count = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        value[count] = mn_field_value(field, particles, i, up);
        count += isfinite(value[count]) != 0;
    }
    qsort(value, (size_t)count, sizeof *value, compare);
    if (count > 0) {
        range[0] = fmin(range[0], value[count / 500]);
        range[1] = fmax(range[1], value[count - 1 - count / 500]);
    }
    free(value);
    return MN_OK;
}
