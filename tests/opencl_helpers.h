/* What tests of the OpenCL devices share. They are skipped, not failed, where there is no device, and keep their
 * compiled programs in a folder of their own. */
#ifndef MN_TEST_OPENCL_HELPERS_H
#define MN_TEST_OPENCL_HELPERS_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder_helpers.h"
#include "run/opencl/inside.h"

/* What ctest takes for "skipped". */
enum { TEST_SKIPPED = 77 };

static mnError error;

static inline bool has_device(void) {
    int count;
    if (mn_devices(NULL, 0, &count, &error) == MN_OK) return true;
    printf("skipped: %s\n", error.text);
    return false;
}

static inline mnDevice *open_device(void) {
    mnDevice *device;
    assert_int_equal(mn_device_open(NULL, false, &device, &error), MN_OK);
    return device;
}

static inline mnBuffer make_buffer(mnDevice *device, size_t bytes, const void *contents) {
    mnBuffer buffer;
    assert_int_equal(mn_buffer_create(device, "of a test", bytes, &buffer, &error), MN_OK);
    if (contents) mn_buffer_write(device, &buffer, 0, bytes, contents);
    return buffer;
}

static inline void check_device(const mnDevice *device) {
    mnStatus status = mn_device_check(device, &error);
    if (status != MN_OK) print_error("%s\n", error.text);
    assert_int_equal(status, MN_OK);
}

static inline int make_cache(void **state) {
    return make_folder(state) == 0 && setenv("XDG_CACHE_HOME", folder, 1) == 0 ? 0 : -1;
}

#endif
