/* Paths of light from the camera backwards through a tableau [Kajiya 1986], and the picture they add up to.
 *
 * The same tableau and number of samples give the same picture for any number of threads. */
#ifndef MN_RENDER_TRACE_H
#define MN_RENDER_TRACE_H

#include "render/picture.h"
#include "render/tableau.h"

typedef struct mnTraceDesc {
    int samples; /* paths per pixel, even */
    int threads;
    /* Told now and then which share is done; false stops the work, and the call then fails. May be NULL. */
    bool (*go_on)(void *context, double share);
    void *context;
} mnTraceDesc;

/* Two pictures of half the samples each, whose difference tells how noisy they are, and what was seen first at each
 * pixel. */
typedef struct mnTraced {
    mnPicture half[2];
    mnPicture normal, colour;
} mnTraced;

mnStatus mn_trace(const mnTableau *tableau, const mnTraceDesc *desc, int width, int height, mnTraced *traced,
                  mnError *error);
void mn_traced_clear(mnTraced *traced);

/* filter.c: one picture of both halves, with the noise taken out where the halves and what was seen first allow. */
mnStatus mn_filter(const mnTraced *traced, int threads, mnPicture *picture, mnError *error);

#endif
