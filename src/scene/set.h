/* Changes "path=value" to a scene that was read, made before it is checked. */
#ifndef MN_SCENE_SET_H
#define MN_SCENE_SET_H

#include <jansson.h>

#include "meniscus/status.h"
#include "scene/locate.h"

/* The file name of problems that came in this way. */
#define MN_SET_FILE "--set"

/* What every text of a scene is parsed with. Numbers all become reals, so that a whole number too long for an integer
 * is judged by the range of its key like any other, and what is no object is told so by the reader. */
#define MN_JSON_FLAGS (JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY)

/* Paths that were set, as mn_path_text writes them. Start from a zeroed struct, end with mn_sets_clear. */
typedef struct mnSets {
    char (*paths)[MN_PATH_TEXT];
    int count;
} mnSets;

/* A value is JSON, or else a text. Steps of a path are divided by dots; list entries are [2] or a step of digits, the
 * one behind the last appends. Missing objects and lists on the way are made, a vector from the key's default; but not
 * a fluid or a solid, whose misspelt name would else be a new one. Problems go to the report. */
mnStatus mn_sets_apply(mnSets *applied, json_t *root, const char *const *sets, int set_count, mnReport *report);
void mn_sets_clear(mnSets *applied);

/* Takes away what stands at a path, spelt as above. False: there is nothing. */
bool mn_sets_remove(json_t *root, const char *path);

/* Whether what stands at the path now was set. */
bool mn_sets_cover(const mnSets *applied, const char *path);

#endif
