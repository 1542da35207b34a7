#include "render/optics.h"

static const float water_index = 1.333F, glass_index = 1.5F;

float mn_optics_fresnel(float cosine, float ratio) {
    float sine_squared = ratio * ratio * (1 - cosine * cosine);
    if (sine_squared >= 1) return 1;
    float other = sqrtf(1 - sine_squared);
    float parallel = (cosine - ratio * other) / (cosine + ratio * other);
    float perpendicular = (ratio * cosine - other) / (ratio * cosine + other);
    return 0.5F * (parallel * parallel + perpendicular * perpendicular);
}

mnV3 mn_optics_cosine(mnV3 normal, const float u[2]) {
    mnV3 a, b;
    v3_frame(normal, &a, &b);
    float radius = sqrtf(u[0]), angle = 6.2831853F * u[1];
    mnV3 flat = v3_along(v3_scale(radius * cosf(angle), a), radius * sinf(angle), b);
    return v3_unit(v3_along(flat, sqrtf(1 - u[0]), normal));
}

bool mn_optics_meet(const mnTableau *tableau, const mnRays *rays, const mnRay *ray, mnHit *hit) {
    bool found = mn_rays_meet(rays, MN_RAYS_ALL, ray, hit);
    float falls = -v3_dot(ray->direction, tableau->up);
    if (!tableau->has_ground || falls <= 0) return found;
    float distance = (v3_dot(ray->origin, tableau->up) - tableau->ground_height) / falls;
    if (distance <= ray->near || distance >= (found ? hit->distance : ray->far)) return found;
    *hit = (mnHit){.distance = distance, .part = MN_PART_GROUND, .face = tableau->up, .normal = tableau->up};
    return true;
}

static void go_on(mnRay *ray, mnV3 from, mnV3 direction) {
    ray->origin = from;
    ray->direction = direction;
    ray->near = MN_OPTICS_OFFSET;
}

/* Whether something matt is right behind a surface that the beam is about to leave the water through. */
static bool touches(const mnTableau *tableau, const mnRays *rays, const mnRay *ray, float distance) {
    mnRay onward = *ray;
    onward.near = distance;
    onward.far = distance + 4 * tableau->contact_gap;
    mnHit wall;
    return mn_rays_meet(rays, MN_RAYS_MATT, &onward, &wall) &&
           (wall.distance - distance) * fabsf(v3_dot(ray->direction, wall.face)) < tableau->contact_gap;
}

static mnV3 against(mnV3 normal, mnV3 direction) {
    return v3_dot(direction, normal) > 0 ? v3_scale(-1, normal) : normal;
}

static void cross_water(const mnTableau *tableau, const mnRays *rays, const mnBeam *beam, const mnHit *hit,
                        mnCrossing *crossing) {
    mnV3 direction = beam->ray.direction;
    bool leaving = v3_dot(direction, hit->face) > 0;
    /* Sheets of water that overlap, or that a wall cuts, are met in a wrong order: they change nothing. */
    if (leaving != beam->in_water || (leaving && touches(tableau, rays, &beam->ray, hit->distance))) {
        crossing->straight = true;
        return;
    }
    mnV3 normal = leaving ? v3_scale(-1, hit->normal) : hit->normal;
    crossing->normal = v3_dot(direction, normal) > -1e-3F ? against(hit->face, direction) : normal;
    float cosine = fminf(1, -v3_dot(direction, crossing->normal));
    crossing->reflected = mn_optics_fresnel(cosine, leaving ? water_index : 1 / water_index);
}

/* Both faces of a thin sheet, with all the light that runs between them. Under water only the far one is left, and the
 * surface of the water beside it does the reflecting. */
static void cross_glass(const mnBeam *beam, const mnHit *hit, mnCrossing *crossing) {
    crossing->straight = true;
    crossing->normal = against(hit->normal, beam->ray.direction);
    float once = mn_optics_fresnel(fminf(1, fabsf(v3_dot(beam->ray.direction, hit->normal))), 1 / glass_index);
    if (!beam->in_water) crossing->reflected = 2 * once / (1 + once);
}

bool mn_optics_cross(const mnTableau *tableau, const mnRays *rays, mnBeam *beam, const mnHit *hit,
                     mnCrossing *crossing) {
    if (beam->in_water) {
        mnV3 a = v3_scale(-hit->distance, tableau->absorption);
        beam->weight = v3_times(beam->weight, v3(expf(a.x), expf(a.y), expf(a.z)));
    }
    if (hit->part == MN_PART_GROUND || tableau->parts[hit->part].material == MN_MATERIAL_MATT) return false;
    *crossing = (mnCrossing){0};
    if (tableau->parts[hit->part].material == MN_MATERIAL_WATER)
        cross_water(tableau, rays, beam, hit, crossing);
    else
        cross_glass(beam, hit, crossing);
    return true;
}

void mn_optics_reflect(mnBeam *beam, const mnHit *hit, const mnCrossing *crossing) {
    mnV3 direction = beam->ray.direction, face = against(hit->face, direction);
    mnV3 back = mn_mirror(direction, crossing->normal);
    if (v3_dot(back, face) <= 0) back = mn_mirror(direction, face);
    mnV3 point = v3_along(beam->ray.origin, hit->distance, direction);
    go_on(&beam->ray, v3_along(point, MN_OPTICS_OFFSET, face), back);
}

void mn_optics_refract(const mnTableau *tableau, mnBeam *beam, const mnHit *hit, const mnCrossing *crossing) {
    mnV3 direction = beam->ray.direction, point = v3_along(beam->ray.origin, hit->distance, direction);
    if (tableau->parts[hit->part].material == MN_MATERIAL_GLASS)
        beam->weight = v3_times(beam->weight, tableau->parts[hit->part].colour);
    if (crossing->straight) {
        go_on(&beam->ray, point, direction);
        return;
    }
    float cosine = -v3_dot(direction, crossing->normal), ratio = beam->in_water ? water_index : 1 / water_index;
    float other = sqrtf(fmaxf(0, 1 - ratio * ratio * (1 - cosine * cosine)));
    mnV3 face = against(hit->face, direction);
    mnV3 through = v3_unit(v3_along(v3_scale(ratio, direction), ratio * cosine - other, crossing->normal));
    if (v3_dot(through, face) >= 0) through = direction;
    go_on(&beam->ray, v3_along(point, -MN_OPTICS_OFFSET, face), through);
    beam->in_water = !beam->in_water;
}
