#include "scene/emit_source.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "scene/emit_lattice.h"

/* A layer is made as soon as a scene is checked; one of the size allowed, 1155 spacings in radius, takes 100 MB. */
enum { RAIN_QUEUE = 64, LAYER_MOST = 1 << 22 };

static const double PI = 3.14159265358979323846;

static double ball_volume(int dimension, double radius) {
    return dimension == 3 ? 4.0 / 3.0 * PI * radius * radius * radius : PI * radius * radius;
}

/* The number of particles of a drop, still a double because a description may ask for more than an integer holds. */
static double ball_particles(const mnSource *source, double radius) {
    return fmax(1, round(ball_volume(source->dimension, radius / source->spacing)));
}

static mnStatus check_drops(const mnEmitter *emitter, int number, mnError *error) {
    for (int d = 0; d < emitter->drop_count; d++) {
        const mnTimedDrop *drop = &emitter->drops[d];
        bool is_good = isfinite(drop->time) && isfinite(drop->radius) && drop->radius > 0;
        for (int i = 0; i < 3; i++) is_good = is_good && isfinite(drop->position[i]) && isfinite(drop->velocity[i]);
        if (!is_good)
            return mn_error_set(error, MN_ERROR_INPUT,
                                "emitter %d: drop %d needs a finite time, position and velocity and a positive radius",
                                number, d);
    }
    return MN_OK;
}

static mnStatus check_numbers(const mnEmitter *emitter, int dimension, int number, mnError *error) {
    bool is_listed = emitter->kind == MN_EMITTER_DROPS, is_rain = emitter->kind == MN_EMITTER_RAIN;
    bool is_round = emitter->kind == MN_EMITTER_ROUND, is_flat = emitter->kind == MN_EMITTER_RECTANGLE;
    double spread = emitter->radius_spread, least = is_rain ? 0 : DBL_MIN;
    const char *from_least = is_rain ? "zero or positive" : "positive";
    const struct {
        const char *name;
        bool is_used;
        double value;
        bool is_good;
        const char *allowed;
    } numbers[] = {
        {"start", true, emitter->start, true, "finite"},
        {"position[0]", !is_listed, emitter->position[0], true, "finite"},
        {"position[1]", !is_listed, emitter->position[1], true, "finite"},
        {"position[2]", !is_listed, emitter->position[2], true, "finite"},
        {"speed", !is_listed, emitter->speed, emitter->speed >= least, from_least},
        {"radius", is_round || is_rain, emitter->radius, emitter->radius > 0, "positive"},
        {"radius_spread", is_rain, spread, spread >= 0 && spread <= 1, "between 0 and 1"},
        {"size[0]", is_flat || is_rain, emitter->size[0], emitter->size[0] >= least, from_least},
        {"size[1]", (is_flat || is_rain) && dimension == 3, emitter->size[1], emitter->size[1] >= least, from_least},
        {"rate", is_rain, emitter->rate, emitter->rate >= 0, "zero or positive"},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].is_used && !(numbers[i].is_good && isfinite(numbers[i].value)))
            return mn_error_set(error, MN_ERROR_INPUT, "emitter %d: %s is %g; it must be %s", number, numbers[i].name,
                                numbers[i].value, numbers[i].allowed);
    return MN_OK;
}

static mnStatus check_emitter(const mnEmitter *emitter, const mnSceneDesc *desc, int number, mnError *error) {
    if ((int)emitter->kind < MN_EMITTER_ROUND || emitter->kind > MN_EMITTER_DROPS)
        return mn_error_set(error, MN_ERROR_INPUT, "emitter %d: %d is not a kind of emitter", number,
                            (int)emitter->kind);
    if (emitter->fluid < 0 || emitter->fluid >= desc->fluid_count)
        return mn_error_set(error, MN_ERROR_INPUT, "emitter %d: there is no fluid %d; the scene has %d", number,
                            emitter->fluid, desc->fluid_count);
    if (isnan(emitter->stop)) return mn_error_set(error, MN_ERROR_INPUT, "emitter %d: stop is not a number", number);
    mnStatus status = check_numbers(emitter, desc->dimension, number, error);
    if (status == MN_OK && emitter->kind == MN_EMITTER_DROPS) status = check_drops(emitter, number, error);
    return status;
}

static mnStatus check_size(double particles, int32_t most, int number, mnError *error) {
    if (particles <= most) return MN_OK;
    return mn_error_set(error, MN_ERROR_INPUT,
                        "emitter %d: one drop or layer would have %.3g particles, allowed are %d; use a larger spacing "
                        "or a smaller emitter",
                        number, particles, most);
}

/* The emitter's axes; false for a direction without length. The scaling keeps tiny and huge vectors from under- and
 * overflowing when squared. */
