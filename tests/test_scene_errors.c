/* What bad scenes get: every problem in one go, each with file, line, column, key, what was found and what is allowed.
 */
#include "bad_scenes.h"

static void wrong_types(void **state) {
    (void)state;
    EXPECT({SCENE_WITH("'duration': @'long'"), "duration", {"the text \"long\"", "a number", "s)"}},
           {SCENE_WITH("'title': @5"), "title", {"the number 5", "a text"}},
           {SCENE_WITH("'title': @'a\\nb'"), "title", {"several lines"}},
           {SCENE_WITH("'seed': @1.5"), "seed", {"the number 1.5", "whole number"}},
           {SCENE_WITH("'gravity': @[0, 0]"), "gravity", {"a list of 2", "3 numbers"}},
           {SCENE_WITH("'gravity': @9.81"), "gravity", {"the number 9.81", "3 numbers"}},
           {SCENE_WITH("'gravity': [0, 0,\n @null]"), "gravity[2]", {"null", "a number"}},
           {SCENE_WITH("'solids': @[]"), "solids", {"a list of 0", "an object"}},
           {SCENE_WITH("'solids': {'a': @3}"), "solids.a", {"the number 3", "an object"}},
           {SCENE_WITH("'emitters': @{}"), "emitters", {"an object", "a list"}},
           {SCENE_WITH("'solver': @true"), "solver", {"true", "an object"}},
           {SOLID("'slip': @1"), "solids.floor.slip", {"the number 1", "true or false"}},
           {SOLID("'friction': @[1]"), "solids.floor.friction", {"a list of 1", "by fluid name"}},
           {SOLID("'motion': [{'time': 0, 'rotation': @3}]"), "solids.floor.motion[0].rotation", {"axis"}},
           {EMITTER(RAIN "'speed': @false"), "emitters[0].speed", {"false", "a number"}},
           {SCHEDULE("'target': @1, " ONE_KEY), "schedules[0].target", {"the number 1", "path"}},
           {SCENE_WITH("'$schema': @1"), "$schema", {"a text"}});
}

static void unknown_keys(void **state) {
    (void)state;
    EXPECT({SCENE_WITH("@'gravty': [0, 0, 0]"), "gravty", {"unknown key", "\"gravity\"", "duration"}},
           {FLUID("@'Density': 5,"), "fluids.water.Density", {"did you mean \"density\"", "viscosity"}},
           {FLUID("'tension': {@'vapour': 5},"), "fluids.water.tension.vapour", {"\"vapor\""}},
           {FLUID("@'w\\u0061rmth': 5,"), "fluids.water.warmth", {"unknown key; known keys: density"}},
           {SCENE_WITH("'solver': {@'relaxation': 1}"), "solver.relaxation", {"unknown key"}},
           {BODY("'kind': 'box', 'size': [1, 1, 1], @'radius': 1"),
            "fluids.water.bodies[0].shape.radius",
            {"does not belong to the kind \"box\"", "size"}},
           {EMITTER(RAIN "'speed': 1, @'drops': []"), "emitters[0].drops", {"kind \"rain\""}},
           {SOLID("'motion': [{'time': 0, 'rotation': {'axis': [1, 0, 0], 'angle': 1, @'unit': 1}}]"),
            "solids.floor.motion[0].rotation.unit",
            {"axis, angle"}});
}

static void missing_keys(void **state) {
    (void)state;
    EXPECT({"@{'fluids': {'water': {'bodies': [{'shape': {'kind': 'sphere', 'radius': 0.01}}]}}}",
            "spacing",
            {"is missing", "a number (1e-7 to 1 m)"}},
           {"\n @{'spacing': 0.1}", "fluids", {"is missing"}},
           {SCENE_WITH("'solids': {'floor': @{}}"), "solids.floor.shape", {"is missing"}},
           {BODY("'radius': 1"), "fluids.water.bodies[0].shape.kind", {"is missing", "\"sphere\", \"box\""}},
           {BODY("'kind': 'cone', 'radius': 1"), "fluids.water.bodies[0].shape.height", {"is missing", "m)"}},
           {BODY("'kind': 'mesh'"), "fluids.water.bodies[0].shape.path", {"is missing"}},
           {EMITTER(RAIN "'start': 0"), "emitters[0].speed", {"is missing"}});
}

