/* Looks (mnLook, meniscus/scene.h) and the fields that some of them colour particles by. */
#ifndef MN_RENDER_LOOK_H
#define MN_RENDER_LOOK_H

#include <stdbool.h>

#include "meniscus/meniscus.h"

/* "water", "clay", "field:NAME", "auto". */
mnStatus mn_look_parse(const char *text, mnLook *look, mnError *error);
bool mn_look_is_field(mnLook look);

/* Of a look that is a field; the unit is "" where there is none. */
const char *mn_field_name(mnLook field);
const char *mn_field_unit(mnLook field);
double mn_field_value(mnLook field, const mnParticles *particles, int64_t i, const double up[3]);

/* The range of a field over particles, without the outermost two of a thousand on each side, which may be anything.
 * Widens what is in `range`, which starts as {∞, −∞}. */
mnStatus mn_field_range(mnLook field, const mnParticles *particles, const double up[3], double range[2],
                        mnError *error);

#endif
