/* The scene that is open: its text, and what reading it has found. */
#ifndef MN_STUDIO_DOCUMENT_H
#define MN_STUDIO_DOCUMENT_H

#include <jansson.h>

#include "meniscus/scene.h"

typedef struct mnDocument {
    char *name;      /* without folder and ending, fit to name a folder */
    char *folder;    /* where relative paths of meshes start; NULL: it came without one */
    char *text;      /* NULL: nothing is open */
    mnScene *scene;  /* NULL: the text has errors */
    mnReport report; /* problems of the text */
} mnDocument;

/* Takes a text, whatever it holds; problems go into the report. A text from a page has no `folder` and may name only
 * the meshes among `known`, a list of paths: nobody shall see other files through the studio. */
mnStatus mn_document_open(mnDocument *document, const char *text, const char *name, const char *folder,
                          const json_t *known, mnError *error);
mnStatus mn_document_load(mnDocument *document, const char *path, mnError *error);
void mn_document_clear(mnDocument *document);

/* Puts a value at a path as of --set, or takes away what is there (NULL), and reads the text again. */
mnStatus mn_document_set(mnDocument *document, const char *path, const json_t *value, const json_t *known,
                         mnError *error);

/* Adds the paths of all meshes of a document to the list. */
void mn_document_list_meshes(const mnDocument *document, json_t *known);

/* The tree of a scene's text, a new reference, or NULL. */
json_t *mn_scene_tree(const char *text);
/* Text of a tree, with as few digits as tell every number exactly; to be freed. */
char *mn_scene_tree_text(const json_t *root);

/* The message "scene" about the document. Where `changed` is not NULL, it is the scene as it was steered, `text` its
 * text. Steerable values are those at `time`. */
json_t *mn_document_describe(const mnDocument *document, const mnScene *changed, const char *text, double time);

#endif
