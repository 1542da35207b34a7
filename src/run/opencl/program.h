/* Programs for a device: kernels compiled from sources when the program runs, and kept in the user's cache.
 *
 * What is kept is found by sources, options, device and versions of its driver and platform, so a change of any of them
 * compiles anew. A file that is damaged, or that the driver no longer takes, is compiled anew as well and replaced. */
#ifndef MN_RUN_OPENCL_PROGRAM_H
#define MN_RUN_OPENCL_PROGRAM_H

#include "run/opencl/device.h"
#include "run/opencl/source.h"

typedef struct mnProgram {
    struct _cl_program *object;
    mnKernel *kernels; /* owned */
    int kernel_count;
    bool was_cached; /* whether compiling was spared */
} mnProgram;

/* Builds with "-cl-std=CL1.2", without warnings, which some drivers print, with MN_HAS_DOUBLE defined where the device
 * has doubles, and the options. When the compiler refuses, the error has the first lines of its log and names the file
 * that has all of it. */
mnStatus mn_program_build(mnDevice *device, const mnSource *sources, int count, const char *options, mnProgram *program,
                          mnError *error);

/* Waits for what was launched. A zeroed program is allowed. */
void mn_program_release(mnDevice *device, mnProgram *program);

/* The kernel of that name; valid as long as the program. Where there is none the device has failed. */
mnKernel *mn_program_kernel(mnDevice *device, const mnProgram *program, const char *name);

#endif