static void bad_numbers(void **state) {
    (void)state;
    EXPECT({"{'spacing': @0,\n'fluids': {'water': {'bodies': [{'shape': {'kind': 'box', 'size': [1, 1, 1]}}]}}}",
            "spacing",
            {"found 0 m", "1e-7 to 1 m"}},
           {FLUID("'density': @-5,"), "fluids.water.density", {"found -5 kg/m³", "0.001 to 1e5 kg/m³"}},
           {FLUID("'density': @1e300,"), "fluids.water.density", {"found 1e300"}},
           {FLUID("'density': @123456789012345678901234567890,"), "fluids.water.density", {"found 1.23"}},
           {FLUID("'viscosity': @-1e-9,"), "fluids.water.viscosity", {"found -1e-9 Pa·s", "0 to"}},
           {FLUID("'tension': {'vapor': @101},"), "fluids.water.tension.vapor", {"found 101 N/m", "0 to 100"}},
           {SOLID("'contact_angle': @181"), "solids.floor.contact_angle", {"found 181 °", "0 to 180 °"}},
           {SOLID("'contact_angle': {'water': @-1}"), "solids.floor.contact_angle.water", {"found -1"}},
           {SOLID("'friction': @1000"), "solids.floor.friction", {"0 to 100"}},
           {SOLID("'friction': {'default': @-1}"), "solids.floor.friction.default", {"0 to 100"}},
           {SCENE_WITH("'duration': @0"), "duration", {"found 0 s", "above 0"}},
           {SCENE_WITH("'fps': @1e7"), "fps", {"0.001 to 1e6"}},
           {SCENE_WITH("'dimension': @4"), "dimension", {"found 4", "2 to 3"}},
           {SCENE_WITH("'max_particles': @-1"), "max_particles", {"found -1"}},
           {SCENE_WITH("'time_step': {'fixed': @0}"), "time_step.fixed", {"found 0 s"}},
           {SCENE_WITH("'time_step': {'fixed': @60}"), "time_step.fixed", {"found 60 s"}},
           {SCENE_WITH("'time_step': {'min': 0.1, 'max': @0.01}"), "time_step.max", {"below min"}},
           {SCENE_WITH("'time_step': {'cfl_velocity': @-0.4}"), "time_step.cfl_velocity", {"above 0"}},
           {BODY("'kind': 'box', 'size': [1, @0, 1]"), "fluids.water.bodies[0].shape.size[1]", {"found 0 m"}},
           {BODY("'kind': 'sphere', 'radius': 1, 'scale': @0"), "fluids.water.bodies[0].shape.scale", {"1e-9"}},
           {BODY("'kind': 'torus', 'radius': 1, 'tube_radius': @2"),
            "fluids.water.bodies[0].shape.tube_radius",
            {"smaller than the radius"}},
           {SOLID("'motion': [{'time': 0, 'rotation': @[0, 0, 0, 0]}]"),
            "solids.floor.motion[0].rotation",
            {"zero quaternion"}},
           {SOLID("'motion': [{'time': 0, 'rotation': {'axis': @[0, 0, 0], 'angle': 5}}]"),
            "solids.floor.motion[0].rotation.axis",
            {"zero vector"}},
           {SCENE_WITH("'sinks': [{'lower': [0, 0, 0], 'upper': @[1, 1, 0]}]"), "sinks[0].upper", {"z = 0 m"}});
}

