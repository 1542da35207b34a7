/* From contact angles and energies to what the kernels read: Young's equation must hold for every pair. */
#include "sim_helpers.h"

#include "state/rest_areas.h"

static const double degree = 3.14159265358979323846 / 180;

typedef struct Rig {
    Setup setup;
    double angles[2][3];
    mnScheduleKey keys[3];
    mnSchedule schedule;
    mnMemory memory;
    mnMaterials materials;
    mnSceneNow *now;
} Rig;

/* Water, mercury and oil; both solids with `angles` unless changed. Never copy one. */
static void rig_begin(Rig *rig, int solids) {
    const double tension[3] = {0.072, 0.485, 0.03}, density[3] = {1000, 13534, 900};
    *rig = (Rig){.memory = mn_memory_create((mnAllocator){0}, 0)};
    setup_begin(&rig->setup, 3, 1e-3, 3, solids);
    for (int f = 0; f < 3; f++) {
        rig->setup.fluids[f].tension_vapor = tension[f];
        rig->setup.fluids[f].density = density[f];
        for (int s = 0; s < 2; s++) rig->angles[s][f] = NAN;
    }
    for (int s = 0; s < 2; s++) rig->setup.solids[s].contact_angle = rig->angles[s];
}

static void rig_create(Rig *rig) {
    mnError error = {0};
    if (mn_scene_now_create(&rig->setup.desc, &rig->memory, &rig->now, &error) != MN_OK) fail_msg("%s", error.text);
    assert_true(mn_materials_create(&rig->materials, &rig->memory, &rig->setup.desc));
    mn_materials_update(&rig->materials, &rig->setup.desc, rig->now);
}

static void rig_at(Rig *rig, double time) {
    mn_scene_now_update(rig->now, &rig->setup.desc, time);
    mn_materials_update(&rig->materials, &rig->setup.desc, rig->now);
}

static void rig_end(Rig *rig) {
    mn_materials_release(&rig->materials, &rig->memory);
    mn_scene_now_destroy(rig->now);
    assert_int_equal(rig->memory.held, 0);
}

static mnWallLaw law_of(const Rig *rig) {
    const mnSolverDesc *solver = &rig->setup.desc.solver;
    return mn_rest_areas_wall_law(rig->setup.desc.dimension, solver->measure, solver->paper_rest_areas);
}

/* How far the energies of a pair are from what cos θ asks for, in units of γ^FV. */
static double miss(const Rig *rig, int s, int f, double cosine) {
    const mnMaterials *m = &rig->materials;
    mnWallLaw law = law_of(rig);
    double vapor = (double)m->fluids[f].gamma_fv, dry = (double)m->solids[s].gamma_bv / vapor;
    double wet = (double)m->solids[s].gamma_bf * (double)m->pairs[s * m->fluid_count + f].wet_weight / vapor;
    double worth =
        dry - mn_wall_own_worth(law, (double)m->fluids[f].gamma_fb / vapor) - mn_wall_attraction(law, cosine);
    return wet - law.offset - mn_wall_repulsion(law, worth);
}

/* Nothing that is negative reaches the kernels. */
static void assert_allowed(const Rig *rig) {
    const mnMaterials *m = &rig->materials;
    for (int s = 0; s < m->solid_count; s++) {
        assert_true(m->solids[s].gamma_bv >= 0 && m->solids[s].gamma_bf >= 0);
        for (int f = 0; f < m->fluid_count; f++) {
            double weight = (double)m->pairs[s * m->fluid_count + f].wet_weight;
            assert_true(weight >= 0 && weight <= 1 + 1e-6);
        }
    }
}

static void assert_young(const Rig *rig, int s, int f, double angle) {
    assert_near(miss(rig, s, f, cos(angle)), 0, 1e-4);
}

static void angles_become_energies(void **state) {
    (void)state;
    const double angles[][3] = {{0, 60, 180}, {90, 90, 90}, {30, 140, 20}, {170, 160, 150}, {10, 5, 0}};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++)
        for (int own = 0; own < 2; own++)
            for (int variant = 0; variant < 3; variant++) {
                Rig rig;
                rig_begin(&rig, 2);
                rig.setup.desc.dimension = variant == 2 ? 2 : 3;
                rig.setup.desc.solver = mn_default_solver(variant == 1 ? MN_PRESET_PAPER : MN_PRESET_DEFAULT);
                for (int f = 0; f < 3; f++) {
                    rig.angles[0][f] = angles[k][f] * degree;
                    rig.angles[1][f] = angles[k][2 - f] * degree;
                    rig.setup.fluids[f].tension_solid = own * 0.01 * (f + 1);
                }
                rig_create(&rig);
                assert_allowed(&rig);
                for (int s = 0; s < 2; s++)
                    for (int f = 0; f < 3; f++) assert_young(&rig, s, f, rig.angles[s][f]);
                rig_end(&rig);
            }
}

/* The paper's setting has Young's equation as it stands. By default both sides rise with what is asked, and attraction
 * is plain at 90° and at complete wetting. */
