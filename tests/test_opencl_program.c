/* Programs for OpenCL devices: how sources are joined, what the cache does, and how a refusal to build is told. */
#include <dirent.h>

#include "opencl_helpers.h"
#include "run/opencl/cache.h"
#include "run/opencl/program.h"

static const mnSource setter = {"setter.cl", "__kernel void set(__global int *a) {\n"
                                             "    a[get_global_id(0)] = VALUE;\n"
                                             "}\n"};

static void assert_has(const char *text, const char *part) {
    if (!strstr(text, part)) print_error("no \"%s\" in: %s\n", part, text);
    assert_non_null(strstr(text, part));
}

/* The path of the only file of the cache with that ending; "" where there is none. Valid until the next call. */
static const char *cached_file(const char *ending) {
    static char path[512];
    char *cache = mn_cache_folder();
    assert_non_null(cache);
    path[0] = '\0';
    DIR *listing = opendir(cache);
    assert_non_null(listing);
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ending) != 0) continue;
        assert_string_equal(path, "");
        snprintf(path, sizeof path, "%s/%s", cache, entry->d_name);
    }
    closedir(listing);
    free(cache);
    return path;
}

static void empty_cache(void) {
    char *cache = mn_cache_folder();
    char command[512];
    snprintf(command, sizeof command, "rm -f %s/*", cache);
    assert_int_equal(system(command), 0);
    free(cache);
}

/* Builds, sees that what was built works, and returns whether it came from the cache. */
static bool build_and_run(mnDevice *device, const char *options, int expected) {
    mnProgram program;
    mnStatus status = mn_program_build(device, &setter, 1, options, &program, &error);
    if (status != MN_OK) print_error("%s\n", error.text);
    assert_int_equal(status, MN_OK);
    bool was_cached = program.was_cached;
    mnKernel *set = mn_program_kernel(device, &program, "set");
    mnBuffer buffer = make_buffer(device, 10 * sizeof(int32_t), NULL);
    int32_t out[10];
    mn_device_arg_buffer(device, set, 0, &buffer);
    mn_device_launch(device, set, 10, 0);
    mn_buffer_read(device, &buffer, 0, sizeof out, out);
    check_device(device);
    for (int i = 0; i < 10; i++) assert_int_equal(out[i], expected);
    mn_buffer_release(device, &buffer);
    mn_program_release(device, &program);
    return was_cached;
}

static void sources_are_joined(void **state) {
    (void)state;
    const mnSource parts[] = {{"one.cl", "first\n#include \"kernels/spline.h\"\n#include \"kernels/lanes.h\"\nlast"},
                              {"two.cl", "#include \"elsewhere.h\"\n#include <math.h>\n"}};
    char *text = mn_source_join(parts, 2);
    assert_non_null(text);
    assert_true(strncmp(text, "#line 1 \"one.cl\"\nfirst\n#line 1 \"kernels/spline.h\"\n", 50) == 0);
    const char *language = strstr(text, "#line 1 \"kernels/language.h\""), *pair = strstr(text, "} mnPair;");
    assert_true(language && pair && language < pair);
    assert_null(strstr(language + 1, "#line 1 \"kernels/language.h\""));
    assert_null(strstr(text, "#include \"kernels/"));
    assert_has(text, "#line 3 \"one.cl\"\n\nlast\n#line 1 \"two.cl\"\n#include \"elsewhere.h\"\n#include <math.h>\n");
    free(text);
    char *again = mn_source_join((mnSource[]){mn_source("kernels/lanes.h"), mn_source("kernels/language.h")}, 2);
    assert_non_null(again);
    language = strstr(again, "#line 1 \"kernels/language.h\"");
    assert_true(language && !strstr(language + 1, "#line 1 \"kernels/language.h\""));
    free(again);
}

static void binaries_are_kept(void **state) {
    (void)state;
    empty_cache();
    mnDevice *device = open_device();
    assert_false(build_and_run(device, "-DVALUE=7", 7));
    assert_true(build_and_run(device, "-DVALUE=7", 7));
    assert_false(build_and_run(device, "-DVALUE=8", 8));
    assert_true(build_and_run(device, "-DVALUE=8", 8));
    strcpy(device->info.driver, "another");
    assert_false(build_and_run(device, "-DVALUE=7", 7));
    mn_device_close(device);
    device = open_device();
    assert_true(build_and_run(device, "-DVALUE=7", 7));
    mn_device_close(device);
}

