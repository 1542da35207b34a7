#include <math.h>

#include "walls.h"

Slope slope_make(double angle, double heading) {
    double s = sin(angle * M_PI / 180), c = cos(angle * M_PI / 180),
           along[2] = {cos(heading * M_PI / 180), sin(heading * M_PI / 180)};
    return (Slope){
        .sine = s, .cosine = c, .normal = {s * along[0], s * along[1], c}, .descent = {c * along[0], c * along[1], -s}};
}

void slope_sets(Case *c, const Slope *slope, const char *sets[3]) {
    sets[0] = case_set(c, "solids.slope.shape.normal[0]", slope->normal[0]);
    sets[1] = case_set(c, "solids.slope.shape.normal[1]", slope->normal[1]);
    sets[2] = case_set(c, "solids.slope.shape.normal[2]", slope->normal[2]);
}

double speed_along(const mnTotals *totals, const double direction[3]) {
    double momentum = 0;
    for (int k = 0; k < 3; k++) momentum += totals->momentum[k] * direction[k];
    return momentum / totals->mass;
}
