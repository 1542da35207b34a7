#include "frames.h"

#include <stdlib.h>
#include <string.h>

void take_frames(const char *text, int64_t *first, int64_t *last, struct argp_state *state) {
    static const char digits[] = "0123456789";
    size_t of_first = strspn(text, digits), of_last = of_first;
    const char *second = text;
    if (text[of_first] == '-') {
        second = text + of_first + 1;
        of_last = strspn(second, digits);
    }
    /* 15 digits are more than any run has, and fit. */
    bool is_good = of_first > 0 && of_first <= 15 && of_last > 0 && of_last <= 15 && !second[of_last];
    *first = is_good ? strtoll(text, NULL, 10) : 0;
    *last = is_good ? strtoll(second, NULL, 10) : 0;
    if (!is_good || *first > *last) argp_error(state, "--frames takes a range such as 10-20, not \"%s\"", text);
}

mnStatus check_frames(const mnRunFolder *run, bool has_range, int64_t first, int64_t last, mnError *error) {
    if (!has_range) first = run->frames[0].number, last = run->frames[run->frame_count - 1].number;
    for (int64_t k = 0; k <= last - first; k++)
        if (k >= run->frame_count || run->frames[k].number != first + k)
            return mn_error_set(error, MN_ERROR_FILE, "%s: frame %lld is missing; --frames chooses among the others",
                                run->folder, (long long)(first + k));
    return MN_OK;
}
