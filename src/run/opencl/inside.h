/* The inside of a device, for the files of this folder and for tests that put entries of their own into the table. */
#ifndef MN_RUN_OPENCL_INSIDE_H
#define MN_RUN_OPENCL_INSIDE_H

#include "run/opencl/device.h"
#include "run/opencl/library.h"

enum { MN_TIMED_MAX = 1024, MN_STAGED_BYTES = 4096 };

/* A launch that has yet to be asked how long it took. */
typedef struct mnTimed {
    cl_event event;
    mnKernel *kernel;
} mnTimed;

struct mnDevice {
    mnOpenCL cl;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_mem pinned;
    void *staged; /* MN_STAGED_BYTES of the host that the device writes by itself; pinned, mapped for good */
    mnDeviceInfo info;
    size_t held, largest_held;
    cl_int failure;  /* the first one; CL_SUCCESS: none */
    char place[128]; /* where that was: "launching the kernel mn_scan_blocks" */
    mnTimed *timed;  /* MN_TIMED_MAX of them, or NULL where nothing is profiled */
    int timed_count;
};

/* Whether calls still go to the device. */
static inline bool mn_device_works(const mnDevice *device) {
    return device->failure == CL_SUCCESS;
}

/* Remembers what went wrong, if it is the first, and returns whether it went well. */
bool mn_device_judge(mnDevice *device, cl_int code, const char *doing, const char *name);

/* The status and text of a failure that is told at once instead of being remembered. */
mnStatus mn_device_fail(const mnDevice *device, cl_int code, const char *place, mnError *error);

/* OpenCL's ways to say that there is no memory. */
static inline bool mn_is_out_of_memory(cl_int code) {
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
}

#endif
