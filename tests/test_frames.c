/* Frames on disk: exact bytes, order by id, whole or absent files, and that the readers find what the writers wrote. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/file.h"
#include "io/frame_read.h"
#include "io/frames.h"
#include "io/inspect.h"

enum { COUNT = 5000 };

typedef struct Cloud {
    char folder[64];
    mnVec position[COUNT], velocity[COUNT], measure[COUNT];
    mnReal pressure[COUNT];
    int32_t phase[COUNT];
    int64_t id[COUNT];
    mnSceneDesc scene;
    mnSnapshot snapshot;
    mnIdOrder order;
} Cloud;

/* Particle k has id 3·((k·1237) mod COUNT): shuffled, with gaps. Values are functions of the id. */
static int make_cloud(void **state) {
    Cloud *c = calloc(1, sizeof *c);
    if (!c) return -1;
    strcpy(c->folder, "/tmp/meniscus-frames-XXXXXX");
    if (!mkdtemp(c->folder)) return -1;
    for (int k = 0; k < COUNT; k++) {
        int64_t id = 3 * ((int64_t)k * 1237 % COUNT);
        mnReal r = (mnReal)id;
        c->id[k] = id;
        c->position[k] = (mnVec){r, -r, (mnReal)0.5 * r, 1};
        c->velocity[k] = (mnVec){r + 1, r + 2, r + 3, 0};
        c->measure[k] = (mnVec){(mnReal)0.25 * r, 7, 8, 0};
        c->pressure[k] = 2 * r;
        c->phase[k] = (int32_t)(id % 2);
    }
    c->scene.name = "two\nlines";
    c->snapshot = (mnSnapshot){.scene = &c->scene,
                               .time = 0.125,
                               .particles = {COUNT, c->position, c->velocity, c->pressure, c->measure, c->phase, c->id},
                               .boundary = {2, c->position, c->velocity, c->phase}};
    *state = c;
    return mn_order_by_id(&c->order, &c->snapshot.particles, NULL) == MN_OK ? 0 : -1;
}

static int drop_cloud(void **state) {
    Cloud *c = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", c->folder);
    int failed = system(command);
    mn_order_clear(&c->order);
    free(c);
    return failed;
}

static char *read_all(const char *path, size_t *bytes) {
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *bytes = (size_t)ftell(stream);
    rewind(stream);
    char *text = calloc(1, *bytes + 1);
    assert_int_equal(fread(text, 1, *bytes, stream), *bytes);
    fclose(stream);
    return text;
}

