/* A simulation whose allocator fails at one call, or from one call on, for each call there is: it says so, what is
 * there can be looked at, and everything is given back. tests/faults.py does the same to the whole program. */
#include "sim_helpers.h"

static const double h = 1e-3;
enum { STEPS = 4 };

typedef struct Faulty {
    int64_t calls, at; /* the call that fails; 0: none */
    bool stays;        /* and all after it */
    size_t held;
} Faulty;

static void *allocate(void *context, size_t bytes) {
    Faulty *faulty = context;
    faulty->calls++;
    if (faulty->at > 0 && (faulty->calls == faulty->at || (faulty->stays && faulty->calls > faulty->at))) return NULL;
    faulty->held += bytes;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void release(void *context, void *block, size_t bytes) {
    ((Faulty *)context)->held -= bytes;
    free(block);
}

/* A drop on a plate that moves, rain that begins in the second step, and a sink. */
typedef struct Rig {
    Setup setup;
    mnBody body;
    mnMotionKey motion[2];
    mnTimedDrop drops[2];
    mnEmitter emitter;
    mnSink sink;
} Rig;

static void rig_begin(Rig *rig, bool walls_move) {
    drop_begin(&rig->setup, &rig->body, h);
    rig->motion[0] = (mnMotionKey){.rotation = {0, 0, 0, 1}};
    rig->motion[1] = (mnMotionKey){.time = 1, .translation = {0.1, 0, 0}, .rotation = {0, 0, 0, 1}};
    rig->setup.solids[0].motion = rig->motion;
    rig->setup.solids[0].motion_count = walls_move ? 2 : 0;
    rig->drops[0] = (mnTimedDrop){.time = 5e-5, .position = {0, 0, 0.1}, .radius = 4e-3};
    rig->drops[1] = (mnTimedDrop){.time = 2e-4, .position = {0, 0, 0.2}, .radius = 6e-3};
    rig->emitter = mn_default_emitter(MN_EMITTER_DROPS);
    rig->emitter.drops = rig->drops;
    rig->emitter.drop_count = 2;
    rig->sink = mn_default_sink();
    rig->sink.lower[2] = 0.05;
    rig->sink.upper[0] = rig->sink.upper[1] = rig->sink.upper[2] = 0.15;
    rig->sink.start = 3e-4;
    rig->setup.desc.emitters = &rig->emitter;
    rig->setup.desc.emitter_count = 1;
    rig->setup.desc.sinks = &rig->sink;
    rig->setup.desc.sink_count = 1;
    rig->setup.desc.time.step = 1e-4;
}

/* How far a run came, −1 where it could not be created; `speeds` is a sum over all that it shows at its end. */
static int run(const Rig *rig, Faulty *faulty, double *speeds) {
    mnOptions options = mn_default_options();
    options.threads = 1;
    options.allocator = (mnAllocator){allocate, release, faulty};
    mnSim *sim = NULL;
    mnError error = {0};
    int steps = -1;
    mnStatus status = mn_sim_create(&rig->setup.desc, &options, &sim, &error);
    while (status == MN_OK && ++steps < STEPS) status = mn_sim_step(sim, INFINITY, NULL, &error);
    assert_true(status == MN_OK || (status == MN_ERROR_MEMORY && faulty->at > 0));
    if (status != MN_OK) assert_non_null(strstr(error.text, "memory"));
    *speeds = 0;
    if (sim) {
        mnParticles p = mn_sim_particles(sim);
        for (int64_t i = 0; i < p.count; i++)
            for (int a = 0; a < 3; a++) *speeds += get(p.velocity[i], a) * (double)(p.id[i] + 1);
        assert_true(p.count > 0 && isfinite(*speeds) && mn_sim_totals(sim).mass > 0);
        assert_int_equal(mn_sim_step(sim, INFINITY, NULL, &error), status); /* a run that has ended stays so */
    }
    mn_sim_destroy(sim);
    assert_int_equal(faulty->held, 0);
    return steps;
}

static void check_every_call(bool walls_move) {
    Rig rig;
    rig_begin(&rig, walls_move);
    Faulty good = {0};
    double speeds, found;
    assert_int_equal(run(&rig, &good, &speeds), STEPS);
    int ended[STEPS + 2] = {0}; /* by how far they came */
    for (int stays = 0; stays < 2; stays++)
        for (int64_t at = 1; at <= good.calls; at++) {
            Faulty faulty = {.at = at, .stays = stays};
            int steps = run(&rig, &faulty, &found);
            ended[steps + 1]++;
            if (steps == STEPS) assert_true(found == speeds); /* it had another way */
        }
    print_message("%lld calls; not created %d, ended in step 1 to %d: %d %d %d %d, got through %d\n",
                  (long long)good.calls, ended[0], STEPS, ended[1], ended[2], ended[3], ended[4], ended[5]);
    assert_true(good.calls > 50 && ended[0] > 0 && ended[2] > 0 && ended[3] > 0);
}

static void every_call_fails(void **state) {
    (void)state;
    check_every_call(true);
    check_every_call(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
