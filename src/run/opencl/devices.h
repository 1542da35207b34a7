/* What there is to run on: the devices of all OpenCL platforms, in the order that the platforms tell them. */
#ifndef MN_RUN_OPENCL_DEVICES_H
#define MN_RUN_OPENCL_DEVICES_H

#include "meniscus/meniscus.h"
#include "run/opencl/library.h"

enum { MN_DEVICES_MAX = 64 };

typedef struct mnFoundDevice {
    cl_platform_id platform;
    cl_device_id id;
    mnDeviceInfo info;
} mnFoundDevice;

typedef struct mnFoundDevices {
    mnFoundDevice all[MN_DEVICES_MAX];
    int count;
} mnFoundDevices;

/* Devices that can be used: they are available, have a compiler and OpenCL 1.2. None at all is an error. */
mnStatus mn_devices_find(const mnOpenCL *cl, mnFoundDevices *found, mnError *error);

/* NULL or "": the first GPU, else the first device; a number: that device; else the first one with this text in its own
 * or its platform's name, whatever the case. NULL where none fits, with an error that lists what there is. */
const mnFoundDevice *mn_devices_choose(const mnFoundDevices *found, const char *which, mnError *error);

#endif