static void conflicts(void **state) {
    (void)state;
    EXPECT(
        {SOLID("'contact_angle': @60, 'tension': {'vapor': 0.01}"),
         "solids.floor.contact_angle",
         {"is 60° for water", "82.02°", "Young"}},
        {SOLID("'contact_angle': @{'water': 120}, 'tension': {'vapor': 5}"),
         "solids.floor.contact_angle",
         {"120°", "give 0°"}},
        {SCENE_WITH("'time_step': {@'fixed': 0.001, 'max': 0.1}"), "time_step.fixed", {"excludes"}},
        {EMITTER(RAIN "'speed': 1, 'start': 2, 'stop': @1"), "emitters[0].stop", {"below start (2)"}},
        {SCENE_WITH("'solver': {'min_iterations': @300}"),
         "solver.min_iterations",
         {"found 300, which is above max_iterations (200)"}},
        {SCENE_WITH("'solver': {'min_iterations': 9, 'max_iterations': @8}"),
         "solver.max_iterations",
         {"found 8, which is below min_iterations (9)"}},
        {SCENE_WITH("'time_step': {'max': @1e-10}"), "time_step.max", {"found 1e-10, which is below min (1e-9)"}},
        {SCHEDULE("'target': 'solids.floor.friction', " ONE_KEY "}, {'target': @'solids.floor.friction', " ONE_KEY),
         "schedules[1].target",
         {"schedules[0]"}},
        {SOLID("'motion': [{'time': 1}, {'time': @1}]"), "solids.floor.motion[1].time", {"rise"}},
        {SCHEDULE("'target': 'gravity', 'keys': [{'time': 2, 'value': [0, 0, 1]}, {'time': @1, 'value': [0, 0, 1]}]"),
         "schedules[0].keys[1].time",
         {"found 1 s after 2 s"}},
        {EMITTER("'kind': 'drops', 'fluid': 'water', 'drops': [{'time': 2, 'position': [0, 0, 0], 'radius': 1}, "
                 "{'time': @1, 'position': [0, 0, 0], 'radius': 1}]"),
         "emitters[0].drops[1].time",
         {"not fall"}});
}

#define MOTION(keys) SOLID("'motion': [" keys "]")
#define TURN(time, axis, angle) "{'time': " time ", 'rotation': {'axis': " axis ", 'angle': " angle "}}"

/* The shorter way is not what such angles ask for. */
static void turns_beyond_half_a_circle(void **state) {
    (void)state;
    EXPECT({MOTION("{'time': 0},\n{'time': 1, 'rotation': @{'axis': [0, 0, 1], 'angle': 270}}"),
            "solids.floor.motion[1].rotation",
            {"270°", "180°", "in between"}},
           {MOTION(TURN("0", "[0, 2, 0]", "-90") ",\n{'time': 1, 'rotation': @{'axis': [0, -1, 0], 'angle': -100}}"),
            "solids.floor.motion[1].rotation",
            {"-190°"}},
           {MOTION(TURN("0", "[0, 0, 1]", "181") ",\n@{'time': 1}"), "solids.floor.motion[1].rotation", {"-181°"}});
    static const char *const good[] = {
        MOTION(TURN("0", "[0, 0, 1]", "0") "," TURN("1", "[0, 0, 1]", "180") "," TURN("2", "[0, 0, 1]", "360")),
        MOTION(TURN("0", "[0, 0, 1]", "-90") "," TURN("1", "[0, 0, -3]", "-90")),
        MOTION(TURN("0", "[0, 0, 1]", "100") "," TURN("1", "[0, 1, 0]", "-100")),
        MOTION(TURN("0", "[0, 0, 1]", "0") ", {'time': 1, 'rotation': [0, 0, 1, -1]}")};
    expect_good(good, sizeof good / sizeof *good);
}

#define ANGLE_AND_SCHEDULE(fluids, angle, target)                                                                      \
    "{'spacing': 0.001, 'fluids': {" fluids "'water': {'bodies': [{'shape': {'kind': 'sphere', 'radius': 1}}]}}, "     \
    "'solids': {'floor': {'shape': {'kind': 'box', 'size': [1, 1, 1]}, " angle "'friction': 0}},\n"                    \
    "'schedules': [{'target': " target ", " ONE_KEY "}]}"
