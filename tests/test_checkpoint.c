/* Saving and restoring simulations: the same bits afterwards, and no harm from files that are not what they should be.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "folder_helpers.h"
#include "io/archive.h"
#include "sim_helpers.h"

#if MN_HAVE_HDF5

/* Everything that lives from step to step: rain, a jet, drops that wait, a sink, walls that move, an energy that
 * changes, friction, two fluids. */
static const char busy[] =
    "{\"spacing\": 0.0005, \"duration\": 1, \"seed\": 5,"
    " \"fluids\": {\"water\": {\"viscosity\": 0.002, \"tension\": {\"vapor\": 0.072, \"fluid\": 0.01},"
    "   \"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [0.004, 0.004, 0.002], \"translation\": [0, 0, "
    "0.001]}}]},"
    "  \"oil\": {\"density\": 900, \"tension\": {\"vapor\": 0.03}}},"
    " \"solids\": {\"plate\": {\"shape\": {\"kind\": \"plane\", \"size\": [0.01, 0.01]}, \"contact_angle\": 60,"
    "   \"friction\": 0.3, \"motion\": [{\"time\": 0}, {\"time\": 0.02, \"translation\": [0.001, 0, 0]},"
    "   {\"time\": 1, \"translation\": [0.001, 0, 0], \"rotation\": {\"axis\": [0, 1, 0], \"angle\": 40}}]},"
    "  \"rim\": {\"shape\": {\"kind\": \"box\", \"size\": [0.002, 0.01, 0.001], \"translation\": [-0.005, 0, 0]}}},"
    " \"emitters\": [{\"kind\": \"rain\", \"fluid\": \"oil\", \"position\": [0, 0, 0.004], \"direction\": [0, 0, -1],"
    "   \"size\": [0.006, 0.006], \"radius\": 0.0008, \"radius_spread\": 0.3, \"rate\": 3000, \"speed\": 0.2},"
    "  {\"kind\": \"round\", \"fluid\": \"water\", \"position\": [0.003, 0, 0.005], \"direction\": [0, 0, -1],"
    "   \"radius\": 0.0012, \"speed\": 0.3},"
    "  {\"kind\": \"drops\", \"fluid\": \"water\", \"drops\": [{\"time\": 0, \"position\": [0, 0, 0.001],"
    "   \"radius\": 0.001}, {\"time\": 0.001, \"position\": [-0.002, 0, 0.007], \"radius\": 0.001}]}],"
    " \"sinks\": [{\"lower\": [0.002, -0.1, -0.1], \"upper\": [0.1, 0.1, 0.0015]}],"
    " \"schedules\": [{\"target\": \"fluids.water.tension.vapor\", \"keys\": [{\"time\": 0, \"value\": 0.072},"
    "   {\"time\": 0.01, \"value\": 0.02}]}]}";

static const char flat[] =
    "{\"dimension\": 2, \"spacing\": 0.0005, \"duration\": 1, \"time_step\": {\"fixed\": 0.0001},"
    " \"solver\": {\"kind\": \"nncg\"},"
    " \"fluids\": {\"water\": {\"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [0.006, 0.01],"
    "   \"translation\": [0, 0.005]}}]}},"
    " \"solids\": {\"floor\": {\"shape\": {\"kind\": \"plane\", \"size\": [0.03, 0.03]}, \"contact_angle\": 90}}}";

static mnScene *load(const char *text, const char *const *sets, int set_count) {
    mnScene *scene = NULL;
    mnReport report = {0};
    write_text("scene.json", text);
    mnStatus status = mn_scene_load(path_of("scene.json"), sets, set_count, &scene, &report);
    if (status != MN_OK) fail_msg("%s: %s", report.problems[0].key, report.problems[0].text);
    mn_report_clear(&report);
    return scene;
}

static void assert_same_state(mnSim *a, mnSim *b) {
    assert_true(a->time == b->time);
    assert_int_equal(a->step, b->step);
    assert_int_equal(a->next_id, b->next_id);
    assert_int_equal(a->world.fluid.count, b->world.fluid.count);
    assert_int_equal(a->world.boundary.count, b->world.boundary.count);
#define SAME(type, name, kept)                                                                                         \
    if (kept) assert_memory_equal(of_a->name, of_b->name, (size_t)of_a->count * sizeof(type));
    {
        const mnFluidState *of_a = &a->world.fluid, *of_b = &b->world.fluid;
        MN_FLUID_FIELDS(SAME)
    }
    {
        const mnBoundaryState *of_a = &a->world.boundary, *of_b = &b->world.boundary;
        MN_BOUNDARY_FIELDS(SAME)
    }
}

/* Saved after every `interval` steps of `count`, and compared with what is restored `ahead` steps later. */
static void check_bits(const char *text, int count, int interval, int ahead) {
    mnScene *scene = load(text, NULL, 0);
    mnSim *sim = scene_create(mn_scene_desc(scene), 2);
    mnError error = {0};
    int searches_kept = 0;
    for (int step = 0; step < count; step++) {
        if (step % interval == 0) {
            mnSim *other = NULL;
            mnOptions options = sim_options(1);
            if (mn_sim_save(sim, path_of("state.h5"), &error) != MN_OK) fail_msg("%s", error.text);
            if (mn_sim_restore(path_of("state.h5"), mn_scene_desc(scene), &options, &other, &error) != MN_OK)
                fail_msg("%s", error.text);
            searches_kept += sim->world.neighbours.travelled > 0;
            assert_same_state(sim, other);
            assert_int_equal(mn_sim_memory(sim), mn_sim_memory(other));
            for (int k = 0; k < ahead; k++) {
                mnStepReport report = sim_step(sim), again = sim_step(other);
                step++;
                assert_true(report.dt == again.dt && report.iterations == again.iterations);
                assert_int_equal(mn_sim_memory(sim), mn_sim_memory(other));
            }
            assert_same_state(sim, other);
            mn_sim_destroy(other);
        }
        sim_step(sim);
    }
    assert_true(searches_kept > 0); /* or it would not show that lists are made again as they were */
    mn_sim_destroy(sim);
    mn_scene_destroy(scene);
}

static void same_bits_with_everything(void **state) {
    (void)state;
    check_bits(busy, 160, 17, 9);
}

static void same_bits_in_the_plane(void **state) {
    (void)state;
    check_bits(flat, 90, 14, 10);
}

#endif

int main(void) {
#if MN_HAVE_HDF5
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_with_everything),
        cmocka_unit_test(same_bits_in_the_plane),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
#else
    return 77;
#endif
}
