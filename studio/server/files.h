/* The files of the page, read once at the start: what is served is looked up among their names and nowhere else. */
#ifndef MN_STUDIO_FILES_H
#define MN_STUDIO_FILES_H

#include <stddef.h>

#include "meniscus/status.h"

typedef struct mnPageFile {
    char *name; /* below the page's folder: "assets/main.js" */
    const char *type;
    unsigned char *bytes;
    size_t length;
} mnPageFile;

typedef struct mnPageFiles {
    mnPageFile *list;
    int count;
    size_t bytes; /* of all */
} mnPageFiles;

/* Plain files alone, no links, none whose name begins with a dot. Fails where there is no index.html. Start from a
 * zeroed struct, end with mn_page_files_clear either way. */
mnStatus mn_page_files_read(mnPageFiles *files, const char *folder, mnError *error);
void mn_page_files_clear(mnPageFiles *files);

/* NULL: none has that name. The empty name is index.html. */
const mnPageFile *mn_page_files_find(const mnPageFiles *files, const char *name);

#endif
