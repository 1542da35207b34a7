#include "run/opencl/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "run/opencl/cache.h"
#include "run/opencl/inside.h"

/* How much of a log an error's text shows. */
enum { LOG_SHOWN = 480 };

/* A program on its way: what it is made of and where it is kept. */
typedef struct Build {
    mnDevice *device;
    char *source;  /* owned */
    char *options; /* owned */
    char *path;    /* in the cache, without an ending; owned, NULL: there is no cache */
    cl_program program;
} Build;

static uint64_t hash_text(uint64_t hash, const char *text) {
    return mn_hash(hash, text, strlen(text) + 1);
}

static char *cache_path(const Build *build) {
    const mnDevice *device = build->device;
    char platform[1024] = "", name[32];
    device->cl.clGetPlatformInfo(device->platform, CL_PLATFORM_VERSION, sizeof platform - 1, platform, NULL);
    uint64_t hash = hash_text(MN_HASH_START, build->source);
    hash = hash_text(hash, build->options);
    hash = hash_text(hash, platform);
    const mnDeviceInfo *info = &device->info;
    const char *const texts[] = {info->platform, info->name, info->driver, info->version};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) hash = hash_text(hash, texts[i]);
    snprintf(name, sizeof name, "%016llx", (unsigned long long)hash);
    char *folder = mn_cache_folder();
    char *path = folder ? mn_path_join(folder, name) : NULL;
    free(folder);
    return path;
}

/* The path in the cache with an ending, such as ".bin"; owned by the caller. */
static char *file_of(const Build *build, const char *ending) {
    if (!build->path) return NULL;
    size_t bytes = strlen(build->path) + strlen(ending) + 1;
    char *path = malloc(bytes);
    if (path) snprintf(path, bytes, "%s%s", build->path, ending);
    return path;
}

static cl_int compile(Build *build) {
    return build->device->cl.clBuildProgram(build->program, 1, &build->device->id, build->options, NULL, NULL);
}

static void drop(Build *build) {
    if (build->program) build->device->cl.clReleaseProgram(build->program);
    build->program = NULL;
}

static bool take_from_cache(Build *build) {
    const mnDevice *device = build->device;
    char *path = file_of(build, ".bin");
    unsigned char *bytes = NULL;
    size_t count = 0;
    if (path && mn_cache_read(path, &bytes, &count)) {
        const unsigned char *binary = bytes;
        cl_int code, state = CL_SUCCESS;
        build->program =
            device->cl.clCreateProgramWithBinary(device->context, 1, &device->id, &count, &binary, &state, &code);
        if (code != CL_SUCCESS || state != CL_SUCCESS || compile(build) != CL_SUCCESS) drop(build);
    }
    free(bytes);
    free(path);
    return build->program != NULL;
}

