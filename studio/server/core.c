#include "core.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/grid.h"

/* Inside a fluid the measures are 0 but for a few thousandths, at an interface they are some tenths. */
static const mnReal AT_INTERFACE = (mnReal)0.1;

/* The outermost particles lie half a spacing under the interface that they make. */
static const double DEPTH = 3.5;

static bool is_at_interface(mnVec measure) {
    return measure.x > AT_INTERFACE || measure.y > AT_INTERFACE || measure.z > AT_INTERFACE;
}

static double mean_of_core(const mnParticles *p, double (*position)[3], const mnGrid *skin) {
    double sum = 0, count = 0;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t found;
        if (is_at_interface(p->measure[i]) || mn_grid_near(skin, position, position[i], skin->cell, &found, 1) > 0)
            continue;
        sum += (double)p->pressure[i];
        count++;
    }
    return count > 0 ? sum / count : (double)NAN;
}

double mn_core_pressure(const mnParticles *p, double spacing) {
    double(*position)[3] = malloc((p->count ? (size_t)p->count : 1) * sizeof *position), mean = NAN;
    mnGrid skin;
    if (!position || !mn_grid_create(&skin, DEPTH * spacing, p->count / 4 + 1)) {
        free(position);
        return mean;
    }
    bool has_room = true;
    for (int64_t i = 0; i < p->count && has_room; i++) {
        position[i][0] = (double)p->position[i].x;
        position[i][1] = (double)p->position[i].y;
        position[i][2] = (double)p->position[i].z;
        if (is_at_interface(p->measure[i])) has_room = mn_grid_add(&skin, position[i], i);
    }
    if (has_room) mean = mean_of_core(p, position, &skin);
    mn_grid_destroy(&skin);
    free(position);
    return mean;
}
