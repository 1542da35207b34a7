/* A build without OpenCL, as every build in double is, says so when a device is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/opencl/device.h"

static void devices_are_refused(void **state) {
    (void)state;
    mnError error;
    mnDevice *device;
    int count = 1;
    assert_int_equal(mn_devices(NULL, 0, &count, &error), MN_ERROR_FEATURE);
    assert_int_equal(count, 0);
    assert_non_null(strstr(error.text, "OpenCL"));
    assert_int_equal(mn_device_open(NULL, false, &device, &error), MN_ERROR_FEATURE);
    assert_null(device);
    assert_non_null(strstr(error.text, "build without MN_DOUBLE"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(devices_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
