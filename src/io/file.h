/* A file that appears whole or not at all.
 *
 * What is written goes to a temporary neighbour of the path; mn_file_commit checks that all of it arrived and renames
 * it into place. Trouble on the way (a full disk) is remembered and told by the commit, so writers need no checks of
 * their own. Numbers are printed as in the C locale whatever the program's is. */
#ifndef MN_IO_FILE_H
#define MN_IO_FILE_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "meniscus/status.h"

typedef struct mnFile {
    FILE *stream;
    char *path, *temporary; /* owned */
    locale_t locale;
    int trouble; /* first errno met, 0: none */
} mnFile;

/* What is at the path will be replaced, so it must be nothing or a plain file: no folder, link or device. */
mnStatus mn_file_check(const char *path, mnError *error);

/* The same, and whether a file can be made there, found out by doing so; it is taken away again. */
mnStatus mn_file_try(const char *path, mnError *error);

/* What is at the path must be nothing, or a plain file that begins with one of these texts, of which NULL is the last:
 * one that we have written. */
mnStatus mn_file_check_ours(const char *path, const char *const *starts, mnError *error);

/* Refuses to replace a file of somebody else. */
mnStatus mn_file_foreign(const char *path, mnError *error);

mnStatus mn_file_create(mnFile *file, const char *path, mnError *error);
void mn_file_put(mnFile *file, const void *bytes, size_t count);
void mn_file_print(mnFile *file, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* What was put is on the disk when this returns, or there is trouble: what is to survive a power cut asks for it before
 * the commit. */
void mn_file_sync(mnFile *file);

/* Ends the file either way; afterwards it must be created anew. A failed commit leaves what was at the path before. */
mnStatus mn_file_commit(mnFile *file, mnError *error);
void mn_file_discard(mnFile *file);

/* The same for a file that is already there, and for the names in the folder that it is in: the rename of a commit is
 * safe only then. */
mnStatus mn_path_sync(const char *path, mnError *error);
mnStatus mn_folder_sync_of(const char *path, mnError *error);

/* The folder that a file is in; free it. NULL: no memory. */
char *mn_path_folder(const char *path);

/* Makes a folder and the ones above it. */
mnStatus mn_folder_create(const char *path, mnError *error);

/* "a/b"; owned by the caller, NULL without memory. */
char *mn_path_join(const char *folder, const char *name);

/* Little-endian bytes of numbers, whatever the machine's order is. Each returns the place after the last byte. */
static inline unsigned char *mn_put_u32(unsigned char *to, uint32_t value) {
    for (int i = 0; i < 4; i++) *to++ = (unsigned char)(value >> (8 * i));
    return to;
}

static inline unsigned char *mn_put_u64(unsigned char *to, uint64_t value) {
    for (int i = 0; i < 8; i++) *to++ = (unsigned char)(value >> (8 * i));
    return to;
}

static inline unsigned char *mn_put_f32(unsigned char *to, double value) {
    union {
        float real;
        uint32_t bits;
    } pun = {.real = (float)value};
    return mn_put_u32(to, pun.bits);
}

#endif