#define OIL "'oil': {'bodies': [{'shape': {'kind': 'sphere', 'radius': 1}}]}, "

static void energies_that_an_angle_decides(void **state) {
    (void)state;
    EXPECT(
        {ANGLE_AND_SCHEDULE("", "'contact_angle': 60, ", "@'solids.floor.tension.vapor'"),
         "schedules[0].target",
         {"would have no effect: floor has a contact_angle", "drive contact_angle"}},
        {ANGLE_AND_SCHEDULE("", "'contact_angle': {'water': 60}, ", "@'solids.floor.tension.fluid'"),
         "schedules[0].target",
         {"no effect"}},
        {ANGLE_AND_SCHEDULE(OIL, "'contact_angle': {'water': 60}, ",
                            "'solids.floor.contact_angle.oil', " ONE_KEY "}, {'target': @'solids.floor.tension.fluid'"),
         "schedules[1].target",
         {"no effect"}});
    static const char *const good[] = {
        ANGLE_AND_SCHEDULE("", "", "'solids.floor.tension.vapor'"),
        ANGLE_AND_SCHEDULE("", "", "'solids.floor.tension.fluid'"),
        ANGLE_AND_SCHEDULE(OIL, "'contact_angle': {'water': 60}, ", "'solids.floor.tension.fluid'"),
        ANGLE_AND_SCHEDULE(OIL, "'contact_angle': {'water': 60}, ", "'solids.floor.tension.vapor'"),
        ANGLE_AND_SCHEDULE("", "'contact_angle': 60, ", "'fluids.water.tension.vapor'"),
    };
    expect_good(good, sizeof good / sizeof *good);
}

static void names_that_do_not_resolve(void **state) {
    (void)state;
    EXPECT(
        {EMITTER("'kind': 'round', 'fluid': @'watr', 'position': [0, 0, 0], 'direction': [0, 0, 1], 'radius': 1, "
                 "'speed': 1"),
         "emitters[0].fluid",
         {"no fluid \"watr\"", "did you mean \"water\""}},
        {SOLID("'contact_angle': {@'oil': 5}"),
         "solids.floor.contact_angle.oil",
         {"no fluid \"oil\"", "fluids: water"}},
        {SOLID("'friction': {@'watre': 5}"), "solids.floor.friction.watre", {"did you mean \"water\""}},
        {BODY("'kind': @'spere', 'radius': 1"), "fluids.water.bodies[0].shape.kind", {"\"sphere\"", "torus"}},
        {SCENE_WITH("'solver': {'kind': @'cg'}"), "solver.kind", {"found \"cg\"", "jacobi, nncg, anderson"}},
        {SCENE_WITH("'solver': {'tension_model': @'pairwize'}"),
         "solver.tension_model",
         {"did you mean \"pairwise\"", "energy, pairwise, robust-csf"}},
        {SCHEDULE("'target': @'solids.flor.friction', " ONE_KEY), "schedules[0].target", {"\"flor\"", "\"floor\""}},
        {SCHEDULE("'target': @'solids.floor.fricton', " ONE_KEY), "schedules[0].target", {"\"friction\""}},
        {SCHEDULE("'target': @'solids.floor.friction.oil', " ONE_KEY), "schedules[0].target", {"fluids: water"}},
        {SCHEDULE("'target': @'solids.floor', " ONE_KEY), "schedules[0].target", {"stops too early", "contact_angle"}},
        {SCHEDULE("'target': @'fluids.water.density', " ONE_KEY), "schedules[0].target", {"viscosity, tension"}},
        {SCHEDULE("'target': @'gravity.x', " ONE_KEY), "schedules[0].target", {"goes on behind"}},
        {SCHEDULE("'target': @'', " ONE_KEY), "schedules[0].target", {"gravity, fluids, solids"}},
        {SCHEDULE("'target': 'solids.floor.contact_angle', 'keys': [{'time': 0, 'value': @200}]"),
         "schedules[0].keys[0].value",
         {"found 200 °", "0 to 180"}},
        {SCHEDULE("'target': 'gravity', " ONE_KEY), "schedules[0].keys[0].value", {"3 numbers"}},
        {SCENE_WITH("'solids': {@'a.b': {'shape': {'kind': 'sphere', 'radius': 1}}}"), "solids.a.b", {"a name"}});
}

