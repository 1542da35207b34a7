/* What a scene file says arrives in the structs, in the structs' units. */
#include "scene_helpers.h"

#include <dirent.h>

#include "scene/keys.h"
#include "scene/names.h"

#define TURN 1e-12

static const double pi = 3.14159265358979323846;

static void read_defaults(void **state) {
    (void)state;
    Loaded loaded = load_text(SCENE_WITH("'title': 'x'"));
    assert_int_equal(loaded.status, MN_OK);
    const mnSceneDesc *desc = loaded.desc;
    mnSceneDesc fresh = mn_default_scene();
    assert_int_equal(desc->cookie, fresh.cookie);
    assert_string_equal(desc->title, "x");
    assert_int_equal(strncmp(loaded.path, desc->folder, strlen(desc->folder)), 0);
    assert_string_equal(loaded.path + strlen(desc->folder), "/test.json");
    assert_string_equal(desc->name, "test");
    assert_int_equal(desc->dimension, 3);
    assert_near(desc->spacing, 0.001, 0);
    assert_near(desc->gravity[2], -9.81, 0);
    assert_int_equal(desc->solver.kind, fresh.solver.kind);
    assert_near(desc->solver.force_tolerance, fresh.solver.force_tolerance, 0);
    assert_true(desc->time.adaptive && isinf(desc->time.max_step));
    assert_int_equal(desc->fluid_count, 1);
    mnFluid water = mn_default_fluid();
    assert_string_equal(desc->fluids[0].name, "water");
    assert_near(desc->fluids[0].density, water.density, 0);
    assert_near(desc->fluids[0].tension_vapor, water.tension_vapor, 0);
    assert_int_equal(desc->fluids[0].body_count, 1);
    assert_near(desc->fluids[0].bodies[0].shape.radius, 0.01, 0);
    assert_near(desc->fluids[0].bodies[0].shape.rotation[3], 1, 0);
    unload(&loaded);
}

static void every_struct_has_usable_defaults(void **state) {
    (void)state;
    for (int kind = MN_SHAPE_SPHERE; kind <= MN_SHAPE_UNION; kind++) {
        mnShape shape = mn_default_shape((mnShapeKind)kind);
        assert_int_equal(shape.kind, kind);
        assert_true(shape.scale == 1 && shape.rotation[3] == 1 && shape.radius > 0 && shape.size[2] > 0);
    }
    assert_true(mn_default_emitter(MN_EMITTER_RAIN).kind == MN_EMITTER_RAIN);
    assert_true(isinf(mn_default_emitter(MN_EMITTER_ROUND).stop) && isinf(mn_default_sink().stop));
    assert_null(mn_default_solid().contact_angle);
    mnSolverDesc paper = mn_default_solver(MN_PRESET_PAPER), usual = mn_default_solver(MN_PRESET_DEFAULT);
    assert_true(paper.paper_rest_areas && !usual.paper_rest_areas && !paper.warm_start && usual.warm_start);
    assert_int_equal(paper.measure, MN_MEASURE_NUMBER_DENSITY);
}