static bool set_frame(mnSource *source) {
    double direction[3] = {source->emitter.direction[0], source->emitter.direction[1],
                           source->dimension == 3 ? source->emitter.direction[2] : 0};
    double largest = fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2])));
    if (!(largest > 0) || !isfinite(largest)) return false;
    for (int i = 0; i < 3; i++) direction[i] /= largest;
    double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    for (int i = 0; i < 3; i++) source->direction[i] = direction[i] / length;

    const double *d = source->direction;
    double *u = source->across[0], *v = source->across[1];
    double flat = hypot(d[0], d[1]);
    if (flat > 1e-6) {
        u[0] = -d[1] / flat, u[1] = d[0] / flat, u[2] = 0;
    } else {
        double tilt = hypot(d[0], d[2]);
        u[0] = d[2] / tilt, u[1] = 0, u[2] = -d[0] / tilt;
    }
    v[0] = d[1] * u[2] - d[2] * u[1];
    v[1] = d[2] * u[0] - d[0] * u[2];
    v[2] = d[0] * u[1] - d[1] * u[0];
    return true;
}

static mnStatus take_layer(mnSource *source, double particles, int number, mnMemory *memory, mnError *error) {
    mnStatus status = check_size(particles, LAYER_MOST, number, error);
    if (status != MN_OK) return status;
    source->layer_count = (int64_t)particles;
    source->layer = mn_memory_take(memory, (size_t)source->layer_count * sizeof *source->layer);
    if (source->layer) return MN_OK;
    return mn_error_set(error, MN_ERROR_MEMORY, "emitter %d: no memory for a layer of %lld particles", number,
                        (long long)source->layer_count);
}

/* A disc of whole lattice shells, stretched to the jet's true area. */
static mnStatus make_round_layer(mnSource *source, int number, mnMemory *memory, mnError *error) {
    double wanted = ball_volume(2, source->emitter.radius / source->spacing);
    mnStatus status = check_size(wanted, LAYER_MOST, number, error);
    if (status != MN_OK) return status;
    mnLatticeBall disc = mn_lattice_ball(2, (int64_t)fmax(1, round(wanted)), true);
    status = take_layer(source, (double)disc.count, number, memory, error);
    if (status != MN_OK) return status;
    mn_lattice_ball_fill(&disc, source->layer);
    double scale = source->spacing * sqrt(wanted / (double)disc.count);
    for (int64_t p = 0; p < source->layer_count; p++) {
        double x = scale * source->layer[p][0], y = scale * source->layer[p][1];
        for (int i = 0; i < 3; i++) source->layer[p][i] = x * source->across[0][i] + y * source->across[1][i];
    }
    return MN_OK;
}

/* width × height in cells that come nearest to h; in 2D a row, height 1 and one cell high. */
static mnStatus make_flat_layer(mnSource *source, double width, double height, int number, mnMemory *memory,
                                mnError *error) {
    double columns = fmax(1, round(width / source->spacing));
    double rows = source->dimension == 3 ? fmax(1, round(height / source->spacing)) : 1;
    mnStatus status = take_layer(source, columns * rows, number, memory, error);
    if (status != MN_OK) return status;
    int64_t across = (int64_t)columns;
    for (int64_t p = 0; p < source->layer_count; p++) {
        double x = width * (((double)(p % across) + 0.5) / columns - 0.5);
        double y = source->dimension == 3 ? height * (((double)(p / across) + 0.5) / rows - 0.5) : 0;
        for (int i = 0; i < 3; i++) source->layer[p][i] = x * source->across[0][i] + y * source->across[1][i];
    }
    return MN_OK;
}

static mnStatus start_jet(mnSource *source, int number, mnMemory *memory, mnError *error) {
    const mnEmitter *emitter = &source->emitter;
    bool is_round = emitter->kind == MN_EMITTER_ROUND, is_solid = source->dimension == 3;
    double width = is_round ? 2 * emitter->radius : emitter->size[0], area = width;
    if (is_solid) area = is_round ? ball_volume(2, emitter->radius) : width * emitter->size[1];
    mnStatus status = is_round && is_solid ? make_round_layer(source, number, memory, error)
                                           : make_flat_layer(source, width, emitter->size[1], number, memory, error);
    if (status != MN_OK) return status;
    double cell = pow(source->spacing, source->dimension);
    source->layer_interval = (double)source->layer_count * cell / (area * emitter->speed);
    if (source->layer_interval > 0 && isfinite(source->layer_interval)) return MN_OK;
    return mn_error_set(error, MN_ERROR_INPUT,
                        "emitter %d: %g s between two layers; its speed or its size is out of range", number,
                        source->layer_interval);
}

/* The first drop of the list after the last one taken, in the order of time and, for equal times, of the list. A scan
 * of the whole list costs less than placing the drop it finds. */
static void find_next_drop(mnSource *source) {
    const mnEmitter *emitter = &source->emitter;
    const mnTimedDrop *last = source->next_drop < 0 ? NULL : &source->drops[source->next_drop], *best = NULL;
    for (int d = 0; d < emitter->drop_count; d++) {
        const mnTimedDrop *drop = &source->drops[d];
        if (drop->time < emitter->start || drop->time > emitter->stop) continue;
        if (last && (drop->time < last->time || (drop->time == last->time && drop <= last))) continue;
        if (!best || drop->time < best->time) best = drop;
    }
    source->next = best ? best->time : (double)INFINITY;
    if (best) source->next_drop = (int)(best - source->drops);
}

