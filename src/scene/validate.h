/* The last line of defence: a description that no simulation can be made of, wherever it came from. */
#ifndef MN_SCENE_VALIDATE_H
#define MN_SCENE_VALIDATE_H

#include "meniscus/scene.h"

mnStatus mn_scene_validate(const mnSceneDesc *scene, mnError *error);

#endif
