#include "run/opencl/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

/* A file: eight letters, length and hash of what follows. */
static const char magic[8] = "mn-cache";
enum { HEAD = 24 };

uint64_t mn_hash(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

char *mn_cache_folder(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *base = NULL, *folder = NULL;
    if (cache && *cache == '/') /* the standard has other paths ignored */
        base = mn_path_join(cache, "meniscus/opencl");
    else if (home && *home == '/')
        base = mn_path_join(home, ".cache/meniscus/opencl");
    if (base && mn_folder_create(base, NULL) == MN_OK) folder = base;
    if (!folder) free(base);
    return folder;
}

static void write_head(unsigned char head[HEAD], const void *bytes, size_t count) {
    memcpy(head, magic, sizeof magic);
    mn_put_u64(mn_put_u64(head + sizeof magic, count), mn_hash(MN_HASH_START, bytes, count));
}

/* The rest of a file that is as long as its head says; NULL where it is not. */
static unsigned char *read_rest(FILE *stream, size_t count) {
    unsigned char *bytes = malloc(count ? count : 1);
    if (bytes && fread(bytes, 1, count, stream) == count && fgetc(stream) == EOF) return bytes;
    free(bytes);
    return NULL;
}

bool mn_cache_read(const char *path, unsigned char **bytes, size_t *count) {
    *bytes = NULL;
    FILE *stream = fopen(path, "rb");
    if (!stream) return false;
    unsigned char head[HEAD], expected[HEAD];
    long size = -1;
    if (fseek(stream, 0, SEEK_END) == 0) size = ftell(stream);
    rewind(stream);
    if (size >= HEAD && fread(head, 1, HEAD, stream) == HEAD) {
        *count = (size_t)size - HEAD;
        *bytes = read_rest(stream, *count);
    }
    fclose(stream);
    if (!*bytes) return false;
    write_head(expected, *bytes, *count);
    if (memcmp(head, expected, HEAD) == 0) return true;
    free(*bytes);
    *bytes = NULL;
    return false;
}

void mn_cache_write(const char *path, const void *bytes, size_t count) {
    unsigned char head[HEAD];
    mnFile file;
    if (mn_file_check(path, NULL) != MN_OK || mn_file_create(&file, path, NULL) != MN_OK) return;
    write_head(head, bytes, count);
    mn_file_put(&file, head, HEAD);
    mn_file_put(&file, bytes, count);
    mn_file_commit(&file, NULL);
}
