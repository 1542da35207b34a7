#include "render/trace.h"

#include <stdlib.h>

#include "base/parallel.h"
#include "render/caustics.h"
#include "render/sampler.h"

enum { BOUNCES_MAX = 16, BOUNCES_SURE = 4, TILE = 16 };

/* A share of the time that is small, and lines as sharp as the picture can show. */
static int64_t photons_for(int width, int height) {
    int64_t wanted = 2 * (int64_t)width * height;
    return wanted < 400000 ? 400000 : wanted > 4000000 ? 4000000 : wanted;
}

/* What comes back from a matt surface and then finds something bright by chance is cut here: it is rare, and each time
 * it would be a white dot. */
static const float indirect_most = 6;

static const float ground_coat = 0.02F;

/* A tile that is off by less after a quarter of its samples is left to the filter. */
static const double noise_accepted = 0.2;

typedef struct Tracer {
    const mnTableau *tableau;
    const mnRays *rays;
    mnCaustics caustics;
    float light_share[MN_LIGHTS_MAX]; /* probability that a light is asked */
    const mnTraceDesc *desc;
    mnTraced *traced;
    int width, height;
} Tracer;

/* What the camera sees first at a pixel, for the filter. */
typedef struct First {
    mnV3 normal, colour;
} First;

static mnRay camera_ray(const Tracer *t, int x, int y, mnSampler *sampler) {
    const mnLens *lens = &t->tableau->lens;
    float u[2], v[2];
    mn_sampler_pair(sampler, u);
    /* A tent over the neighbouring pixels: edges without steps. */
    float dx = u[0] < 0.5F ? sqrtf(2 * u[0]) - 1 : 1 - sqrtf(2 - 2 * u[0]);
    float dy = u[1] < 0.5F ? sqrtf(2 * u[1]) - 1 : 1 - sqrtf(2 - 2 * u[1]);
    float right = (2 * ((float)x + 0.5F + dx) / (float)t->width - 1) * lens->half_width;
    float up = (1 - 2 * ((float)y + 0.5F + dy) / (float)t->height) * lens->half_height;
    mnV3 towards = v3_along(v3_along(lens->forward, right, lens->right), up, lens->up);
    mn_sampler_pair(sampler, u);
    mn_sampler_pair(sampler, v);
    mnV3 origin = lens->origin;
    if (lens->radius > 0) {
        float radius = lens->radius * sqrtf(u[0]), angle = 6.2831853F * u[1];
        mnV3 off = v3_along(v3_scale(radius * cosf(angle), lens->right), radius * sinf(angle), lens->up);
        origin = v3_add(origin, off);
        towards = v3_sub(v3_scale(lens->focus, towards), off);
    }
    return (mnRay){origin, v3_unit(towards), MN_OPTICS_OFFSET, INFINITY, v[0]};
}

/* A coat that is not quite smooth: facets whose normals are about its own with probability cosⁿ. */
static const float coat_exponent = 60;

static mnV3 facet(mnV3 normal, const float u[2]) {
    mnV3 a, b;
    v3_frame(normal, &a, &b);
    float cosine = powf(1 - u[0], 1 / (coat_exponent + 1)), sine = sqrtf(fmaxf(0, 1 - cosine * cosine));
    float angle = 6.2831853F * u[1];
    return v3_along(v3_along(v3_scale(sine * cosf(angle), a), sine * sinf(angle), b), cosine, normal);
}

/* What a matt surface is to light that comes along `in`. */
typedef struct Matt {
    mnV3 point, face, normal, in;
    mnV3 colour;
    float mirrored; /* share that the coat throws back */
} Matt;

