/* The scenes that ship with the program.
 *
 * They are looked for in $MENISCUS_SCENES, then where an installed program has them, then where a build has them, both
 * relative to the executable. */
#ifndef MN_CLI_SHIPPED_H
#define MN_CLI_SHIPPED_H

#include <limits.h>
#include <stdbool.h>

/* The path of the running executable. */
bool program_path(char path[PATH_MAX]);

typedef struct Shipped {
    char *folder; /* NULL where none was found */
    char **names; /* without ".json", sorted */
    int count;
} Shipped;

Shipped shipped_find(void);
void shipped_clear(Shipped *shipped);

/* The path of a scene that is given as a path or as a shipped scene's name; to be freed. NULL after a complaint. */
char *shipped_resolve(const char *scene);

#endif
