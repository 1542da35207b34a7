/* What tells which colour means which number: a bar with its ends and steps between, the field's name and unit, and the
 * time of the picture. */
#ifndef MN_RENDER_LEGEND_H
#define MN_RENDER_LEGEND_H

#include "render/look.h"
#include "render/picture.h"

typedef struct mnLegend {
    mnLook field;
    double range[2];
    bool has_time;
    double time;              /* s */
    const mnSceneDesc *scene; /* for the names of fluids; may be NULL */
} mnLegend;

void mn_legend_draw(mnPicture *picture, const mnLegend *legend);

/* The power of ten of a unit with a prefix in which `most` is written best: −3 for milli, 0 where it needs none; and
 * the prefix. */
int mn_legend_prefix(double most, const char **prefix);

/* A step of 1, 2 or 5 times a power of ten that divides the range into three to six or so. */
double mn_legend_step(double low, double high);

#endif
