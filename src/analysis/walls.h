/* The solids of a scene as they lie and move at one moment.
 *
 * Distances are to the material, metres in the scene's frame, negative inside; normals are unit vectors out of it. */
#ifndef MN_ANALYSIS_WALLS_H
#define MN_ANALYSIS_WALLS_H

#include "geometry/geometry.h"
#include "scene/motion.h"

typedef struct mnWall {
    mnGeometry *geometry; /* owned; where the scene describes it, before any motion */
    const mnSolid *solid; /* the scene's */
    mnPose pose;
    double linear[3], angular[3]; /* m/s of the pose's origin, rad/s */
    double spacing;               /* h, m */
    double lower[3], upper[3];    /* in the geometry's frame: nothing outside is within 2h of the material */
} mnWall;

typedef struct mnWalls {
    mnWall *wall; /* one per solid of the scene */
    int count;
} mnWalls;

/* The scene must outlive the walls, which are where they are at the time 0. */
mnStatus mn_walls_create(const mnSceneDesc *scene, mnWalls *walls, mnError *error);
void mn_walls_move(mnWalls *walls, double time);
/* To where they are in a frame, which `path` names; one without a time will do only if nothing moves. */
mnStatus mn_walls_place(mnWalls *walls, bool has_time, double time, const char *path, mnError *error);
void mn_walls_clear(mnWalls *walls);

double mn_wall_distance(const mnWall *wall, const double point[3]);
double mn_wall_probe(const mnWall *wall, const double point[3], double normal[3]);

/* Whether the material is closer than `margin`, which is at most 2h. */
bool mn_wall_is_near(const mnWall *wall, const double point[3], double margin);

/* The nearest of all walls, for the surface of a fluid (surface/surface.h): its distance, infinite where there is none,
 * and its normal, zero further than 3h away. */
double mn_walls_probe(const void *walls, const double point[3], double normal[3]);

void mn_wall_velocity(const mnWall *wall, const double point[3], double velocity[3]);

#endif
