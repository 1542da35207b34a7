/* What stands in for this folder in a build without OpenCL. */
#include <stddef.h>

#include "run/opencl/world.h"

static mnStatus refuse(mnError *error) {
#ifdef MN_DOUBLE
    return mn_error_set(error, MN_ERROR_FEATURE,
                        "this build keeps its state in double and has no OpenCL; build without MN_DOUBLE for it");
#else
    return mn_error_set(error, MN_ERROR_FEATURE,
                        "this build has no OpenCL; install its headers (opencl-c-headers) and build again with "
                        "MN_OPENCL on");
#endif
}

mnStatus mn_devices(mnDeviceInfo *devices, int capacity, int *count, mnError *error) {
    (void)devices;
    (void)capacity;
    *count = 0;
    return refuse(error);
}

mnStatus mn_device_open(const char *which, bool profiled, mnDevice **device, mnError *error) {
    (void)which;
    (void)profiled;
    *device = NULL;
    return refuse(error);
}

mnStatus mn_opencl_move(mnWorld *world, const char *which, bool profiled, mnError *error) {
    (void)world;
    (void)which;
    (void)profiled;
    return refuse(error);
}
