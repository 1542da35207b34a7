/* Schedules: interpolation, and what they do to the quantities of a scene. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scene/schedule.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static const mnScheduleKey ramp[3] = {{1, {10, -1, 0}}, {2, {20, -3, 1}}, {4, {0, -3, 5}}};

static void values_interpolate_and_clamp(void **state) {
    (void)state;
    mnSchedule schedule = {.keys = ramp, .key_count = 3};
    const double expected[][4] = {{-5, 10, -1, 0}, {1, 10, -1, 0}, {1.25, 12.5, -1.5, 0.25}, {2, 20, -3, 1},
                                  {3, 10, -3, 3},  {4, 0, -3, 5},  {99, 0, -3, 5},           {INFINITY, 0, -3, 5}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        double value[3];
        mn_schedule_value(&schedule, expected[i][0], value);
        for (int c = 0; c < 3; c++) NEAR(value[c], expected[i][1 + c], 1e-14);
    }
    double untouched[3] = {7, 8, 9};
    schedule.key_count = 0;
    mn_schedule_value(&schedule, 1, untouched);
    assert_true(untouched[0] == 7 && untouched[1] == 8 && untouched[2] == 9);
}

static void a_repeated_time_is_a_jump(void **state) {
    (void)state;
    const mnScheduleKey keys[4] = {{0, {1}}, {1, {2}}, {1, {6}}, {2, {7}}};
    mnSchedule schedule = {.keys = keys, .key_count = 4};
    double value[3];
    mn_schedule_value(&schedule, 1 - 1e-9, value);
    NEAR(value[0], 2, 1e-8);
    mn_schedule_value(&schedule, 1, value);
    NEAR(value[0], 6, 0);
    mn_schedule_value(&schedule, 1.5, value);
    NEAR(value[0], 6.5, 1e-15);
}

/* Two fluids, two solids: the first solid has an angle with the second fluid, the second one friction by fluid. */
static const double angles[2] = {NAN, 1.2};
static const double frictions[2] = {0.3, 0.4};

typedef struct Fixture {
    mnMemory memory;
    mnFluid fluids[2];
    mnSolid solids[2];
    mnSchedule schedules[8];
    mnSceneDesc desc;
} Fixture;

static void fixture_start(Fixture *f) {
    memset(f, 0, sizeof *f);
    f->memory = mn_memory_create((mnAllocator){0}, 0);
    f->fluids[0] = (mnFluid){.viscosity = 1, .tension_vapor = 2, .tension_fluid = 3, .tension_solid = 4};
    f->fluids[1] = (mnFluid){.viscosity = 5, .tension_vapor = 6, .tension_fluid = 7, .tension_solid = 8};
    f->solids[0] = (mnSolid){.tension_vapor = 9, .tension_fluid = 10, .friction = 0.1, .contact_angle = angles};
    f->solids[1] = (mnSolid){.tension_vapor = 11, .tension_fluid = 12, .friction = 0.2, .friction_of = frictions};
    f->desc = (mnSceneDesc){.gravity = {0, 0, -9.81},
                            .fluids = f->fluids,
                            .fluid_count = 2,
                            .solids = f->solids,
                            .solid_count = 2,
                            .schedules = f->schedules};
}

static void add(Fixture *f, mnQuantity quantity, int index, int other) {
    f->schedules[f->desc.schedule_count++] =
        (mnSchedule){.quantity = quantity, .index = index, .other = other, .keys = ramp, .key_count = 3};
}

static mnSceneNow *now_of(Fixture *f) {
    mnSceneNow *now = NULL;
    assert_int_equal(mn_scene_now_create(&f->desc, &f->memory, &now, NULL), MN_OK);
    return now;
}