static const char rich[] =
    "{'title': 'all', 'spacing': 5e-4, 'gravity': [1, 2, 3], 'duration': 2.5, 'fps': 25, 'seed': "
    "123456789012,"
    " 'max_particles': 5000000000, 'time_step': {'fixed': 1e-4},"
    " 'fluids': {'water': {'density': 998, 'viscosity': 0.002, 'tension': {'vapor': 0.05, 'fluid': 0.01,"
    "   'solid': 0.02}, 'bodies': [{'shape': {'kind': 'box', 'size': [1, 2, 3], 'scale': 0.1, "
    "'hollow': true,"
    "   'thickness': 0.2, 'rotation': {'axis': [0, 0, 2], 'angle': 90}, 'translation': [4, 5, 6]},"
    "   'velocity': [0.1, 0.2, 0.3], 'angular_velocity': [0, 0, 180]}]},"
    "  'oil': {'bodies': [{'shape': {'kind': 'union', 'children': ["
    "   {'kind': 'torus', 'radius': 0.2, 'tube_radius': 0.1}, {'kind': 'mesh', 'path': "
    "'cube.obj'}]}}]}},"
    " 'solids': {'floor': {'shape': {'kind': 'plane', 'size': [0.5, 0.25], 'normal': [0, 1, 1]},"
    "   'contact_angle': {'oil': 120}, 'friction': {'default': 0.3, 'water': 0.2}, 'slip': true},"
    "  'wall': {'shape': {'kind': 'capsule', 'radius': 0.1, 'height': 0.2}, 'contact_angle': 60,"
    "   'tension': {'vapor': 0.045, 'fluid': 0}, 'friction': 0.7,"
    "   'motion': [{'time': 0}, {'time': 1, 'translation': [0, 0, 1], 'rotation': [0, 3, 0, 4]}]}},"
    " 'emitters': [{'kind': 'drops', 'fluid': 'oil', 'drops': [{'time': 1, 'position': [1, 2, 3],"
    "   'radius': 0.01, 'velocity': [0, 0, -1]}, {'time': 1, 'position': [1, 2, 4], 'radius': 0.02}]},"
    "  {'kind': 'rain', 'fluid': 'water', 'position': [0, 0, 1], 'direction': [0, 0, -2], 'speed': 3,"
    "   'radius': 0.01, 'radius_spread': 0.5, 'size': [1, 2], 'rate': 40, 'start': 1, 'stop': 2,"
    "   'max_particles': 77}],"
    " 'sinks': [{'lower': [-1, -1, -1], 'upper': [1, 1, 0], 'start': 0.5}],"
    " 'schedules': [{'target': 'solids.wall.friction', 'keys': [{'time': 0, 'value': 1}, {'time': 1, "
    "'value': 0}]},"
    "  {'target': 'solids.floor.contact_angle.oil', 'keys': [{'time': 0, 'value': 180}]},"
    "  {'target': 'fluids.oil.tension.vapor', 'keys': [{'time': 0, 'value': 0.01}]},"
    "  {'target': 'gravity', 'keys': [{'time': 0, 'value': [0, 0, -1]}]}],"
    " 'solver': {'preset': 'paper', 'kind': 'nncg', 'coupling': 'tension-then-pressure',"
    "  'max_iterations': 50, 'rest_areas': 'calibrated', 'warm_start': true}}";

/* The energies of the wall are brought to 60° for both fluids: (0.036 − 0)/0.072 and (0.036 − 0.011)/0.05. */
static Loaded load_rich(void) {
    const char *sets[] = {"solids.wall.tension.vapor=0.036", "fluids.water.tension.solid=0.011"};
    Loaded loaded = load_with(rich, sets, 2);
    if (loaded.status != MN_OK) print_report(&loaded.report);
    assert_int_equal(loaded.status, MN_OK);
    assert_int_equal(loaded.report.count, 0);
    return loaded;
}

static void read_fluids_and_shapes(void **state) {
    (void)state;
    Loaded loaded = load_rich();
    const mnFluid *water = &loaded.desc->fluids[0], *oil = &loaded.desc->fluids[1];
    assert_string_equal(oil->name, "oil");
    assert_near(water->tension_fluid, 0.01, 0);
    assert_near(water->tension_solid, 0.011, 0);
    assert_near(oil->viscosity, 0.001, 0);
    const mnBody *body = water->bodies;
    assert_int_equal(body->shape.kind, MN_SHAPE_BOX);
    assert_near(body->shape.size[2], 3, 0);
    assert_near(body->shape.thickness, 0.2, 0);
    assert_true(body->shape.hollow);
    assert_near(body->shape.rotation[2], sqrt(0.5), TURN);
    assert_near(body->shape.rotation[3], sqrt(0.5), TURN);
    assert_near(body->shape.translation[1], 5, 0);
    assert_near(body->velocity[2], 0.3, 0);
    assert_near(body->angular_velocity[2], pi, TURN);
    const mnShape *both = &oil->bodies[0].shape;
    assert_int_equal(both->child_count, 2);
    assert_near(both->children[0].tube_radius, 0.1, 0);
    assert_string_equal(both->children[1].path, "cube.obj");
    unload(&loaded);
}

