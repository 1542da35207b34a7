/* Ways out: PNG, read back by libpng, and films through ffmpeg, also one that is missing or fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "picture_helpers.h"
#include "render/film.h"

static mnPicture gradient(int width, int height) {
    mnPicture picture;
    assert_int_equal(mn_picture_create(&picture, width, height, NULL), MN_OK);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            picture.pixel[y * width + x] = v3((float)x / (float)width, (float)y / (float)height, 0.25F);
    return picture;
}

static void bytes_of_light(void **state) {
    (void)state;
    mnPicture picture = gradient(16, 16);
    picture.pixel[0] = v3(0, 1, 0.21404114F);
    picture.pixel[1] = v3(-1, 7, NAN);
    unsigned char rgb[16 * 16 * 3];
    mn_picture_bytes(&picture, rgb);
    static const unsigned char expected[] = {0, 255, 127, 0, 255, 0};
    for (int i = 0; i < 6; i++) assert_true(abs(rgb[i] - expected[i]) <= 1);
    /* Tones rise, stay below white, and leave what is dark alone. */
    for (int i = 0; i < 256; i++) picture.pixel[i] = v3((float)i / 8, 0.3F, 0);
    mn_picture_tone(&picture);
    for (int i = 1; i < 256; i++) assert_true(picture.pixel[i].x > picture.pixel[i - 1].x - 0.01F);
    assert_true(picture.pixel[255].x < 1);
    assert_float_equal(picture.pixel[7].y, 0.3, 0.0025);
    mn_picture_clear(&picture);
}

static void a_png_comes_back(void **state) {
    (void)state;
    mnPicture picture = gradient(40, 24);
    assert_int_equal(mn_png_write(path_of("a.png"), &picture, NULL), MN_OK);
    int width, height;
    unsigned char *found = read_png(path_of("a.png"), &width, &height), wanted[40 * 24 * 3];
    assert_non_null(found);
    assert_int_equal(width, 40);
    assert_int_equal(height, 24);
    mn_picture_bytes(&picture, wanted);
    assert_memory_equal(found, wanted, sizeof wanted);
    free(found);
    mn_picture_clear(&picture);
}

static void pngs_that_cannot_be_written(void **state) {
    (void)state;
    mnPicture picture = gradient(16, 16);
    mnError error;
    assert_int_equal(mn_png_write(path_of("none/a.png"), &picture, &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "none/a.png"));
    assert_int_equal(mn_png_write("/dev/null", &picture, &error), MN_ERROR_FILE);
    mn_picture_clear(&picture);
}

static void expect_no_film(const char *name) {
    char partial[64];
    snprintf(partial, sizeof partial, "%s.partial", name);
    assert_int_not_equal(access(path_of(name), F_OK), 0);
    assert_int_not_equal(access(path_of(partial), F_OK), 0);
}

static void a_film_is_made(void **state) {
    (void)state;
    if (system("command -v ffmpeg >/dev/null") != 0) {
        print_message("ffmpeg is not there: films are not tested\n");
        skip();
    }
    mnPicture picture = gradient(64, 48);
    mnFilm film;
    assert_int_equal(mn_film_start(&film, path_of("-a.mp4"), 64, 48, 25, NULL), MN_OK);
    for (int i = 0; i < 10; i++) assert_int_equal(mn_film_add(&film, &picture, NULL), MN_OK);
    assert_int_equal(mn_film_commit(&film, NULL), MN_OK);
    char command[400], line[64] = "";
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 '%s'",
             path_of("-a.mp4"));
    FILE *probe = popen(command, "r");
    assert_non_null(probe);
    assert_non_null(fgets(line, sizeof line, probe));
    pclose(probe);
    assert_string_equal(line, "64,48,10\n");
    /* One that is not wanted any more leaves nothing. */
    assert_int_equal(mn_film_start(&film, path_of("b.mp4"), 64, 48, 25, NULL), MN_OK);
    assert_int_equal(mn_film_add(&film, &picture, NULL), MN_OK);
    mn_film_discard(&film);
    expect_no_film("b.mp4");
    mn_picture_clear(&picture);
}

static void films_that_cannot_be_made(void **state) {
    (void)state;
    mnFilm film;
    mnError error;
    assert_int_equal(mn_film_start(&film, path_of("c.mp4"), 63, 48, 25, &error), MN_ERROR_INPUT);
    assert_int_equal(mn_film_start(&film, path_of("none/c.mp4"), 64, 48, 25, &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "none/c.mp4"));
    char *path = strdup(getenv("PATH"));
    setenv("PATH", path_of("nowhere"), 1);
    assert_int_equal(mn_film_start(&film, path_of("c.mp4"), 64, 48, 25, &error), MN_ERROR_FEATURE);
    assert_non_null(strstr(error.text, "ffmpeg"));
    expect_no_film("c.mp4");
    setenv("PATH", path, 1);
    free(path);
}

/* An ffmpeg that dies at once, with something to say: no signal may hit us, and its words are told. */
static void an_ffmpeg_that_fails(void **state) {
    (void)state;
    assert_int_equal(mkdir(path_of("bin"), 0777), 0);
    write_text("bin/ffmpeg", "#!/bin/sh\necho 'no such codec' >&2\nexit 3\n");
    assert_int_equal(chmod(path_of("bin/ffmpeg"), 0755), 0);
    char *before = strdup(getenv("PATH")), path[4096];
    snprintf(path, sizeof path, "%s:%s", path_of("bin"), before);
    setenv("PATH", path, 1);
    write_text("d.mp4", "what was there before");
    mnPicture picture = gradient(640, 480);
    mnFilm film;
    mnError error = {0};
    assert_int_equal(mn_film_start(&film, path_of("d.mp4"), 640, 480, 25, NULL), MN_OK);
    mnStatus status = MN_OK;
    for (int i = 0; i < 50 && status == MN_OK; i++) status = mn_film_add(&film, &picture, &error);
    assert_int_equal(status, MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "no such codec"));
    mn_film_discard(&film);
    assert_int_equal(mn_film_start(&film, path_of("d.mp4"), 640, 480, 25, NULL), MN_OK);
    assert_int_equal(mn_film_commit(&film, &error), MN_ERROR_FILE);
    setenv("PATH", before, 1);
    free(before);
    mn_picture_clear(&picture);
    struct stat found;
    assert_int_equal(stat(path_of("d.mp4"), &found), 0);
    assert_int_equal(found.st_size, strlen("what was there before"));
    assert_int_not_equal(access(path_of("d.mp4.partial"), F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_light),
        cmocka_unit_test(a_png_comes_back),
        cmocka_unit_test(pngs_that_cannot_be_written),
        cmocka_unit_test(films_that_cannot_be_made),
        cmocka_unit_test(an_ffmpeg_that_fails),
        cmocka_unit_test(a_film_is_made),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