static void worth_of_walls(void **state) {
    (void)state;
    for (int d = 2; d <= 3; d++) {
        mnWallLaw paper = mn_rest_areas_wall_law(d, MN_MEASURE_NUMBER_DENSITY, true);
        mnWallLaw law = mn_rest_areas_wall_law(d, MN_MEASURE_NORMALISED, false);
        double last_pull = -INFINITY, last_push = -INFINITY;
        assert_true(paper.offset == 0 && fabs(law.offset) < 0.1);
        for (int k = 0; k <= 100; k++) {
            double c = 0.01 * k, attraction = mn_wall_attraction(law, c), repulsion = mn_wall_repulsion(law, c);
            double own = mn_wall_own_worth(law, c);
            assert_true(mn_wall_attraction(paper, c) == c && mn_wall_repulsion(paper, c) == c);
            assert_true(attraction > last_pull && repulsion > last_push && repulsion >= c && own <= c &&
                        own > 0.8 * c - 1e-9);
            assert_near(attraction, c, 0.14);
            last_pull = attraction, last_push = repulsion;
        }
        assert_true(mn_wall_attraction(law, 0) == 0 && mn_wall_attraction(law, 1) == 1);
        /* Fluid is lifted the more the more it is repelled, up to 1. */
        double most = mn_wall_repulsion(law, 1) - 1;
        assert_true(most > 1 && most < 1.5 && mn_wall_repulsion(law, 0) == 0);
        assert_near(mn_wall_repulsion(law, 0.5), 0.5 + most / 16, 1e-12);
        assert_near(mn_wall_repulsion(law, 1.8), 1.8 + most, 1e-12);
        assert_near(mn_wall_repulsion(law, -0.3), -0.3, 1e-12);
    }
}

/* Energies as they are given, where there is no angle, and what they stand for in the calibrated setting. */
static void energies_pass_through(void **state) {
    (void)state;
    Rig rig;
    rig_begin(&rig, 1);
    rig.setup.solids[0].contact_angle = NULL;
    rig.setup.solids[0].tension_vapor = 0.05;
    rig.setup.solids[0].tension_fluid = 0.02;
    rig.setup.fluids[1].tension_solid = 0.004;
    rig.setup.desc.solver.paper_rest_areas = true;
    rig_create(&rig);
    assert_allowed(&rig);
    assert_near(rig.materials.solids[0].gamma_bv, 0.05, 1e-8);
    assert_near(rig.materials.solids[0].gamma_bf, 0.02, 1e-8);
    for (int f = 0; f < 3; f++) assert_near(rig.materials.pairs[f].wet_weight, 1, 1e-6);
    assert_near(rig.materials.fluids[1].gamma_fb, 0.004, 1e-9);
    assert_near(miss(&rig, 0, 1, (0.05 - 0.02 - 0.004) / (double)rig.materials.fluids[1].gamma_fv), 0, 1e-5);
    rig_end(&rig);

    rig_begin(&rig, 1);
    rig.setup.solids[0].contact_angle = NULL;
    rig.setup.solids[0].tension_vapor = 0.05;
    rig.setup.solids[0].tension_fluid = 0.02;
    rig_create(&rig);
    for (int f = 0; f < 3; f++) {
        double vapor = (double)rig.materials.fluids[f].gamma_fv;
        assert_near(miss(&rig, 0, f, (0.05 - 0.02) / vapor), 0, 1e-4);
    }
    rig_end(&rig);
}

/* One fluid has an angle, for the others the solid's own energies hold. */
static void mixed(void **state) {
    (void)state;
    Rig rig;
    rig_begin(&rig, 1);
    rig.angles[0][0] = 40 * degree;
    rig.setup.solids[0].tension_vapor = 0.05;
    rig.setup.solids[0].tension_fluid = 0.03;
    rig_create(&rig);
    assert_allowed(&rig);
    assert_young(&rig, 0, 0, 40 * degree);
    double vapor = (double)rig.materials.fluids[1].gamma_fv;
    assert_near(miss(&rig, 0, 1, (0.05 - 0.03) / vapor), 0, 1e-4);
    rig_end(&rig);
}

static void the_rest_of_the_constants(void **state) {
    (void)state;
    Rig rig;
    double friction[3] = {0, 0.3, 0.1};
    rig_begin(&rig, 2);
    rig.setup.solids[0].friction_of = friction;
    rig.setup.solids[0].friction = 9;
    rig.setup.solids[1].slip = true;
    rig.setup.fluids[1].viscosity = 0.0015;
    rig_create(&rig);
    for (int f = 0; f < 3; f++) {
        assert_near(rig.materials.pairs[f].friction, friction[f], 1e-7);
        assert_true(rig.materials.pairs[3 + f].friction == 0);
    }
    assert_true(rig.materials.has_friction);
    assert_true(rig.materials.solids[0].drag == 1 && rig.materials.solids[1].drag == 0);
    assert_near(rig.materials.largest_viscosity, 0.0015, 1e-12);
    rig_end(&rig);

    rig_begin(&rig, 0);
    for (int f = 0; f < 3; f++) rig.setup.fluids[f].tension_vapor = 0;
    rig_create(&rig);
    assert_false(rig.materials.has_friction);
    rig_end(&rig);
}

