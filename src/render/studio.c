/* Clear things show only what is around them. A large soft box behind and above, on the left, makes them glow and puts
 * a window into their upper side; a narrow one on the right draws their other edge; the sky is a gradient, so that what
 * bends it is seen to bend it. */
#include "render/tableau.h"

static const mnV3 zenith = {0.10F, 0.17F, 0.28F}, horizon = {0.50F, 0.56F, 0.62F}, nadir = {0.10F, 0.11F, 0.12F};

mnV3 mn_studio_ground_colour(void) {
    return v3(0.46F, 0.45F, 0.43F);
}

mnV3 mn_studio_sky(const mnTableau *tableau, mnV3 direction) {
    float height = v3_dot(direction, tableau->up);
    if (height >= 0) return v3_mix(horizon, zenith, sqrtf(fminf(height, 1)));
    return v3_mix(horizon, nadir, fminf(-1.3F * height, 1));
}

float mn_studio_fade(const mnTableau *tableau, mnV3 point) {
    mnV3 centre = v3_along(tableau->lens.origin, tableau->lens.focus, tableau->lens.forward);
    mnV3 away = v3_sub(point, centre);
    away = v3_along(away, -v3_dot(away, tableau->up), tableau->up);
    float t = (v3_length(away) - 2) / 8;
    t = fminf(fmaxf(t, 0), 1);
    return t * t * (3 - 2 * t);
}

static mnLight box_towards(mnV3 target, mnV3 direction, mnV3 up, float distance, float half_width, float half_height,
                           mnV3 radiance) {
    mnV3 from = v3_unit(direction), across = v3_unit(v3_cross(up, from));
    return (mnLight){.centre = v3_along(target, distance, from),
                     .across = v3_scale(half_width, across),
                     .along = v3_scale(half_height, v3_cross(from, across)),
                     .normal = v3_scale(-1, from),
                     .radiance = radiance};
}

/* Horizontal directions of the picture. */
static void level_frame(mnV3 up, const mnLens *lens, mnV3 *ahead, mnV3 *right) {
    *ahead = v3_along(lens->forward, -v3_dot(lens->forward, up), up);
    /* A camera that looks straight down has no horizontal direction ahead: the upper side of its picture will do. */
    if (v3_length(*ahead) < 1e-3F) *ahead = v3_along(lens->up, -v3_dot(lens->up, up), up);
    *ahead = v3_unit(*ahead);
    *right = v3_cross(*ahead, up);
}

mnV3 mn_studio_key(mnV3 up, const mnLens *lens, bool from_behind) {
    mnV3 ahead, right;
    level_frame(up, lens, &ahead, &right);
    return v3_unit(v3_add(v3_along(v3_scale(from_behind ? 0.75F : -0.75F, ahead), -0.65F, right), v3_scale(1.15F, up)));
}

void mn_studio_light(mnTableau *tableau, bool from_behind) {
    const mnLens *lens = &tableau->lens;
    mnV3 up = tableau->up, target = v3_along(lens->origin, lens->focus, lens->forward), ahead, right;
    level_frame(up, lens, &ahead, &right);
    mnV3 key = mn_studio_key(up, lens, from_behind);
    mnV3 rim = v3_add(v3_along(v3_scale(from_behind ? 0.15F : -0.4F, ahead), 1, right), v3_scale(0.55F, up));
    tableau->lights[0] = box_towards(target, key, up, 7, 2.2F, 1.5F, v3(15.0F, 14.2F, 13.0F));
    tableau->lights[1] = box_towards(target, rim, up, 7, 0.5F, 2.2F, v3(7.0F, 7.6F, 8.4F));
    tableau->light_count = 2;
}

float mn_light_distance(const mnLight *light, mnV3 origin, mnV3 direction) {
    float facing = v3_dot(direction, light->normal);
    if (facing >= 0) return INFINITY;
    mnV3 to = v3_sub(light->centre, origin);
    float distance = v3_dot(to, light->normal) / facing;
    if (distance <= 0) return INFINITY;
    mnV3 off = v3_along(v3_scale(-1, to), distance, direction);
    float u = v3_dot(off, light->across) / v3_dot(light->across, light->across);
    float v = v3_dot(off, light->along) / v3_dot(light->along, light->along);
    return fabsf(u) <= 1 && fabsf(v) <= 1 ? distance : INFINITY;
}

mnV3 mn_light_point(const mnLight *light, float u, float v) {
    return v3_along(v3_along(light->centre, 2 * u - 1, light->across), 2 * v - 1, light->along);
}

float mn_light_area(const mnLight *light) {
    return 4 * v3_length(light->across) * v3_length(light->along);
}
