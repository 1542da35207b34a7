#include "scene/emit.h"

#include <math.h>

#include "scene/emit_lattice.h"
#include "scene/emit_source.h"

/* One source per emitter, worked through in the order of the scene. A source says what is due; here it is decided
 * whether it can be placed, and it is turned into particles. */

/* So many layers or drops of one emitter in one run are a mistake in the scene, not a jet; without a limit a speed of
 * 1e30 would keep the loop busy for good. */
enum { MOST_EVENTS = 1 << 20 };

/* How far beyond its radius a drop wants no particle's centre, in spacings: the half that a particle takes up itself
 * and one of air, so that two drops do not touch before they move. */
static const double CLEARANCE = 1.5;

/* What stays the same during a run. */
typedef struct Run {
    double time;
    int64_t room; /* that is left */
    mnEmitQuery is_free;
    void *context;
} Run;

/* What became of a layer or drop. */
typedef enum Outcome { PLACED, BLOCKED, OVER_LIMIT, NO_MEMORY } Outcome;

mnStatus mn_emitter_check(const mnSceneDesc *desc, int emitter, mnError *error) {
    mnMemory memory = mn_memory_create((mnAllocator){0}, 0);
    mnSource source = {0};
    mnStatus status = mn_source_start(&source, desc, emitter, &memory, error);
    mn_source_clear(&source, &memory);
    return status;
}

mnStatus mn_emitters_create(const mnSceneDesc *desc, mnMemory *memory, mnEmitters **emitters, mnError *error) {
    *emitters = NULL;
    mnEmitters *made = mn_memory_take(memory, sizeof *made);
    if (!made) return mn_error_set(error, MN_ERROR_MEMORY, "no memory for the emitters");
    made->memory = memory;
    made->sources = mn_memory_take(memory, (size_t)desc->emitter_count * sizeof *made->sources);
    mnStatus status = MN_OK;
    if (made->sources)
        made->count = desc->emitter_count;
    else
        status = mn_error_set(error, MN_ERROR_MEMORY, "no memory for %d emitters", desc->emitter_count);
    for (int i = 0; i < made->count && status == MN_OK; i++)
        status = mn_source_start(&made->sources[i], desc, i, memory, error);
    if (status == MN_OK)
        *emitters = made;
    else
        mn_emitters_destroy(made);
    return status;
}

void mn_emitters_destroy(mnEmitters *emitters) {
    if (!emitters) return;
    mnMemory *memory = emitters->memory;
    for (int i = 0; i < emitters->count; i++) mn_source_clear(&emitters->sources[i], memory);
    mn_memory_give(memory, emitters->sources, (size_t)emitters->count * sizeof *emitters->sources);
    mn_memory_give(memory, emitters->particles, (size_t)emitters->particle_capacity * sizeof *emitters->particles);
    mn_memory_give(memory, emitters->points, (size_t)emitters->point_capacity * sizeof *emitters->points);
    mn_memory_give(memory, emitters, sizeof *emitters);
}

static bool is_within_limit(const mnSource *source, int64_t particles) {
    int64_t limit = source->emitter.max_particles;
    return limit <= 0 || particles <= limit - source->tally.particles;
}

static bool grow(mnEmitters *emitters, int64_t particles) {
    void *block = emitters->particles;
    bool is_done = mn_memory_grow(emitters->memory, &block, &emitters->particle_capacity, emitters->particle_count,
                                  emitters->particle_count + particles, sizeof *emitters->particles);
    emitters->particles = block;
    return is_done;
}

static bool grow_points(mnEmitters *emitters, int64_t points) {
    void *block = emitters->points;
    bool is_done =
        mn_memory_grow(emitters->memory, &block, &emitters->point_capacity, 0, points, sizeof *emitters->points);
    emitters->points = block;
    return is_done;
}

/* Adds one particle per offset, around `centre`; the room for them was made before. */
static void add_particles(mnEmitters *emitters, mnSource *source, Run *run, int64_t count, double (*offsets)[3],
                          double scale, const double centre[3], const double velocity[3]) {
    for (int64_t p = 0; p < count; p++) {
        mnEmittedParticle *particle = &emitters->particles[emitters->particle_count++];
        for (int i = 0; i < 3; i++) {
            particle->position[i] = centre[i] + scale * offsets[p][i];
            particle->velocity[i] = velocity[i];
        }
        particle->fluid = source->emitter.fluid;
    }
    source->tally.particles += count;
    run->room -= count;
}

static Outcome place_layer(mnEmitters *emitters, mnSource *source, Run *run) {
    if (!is_within_limit(source, source->layer_count)) return OVER_LIMIT;
    if (source->layer_count > run->room) return BLOCKED;
    if (!grow(emitters, source->layer_count)) return NO_MEMORY;
    double centre[3], velocity[3];
    for (int i = 0; i < 3; i++) {
        velocity[i] = source->emitter.speed * source->direction[i];
        centre[i] = source->emitter.position[i] + (run->time - source->next) * velocity[i];
    }
    if (source->dimension == 2) centre[2] = 0;
    add_particles(emitters, source, run, source->layer_count, source->layer, 1, centre, velocity);
    return PLACED;
}

