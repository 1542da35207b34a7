#include "run/opencl/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "run/opencl/devices.h"
#include "run/opencl/inside.h"

bool mn_device_judge(mnDevice *device, cl_int code, const char *doing, const char *name) {
    if (code == CL_SUCCESS) return true;
    if (mn_device_works(device)) {
        device->failure = code;
        snprintf(device->place, sizeof device->place, "%s%s%s", doing, name ? " " : "", name ? name : "");
    }
    return false;
}

/* What the user can do about it. */
static const char *remedy(cl_int code) {
    if (mn_is_out_of_memory(code))
        return "it is out of memory; take a larger spacing, a device with more memory, or the CPU";
    switch (code) {
    case CL_OUT_OF_RESOURCES:
        return "it ran out of memory or time, or a kernel went wrong; take a larger spacing, another device, or the "
               "CPU";
    case CL_DEVICE_NOT_AVAILABLE:
    case CL_DEVICE_NOT_FOUND:
    case CL_INVALID_COMMAND_QUEUE:
    case CL_INVALID_CONTEXT:
        return "it was lost; the system's log may tell why. Load its driver anew, or take another device or the CPU";
    default:
        return "the program or the driver is at fault; try another driver, another device, or the CPU";
    }
}

mnStatus mn_device_fail(const mnDevice *device, cl_int code, const char *place, mnError *error) {
    return mn_error_set(error, mn_is_out_of_memory(code) ? MN_ERROR_MEMORY : MN_ERROR_DEVICE,
                        "%s failed with %s (%d) on %s, driver %s, which holds %zu of %zu bytes: %s", place,
                        mn_opencl_error_name(code), (int)code, device->info.name, device->info.driver, device->held,
                        (size_t)device->info.memory, remedy(code));
}

mnStatus mn_device_check(const mnDevice *device, mnError *error) {
    return mn_device_works(device) ? MN_OK : mn_device_fail(device, device->failure, device->place, error);
}

static mnStatus choose(mnDevice *device, const char *which, mnError *error) {
    mnFoundDevices found;
    mnStatus status = mn_opencl_load(&device->cl, error);
    if (status == MN_OK) status = mn_devices_find(&device->cl, &found, error);
    if (status != MN_OK) return status;
    const mnFoundDevice *chosen = mn_devices_choose(&found, which, error);
    if (!chosen) return MN_ERROR_INPUT;
    device->platform = chosen->platform;
    device->id = chosen->id;
    device->info = chosen->info;
    return MN_OK;
}

static cl_int open_queue(mnDevice *device, bool profiled) {
    const mnOpenCL *cl = &device->cl;
    const cl_context_properties context[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)device->platform, 0};
    const cl_command_queue_properties queue = profiled ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_int code;
    device->context = cl->clCreateContext(context, 1, &device->id, NULL, NULL, &code);
    if (code == CL_SUCCESS) device->queue = cl->clCreateCommandQueue(device->context, device->id, queue, &code);
    if (code != CL_SUCCESS || !profiled) return code;
    device->timed = calloc(MN_TIMED_MAX, sizeof *device->timed);
    return device->timed ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static cl_int open_stage(mnDevice *device) {
    const mnOpenCL *cl = &device->cl;
    cl_int code;
    device->pinned = cl->clCreateBuffer(device->context, CL_MEM_ALLOC_HOST_PTR, MN_STAGED_BYTES, NULL, &code);
    if (code == CL_SUCCESS)
        device->staged = cl->clEnqueueMapBuffer(device->queue, device->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                                MN_STAGED_BYTES, 0, NULL, NULL, &code);
    return code;
}

mnStatus mn_device_open(const char *which, bool profiled, mnDevice **out, mnError *error) {
    *out = NULL;
    mnDevice *device = calloc(1, sizeof *device);
    if (!device) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to open a device");
    mnStatus status = choose(device, which, error);
    if (status == MN_OK) {
        if (mn_device_judge(device, open_queue(device, profiled), "opening the device", NULL))
            mn_device_judge(device, open_stage(device), "mapping memory of the host", NULL);
        status = mn_device_check(device, error);
    }
    if (status == MN_OK)
        *out = device;
    else
        mn_device_close(device);
    return status;
}

void mn_device_close(mnDevice *device) {
    if (!device) return;
    for (int i = 0; i < device->timed_count; i++) device->cl.clReleaseEvent(device->timed[i].event);
    if (device->staged)
        device->cl.clEnqueueUnmapMemObject(device->queue, device->pinned, device->staged, 0, NULL, NULL);
    if (device->pinned) device->cl.clReleaseMemObject(device->pinned);
    if (device->queue) device->cl.clReleaseCommandQueue(device->queue);
    if (device->context) device->cl.clReleaseContext(device->context);
    free(device->timed);
    free(device);
}

const mnDeviceInfo *mn_device_info(const mnDevice *device) {
    return &device->info;
}

size_t mn_device_held(const mnDevice *device) {
    return device->held;
}

size_t mn_device_largest_held(const mnDevice *device) {
    return device->largest_held;
}

size_t mn_device_local(const mnDevice *device, size_t most) {
    size_t group = 1, items[8] = {1};
    const mnOpenCL *cl = &device->cl;
    cl->clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL);
    cl->clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof items, items, NULL);
    size_t local = 1;
    while (2 * local <= most && 2 * local <= group && 2 * local <= items[0]) local *= 2;
    return local;
}

/* Asks the launches of a profiled device how long they took; they have ended. */
static void collect_times(mnDevice *device) {
    const mnOpenCL *cl = &device->cl;
    for (int i = 0; i < device->timed_count; i++) {
        cl_event event = device->timed[i].event;
        cl_ulong start = 0, end = 0;
        cl_int code = cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
        if (code == CL_SUCCESS)
            code = cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
        if (code == CL_SUCCESS) device->timed[i].kernel->seconds += 1e-9 * (double)(end - start);
        cl->clReleaseEvent(event);
    }
    device->timed_count = 0;
}

void mn_device_finish(mnDevice *device) {
    if (!mn_device_works(device)) return;
    if (mn_device_judge(device, device->cl.clFinish(device->queue), "waiting for the device", NULL))
        collect_times(device);
}

void mn_device_arg(mnDevice *device, mnKernel *kernel, int index, size_t bytes, const void *value) {
    if (!mn_device_works(device)) return;
    mn_device_judge(device, device->cl.clSetKernelArg(kernel->object, (cl_uint)index, bytes, value),
                    "setting an argument of the kernel", kernel->name);
}

void mn_device_arg_buffer(mnDevice *device, mnKernel *kernel, int index, const mnBuffer *buffer) {
    mn_device_arg(device, kernel, index, sizeof buffer->memory, &buffer->memory);
}

void mn_device_launch(mnDevice *device, mnKernel *kernel, size_t global, size_t local) {
    if (!mn_device_works(device) || global == 0) return;
    if (local > 0) global = (global + local - 1) / local * local;
    if (device->timed_count == MN_TIMED_MAX) mn_device_finish(device);
    cl_event *event = device->timed ? &device->timed[device->timed_count].event : NULL;
    cl_int code = device->cl.clEnqueueNDRangeKernel(device->queue, kernel->object, 1, NULL, &global,
                                                    local > 0 ? &local : NULL, 0, NULL, event);
    if (!mn_device_judge(device, code, "launching the kernel", kernel->name)) return;
    kernel->launches++;
    if (event) device->timed[device->timed_count++].kernel = kernel;
}
