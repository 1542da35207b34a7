/* Balls and triangles drawn into a buffer of depths: a quick picture that shows where what is, without Embree. */
#ifndef MN_RENDER_SPLAT_H
#define MN_RENDER_SPLAT_H

#include "render/picture.h"
#include "render/tableau.h"

typedef struct mnBall {
    mnV3 centre;
    float radius;
    mnV3 colour;
} mnBall;

typedef struct mnSplatDesc {
    const mnLens *lens;
    const mnBall *balls;
    int64_t ball_count;
    const mnPart *parts; /* triangles that face away are left out */
    int part_count;
    /* Where not NULL: whether the flat picture has something solid at a point of the plane z = 0. */
    bool (*is_solid)(const void *context, mnV3 point);
    const void *context;
    bool flat; /* balls are discs of one colour */
    int threads;
} mnSplatDesc;

/* Linear colours for a screen: not to be toned. */
mnStatus mn_splat(const mnSplatDesc *desc, mnPicture *picture, mnError *error);

#endif
