#include "run/opencl/library.h"

#include <CL/cl_ext.h>
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* POSIX has dlsym return a pointer to an object; C knows no cast from there to a function. */
static int find(void *library, const char *name, void *entry) {
    void *symbol = dlsym(library, name);
    memcpy(entry, &symbol, sizeof symbol);
    return symbol != NULL;
}

mnStatus mn_opencl_load_from(const char *const *names, mnOpenCL *cl, mnError *error) {
    void *library = NULL;
    for (int i = 0; names[i] && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return mn_error_set(error, MN_ERROR_DEVICE,
                            "OpenCL is not installed: %s was not found. Install an ICD loader and a driver, in Debian "
                            "ocl-icd-libopencl1 and your card's driver, or pocl-opencl-icd for the processor",
                            names[0]);
#define MN_OPENCL_FIND(name)                                                                                           \
    if (!find(library, #name, &cl->name))                                                                              \
        return mn_error_set(error, MN_ERROR_DEVICE,                                                                    \
                            "the OpenCL that is installed lacks %s: OpenCL 1.2 or newer is needed, in Debian "         \
                            "ocl-icd-libopencl1",                                                                      \
                            #name);
    MN_OPENCL_FUNCTIONS(MN_OPENCL_FIND)
#undef MN_OPENCL_FIND
    return MN_OK;
}

mnStatus mn_opencl_load(mnOpenCL *cl, mnError *error) {
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so",
                                        "/System/Library/Frameworks/OpenCL.framework/OpenCL", NULL};
    return mn_opencl_load_from(names, cl, error);
}

const char *mn_opencl_error_name(cl_int code) {
#define MN_OPENCL_NAME(name)                                                                                           \
    case name:                                                                                                         \
        return #name;
    switch (code) {
        MN_OPENCL_NAME(CL_SUCCESS)
        MN_OPENCL_NAME(CL_DEVICE_NOT_FOUND)
        MN_OPENCL_NAME(CL_DEVICE_NOT_AVAILABLE)
        MN_OPENCL_NAME(CL_COMPILER_NOT_AVAILABLE)
        MN_OPENCL_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        MN_OPENCL_NAME(CL_OUT_OF_RESOURCES)
        MN_OPENCL_NAME(CL_OUT_OF_HOST_MEMORY)
        MN_OPENCL_NAME(CL_PROFILING_INFO_NOT_AVAILABLE)
        MN_OPENCL_NAME(CL_MEM_COPY_OVERLAP)
        MN_OPENCL_NAME(CL_BUILD_PROGRAM_FAILURE)
        MN_OPENCL_NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET)
        MN_OPENCL_NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        MN_OPENCL_NAME(CL_INVALID_VALUE)
        MN_OPENCL_NAME(CL_INVALID_DEVICE_TYPE)
        MN_OPENCL_NAME(CL_INVALID_PLATFORM)
        MN_OPENCL_NAME(CL_INVALID_DEVICE)
        MN_OPENCL_NAME(CL_INVALID_CONTEXT)
        MN_OPENCL_NAME(CL_INVALID_QUEUE_PROPERTIES)
        MN_OPENCL_NAME(CL_INVALID_COMMAND_QUEUE)
        MN_OPENCL_NAME(CL_INVALID_MEM_OBJECT)
        MN_OPENCL_NAME(CL_INVALID_BINARY)
        MN_OPENCL_NAME(CL_INVALID_BUILD_OPTIONS)
        MN_OPENCL_NAME(CL_INVALID_PROGRAM)
        MN_OPENCL_NAME(CL_INVALID_PROGRAM_EXECUTABLE)
        MN_OPENCL_NAME(CL_INVALID_KERNEL_NAME)
        MN_OPENCL_NAME(CL_INVALID_KERNEL_DEFINITION)
        MN_OPENCL_NAME(CL_INVALID_KERNEL)
        MN_OPENCL_NAME(CL_INVALID_ARG_INDEX)
        MN_OPENCL_NAME(CL_INVALID_ARG_VALUE)
        MN_OPENCL_NAME(CL_INVALID_ARG_SIZE)
        MN_OPENCL_NAME(CL_INVALID_KERNEL_ARGS)
        MN_OPENCL_NAME(CL_INVALID_WORK_DIMENSION)
        MN_OPENCL_NAME(CL_INVALID_WORK_GROUP_SIZE)
        MN_OPENCL_NAME(CL_INVALID_WORK_ITEM_SIZE)
        MN_OPENCL_NAME(CL_INVALID_GLOBAL_OFFSET)
        MN_OPENCL_NAME(CL_INVALID_EVENT_WAIT_LIST)
        MN_OPENCL_NAME(CL_INVALID_EVENT)
        MN_OPENCL_NAME(CL_INVALID_OPERATION)
        MN_OPENCL_NAME(CL_INVALID_BUFFER_SIZE)
        MN_OPENCL_NAME(CL_INVALID_GLOBAL_WORK_SIZE)
        MN_OPENCL_NAME(CL_INVALID_PROPERTY)
        MN_OPENCL_NAME(CL_PLATFORM_NOT_FOUND_KHR)
    default:
        return "an unknown code";
    }
#undef MN_OPENCL_NAME
}
