/* Lists and texts of the suite.
 *
 * Where memory is lacking these end the program: the suite is part of it, and there is nothing sensible that could be
 * done without the memory for a row. */
#ifndef MN_VALIDATION_TEXTS_H
#define MN_VALIDATION_TEXTS_H

#include <stddef.h>

/* Makes room for one more element behind `count`. */
void *list_grow(void *list, int count, size_t element);

char *text_copy(const char *text);
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Places of a terminal that a UTF-8 text takes; and cutting it to as many, the last of which is then "…". */
int text_width(const char *text);
void text_cut(char *text, size_t size, int places);

/* "12.3 s", "4:05 min", "1:02:03 h" */
enum { DURATION_BYTES = 32 };
const char *text_duration(double seconds, char text[DURATION_BYTES]);

#endif
