/* Devices that fail in the middle of a run, and those that cannot be used at all: what is told, and what can still be
 * seen. */
#include "opencl_cases.h"

static int calls_left; /* that still work */
static mnOpenCL real;

static cl_int failing_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimension, const size_t *offset,
                             const size_t *global, const size_t *local, cl_uint count, const cl_event *list,
                             cl_event *event) {
    if (calls_left-- <= 0) return CL_OUT_OF_RESOURCES;
    return real.clEnqueueNDRangeKernel(queue, kernel, dimension, offset, global, local, count, list, event);
}

static cl_int failing_read(cl_command_queue queue, cl_mem buffer, cl_bool waits, size_t offset, size_t bytes, void *to,
                           cl_uint count, const cl_event *list, cl_event *event) {
    if (calls_left-- <= 0) return CL_DEVICE_NOT_AVAILABLE;
    return real.clEnqueueReadBuffer(queue, buffer, waits, offset, bytes, to, count, list, event);
}

static cl_int failing_write(cl_command_queue queue, cl_mem buffer, cl_bool waits, size_t offset, size_t bytes,
                            const void *from, cl_uint count, const cl_event *list, cl_event *event) {
    if (calls_left-- <= 0) return CL_INVALID_COMMAND_QUEUE;
    return real.clEnqueueWriteBuffer(queue, buffer, waits, offset, bytes, from, count, list, event);
}

