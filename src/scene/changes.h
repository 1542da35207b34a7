/* What differs between the texts of two scenes, and whether a run of the first can go on as one of the second. */
#ifndef MN_SCENE_CHANGES_H
#define MN_SCENE_CHANGES_H

#include "meniscus/status.h"

/* A problem for each key that differs: a warning where a run can go on with it, an error with the reason where it
 * cannot. `file` is named in them. MN_ERROR_INPUT: one of the texts is no scene's. */
mnStatus mn_scene_changes(const char *before, const char *after, const char *file, mnReport *report);

#endif