static void nothing_there(void **state) {
    (void)state;
    EXPECT({"{'spacing': 0.001, 'fluids': @{}}", "fluids", {"is empty"}},
           {"{'spacing': 0.001, 'fluids': @{'water': {}}}", "fluids", {"no fluid in this scene"}},
           {SOLID("'motion': @[]"), "solids.floor.motion", {"is empty"}},
           {SCHEDULE("'target': 'gravity', 'keys': @[]"), "schedules[0].keys", {"is empty"}},
           {BODY("'kind': 'union', 'children': @[]"), "fluids.water.bodies[0].shape.children", {"is empty"}},
           {EMITTER("'kind': 'drops', 'fluid': 'water', 'drops': @[]"), "emitters[0].drops", {"is empty"}});
}

static void only_in_3d(void **state) {
    (void)state;
    EXPECT({FLAT("'gravity': @[0, 0, -9.81]"), "gravity", {"z component", "2D"}},
           {FLAT("'solids': {'a': {'shape': {'kind': @'mesh', 'path': 'a.obj'}}}"), "solids.a.shape.kind", {"3D"}},
           {FLAT("'solids': {'a': {'shape': {'kind': 'sphere', 'radius': 1}, 'motion': [{'time': 0, 'rotation': "
                 "@{'axis': [1, 0, 0], 'angle': 30}}]}}"),
            "solids.a.motion[0].rotation",
            {"z = 0"}},
           {FLAT("'solids': {'a': {'shape': {'kind': 'sphere', 'radius': 1, 'translation': @[0, 0, 1]}}}"),
            "solids.a.shape.translation",
            {"z component"}});
}

static void all_in_one_go(void **state) {
    (void)state;
    Loaded loaded = load_text("{\n'spacing': -1,\n'tilte': 'x',\n'fps': 'fast',\n'fluids': {'water': {'density': 0,\n"
                              "'bodies': [{'shape': {'kind': 'sphere'}}]}},\n"
                              "'emitters': [{'kind': 'rain', 'fluid': 'wine'}]\n}");
    static const char *const keys[] = {"spacing",
                                       "tilte",
                                       "fps",
                                       "fluids.water.density",
                                       "fluids.water.bodies[0].shape.radius",
                                       "emitters[0].fluid",
                                       "emitters[0].position",
                                       "emitters[0].direction",
                                       "emitters[0].speed",
                                       "emitters[0].radius",
                                       "emitters[0].size",
                                       "emitters[0].rate"};
    int count = sizeof keys / sizeof *keys;
    assert_int_equal(loaded.status, MN_ERROR_INPUT);
    assert_int_equal(loaded.report.errors, count);
    for (int i = 0; i < count; i++) {
        const mnProblem *problem = find_problem(&loaded.report, keys[i]);
        assert_non_null(problem);
        assert_true(problem->line > 0 && problem->column > 0);
    }
    unload(&loaded);
}

/* Scenes lie beside cube.obj, of one metre. */
static void meshes_that_cannot_be_used(void **state) {
    (void)state;
    EXPECT({BODY("'kind': 'mesh', 'path': @'none.obj'"), "fluids.water.bodies[0].shape.path", {"no such mesh file"}},
           {BODY("'kind': 'mesh', 'scale': 0.001, 'path': @'cube.obj'"),
            "fluids.water.bodies[0].shape.path",
            {"too small", "scale"}});
}

