/* Checkpoints: simulations of small scenes that have something of everything, taken from a file and stepped. The
 * checksum is made right first, since otherwise nothing behind it would ever be looked at. */
#define _GNU_SOURCE /* memfd_create */
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../checkpoint_sum.h"
#include "checkpoint_scene.h"
#include "fuzz.h"
#include "io/checkpoint.h"
#include "io/hdf5_plain.h"
#include "sim_state.h"

enum { MOST_MEMORY = 64 << 20 };

static void go_on(mnArchive *archive, int which) {
    static mnScene *scenes[CHECKPOINT_SCENES]; /* of all inputs */
    mnError error = {0};
    mnScene **scene = &scenes[which];
    if (!*scene)
        mn_scene_parse(checkpoint_scene, strlen(checkpoint_scene), "input", NULL, checkpoint_sets, which, scene, NULL);
    REQUIRE(*scene);
    mnCheckpointHead head = {0};
    mn_checkpoint_exchange(&head, archive);
    mn_checkpoint_clear(&head);
    mnOptions options = mn_default_options();
    options.threads = 1;
    options.memory_limit = MOST_MEMORY;
    mnSim *sim = NULL;
    mnStatus status = mn_sim_take(mn_scene_desc(*scene), &options, archive, &sim, &error);
    REQUIRE((status == MN_OK) == (sim != NULL) && (status == MN_OK) == (error.text[0] == '\0'));
    if (!sim) return;
    REQUIRE(mn_sim_particles(sim).count >= 0 && mn_sim_totals(sim).mass >= 0);
    mnStepReport report;
    status = mn_sim_step(sim, INFINITY, &report, &error);
    REQUIRE((status == MN_OK) == (error.text[0] == '\0'));
    mn_sim_destroy(sim);
}

/* Where there is a place for it. */
static void seal(unsigned char *bytes, size_t size) {
    mnHdf5 file;
    mnHdf5Array array;
    uint64_t object;
    FILE *stream = fmemopen(bytes, size, "rb");
    REQUIRE(stream);
    bool has_place = mn_hdf5_open(stream, (int64_t)size, &file) &&
                     mn_hdf5_find(&file, file.root, "checksum", &object) && mn_hdf5_array(&file, object, &array) &&
                     array.rows == 1 && array.bytes == 8;
    fclose(stream);
    if (has_place) seal_checkpoint(bytes, size, (size_t)array.place);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    unsigned char *bytes = malloc(size ? size : 1);
    int descriptor = memfd_create("checkpoint", 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    REQUIRE(bytes && descriptor >= 0);
    memcpy(bytes, data, size);
    if (size) seal(bytes, size);
    REQUIRE(write(descriptor, bytes, size) == (ssize_t)size);
    free(bytes);
    for (int which = 0; which < CHECKPOINT_SCENES; which++) {
        mnArchive *archive = NULL;
        mnError error = {0};
        mnStatus status = mn_archive_open(path, &archive, &error);
        REQUIRE((status == MN_OK) == (archive != NULL) && (status == MN_OK) == (error.text[0] == '\0'));
        if (archive) go_on(archive, which);
        mn_archive_destroy(archive);
    }
    close(descriptor);
    return 0;
}
