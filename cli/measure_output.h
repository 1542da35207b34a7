/* What "meniscus measure" found, as rows of a table and as JSON. docs/measure.md says what the names mean. */
#ifndef MN_CLI_MEASURE_OUTPUT_H
#define MN_CLI_MEASURE_OUTPUT_H

#include "analysis/drops.h"
#include "io/file.h"

/* A frame and what was found in it; borrowed. */
typedef struct Measured {
    int64_t frame;
    double time; /* s; NaN: the file does not tell */
    const mnSceneDesc *scene;
    const mnDrops *drops;
} Measured;

void print_measured_head(const mnSceneDesc *scene);
void print_measured(const Measured *measured);

/* Writes the frame as an object. False: no memory. Trouble with the file is told by its commit. */
bool write_measured(mnFile *file, const Measured *measured);

#endif
