/* A scene that was read from a file, and the memory its description points to. */
#ifndef MN_SCENE_SCENE_H
#define MN_SCENE_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "meniscus/scene.h"

typedef struct mnSceneBlock mnSceneBlock;

struct mnScene {
    mnSceneDesc desc;
    const char *text;     /* JSON */
    mnSceneBlock *blocks; /* everything handed out by mn_scene_keep */
};

/* Zeroed memory that lives as long as the scene; NULL when there is none. */
void *mn_scene_keep(mnScene *scene, size_t count, size_t size);
char *mn_scene_keep_text(mnScene *scene, const char *text, size_t length);

/* Whether any of the fluid is there from the start or comes while it runs. */
bool mn_scene_has_fluid(const mnSceneDesc *desc, int fluid);

#endif
