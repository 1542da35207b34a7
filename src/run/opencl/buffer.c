#include <stdio.h>
#include <string.h>

#include "run/opencl/inside.h"

/* OpenCL has no buffers of nothing. */
enum { SMALLEST = 64, GRAIN = 16 }; /* bytes; sizes are multiples of the latter */
static const size_t FILLED_AT_ONCE = (size_t)1 << 30;

static mnStatus refuse(const mnDevice *device, const char *name, size_t bytes, const char *reason, mnError *error) {
    return mn_error_set(error, MN_ERROR_MEMORY,
                        "no memory for the buffer %s on %s: %zu bytes were asked for, %zu are held, and the device has "
                        "%zu, at most %zu in one buffer (%s); take a larger spacing, a device with more memory, or the "
                        "CPU",
                        name, device->info.name, bytes, device->held, (size_t)device->info.memory,
                        (size_t)device->info.largest_allocation, reason);
}

/* Drivers give memory when it is first used, so it is. By one byte at a time NVIDIA's loses the device beyond 2 GB. */
static cl_int occupy(mnDevice *device, const mnBuffer *buffer) {
    const mnOpenCL *cl = &device->cl;
    const cl_uchar zeros[GRAIN] = {0};
    cl_int code = CL_SUCCESS;
    for (size_t offset = 0; offset < buffer->bytes && code == CL_SUCCESS; offset += FILLED_AT_ONCE) {
        size_t bytes = buffer->bytes - offset < FILLED_AT_ONCE ? buffer->bytes - offset : FILLED_AT_ONCE;
        code = cl->clEnqueueFillBuffer(device->queue, buffer->memory, zeros, GRAIN, offset, bytes, 0, NULL, NULL);
    }
    return code == CL_SUCCESS ? cl->clFinish(device->queue) : code;
}

mnStatus mn_buffer_create(mnDevice *device, const char *name, size_t bytes, mnBuffer *buffer, mnError *error) {
    *buffer = (mnBuffer){.name = name, .bytes = bytes > SMALLEST ? (bytes + GRAIN - 1) / GRAIN * GRAIN : SMALLEST};
    /* Trouble of earlier launches must not be taken for a lack of memory. */
    mn_device_finish(device);
    if (!mn_device_works(device)) return mn_device_check(device, error);
    const mnDeviceInfo *info = &device->info;
    if (bytes > info->largest_allocation) return refuse(device, name, bytes, "more than fits in one buffer", error);
    if (device->held > info->memory || buffer->bytes > info->memory - device->held)
        return refuse(device, name, bytes, "more than is left", error);
    cl_int code;
    buffer->memory = device->cl.clCreateBuffer(device->context, CL_MEM_READ_WRITE, buffer->bytes, NULL, &code);
    if (code == CL_SUCCESS) {
        code = occupy(device, buffer);
        if (code != CL_SUCCESS) device->cl.clReleaseMemObject(buffer->memory);
    }
    if (code != CL_SUCCESS) {
        buffer->memory = NULL;
        if (mn_is_out_of_memory(code) || code == CL_OUT_OF_RESOURCES || code == CL_INVALID_BUFFER_SIZE)
            return refuse(device, name, bytes, mn_opencl_error_name(code), error);
        char place[128];
        snprintf(place, sizeof place, "creating the buffer %s", name);
        return mn_device_fail(device, code, place, error);
    }
    device->held += buffer->bytes;
    if (device->held > device->largest_held) device->largest_held = device->held;
    return MN_OK;
}

void mn_buffer_release(mnDevice *device, mnBuffer *buffer) {
    if (buffer->memory) {
        device->cl.clReleaseMemObject(buffer->memory);
        device->held -= buffer->bytes;
    }
    *buffer = (mnBuffer){0};
}

void mn_buffer_write(mnDevice *device, const mnBuffer *to, size_t offset, size_t bytes, const void *from) {
    if (!mn_device_works(device) || bytes == 0) return;
    cl_int code =
        device->cl.clEnqueueWriteBuffer(device->queue, to->memory, CL_TRUE, offset, bytes, from, 0, NULL, NULL);
    mn_device_judge(device, code, "writing the buffer", to->name);
}

/* What is small, sums above all, comes by way of pinned memory, which spares the driver a copy of its own making. */
bool mn_buffer_try_read(mnDevice *device, const mnBuffer *from, size_t offset, size_t bytes, void *to) {
    if (mn_device_works(device) && bytes > 0) {
        void *first = bytes <= MN_STAGED_BYTES ? device->staged : to;
        cl_int code =
            device->cl.clEnqueueReadBuffer(device->queue, from->memory, CL_TRUE, offset, bytes, first, 0, NULL, NULL);
        if (mn_device_judge(device, code, "reading the buffer", from->name) && first != to) memcpy(to, first, bytes);
    }
    return mn_device_works(device);
}

void mn_buffer_read(mnDevice *device, const mnBuffer *from, size_t offset, size_t bytes, void *to) {
    if (!mn_buffer_try_read(device, from, offset, bytes, to)) memset(to, 0, bytes);
}

void mn_buffer_fill(mnDevice *device, const mnBuffer *to, size_t offset, size_t bytes, const void *pattern,
                    size_t pattern_bytes) {
    if (!mn_device_works(device) || bytes == 0) return;
    cl_int code =
        device->cl.clEnqueueFillBuffer(device->queue, to->memory, pattern, pattern_bytes, offset, bytes, 0, NULL, NULL);
    mn_device_judge(device, code, "filling the buffer", to->name);
}

void mn_buffer_copy(mnDevice *device, const mnBuffer *from, size_t from_offset, const mnBuffer *to, size_t to_offset,
                    size_t bytes) {
    if (!mn_device_works(device) || bytes == 0) return;
    cl_int code = device->cl.clEnqueueCopyBuffer(device->queue, from->memory, to->memory, from_offset, to_offset, bytes,
                                                 0, NULL, NULL);
    mn_device_judge(device, code, "copying the buffer", from->name);
}
