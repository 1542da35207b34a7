#include "formats.h"

#include <string.h>

static int find_format(const char *name, size_t length) {
    int format = 0;
    while (format < MN_FORMAT_COUNT && (strlen(mn_format_name((mnFormat)format)) != length ||
                                        strncmp(name, mn_format_name((mnFormat)format), length) != 0))
        format++;
    return format;
}

void take_formats(const char *list, bool formats[MN_FORMAT_COUNT], struct argp_state *state) {
    memset(formats, 0, MN_FORMAT_COUNT * sizeof formats[0]);
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        int format = find_format(at, length);
        if (format == MN_FORMAT_COUNT)
            argp_error(state, "--format takes a list out of " FORMAT_NAMES ", not \"%s\"", list);
        else
            formats[format] = true;
        at += length;
        if (!*at) return;
    }
}