static void put_into_cache(const Build *build) {
    const mnOpenCL *cl = &build->device->cl;
    char *path = file_of(build, ".bin");
    size_t count = 0;
    cl_int code = cl->clGetProgramInfo(build->program, CL_PROGRAM_BINARY_SIZES, sizeof count, &count, NULL);
    unsigned char *bytes = path && code == CL_SUCCESS && count > 0 ? malloc(count) : NULL;
    if (bytes && cl->clGetProgramInfo(build->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS)
        mn_cache_write(path, bytes, count);
    free(bytes);
    free(path);
}

/* The compiler's log, owned by the caller; NULL where there is none. */
static char *read_log(const Build *build) {
    const mnOpenCL *cl = &build->device->cl;
    cl_device_id id = build->device->id;
    size_t bytes = 0;
    if (cl->clGetProgramBuildInfo(build->program, id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) != CL_SUCCESS) return NULL;
    char *log = calloc(1, bytes + 1);
    if (log) cl->clGetProgramBuildInfo(build->program, id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    return log;
}

static bool keep_log(const char *path, const char *log) {
    mnFile file;
    if (!path || !log || mn_file_check(path, NULL) != MN_OK || mn_file_create(&file, path, NULL) != MN_OK) return false;
    mn_file_put(&file, log, strlen(log));
    return mn_file_commit(&file, NULL) == MN_OK;
}

static mnStatus refused(const Build *build, cl_int code, mnError *error) {
    char *log = build->program ? read_log(build) : NULL, *path = file_of(build, ".log");
    bool is_kept = keep_log(path, log);
    mnStatus status = mn_error_set(
        error, mn_is_out_of_memory(code) ? MN_ERROR_MEMORY : MN_ERROR_DEVICE,
        "%s, driver %s, does not build the kernels: %s (%d); another driver, another device or the CPU may help. The "
        "log%s%s%s begins: %.*s",
        build->device->info.name, build->device->info.driver, mn_opencl_error_name(code), (int)code,
        is_kept ? " is kept in " : "", is_kept ? path : "", is_kept ? " and" : "", LOG_SHOWN, log ? log : "");
    free(path);
    free(log);
    return status;
}

static mnStatus build_from_source(Build *build, mnError *error) {
    const mnDevice *device = build->device;
    const char *text = build->source;
    cl_int code;
    build->program = device->cl.clCreateProgramWithSource(device->context, 1, &text, NULL, &code);
    if (code == CL_SUCCESS) code = compile(build);
    if (code != CL_SUCCESS) return refused(build, code, error);
    put_into_cache(build);
    return MN_OK;
}

/* All kernels of a program, each with its name. */
static cl_int create_kernels(mnDevice *device, mnProgram *program) {
    const mnOpenCL *cl = &device->cl;
    cl_uint count = 0;
    cl_int code = cl->clCreateKernelsInProgram(program->object, 0, NULL, &count);
    if (code != CL_SUCCESS) return code;
    cl_kernel *objects = calloc(count ? count : 1, sizeof *objects);
    program->kernels = calloc(count ? count : 1, sizeof *program->kernels);
    code = objects && program->kernels ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (code == CL_SUCCESS && count > 0) code = cl->clCreateKernelsInProgram(program->object, count, objects, NULL);
    for (cl_uint i = 0; code == CL_SUCCESS && i < count; i++) {
        mnKernel *kernel = &program->kernels[program->kernel_count++];
        kernel->object = objects[i];
        cl->clGetKernelInfo(objects[i], CL_KERNEL_FUNCTION_NAME, sizeof kernel->name, kernel->name, NULL);
    }
    free(objects);
    return code;
}

static char *all_options(const mnDevice *device, const char *options) {
    const char *always = device->info.has_double ? "-cl-std=CL1.2 -w -DMN_HAS_DOUBLE=1 " : "-cl-std=CL1.2 -w ";
    size_t bytes = strlen(always) + strlen(options) + 1;
    char *text = malloc(bytes);
    if (text) snprintf(text, bytes, "%s%s", always, options);
    return text;
}

mnStatus mn_program_build(mnDevice *device, const mnSource *sources, int count, const char *options, mnProgram *program,
                          mnError *error) {
    *program = (mnProgram){0};
    mnStatus status = mn_device_check(device, error);
    if (status != MN_OK) return status;
    Build build = {device, mn_source_join(sources, count), all_options(device, options), NULL, NULL};
    if (!build.source || !build.options) {
        status = mn_error_set(error, MN_ERROR_MEMORY, "no memory left to build kernels");
    } else {
        build.path = cache_path(&build);
        program->was_cached = take_from_cache(&build);
        if (!program->was_cached) status = build_from_source(&build, error);
    }
    program->object = build.program;
    if (status == MN_OK) {
        cl_int code = create_kernels(device, program);
        if (code != CL_SUCCESS) status = mn_device_fail(device, code, "creating kernels", error);
    }
    if (status != MN_OK) mn_program_release(device, program);
    free(build.source);
    free(build.options);
    free(build.path);
    return status;
}

void mn_program_release(mnDevice *device, mnProgram *program) {
    if (program->object) mn_device_finish(device);
    for (int i = 0; i < program->kernel_count; i++) device->cl.clReleaseKernel(program->kernels[i].object);
    if (program->object) device->cl.clReleaseProgram(program->object);
    free(program->kernels);
    *program = (mnProgram){0};
}

mnKernel *mn_program_kernel(mnDevice *device, const mnProgram *program, const char *name) {
    for (int i = 0; i < program->kernel_count; i++)
        if (strcmp(program->kernels[i].name, name) == 0) return &program->kernels[i];
    mn_device_judge(device, CL_INVALID_KERNEL_NAME, "finding the kernel", name);
    return NULL;
}
