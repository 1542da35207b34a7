/* The solids of a scene as triangles to be shown. */
#ifndef MN_STUDIO_SOLIDS_H
#define MN_STUDIO_SOLIDS_H

#include "meniscus/scene.h"
#include "message.h"

typedef struct mnStudioSolids {
    mnMessage *list;      /* the message "solids" */
    mnMessage *triangles; /* the binary one that follows it */
} mnStudioSolids;

/* Places are those of the shapes; where a solid moves, its pose comes on top. In 2D a solid is filled. A solid of more
 * triangles than a page should draw has none. */
mnStatus mn_solids_show(const mnSceneDesc *scene, mnStudioSolids *solids, mnError *error);
void mn_solids_clear(mnStudioSolids *solids);

/* Where the solids that move are at a time: the message "poses". NULL where none moves, or without memory. */
mnMessage *mn_solids_poses(const mnSceneDesc *scene, double time);

#endif