/* Light that goes back against `in` and came straight from a lamp, as a random one of its points tells. */
static mnV3 direct(const Tracer *t, const Matt *matt, float time, mnSampler *sampler) {
    const mnTableau *tableau = t->tableau;
    float u[2], v[2];
    mn_sampler_pair(sampler, u);
    mn_sampler_pair(sampler, v);
    int lamp = 0;
    for (float left = v[0]; lamp + 1 < tableau->light_count && left >= t->light_share[lamp]; lamp++)
        left -= t->light_share[lamp];
    const mnLight *light = &tableau->lights[lamp];
    mnV3 way = v3_sub(mn_light_point(light, u[0], u[1]), matt->point);
    float distance = v3_length(way);
    mnRay ray = {matt->point, v3_scale(1 / distance, way), MN_OPTICS_OFFSET, distance * 0.999F, time};
    float arrives = v3_dot(ray.direction, matt->normal), leaves = -v3_dot(ray.direction, light->normal);
    if (arrives <= 0 || leaves <= 0 || mn_rays_blocked(t->rays, MN_RAYS_SHADOW, &ray)) return v3(0, 0, 0);
    float form = leaves / (distance * distance) * mn_light_area(light) / t->light_share[lamp];
    mnV3 half = v3_unit(v3_sub(ray.direction, matt->in));
    float tilt = v3_dot(half, matt->normal), along = fmaxf(0.05F, v3_dot(half, ray.direction));
    float coat = matt->mirrored * (coat_exponent + 1) * 0.15915494F * powf(fmaxf(0, tilt), coat_exponent) / (4 * along);
    mnV3 share = v3_scale((1 - matt->mirrored) * 0.31830989F * arrives, matt->colour);
    return v3_scale(form, v3_times(v3_add(share, v3(coat, coat, coat)), light->radiance));
}

/* A path on its way. */
typedef struct Path {
    mnBeam beam;
    mnV3 sum;
    bool sees_lamps; /* false behind matt surfaces, which ask the lamps themselves */
    bool was_matt;
} Path;

static void add(Path *path, mnV3 light) {
    mnV3 part = v3_times(path->beam.weight, light);
    float most = path->was_matt ? v3_max(part) : 0;
    path->sum = v3_add(path->sum, most > indirect_most ? v3_scale(indirect_most / most, part) : part);
}

/* Goes on from a matt surface; false where the path ends. */
static bool scatter(const Tracer *t, Path *path, const mnHit *hit, mnV3 colour, float coat, mnSampler *sampler) {
    mnBeam *beam = &path->beam;
    mnV3 in = beam->ray.direction;
    float side = v3_dot(in, hit->face) > 0 ? -1 : 1;
    Matt matt = {.face = v3_scale(side, hit->face), .normal = v3_scale(side, hit->normal), .in = in, .colour = colour};
    matt.point = v3_along(v3_along(beam->ray.origin, hit->distance, in), MN_OPTICS_OFFSET, matt.face);
    if (coat > 0 && !beam->in_water)
        matt.mirrored = coat + (1 - coat) * powf(1 - fminf(1, fabsf(v3_dot(in, matt.normal))), 5);
    float u[2], v[2];
    mn_sampler_pair(sampler, u);
    mn_sampler_pair(sampler, v);
    if (t->caustics.count > 0) {
        float w[2];
        mn_sampler_pair(sampler, w);
        mnV3 arriving = mn_caustics_at(&t->caustics, matt.point, matt.face, w);
        add(path, v3_scale((1 - matt.mirrored) * 0.31830989F, v3_times(colour, arriving)));
    }
    if (!beam->in_water) add(path, direct(t, &matt, beam->ray.time, sampler));
    path->sees_lamps = false;
    path->was_matt = true;
    beam->ray.origin = matt.point;
    beam->ray.near = MN_OPTICS_OFFSET;
    if (v[0] < matt.mirrored) {
        beam->ray.direction = v3_unit(mn_mirror(in, facet(matt.normal, u)));
    } else {
        beam->ray.direction = mn_optics_cosine(matt.normal, u);
        beam->weight = v3_times(beam->weight, colour);
    }
    return v3_dot(beam->ray.direction, matt.face) > 0;
}

/* A lamp before `most`, if the ray meets one. */
static const mnLight *lamp_before(const mnTableau *tableau, const mnRay *ray, float most) {
    const mnLight *found = NULL;
    for (int i = 0; i < tableau->light_count; i++) {
        float distance = mn_light_distance(&tableau->lights[i], ray->origin, ray->direction);
        if (distance >= most) continue;
        most = distance;
        found = &tableau->lights[i];
    }
    return found;
}

static void note_first(const Tracer *t, const mnHit *hit, First *first) {
    first->normal = hit->normal;
    first->colour = hit->part == MN_PART_GROUND                                 ? mn_studio_ground_colour()
                    : t->tableau->parts[hit->part].material == MN_MATERIAL_MATT ? t->tableau->parts[hit->part].colour
                                                                                : v3(1, 1, 1);
}

