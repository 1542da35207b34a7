/* Adding to a report of problems (meniscus/status.h). */
#ifndef MN_BASE_REPORT_H
#define MN_BASE_REPORT_H

#include <stdbool.h>

#include "meniscus/status.h"

/* Line and column count from 1, 0 where unknown; `file` and `key` may be NULL. All texts are copied. */
void mn_report_add(mnReport *report, bool is_warning, const char *file, int line, int column, const char *key,
                   const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 7, 8)))
#endif
    ;

#endif
