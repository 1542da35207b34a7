/* A picture of linear light, and the ways out of it: bytes for a screen, a PNG file.
 *
 * Values are scene-linear with the primaries of sRGB; 1 is paper white, highlights are beyond it. The first row is the
 * upper one. */
#ifndef MN_RENDER_PICTURE_H
#define MN_RENDER_PICTURE_H

#include <stddef.h>

#include "meniscus/status.h"
#include "render/vector.h"

enum { MN_PICTURE_SIDE_MIN = 16, MN_PICTURE_SIDE_MAX = 8192 };

typedef struct mnPicture {
    int width, height;
    mnV3 *pixel; /* owned; width·height */
} mnPicture;

/* Black. */
mnStatus mn_picture_create(mnPicture *picture, int width, int height, mnError *error);
void mn_picture_clear(mnPicture *picture);

/* Compresses highlights, as film does, so that what is brighter than paper keeps some shape. Dark and middle tones stay
 * what they were, but for a grain of half a byte's step, without which soft gradients would show bands. */
void mn_picture_tone(mnPicture *picture);

/* Three bytes per pixel, coded as sRGB; what is beyond white is cut off. */
void mn_picture_bytes(const mnPicture *picture, unsigned char *rgb);

/* png.c: whether this build can write PNG at all, and the file itself, which appears whole or not at all. */
mnStatus mn_png_check(mnError *error);
mnStatus mn_png_write(const char *path, const mnPicture *picture, mnError *error);

#endif
