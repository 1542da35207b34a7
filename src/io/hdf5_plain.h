/* Arrays of numbers in HDF5 files of the plain kind, which the HDF5 library writes unless told otherwise: groups as
 * symbol tables, arrays in one piece. Files are not trusted, and this is why they are read here: of files of 10 kB with
 * one byte changed, some make HDF5 1.10.8 crash and others keep it from ending.
 *
 * An object is known by the place of its header in the file. */
#ifndef MN_IO_HDF5_PLAIN_H
#define MN_IO_HDF5_PLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes that the HDF5 library may take for itself when it is called to write, beside what it writes: there must be as
 * much (base/memory.h). 1.10.8 uses what it did not get. */
enum { MN_HDF5_ROOM = 4 << 20 };

typedef struct mnHdf5 {
    FILE *stream;
    int64_t size;  /* bytes */
    uint64_t root; /* group */
} mnHdf5;

typedef struct mnHdf5Array {
    int64_t rows, components;
    char kind;     /* 'f' real, 'i' signed, 'u' unsigned; little-endian */
    int bytes;     /* of a number */
    int64_t place; /* of the first one; all of them lie within the file */
} mnHdf5Array;

/* Each is false where the file is not of this kind, is broken or has no such thing. */
bool mn_hdf5_open(FILE *stream, int64_t size, mnHdf5 *file);
bool mn_hdf5_find(const mnHdf5 *file, uint64_t group, const char *name, uint64_t *object);
bool mn_hdf5_array(const mnHdf5 *file, uint64_t object, mnHdf5Array *array);

#endif
