/* For tools/analyse only, included before every file: what an analyser that sees one file at a time cannot know. */
#include "meniscus/status.h"

/* It returns the status it was given, so what comes after a success was not reached through it. */
#define mn_error_set(error, status, ...) ((mn_error_set)(error, status, __VA_ARGS__), (status))
