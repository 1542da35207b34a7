/* For tests against laws of nature. */
#ifndef MN_TEST_LAW_HELPERS_H
#define MN_TEST_LAW_HELPERS_H

#include "sim_helpers.h"

/* Says what was found beside what the law says. */
static inline void assert_law(const char *what, double found, double law, double tolerance) {
    print_message("%s: %.4g, by the law %.4g, allowed are %.2g more or less\n", what, found, law, tolerance);
    assert_near(found, law, tolerance);
}

static inline void run_until(mnSim *sim, double time) {
    mnError error = {0};
    while (mn_sim_time(sim) < time)
        if (mn_sim_step(sim, INFINITY, NULL, &error) != MN_OK) fail_msg("%s", error.text);
}

#endif