/* Comes to the next thing; false where the path ends. */
static bool arrive(const Tracer *t, Path *path, bool is_first, mnHit *hit) {
    mnBeam *beam = &path->beam;
    bool met = mn_optics_meet(t->tableau, t->rays, &beam->ray, hit);
    const mnLight *lamp = is_first ? NULL : lamp_before(t->tableau, &beam->ray, met ? hit->distance : INFINITY);
    if (lamp) {
        if (path->sees_lamps) add(path, lamp->radiance);
        return false;
    }
    if (!met) {
        add(path, mn_studio_sky(t->tableau, beam->ray.direction));
        return false;
    }
    if (hit->part != MN_PART_GROUND) return true;
    float fade = mn_studio_fade(t->tableau, v3_along(beam->ray.origin, hit->distance, beam->ray.direction));
    mnV3 whole = beam->weight;
    beam->weight = v3_scale(fade, whole);
    add(path, mn_studio_sky(t->tableau, beam->ray.direction));
    beam->weight = v3_scale(1 - fade, whole);
    return fade < 1;
}

/* Follows a path from its hit number `bounce` on to its end. */
static mnV3 follow(const Tracer *t, Path path, int bounce, mnSampler *sampler, First *first) {
    for (; bounce < BOUNCES_MAX; bounce++) {
        mnHit hit;
        mnCrossing crossing;
        if (!arrive(t, &path, bounce == 0, &hit)) break;
        if (bounce == 0) note_first(t, &hit, first);
        float u[2];
        mn_sampler_pair(sampler, u);
        if (!mn_optics_cross(t->tableau, t->rays, &path.beam, &hit, &crossing)) {
            bool is_ground = hit.part == MN_PART_GROUND;
            mnV3 colour = is_ground ? mn_studio_ground_colour() : t->tableau->parts[hit.part].colour;
            float coat = is_ground ? ground_coat : t->tableau->parts[hit.part].coat;
            if (!scatter(t, &path, &hit, colour, coat, sampler)) break;
        } else if (bounce == 0 && crossing.reflected > 0 && crossing.reflected < 1) {
            /* What the camera sees in a surface and what it sees through it are both followed: to choose one by chance
             * leaves twice the noise at the same time. */
            Path back = path;
            back.sum = v3(0, 0, 0);
            back.beam.weight = v3_scale(crossing.reflected, path.beam.weight);
            mn_optics_reflect(&back.beam, &hit, &crossing);
            path.sum = v3_add(path.sum, follow(t, back, bounce + 1, sampler, first));
            path.beam.weight = v3_scale(1 - crossing.reflected, path.beam.weight);
            mn_optics_refract(t->tableau, &path.beam, &hit, &crossing);
        } else if (u[0] < crossing.reflected) {
            mn_optics_reflect(&path.beam, &hit, &crossing);
        } else {
            mn_optics_refract(t->tableau, &path.beam, &hit, &crossing);
        }
        if (bounce < BOUNCES_SURE) continue;
        float stays = fminf(0.95F, v3_max(path.beam.weight));
        if (u[1] >= stays) break;
        path.beam.weight = v3_scale(1 / stays, path.beam.weight);
    }
    return path.sum;
}

/* Adds samples [from, from + count) of a pixel to the sums of one half. */
static void trace_pixel(const Tracer *t, int x, int y, int half, int from, int count) {
    int64_t at = (int64_t)y * t->width + x;
    mnTraced *traced = t->traced;
    uint32_t seed = mn_hash((uint32_t)x + mn_hash((uint32_t)y));
    for (int s = from; s < from + count; s++) {
        mnSampler sampler = {.seed = seed, .sample = (uint32_t)s};
        First first = {{0, 0, 0}, {0, 0, 0}};
        Path path = {.beam = {.ray = camera_ray(t, x, y, &sampler), .weight = {1, 1, 1}}, .sees_lamps = true};
        traced->half[half].pixel[at] = v3_add(traced->half[half].pixel[at], follow(t, path, 0, &sampler, &first));
        traced->normal.pixel[at] = v3_add(traced->normal.pixel[at], first.normal);
        traced->colour.pixel[at] = v3_add(traced->colour.pixel[at], first.colour);
    }
}

typedef struct Tile {
    int left, top, right, bottom;
} Tile;

/* The same number of samples for each half of each pixel. */
static void trace_samples(const Tracer *t, const Tile *tile, int from, int count) {
    for (int y = tile->top; y < tile->bottom; y++)
        for (int x = tile->left; x < tile->right; x++)
            for (int half = 0; half < 2; half++) trace_pixel(t, x, y, half, from + half * count, count);
}

