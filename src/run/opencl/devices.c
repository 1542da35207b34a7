#include "run/opencl/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TEXT_MAX = 2048 };

/* OpenCL refuses a room that is too small, so texts are cut here; without an answer it is the empty text. */
static void copy_text(char *to, size_t room, const char *text, cl_int code) {
    snprintf(to, room, "%.*s", (int)room - 1, code == CL_SUCCESS ? text : "");
}

static void device_text(const mnOpenCL *cl, cl_device_id id, cl_device_info what, char *to, size_t room) {
    char text[TEXT_MAX] = "";
    copy_text(to, room, text, cl->clGetDeviceInfo(id, what, sizeof text - 1, text, NULL));
}

static void platform_text(const mnOpenCL *cl, cl_platform_id platform, cl_platform_info what, char *to, size_t room) {
    char text[TEXT_MAX] = "";
    copy_text(to, room, text, cl->clGetPlatformInfo(platform, what, sizeof text - 1, text, NULL));
}

static uint64_t device_long(const mnOpenCL *cl, cl_device_id id, cl_device_info what) {
    cl_ulong value = 0;
    return cl->clGetDeviceInfo(id, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static unsigned device_number(const mnOpenCL *cl, cl_device_id id, cl_device_info what) {
    cl_uint value = 0;
    return cl->clGetDeviceInfo(id, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static bool is_usable(const mnOpenCL *cl, cl_device_id id) {
    char version[TEXT_MAX];
    int major = 0, minor = 0;
    device_text(cl, id, CL_DEVICE_VERSION, version, sizeof version);
    return sscanf(version, "OpenCL %d.%d", &major, &minor) == 2 && 10 * major + minor >= 12 &&
           device_number(cl, id, CL_DEVICE_AVAILABLE) && device_number(cl, id, CL_DEVICE_COMPILER_AVAILABLE);
}

static mnDeviceInfo describe(const mnOpenCL *cl, cl_platform_id platform, cl_device_id id) {
    mnDeviceInfo info = {.memory = device_long(cl, id, CL_DEVICE_GLOBAL_MEM_SIZE),
                         .largest_allocation = device_long(cl, id, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
                         .compute_units = (int)device_number(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS),
                         .clock_mhz = (int)device_number(cl, id, CL_DEVICE_MAX_CLOCK_FREQUENCY),
                         .is_gpu = (device_long(cl, id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0,
                         .has_double = device_long(cl, id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0};
    platform_text(cl, platform, CL_PLATFORM_NAME, info.platform, sizeof info.platform);
    device_text(cl, id, CL_DEVICE_NAME, info.name, sizeof info.name);
    device_text(cl, id, CL_DRIVER_VERSION, info.driver, sizeof info.driver);
    device_text(cl, id, CL_DEVICE_VERSION, info.version, sizeof info.version);
    return info;
}

mnStatus mn_devices_find(const mnOpenCL *cl, mnFoundDevices *found, mnError *error) {
    cl_platform_id platforms[MN_DEVICES_MAX];
    cl_device_id ids[MN_DEVICES_MAX];
    cl_uint platform_count = 0;
    found->count = 0;
    /* A loader without drivers calls that an error of its own. */
    if (cl->clGetPlatformIDs(MN_DEVICES_MAX, platforms, &platform_count) != CL_SUCCESS) platform_count = 0;
    if (platform_count > MN_DEVICES_MAX) platform_count = MN_DEVICES_MAX;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_uint count = 0;
        cl_int code = cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MN_DEVICES_MAX, ids, &count);
        if (code != CL_SUCCESS) continue;
        for (cl_uint d = 0; d < count && d < MN_DEVICES_MAX && found->count < MN_DEVICES_MAX; d++)
            if (is_usable(cl, ids[d]))
                found->all[found->count++] = (mnFoundDevice){platforms[p], ids[d], describe(cl, platforms[p], ids[d])};
    }
    if (found->count > 0) return MN_OK;
    return mn_error_set(error, MN_ERROR_DEVICE,
                        platform_count > 0 ? "none of OpenCL's drivers has a device that can be used; is the driver "
                                             "the right one, and may you use the card (groups video and render)?"
                                           : "OpenCL is installed but there is no driver for it: install your card's, "
                                             "or pocl-opencl-icd for the processor");
}

/* strcasestr is not everywhere. */
static bool contains(const char *text, const char *part) {
    size_t length = strlen(part);
    for (; *text; text++)
        if (strncasecmp(text, part, length) == 0) return true;
    return false;
}

static const mnFoundDevice *refuse(const mnFoundDevices *found, const char *which, mnError *error) {
    char list[768];
    size_t used = 0;
    for (int i = 0; i < found->count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%d: %s (%s)", i ? ", " : "", i,
                                 found->all[i].info.name, found->all[i].info.platform);
    mn_error_set(error, MN_ERROR_INPUT, "there is no OpenCL device \"%.64s\"; there are %s", which, list);
    return NULL;
}

const mnFoundDevice *mn_devices_choose(const mnFoundDevices *found, const char *which, mnError *error) {
    bool any = !which || !*which;
    for (int i = 0; any && i < found->count; i++)
        if (found->all[i].info.is_gpu) return &found->all[i];
    if (any) return &found->all[0];
    char *end;
    unsigned long number = strtoul(which, &end, 10);
    if (!*end && *which != '-' && number < (unsigned long)found->count) return &found->all[number];
    /* A number that is no index may well be a part of a name, such as 4090. */
    for (int i = 0; i < found->count; i++)
        if (contains(found->all[i].info.name, which) || contains(found->all[i].info.platform, which))
            return &found->all[i];
    return refuse(found, which, error);
}

mnStatus mn_devices(mnDeviceInfo *devices, int capacity, int *count, mnError *error) {
    mnOpenCL cl;
    mnFoundDevices found;
    *count = 0;
    mnStatus status = mn_opencl_load(&cl, error);
    if (status == MN_OK) status = mn_devices_find(&cl, &found, error);
    if (status != MN_OK) return status;
    for (int i = 0; i < found.count && i < capacity; i++) devices[i] = found.all[i].info;
    *count = found.count;
    return MN_OK;
}
