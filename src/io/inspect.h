/* What is in a file of particles (or points), read from its header and its positions. Files are not trusted. */
#ifndef MN_IO_INSPECT_H
#define MN_IO_INSPECT_H

#include <stdbool.h>
#include <stdint.h>

#include "meniscus/status.h"

typedef struct mnFileInfo {
    int64_t points;
    int64_t faces; /* of PLY and VTP meshes; 0 otherwise */
    bool has_time;
    double time; /* s */
    bool has_bounds;
    double lower[3], upper[3]; /* m */
    char fields[512];          /* names of the columns, parted by spaces; cut where too long */
} mnFileInfo;

/* Each fails with a text that names the file and what is wrong with it. */
mnStatus mn_inspect_ply(const char *path, mnFileInfo *info, mnError *error);
mnStatus mn_inspect_vtp(const char *path, mnFileInfo *info, mnError *error);
mnStatus mn_inspect_csv(const char *path, mnFileInfo *info, mnError *error);
/* A frame of any format, read as a whole; columns are those that frames have. */
mnStatus mn_inspect_frame(const char *path, mnFileInfo *info, mnError *error);

#endif
