/* bgeo and VTKHDF: the exact bytes of one, what their readers do with files that lie. That both come back as they were
 * written is in test_frames.c, what readers of others make of them in cli_formats.sh. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder_helpers.h"
#include "io/frame_read.h"

enum { COUNT = 4177 }; /* a number that the bytes of a file have nowhere else */

typedef struct Cloud {
    mnVec position[COUNT], velocity[COUNT], measure[COUNT];
    mnReal pressure[COUNT];
    int32_t phase[COUNT];
    int64_t id[COUNT], order[COUNT];
} Cloud;

static Cloud cloud;
static mnSnapshot snapshot;

static int make_cloud(void **state) {
    (void)state;
    for (int k = 0; k < COUNT; k++) {
        mnReal r = (mnReal)k;
        cloud.id[k] = cloud.order[k] = k;
        cloud.position[k] = (mnVec){r, -r, (mnReal)0.5 * r, 1};
        cloud.velocity[k] = (mnVec){r + 1, r + 2, r + 3, 0};
        cloud.measure[k] = (mnVec){(mnReal)0.25 * r, 7, 8, 0};
        cloud.pressure[k] = 2 * r;
        cloud.phase[k] = k % 2;
    }
    snapshot = (mnSnapshot){
        .time = 0.001,
        .particles = {COUNT, cloud.position, cloud.velocity, cloud.pressure, cloud.measure, cloud.phase, cloud.id}};
    return mkdtemp(folder) ? 0 : -1;
}

static unsigned char *read_all(const char *path, size_t *bytes) {
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *bytes = (size_t)ftell(stream);
    rewind(stream);
    unsigned char *text = malloc(*bytes + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *bytes, stream), *bytes);
    fclose(stream);
    return text;
}

static void write_all(const char *path, const void *text, size_t bytes) {
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, bytes, stream), bytes);
    fclose(stream);
}

/* The status of reading, whose text names the file if it is no good one. */
static mnStatus read_status(const char *path) {
    mnFrame frame = {0};
    mnError error = {0};
    mnStatus status = mn_frame_read(path, 3, &frame, &error);
    if (status != MN_OK) assert_non_null(strstr(error.text, path));
    mn_frame_clear(&frame);
    return status;
}

/* ---- bgeo -------------------------------------------------------------------------------------------------------- */

#define ZERO "\0\0\0\0"
#define ONE "\0\0\0\1"
#define DEFINITION(length, name, size, type) "\0" length name "\0" size "\0\0\0" type

static const char bgeo_header[] =
    "BgeoV\0\0\0\5\0\0\0\2" ZERO ZERO ZERO "\0\0\0\6" ZERO ZERO ONE DEFINITION("\1", "v", "\3", "\5")
        ZERO ZERO ZERO DEFINITION("\6", "pscale", "\1", "\0") ZERO DEFINITION("\2", "id", "\1", "\1")
            ZERO DEFINITION("\10", "pressure", "\1", "\0") ZERO DEFINITION("\7", "measure", "\1", "\0")
                ZERO DEFINITION("\5", "phase", "\1", "\1") ZERO;

/* 0, 0, 0, w = 1; v = 1, 2, 3; the radius of a ball of volume 1; zeros. Then 1, −1, 0.5, 1; 2, 3, 4; …; 1; 2; 0.25; 1.
 */
static const char bgeo_points[] =
    ZERO "\x80\0\0\0" ZERO "\x3f\x80\0\0"
         "\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0"
         "\x3f\x1e\xcf\x4a" ZERO ZERO ZERO ZERO "\x3f\x80\0\0\xbf\x80\0\0\x3f\0\0\0\x3f\x80\0\0"
         "\x40\0\0\0\x40\x40\0\0\x40\x80\0\0\x3f\x1e\xcf\x4a" ONE "\x40\0\0\0\x3e\x80\0\0" ONE;

static const char bgeo_end[] = DEFINITION("\4", "time", "\1", "\0") ZERO "\x3a\x83\x12\x6f\0\xff";

static void bgeo_has_the_promised_bytes(void **state) {
    (void)state;
    const char *path = path_of("two.bgeo");
    mnSnapshot two = snapshot;
    two.particles.count = 2;
    assert_int_equal(mn_frame_write(MN_FORMAT_BGEO, path, &two, cloud.order, NULL), MN_OK);
    size_t bytes;
    unsigned char *text = read_all(path, &bytes);
    const size_t header = sizeof bgeo_header - 1, points = sizeof bgeo_points - 1, end = sizeof bgeo_end - 1;
    assert_int_equal(bytes, header + points + end);
    assert_memory_equal(text, bgeo_header, header);
    assert_memory_equal(text + header, bgeo_points, points);
    assert_memory_equal(text + header + points, bgeo_end, end);
    free(text);
    mnFrame frame = {0};
    assert_int_equal(mn_frame_read(path, 3, &frame, NULL), MN_OK);
    assert_true(frame.has_time && frame.time == 0.001); /* not the float next to it */
    mn_frame_clear(&frame);
}

