/* When frames of a run are due, and how far its steps may go.
 *
 * Frames are due at whole multiples of 1/fps. An adaptive step is cut so that it ends there; a fixed step is never cut,
 * and a frame is written after the step that ends nearest. How steps are cut decides the bits of what follows, so all
 * that runs a scene keeps this pace. */
#ifndef MN_IO_PACE_H
#define MN_IO_PACE_H

#include "meniscus/meniscus.h"

typedef struct mnPace {
    const mnSceneDesc *scene;
    int64_t next_frame; /* due at next_frame/fps */
    double last_step;   /* s, of the step that was made last; 0: none yet */
} mnPace;

/* Whether a frame is due now; asked once after every step, and once before the first. */
bool mn_pace_frame_is_due(mnPace *pace, double time);

/* The longest that the next step may be, s. */
double mn_pace_step_limit(const mnPace *pace, double time);

/* Whether the scene's duration is reached. */
bool mn_pace_is_over(const mnPace *pace, double time);

#endif
