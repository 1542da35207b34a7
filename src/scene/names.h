/* The nearest known name for a misspelt one. */
#ifndef MN_SCENE_NAMES_H
#define MN_SCENE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Known names, offered one by one; keeps the nearest and a list of all for a message. */
typedef struct mnNames {
    const char *wanted;
    const char *nearest; /* NULL while no name is near enough to be meant */
    int distance;
    bool cut; /* the list was longer than the text */
    size_t length;
    char list[400];
} mnNames;

mnNames mn_names_start(const char *wanted);
void mn_names_offer(mnNames *names, const char *known);

/* `; did you mean "density"? Known: density, viscosity` — or what of it applies. */
void mn_names_hint(const mnNames *names, const char *what, char *text, size_t size);

/* Edits (insert, remove, replace, swap of neighbours) between two names; names beyond 64 bytes count as unlike. */
int mn_names_distance(const char *a, const char *b);

#endif