static void bgeo_refuses_ids_it_cannot_hold(void **state) {
    (void)state;
    const char *path = path_of("wide.bgeo");
    mnError error;
    cloud.id[COUNT - 1] = (int64_t)INT32_MAX + 1;
    assert_int_equal(mn_frame_write(MN_FORMAT_BGEO, path, &snapshot, cloud.order, &error), MN_ERROR_FILE);
    cloud.id[COUNT - 1] = COUNT - 1;
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, "VTP"));
    assert_int_not_equal(access(path, F_OK), 0);
}

/* Attributes of others are passed over, those that are missing are zero. */
static void bgeo_of_others_is_read(void **state) {
    (void)state;
    static const char file[] =
        "BgeoV\0\0\0\5\0\0\0\1" ZERO ZERO ZERO "\0\0\0\3" ZERO ZERO ONE DEFINITION("\2", "Cd", "\3", "\0")
            ZERO ZERO ZERO DEFINITION("\4", "kind", "\1", "\4") "\0\0\0\2\0\1a\0\2bc" DEFINITION("\2", "id", "\1", "\1")
                ZERO "\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0\x3f\x80\0\0" ZERO ZERO ZERO ONE
                     "\0\0\0\7" DEFINITION("\3", "abc", "\2", "\0") ZERO ZERO ZERO ZERO "\0\xff";
    const char *path = path_of("other.bgeo");
    write_all(path, file, sizeof file - 1);
    mnFrame frame = {0};
    mnError error = {0};
    if (mn_frame_read(path, 3, &frame, &error) != MN_OK) fail_msg("%s", error.text);
    const mnParticles *p = &frame.particles;
    assert_true(p->count == 1 && p->position[0].y == 2 && p->velocity[0].x == 0 && p->id[0] == 7 && !frame.has_time);
    mn_frame_clear(&frame);
}

static void hostile_bgeo_is_refused(void **state) {
    (void)state;
    const char *path = path_of("hostile.bgeo");
    char file[sizeof bgeo_header + sizeof bgeo_points + sizeof bgeo_end];
    const size_t header = sizeof bgeo_header - 1, bytes = header + sizeof bgeo_points - 1 + sizeof bgeo_end - 1;
    static const struct {
        size_t at;
        const char *value;
    } lies[] = {
        {0, "Cgeo"},             /* another kind of file */
        {0, "\x7fNSJ"},          /* the form of today's Houdini */
        {5, "\0\0\0\6"},         /* another version */
        {9, "\x7f\xff\xff\xff"}, /* points */
        {9, "\xff\xff\xff\xff"},
        {25, "\x7f\xff\xff\xff"}, /* attributes of points */
        {37, "\x7f\xff\xff\xff"}, /* of the file */
        {41, "\xff\xff"
             "vv"},           /* the length of a name */
        {44, "\xff\xff\0\0"}, /* components */
        {46, "\0\0\0\2"},     /* a type that we do not read */
        {46, "\0\0\0\4"},     /* a list of words that is not there */
    };
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        memcpy(file, bgeo_header, header);
        memcpy(file + header, bgeo_points, sizeof bgeo_points - 1);
        memcpy(file + header + sizeof bgeo_points - 1, bgeo_end, sizeof bgeo_end - 1);
        memcpy(file + lies[i].at, lies[i].value, 4);
        write_all(path, file, bytes);
        assert_int_equal(read_status(path), MN_ERROR_FILE);
    }
}

/* ---- VTKHDF ------------------------------------------------------------------------------------------------------ */

/* Puts another number for each that is `count`, of eight bytes. */
static int replace_count(unsigned char *text, size_t bytes, uint64_t other) {
    int found = 0;
    const uint64_t count = COUNT;
    for (size_t i = 0; i + 8 <= bytes; i++)
        if (memcmp(text + i, &count, 8) == 0) {
            memcpy(text + i, &other, 8);
            found++;
        }
    return found;
}

static void vtkhdf_that_lies_is_refused(void **state) {
    (void)state;
    const char *path = path_of("lies.vtkhdf");
    static const uint64_t counts[] = {COUNT + 1, 1ull << 40, 1ull << 62, UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        assert_int_equal(mn_frame_write(MN_FORMAT_VTKHDF, path, &snapshot, cloud.order, NULL), MN_OK);
        size_t bytes;
        unsigned char *text = read_all(path, &bytes);
        assert_true(replace_count(text, bytes, counts[i]) >= 3);
        write_all(path, text, bytes);
        free(text);
        assert_int_equal(read_status(path), MN_ERROR_FILE);
    }
    write_all(path, "\x89HDF\r\n\x1a\n", 8);
    assert_int_equal(read_status(path), MN_ERROR_FILE);
    write_all(path, "ply\n", 4);
    assert_int_equal(read_status(path), MN_ERROR_FILE);
}