static double capillary_step(double density, double tension) {
    return sqrt(density * 1e-9 / (2 * PI * tension));
}

/* Only fluids that can be there, and only interfaces that they can have, limit the step. */
static void capillary_steps(void **state) {
    (void)state;
    Rig rig;
    mnBody body = {.shape = mn_default_shape(MN_SHAPE_SPHERE)};
    mnEmitter jet = mn_default_emitter(MN_EMITTER_ROUND);
    double water = capillary_step(1000, 0.072), mercury = capillary_step(13534, 0.485), oil = capillary_step(900, 0.03);
    rig_begin(&rig, 0);
    mnFluid *fluids = rig.setup.fluids;
    fluids[2].tension_fluid = 50; /* of oil, which is alone at first */
    rig_create(&rig);
    assert_true(isinf(rig.materials.capillary_step));
    fluids[2].bodies = &body;
    fluids[2].body_count = 1;
    rig_at(&rig, 0);
    assert_near(rig.materials.capillary_step, oil, 1e-9 * oil);
    jet.fluid = 1;
    rig.setup.desc.emitters = &jet;
    rig.setup.desc.emitter_count = 1;
    rig_at(&rig, 0);
    double both = capillary_step(900, 50);
    assert_near(rig.materials.capillary_step, both, 1e-9 * both);
    fluids[2].tension_fluid = 0;
    rig_at(&rig, 0);
    assert_near(rig.materials.capillary_step, fmin(oil, mercury), 1e-9 * oil);
    jet.fluid = 0;
    rig_at(&rig, 0);
    assert_near(rig.materials.capillary_step, fmin(oil, water), 1e-9 * water);
    for (int f = 0; f < 3; f++) fluids[f].tension_vapor = 0;
    rig_at(&rig, 0);
    assert_true(isinf(rig.materials.capillary_step));
    rig_end(&rig);
}

static void schedules_change_them(void **state) {
    (void)state;
    Rig rig;
    rig_begin(&rig, 2);
    for (int f = 0; f < 3; f++) rig.angles[0][f] = rig.angles[1][f] = 90 * degree;
    for (int k = 0; k < 2; k++) rig.keys[k] = (mnScheduleKey){1.0 + k, {(k ? 30 : 120) * degree, 0, 0}};
    rig.schedule = (mnSchedule){MN_QUANTITY_SOLID_CONTACT_ANGLE, 1, 2, rig.keys, 2};
    rig.setup.desc.schedules = &rig.schedule;
    rig.setup.desc.schedule_count = 1;
    rig_create(&rig);
    const double times[] = {0, 1, 1.25, 2, 5}, angles[] = {120, 120, 97.5, 30, 30};
    for (int k = 0; k < 5; k++) {
        rig_at(&rig, times[k]);
        assert_allowed(&rig);
        assert_young(&rig, 1, 2, angles[k] * degree);
        assert_young(&rig, 1, 0, 90 * degree);
        assert_young(&rig, 0, 2, 90 * degree);
    }
    rig_end(&rig);

    /* γ^FV: the angle stays, the energies follow. */
    rig_begin(&rig, 1);
    rig.angles[0][0] = 50 * degree;
    for (int k = 0; k < 2; k++) rig.keys[k] = (mnScheduleKey){k, {0.072 - 0.04 * k, 0, 0}};
    rig.schedule = (mnSchedule){MN_QUANTITY_FLUID_TENSION_VAPOR, 0, -1, rig.keys, 2};
    rig.setup.desc.schedules = &rig.schedule;
    rig.setup.desc.schedule_count = 1;
    rig_create(&rig);
    rig_at(&rig, 1);
    assert_near(rig.materials.fluids[0].gamma_fv, 0.032, 1e-8);
    assert_young(&rig, 0, 0, 50 * degree);
    rig_end(&rig);

    /* μ falls to zero, for all fluids at once. */
    rig_begin(&rig, 1);
    for (int k = 0; k < 2; k++) rig.keys[k] = (mnScheduleKey){k, {0.8 - 0.8 * k, 0, 0}};
    rig.schedule = (mnSchedule){MN_QUANTITY_SOLID_FRICTION, 0, -1, rig.keys, 2};
    rig.setup.desc.schedules = &rig.schedule;
    rig.setup.desc.schedule_count = 1;
    rig_create(&rig);
    for (int k = 0; k <= 4; k++) {
        rig_at(&rig, 0.25 * k);
        for (int f = 0; f < 3; f++) assert_near(rig.materials.pairs[f].friction, 0.8 - 0.2 * k, 1e-6);
    }
    rig_end(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_become_energies),    cmocka_unit_test(worth_of_walls),
        cmocka_unit_test(energies_pass_through),     cmocka_unit_test(mixed),
        cmocka_unit_test(the_rest_of_the_constants), cmocka_unit_test(capillary_steps),
        cmocka_unit_test(schedules_change_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