/* How much a tile of so many samples per half is off, as a share of its light. */
static double noise_of(const Tracer *t, const Tile *tile, int samples) {
    double sum = 0;
    for (int y = tile->top; y < tile->bottom; y++)
        for (int x = tile->left; x < tile->right; x++) {
            int64_t at = (int64_t)y * t->width + x;
            mnV3 a = t->traced->half[0].pixel[at], b = t->traced->half[1].pixel[at], off = v3_sub(a, b);
            double light = (double)v3_luminance(v3_add(a, b)) / samples;
            sum += (double)v3_dot(off, off) / samples / samples / (light * light + 0.01);
        }
    return sqrt(sum / ((tile->right - tile->left) * (tile->bottom - tile->top)));
}

static void trace_tile(const Tracer *t, int column, int row) {
    Tile tile = {column * TILE, row * TILE, (column + 1) * TILE, (row + 1) * TILE};
    if (tile.right > t->width) tile.right = t->width;
    if (tile.bottom > t->height) tile.bottom = t->height;
    int half = t->desc->samples / 2, done = half < 4 ? half : half / 4;
    trace_samples(t, &tile, 0, done);
    if (done < half && noise_of(t, &tile, done) > noise_accepted) {
        trace_samples(t, &tile, 2 * done, half - done);
        done = half;
    }
    for (int y = tile.top; y < tile.bottom; y++)
        for (int x = tile.left; x < tile.right; x++) {
            int64_t at = (int64_t)y * t->width + x;
            mnPicture *const sums[] = {&t->traced->half[0], &t->traced->half[1], &t->traced->normal,
                                       &t->traced->colour};
            for (int i = 0; i < 4; i++)
                sums[i]->pixel[at] = v3_scale((i < 2 ? 1.0F : 0.5F) / (float)done, sums[i]->pixel[at]);
        }
}

static mnStatus trace_all(const Tracer *t, mnError *error) {
    int rows = (t->height + TILE - 1) / TILE, columns = (t->width + TILE - 1) / TILE;
    for (int row = 0; row < rows; row++) {
#ifdef _OPENMP
#pragma omp parallel for num_threads(t->desc->threads) schedule(dynamic, 1)
#endif
        for (int column = 0; column < columns; column++) trace_tile(t, column, row);
        if (t->desc->go_on && !t->desc->go_on(t->desc->context, (double)(row + 1) / rows))
            return mn_error_set(error, MN_ERROR_INPUT, "stopped before the picture was whole");
    }
    return MN_OK;
}

static void share_lights(Tracer *t) {
    float sum = 0;
    for (int i = 0; i < t->tableau->light_count; i++)
        sum += t->light_share[i] = mn_light_area(&t->tableau->lights[i]) * v3_luminance(t->tableau->lights[i].radiance);
    for (int i = 0; i < t->tableau->light_count; i++) t->light_share[i] /= sum;
}

mnStatus mn_trace(const mnTableau *tableau, const mnTraceDesc *desc, int width, int height, mnTraced *traced,
                  mnError *error) {
    *traced = (mnTraced){0};
    Tracer t = {.tableau = tableau, .desc = desc, .traced = traced, .width = width, .height = height};
    share_lights(&t);
    mnPicture *const pictures[] = {&traced->half[0], &traced->half[1], &traced->normal, &traced->colour};
    mnStatus status = MN_OK;
    for (int i = 0; i < 4 && status == MN_OK; i++) status = mn_picture_create(pictures[i], width, height, error);
    mnRays *rays = NULL;
    if (status == MN_OK) status = mn_rays_create(tableau, desc->threads, &rays, error);
    t.rays = rays;
    if (status == MN_OK)
        status = mn_caustics_create(tableau, rays, photons_for(width, height), desc->threads, &t.caustics, error);
    if (status == MN_OK) status = trace_all(&t, error);
    mn_caustics_clear(&t.caustics);
    mn_rays_destroy(rays);
    if (status != MN_OK) mn_traced_clear(traced);
    return status;
}

void mn_traced_clear(mnTraced *traced) {
    mn_picture_clear(&traced->half[0]);
    mn_picture_clear(&traced->half[1]);
    mn_picture_clear(&traced->normal);
    mn_picture_clear(&traced->colour);
}
