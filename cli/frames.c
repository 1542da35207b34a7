#include "frames.h"

#include <stdlib.h>

void take_frames(const char *text, int64_t *first, int64_t *last, struct argp_state *state) {
    char *end;
    bool is_good = *text >= '0' && *text <= '9';
    *first = *last = strtoll(text, &end, 10);
    if (is_good && *end == '-') {
        is_good = end[1] >= '0' && end[1] <= '9';
        *last = strtoll(end + 1, &end, 10);
    }
    if (!is_good || *end || *last < *first)
        argp_error(state, "--frames takes a number, or two as in 10-20, not \"%s\"", text);
}

mnStatus place_walls(mnWalls *walls, const mnFrame *frame, const char *path, mnError *error) {
    for (int s = 0; s < walls->count && !frame->has_time; s++)
        if (walls->wall[s].solid->motion_count > 0)
            return mn_error_set(error, MN_ERROR_INPUT,
                                "%s does not tell its time, so it is not known where the solid \"%s\" is; PLY and VTP "
                                "frames do",
                                path, walls->wall[s].solid->name);
    mn_walls_move(walls, frame->has_time ? frame->time : 0);
    return MN_OK;
}
