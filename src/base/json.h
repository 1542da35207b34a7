/* jansson, with a lack of memory that shows.
 *
 * As of 2.14 it ends the process when a word cannot grow while it reads (an assert of its lexer), takes other lacks for
 * a fault of the text, and leaves a piece out of the text that it writes. So there must be room for the tree of a text
 * before it is read; of the rest malloc tells by errno. */
#ifndef MN_BASE_JSON_H
#define MN_BASE_JSON_H

#include <jansson.h>

/* The tree of a text or of a file. NULL: it is none, which the error tells more of; or there is no memory, and errno is
 * ENOMEM. */
json_t *mn_json_parse(const char *text, size_t length, size_t flags, json_error_t *error);
json_t *mn_json_load(const char *path);

/* Bytes that reading a text takes at most; a tree is much larger than its text. */
size_t mn_json_room(const char *text, size_t length);

/* The text of a tree; free it. NULL: no memory. */
char *mn_json_text(const json_t *root, size_t flags);

#endif
