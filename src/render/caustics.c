#include "render/caustics.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "render/sampler.h"

enum { BOUNCES_MAX = 12 };

/* How many photons are within the radius where light is as dense as on the water itself. Places are asked about at
 * random points up to `wander` radii off, so that what a pixel sees is a mean over some 600 photons, at the cost of a
 * few. */
static const float photons_within = 16, wander = 6;

typedef struct Shooting {
    const mnTableau *tableau;
    const mnRays *rays;
    const double *area; /* of all triangles of water up to and with this one */
    const int32_t *part_of;
    const int64_t *first; /* triangle of the part */
    int part_count;
    int64_t triangle_count, photons;
    mnPhoton *photon;
} Shooting;

/* Photons start at random points of the water, as seen from random points of a lamp: what a lamp sends elsewhere is no
 * concern of ours, and scattered small drops get as many as a pond of the same surface. */
static bool aim(const Shooting *s, mnSampler *sampler, const mnLight *light, float share, mnBeam *beam, mnHit *first) {
    float u[2], v[2];
    mn_sampler_pair(sampler, u);
    double wanted = (double)u[0] * s->area[s->triangle_count - 1];
    int64_t low = 0, high = s->triangle_count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (s->area[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    const mnPart *part = &s->tableau->parts[s->part_of[low]];
    const int32_t *corner = part->triangle[low - s->first[s->part_of[low]]];
    mn_sampler_pair(sampler, v);
    float root = sqrtf(u[1]), b = root * (1 - v[0]), c = root * v[0];
    mnV3 on = v3_along(v3_along(v3_scale(1 - root, part->vertex[corner[0]]), b, part->vertex[corner[1]]), c,
                       part->vertex[corner[2]]);
    mn_sampler_pair(sampler, u);
    mnV3 from = mn_light_point(light, u[0], u[1]), way = v3_sub(on, from);
    float distance = v3_length(way);
    beam->ray = (mnRay){from, v3_scale(1 / distance, way), 0, INFINITY, 0};
    float leaves = v3_dot(beam->ray.direction, light->normal);
    if (leaves <= 0 || !mn_optics_meet(s->tableau, s->rays, &beam->ray, first)) return false;
    /* The point itself has to be the first thing met; glass in front of it costs its photons. */
    if (fabsf(first->distance - distance) > 1e-3F || first->part != s->part_of[low]) return false;
    float arrives = -v3_dot(beam->ray.direction, first->face);
    float power = leaves * arrives / (distance * distance) * mn_light_area(light) *
                  (float)s->area[s->triangle_count - 1] / ((float)s->photons * share);
    beam->weight = v3_scale(power, light->radiance);
    return arrives > 0;
}

static void shoot(void *context, int64_t begin, int64_t end) {
    const Shooting *s = context;
    for (int64_t i = begin; i < end; i++) {
        int lamp = (int)(i % s->tableau->light_count);
        mnSampler sampler = {.seed = mn_hash(0xca05 + (uint32_t)lamp),
                             .sample = (uint32_t)(i / s->tableau->light_count)};
        mnBeam beam = {0};
        mnHit hit;
        bool is_on = aim(s, &sampler, &s->tableau->lights[lamp], 1.0F / (float)s->tableau->light_count, &beam, &hit);
        for (int bounce = 0; is_on && bounce < BOUNCES_MAX; bounce++) {
            mnCrossing crossing;
            if (!mn_optics_cross(s->tableau, s->rays, &beam, &hit, &crossing)) {
                s->photon[i] = (mnPhoton){v3_along(beam.ray.origin, hit.distance, beam.ray.direction), beam.weight,
                                          v3_scale(-1, beam.ray.direction)};
                break;
            }
            float u[2];
            mn_sampler_pair(&sampler, u);
            if (u[0] < crossing.reflected)
                mn_optics_reflect(&beam, &hit, &crossing);
            else
                mn_optics_refract(s->tableau, &beam, &hit, &crossing);
            is_on = mn_optics_meet(s->tableau, s->rays, &beam.ray, &hit);
        }
    }
}

/* Photons that go far off land anywhere on a ground without end. */
static int cell_below(float at) {
    return (int)floorf(fminf(fmaxf(at, -1e9F), 1e9F));
}

static uint32_t cell_of(const mnCaustics *caustics, int x, int y, int z) {
    uint32_t hash = (uint32_t)x * 73856093U ^ (uint32_t)y * 19349663U ^ (uint32_t)z * 83492791U;
    return (hash ^ hash >> 16) & caustics->mask;
}

static uint32_t cell_at(const mnCaustics *caustics, mnV3 p) {
    float size = 2 * caustics->radius;
    return cell_of(caustics, cell_below(p.x / size), cell_below(p.y / size), cell_below(p.z / size));
}

/* Sorts the photons that landed by their cells, in the order they were shot. */
static bool sort(mnCaustics *caustics, const mnPhoton *shot, int64_t count) {
    caustics->mask = (1U << 18) - 1;
    caustics->start = calloc((size_t)caustics->mask + 2, sizeof *caustics->start);
    for (int64_t i = 0; i < count; i++) caustics->count += v3_max(shot[i].power) > 0;
    caustics->photon = malloc((size_t)(caustics->count + 1) * sizeof *caustics->photon);
    if (!caustics->start || !caustics->photon) return false;
    int32_t *next = caustics->start + 1;
    for (int64_t i = 0; i < count; i++)
        if (v3_max(shot[i].power) > 0) next[cell_at(caustics, shot[i].place)]++;
    for (uint32_t cell = 1; cell <= caustics->mask; cell++) next[cell] += next[cell - 1];
    for (int64_t i = count - 1; i >= 0; i--)
        if (v3_max(shot[i].power) > 0) caustics->photon[--next[cell_at(caustics, shot[i].place)]] = shot[i];
    /* What was counted down to is where each cell starts. */
    memmove(caustics->start, next, (size_t)(caustics->mask + 1) * sizeof *next);
    caustics->start[caustics->mask + 1] = (int32_t)caustics->count;
    return true;
}

static int64_t count_water(const mnTableau *tableau) {
    int64_t count = 0;
    for (int p = 0; p < tableau->part_count; p++)
        if (tableau->parts[p].material == MN_MATERIAL_WATER) count += tableau->parts[p].triangle_count;
    return count;
}

static void measure_water(const mnTableau *tableau, double *area, int32_t *part_of, int64_t *first) {
    int64_t at = 0;
    double sum = 0;
    for (int p = 0; p < tableau->part_count; p++) {
        const mnPart *part = &tableau->parts[p];
        first[p] = at;
        if (part->material != MN_MATERIAL_WATER) continue;
        for (int64_t t = 0; t < part->triangle_count; t++, at++) {
            const int32_t *corner = part->triangle[t];
            mnV3 origin = part->vertex[corner[0]];
            sum += 0.5 * (double)v3_length(v3_cross(v3_sub(part->vertex[corner[1]], origin),
                                                    v3_sub(part->vertex[corner[2]], origin)));
            area[at] = sum;
            part_of[at] = p;
        }
    }
}

mnStatus mn_caustics_create(const mnTableau *tableau, const mnRays *rays, int64_t photons, int threads,
                            mnCaustics *caustics, mnError *error) {
    *caustics = (mnCaustics){0};
    int64_t count = count_water(tableau);
    if (count == 0 || tableau->light_count == 0) return MN_OK;
    double *area = malloc((size_t)count * sizeof *area);
    int32_t *part_of = malloc((size_t)count * sizeof *part_of);
    int64_t *first = malloc((size_t)tableau->part_count * sizeof *first);
    mnPhoton *shot = calloc((size_t)photons, sizeof *shot);
    bool ok = area && part_of && first && shot;
    if (ok) {
        measure_water(tableau, area, part_of, first);
        Shooting shooting = {tableau, rays, area, part_of, first, tableau->part_count, count, photons, shot};
        mn_parallel_ranges(threads, photons, shoot, &shooting);
        caustics->radius = sqrtf((float)area[count - 1] * photons_within / (3.14159265F * (float)photons));
        ok = sort(caustics, shot, photons);
    }
    free(area);
    free(part_of);
    free(first);
    free(shot);
    if (ok) return MN_OK;
    mn_caustics_clear(caustics);
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for the light behind the water");
}

void mn_caustics_clear(mnCaustics *caustics) {
    free(caustics->photon);
    free(caustics->start);
    *caustics = (mnCaustics){0};
}

mnV3 mn_caustics_at(const mnCaustics *caustics, mnV3 point, mnV3 normal, const float u[2]) {
    mnV3 sum = {0, 0, 0}, a, b;
    if (caustics->count == 0) return sum;
    v3_frame(normal, &a, &b);
    float away = wander * caustics->radius * sqrtf(u[0]), angle = 6.2831853F * u[1];
    point = v3_along(v3_along(point, away * cosf(angle), a), away * sinf(angle), b);
    float size = 2 * caustics->radius, squared = caustics->radius * caustics->radius;
    /* A ball of half a cell's size reaches into eight cells at most. */
    int x = cell_below(point.x / size - 0.5F), y = cell_below(point.y / size - 0.5F),
        z = cell_below(point.z / size - 0.5F);
    uint32_t seen[8];
    int cells = 0;
    for (int c = 0; c < 8; c++) {
        uint32_t cell = cell_of(caustics, x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
        if (caustics->start[cell] == caustics->start[cell + 1]) continue;
        /* Two cells may share their place in the table. */
        bool again = false;
        for (int before = 0; before < cells; before++) again |= seen[before] == cell;
        if (!again) seen[cells++] = cell;
    }
    for (int c = 0; c < cells; c++)
        for (int32_t i = caustics->start[seen[c]]; i < caustics->start[seen[c] + 1]; i++) {
            const mnPhoton *photon = &caustics->photon[i];
            mnV3 off = v3_sub(photon->place, point);
            float share = v3_dot(off, off) / squared;
            /* Light on the other side of a thin sheet is not ours. */
            if (share < 1 && v3_dot(photon->from, normal) > 0) sum = v3_along(sum, 1 - share, photon->power);
        }
    /* The weight 1 − r²/R² has half the disc's area as its integral. */
    return v3_scale(2 / (3.14159265F * squared), sum);
}
