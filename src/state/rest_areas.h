/* Rest areas A⁰ (eq. 10): what makes γ mean newtons per metre. docs/physics.md tells how each was found. */
#ifndef MN_STATE_REST_AREAS_H
#define MN_STATE_REST_AREAS_H

#include "kernels/constants.h"

/* Sets dimension, kernels, smoothing, measure and the five rest areas of `c` for particle spacing h. */
void mn_rest_areas_set(mnConstants *c, int dimension, double spacing, mnMeasure measure, bool paper_rest_areas);

/* Young's equation for the energies of walls in the units of γ^FV: cos θ = attraction of the dry wall − repulsion of
 * the wet one. What a given dry or wet energy is worth differs a little from itself, and these tell by how much.
 *
 * Attraction: in 3D a drop of cosine c needs c − ec⁶(1 − c), since close to complete wetting its edge draws out.
 * Repulsion: a wall that repels fluid lifts it off by up to h, which lowers the energy; to be worth r it takes r + kr⁴.
 * γ^FB comes with an attraction that holds the fluid down; x of it is worth the mean of x and x/√(1 + x²). The paper's
 * setting takes all as they are. */
typedef struct mnWallLaw {
    bool is_plain;
    double edge;   /* e */
    double lift;   /* k */
    double offset; /* of γ^FV: fluid against a wall keeps a little of its fluid–vapor energy there */
} mnWallLaw;

mnWallLaw mn_rest_areas_wall_law(int dimension, mnMeasure measure, bool paper_rest_areas);
double mn_wall_attraction(mnWallLaw law, double cosine); /* the dry energy that has the effect of `cosine` */
double mn_wall_repulsion(mnWallLaw law, double worth);   /* the γ^BF that has the effect `worth` */
double mn_wall_own_worth(mnWallLaw law, double energy);  /* the effect of a γ^FB */

#endif
