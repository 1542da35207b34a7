/* A device that kernels run on, and the memory it has for us.
 *
 * One context and one queue, worked off in order. Buffers are created with a check of their own, because being refused
 * memory harms nothing. Everything else remembers its first failure instead: what failed, on what, with which code.
 * From then on every call does nothing (a read gives zeros), so a step can be written without a check behind each
 * launch and asks mn_device_check once before it believes a result. A device that has failed stays so.
 *
 * A device and all that was made from it belong to one simulation; calls must not overlap. Types of OpenCL itself
 * appear by tag only, so that this page can be read by a build without its headers. */
#ifndef MN_RUN_OPENCL_DEVICE_H
#define MN_RUN_OPENCL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "meniscus/meniscus.h"

typedef struct mnDevice mnDevice;

/* Memory on the device. A zeroed struct is no buffer; so is what release leaves. */
typedef struct mnBuffer {
    struct _cl_mem *memory;
    size_t bytes;
    const char *name; /* for messages; not copied */
} mnBuffer;

/* Owned by its program (program.h). */
typedef struct mnKernel {
    struct _cl_kernel *object;
    char name[64];
    int64_t launches;
    double seconds; /* on the device, as far as mn_device_finish has seen; only where the device is profiled */
} mnKernel;

/* `which` as mn_devices_choose takes it: NULL or "" for the first GPU, else the first device; a number of mn_devices;
 * a part of a name. `profiled` has every launch timed, which costs some time itself. */
mnStatus mn_device_open(const char *which, bool profiled, mnDevice **device, mnError *error);

/* Buffers and programs of the device must have been released. NULL is allowed. */
void mn_device_close(mnDevice *device);

const mnDeviceInfo *mn_device_info(const mnDevice *device);
size_t mn_device_held(const mnDevice *device);         /* bytes in buffers now */
size_t mn_device_largest_held(const mnDevice *device); /* and at most so far */

/* The largest power of two up to `most` that may be the size of a work-group. */
size_t mn_device_local(const mnDevice *device, size_t most);

/* Waits until everything launched so far has ended. */
void mn_device_finish(mnDevice *device);

/* Tells the first failure: MN_ERROR_MEMORY or MN_ERROR_DEVICE. It does not wait; reading a buffer or finishing does. */
mnStatus mn_device_check(const mnDevice *device, mnError *error);

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* Zeroed, and so really there: drivers that promise memory before they have it are found out here. Zero bytes give a
 * small buffer. On failure nothing is left behind and the device goes on as before. */
mnStatus mn_buffer_create(mnDevice *device, const char *name, size_t bytes, mnBuffer *buffer, mnError *error);
void mn_buffer_release(mnDevice *device, mnBuffer *buffer);

/* To and from the host; both return when it is done. Where reading fails mn_buffer_try_read leaves what was there. */
void mn_buffer_write(mnDevice *device, const mnBuffer *to, size_t offset, size_t bytes, const void *from);
void mn_buffer_read(mnDevice *device, const mnBuffer *from, size_t offset, size_t bytes, void *to);
bool mn_buffer_try_read(mnDevice *device, const mnBuffer *from, size_t offset, size_t bytes, void *to);

/* On the device, in the order of the queue. A pattern has 1, 2, 4, 8 or 16 bytes; offset and bytes are multiples of
 * that. What is copied must not overlap. */
void mn_buffer_fill(mnDevice *device, const mnBuffer *to, size_t offset, size_t bytes, const void *pattern,
                    size_t pattern_bytes);
void mn_buffer_copy(mnDevice *device, const mnBuffer *from, size_t from_offset, const mnBuffer *to, size_t to_offset,
                    size_t bytes);

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

/* Arguments stay until they are set again. A NULL `value` asks for local memory of `bytes`. */
void mn_device_arg(mnDevice *device, mnKernel *kernel, int index, size_t bytes, const void *value);
void mn_device_arg_buffer(mnDevice *device, mnKernel *kernel, int index, const mnBuffer *buffer);

/* Runs for `global` items, rounded up to whole groups of `local`, so a kernel must look whether its index counts. None
 * at all is allowed. A `local` of 0 leaves the choice to the driver. */
void mn_device_launch(mnDevice *device, mnKernel *kernel, size_t global, size_t local);

#endif
