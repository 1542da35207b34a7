/* One emitter at work: the shared inside of emit.c (what is placed, and whether), emit_source.c (what is due, and when)
 * and sim_state.c (what is saved of it). */
#ifndef MN_SCENE_EMIT_SOURCE_H
#define MN_SCENE_EMIT_SOURCE_H

#include "base/random.h"
#include "scene/emit.h"

/* A drop that is to be placed, and where it leaves from. */
typedef struct mnDrop {
    double centre[3], velocity[3];
    double radius;
    int64_t particles;
} mnDrop;

typedef struct mnSource {
    mnEmitter emitter; /* its `drops` are not kept, see below */
    int dimension;
    double spacing;
    double direction[3], across[2][3]; /* unit vectors */
    double next;                       /* when the next layer or drop is due; infinite: never */
    mnEmitterTally tally;
    /* jets */
    double (*layer)[3]; /* places of a layer's particles relative to the emitter, m */
    int64_t layer_count, layer_index;
    double layer_interval; /* s */
    /* rain and timed drops */
    mnRandom random;
    mnTimedDrop *drops; /* emitter.drop_count of them */
    int next_drop;
    mnDrop *waiting; /* tally.waiting of them, the oldest first */
    int64_t waiting_capacity;
} mnSource;

struct mnEmitters {
    mnMemory *memory;
    mnSource *sources;
    int count;
    mnEmittedParticle *particles; /* of the last run */
    int64_t particle_count, particle_capacity;
    double (*points)[3]; /* lattice points of the drop in the making */
    int64_t point_capacity;
};

static inline bool mn_source_is_jet(const mnSource *source) {
    return source->emitter.kind == MN_EMITTER_ROUND || source->emitter.kind == MN_EMITTER_RECTANGLE;
}

/* Starts from a zeroed struct; `number` is the emitter's place in the scene. mn_source_clear is due in any case. */
mnStatus mn_source_start(mnSource *source, const mnSceneDesc *desc, int number, mnMemory *memory, mnError *error);
void mn_source_clear(mnSource *source, mnMemory *memory);

/* The drop that is due at `next`. Takes the same random numbers for every drop, whatever becomes of it. */
mnDrop mn_source_take_drop(mnSource *source);

/* How many particles a drop has. */
int64_t mn_source_drop_particles(const mnSource *source, double radius);
/* The radius of the largest drop that it gives. */
double mn_source_largest_drop(const mnSource *source);

/* Moves `next` on; after mn_source_take_drop. */
void mn_source_advance(mnSource *source);

#endif
