/* Where pictures are taken from: what the user says of it (mnView, meniscus/scene.h), and the rest found.
 *
 * A camera that has to be found looks at the fluid from a little above and a little aside, across the direction in
 * which it is longest, from a side where no solid is in the way, and so near that the fluid fills the picture. In 2D it
 * looks straight at the plane. */
#ifndef MN_RENDER_CAMERA_H
#define MN_RENDER_CAMERA_H

#include "analysis/walls.h"

/* Takes "from=x,y,z to=x,y,z up=x,y,z fov=30 aperture=0 focus=0.1", any of them, over into the view. Metres and
 * degrees. */
mnStatus mn_camera_parse(const char *text, mnView *view, mnError *error);

/* What the camera is for. */
typedef struct mnSubject {
    const double (*point)[3]; /* some points of the fluid, m */
    int64_t point_count;
    double spacing; /* size of a particle, m */
    double up[3];   /* unit */
    int dimension;
    const mnWalls *walls;
} mnSubject;

/* Share of the points that nothing hides from afar in a direction, of unit length. Containers and glass hide nothing.
 */
double mn_camera_visible(const mnSubject *subject, const double direction[3]);

/* Fills in what the view leaves open. `aspect` is width over height of the picture. */
mnStatus mn_camera_find(const mnSubject *subject, double aspect, mnView *view, mnError *error);

/* Against gravity; without any, z in 3D and y in 2D. */
void mn_camera_up(const double gravity[3], int dimension, double up[3]);

#endif
