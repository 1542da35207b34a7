/* Emitters and sinks: fluid that comes and goes while a scene runs.
 *
 * Emitters work after the fact: mn_emitters_run(time) hands out everything that fell due since the last run, placed
 * where it would be at `time` had it left its emitter on the dot and flown straight on. When things fall due, how big
 * they are and where they go does not depend on how time is cut into steps, and nothing has to be undone when a step is
 * repeated with a smaller Δt.
 *
 * The frame of an emitter: fluid moves along `direction`; size[0] is measured along z × direction (along x if direction
 * is parallel to z) and size[1] along the third axis. In 2D z components are ignored, an area across the direction is a
 * line segment of length size[0] (2·radius for a round jet), and a drop is a disc. SI units. */
#ifndef MN_SCENE_EMIT_H
#define MN_SCENE_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "meniscus/scene.h"

typedef struct mnEmitters mnEmitters;

typedef struct mnEmittedParticle {
    double position[3], velocity[3];
    int32_t fluid;
} mnEmittedParticle;

/* What one run brought; borrowed until the next run. */
typedef struct mnEmission {
    const mnEmittedParticle *particles;
    int64_t count;
} mnEmission;

/* What became of one emitter so far. */
typedef struct mnEmitterTally {
    int64_t particles; /* handed out */
    int64_t waiting;   /* drops that are due and wait for a free place */
    int64_t lost;      /* drops that found no place, neither free nor in the queue, and layers without room */
    bool finished;     /* max_particles was reached */
} mnEmitterTally;

/* Whether the ball holds no particle, fluid or solid. Particles of the run in progress are none of its business. */
typedef bool (*mnEmitQuery)(void *context, const double centre[3], double radius);

/* Whether one emitter of a description can be started. */
mnStatus mn_emitter_check(const mnSceneDesc *desc, int emitter, mnError *error);

/* Copies what it needs of the description. `memory` must outlive the object. */
mnStatus mn_emitters_create(const mnSceneDesc *desc, mnMemory *memory, mnEmitters **emitters, mnError *error);
void mn_emitters_destroy(mnEmitters *emitters);

/* Hands out what is due up to and including `time`, at most `room` particles; times must not fall from run to run.
 *
 * Jets push out layers, each a lattice of spacing s close to h, a distance h³/s² apart, so that every particle brings
 * its own rest volume and the flow is area·speed exactly. A layer asks nobody: it follows the one before.
 * A drop takes the number of particles nearest to its volume (at least one) and is placed when `is_free` (NULL: always)
 * grants a ball of its radius + 1.5 h; else it waits and is tried again in each run, at its place of departure. A rain
 * keeps at most 64 waiting, timed drops wait without limit.
 * max_particles, `room` and stop never cut a layer or a drop. One that would pass max_particles ends its emitter; one
 * for which `room` is too small waits if it is a drop and is lost if it is a layer. */
mnStatus mn_emitters_run(mnEmitters *emitters, double time, int64_t room, mnEmitQuery is_free, void *context,
                         mnEmission *out, mnError *error);

/* The time at which something falls due next, waiting drops aside, and in `speed` (may be NULL) how fast it will be;
 * infinity and 0 when nothing is to come. */
double mn_emitters_pending(const mnEmitters *emitters, double *speed);

mnEmitterTally mn_emitters_tally(const mnEmitters *emitters, int emitter);

#endif
