#include "analysis/drops.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "geometry/vector.h"
#include "scene/schedule.h"

static void vector_of(const mnVec *v, double to[3]) {
    to[0] = (double)v->x;
    to[1] = (double)v->y;
    to[2] = (double)v->z;
}

/* ---- a drop as a whole ------------------------------------------------------------------------------------------- */

static double ball_diameter(int dimension, double volume) {
    return dimension == 3 ? cbrt(6 * volume / M_PI) : sqrt(4 * volume / M_PI);
}

static mnDrop sum_drop(const mnLiquid *liquid, const mnParticles *particles, const mnSceneDesc *scene, int32_t number) {
    int32_t first = liquid->first[number], end = liquid->first[number + 1];
    int64_t founder = liquid->source[liquid->members[first]];
    mnDrop drop = {.id = particles->id[founder],
                   .fluid = particles->phase[founder],
                   .particles = end - first,
                   .lower = {INFINITY, INFINITY, INFINITY},
                   .upper = {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t k = first; k < end; k++) {
        int64_t i = liquid->members[k], source = liquid->source[i];
        double volume = (double)liquid->position[i].w, place[3], velocity[3];
        mn_liquid_place(liquid, i, place);
        vector_of(&particles->velocity[source], velocity);
        drop.volume += volume;
        add_scaled3(drop.centre, drop.centre, volume, place);
        add_scaled3(drop.velocity, drop.velocity, volume, velocity);
        for (int c = 0; c < liquid->dimension; c++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): at most three dimensions */
            drop.lower[c] = fmin(drop.lower[c], place[c] - 0.5 * liquid->spacing);
            drop.upper[c] = fmax(drop.upper[c], place[c] + 0.5 * liquid->spacing);
        }
        drop.id = particles->id[source] < drop.id ? particles->id[source] : drop.id;
    }
    for (int c = 0; c < 3; c++) {
        drop.centre[c] /= drop.volume;
        drop.velocity[c] /= drop.volume;
        if (c >= liquid->dimension) drop.lower[c] = drop.upper[c] = 0;
    }
    drop.mass = scene->fluids[drop.fluid].density * drop.volume;
    drop.diameter = ball_diameter(liquid->dimension, drop.volume);
    return drop;
}

