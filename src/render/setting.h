/* The solids of a scene at a moment: where they are, how far, and their triangles. */
#ifndef MN_RENDER_SETTING_H
#define MN_RENDER_SETTING_H

#include "geometry/mesh.h"
#include "meniscus/scene.h"
#include "scene/motion.h"

typedef struct mnSetting mnSetting;

/* Borrows the scene, which may be NULL: then there are no solids. They are where they are at the time 0. */
mnStatus mn_setting_create(const mnSceneDesc *scene, mnSetting **setting, mnError *error);
void mn_setting_destroy(mnSetting *setting);

/* Moves the solids to where they are at a time. */
void mn_setting_place(mnSetting *setting, double time);

int mn_setting_count(const mnSetting *setting);
bool mn_setting_is_hollow(const mnSetting *setting, int solid);
bool mn_setting_moves(const mnSetting *setting, int solid);

/* Signed distance to the material of all solids, negative inside, and where `normal` is not NULL the unit vector in
 * which it grows; infinite without solids. `setting` is an mnSetting: the signature is that of mnSolidDistance. */
double mn_setting_distance(const void *setting, const double point[3], double normal[3]);

/* The same for what hides things, which containers do not: they are shown as glass or cut open. */
double mn_setting_cover(const mnSetting *setting, const double point[3]);

/* Triangles of a solid as the scene describes it, before any motion, with normals out of the material; of a container
 * only the side within. The caller frees `corner`. */
mnStatus mn_setting_triangles(const mnSetting *setting, int solid, double size, mnTriangles *triangles, mnError *error);

/* Where the solid is at a time. */
mnPose mn_setting_pose(const mnSetting *setting, int solid, double time);

#endif
