/* The XML that begins a VTP file, as far as files like ours need it. Files that are read are not trusted. */
#ifndef MN_IO_VTP_HEADER_H
#define MN_IO_VTP_HEADER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "io/file.h"

typedef struct mnVtpHeader {
    char *text; /* owned */
    int64_t points, polygons;
    bool has_time;
    double time;  /* s */
    int64_t data; /* where offsets count from; −1: nothing is appended in the way we do */
} mnVtpHeader;

/* Writes what comes before the one piece of a file: whole, of raw appended arrays, at a time in s. */
void mn_vtp_header_begin(mnFile *file, double time);

/* A header that could be read is the caller's until mn_vtp_header_clear. */
mnStatus mn_vtp_header_read(FILE *stream, const char *path, mnVtpHeader *header, mnError *error);
void mn_vtp_header_clear(mnVtpHeader *header);

/* Where in the file the size of an array is, which its values follow; false: there is none of that name and type. */
bool mn_vtp_array(const mnVtpHeader *header, const char *name, const char *type, int64_t *place);

#endif
