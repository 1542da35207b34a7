/* A folder of a test's own: make_folder and remove_folder begin and end a group of tests. */
#ifndef MN_TEST_FOLDER_HELPERS_H
#define MN_TEST_FOLDER_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static char folder[] = "/tmp/meniscus-test-XXXXXX";

static inline int make_folder(void **unused) {
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

/* With all that is in it. */
static inline int remove_folder(void **unused) {
    (void)unused;
    char command[64];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

/* Valid until the next call. */
static inline const char *path_of(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void write_text(const char *name, const char *text) {
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

#endif
