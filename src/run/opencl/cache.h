/* Files that spare work done before: compiled programs, in a folder of the user's. Nothing here is needed, so nothing
 * here fails: what cannot be read is not there, and what cannot be written is made again the next time. */
#ifndef MN_RUN_OPENCL_CACHE_H
#define MN_RUN_OPENCL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* $XDG_CACHE_HOME/meniscus/opencl, or ~/.cache/meniscus/opencl, made where it is missing; owned by the caller, NULL
 * where it cannot be. */
char *mn_cache_folder(void);

/* The contents of a file, owned by the caller; false where it is missing, cut, changed or of another kind. */
bool mn_cache_read(const char *path, unsigned char **bytes, size_t *count);

/* The file appears whole or not at all. Two writers at a time may spoil it, and a reader then sees that. */
void mn_cache_write(const char *path, const void *bytes, size_t count);

/* FNV-1a, to be started with MN_HASH_START and continued from its own result. */
#define MN_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t mn_hash(uint64_t hash, const void *bytes, size_t count);

#endif
