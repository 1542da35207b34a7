/* A frame of a run as a tableau. */
#ifndef MN_RENDER_BUILD_H
#define MN_RENDER_BUILD_H

#include "analysis/walls.h"
#include "io/frame_read.h"
#include "render/look.h"
#include "render/tableau.h"

/* From metres to the tableau: (x − origin)/unit. */
typedef struct mnScale {
    double origin[3];
    double unit; /* m */
} mnScale;

mnScale mn_scale_of(const mnView *view);
mnV3 mn_scale_point(const mnScale *scale, const double point[3]);
mnLens mn_lens_of(const mnView *view, const mnScale *scale, double aspect);

typedef struct mnBuildDesc {
    const mnView *view; /* complete */
    double aspect;      /* of the picture */
    double spacing;     /* size of a particle, m; 0: there is none */
    double up[3];
    bool has_ground;
    double lowest; /* of the fluid in all pictures, along `up`, m; infinite: there is none */
    mnLook look;
    bool from_behind; /* where the main light is */
    bool flat;        /* 2D: solids have no triangles */
    double shutter;   /* how long it is open at most, s */
    int threads;
} mnBuildDesc;

typedef struct mnBuilt {
    mnTableau tableau;
    mnPart *parts; /* owned, with what they point to */
} mnBuilt;

/* The walls are where they are in the frame. Start from a zeroed struct; clear it in any case. */
mnStatus mn_build(const mnBuildDesc *desc, const mnWalls *walls, const mnFrame *frame, mnBuilt *built, mnError *error);
void mn_built_clear(mnBuilt *built);

#endif
