/* What a tracer looks at: surfaces, lights, a ground and a camera.
 *
 * Lengths are in units of the tableau, in which the picture is about two high where the camera looks at, whatever the
 * size of the scene: a drop of a millimetre and a tank of a metre meet the same tolerances. The tableau borrows the
 * arrays of its parts. */
#ifndef MN_RENDER_TABLEAU_H
#define MN_RENDER_TABLEAU_H

#include <stdbool.h>
#include <stdint.h>

#include "render/vector.h"

typedef enum mnMaterial {
    MN_MATERIAL_WATER, /* a closed surface with its normals outwards: refracts, reflects, absorbs within */
    MN_MATERIAL_GLASS, /* thin: reflects and lets through, without bending light */
    MN_MATERIAL_MATT   /* diffuse under a clear coat */
} mnMaterial;

typedef struct mnPart {
    mnMaterial material;
    mnV3 colour; /* share of light that comes back, or gets through */
    float coat;  /* matt only: reflectance of the coat seen from above, 0: none */
    int64_t vertex_count, triangle_count;
    const mnV3 *vertex;     /* when the shutter opens */
    const mnV3 *vertex_end; /* when it closes; NULL: stands still */
    const mnV3 *normal;     /* of the vertices; NULL: flat triangles */
    const int32_t (*triangle)[3];
} mnPart;

/* A rectangle centre ± across ± along that shines to the side of its normal. The camera does not see it directly. */
typedef struct mnLight {
    mnV3 centre, across, along, normal;
    mnV3 radiance;
} mnLight;

/* Directions have unit length and are perpendicular. */
typedef struct mnLens {
    mnV3 origin, right, up, forward;
    float half_width, half_height; /* of the picture at distance 1 */
    float radius;                  /* of the opening; 0: all is sharp */
    float focus;                   /* distance at which things are sharp */
} mnLens;

enum { MN_LIGHTS_MAX = 4 };

typedef struct mnTableau {
    const mnPart *parts;
    int part_count;
    mnLight lights[MN_LIGHTS_MAX];
    int light_count;
    mnV3 up;
    bool has_ground;     /* a plane without end, which fades into the sky */
    float ground_height; /* along `up` */
    mnV3 absorption;     /* of the water, per unit of the tableau */
    /* Where water ends less than this before something matt, it touches it: the thin gap between a surface that was
     * found from particles and a wall would otherwise shine like silver. */
    float contact_gap;
    mnLens lens;
} mnTableau;

/* studio.c: sky, lights and ground as a photographer would put them up for what the lens sees. The main light is better
 * behind what is seen than before it, where no wall is in its way. */
void mn_studio_light(mnTableau *tableau, bool from_behind);

/* The direction, of unit length, from what is seen to the main light. */
mnV3 mn_studio_key(mnV3 up, const mnLens *lens, bool from_behind);
mnV3 mn_studio_sky(const mnTableau *tableau, mnV3 direction);
mnV3 mn_studio_ground_colour(void);

/* How much of the ground at `point` has faded into the sky, 0 … 1. */
float mn_studio_fade(const mnTableau *tableau, mnV3 point);

/* Distance at which a ray meets a light from its bright side, or infinity. */
float mn_light_distance(const mnLight *light, mnV3 origin, mnV3 direction);
mnV3 mn_light_point(const mnLight *light, float u, float v);
float mn_light_area(const mnLight *light);

#endif
