#include "render/picture.h"

#include <stdint.h>
#include <stdlib.h>

#include "render/sampler.h"

mnStatus mn_picture_create(mnPicture *picture, int width, int height, mnError *error) {
    *picture = (mnPicture){width, height, calloc((size_t)width * (size_t)height, sizeof *picture->pixel)};
    if (picture->pixel) return MN_OK;
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for a picture of %d x %d", width, height);
}

void mn_picture_clear(mnPicture *picture) {
    free(picture->pixel);
    *picture = (mnPicture){0};
}

/* The identity up to `knee`, then a hyperbola that meets it with the same slope and ends at 1. */
static float shoulder(float x) {
    const float knee = 0.7F;
    if (x <= knee) return x;
    float over = (x - knee) / (1 - knee);
    return knee + (1 - knee) * over / (1 + over);
}

/* A step of a byte is about this much light. */
static float step_at(float x) {
    return 2.2F / 255 * powf(fmaxf(x, 0), 0.55F);
}

void mn_picture_tone(mnPicture *picture) {
    size_t count = (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < count; i++) {
        mnV3 p = picture->pixel[i];
        p = v3(shoulder(p.x), shoulder(p.y), shoulder(p.z));
        float grain = mn_unit_float(mn_hash((uint32_t)i)) - 0.5F;
        picture->pixel[i] = v3_along(p, grain, v3(step_at(p.x), step_at(p.y), step_at(p.z)));
    }
}

/* Also takes what is not a number to black. */
static unsigned char srgb(float x) {
    if (!(x > 0)) return 0;
    if (x >= 1) return 255;
    float coded = x <= 0.0031308F ? 12.92F * x : 1.055F * powf(x, 1 / 2.4F) - 0.055F;
    return (unsigned char)(coded * 255 + 0.5F);
}

void mn_picture_bytes(const mnPicture *picture, unsigned char *rgb) {
    size_t count = (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < count; i++) {
        *rgb++ = srgb(picture->pixel[i].x);
        *rgb++ = srgb(picture->pixel[i].y);
        *rgb++ = srgb(picture->pixel[i].z);
    }
}
