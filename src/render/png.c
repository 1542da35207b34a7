/* The one file that knows libpng. */
#include "render/picture.h"

#if MN_HAVE_PNG
#include <png.h>
#include <stdbool.h>
#include <stdlib.h>

#include "io/file.h"

mnStatus mn_png_check(mnError *error) {
    (void)error;
    return MN_OK;
}

static void put(png_structp png, png_bytep bytes, png_size_t count) {
    mn_file_put(png_get_io_ptr(png), bytes, count);
}

static void flush(png_structp png) {
    (void)png;
}

/* Instead of libpng's own, which print. */
static void give_up(png_structp png, png_const_charp text) {
    (void)text;
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

/* libpng leaves by longjmp when it fails, which for writing means that memory is lacking. */
static bool encode(mnFile *file, const unsigned char *rgb, int width, int height) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, give_up, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, file, put, flush);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) png_write_row(png, rgb + (size_t)y * (size_t)width * 3);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

mnStatus mn_png_write(const char *path, const mnPicture *picture, mnError *error) {
    mnFile file;
    mnStatus status = mn_file_check(path, error);
    if (status == MN_OK) status = mn_file_create(&file, path, error);
    if (status != MN_OK) return status;
    unsigned char *rgb = malloc((size_t)picture->width * (size_t)picture->height * 3);
    if (rgb) mn_picture_bytes(picture, rgb);
    bool encoded = rgb && encode(&file, rgb, picture->width, picture->height);
    free(rgb);
    if (encoded) return mn_file_commit(&file, error);
    mn_file_discard(&file);
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write %s", path);
}

#else

mnStatus mn_png_check(mnError *error) {
    return mn_error_set(error, MN_ERROR_FEATURE,
                        "pictures need libpng, which this build lacks (Debian: libpng-dev), then configure and build "
                        "again");
}

mnStatus mn_png_write(const char *path, const mnPicture *picture, mnError *error) {
    (void)path;
    (void)picture;
    return mn_png_check(error);
}

#endif
