/* libFuzzer target for scene files; not part of the build. Compile this file with src/base/status.c and what reads
 * scenes in src/scene (defaults, names, keys, keys_table, scan, locate, mend, set, read, read_value, read_names,
 * read_check, read_geometry, read_motion, scene; emit, emit_source, emit_lattice and random for emitters) and all of
 * src/geometry, with clang -D_GNU_SOURCE -fsanitize=fuzzer,address,undefined, and start it on a copy of the folder
 * scenes.
 *
 * The text ends at the first zero byte; what follows, cut at further zero bytes, are changes as of --set. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "meniscus/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SETS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *copy = malloc(size + 1);
    memcpy(copy, data, size);
    copy[size] = '\0';
    size_t length = strlen(copy);
    const char *sets[SETS];
    int set_count = 0;
    for (size_t at = length + 1; at < size && set_count < SETS; at += strlen(copy + at) + 1)
        sets[set_count++] = copy + at;

    char path[64];
    int descriptor = memfd_create("scene", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (write(descriptor, copy, length) != (ssize_t)length) abort();

    mnScene *scene = NULL;
    mnReport report = {0};
    mnStatus status = mn_scene_load(path, sets, set_count, &scene, &report);
    if ((status == MN_OK) != (scene != NULL) || (status == MN_OK) != (report.errors == 0)) abort();
    mn_scene_destroy(scene);
    mn_report_clear(&report);
    close(descriptor);
    free(copy);
    return 0;
}
