/* Rest areas A⁰ (eq. 10): what makes γ mean newtons per metre. docs/physics.md tells how each was found. */
#ifndef MN_STATE_REST_AREAS_H
#define MN_STATE_REST_AREAS_H

#include "kernels/constants.h"

/* Sets dimension, kernels, smoothing, measure and the five rest areas of `c` for particle spacing h. */
void mn_rest_areas_set(mnConstants *c, int dimension, double spacing, mnMeasure measure, bool paper_rest_areas);

/* By how much a dry wall's energy must exceed the wet one's, as a share of γ^FV, for the contact angle to have this
 * cosine. By Young's equation that is the cosine itself; two things are made up for. Fluid against a wall keeps a
 * little of its fluid–vapor energy there (the offset). And a wall that repels fluid lifts it off by up to h, which
 * lowers its energy: with an excess x of the wet over the dry energy drops settle at −cos θ = x/(1 + x³)^⅓. */
double mn_rest_areas_wall_share(int dimension, mnMeasure measure, bool paper_rest_areas, double cosine);

#endif
