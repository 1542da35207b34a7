/* What is shown: the particles of one moment, copied so that the run can go on. */
#ifndef MN_STUDIO_SHOT_H
#define MN_STUDIO_SHOT_H

#include <stdatomic.h>

#include "meniscus/meniscus.h"

/* Arrays are `count` long and never change once the shot is made, so threads may share it. */
typedef struct mnShot {
    atomic_int holders;
    double time;   /* s */
    int64_t step;  /* −1: unknown, of a frame that was read */
    int64_t frame; /* number of a recorded frame; −1: it was copied from a run */
    double radius; /* m, half of the spacing */
    int64_t count;
    float (*position)[3];
    float (*velocity)[3];
    float *pressure, *measure; /* C^FV */
    int32_t *phase;
    uint32_t *id;
} mnShot;

/* Held once. NULL: no memory. */
mnShot *mn_shot_take(const mnParticles *particles, double spacing, double time, int64_t step, int64_t frame);
mnShot *mn_shot_hold(mnShot *shot);
void mn_shot_drop(mnShot *shot);

/* The particle with this id; −1: there is none. */
int64_t mn_shot_find(const mnShot *shot, int64_t id);

#endif
