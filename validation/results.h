/* Results as JSON: an array with an object per row. */
#ifndef MN_VALIDATION_RESULTS_H
#define MN_VALIDATION_RESULTS_H

#include <jansson.h>

#include "runner.h"

/* To be released; NULL without memory. What is no finite number, or means nothing for a row, is null. */
json_t *results_json(const Run *run);

mnStatus results_write(const Run *run, const char *path, mnError *error);

#endif
