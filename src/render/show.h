/* Pictures of a run: from frames and their scene to pixels.
 *
 * Camera and colours are chosen once for all frames that are to be shown, so that a film keeps still. */
#ifndef MN_RENDER_SHOW_H
#define MN_RENDER_SHOW_H

#include "io/run_folder.h"
#include "render/look.h"
#include "render/picture.h"

typedef struct mnShowDesc {
    int width, height;
    int samples;        /* paths per pixel, even */
    int threads;        /* at least 1 */
    const char *camera; /* changes to the view of the scene, as mn_camera_parse takes them; NULL: none */
    mnLook look;        /* MN_LOOK_AUTO: what the scene says */
    /* Told which share of a picture is done; false stops the work, and the call then fails. May be NULL. */
    bool (*go_on)(void *context, double share);
    void *context;
} mnShowDesc;

typedef struct mnShow mnShow;

/* Looks through the frames of the run, which is borrowed as is the description. */
mnStatus mn_show_open(const mnRunFolder *run, const mnShowDesc *desc, mnShow **show, mnError *error);
void mn_show_close(mnShow *show);

/* The view that was asked for or found, with nothing open. */
mnView mn_show_view(const mnShow *show);

/* A picture of a frame, ready for a screen; the caller clears it. */
mnStatus mn_show_frame(mnShow *show, int64_t index, mnPicture *picture, mnError *error);

#endif
