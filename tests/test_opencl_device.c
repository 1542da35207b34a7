/* OpenCL devices: finding and choosing them, buffers, launches, and what happens when one of these fails. Failures are
 * made by putting functions of our own into a device's table. */
#include "opencl_helpers.h"

#include "run/opencl/devices.h"
#include "run/opencl/program.h"

static const mnSource adder = {"adder.cl", "__kernel void add(__global int *a, int count, int value) {\n"
                                           "    int i = get_global_id(0);\n"
                                           "    if (i < count) a[i] += value;\n"
                                           "}\n"};

static mnProgram build_adder(mnDevice *device) {
    mnProgram program;
    mnStatus status = mn_program_build(device, &adder, 1, "", &program, &error);
    if (status != MN_OK) print_error("%s\n", error.text);
    assert_int_equal(status, MN_OK);
    return program;
}

static void launch_add(mnDevice *device, mnKernel *add, const mnBuffer *buffer, int32_t count, int32_t value) {
    mn_device_arg_buffer(device, add, 0, buffer);
    mn_device_arg(device, add, 1, sizeof count, &count);
    mn_device_arg(device, add, 2, sizeof value, &value);
    mn_device_launch(device, add, (size_t)count, mn_device_local(device, 64));
}

/* ---- finding and choosing ---------------------------------------------------------------------------------------- */

static void devices_are_listed(void **state) {
    (void)state;
    mnDeviceInfo list[MN_DEVICES_MAX] = {0};
    int count = 0, again = 0;
    assert_int_equal(mn_devices(NULL, 0, &count, &error), MN_OK);
    assert_true(count > 0);
    assert_int_equal(mn_devices(list, 1, &again, &error), MN_OK);
    assert_int_equal(again, count);
    assert_true(list[1].memory == 0); /* no more than asked for */
    assert_int_equal(mn_devices(list, MN_DEVICES_MAX, &count, NULL), MN_OK);
    for (int i = 0; i < count; i++) {
        assert_true(list[i].name[0] && list[i].platform[0] && list[i].driver[0] && list[i].version[0]);
        assert_true(list[i].memory > 0 && list[i].largest_allocation > 0 && list[i].compute_units > 0);
    }
}

