/* A libOpenCL whose device fails when a test of the program says so: the program finds it by LD_LIBRARY_PATH in place
 * of the real one, which $MN_REAL_OPENCL names and which does all the work. $MN_FAULT is the function that fails after
 * $MN_FAULT_AFTER calls, and then always.
 *
 * Each function of the program's table is an ifunc, so that looking it up gives the real one without a forwarder of its
 * own. LD_PRELOAD would not do: the program asks the library it has opened and nobody else. */
#include "run/opencl/library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mnOpenCL real;

static void *look_up(const char *name) {
    static void *library;
    const char *path = getenv("MN_REAL_OPENCL");
    if (!library && path) library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

static bool is_faulty(const char *name) {
    const char *fault = getenv("MN_FAULT");
    return fault && strcmp(fault, name) == 0;
}

/* Whether a call of the faulty function still goes well. */
static bool works(void) {
    static long calls;
    const char *after = getenv("MN_FAULT_AFTER");
    return calls++ < (after ? atol(after) : 0);
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimension, const size_t *offset,
                     const size_t *global, const size_t *local, cl_uint count, const cl_event *list, cl_event *event) {
    if (!works()) return CL_OUT_OF_RESOURCES;
    return real.clEnqueueNDRangeKernel(queue, kernel, dimension, offset, global, local, count, list, event);
}

static cl_int read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool waits, size_t offset, size_t bytes, void *to,
                          cl_uint count, const cl_event *list, cl_event *event) {
    if (!works()) return CL_DEVICE_NOT_AVAILABLE;
    return real.clEnqueueReadBuffer(queue, buffer, waits, offset, bytes, to, count, list, event);
}

static cl_mem create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code) {
    if (works()) return real.clCreateBuffer(context, flags, bytes, host, code);
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

/* With an option that the kernels do not bear, so that the log is the driver's own. */
static cl_int build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                    void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
    char all[1024];
    snprintf(all, sizeof all, "%s%s", options, works() ? "" : " -DmnVec=+");
    return real.clBuildProgram(program, count, devices, all, notify, data);
}

static const struct {
    const char *name;
    void (*function)(void);
} faults[] = {{"clEnqueueNDRangeKernel", (void (*)(void))launch},
              {"clEnqueueReadBuffer", (void (*)(void))read_buffer},
              {"clCreateBuffer", (void (*)(void))create_buffer},
              {"clBuildProgram", (void (*)(void))build}};

/* Fills an entry of the table of real functions; returns what the program shall have in its place. */
static void (*choose(const char *name, void *entry))(void) {
    void *symbol = look_up(name);
    void (*chosen)(void);
    memcpy(entry, &symbol, sizeof symbol);
    memcpy(&chosen, &symbol, sizeof symbol);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        if (is_faulty(name) && strcmp(faults[k].name, name) == 0) chosen = faults[k].function;
    return chosen;
}

#define MN_FAULTY(name)                                                                                                \
    static __typeof__(name) *find_##name(void) {                                                                       \
        return (__typeof__(name) *)choose(#name, &real.name);                                                          \
    }                                                                                                                  \
    __typeof__(name) name __attribute__((ifunc("find_" #name)));
MN_OPENCL_FUNCTIONS(MN_FAULTY)