static float float_at(const char *bytes) {
    float value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static void order_is_by_id(void **state) {
    const Cloud *c = *state;
    for (int64_t k = 0; k < COUNT; k++) assert_int_equal(c->id[c->order.index[k]], 3 * k);
    mnIdOrder order = {0};
    const int64_t wide[] = {(int64_t)1 << 40, 5, ((int64_t)1 << 40) + 1, 0};
    assert_int_equal(mn_order_by_id(&order, &(mnParticles){.count = 4, .id = wide}, NULL), MN_OK);
    const int64_t expected[] = {3, 1, 0, 2};
    assert_memory_equal(order.index, expected, sizeof expected);
    assert_int_equal(mn_order_by_id(&order, &(mnParticles){0}, NULL), MN_OK);
    mn_order_clear(&order);
}

static void ply_has_the_promised_bytes(void **state) {
    Cloud *c = *state;
    char *path = mn_path_join(c->folder, "a.ply");
    assert_int_equal(mn_frame_write(MN_FORMAT_PLY, path, &c->snapshot, c->order.index, NULL), MN_OK);
    size_t bytes;
    char *text = read_all(path, &bytes);
    const char *header = "ply\nformat binary_little_endian 1.0\ncomment meniscus frame\ncomment scene two lines\n"
                         "comment time 0.125 s\nelement vertex 5000\nproperty float x\nproperty float y\n"
                         "property float z\nproperty float vx\nproperty float vy\nproperty float vz\n"
                         "property float pressure\nproperty float measure\nproperty int phase\nproperty uint id\n"
                         "property float radius\nend_header\n";
    assert_memory_equal(text, header, strlen(header));
    assert_int_equal(bytes, strlen(header) + 44 * COUNT);
    for (int k = 0; k < COUNT; k++) {
        const char *record = text + strlen(header) + 44 * k;
        float r = 3.0f * (float)k;
        const float expected[8] = {r, -r, 0.5f * r, r + 1, r + 2, r + 3, 2 * r, 0.25f * r};
        for (int i = 0; i < 8; i++) assert_float_equal(float_at(record + 4 * i), expected[i], 0);
        const uint32_t integers[2] = {(uint32_t)(3 * k % 2), (uint32_t)(3 * k)};
        assert_memory_equal(record + 32, integers, sizeof integers);
        assert_float_equal(float_at(record + 40), 0.62035049f, 1e-7); /* of a ball of volume 1 */
    }
    free(text);
    mnFileInfo info;
    assert_int_equal(mn_inspect_ply(path, &info, NULL), MN_OK);
    assert_int_equal(info.points, COUNT);
    assert_true(info.has_time && info.time == 0.125);
    assert_true(info.has_bounds && info.lower[1] == -3.0 * (COUNT - 1) && info.upper[0] == 3.0 * (COUNT - 1));
    assert_string_equal(info.fields, "x y z vx vy vz pressure measure phase id radius");
    free(path);
}

static void ply_refuses_ids_it_cannot_hold(void **state) {
    Cloud *c = *state;
    int64_t last = c->order.index[COUNT - 1], kept = c->id[last];
    c->id[last] = (int64_t)UINT32_MAX + 1;
    char *path = mn_path_join(c->folder, "wide.ply");
    mnError error;
    assert_int_equal(mn_frame_write(MN_FORMAT_PLY, path, &c->snapshot, c->order.index, &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, path));
    assert_int_not_equal(access(path, F_OK), 0);
    c->id[last] = kept;
    free(path);
}

static void vtp_arrays_lie_where_the_header_says(void **state) {
    Cloud *c = *state;
    char *path = mn_path_join(c->folder, "a.vtp");
    assert_int_equal(mn_frame_write(MN_FORMAT_VTP, path, &c->snapshot, c->order.index, NULL), MN_OK);
    size_t bytes;
    char *text = read_all(path, &bytes);
    static const struct {
        const char *name;
        size_t size;
    } arrays[] = {{"velocity", 12}, {"pressure", 4},     {"measure", 4}, {"phase", 4}, {"id", 8},
                  {"Points", 12},   {"connectivity", 8}, {"offsets", 8}, {"radius", 4}};
    const char *data = strstr(text, "<AppendedData encoding=\"raw\">\n_");
    assert_non_null(data);
    data = strchr(data, '_') + 1;
    const char *place[9];
    for (int a = 0; a < 9; a++) {
        char pattern[64];
        snprintf(pattern, sizeof pattern, "Name=\"%s\"", arrays[a].name);
        const char *at = strstr(text, pattern);
        assert_non_null(at);
        place[a] = data + strtoll(strstr(at, "offset=\"") + 8, NULL, 10);
        uint64_t size;
        memcpy(&size, place[a], sizeof size);
        assert_int_equal(size, COUNT * arrays[a].size);
        place[a] += 8;
    }
    assert_memory_equal(place[7] + COUNT * 8, "\n</AppendedData>\n</VTKFile>\n", 28);
    for (int k = 0; k < COUNT; k++) {
        float r = 3.0f * (float)k;
        const int64_t integers[3] = {3 * k, k, k + 1};
        assert_float_equal(float_at(place[0] + 12 * k + 4), r + 2, 0);
        assert_float_equal(float_at(place[1] + 4 * k), 2 * r, 0);
        assert_float_equal(float_at(place[2] + 4 * k), 0.25f * r, 0);
        assert_float_equal(float_at(place[5] + 12 * k + 8), 0.5f * r, 0);
        assert_float_equal(float_at(place[8] + 4 * k), 0.62035049f, 1e-7);
        assert_int_equal(place[3][4 * k], 3 * k % 2);
        assert_memory_equal(place[4] + 8 * k, &integers[0], 8);
        assert_memory_equal(place[6] + 8 * k, &integers[1], 8);
        assert_memory_equal(place[7] + 8 * k, &integers[2], 8);
    }
    free(text);
    mnFileInfo info;
    assert_int_equal(mn_inspect_vtp(path, &info, NULL), MN_OK);
    assert_int_equal(info.points, COUNT);
    assert_true(info.has_time && info.time == 0.125 && info.has_bounds);
    assert_true(info.upper[2] == 1.5 * (COUNT - 1) && info.lower[0] == 0);
    assert_string_equal(info.fields, "velocity pressure measure phase id radius");
    free(path);
}

static void csv_and_boundary(void **state) {
    Cloud *c = *state;
    char *path = mn_path_join(c->folder, "a.csv");
    assert_int_equal(mn_frame_write(MN_FORMAT_CSV, path, &c->snapshot, c->order.index, NULL), MN_OK);
    size_t bytes;
    char *text = read_all(path, &bytes);
    const char *start = "id,phase,x [m],y [m],z [m],vx [m/s],vy [m/s],vz [m/s],pressure [Pa],measure,radius [m]\n"
                        "0,0,0,-0,0,1,2,3,0,0,0.620350491\n3,1,3,-3,1.5,4,5,6,6,0.75,0.620350491\n";
    assert_memory_equal(text, start, strlen(start));
    free(text);
    mnFileInfo info;
    assert_int_equal(mn_inspect_csv(path, &info, NULL), MN_OK);
    assert_int_equal(info.points, COUNT);
    assert_true(info.has_bounds && info.upper[0] == 3.0 * (COUNT - 1));
    free(path);

    path = mn_path_join(c->folder, "boundary.ply");
    assert_int_equal(mn_boundary_write(path, &c->snapshot, NULL), MN_OK);
    assert_int_equal(mn_inspect_ply(path, &info, NULL), MN_OK);
    assert_int_equal(info.points, 2);
    assert_string_equal(info.fields, "x y z volume solid");
    free(path);
}

static void frames_come_back(void **state) {
    Cloud *c = *state;
    for (int f = 0; f < MN_FORMAT_COUNT; f++) {
        if (mn_format_check((mnFormat)f, NULL) != MN_OK) continue;
        char name[64];
        mn_frame_name(name, 12, (mnFormat)f);
        char *path = mn_path_join(c->folder, name);
        assert_int_equal(mn_frame_write((mnFormat)f, path, &c->snapshot, c->order.index, NULL), MN_OK);
        mnFrame frame = {0};
        mnError error;
        if (mn_frame_read(path, 3, &frame, &error) != MN_OK) fail_msg("%s", error.text);
        assert_int_equal(frame.particles.count, COUNT);
        assert_true(f == MN_FORMAT_CSV ? !frame.has_time : frame.has_time && frame.time == 0.125);
        for (int64_t k = 0; k < COUNT; k++) {
            int64_t i = c->order.index[k];
            const mnParticles *p = &frame.particles;
            assert_memory_equal(&p->position[k], &c->position[i], 3 * sizeof(mnReal));
            assert_float_equal(p->position[k].w, 1, 1e-6);
            assert_memory_equal(&p->velocity[k], &c->velocity[i], sizeof(mnVec));
            assert_true(p->pressure[k] == c->pressure[i] && p->measure[k].x == c->measure[i].x);
            assert_true(p->phase[k] == c->phase[i] && p->id[k] == c->id[i]);
        }
        mn_frame_clear(&frame);
        free(path);
    }
}

/* Cut anywhere, a frame is refused, whatever its format. */
static void cut_frames_are_refused(void **state) {
    Cloud *c = *state;
    for (int f = 0; f < MN_FORMAT_COUNT; f++) {
        if (mn_format_check((mnFormat)f, NULL) != MN_OK) continue;
        char name[64];
        mn_frame_name(name, 13, (mnFormat)f);
        char *path = mn_path_join(c->folder, name);
        mnSnapshot few = c->snapshot;
        few.particles.count = 3;
        const int64_t order[3] = {0, 1, 2};
        assert_int_equal(mn_frame_write((mnFormat)f, path, &few, order, NULL), MN_OK);
        size_t bytes, end = f == MN_FORMAT_VTP ? 120 : 1; /* what follows the arrays of VTP is no loss */
        char *text = read_all(path, &bytes);
        mnFrame frame = {0};
        for (size_t cut = 0; cut + end < bytes; cut += 7) {
            FILE *stream = fopen(path, "wb");
            assert_int_equal(fwrite(text, 1, cut, stream), cut);
            fclose(stream);
            mnError error = {0};
            mnStatus status = mn_frame_read(path, 3, &frame, &error);
            if (f == MN_FORMAT_CSV && status == MN_OK) /* at the end of a row it is a shorter table */
                assert_true(text[cut - 1] == '\n' || text[cut] == '\n' || frame.particles.count == 3);
            else
                assert_true(status == MN_ERROR_FILE && strstr(error.text, path));
        }
        mn_frame_clear(&frame);
        free(text);
        free(path);
    }
}

/* A file that may not grow stands for a full disk. The old file stays, no half of the new one is left. */
static void full_disk_leaves_no_half_files(void **state) {
    Cloud *c = *state;
    char *path = mn_path_join(c->folder, "kept.vtp");
    FILE *old = fopen(path, "w");
    fputs("old", old);
    fclose(old);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 10000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    mnError error = {0};
    mnStatus status[MN_FORMAT_COUNT];
    for (int f = 0; f < MN_FORMAT_COUNT; f++)
        status[f] = mn_format_check((mnFormat)f, NULL) == MN_OK
                        ? mn_frame_write((mnFormat)f, path, &c->snapshot, c->order.index, &error)
                        : MN_ERROR_FILE;
    setrlimit(RLIMIT_FSIZE, &before);
    for (int f = 0; f < MN_FORMAT_COUNT; f++) assert_int_equal(status[f], MN_ERROR_FILE);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, strerror(EFBIG)));
    size_t bytes;
    char *text = read_all(path, &bytes);
    assert_string_equal(text, "old");
    free(text);
    char *partial = mn_path_join(c->folder, "kept.vtp.partial");
    assert_int_not_equal(access(partial, F_OK), 0);
    free(partial);
    free(path);
}

