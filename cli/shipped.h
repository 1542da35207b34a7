/* The files that ship with the program: scenes, those of the validation suite, and the page of the studio.
 *
 * A folder is looked for where an installed program has it, then where a build has it, both relative to the executable.
 * $MENISCUS_SCENES is another folder of scenes, $MENISCUS_VALIDATION another one for the suite, $MENISCUS_STUDIO
 * another one for the page. */
#ifndef MN_CLI_SHIPPED_H
#define MN_CLI_SHIPPED_H

#include <limits.h>
#include <stdbool.h>

/* The path of the running executable. */
bool program_path(char path[PATH_MAX]);

/* The folder "scenes", "validation" or "studio"; to be freed. NULL where there is none. */
char *shipped_folder(const char *name);

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
