/* The functions of OpenCL 1.2 that are used, found when the program runs.
 *
 * Nothing links to libOpenCL: the program starts without it and says what is missing when a device is asked for. The
 * functions are entries of a plain table that a device holds, so a test can put its own in their place. */
#ifndef MN_RUN_OPENCL_LIBRARY_H
#define MN_RUN_OPENCL_LIBRARY_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "meniscus/status.h"

#define MN_OPENCL_FUNCTIONS(FUNCTION)                                                                                  \
    FUNCTION(clGetPlatformIDs)                                                                                         \
    FUNCTION(clGetPlatformInfo)                                                                                        \
    FUNCTION(clGetDeviceIDs)                                                                                           \
    FUNCTION(clGetDeviceInfo)                                                                                          \
    FUNCTION(clCreateContext)                                                                                          \
    FUNCTION(clReleaseContext)                                                                                         \
    FUNCTION(clCreateCommandQueue)                                                                                     \
    FUNCTION(clReleaseCommandQueue)                                                                                    \
    FUNCTION(clFinish)                                                                                                 \
    FUNCTION(clCreateBuffer)                                                                                           \
    FUNCTION(clReleaseMemObject)                                                                                       \
    FUNCTION(clEnqueueReadBuffer)                                                                                      \
    FUNCTION(clEnqueueWriteBuffer)                                                                                     \
    FUNCTION(clEnqueueFillBuffer)                                                                                      \
    FUNCTION(clEnqueueCopyBuffer)                                                                                      \
    FUNCTION(clEnqueueMapBuffer)                                                                                       \
    FUNCTION(clEnqueueUnmapMemObject)                                                                                  \
    FUNCTION(clCreateProgramWithSource)                                                                                \
    FUNCTION(clCreateProgramWithBinary)                                                                                \
    FUNCTION(clBuildProgram)                                                                                           \
    FUNCTION(clGetProgramBuildInfo)                                                                                    \
    FUNCTION(clGetProgramInfo)                                                                                         \
    FUNCTION(clReleaseProgram)                                                                                         \
    FUNCTION(clCreateKernelsInProgram)                                                                                 \
    FUNCTION(clGetKernelInfo)                                                                                          \
    FUNCTION(clSetKernelArg)                                                                                           \
    FUNCTION(clReleaseKernel)                                                                                          \
    FUNCTION(clEnqueueNDRangeKernel)                                                                                   \
    FUNCTION(clGetEventProfilingInfo)                                                                                  \
    FUNCTION(clReleaseEvent)

typedef struct mnOpenCL {
#define MN_OPENCL_ENTRY(name) __typeof__(name) *name;
    MN_OPENCL_FUNCTIONS(MN_OPENCL_ENTRY)
#undef MN_OPENCL_ENTRY
} mnOpenCL;

/* Fills the table from the system's libOpenCL. The library then stays loaded: drivers do not bear being unloaded. */
mnStatus mn_opencl_load(mnOpenCL *cl, mnError *error);

/* The same from the first library of a list, ended by NULL, that can be opened. */
mnStatus mn_opencl_load_from(const char *const *names, mnOpenCL *cl, mnError *error);

/* "CL_OUT_OF_RESOURCES"; codes of vendors' own are "an unknown code". */
const char *mn_opencl_error_name(cl_int code);

#endif