static void shapes_that_cannot_be_built(void **state) {
    (void)state;
    EXPECT({BODY("'kind': 'union', 'children': [{'kind': 'sphere', 'radius': 1},\n"
                 "@{'kind': 'plane', 'size': [1, 1]}]"),
            "fluids.water.bodies[0].shape.children[1]",
            {"half-space"}},
           {SCENE_WITH("'solids': {'a': {'shape': {'kind': 'union', 'hollow': true, 'children': [\n"
                       "{'kind': 'box', 'size': [1, 1, 1]}, @{'kind': 'plane', 'size': [1, 1]}]}}}"),
            "solids.a.shape.children[1]",
            {"hollow union"}},
           {FLAT("'solids': {'a': {'shape': @{'kind': 'box', 'size': [1, 1, 1],\n"
                 "'rotation': {'axis': [1, 0, 0], 'angle': 20}}}}"),
            "solids.a.shape",
            {"turn about z"}},
           {EMITTER("'kind': 'drops', 'fluid': 'water', 'drops': [{'time': 0, 'position': [0, 0, 0], 'radius': 9}]"),
            "emitters[0]",
            {"3.05e+12 particles"}});
}

/* Five problems of geometry and one of another kind: none hides another, and what is wrong already is not built. */
static void geometry_in_one_go(void **state) {
    (void)state;
    Loaded loaded = load_text(
        "{'spacing': 0.001, 'dimension': 3, 'duration': -1,\n"
        "'fluids': {'water': {'bodies': [\n"
        "{'shape': {'kind': 'plane', 'size': [1, 1]}},\n"
        "{'shape': {'kind': 'sphere', 'radius': -1}},\n"
        "{'shape': {'kind': 'union', 'children': [{'kind': 'plane', 'size': [1, 1]}, {'kind': 'box', 'size': [1, 1, "
        "1]},"
        "\n{'kind': 'plane', 'size': [1, 1]}]}}]}},\n"
        "'solids': {'tub': {'shape': {'kind': 'union', 'hollow': true, 'children': [{'kind': 'plane', 'size': [1, 1]}]"
        "}}},\n"
        "'emitters': [{'kind': 'round', 'fluid': 'water', 'position': [0, 0, 1], 'direction': [0, 0, -1], 'speed': 1, "
        "'radius': 1000}]}");
    static const struct {
        const char *key;
        int line;
    } expected[] = {{"duration", 1},
                    {"fluids.water.bodies[0].shape", 3},
                    {"fluids.water.bodies[1].shape.radius", 4},
                    {"fluids.water.bodies[2].shape.children[0]", 5},
                    {"fluids.water.bodies[2].shape.children[2]", 6},
                    {"solids.tub.shape.children[0]", 7},
                    {"emitters[0]", 8}};
    assert_int_equal(loaded.report.errors, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const mnProblem *problem = find_problem(&loaded.report, expected[i].key);
        assert_non_null(problem);
        assert_int_equal(problem->line, expected[i].line);
        assert_true(problem->column > 0);
    }
    unload(&loaded);
}