static void description_is_taken_over(void **state) {
    (void)state;
    Fixture f;
    fixture_start(&f);
    mnSceneNow *now = now_of(&f);
    const double fluid[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    for (int i = 0; i < 2; i++) {
        assert_true(now->fluid_viscosity[i] == fluid[i][0] && now->fluid_tension_vapor[i] == fluid[i][1]);
        assert_true(now->fluid_tension_fluid[i] == fluid[i][2] && now->fluid_tension_solid[i] == fluid[i][3]);
    }
    assert_true(now->solid_tension_vapor[1] == 11 && now->solid_tension_fluid[0] == 10);
    const double friction[4] = {0.1, 0.1, 0.3, 0.4};
    for (int p = 0; p < 4; p++) {
        assert_true(now->friction[p] == friction[p]);
        assert_true(p == 1 ? now->contact_angle[p] == 1.2 : isnan(now->contact_angle[p]));
    }
    assert_true(now->gravity[2] == -9.81);
    mn_scene_now_destroy(now);
    assert_int_equal(f.memory.held, 0);
}

static void every_quantity_can_be_scheduled(void **state) {
    (void)state;
    for (int q = MN_QUANTITY_GRAVITY; q <= MN_QUANTITY_SOLID_CONTACT_ANGLE; q++) {
        Fixture f;
        fixture_start(&f);
        mnSceneNow *plain = now_of(&f);
        add(&f, (mnQuantity)q, 1, 0);
        mnSceneNow *now = now_of(&f);
        mn_scene_now_update(now, &f.desc, 1.5);
        const double *target[] = {now->gravity,
                                  &now->fluid_viscosity[1],
                                  &now->fluid_tension_vapor[1],
                                  &now->fluid_tension_fluid[1],
                                  &now->fluid_tension_solid[1],
                                  &now->solid_tension_vapor[1],
                                  &now->solid_tension_fluid[1],
                                  &now->friction[2],
                                  &now->contact_angle[2]};
        NEAR(target[q][0], 15, 1e-14);
        if (q == MN_QUANTITY_GRAVITY) {
            NEAR(now->gravity[1], -2, 1e-14);
            NEAR(now->gravity[2], 0.5, 1e-14);
        }
        /* And nothing else moved. */
        for (int i = 0; i < 20; i++)
            if (&now->storage[i] != target[q])
                assert_memory_equal(&now->storage[i], &plain->storage[i], sizeof(double));
        mn_scene_now_destroy(now);
        mn_scene_now_destroy(plain);
    }
}

static void pairs_and_energies(void **state) {
    (void)state;
    Fixture f;
    fixture_start(&f);
    add(&f, MN_QUANTITY_SOLID_CONTACT_ANGLE, 1, -1);
    add(&f, MN_QUANTITY_SOLID_TENSION_VAPOR, 0, -1);
    add(&f, MN_QUANTITY_SOLID_FRICTION, 0, 1);
    mnSceneNow *now = now_of(&f);
    int64_t takes = f.memory.takes;
    mn_scene_now_update(now, &f.desc, 3);
    assert_true(now->contact_angle[2] == 10 && now->contact_angle[3] == 10);
    /* A schedule of an energy does not take the angle of a pair away. */
    assert_true(now->solid_tension_vapor[0] == 10 && now->contact_angle[1] == 1.2 && isnan(now->contact_angle[0]));
    assert_true(now->friction[0] == 0.1 && now->friction[1] == 10);
    /* Updates start from the description each time, so they may go back in time. */
    mn_scene_now_update(now, &f.desc, 2);
    assert_true(now->contact_angle[3] == 20 && now->friction[1] == 20);
    assert_int_equal(f.memory.takes, takes);
    mn_scene_now_destroy(now);
}

static void expect_refusal(Fixture *f, const char *word) {
    mnSceneNow *now = (mnSceneNow *)(void *)f;
    mnError error = {0};
    assert_int_equal(mn_scene_now_create(&f->desc, &f->memory, &now, &error), MN_ERROR_INPUT);
    assert_null(now);
    assert_non_null(strstr(error.text, word));
    assert_int_equal(f->memory.held, 0);
}

static void bad_schedules_are_refused(void **state) {
    (void)state;
    Fixture f;
    fixture_start(&f);
    add(&f, MN_QUANTITY_FLUID_VISCOSITY, 2, -1);
    expect_refusal(&f, "no fluid 2");
    f.schedules[0].quantity = MN_QUANTITY_SOLID_TENSION_FLUID;
    expect_refusal(&f, "no solid 2");
    f.schedules[0].quantity = MN_QUANTITY_SOLID_FRICTION;
    f.schedules[0].index = 0;
    f.schedules[0].other = 2;
    expect_refusal(&f, "no fluid 2");
    f.schedules[0].quantity = (mnQuantity)77;
    expect_refusal(&f, "not a quantity");
    const mnScheduleKey falling[2] = {{1, {0}}, {0.5, {0}}}, infinite[1] = {{1, {INFINITY}}};
    f.schedules[0] = (mnSchedule){.quantity = MN_QUANTITY_GRAVITY, .keys = falling, .key_count = 2};
    expect_refusal(&f, "never fall");
    f.schedules[0] = (mnSchedule){.quantity = MN_QUANTITY_GRAVITY, .keys = infinite, .key_count = 1};
    expect_refusal(&f, "not finite");
}

static void memory_limits_are_honoured(void **state) {
    (void)state;
    Fixture f;
    fixture_start(&f);
    f.memory = mn_memory_create((mnAllocator){0}, 256);
    mnSceneNow *now = NULL;
    assert_int_equal(mn_scene_now_create(&f.desc, &f.memory, &now, NULL), MN_ERROR_MEMORY);
    assert_int_equal(f.memory.held, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_interpolate_and_clamp), cmocka_unit_test(a_repeated_time_is_a_jump),
        cmocka_unit_test(description_is_taken_over),    cmocka_unit_test(every_quantity_can_be_scheduled),
        cmocka_unit_test(pairs_and_energies),           cmocka_unit_test(bad_schedules_are_refused),
        cmocka_unit_test(memory_limits_are_honoured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
