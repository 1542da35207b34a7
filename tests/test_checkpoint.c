/* Saving and restoring simulations: the same bits afterwards, and no harm from files that are not what they should be.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint_sum.h"
#include "folder_helpers.h"
#include "io/archive.h"
#include "io/frames.h"
#include "io/hdf5_plain.h"
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

/* Tension begins and ends. */
static const char beginning[] =
    "{\"dimension\": 2, \"spacing\": 0.0005, \"duration\": 1, \"time_step\": {\"fixed\": 0.0001},"
    " \"fluids\": {\"water\": {\"tension\": {\"vapor\": 0}, \"bodies\": [{\"shape\": {\"kind\": \"box\","
    "   \"size\": [0.006, 0.01], \"translation\": [0, 0.005]}}]}},"
    " \"solids\": {\"floor\": {\"shape\": {\"kind\": \"plane\", \"size\": [0.03, 0.03]}}},"
    " \"schedules\": [{\"target\": \"fluids.water.tension.vapor\", \"keys\": [{\"time\": 0.00065, \"value\": 0},"
    "   {\"time\": 0.001, \"value\": 0.07}, {\"time\": 0.0012, \"value\": 0.07}, {\"time\": 0.0014, \"value\": 0}]}]}";

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
static void check_bits(const char *text, const char *set, int count, int interval, int ahead) {
    mnScene *scene = load(text, &set, set ? 1 : 0);
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
    check_bits(busy, NULL, 160, 17, 9);
}

/* Walls that do not move sleep, but for those near fluid. */
static void same_bits_with_walls_at_rest(void **state) {
    (void)state;
    check_bits(busy,
               "solids.plate={\"shape\": {\"kind\": \"plane\", \"size\": [0.02, 0.02]}, \"contact_angle\": 60,"
               " \"friction\": 0.3}",
               160, 17, 9);
}

static void same_bits_in_the_plane(void **state) {
    (void)state;
    check_bits(flat, NULL, 90, 14, 10);
}

/* With every step up to there as the one where it is saved. */
static void same_bits_where_tension_begins(void **state) {
    (void)state;
    for (int interval = 2; interval <= 5; interval++) check_bits(beginning, NULL, 24, interval, 1);
}

/* Lists that were saved without tension do not reach as far as its energy; what is told before the first step is right
 * all the same. */
static void tension_may_come_with_another_scene(void **state) {
    (void)state;
    const char *none[] = {"fluids.water.tension.vapor=0"};
    mnScene *without = load(flat, none, 1), *with = load(flat, NULL, 0);
    mnSim *sim = scene_create(mn_scene_desc(without), 1), *other = NULL;
    mnError error = {0};
    mnOptions options = sim_options(1);
    for (int step = 0; step < 40; step++) sim_step(sim);
    assert_true(sim->world.neighbours.reach == MN_REACH_MIN);
    mnVec first = mn_sim_particles(sim).measure[0];
    assert_int_equal(mn_sim_save(sim, path_of("state.h5"), &error), MN_OK);
    if (mn_sim_restore(path_of("state.h5"), mn_scene_desc(with), &options, &other, &error) != MN_OK)
        fail_msg("%s", error.text);
    assert_true(other->world.neighbours.reach == MN_REACH_MAX);
    assert_memory_equal(&mn_sim_particles(other).measure[0], &first, sizeof first);
    double before = mn_sim_totals(other).surface_energy;
    sim_step(other);
    assert_near(mn_sim_totals(other).surface_energy, before, 0.1 * before);
    mn_sim_destroy(other);
    mn_sim_destroy(sim);
    mn_scene_destroy(with);
    mn_scene_destroy(without);
}

/* ---- files that are not what they should be ---------------------------------------------------------------------- */

static const char small[] =
    "{\"dimension\": 2, \"spacing\": 0.001, \"duration\": 1, \"fluids\": {\"water\": {\"bodies\": [{\"shape\":"
    " {\"kind\": \"sphere\", \"radius\": 0.003}}]}}, \"solids\": {\"floor\": {\"shape\": {\"kind\": \"plane\","
    " \"size\": [0.02, 0.02], \"translation\": [0, -0.004, 0]}, \"friction\": 0.2}}, \"emitters\": [{\"kind\": "
    "\"rain\","
    " \"fluid\": \"water\", \"position\": [0, 0, 0], \"direction\": [0, -1, 0], \"size\": [0.002, 0.002],"
    " \"radius\": 0.001, \"rate\": 5000, \"speed\": 0.1}]}";

