/* Numbers and arrays by name in one HDF5 file, with a checksum over all of it.
 *
 * The same calls serve both ways, so that what is written and what is read cannot drift apart: an archive that is being
 * made takes what its variables hold, one that was opened sets them. Trouble is remembered and told once, by
 * mn_archive_check, so no call needs a check of its own; a variable that could not be read stays what it was.
 *
 * Files are not trusted. They are read without the HDF5 library (io/hdf5_plain.h says why), nothing is read of a file
 * whose checksum is wrong, and no array is longer than the file. */
#ifndef MN_IO_ARCHIVE_H
#define MN_IO_ARCHIVE_H

#include "meniscus/meniscus.h"

/* Files of another version are refused: it counts changes after which older ones cannot be read. */
enum { MN_ARCHIVE_VERSION = 3 };

typedef struct mnArchive mnArchive;

/* Whether this build can make archives. */
mnStatus mn_archive_available(mnError *error);

/* An empty one, in memory. */
mnStatus mn_archive_create(mnArchive **archive, mnError *error);
/* One that was saved. */
mnStatus mn_archive_open(const char *path, mnArchive **archive, mnError *error);
void mn_archive_destroy(mnArchive *archive);
/* Writes one that was made to its path, whole or not at all and safe from a power cut. */
mnStatus mn_archive_save(mnArchive *archive, const char *path, mnError *error);

bool mn_archive_is_read(const mnArchive *archive);
/* The first trouble that there was. */
mnStatus mn_archive_check(const mnArchive *archive, mnError *error);
/* Tells that what was read cannot be meant. */
void mn_archive_refuse(mnArchive *archive, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Tells that there was no memory for it; a file may be good all the same. */
void mn_archive_lack(mnArchive *archive);

/* Names from here on are in this group. */
void mn_archive_group(mnArchive *archive, const char *name);

/* Counts outside of [least, most] are refused. */
void mn_archive_count(mnArchive *archive, const char *name, int64_t *value, int64_t least, int64_t most);
void mn_archive_flag(mnArchive *archive, const char *name, bool *value);
void mn_archive_bits(mnArchive *archive, const char *name, uint64_t *value);
void mn_archive_real(mnArchive *archive, const char *name, double *value);
void mn_archive_reals(mnArchive *archive, const char *name, double *values, int64_t count);
/* Replaces a text that was allocated, or NULL, by another one. */
void mn_archive_text(mnArchive *archive, const char *name, char **text);

/* Arrays of the types that fields have. */
typedef enum mnArchiveType {
    MN_ARCHIVE_VECTORS, /* mnVec */
    MN_ARCHIVE_REALS,   /* mnReal */
    MN_ARCHIVE_DOUBLES,
    MN_ARCHIVE_INT32,
    MN_ARCHIVE_INT64,
    MN_ARCHIVE_UINT64,
    MN_ARCHIVE_BYTES
} mnArchiveType;

void mn_archive_array(mnArchive *archive, const char *name, mnArchiveType type, void *data, int64_t count);
/* How long an array is that is to be read; 0 where there is none. */
int64_t mn_archive_length(mnArchive *archive, const char *name);

#endif
