#include "texts.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *block) {
    if (block) return block;
    fputs("meniscus: no memory left\n", stderr);
    exit(EXIT_FAILURE);
}

void *list_grow(void *list, int count, size_t element) {
    /* Room is doubled whenever the count reaches a power of two. */
    if (count & (count - 1)) return list;
    return must(realloc(list, (count ? 2 * (size_t)count : 1) * element));
}

char *text_copy(const char *text) {
    return must(strdup(text ? text : ""));
}

char *text_format(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = must(malloc((size_t)length + 1));
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

int text_width(const char *text) {
    int width = 0;
    for (const char *c = text; *c; c++) width += !is_continuation(*c);
    return width;
}

void text_cut(char *text, size_t size, int places) {
    if (text_width(text) <= places || places < 1) return;
    char *c = text;
    for (int kept = 0; kept < places - 1; kept++) do
            c++;
        while (is_continuation(*c));
    snprintf(c, (size_t)(text + size - c), "…");
}

const char *text_duration(double seconds, char text[DURATION_BYTES]) {
    long whole = isfinite(seconds) ? lround(seconds) : 0;
    if (whole >= 3600)
        snprintf(text, DURATION_BYTES, "%ld:%02ld:%02ld h", whole / 3600, whole / 60 % 60, whole % 60);
    else if (whole >= 60)
        snprintf(text, DURATION_BYTES, "%ld:%02ld min", whole / 60, whole % 60);
    else
        snprintf(text, DURATION_BYTES, "%.1f s", seconds);
    return text;
}
