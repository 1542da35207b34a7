#include "shot.h"

#include <stdlib.h>

static bool make_room(mnShot *shot, size_t count) {
    size_t room = count ? count : 1;
    shot->position = malloc(room * sizeof *shot->position);
    shot->velocity = malloc(room * sizeof *shot->velocity);
    shot->pressure = malloc(room * sizeof *shot->pressure);
    shot->measure = malloc(room * sizeof *shot->measure);
    shot->phase = malloc(room * sizeof *shot->phase);
    shot->id = malloc(room * sizeof *shot->id);
    return shot->position && shot->velocity && shot->pressure && shot->measure && shot->phase && shot->id;
}

static void copy_vector(float to[3], mnVec from) {
    to[0] = (float)from.x;
    to[1] = (float)from.y;
    to[2] = (float)from.z;
}

mnShot *mn_shot_take(const mnParticles *particles, double spacing, double time, int64_t step, int64_t frame) {
    mnShot *shot = calloc(1, sizeof *shot);
    if (!shot) return NULL;
    atomic_init(&shot->holders, 1);
    shot->time = time;
    shot->step = step;
    shot->frame = frame;
    shot->radius = 0.5 * spacing;
    if (!make_room(shot, (size_t)particles->count)) {
        mn_shot_drop(shot);
        return NULL;
    }
    shot->count = particles->count;
    for (int64_t i = 0; i < particles->count; i++) {
        copy_vector(shot->position[i], particles->position[i]);
        copy_vector(shot->velocity[i], particles->velocity[i]);
        shot->pressure[i] = (float)particles->pressure[i];
        shot->measure[i] = (float)particles->measure[i].x;
        shot->phase[i] = particles->phase[i];
        shot->id[i] = (uint32_t)particles->id[i];
    }
    return shot;
}

mnShot *mn_shot_hold(mnShot *shot) {
    if (shot) atomic_fetch_add(&shot->holders, 1);
    return shot;
}

void mn_shot_drop(mnShot *shot) {
    if (!shot || atomic_fetch_sub(&shot->holders, 1) > 1) return;
    free(shot->position);
    free(shot->velocity);
    free(shot->pressure);
    free(shot->measure);
    free(shot->phase);
    free(shot->id);
    free(shot);
}

int64_t mn_shot_find(const mnShot *shot, int64_t id) {
    for (int64_t i = 0; i < shot->count; i++)
        if (shot->id[i] == id) return i;
    return -1;
}