static void read_solids(void **state) {
    (void)state;
    Loaded loaded = load_rich();
    const mnSolid *floor_solid = &loaded.desc->solids[0], *wall = &loaded.desc->solids[1];
    assert_true(isnan(floor_solid->contact_angle[0]));
    assert_near(floor_solid->contact_angle[1], 2 * pi / 3, TURN);
    assert_near(floor_solid->friction, 0.3, 0);
    assert_near(floor_solid->friction_of[0], 0.2, 0);
    assert_near(floor_solid->friction_of[1], 0.3, 0);
    assert_true(floor_solid->slip);
    assert_near(floor_solid->shape.normal[1], 1, 0);
    assert_near(wall->contact_angle[0], pi / 3, TURN);
    assert_near(wall->contact_angle[1], pi / 3, TURN);
    assert_null(wall->friction_of);
    assert_near(wall->friction, 0.7, 0);
    assert_int_equal(wall->motion_count, 2);
    assert_near(wall->motion[1].rotation[1], 0.6, TURN);
    assert_near(wall->motion[1].rotation[3], 0.8, TURN);
    assert_near(wall->motion[0].rotation[3], 1, 0);
    unload(&loaded);
}

static void read_events(void **state) {
    (void)state;
    Loaded loaded = load_rich();
    const mnSceneDesc *desc = loaded.desc;
    assert_int_equal(desc->emitter_count, 2);
    assert_int_equal(desc->emitters[0].fluid, 1);
    assert_int_equal(desc->emitters[0].drop_count, 2);
    assert_near(desc->emitters[0].drops[1].radius, 0.02, 0);
    assert_int_equal(desc->emitters[1].kind, MN_EMITTER_RAIN);
    assert_int_equal(desc->emitters[1].fluid, 0);
    assert_near(desc->emitters[1].size[1], 2, 0);
    assert_int_equal(desc->emitters[1].max_particles, 77);
    assert_near(desc->sinks[0].upper[0], 1, 0);
    assert_true(isinf(desc->sinks[0].stop));
    assert_int_equal(desc->schedule_count, 4);
    assert_int_equal(desc->schedules[0].quantity, MN_QUANTITY_SOLID_FRICTION);
    assert_int_equal(desc->schedules[0].index, 1);
    assert_int_equal(desc->schedules[0].other, -1);
    assert_int_equal(desc->schedules[1].quantity, MN_QUANTITY_SOLID_CONTACT_ANGLE);
    assert_int_equal(desc->schedules[1].other, 1);
    assert_near(desc->schedules[1].keys[0].value[0], pi, TURN);
    assert_int_equal(desc->schedules[2].quantity, MN_QUANTITY_FLUID_TENSION_VAPOR);
    assert_int_equal(desc->schedules[2].index, 1);
    assert_int_equal(desc->schedules[3].quantity, MN_QUANTITY_GRAVITY);
    assert_near(desc->schedules[3].keys[0].value[2], -1, 0);
    unload(&loaded);
}

static void read_solver_and_time(void **state) {
    (void)state;
    Loaded loaded = load_rich();
    const mnSolverDesc *solver = &loaded.desc->solver;
    mnSolverDesc paper = mn_default_solver(MN_PRESET_PAPER);
    assert_int_equal(solver->preset, MN_PRESET_PAPER);
    assert_int_equal(solver->kind, MN_SOLVER_NNCG);
    assert_int_equal(solver->coupling, MN_COUPLING_TENSION_THEN_PRESSURE);
    assert_int_equal(solver->max_iterations, 50);
    assert_near(solver->force_tolerance, paper.force_tolerance, 0);
    assert_true(!solver->paper_rest_areas && solver->warm_start);
    assert_false(loaded.desc->time.adaptive);
    assert_near(loaded.desc->time.step, 1e-4, 0);
    assert_true(loaded.desc->seed == 123456789012u && loaded.desc->max_particles == 5000000000);
    unload(&loaded);
}