static void write_text(const char *path, const char *text, size_t bytes) {
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, bytes, stream), bytes);
    fclose(stream);
}

static void hostile_files_are_refused(void **state) {
    Cloud *c = *state;
    char *path = mn_path_join(c->folder, "hostile");
    mnFileInfo info;
    mnError error;
#define PLY "ply\nformat binary_little_endian 1.0\nelement vertex "
#define XYZ "property float x\nproperty float y\nproperty float z\n"
    static const char *const plys[] = {"",
                                       "plx\n",
                                       (PLY "5\n"),
                                       (PLY "-5\nend_header\n"),
                                       (PLY "99999999999999999999\nend_header\n"),
                                       (PLY "9223372036854775807\n" XYZ "end_header\nxxxx")};
    for (size_t i = 0; i < sizeof plys / sizeof plys[0]; i++) {
        write_text(path, plys[i], strlen(plys[i]));
        assert_int_equal(mn_inspect_ply(path, &info, &error), MN_ERROR_FILE);
        assert_non_null(strstr(error.text, path));
    }
#define VTP "<VTKFile header_type=\"UInt64\"><PolyData><Piece NumberOfPoints="
#define POINTS "><Points><DataArray type=\"Float32\" Name=\"Points\" offset="
#define DATA "/><AppendedData encoding=\"raw\">_"
    static const char *const vtps[] = {"", "<VTKFile>",
                                       (VTP "\"9223372036854775807\"" POINTS "\"9223372036854775807\"" DATA),
                                       (VTP "\"7\"" POINTS "\"0\"" DATA "12345678xxxxxxxxxxxx")};
    for (size_t i = 0; i < sizeof vtps / sizeof vtps[0]; i++) {
        write_text(path, vtps[i], strlen(vtps[i]));
        assert_int_equal(mn_inspect_vtp(path, &info, &error), MN_ERROR_FILE);
        assert_non_null(strstr(error.text, path));
    }
    write_text(path, "", 0);
    assert_int_equal(mn_inspect_csv(path, &info, &error), MN_ERROR_FILE);
    free(path);
}

