#include "io/pace.h"

#include <math.h>

static bool reached(const mnPace *pace, double time, double target) {
    const mnTimeDesc *t = &pace->scene->time;
    return time >= target - (t->adaptive ? 1e-6 * pace->last_step : 0.5 * t->step);
}

bool mn_pace_frame_is_due(mnPace *pace, double time) {
    bool due = false;
    while (reached(pace, time, (double)pace->next_frame / pace->scene->frames_per_second)) {
        due = true;
        pace->next_frame++;
        /* Frames that lie closer than steps are written once; there is no use in counting through all of them. */
        double index = floor(time * pace->scene->frames_per_second);
        if ((double)pace->next_frame < index) pace->next_frame = (int64_t)index;
    }
    return due;
}

double mn_pace_step_limit(const mnPace *pace, double time) {
    if (!pace->scene->time.adaptive) return INFINITY;
    double frame = (double)pace->next_frame / pace->scene->frames_per_second;
    return fmin(frame, pace->scene->duration) - time;
}

bool mn_pace_is_over(const mnPace *pace, double time) {
    return reached(pace, time, pace->scene->duration);
}
