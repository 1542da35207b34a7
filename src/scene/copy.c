#include "scene/copy.h"

#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

/* mn_scene_validate has seen to it that there is an array where there is a count.
 * NOLINTBEGIN(clang-analyzer-core.NullDereference) */
static bool copy_text(mnScene *scene, const char **text) {
    if (!*text) return true;
    *text = mn_scene_keep_text(scene, *text, strlen(*text));
    return *text != NULL;
}

/* Replaces *array by a copy of its `count` elements. */
static bool copy_array(mnScene *scene, const void *array, int count, size_t size) {
    const void **at = (const void **)array;
    if (!*at || count <= 0) {
        *at = NULL;
        return true;
    }
    void *copy = mn_scene_keep(scene, (size_t)count, size);
    if (copy) memcpy(copy, *at, (size_t)count * size);
    *at = copy;
    return copy != NULL;
}

/* Members of a struct are only reached through a non-const pointer to our own copy. */
#define COPY(owner, member, count) copy_array(scene, &(owner)->member, (count), sizeof *(owner)->member)

static bool copy_shape(mnScene *scene, mnShape *shape) {
    if (!copy_text(scene, &shape->path) || !COPY(shape, children, shape->child_count)) return false;
    for (int i = 0; shape->children && i < shape->child_count; i++)
        if (!copy_shape(scene, (mnShape *)&shape->children[i])) return false;
    return true;
}

static bool copy_fluid(mnScene *scene, mnFluid *fluid) {
    if (!copy_text(scene, &fluid->name) || !COPY(fluid, bodies, fluid->body_count)) return false;
    for (int i = 0; fluid->bodies && i < fluid->body_count; i++)
        if (!copy_shape(scene, (mnShape *)&fluid->bodies[i].shape)) return false;
    return true;
}

static bool copy_solid(mnScene *scene, mnSolid *solid, int fluid_count) {
    return copy_text(scene, &solid->name) && copy_shape(scene, &solid->shape) &&
           COPY(solid, contact_angle, fluid_count) && COPY(solid, friction_of, fluid_count) &&
           COPY(solid, motion, solid->motion_count);
}

static bool copy_all(mnScene *scene) {
    mnSceneDesc *desc = &scene->desc;
    bool ok = copy_text(scene, &desc->name) && copy_text(scene, &desc->title) && copy_text(scene, &desc->folder) &&
              COPY(desc, fluids, desc->fluid_count) && COPY(desc, solids, desc->solid_count) &&
              COPY(desc, emitters, desc->emitter_count) && COPY(desc, sinks, desc->sink_count) &&
              COPY(desc, schedules, desc->schedule_count);
    for (int i = 0; ok && i < desc->fluid_count; i++) ok = copy_fluid(scene, (mnFluid *)&desc->fluids[i]);
    for (int i = 0; ok && i < desc->solid_count; i++)
        ok = copy_solid(scene, (mnSolid *)&desc->solids[i], desc->fluid_count);
    for (int i = 0; ok && i < desc->emitter_count; i++) {
        mnEmitter *emitter = (mnEmitter *)&desc->emitters[i];
        ok = COPY(emitter, drops, emitter->drop_count);
    }
    for (int i = 0; ok && i < desc->schedule_count; i++) {
        mnSchedule *schedule = (mnSchedule *)&desc->schedules[i];
        ok = COPY(schedule, keys, schedule->key_count);
    }
    return ok;
}
/* NOLINTEND(clang-analyzer-core.NullDereference) */

mnScene *mn_scene_copy(const mnSceneDesc *desc) {
    mnScene *scene = calloc(1, sizeof *scene);
    if (!scene) return NULL;
    scene->desc = *desc;
    if (copy_all(scene)) return scene;
    mn_scene_destroy(scene);
    return NULL;
}