static void warnings_do_not_fail(void **state) {
    (void)state;
    static const struct {
        const char *text, *key;
    } cases[] = {
        {SOLID("'contact_angle': 30, 'slip': false}, 'b': {'shape': {'kind': 'sphere', 'radius': 1, 'thickness': 1}"),
         "solids.b.shape.thickness"},
        {EMITTER("'kind': 'round', 'fluid': 'water', 'position': [0, 0, 0], 'direction': [0, 0, 1], 'radius': 1e-4, "
                 "'speed': 1"),
         "emitters[0].radius"},
        {"{\"spacing\": 0.001, \"fluids\": {\"oil\": {}, \"water\": {\"bodies\": [{\"shape\": {\"kind\": \"sphere\", "
         "\"radius\": 1}}]}}}",
         "fluids.oil"},
        {"{'spacing': 0.001, 'fluids': {'water': {'tension': {'vapor': 0}, 'bodies': [{'shape': {'kind': 'sphere', "
         "'radius': "
         "1}}]}}, 'solids': {'a': {'shape': {'kind': 'sphere', 'radius': 1}, 'contact_angle': 60}}}",
         "solids.a.contact_angle"},
        {FLUID("'tension': {'cohesion': 10},"), "fluids.water.tension.cohesion"},
        {FLUID("'tension': {'squared_gradient': 0.001},"), "fluids.water.tension.squared_gradient"},
        {"{'solver': {'tension_model': 'robust-csf'}, 'spacing': 0.001, 'fluids': {'water': {'tension': {'fluid': "
         "0.01, "
         "'squared_gradient': 0.001}, 'bodies': [{'shape': {'kind': 'sphere', 'radius': 1}}]}}}",
         "fluids.water.tension.fluid"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Loaded loaded = load_text(cases[i].text);
        assert_int_equal(loaded.status, MN_OK);
        assert_int_equal(loaded.report.warnings, 1);
        const mnProblem *problem = find_problem(&loaded.report, cases[i].key);
        assert_true(problem && problem->is_warning && problem->line > 0);
        unload(&loaded);
    }
}

static void changes_are_named_as_such(void **state) {
    (void)state;
    static const struct {
        const char *set, *key, *says;
    } cases[] = {
        {"spacing=5", "spacing", "found 5 m"},
        {"fluids.water.densty=5", "fluids.water.densty", "density"},
        {"fluids.water={\"bodies\": 3}", "fluids.water.bodies", "a list"},
        {"emitters.0.kind=rain", "emitters[0].fluid", "is missing"},
        {"fluids.watr.density=10", "fluids.watr", "there is no \"watr\"; did you mean \"water\"? fluids: water"},
        {"fluids.watr.tension.vapor=0.1", "fluids.watr", "a new one is given as a whole: fluids.watr={…}"},
        {"solids.floor.friction=1", "solids.floor", "solids: none"},
        {"solids.floor={}", "solids.floor.shape", "is missing"},
        {"emitters.0.position.2=1", "emitters[0].position", "no default; set it as a whole"},
        {"spacing", "", "path=value"},
        {"=5", "", "path=value"},
        {"a..b=5", "", "path=value"},
        {"fluids.water.bodies[x].shape=5", "", "path=value"},
        {"fluids.water.bodies.7.shape=5", "fluids.water.bodies[7]", "no such list entry"},
        {"spacing.x=5", "spacing", "neither an object nor a list"},
        {"spacing=1e999", "spacing", "the text \"1e999\""},
        {"title=\xff", "title", "UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Loaded loaded = load_with(SCENE_WITH("'title': 'x'"), &cases[i].set, 1);
        assert_int_equal(loaded.status, MN_ERROR_INPUT);
        const mnProblem *problem = find_problem(&loaded.report, cases[i].key);
        if (!problem || !strstr(problem->text, cases[i].says)) print_report(&loaded.report);
        assert_non_null(problem);
        assert_string_equal(problem->file, "--set");
        assert_int_equal(problem->line, 0);
        assert_non_null(strstr(problem->text, cases[i].says));
        if (strncmp(cases[i].set, "fluids.watr.", 12) == 0) assert_int_equal(loaded.report.count, 1);
        unload(&loaded);
    }
    /* What was in the file before keeps its place there. */
    Loaded loaded = load_with(SCENE_WITH("'fps': 0"), &(const char *){"fluids.water.density=1"}, 1);
    const mnProblem *problem = find_problem(&loaded.report, "fps");
    assert_true(problem && problem->line == 4 && strcmp(problem->file, loaded.path) == 0);
    unload(&loaded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_types),
        cmocka_unit_test(unknown_keys),
        cmocka_unit_test(missing_keys),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(conflicts),
        cmocka_unit_test(turns_beyond_half_a_circle),
        cmocka_unit_test(energies_that_an_angle_decides),
        cmocka_unit_test(names_that_do_not_resolve),
        cmocka_unit_test(nothing_there),
        cmocka_unit_test(only_in_3d),
        cmocka_unit_test(all_in_one_go),
        cmocka_unit_test(meshes_that_cannot_be_used),
        cmocka_unit_test(shapes_that_cannot_be_built),
        cmocka_unit_test(geometry_in_one_go),
        cmocka_unit_test(warnings_do_not_fail),
        cmocka_unit_test(changes_are_named_as_such),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