static void planar_scenes(void **state) {
    (void)state;
    Loaded loaded = load_text(SCENE_WITH("'dimension': 2, 'solids': {'a': {'shape': {'kind': 'plane', 'size': [1, 1]}},"
                                         "'b': {'shape': {'kind': 'box', 'size': [1, 2], 'translation': [3, 4]}}},"
                                         "'sinks': [{'lower': [0, 0], 'upper': [1, 1]}]"));
    assert_int_equal(loaded.status, MN_OK);
    assert_near(loaded.desc->gravity[1], -9.81, 0);
    assert_near(loaded.desc->gravity[2], 0, 0);
    assert_near(loaded.desc->solids[0].shape.normal[1], 1, 0);
    const mnShape *box = &loaded.desc->solids[1].shape;
    assert_near(box->translation[1], 4, 0);
    assert_true(box->size[2] > box->size[0] && box->size[2] > box->size[1]);
    assert_true(loaded.desc->sinks[0].lower[2] < 0 && loaded.desc->sinks[0].upper[2] > 0);
    unload(&loaded);
}

#define PLANAR_SHAPE(keys) "'solids': {'a': {'shape': {" keys "}}}"
#define PLANAR_EMITTER(keys) "'emitters': [{'kind': " keys "}]"
#define PLANAR_DROP(keys) PLANAR_EMITTER("'drops', 'fluid': 'water', 'drops': [{'time': 0, 'radius': 1, " keys "}]")
#define PLANAR_MOTION(keys)                                                                                            \
    "'solids': {'a': {'shape': {'kind': 'sphere', 'radius': 1}, 'motion': [{'time': 0, " keys "}]}}"
#define JET "'round', 'fluid': 'water', 'radius': 1, 'speed': 1, 'position': [1, 2], 'direction': [0, -1]"
#define PLANAR_BODY(keys) "'fluids': {'water': {'bodies': [{'shape': {'kind': 'sphere', 'radius': 1}, " keys "}]}}"

static void assert_reads_in_2d(const char *keys) {
    char text[1000];
    snprintf(text, sizeof text, "{'dimension': 2, 'spacing': 0.001, %s%s}", keys,
             strstr(keys, "'fluids'") ? "" : ", " PLANAR_BODY("'velocity': [0, 0]"));
    Loaded loaded = load_text(text);
    if (loaded.status != MN_OK) print_report(&loaded.report);
    assert_int_equal(loaded.status, MN_OK);
    for (int e = 0; e < loaded.desc->emitter_count; e++)
        if (loaded.desc->emitters[e].kind == MN_EMITTER_ROUND) assert_near(loaded.desc->emitters[e].direction[2], 0, 0);
    unload(&loaded);
}

/* Every key that takes three numbers takes two in 2D, whatever its default was; a key without a case here fails. */
static void two_numbers_are_enough_in_2d(void **state) {
    (void)state;
    static const struct {
        mnObject object;
        const char *key, *text;
    } cases[] = {
        {MN_OBJECT_SCENE, "gravity", "'gravity': [0, 1]"},
        {MN_OBJECT_BODY, "velocity", PLANAR_BODY("'velocity': [1, 2]")},
        {MN_OBJECT_BODY, "angular_velocity", PLANAR_BODY("'angular_velocity': [0, 0]")},
        {MN_OBJECT_MOTION_KEY, "translation", PLANAR_MOTION("'translation': [1, 2]")},
        {MN_OBJECT_SHAPE, "size", PLANAR_SHAPE("'kind': 'box', 'size': [1, 2]")},
        {MN_OBJECT_SHAPE, "normal", PLANAR_SHAPE("'kind': 'plane', 'size': [1, 1], 'normal': [1, 1]")},
        {MN_OBJECT_SHAPE, "translation", PLANAR_SHAPE("'kind': 'sphere', 'radius': 1, 'translation': [1, 1]")},
        {MN_OBJECT_ROTATION, "axis",
         PLANAR_SHAPE("'kind': 'sphere', 'radius': 1, 'rotation': {'axis': [1, 0], 'angle': 9}")},
        {MN_OBJECT_EMITTER, "position", PLANAR_EMITTER(JET)},
        {MN_OBJECT_EMITTER, "direction", PLANAR_EMITTER(JET)},
        {MN_OBJECT_DROP, "position", PLANAR_DROP("'position': [1, 2]")},
        {MN_OBJECT_DROP, "velocity", PLANAR_DROP("'position': [1, 2], 'velocity': [1, 2]")},
        {MN_OBJECT_SINK, "lower", "'sinks': [{'lower': [0, 0], 'upper': [1, 1, 0]}]"},
        {MN_OBJECT_SINK, "upper", "'sinks': [{'lower': [0, 0, 0], 'upper': [1, 1]}]"},
        {MN_OBJECT_SCHEDULE_KEY, "value",
         "'schedules': [{'target': 'gravity', 'keys': [{'time': 0, 'value': [0, 1]}]}]"},
        {MN_OBJECT_VIEW, "from", "'view': {'from': [1, 2]}"},
        {MN_OBJECT_VIEW, "to", "'view': {'to': [1, 2]}"},
        {MN_OBJECT_VIEW, "up", "'view': {'up': [1, 0]}"},
    };
    int row_count;
    const mnKey *rows = mn_key_rows(&row_count);
    for (int r = 0; r < row_count; r++) {
        if (rows[r].type != MN_KEY_VECTOR3 && rows[r].type != MN_KEY_VALUE) continue;
        bool tried = false;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (cases[i].object != rows[r].object || strcmp(cases[i].key, rows[r].name) != 0) continue;
            assert_reads_in_2d(cases[i].text);
            tried = true;
        }
        if (!tried) print_message("no case for %s of %s\n", rows[r].name, mn_object_info(rows[r].object)->name);
        assert_true(tried);
    }
}