/* The caller's query does not know the particles of this run. */
static bool is_clear_of_run(const mnEmitters *emitters, const double centre[3], double radius) {
    for (int64_t p = 0; p < emitters->particle_count; p++) {
        const double *x = emitters->particles[p].position;
        double dx = x[0] - centre[0], dy = x[1] - centre[1], dz = x[2] - centre[2];
        if (dx * dx + dy * dy + dz * dz < radius * radius) return false;
    }
    return true;
}

/* `late` is how long the drop has been on its way. */
static Outcome place_drop(mnEmitters *emitters, mnSource *source, Run *run, const mnDrop *drop, double late) {
    if (!is_within_limit(source, drop->particles)) return OVER_LIMIT;
    if (drop->particles > run->room) return BLOCKED;
    double centre[3], radius = drop->radius + CLEARANCE * source->spacing;
    for (int i = 0; i < 3; i++) centre[i] = drop->centre[i] + late * drop->velocity[i];
    if (!is_clear_of_run(emitters, centre, radius)) return BLOCKED;
    if (run->is_free && !run->is_free(run->context, centre, radius)) return BLOCKED;
    if (!grow(emitters, drop->particles) || !grow_points(emitters, drop->particles)) return NO_MEMORY;
    mnLatticeBall ball = mn_lattice_ball(source->dimension, drop->particles, false);
    mn_lattice_ball_fill(&ball, emitters->points);
    add_particles(emitters, source, run, ball.count, emitters->points, source->spacing, centre, drop->velocity);
    return PLACED;
}

/* The drops that were left over, oldest first; those that still find no place stay in their order. */
static Outcome place_waiting(mnEmitters *emitters, mnSource *source, Run *run) {
    int64_t kept = 0;
    Outcome outcome = PLACED;
    for (int64_t w = 0; w < source->tally.waiting; w++) {
        mnDrop drop = source->waiting[w];
        if (outcome == PLACED || outcome == BLOCKED) outcome = place_drop(emitters, source, run, &drop, 0);
        if (outcome != PLACED) source->waiting[kept++] = drop;
    }
    source->tally.waiting = kept;
    return outcome;
}

static Outcome place_next(mnEmitters *emitters, mnSource *source, Run *run) {
    mnEmitterTally *tally = &source->tally;
    Outcome outcome;
    if (mn_source_is_jet(source)) {
        outcome = place_layer(emitters, source, run);
        if (outcome == BLOCKED) tally->lost++;
    } else {
        mnDrop drop = mn_source_take_drop(source);
        outcome = place_drop(emitters, source, run, &drop, run->time - source->next);
        if (outcome == BLOCKED && tally->waiting < source->waiting_capacity)
            source->waiting[tally->waiting++] = drop;
        else if (outcome == BLOCKED)
            tally->lost++;
    }
    mn_source_advance(source);
    return outcome;
}

static void finish(mnSource *source) {
    source->tally.finished = true;
    source->tally.lost += source->tally.waiting;
    source->tally.waiting = 0;
    source->next = INFINITY;
}

static mnStatus run_source(mnEmitters *emitters, int number, Run *run, mnError *error) {
    mnSource *source = &emitters->sources[number];
    Outcome outcome = place_waiting(emitters, source, run);
    for (int events = 0; source->next <= run->time && outcome < OVER_LIMIT; events++) {
        if (events == MOST_EVENTS)
            return mn_error_set(
                error, MN_ERROR_INPUT,
                "emitter %d: more than %d drops or layers fall due in one step; lower its rate or speed", number,
                MOST_EVENTS);
        outcome = place_next(emitters, source, run);
    }
    if (outcome == OVER_LIMIT) finish(source);
    if (outcome != NO_MEMORY) return MN_OK;
    return mn_error_set(error, MN_ERROR_MEMORY, "emitter %d: no memory for more particles after %lld", number,
                        (long long)source->tally.particles);
}

mnStatus mn_emitters_run(mnEmitters *emitters, double time, int64_t room, mnEmitQuery is_free, void *context,
                         mnEmission *out, mnError *error) {
    Run run = {.time = time, .room = room, .is_free = is_free, .context = context};
    emitters->particle_count = 0;
    mnStatus status = MN_OK;
    for (int i = 0; i < emitters->count && status == MN_OK; i++) status = run_source(emitters, i, &run, error);
    *out = (mnEmission){.particles = emitters->particles, .count = emitters->particle_count};
    return status;
}

double mn_emitters_pending(const mnEmitters *emitters, double *speed) {
    const mnSource *first = NULL;
    for (int i = 0; i < emitters->count; i++) {
        const mnSource *source = &emitters->sources[i];
        if (source->next < INFINITY && (!first || source->next < first->next)) first = source;
    }
    if (speed) {
        *speed = 0;
        if (first && first->emitter.kind == MN_EMITTER_DROPS) {
            const double *v = first->drops[first->next_drop].velocity;
            *speed = sqrt(v[0] * v[0] + v[1] * v[1] + (first->dimension == 3 ? v[2] * v[2] : 0));
        } else if (first) {
            *speed = first->emitter.speed;
        }
    }
    return first ? first->next : (double)INFINITY;
}

mnEmitterTally mn_emitters_tally(const mnEmitters *emitters, int emitter) {
    return emitters->sources[emitter].tally;
}
