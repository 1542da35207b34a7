/* The solids of a scene as files for other programs:
 *
 *     DIR/solids/NAME.ply   triangles, where the solid is at the start of the scene
 *     DIR/solids/NAME.csv   of a solid that moves: what takes it from there to where it is, a row per frame
 *
 * A row is a time, a translation T in metres and a rotation R as a quaternion x, y, z, w: a corner at x of the PLY file
 * is at R·x + T. A slash in a name becomes a dot, which names do not have. In 2D nothing is written: there solids have
 * no surface. */
#ifndef MN_IO_SOLIDS_H
#define MN_IO_SOLIDS_H

#include <stdint.h>

#include "meniscus/scene.h"
#include "meniscus/status.h"

/* Removes what such files an earlier run has left in the folder. */
void mn_solids_remove(const char *folder);

/* The PLY files; makes DIR/solids where there is a solid. Replaces no file that is not one of these. */
mnStatus mn_solids_write(const char *folder, const mnSceneDesc *scene, mnError *error);

/* What was written is on the disk when this returns. */
mnStatus mn_solids_sync(const char *folder, mnError *error);

/* The CSV files of a run with frames at these times, whole, as they are at the moment. */
mnStatus mn_solids_move(const char *folder, const mnSceneDesc *scene, const double *times, int64_t count,
                        mnError *error);

#endif