static void young_agrees(void **state) {
    (void)state;
    Loaded loaded = load_text(SCENE_WITH("'solids': {'floor': {'shape': {'kind': 'sphere', 'radius': 1},"
                                         "'contact_angle': 60, 'tension': {'vapor': 0.046, 'fluid': 0.01}}}"));
    assert_int_equal(loaded.status, MN_OK);
    unload(&loaded);
}

static void changes_reach_any_key(void **state) {
    (void)state;
    const char *sets[] = {"spacing=0.002",
                          "fluids.water.tension.vapor=0.03",
                          "title=two words",
                          "fluids.water.bodies[0].shape.radius=0.5",
                          "fluids.water.bodies.1={\"shape\": {\"kind\": \"sphere\", \"radius\": 2}}",
                          "emitters.0.kind=round",
                          "emitters.0.fluid=water",
                          "emitters[0].position=[0, 0, 0]",
                          "emitters[0].direction=[0, 0, 1]",
                          "emitters.0.radius=0.01",
                          "emitters.0.speed=5",
                          "solver.kind=jacobi"};
    const char *text = SCENE_WITH("'title': 'x'");
    Loaded loaded = load_with(text, sets, sizeof sets / sizeof *sets);
    if (loaded.status != MN_OK) print_report(&loaded.report);
    assert_int_equal(loaded.status, MN_OK);
    assert_near(loaded.desc->spacing, 0.002, 0);
    assert_near(loaded.desc->fluids[0].tension_vapor, 0.03, 0);
    assert_string_equal(loaded.desc->title, "two words");
    assert_int_equal(loaded.desc->fluids[0].body_count, 2);
    assert_near(loaded.desc->fluids[0].bodies[0].shape.radius, 0.5, 0);
    assert_near(loaded.desc->emitters[0].speed, 5, 0);
    assert_int_equal(loaded.desc->solver.kind, MN_SOLVER_JACOBI);
    unload(&loaded);
}

static void changes_bring_whole_materials(void **state) {
    (void)state;
    const char *sets[] = {"solids.floor={\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}", "solids.floor.friction=2",
                          "fluids.oil={\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}]}"};
    Loaded loaded = load_with(SCENE_WITH("'title': 'x'"), sets, sizeof sets / sizeof *sets);
    if (loaded.status != MN_OK) print_report(&loaded.report);
    assert_int_equal(loaded.status, MN_OK);
    assert_near(loaded.desc->solids[0].friction, 2, 0);
    assert_string_equal(loaded.desc->fluids[1].name, "oil");
    unload(&loaded);
}

