/* A folder of a test's own: make it with mkdtemp(folder) and remove it at the end. */
#ifndef MN_TEST_FOLDER_HELPERS_H
#define MN_TEST_FOLDER_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static char folder[] = "/tmp/meniscus-test-XXXXXX";

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