typedef struct File {
    unsigned char *bytes;
    size_t size;
    size_t checksum_at;
} File;

static void put_file(const unsigned char *bytes, size_t size) {
    FILE *file = fopen(path_of("state.h5"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void seal(File *file) {
    seal_checkpoint(file->bytes, file->size, file->checksum_at);
}

/* Of a number in the file. */
static size_t place_of(const char *group, const char *name) {
    struct stat found;
    mnHdf5 file;
    mnHdf5Array array;
    uint64_t object;
    assert_int_equal(stat(path_of("state.h5"), &found), 0);
    FILE *stream = fopen(path_of("state.h5"), "rb");
    assert_non_null(stream);
    assert_true(mn_hdf5_open(stream, found.st_size, &file));
    object = file.root;
    if (group) assert_true(mn_hdf5_find(&file, file.root, group, &object));
    assert_true(mn_hdf5_find(&file, object, name, &object) && mn_hdf5_array(&file, object, &array));
    fclose(stream);
    return (size_t)array.place;
}

/* The state of a small scene with drops that wait, as a file. */
static File saved_small(mnScene **scene) {
    mnError error = {0};
    *scene = load(small, NULL, 0);
    mnSim *sim = scene_create(mn_scene_desc(*scene), 1);
    for (int step = 0; step < 12; step++) sim_step(sim);
    assert_true(mn_sim_held_back(sim).waiting > 0);
    if (mn_sim_save(sim, path_of("state.h5"), &error) != MN_OK) fail_msg("%s", error.text);
    mn_sim_destroy(sim);
    File file = {0};
    struct stat found;
    assert_int_equal(stat(path_of("state.h5"), &found), 0);
    file.size = (size_t)found.st_size;
    file.bytes = malloc(file.size);
    FILE *stream = fopen(path_of("state.h5"), "rb");
    assert_non_null(stream);
    assert_int_equal(fread(file.bytes, 1, file.size, stream), file.size);
    fclose(stream);
    file.checksum_at = place_of(NULL, "checksum");
    return file;
}

static mnStatus try_restore(const mnScene *scene, mnError *error) {
    mnSim *sim = NULL;
    mnOptions options = sim_options(1);
    options.memory_limit = (size_t)64 << 20;
    *error = (mnError){0};
    mnStatus status = mn_sim_restore(path_of("state.h5"), mn_scene_desc(scene), &options, &sim, error);
    assert_true((status == MN_OK) == (sim != NULL));
    if (status != MN_OK) assert_true(strlen(error->text) > 0);
    for (int step = 0; sim && step < 2; step++) mn_sim_step(sim, 1e-4, NULL, NULL);
    mn_sim_destroy(sim);
    return status;
}

static void damage_is_found(void **state) {
    (void)state;
    mnScene *scene;
    mnError error;
    File file = saved_small(&scene);
    for (size_t at = 0; at < file.size; at += at < 1024 ? 1 : 41) {
        unsigned char flip = (unsigned char)(1u << (at % 8));
        file.bytes[at] ^= flip;
        put_file(file.bytes, file.size);
        if (try_restore(scene, &error) != MN_ERROR_FILE) fail_msg("byte %zu of %zu does not count", at, file.size);
        file.bytes[at] ^= flip;
    }
    for (size_t size = 0; size < file.size; size += 1 + size / 30) {
        put_file(file.bytes, size);
        assert_int_equal(try_restore(scene, &error), MN_ERROR_FILE);
    }
    put_file(file.bytes, file.size);
    assert_int_equal(try_restore(scene, &error), MN_OK);
    free(file.bytes);
    mn_scene_destroy(scene);
}

/* With a checksum that is right nonetheless. */
static void malice_does_no_harm(void **state) {
    (void)state;
    mnScene *scene;
    mnError error;
    File file = saved_small(&scene);
    uint64_t random = 3;
    int refused = 0, tries = 1200;
    for (int k = 0; k < tries; k++) {
        size_t at = (size_t)uniform(&random, 0, (double)file.size - 8), count = (size_t)uniform(&random, 1, 9);
        unsigned char was[8];
        memcpy(was, file.bytes + at, 8);
        for (size_t b = 0; b < count && b < 8; b++) {
            double kind = uniform(&random, 0, 4);
            file.bytes[at + b] = kind < 1 ? 0 : kind < 2 ? 0xff : (unsigned char)uniform(&random, 0, 256);
        }
        unsigned char sum[8];
        memcpy(sum, file.bytes + file.checksum_at, 8);
        seal(&file);
        put_file(file.bytes, file.size);
        refused += try_restore(scene, &error) != MN_OK;
        memcpy(file.bytes + at, was, 8);
        memcpy(file.bytes + file.checksum_at, sum, 8);
        seal(&file);
    }
    print_message("%d of %d files refused\n", refused, tries);
    assert_true(refused > 0 && refused < tries);
    free(file.bytes);
    mn_scene_destroy(scene);
}

static void assert_refused(const mnScene *scene, const char *text) {
    mnError error;
    assert_int_equal(try_restore(scene, &error), MN_ERROR_FILE);
    if (!strstr(error.text, text)) fail_msg("no \"%s\" in: %s", text, error.text);
}

static void others_are_refused(void **state) {
    (void)state;
    mnScene *scene;
    File file = saved_small(&scene);
    static const char *const sets[] = {"spacing=0.0011"};
    mnScene *coarser = load(small, sets, 1), *other = load(flat, NULL, 0);
    put_file(file.bytes, file.size);
    assert_refused(coarser, "is of another scene: its spacing was 0.001 and is 0.0011 now");
    assert_refused(other, "is of another scene");

    size_t version = place_of("meniscus", "version"), bytes = place_of("meniscus", "real_bytes");
    file.bytes[version]++;
    seal(&file);
    put_file(file.bytes, file.size);
    char later[64];
    snprintf(later, sizeof later, "version %d of the format", MN_ARCHIVE_VERSION + 1);
    assert_refused(scene, later);
    file.bytes[version]--;
    file.bytes[bytes] = 16;
    seal(&file);
    put_file(file.bytes, file.size);
    assert_refused(scene, "numbers of 16 bytes");

    mnSim *sim = scene_create(mn_scene_desc(scene), 1);
    mnSnapshot snapshot = mn_snapshot_take(sim);
    mnIdOrder order = {0};
    assert_int_equal(mn_order_by_id(&order, &snapshot.particles, NULL), MN_OK);
    assert_int_equal(mn_frame_write(MN_FORMAT_VTKHDF, path_of("state.h5"), &snapshot, order.index, NULL), MN_OK);
    assert_refused(scene, "not a checkpoint");
    mn_order_clear(&order);
    mn_sim_destroy(sim);

    put_file((const unsigned char *)"hello", 5);
    assert_refused(scene, "not an HDF5 file");
    unlink(path_of("state.h5"));
    assert_refused(scene, "No such file");
    assert_int_equal(mkdir(path_of("state.h5"), 0777), 0);
    assert_refused(scene, "not a plain file");
    rmdir(path_of("state.h5"));

    mnArchive *archive;
    assert_int_equal(mn_archive_create(&archive, NULL), MN_OK);
    assert_int_equal(mn_archive_save(archive, path_of("state.h5"), NULL), MN_OK);
    mn_archive_destroy(archive);
    assert_refused(scene, "has no scene");
    free(file.bytes);
    mn_scene_destroy(scene);
    mn_scene_destroy(coarser);
    mn_scene_destroy(other);
}

#endif

int main(void) {
#if MN_HAVE_HDF5
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_with_everything),
        cmocka_unit_test(same_bits_with_walls_at_rest),
        cmocka_unit_test(same_bits_in_the_plane),
        cmocka_unit_test(same_bits_where_tension_begins),
        cmocka_unit_test(tension_may_come_with_another_scene),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(malice_does_no_harm),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
#else
    return 77;
#endif
}