/* One component of a vector that the file leaves out: the others are what they would have been. */
static void changes_start_from_defaults(void **state) {
    (void)state;
    const char *flat[] = {"gravity.1=-1", "solids.floor.shape.normal[0]=2"};
    Loaded loaded = load_with(SCENE_WITH("'title': 'x'"), &(const char *){"gravity.0=5"}, 1);
    if (loaded.status != MN_OK) print_report(&loaded.report);
    assert_int_equal(loaded.status, MN_OK);
    assert_near(loaded.desc->gravity[0], 5, 0);
    assert_near(loaded.desc->gravity[2], -9.81, 0);
    unload(&loaded);
    loaded = load_with(SCENE_WITH("'title': 'x'"), &(const char *){"fluids.water.bodies.0.velocity[2]=3"}, 1);
    assert_int_equal(loaded.status, MN_OK);
    assert_near(loaded.desc->fluids[0].bodies[0].velocity[2], 3, 0);
    unload(&loaded);
    loaded = load_with(SCENE_WITH("'title': 'x'"), &(const char *){"fluids.water.bodies.0.shape.rotation.0=1"}, 1);
    assert_int_equal(loaded.status, MN_OK);
    assert_near(loaded.desc->fluids[0].bodies[0].shape.rotation[3], sqrt(0.5), TURN);
    unload(&loaded);
    loaded = load_with(SCENE_WITH("'dimension': 2, 'solids': {'floor': {'shape': {'kind': 'plane', 'size': [1, 1]}}}"),
                       flat, 2);
    if (loaded.status != MN_OK) print_report(&loaded.report);
    assert_int_equal(loaded.status, MN_OK);
    assert_near(loaded.desc->gravity[1], -1, 0);
    assert_near(loaded.desc->gravity[2], 0, 0);
    assert_near(loaded.desc->solids[0].shape.normal[0], 2, 0);
    assert_near(loaded.desc->solids[0].shape.normal[1], 1, 0);
    unload(&loaded);
}

static void shipped_scenes_load(void **state) {
    (void)state;
    DIR *folder = opendir("scenes");
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
        char path[300];
        snprintf(path, sizeof path, "scenes/%s", entry->d_name);
        mnScene *scene = NULL;
        mnReport report = {0};
        mnStatus status = mn_scene_load(path, NULL, 0, &scene, &report);
        print_report(&report);
        assert_int_equal(status, MN_OK);
        assert_int_equal(report.count, 0);
        assert_string_equal(mn_scene_desc(scene)->folder, "scenes");
        assert_int_equal(strncmp(mn_scene_desc(scene)->name, entry->d_name, length - 5), 0);
        assert_true(strlen(mn_scene_desc(scene)->title) > 20);
        mn_scene_destroy(scene);
        mn_report_clear(&report);
        count++;
    }
    closedir(folder);
    assert_true(count >= 12);
}

static void nearest_names(void **state) {
    (void)state;
    assert_int_equal(mn_names_distance("density", "density"), 0);
    assert_int_equal(mn_names_distance("denisty", "density"), 1);
    assert_int_equal(mn_names_distance("densit", "density"), 1);
    assert_int_equal(mn_names_distance("Density", "density"), 0);
    assert_int_equal(mn_names_distance("abc", ""), 3);
    mnNames names = mn_names_start("viscocity");
    mn_names_offer(&names, "density");
    mn_names_offer(&names, "viscosity");
    mn_names_offer(&names, "velocity");
    assert_string_equal(names.nearest, "viscosity");
    assert_string_equal(names.list, "density, viscosity, velocity");
    names = mn_names_start("zzzzzz");
    mn_names_offer(&names, "density");
    assert_null(names.nearest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_defaults),
        cmocka_unit_test(every_struct_has_usable_defaults),
        cmocka_unit_test(read_fluids_and_shapes),
        cmocka_unit_test(read_solids),
        cmocka_unit_test(read_events),
        cmocka_unit_test(read_solver_and_time),
        cmocka_unit_test(planar_scenes),
        cmocka_unit_test(two_numbers_are_enough_in_2d),
        cmocka_unit_test(young_agrees),
        cmocka_unit_test(changes_reach_any_key),
        cmocka_unit_test(changes_bring_whole_materials),
        cmocka_unit_test(changes_start_from_defaults),
        cmocka_unit_test(shipped_scenes_load),
        cmocka_unit_test(nearest_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
