/* A scene of one's own from any description. */
#ifndef MN_SCENE_COPY_H
#define MN_SCENE_COPY_H

#include "meniscus/scene.h"

/* Copies all that the description points to; NULL when there is no memory. End with mn_scene_destroy. */
mnScene *mn_scene_copy(const mnSceneDesc *desc);

#endif