static mnStatus read_as(const Cloud *c, const char *name, const char *text, size_t bytes, mnFrame *frame) {
    char *path = mn_path_join(c->folder, name);
    mnError error = {0};
    write_text(path, text, bytes);
    mnStatus status = mn_frame_read(path, 3, frame, &error);
    if (status != MN_OK) assert_non_null(strstr(error.text, path));
    free(path);
    return status;
}

static void frames_of_others(void **state) {
    Cloud *c = *state;
    mnFrame frame = {0};
    static const char windows[] = "x,y,z\r\n1,2,3\r\n4,5,6\r\n";
    assert_int_equal(read_as(c, "windows.csv", windows, sizeof windows - 1, &frame), MN_OK);
    assert_true(frame.particles.count == 2 && frame.particles.position[1].z == 6);
    static const char timeless[] =
        "ply\nformat binary_little_endian 1.0\ncomment time nan s\nelement vertex 0\n" XYZ "end_header\n";
    assert_int_equal(read_as(c, "timeless.ply", timeless, sizeof timeless - 1, &frame), MN_ERROR_FILE);
    /* Velocities that are not appended, before points that are, and a surface. */
#define ONE_POINT POINTS "\"0\"" DATA "\14\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f"
    static const char mixed[] = VTP "\"1\"><DataArray type=\"Float32\" Name=\"velocity\" format=\"ascii\"/" ONE_POINT;
    assert_int_equal(read_as(c, "mixed.vtp", mixed, sizeof mixed - 1, &frame), MN_OK);
    assert_true(frame.particles.position[0].x == 1 && frame.particles.velocity[0].x == 0);
    static const char surface[] = VTP "\"1\" NumberOfPolys=\"1\"" ONE_POINT;
    assert_int_equal(read_as(c, "surface.vtp", surface, sizeof surface - 1, &frame), MN_ERROR_FILE);
    mn_frame_clear(&frame);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_by_id),
        cmocka_unit_test(ply_has_the_promised_bytes),
        cmocka_unit_test(ply_refuses_ids_it_cannot_hold),
        cmocka_unit_test(vtp_arrays_lie_where_the_header_says),
        cmocka_unit_test(csv_and_boundary),
        cmocka_unit_test(frames_come_back),
        cmocka_unit_test(cut_frames_are_refused),
        cmocka_unit_test(full_disk_leaves_no_half_files),
        cmocka_unit_test(hostile_files_are_refused),
        cmocka_unit_test(frames_of_others),
    };
    return cmocka_run_group_tests(tests, make_cloud, drop_cloud);
}
