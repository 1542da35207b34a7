/* Adding to a report of problems (meniscus/status.h). */
#ifndef MN_BASE_REPORT_H
#define MN_BASE_REPORT_H

#include <stdbool.h>

#include "meniscus/status.h"

/* Line and column count from 1, 0 where unknown; `file` and `key` may be NULL. All texts are copied, control characters
 * of the key and the message as \u001b: they come from files that may have been made to upset a terminal. */
void mn_report_add(mnReport *report, bool is_warning, const char *file, int line, int column, const char *key,
                   const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 7, 8)))
#endif
    ;

/* Counts problems that there are besides, and says how many; nothing where both are 0. */
void mn_report_more(mnReport *report, const char *file, int errors, int warnings);

/* Whether a UTF-8 text has characters that a terminal takes for commands. */
bool mn_text_has_control(const char *text);

#endif
