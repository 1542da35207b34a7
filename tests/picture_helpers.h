/* Pictures that are compared with ones that were looked at and found good.
 *
 * They lie in tests/pictures. With MN_UPDATE_PICTURES=1 in the environment they are written anew; look at them before
 * they are committed. */
#ifndef MN_TEST_PICTURE_HELPERS_H
#define MN_TEST_PICTURE_HELPERS_H

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "folder_helpers.h"
#include "render/picture.h"

/* The bytes of a PNG as libpng reads it; to be freed. */
static inline unsigned char *read_png(const char *path, int *width, int *height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) return NULL;
    image.format = PNG_FORMAT_RGB;
    unsigned char *rgb = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(rgb);
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    *width = (int)image.width;
    *height = (int)image.height;
    return rgb;
}

/* Another compiler or processor rounds otherwise and now and then a path takes another turn: pixels may differ a
 * little, and a few of them much. */
static inline void expect_picture(const char *name, const mnPicture *picture) {
    char path[512];
    const char *source = getenv("MN_TEST_SOURCE");
    snprintf(path, sizeof path, "%s/tests/pictures/%s", source ? source : ".", name);
    if (getenv("MN_UPDATE_PICTURES")) assert_int_equal(mn_png_write(path, picture, NULL), MN_OK);
    int width, height;
    unsigned char *wanted = read_png(path, &width, &height);
    if (!wanted) fail_msg("%s cannot be read; MN_UPDATE_PICTURES=1 makes it", path);
    assert_int_equal(width, picture->width);
    assert_int_equal(height, picture->height);
    size_t count = (size_t)width * (size_t)height * 3, far_off = 0;
    unsigned char *found = malloc(count);
    assert_non_null(found);
    mn_picture_bytes(picture, found);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        int difference = abs(found[i] - wanted[i]);
        sum += difference;
        far_off += difference > 24;
    }
    free(wanted);
    free(found);
    if (sum / (double)count > 2 || (double)far_off / (double)count > 0.01) {
        snprintf(path, sizeof path, "/tmp/meniscus-found-%s", name);
        mn_png_write(path, picture, NULL);
        fail_msg("%s: mean difference %.2f of 255, %.2f %% far off; what was found is in %s", name, sum / (double)count,
                 100 * (double)far_off / (double)count, path);
    }
}

#endif