static void devices_are_chosen(void **state) {
    (void)state;
    static mnFoundDevices found = {.count = 3,
                                   .all = {{.info = {.name = "Some Processor", .platform = "Portable"}},
                                           {.info = {.name = "GeForce RTX 4090", .platform = "CUDA", .is_gpu = true}},
                                           {.info = {.name = "GeForce RTX 4080", .platform = "CUDA", .is_gpu = true}}}};
    static const struct {
        const char *which;
        int index;
    } cases[] = {{NULL, 1},  {"", 1},     {"0", 0},    {"2", 2},       {"4080", 2},
                 {"RTX", 1}, {"cuda", 1}, {"some", 0}, {"PORTABLE", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_ptr_equal(mn_devices_choose(&found, cases[i].which, &error), &found.all[cases[i].index]);
    static const char *const refused[] = {"3", "-1", "radeon", "1.5"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_null(mn_devices_choose(&found, refused[i], &error));
        assert_int_equal(error.status, MN_ERROR_INPUT);
        assert_non_null(strstr(error.text, refused[i]));
        assert_non_null(strstr(error.text, "0: Some Processor (Portable), 1: GeForce RTX 4090"));
    }
    found.count = 1;
    assert_ptr_equal(mn_devices_choose(&found, NULL, &error), &found.all[0]);
    mnDevice *device;
    assert_int_equal(mn_device_open("no such device", false, &device, &error), MN_ERROR_INPUT);
    assert_null(device);
}

static cl_int no_platforms(cl_uint entries, cl_platform_id *platforms, cl_uint *count) {
    (void)entries;
    (void)platforms;
    (void)count;
    return -1001;
}

static void what_is_missing_is_told(void **state) {
    (void)state;
    mnOpenCL cl;
    static const char *const nowhere[] = {"libNoOpenCL.so.1", NULL}, *const other[] = {"libm.so.6", NULL};
    assert_int_equal(mn_opencl_load_from(nowhere, &cl, &error), MN_ERROR_DEVICE);
    assert_non_null(strstr(error.text, "libNoOpenCL.so.1"));
    assert_non_null(strstr(error.text, "pocl-opencl-icd"));
    assert_int_equal(mn_opencl_load_from(other, &cl, &error), MN_ERROR_DEVICE);
    assert_non_null(strstr(error.text, "clGetPlatformIDs"));
    assert_int_equal(mn_opencl_load(&cl, &error), MN_OK);
    cl.clGetPlatformIDs = no_platforms;
    mnFoundDevices found;
    assert_int_equal(mn_devices_find(&cl, &found, &error), MN_ERROR_DEVICE);
    assert_non_null(strstr(error.text, "pocl-opencl-icd"));
}

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

static void buffers_hold_what_was_written(void **state) {
    (void)state;
    mnDevice *device = open_device();
    enum { N = 1000 };
    int32_t in[N], out[N];
    for (int i = 0; i < N; i++) in[i] = i * i;
    mnBuffer a = make_buffer(device, sizeof in, in), b = make_buffer(device, sizeof in, NULL);
    assert_true(mn_device_held(device) == 2 * sizeof in);
    mn_buffer_read(device, &b, 0, sizeof out, out);
    for (int i = 0; i < N; i++) assert_int_equal(out[i], 0);
    const int32_t seven = 7;
    mn_buffer_fill(device, &b, 100 * sizeof seven, 200 * sizeof seven, &seven, sizeof seven);
    mn_buffer_copy(device, &a, 10 * sizeof seven, &b, 500 * sizeof seven, 300 * sizeof seven);
    mn_buffer_read(device, &b, 0, sizeof out, out);
    for (int i = 0; i < N; i++)
        assert_int_equal(out[i], i >= 100 && i < 300 ? 7 : i >= 500 && i < 800 ? in[i - 490] : 0);
    mn_buffer_read(device, &a, 999 * sizeof seven, sizeof seven, out);
    assert_int_equal(out[0], in[999]);
    check_device(device);
    mnBuffer empty = make_buffer(device, 0, NULL);
    mn_buffer_release(device, &empty);
    mn_buffer_release(device, &a);
    mn_buffer_release(device, &a);
    mn_buffer_release(device, &b);
    assert_true(mn_device_held(device) == 0);
    assert_true(mn_device_largest_held(device) > 2 * sizeof in);
    mn_device_close(device);
}

static cl_mem no_memory(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code) {
    (void)context;
    (void)flags;
    (void)bytes;
    (void)host;
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

static cl_int no_fill(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_bytes, size_t offset,
                      size_t bytes, cl_uint wait_count, const cl_event *waits, cl_event *event) {
    (void)queue;
    (void)buffer;
    (void)pattern;
    (void)pattern_bytes;
    (void)offset;
    (void)bytes;
    (void)wait_count;
    (void)waits;
    (void)event;
    return CL_OUT_OF_RESOURCES;
}

static void refuse_buffer(mnDevice *device, size_t bytes, const char *reason) {
    mnBuffer buffer;
    char asked[32];
    size_t held = mn_device_held(device);
    snprintf(asked, sizeof asked, "%zu bytes were asked", bytes);
    assert_int_equal(mn_buffer_create(device, "of a wish", bytes, &buffer, &error), MN_ERROR_MEMORY);
    assert_null(buffer.memory);
    assert_non_null(strstr(error.text, "of a wish"));
    assert_non_null(strstr(error.text, asked));
    assert_non_null(strstr(error.text, reason));
    assert_true(mn_device_held(device) == held);
    mn_buffer_release(device, &buffer);
    check_device(device);
}

static void too_much_memory_is_refused(void **state) {
    (void)state;
    mnDevice *device = open_device();
    mnBuffer held = make_buffer(device, 1008, NULL);
    refuse_buffer(device, SIZE_MAX, "one buffer");
    refuse_buffer(device, (size_t)device->info.largest_allocation + 1, "one buffer");
    device->info.memory = 3008;
    refuse_buffer(device, 2001, "more than is left");
    mnBuffer last = make_buffer(device, 2000, NULL);
    mn_buffer_release(device, &last);
    mnOpenCL working = device->cl;
    device->cl.clCreateBuffer = no_memory;
    refuse_buffer(device, 100, "CL_MEM_OBJECT_ALLOCATION_FAILURE");
    device->cl = working;
    device->cl.clEnqueueFillBuffer = no_fill; /* a driver that promised more than it has */
    refuse_buffer(device, 100, "CL_OUT_OF_RESOURCES");
    device->cl = working;
    mn_buffer_release(device, &held);
    mn_device_close(device);
}

/* ---- launches and failures --------------------------------------------------------------------------------------- */

static void kernels_run(void **state) {
    (void)state;
    mnDevice *device;
    assert_int_equal(mn_device_open(NULL, true, &device, &error), MN_OK);
    mnProgram program = build_adder(device);
    mnKernel *add = mn_program_kernel(device, &program, "add");
    enum { N = 1001, LAUNCHES = MN_TIMED_MAX + 10 };
    mnBuffer buffer = make_buffer(device, (N + 63) * sizeof(int32_t), NULL);
    for (int i = 0; i < LAUNCHES; i++) launch_add(device, add, &buffer, N, 2);
    launch_add(device, add, &buffer, 0, 2);
    int32_t out[N + 1];
    mn_buffer_read(device, &buffer, 0, sizeof out, out);
    for (int i = 0; i < N; i++) assert_int_equal(out[i], 2 * LAUNCHES);
    assert_int_equal(out[N], 0);
    mn_device_finish(device);
    check_device(device);
    assert_true(add->launches == LAUNCHES && add->seconds > 0);
    assert_null(mn_program_kernel(device, &program, "subtract"));
    assert_int_equal(mn_device_check(device, &error), MN_ERROR_DEVICE);
    assert_non_null(strstr(error.text, "subtract"));
    mn_buffer_release(device, &buffer);
    mn_program_release(device, &program);
    mn_device_close(device);
}

static cl_int launch_fails(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                           const size_t *global, const size_t *local, cl_uint wait_count, const cl_event *waits,
                           cl_event *event) {
    (void)queue;
    (void)kernel;
    (void)dimensions;
    (void)offset;
    (void)global;
    (void)local;
    (void)wait_count;
    (void)waits;
    (void)event;
    return CL_OUT_OF_RESOURCES;
}

static cl_int finish_fails(cl_command_queue queue) {
    (void)queue;
    return CL_DEVICE_NOT_AVAILABLE;
}

static cl_int read_fails(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t bytes, void *to,
                         cl_uint wait_count, const cl_event *waits, cl_event *event) {
    (void)queue;
    (void)buffer;
    (void)blocking;
    (void)offset;
    (void)wait_count;
    (void)waits;
    (void)event;
    memset(to, 0xff, bytes);
    return CL_OUT_OF_HOST_MEMORY;
}

/* Works on a device whose table was changed; what it does must end with this status and these words. */
static void fail_with(void (*change)(mnOpenCL *cl), mnStatus status, const char *place, const char *name) {
    mnDevice *device = open_device();
    mnProgram program = build_adder(device);
    mnKernel *add = mn_program_kernel(device, &program, "add");
    int32_t ones[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, out[10];
    mnBuffer buffer = make_buffer(device, sizeof ones, ones), other;
    mnOpenCL working = device->cl;
    change(&device->cl);
    launch_add(device, add, &buffer, 10, 1);
    mn_device_finish(device);
    mn_buffer_read(device, &buffer, 0, sizeof out, out);
    assert_int_equal(mn_device_check(device, &error), status);
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.text, place));
    assert_non_null(strstr(error.text, name));
    assert_non_null(strstr(error.text, device->info.name));
    assert_non_null(strstr(error.text, "CPU"));
    for (int i = 0; i < 10; i++) assert_int_equal(out[i], 0); /* not what the driver left there */

    /* It stays so: nothing is done any more, and the first failure is the one that is told. */
    char first[sizeof error.text];
    strcpy(first, error.text);
    device->cl = working;
    launch_add(device, add, &buffer, 10, 1);
    mn_buffer_fill(device, &buffer, 0, 4, ones, 3);
    mn_program_kernel(device, &program, "subtract");
    assert_int_equal(mn_device_check(device, &error), status);
    assert_string_equal(error.text, first);
    assert_int_equal(mn_buffer_create(device, "more", 100, &other, &error), status);
    assert_string_equal(error.text, first);
    mn_buffer_release(device, &buffer);
    mn_program_release(device, &program);
    assert_int_equal(mn_program_build(device, &adder, 1, "", &program, &error), status);
    mn_device_close(device);
}

static void change_launch(mnOpenCL *cl) {
    cl->clEnqueueNDRangeKernel = launch_fails;
}

static void change_finish(mnOpenCL *cl) {
    cl->clFinish = finish_fails;
    cl->clEnqueueReadBuffer = read_fails; /* comes later, so it is not what is told */
}

static void change_read(mnOpenCL *cl) {
    cl->clEnqueueReadBuffer = read_fails;
}

static void failures_are_remembered(void **state) {
    (void)state;
    fail_with(change_launch, MN_ERROR_DEVICE, "launching the kernel add", "CL_OUT_OF_RESOURCES");
    fail_with(change_finish, MN_ERROR_DEVICE, "waiting", "CL_DEVICE_NOT_AVAILABLE (-2)");
    assert_non_null(strstr(error.text, "lost"));
    fail_with(change_read, MN_ERROR_MEMORY, "reading the buffer of a test", "CL_OUT_OF_HOST_MEMORY");
}

int main(void) {
    if (!has_device()) return TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_are_listed),         cmocka_unit_test(devices_are_chosen),
        cmocka_unit_test(what_is_missing_is_told),    cmocka_unit_test(buffers_hold_what_was_written),
        cmocka_unit_test(too_much_memory_is_refused), cmocka_unit_test(kernels_run),
        cmocka_unit_test(failures_are_remembered),
    };
    return cmocka_run_group_tests(tests, make_cache, remove_folder);
}