static double find_unrest(const mnLiquid *liquid, const mnParticles *particles, int32_t number, const mnDrop *drop) {
    double sum = 0;
    for (int32_t k = liquid->first[number]; k < liquid->first[number + 1]; k++) {
        double velocity[3];
        vector_of(&particles->velocity[liquid->source[liquid->members[k]]], velocity);
        sum += distance_squared3(velocity, drop->velocity);
    }
    return sqrt(sum / (double)drop->particles);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Per drop and wall, whether they touch. */
static bool *find_touches(const mnLiquid *liquid, const mnWalls *walls) {
    bool *touches = calloc((size_t)liquid->drop_count * (size_t)walls->count + 1, sizeof *touches);
    bool *at_wall = malloc((size_t)liquid->count + 1);
    for (int s = 0; touches && at_wall && s < walls->count; s++) {
        MN_PARALLEL_FOR(liquid->threads)
        for (int64_t i = 0; i < liquid->count; i++) {
            double place[3];
            mn_liquid_place(liquid, i, place);
            at_wall[i] = mn_contact_is_at(liquid, &walls->wall[s], place);
        }
        for (int64_t i = 0; i < liquid->count; i++)
            if (at_wall[i]) touches[(int64_t)liquid->drop[i] * walls->count + s] = true;
    }
    bool done = touches && at_wall;
    free(at_wall);
    if (done) return touches;
    free(touches);
    return NULL;
}

static int larger_area_first(const void *a, const void *b) {
    const mnContact *x = a, *y = b;
    if (x->area != y->area) return x->area > y->area ? -1 : 1;
    return x->solid - y->solid;
}

static void find_gravity(const mnSceneDesc *scene, double time, double gravity[3]) {
    copy3(gravity, scene->gravity);
    for (int k = 0; k < scene->schedule_count; k++)
        if (scene->schedules[k].quantity == MN_QUANTITY_GRAVITY) mn_schedule_value(&scene->schedules[k], time, gravity);
}

static bool measure_contacts(const mnLiquid *liquid, const mnParticles *particles, const mnWalls *walls,
                             const double gravity[3], const bool *touches, mnDrops *drops) {
    for (int32_t d = 0; d < liquid->drop_count; d++) {
        mnDrop *drop = &drops->drops[d];
        mnContact *first = drops->contacts + drops->contact_count;
        mnDropMotion motion = {
            .volume = drop->volume, .unrest = find_unrest(liquid, particles, d, drop), .gravity = gravity};
        copy3(motion.velocity, drop->velocity);
        drop->first_contact = (int)drops->contact_count;
        for (int s = 0; s < walls->count; s++) {
            if (!touches[(int64_t)d * walls->count + s]) continue;
            if (!mn_contact_measure(liquid, d, walls, s, &motion, first + drop->contact_count)) return false;
            drop->contact_count++;
        }
        qsort(first, (size_t)drop->contact_count, sizeof *first, larger_area_first);
        drops->contact_count += drop->contact_count;
    }
    return true;
}

static bool find_contacts(const mnLiquid *liquid, const mnParticles *particles, const mnSceneDesc *scene,
                          const mnWalls *walls, double time, mnDrops *drops) {
    double gravity[3];
    bool *touches = find_touches(liquid, walls);
    int64_t pairs = (int64_t)liquid->drop_count * walls->count, count = 0;
    for (int64_t k = 0; touches && k < pairs; k++) count += touches[k];
    drops->contacts = malloc((size_t)(count + 1) * sizeof *drops->contacts);
    find_gravity(scene, time, gravity);
    bool done = touches && drops->contacts && measure_contacts(liquid, particles, walls, gravity, touches, drops);
    free(touches);
    return done;
}

/* ---- the frame --------------------------------------------------------------------------------------------------- */

static void sum_frame(int dimension, mnDrops *drops) {
    double volumes = 0, surfaces = 0, line = 0;
    for (int64_t d = 0; d < drops->count; d++) {
        double diameter = drops->drops[d].diameter;
        drops->volume += drops->drops[d].volume;
        volumes += pow(diameter, dimension);
        surfaces += pow(diameter, dimension - 1);
    }
    drops->sauter_diameter = drops->count > 0 ? volumes / surfaces : NAN;
    drops->angles = (mnAngles){.lowest = NAN, .highest = NAN, .front = NAN, .rear = NAN};
    for (int64_t k = 0; k < drops->contact_count; k++) {
        const mnContact *contact = &drops->contacts[k];
        drops->area += contact->area;
        if (contact->angles.pieces == 0) continue;
        drops->angles.pieces += contact->angles.pieces;
        drops->angles.mean += contact->line * contact->angles.mean;
        drops->angles.lowest = fmin(drops->angles.lowest, contact->angles.lowest);
        drops->angles.highest = fmax(drops->angles.highest, contact->angles.highest);
        line += contact->line;
    }
    drops->angles.mean = line > 0 ? drops->angles.mean / line : NAN;
}

mnStatus mn_drops_measure(const mnParticles *particles, const mnSceneDesc *scene, const mnWalls *walls, double time,
                          int threads, mnDrops *drops, mnError *error) {
    *drops = (mnDrops){0};
    for (int64_t i = 0; i < particles->count; i++)
        if (particles->phase[i] < 0 || particles->phase[i] >= scene->fluid_count)
            return mn_error_set(
                error, MN_ERROR_INPUT,
                "a particle is of fluid %d, and the scene has %d; frame and scene do not belong together",
                particles->phase[i], scene->fluid_count);
    mnLiquid liquid;
    mnStatus status = mn_liquid_create(particles, scene->dimension, scene->spacing, threads, &liquid, error);
    if (status != MN_OK) return status;
    drops->count = liquid.drop_count;
    drops->drops = malloc(((size_t)drops->count + 1) * sizeof *drops->drops);
    for (int32_t d = 0; drops->drops && d < drops->count; d++) drops->drops[d] = sum_drop(&liquid, particles, scene, d);
    bool done = drops->drops && find_contacts(&liquid, particles, scene, walls, time, drops);
    mn_liquid_clear(&liquid);
    if (done) {
        sum_frame(scene->dimension, drops);
        return MN_OK;
    }
    mn_drops_clear(drops);
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory to measure the drops of %lld particles",
                        (long long)particles->count);
}

void mn_drops_clear(mnDrops *drops) {
    free(drops->drops);
    free(drops->contacts);
    *drops = (mnDrops){0};
}
