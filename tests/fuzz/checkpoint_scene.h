/* The scenes of all checkpoints that are fuzzed: small, with emitters of each kind that remembers something, a
 * schedule, friction, and a wall that moves or one that sleeps. */
#ifndef MN_FUZZ_CHECKPOINT_SCENE_H
#define MN_FUZZ_CHECKPOINT_SCENE_H

enum { CHECKPOINT_SCENES = 2 };
static const char *const checkpoint_names[CHECKPOINT_SCENES] = {"small.h5", "asleep.h5"};

static const char checkpoint_scene[] =
    "{\"dimension\": 2, \"spacing\": 0.001, \"solver\": {\"max_iterations\": 10, \"min_iterations\": 2},"
    " \"fluids\": {\"a\": {\"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [0.005, 0.003]}}]}},"
    " \"solids\": {\"b\": {\"shape\": {\"kind\": \"box\", \"size\": [0.008, 0.001], \"translation\": [0, -0.004]},"
    "   \"friction\": 0.2, \"motion\": [{\"time\": 0}, {\"time\": 1, \"translation\": [0.01, 0, 0]}]}},"
    " \"emitters\": [{\"kind\": \"rain\", \"fluid\": \"a\", \"position\": [0, 0], \"direction\": [0, -1],"
    "   \"size\": [0.002, 0.002], \"radius\": 0.001, \"rate\": 5000, \"speed\": 0.1},"
    "  {\"kind\": \"round\", \"fluid\": \"a\", \"position\": [0.01, 0], \"direction\": [0, -1], \"radius\": 0.002,"
    "   \"speed\": 1},"
    "  {\"kind\": \"drops\", \"fluid\": \"a\", \"drops\": [{\"time\": 0, \"position\": [0, 0], \"radius\": 0.001}]}],"
    " \"schedules\": [{\"target\": \"fluids.a.tension.vapor\", \"keys\": [{\"time\": 0, \"value\": 0.07},"
    "   {\"time\": 1, \"value\": 0.02}]}]}";

/* What is changed for the second. */
static const char *const checkpoint_sets[] = {"solids.b={\"shape\": {\"kind\": \"box\", \"size\": [0.02, 0.001], "
                                              "\"translation\": [0, -0.004]}, \"friction\": 0.2}"};

#endif
