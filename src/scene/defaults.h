/* What marks a description as started from mn_default_scene. */
#ifndef MN_SCENE_DEFAULTS_H
#define MN_SCENE_DEFAULTS_H

#define MN_SCENE_COOKIE 0x6d6e7331u

#endif
