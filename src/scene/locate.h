/* Where a value stands in the text of a JSON file.
 *
 * jansson keeps no positions of what it read, so they are looked up afterwards, only for the few values that turn out
 * to be wrong, by scanning the text once more. */
#ifndef MN_SCENE_LOCATE_H
#define MN_SCENE_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

/* A step down from the root of a JSON tree: a key of an object, or an index of a list where `name` is NULL. Paths are
 * chains on the stack of whoever walks the tree; the root is NULL. */
typedef struct mnPath {
    const struct mnPath *parent;
    const char *name;
    size_t index;
} mnPath;

/* Room for a path in messages; longer ones are cut. */
#define MN_PATH_TEXT 512

/* "emitters[2].rate" */
void mn_path_text(const mnPath *path, char text[MN_PATH_TEXT]);

/* The text of a JSON file; borrowed. */
typedef struct mnSource {
    const char *text;
    size_t length;
} mnSource;

/* Line and column (in characters), both from 1, of the value at `path`, or of its key. False if it is not there. */
bool mn_locate_value(mnSource source, const mnPath *path, int *line, int *column);
bool mn_locate_key(mnSource source, const mnPath *path, int *line, int *column);

/* The same as an offset in bytes, and what an offset is as line and column. */
bool mn_locate_offset(mnSource source, const mnPath *path, size_t *offset);
void mn_locate_position(mnSource source, size_t offset, int *line, int *column);

/* Where the last token begins that does not begin behind the offset. */
size_t mn_locate_token(mnSource source, size_t offset);

/* Path of the innermost value begun before byte `offset`, for texts that are valid only up to there; a key that begins
 * there is part of it. */
void mn_locate_path(mnSource source, size_t offset, char text[MN_PATH_TEXT]);

#endif