static cl_mem refused_memory(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code) {
    if (calls_left-- > 0) return real.clCreateBuffer(context, flags, bytes, host, code);
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

/* The table of a simulation's device, to be changed; the real one is kept. */
static mnOpenCL *table_of(mnSim *sim, int working_calls) {
    mnOpenCL *table = &sim->world.device->device->cl;
    real = *table;
    calls_left = working_calls;
    return table;
}

/* Fluid by id, to be compared with later. */
typedef struct Kept {
    int64_t count;
    mnVec *position, *velocity;
    int64_t *id;
} Kept;

static Kept keep(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    Kept kept = {p.count, copy_of(p.position, p.count), copy_of(p.velocity, p.count),
                 malloc(((size_t)p.count + 1) * sizeof *kept.id)};
    memcpy(kept.id, p.id, (size_t)p.count * sizeof *kept.id);
    return kept;
}

static void assert_kept(const mnSim *sim, const Kept *kept) {
    mnParticles p = mn_sim_particles(sim);
    assert_int_equal(p.count, kept->count);
    for (int64_t i = 0; i < p.count; i++) {
        int64_t j = 0;
        while (j < kept->count && kept->id[j] != p.id[i]) j++;
        assert_true(j < kept->count);
        assert_memory_equal(&p.position[i], &kept->position[j], sizeof(mnVec));
        assert_memory_equal(&p.velocity[i], &kept->velocity[j], sizeof(mnVec));
    }
}

static void let_go(Kept *kept) {
    free(kept->position);
    free(kept->velocity);
    free(kept->id);
}

/* A step fails, the next one says so, and what can be seen is what was seen. */
static void assert_ended(mnSim *sim, mnStatus status, const char *text, const Kept *kept) {
    mnStepReport report;
    double time = mn_sim_time(sim);
    int64_t walls = sim->world.boundary.count;
    assert_int_equal(mn_sim_step(sim, INFINITY, &report, &error), status);
    if (!strstr(error.text, text)) fail_msg("no \"%s\" in: %s", text, error.text);
    assert_true(mn_sim_time(sim) == time);
    assert_int_equal(mn_sim_step(sim, INFINITY, &report, &error), status);
    assert_non_null(strstr(error.text, "cannot go on"));
    assert_kept(sim, kept);
    assert_int_equal(mn_sim_boundary(sim).count, walls);
    mnTotals totals = mn_sim_totals(sim);
    assert_true(isfinite(totals.centre[0] + totals.kinetic_energy + totals.surface_energy + totals.max_compression));
    mn_sim_kernels(sim, NULL, 0);
}

static void launches_fail(void **state) {
    (void)state;
    for (int working = 0; working < 64; working = 2 * working + 1) {
        mnSim *sim = create_case(SLIDE, "opencl");
        sim_step(sim);
        Kept kept = keep(sim);
        sim_step(sim);
        table_of(sim, working)->clEnqueueNDRangeKernel = failing_launch;
        assert_ended(sim, MN_ERROR_DEVICE, "launching the kernel", &kept);
        assert_int_equal(mn_sim_look(sim, &error), MN_ERROR_DEVICE);
        assert_non_null(strstr(error.text, "CL_OUT_OF_RESOURCES"));
        assert_true(mn_sim_totals(sim).mass == 0);
        let_go(&kept);
        mn_sim_destroy(sim);
    }
}

/* Totals tell no failure; the next step does. */
static void launches_fail_between_steps(void **state) {
    (void)state;
    mnSim *sim = create_case(SLIDE, "opencl");
    sim_step(sim);
    Kept kept = keep(sim);
    sim_step(sim);
    table_of(sim, 1)->clEnqueueNDRangeKernel = failing_launch;
    assert_true(mn_sim_totals(sim).mass == 0);
    assert_ended(sim, MN_ERROR_DEVICE, "launching the kernel", &kept);
    let_go(&kept);
    mn_sim_destroy(sim);
}

static void reads_and_writes_fail(void **state) {
    (void)state;
    for (int working = 0; working < 16; working = 2 * working + 1) {
        mnSim *sim = create_case(PLATE, "opencl");
        sim_step(sim);
        Kept kept = keep(sim);
        table_of(sim, working)->clEnqueueReadBuffer = failing_read;
        assert_ended(sim, MN_ERROR_DEVICE, "it was lost", &kept);
        let_go(&kept);
        mn_sim_destroy(sim);
    }
    mnSim *sim = create_case(PLATE, "opencl");
    Kept kept = keep(sim);
    sim_step(sim);
    table_of(sim, 1)->clEnqueueWriteBuffer = failing_write;
    assert_ended(sim, MN_ERROR_DEVICE, "writing the buffer", &kept);
    let_go(&kept);
    mn_sim_destroy(sim);
}

/* The first read that fails leaves everything as it was; when some have worked nobody is shown. */
static void looking_fails(void **state) {
    (void)state;
    for (int working = 0; working < 2; working++) {
        mnSim *sim = create_case(SLIDE, "opencl");
        Kept kept = keep(sim), none = {0};
        sim_step(sim);
        table_of(sim, working)->clEnqueueReadBuffer = failing_read;
        assert_int_equal(mn_sim_look(sim, &error), MN_ERROR_DEVICE);
        assert_non_null(strstr(error.text, "reading the buffer"));
        assert_ended(sim, MN_ERROR_DEVICE, "reading the buffer", working == 0 ? &kept : &none);
        let_go(&kept);
        mn_sim_destroy(sim);
    }
}

/* A jet's fluid outgrows its arrays now and then. Where a buffer is refused, none of it comes. */
static void memory_is_refused_to_emitters(void **state) {
    (void)state;
    static const Case jet = {"a jet", "jet_on_sphere", 5e-4, {"spacing=0.0005", "emitters[0].speed=1.5"}};
    static const int granted[] = {0, 1, 2, 4, 8, 20, MN_FLUID_FIELD_COUNT - 1};
    mnScene *scene = load_case(&jet);
    for (size_t k = 0; k < sizeof granted / sizeof *granted; k++) {
        mnSim *sim = create_on(mn_scene_desc(scene), "opencl");
        mnStepReport report = sim_step(sim);
        mn_sim_particles(sim);
        do {
            report = sim_step(sim);
            assert_true(report.emitted > 0);
        } while (sim->world.fluid.count + report.emitted / 2 <= sim->world.fluid.capacity);
        Kept kept = keep(sim);
        int64_t capacity = sim->world.device->fluids_crowd.capacity;
        table_of(sim, granted[k])->clCreateBuffer = refused_memory;
        assert_ended(sim, MN_ERROR_MEMORY, "no memory for the buffer", &kept);
        assert_int_equal(sim->world.device->fluids_crowd.capacity, capacity);
        assert_int_equal(mn_sim_look(sim, &error), MN_OK); /* the device itself works */
        double mass = (double)kept.count * 1000 * pow(sim->scene->spacing, 3);
        assert_near(mn_sim_totals(sim).mass, mass, 1e-5 * mass);
        let_go(&kept);
        mn_sim_destroy(sim);
    }
    mn_scene_destroy(scene);
}

/* The lists are gone by then, and totals must do without. */
static void memory_is_refused_to_lists(void **state) {
    (void)state;
    mnSim *sim = create_case(JET, "opencl");
    for (int step = 0; step < 8; step++) sim_step(sim);
    sim->world.device->near_list.bytes = 0; /* so a longer one is needed */
    sim->world.neighbours.is_listed = false;
    table_of(sim, 0)->clCreateBuffer = refused_memory;
    mnStepReport report;
    assert_int_equal(mn_sim_step(sim, INFINITY, &report, &error), MN_ERROR_MEMORY);
    assert_int_equal(mn_sim_particles(sim).count, sim->world.fluid.count);
    mnTotals totals = mn_sim_totals(sim);
    assert_true(totals.mass > 0 && isfinite(totals.surface_energy + totals.max_compression));
    mn_sim_destroy(sim);
}

/* ---- what cannot be begun ---------------------------------------------------------------------------------------- */

static void unknown_backends_are_refused(void **state) {
    (void)state;
    static const char *const names[][2] = {{"cuda", "opencl:DEVICE"},
                                           {"openclx", "opencl:DEVICE"},
                                           {"", "opencl:DEVICE"},
                                           {"opencl:no such device", "0: "},
                                           {"opencl:99", "0: "}};
    mnScene *scene = load_case(&cases[0]);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        mnSim *sim = NULL;
        assert_int_equal(try_create(mn_scene_desc(scene), names[k][0], &sim), MN_ERROR_INPUT);
        assert_null(sim);
        const char *colon = strchr(names[k][0], ':');
        assert_non_null(strstr(error.text, colon ? colon + 1 : names[k][0]));
        assert_non_null(strstr(error.text, names[k][1]));
    }
    mn_scene_destroy(scene);
}

static cl_int small_groups(cl_device_id id, cl_device_info what, size_t room, void *value, size_t *size) {
    cl_int code = real.clGetDeviceInfo(id, what, room, value, size);
    if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE) *(size_t *)value = 8;
    return code;
}

static void small_groups_are_refused(void **state) {
    (void)state;
    mnDevice *device = open_device();
    mnDeviceWorld *on;
    real = device->cl;
    device->cl.clGetDeviceInfo = small_groups;
    assert_int_equal(mn_device_world_create(device, &on, &error), MN_ERROR_DEVICE);
    assert_null(on);
    assert_non_null(strstr(error.text, "at most 8 items, and 16 are needed"));
}

int main(void) {
    if (!has_device()) return TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_fail),
        cmocka_unit_test(launches_fail_between_steps),
        cmocka_unit_test(reads_and_writes_fail),
        cmocka_unit_test(looking_fails),
        cmocka_unit_test(memory_is_refused_to_emitters),
        cmocka_unit_test(memory_is_refused_to_lists),
        cmocka_unit_test(unknown_backends_are_refused),
        cmocka_unit_test(small_groups_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
