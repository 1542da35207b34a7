/* Rest areas A⁰ (eq. 10): what makes γ mean newtons per metre. docs/physics.md tells how each was found. */
#ifndef MN_STATE_REST_AREAS_H
#define MN_STATE_REST_AREAS_H

#include "kernels/constants.h"

/* Sets dimension, kernels, smoothing, measure and the five rest areas of `c` for particle spacing h. */
void mn_rest_areas_set(mnConstants *c, int dimension, double spacing, mnMeasure measure, bool paper_rest_areas);

/* What a wetted wall costs beyond γ^BF + γ^FB, as a share of the fluid's γ^FV: fluid against a wall keeps a little of
 * its fluid–vapor energy there, and this takes it out of Young's equation. */
double mn_rest_areas_wall_offset(int dimension, mnMeasure measure, bool paper_rest_areas);

#endif
