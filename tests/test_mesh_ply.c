/* PLY files that are damaged in every way a cut or a flipped byte can: none may crash or hang the importer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "geometry/mesh.h"

static char folder[] = "/tmp/mn_test_ply_XXXXXX";

typedef struct File {
    char bytes[2048];
    size_t size;
} File;

static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static void add_text(File *file, const char *text) {
    size_t length = strlen(text);
    assert_true(file->size + length <= sizeof file->bytes);
    memcpy(file->bytes + file->size, text, length);
    file->size += length;
}

/* Numbers of four bytes as they lie in memory: little-endian wherever these tests run. */
static void add_word(File *file, const void *word) {
    assert_true(file->size + 4 <= sizeof file->bytes);
    memcpy(file->bytes + file->size, word, 4);
    file->size += 4;
}

static void add_header(File *file, const char *format, const char *vertices, const char *triangles) {
    add_text(file, "ply\nformat ");
    add_text(file, format);
    add_text(file, " 1.0\ncomment a cube\nelement vertex ");
    add_text(file, vertices);
    add_text(file, "\nproperty float x\nproperty float y\nproperty float z\nelement face ");
    add_text(file, triangles);
    add_text(file, "\nproperty list uchar int vertex_indices\nend_header\n");
}

static File ascii_cube(const char *vertices, const char *triangles) {
    File file = {.size = 0};
    char line[64];
    add_header(&file, "ascii", vertices, triangles);
    for (int i = 0; i < 8; i++) {
        snprintf(line, sizeof line, "%g %g %g\n", i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
        add_text(&file, line);
    }
    for (int i = 0; i < 12; i++) {
        snprintf(line, sizeof line, "3 %d %d %d\n", faces[i][0], faces[i][1], faces[i][2]);
        add_text(&file, line);
    }
    return file;
}

static File binary_cube(const char *vertices, const char *triangles) {
    File file = {.size = 0};
    add_header(&file, "binary_little_endian", vertices, triangles);
    for (int i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) add_word(&file, &(float){i >> c & 1 ? 0.5f : -0.5f});
    for (int i = 0; i < 12; i++) {
        add_text(&file, "\003");
        for (int v = 0; v < 3; v++) add_word(&file, &(int32_t){faces[i][v]});
    }
    return file;
}

static mnStatus load(const File *file, mnError *error) {
    char path[256];
    snprintf(path, sizeof path, "%s/cube.ply", folder);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(file->bytes, 1, file->size, stream), file->size);
    fclose(stream);
    mnMesh *mesh = NULL;
    *error = (mnError){0};
    mnStatus status = mn_mesh_load("cube.ply", folder, 1, 0.1, &mesh, error);
    assert_true((status == MN_OK) == (mesh != NULL));
    if (status != MN_OK) assert_true(strstr(error->text, "cube.ply") != NULL);
    mn_mesh_destroy(mesh);
    return status;
}

static void refuse(const File *file, const char *words) {
    mnError error;
    assert_int_equal(load(file, &error), MN_ERROR_INPUT);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void test_good_files(void **unused) {
    (void)unused;
    mnError error;
    File ascii = ascii_cube("8", "12"), binary = binary_cube("8", "12");
    assert_int_equal(load(&ascii, &error), MN_OK);
    assert_int_equal(load(&binary, &error), MN_OK);
}

static void test_absurd_headers(void **unused) {
    (void)unused;
    File file = ascii_cube("99999999", "12");
    refuse(&file, "record 9 of \"vertex\"");
    file = binary_cube("2000000000", "12");
    refuse(&file, "announces for \"vertex\"");
    file = binary_cube("8", "99999999999999999999");
    refuse(&file, "is no number");
    file = ascii_cube("-8", "12");
    refuse(&file, "is no number");
    file = (File){.size = 0};
    add_text(&file, "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n");
    refuse(&file, "end_header");
    add_text(&file, "end_header\n1\n2\n3\n");
    refuse(&file, "lack x, y or z");
}

/* A file cut before its end is always refused; only the last newline of a text may go. */
static void test_cuts(void **unused) {
    (void)unused;
    File whole[2] = {ascii_cube("8", "12"), binary_cube("8", "12")};
    for (int w = 0; w < 2; w++)
        for (size_t size = 0; size + 1 < whole[w].size; size += 1 + size % 3) {
            File cut = whole[w];
            mnError error;
            cut.size = size;
            if (load(&cut, &error) == MN_OK) fail_msg("a file cut after %zu bytes was read", size);
        }
}

/* What comes of a flipped byte is open (it may be in a comment), as long as it is an answer. */
static void test_flipped_bytes(void **unused) {
    (void)unused;
    File whole[2] = {ascii_cube("8", "12"), binary_cube("8", "12")};
    uint32_t random = 1;
    for (int w = 0; w < 2; w++)
        for (int variant = 0; variant < 600; variant++) {
            File damaged = whole[w];
            for (int flip = 0; flip <= variant % 3; flip++) {
                random = random * 1664525u + 1013904223u;
                damaged.bytes[(random >> 8) % damaged.size] = (char)(random >> 24);
            }
            mnError error;
            load(&damaged, &error);
        }
}

static int make_folder(void **unused) {
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused) {
    (void)unused;
    char path[256];
    snprintf(path, sizeof path, "%s/cube.ply", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_files),
        cmocka_unit_test(test_absurd_headers),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_flipped_bytes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