static mnStatus start_drops(mnSource *source, uint64_t seed, int number, mnMemory *memory, mnError *error) {
    mnEmitter *emitter = &source->emitter;
    bool is_rain = emitter->kind == MN_EMITTER_RAIN;
    if (is_rain) emitter->drop_count = 0;

    size_t count = (size_t)emitter->drop_count;
    source->drops = mn_memory_take(memory, count * sizeof *source->drops);
    source->waiting_capacity = is_rain ? RAIN_QUEUE : emitter->drop_count;
    source->waiting = mn_memory_take(memory, (size_t)source->waiting_capacity * sizeof *source->waiting);
    if (!source->drops || !source->waiting)
        return mn_error_set(error, MN_ERROR_MEMORY, "emitter %d: no memory for its list of drops", number);
    if (count > 0) memcpy(source->drops, emitter->drops, count * sizeof *source->drops);
    mnStatus status = check_size(ball_particles(source, mn_source_largest_drop(source)), INT32_MAX, number, error);
    if (status != MN_OK) return status;
    source->next_drop = -1;
    source->random = mn_random_start(seed, (uint64_t)number);
    return MN_OK;
}

mnStatus mn_source_start(mnSource *source, const mnSceneDesc *desc, int number, mnMemory *memory, mnError *error) {
    source->emitter = desc->emitters[number];
    source->dimension = desc->dimension;
    source->spacing = desc->spacing;
    source->next = source->emitter.start;
    mnStatus status = check_emitter(&source->emitter, desc, number, error);
    if (status != MN_OK) return status;
    if (source->emitter.kind != MN_EMITTER_DROPS && !set_frame(source))
        return mn_error_set(error, MN_ERROR_INPUT, "emitter %d: its direction has no length%s", number,
                            desc->dimension == 2 ? " in the plane" : "");
    status = mn_source_is_jet(source) ? start_jet(source, number, memory, error)
                                      : start_drops(source, desc->seed, number, memory, error);
    if (status == MN_OK) mn_source_advance(source);
    return status;
}

void mn_source_clear(mnSource *source, mnMemory *memory) {
    mn_memory_give(memory, source->layer, (size_t)source->layer_count * sizeof *source->layer);
    mn_memory_give(memory, source->drops, (size_t)source->emitter.drop_count * sizeof *source->drops);
    mn_memory_give(memory, source->waiting, (size_t)source->waiting_capacity * sizeof *source->waiting);
}

static mnDrop rain_drop(mnSource *source) {
    const mnEmitter *emitter = &source->emitter;
    mnDrop drop = {.radius = emitter->radius};
    double place[2] = {0};
    for (int a = 0; a < source->dimension - 1; a++)
        place[a] = emitter->size[a] * (mn_random_uniform(&source->random) - 0.5);
    drop.radius *= 1 + emitter->radius_spread * (2 * mn_random_uniform(&source->random) - 1);
    for (int i = 0; i < 3; i++) {
        drop.centre[i] = emitter->position[i] + place[0] * source->across[0][i] + place[1] * source->across[1][i];
        drop.velocity[i] = emitter->speed * source->direction[i];
    }
    return drop;
}

mnDrop mn_source_take_drop(mnSource *source) {
    mnDrop drop;
    if (source->emitter.kind == MN_EMITTER_RAIN) {
        drop = rain_drop(source);
    } else {
        const mnTimedDrop *timed = &source->drops[source->next_drop];
        drop = (mnDrop){.radius = timed->radius};
        memcpy(drop.centre, timed->position, sizeof drop.centre);
        memcpy(drop.velocity, timed->velocity, sizeof drop.velocity);
    }
    if (source->dimension == 2) drop.centre[2] = drop.velocity[2] = 0;
    drop.particles = mn_source_drop_particles(source, drop.radius);
    return drop;
}

int64_t mn_source_drop_particles(const mnSource *source, double radius) {
    return (int64_t)ball_particles(source, radius);
}

double mn_source_largest_drop(const mnSource *source) {
    const mnEmitter *emitter = &source->emitter;
    if (emitter->kind == MN_EMITTER_RAIN) return emitter->radius * (1 + emitter->radius_spread);
    double largest = 0;
    for (int d = 0; d < emitter->drop_count; d++) largest = fmax(largest, source->drops[d].radius);
    return largest;
}

void mn_source_advance(mnSource *source) {
    const mnEmitter *emitter = &source->emitter;
    if (mn_source_is_jet(source)) {
        /* A layer stands for the fluid of half an interval before and after it; counting from the start instead of
         * adding up keeps the times free of drift. */
        source->next = emitter->start + ((double)source->layer_index + 0.5) * source->layer_interval;
        source->layer_index++;
    } else if (emitter->kind == MN_EMITTER_RAIN) {
        source->next += mn_random_exponential(&source->random) / emitter->rate;
    } else {
        find_next_drop(source);
    }
    if (!(source->next <= emitter->stop)) source->next = INFINITY;
}