/* A byte that is wrong spoils a frame or does not, but nothing more than the frame. */
static void vtkhdf_with_a_wrong_byte(void **state) {
    (void)state;
    const char *path = path_of("byte.vtkhdf");
    mnSnapshot few = snapshot;
    few.particles.count = 3;
    assert_int_equal(mn_frame_write(MN_FORMAT_VTKHDF, path, &few, cloud.order, NULL), MN_OK);
    size_t bytes;
    unsigned char *text = read_all(path, &bytes);
    for (size_t at = 0; at < bytes; at += 8) {
        text[at] ^= 0xff;
        write_all(path, text, bytes);
        read_status(path);
        text[at] ^= 0xff;
    }
    free(text);
}

static void put_number(unsigned char *to, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> (8 * i));
}

/* A group of which each of 65535 nodes is the same one, with 65535 entries of other names. */
static void vtkhdf_that_repeats_itself_is_refused(void **state) {
    (void)state;
    const char *path = path_of("repeats.vtkhdf");
    enum {
        MANY = 65535,
        OBJECT = 96,
        HEAP = 160,
        TREE = 192,
        LEAF = TREE + 32 + 16 * MANY,
        SIZE = LEAF + 8 + 40 * MANY
    };
    unsigned char *text = calloc(1, SIZE);
    assert_non_null(text);
    memcpy(text, "\x89HDF\r\n\x1a\n", 8);
    text[13] = text[14] = 8;
    put_number(text + 40, SIZE, 8);
    put_number(text + 64, OBJECT, 8);
    memcpy(text + OBJECT, "\1\0\1", 3);
    put_number(text + OBJECT + 8, 24, 4);
    memcpy(text + OBJECT + 16, "\x11\0\x10", 3);
    put_number(text + OBJECT + 24, TREE, 8);
    put_number(text + OBJECT + 32, HEAP, 8);
    memcpy(text + HEAP, "HEAP", 4);
    memcpy(text + TREE, "TREE\0\0\xff\xff", 8);
    for (int i = 0; i < MANY; i++) put_number(text + TREE + 32 + 16 * i, LEAF, 8);
    memcpy(text + LEAF, "SNOD\1\0\xff\xff", 8);
    write_all(path, text, SIZE);
    free(text);
    assert_int_equal(read_status(path), MN_ERROR_FILE);
}

static void equal_frames_are_equal_files(void **state) {
    (void)state;
    size_t bytes[2];
    unsigned char *text[2];
    for (int i = 0; i < 2; i++) {
        const char *path = path_of(i ? "b.vtkhdf" : "a.vtkhdf");
        if (i) sleep(1); /* files that carry dates do so in seconds */
        assert_int_equal(mn_frame_write(MN_FORMAT_VTKHDF, path, &snapshot, cloud.order, NULL), MN_OK);
        text[i] = read_all(path, &bytes[i]);
    }
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(text[0], text[1], bytes[0]);
    free(text[0]);
    free(text[1]);
}

/* What emitters have not begun yet. */
static void frames_without_particles(void **state) {
    (void)state;
    mnSnapshot empty = snapshot;
    empty.particles.count = 0;
    for (int f = MN_FORMAT_BGEO; f <= MN_FORMAT_VTKHDF; f++) {
        if (mn_format_check((mnFormat)f, NULL) != MN_OK) continue;
        char name[64];
        mn_frame_name(name, 0, (mnFormat)f);
        const char *path = path_of(name);
        mnFrame frame = {0};
        assert_int_equal(mn_frame_write((mnFormat)f, path, &empty, cloud.order, NULL), MN_OK);
        assert_int_equal(mn_frame_read(path, 3, &frame, NULL), MN_OK);
        assert_true(frame.particles.count == 0 && frame.has_time);
        mn_frame_clear(&frame);
    }
}

static void a_build_without_hdf5_says_so(void **state) {
    (void)state;
    const char *path = path_of("none.vtkhdf");
    mnError error;
    assert_int_equal(mn_frame_write(MN_FORMAT_VTKHDF, path, &snapshot, cloud.order, &error), MN_ERROR_FEATURE);
    assert_non_null(strstr(error.text, "HDF5"));
    assert_int_not_equal(access(path, F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bgeo_has_the_promised_bytes), cmocka_unit_test(bgeo_refuses_ids_it_cannot_hold),
        cmocka_unit_test(bgeo_of_others_is_read),      cmocka_unit_test(hostile_bgeo_is_refused),
        cmocka_unit_test(frames_without_particles),    cmocka_unit_test(vtkhdf_that_repeats_itself_is_refused),
    };
    const struct CMUnitTest with_hdf5[] = {
        cmocka_unit_test(vtkhdf_that_lies_is_refused),
        cmocka_unit_test(vtkhdf_with_a_wrong_byte),
        cmocka_unit_test(equal_frames_are_equal_files),
    };
    const struct CMUnitTest without_hdf5[] = {cmocka_unit_test(a_build_without_hdf5_says_so)};
    int failed = make_cloud(NULL);
    failed += cmocka_run_group_tests(tests, NULL, NULL);
    failed += mn_format_check(MN_FORMAT_VTKHDF, NULL) == MN_OK ? cmocka_run_group_tests(with_hdf5, NULL, NULL)
                                                               : cmocka_run_group_tests(without_hdf5, NULL, NULL);
    return failed + remove_folder(NULL);
}