/* Changes the cached file and sees that it is not believed, but made anew and believed then. */
static void spoil(mnDevice *device, long at, int byte, long length) {
    FILE *file = fopen(cached_file(".bin"), "r+b");
    assert_non_null(file);
    if (byte >= 0) {
        fseek(file, at, SEEK_SET);
        int before = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(before ^ byte, file);
    }
    fclose(file);
    if (length >= 0) assert_int_equal(truncate(cached_file(".bin"), length), 0);
    assert_false(build_and_run(device, "-DVALUE=5", 5));
    assert_true(build_and_run(device, "-DVALUE=5", 5));
}

static cl_program no_binary(cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
                            const unsigned char **binaries, cl_int *states, cl_int *code) {
    (void)context;
    (void)count;
    (void)devices;
    (void)lengths;
    (void)binaries;
    *states = *code = CL_INVALID_BINARY;
    return NULL;
}

static void bad_binaries_are_not_used(void **state) {
    (void)state;
    empty_cache();
    mnDevice *device = open_device();
    assert_false(build_and_run(device, "-DVALUE=5", 5));
    spoil(device, 3, 1, -1);   /* of another kind */
    spoil(device, 9, 1, -1);   /* of another length */
    spoil(device, 500, 1, -1); /* another content */
    spoil(device, 0, -1, 700); /* cut */
    spoil(device, 0, -1, 10);
    spoil(device, 0, -1, 0);
    unsigned char *bytes;
    size_t count;
    const char *path = cached_file(".bin");
    mn_cache_write(path, "well kept nonsense", 18);
    assert_true(mn_cache_read(path, &bytes, &count) && count == 18);
    free(bytes);
    assert_false(build_and_run(device, "-DVALUE=5", 5)); /* whole, but the driver does not take it */
    assert_true(build_and_run(device, "-DVALUE=5", 5));
    device->cl.clCreateProgramWithBinary = no_binary;
    assert_false(build_and_run(device, "-DVALUE=5", 5));
    mn_device_close(device);
}

static void a_cache_is_not_needed(void **state) {
    (void)state;
    mnDevice *device = open_device();
    write_text("plain", "");
    setenv("XDG_CACHE_HOME", path_of("plain"), 1);
    assert_null(mn_cache_folder());
    assert_false(build_and_run(device, "-DVALUE=6", 6));
    assert_false(build_and_run(device, "-DVALUE=6", 6));
    mnProgram program;
    assert_int_equal(mn_program_build(device, &setter, 1, "", &program, &error), MN_ERROR_DEVICE);
    assert_has(error.text, "VALUE");
    char *home = strdup(getenv("HOME") ? getenv("HOME") : "/");
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    setenv("HOME", folder, 1);
    char *cache = mn_cache_folder();
    assert_non_null(cache);
    assert_string_equal(cache, path_of(".cache/meniscus/opencl"));
    free(cache);
    setenv("HOME", home, 1);
    setenv("XDG_CACHE_HOME", folder, 1);
    free(home);
    mn_device_close(device);
}

static void refusals_keep_their_log(void **state) {
    (void)state;
    empty_cache();
    mnDevice *device = open_device();
    mnSource broken = {"broken.cl",
                       "#include \"kernels/language.h\"\n\n__kernel void broken() { x = undeclared_y; }\n"};
    mnProgram program;
    assert_int_equal(mn_program_build(device, &broken, 1, "-Dint32_t=int -Dint64_t=long", &program, &error),
                     MN_ERROR_DEVICE);
    assert_null(program.object);
    assert_has(error.text, device->info.name);
    assert_has(error.text, "CL_BUILD_PROGRAM_FAILURE");
    /* NVIDIA's compiler counts the lines of the whole text, whatever "#line" says. */
    if (!strstr(error.text, "<kernel>:")) assert_has(error.text, "broken.cl:3");
    const char *path = cached_file(".log");
    assert_has(error.text, path);
    char log[4096] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(fread(log, 1, sizeof log - 1, file) > 0);
    fclose(file);
    assert_has(log, "undeclared_y");
    assert_string_equal(cached_file(".bin"), "");
    check_device(device); /* it is the program that failed, not the device */
    mn_program_release(device, &program);
    mn_device_close(device);
}

int main(void) {
    if (!has_device()) return TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_joined),        cmocka_unit_test(binaries_are_kept),
        cmocka_unit_test(bad_binaries_are_not_used), cmocka_unit_test(a_cache_is_not_needed),
        cmocka_unit_test(refusals_keep_their_log),
    };
    return cmocka_run_group_tests(tests, make_cache, remove_folder);
}
