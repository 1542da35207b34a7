/* The reader, the schema and the page docs/scene.md are made from one table; here they are held against each other.
 *
 * MN_UPDATE_DOCS=1 in the environment makes this test write docs/scene.md instead of comparing it. */
#include "scene_helpers.h"

#include <dirent.h>
#include <jansson.h>

#include "scene/keys.h"

static json_t *schema_root;

/* As much of a JSON Schema validator as our schema needs; an unknown word fails the test. */

static bool fits(const json_t *schema, const json_t *value);

static const json_t *resolve(const char *reference) {
    assert_int_equal(strncmp(reference, "#/$defs/", 8), 0);
    const json_t *found = json_object_get(json_object_get(schema_root, "$defs"), reference + 8);
    assert_non_null(found);
    return found;
}

static bool type_fits(const char *type, const json_t *value) {
    if (strcmp(type, "object") == 0) return json_is_object(value);
    if (strcmp(type, "array") == 0) return json_is_array(value);
    if (strcmp(type, "string") == 0) return json_is_string(value);
    if (strcmp(type, "boolean") == 0) return json_is_boolean(value);
    if (strcmp(type, "number") == 0) return json_is_number(value);
    assert_string_equal(type, "integer");
    return json_is_number(value) && floor(json_number_value(value)) == json_number_value(value);
}

static int count_fitting(const json_t *schemas, const json_t *value) {
    int count = 0;
    for (size_t i = 0; i < json_array_size(schemas); i++) count += fits(json_array_get(schemas, i), value);
    return count;
}

static bool properties_fit(const json_t *schema, const json_t *value) {
    const char *name;
    json_t *entry;
    const json_t *properties = json_object_get(schema, "properties"),
                 *rest = json_object_get(schema, "additionalProperties");
    json_object_foreach((json_t *)value, name, entry) {
        const json_t *own = json_object_get(properties, name);
        if (own ? !fits(own, entry) : rest && (json_is_false(rest) || !fits(rest, entry))) return false;
    }
    return true;
}

static bool holds_all(const json_t *names, const json_t *value) {
    for (size_t i = 0; i < json_array_size(names); i++)
        if (!json_object_get(value, json_string_value(json_array_get(names, i)))) return false;
    return true;
}

static bool items_fit(const json_t *items, const json_t *value) {
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!fits(items, json_array_get(value, i))) return false;
    return true;
}

static bool is_listed(const json_t *list, const json_t *value) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), value)) return true;
    return false;
}

static bool rule_holds(const char *word, const json_t *rule, const json_t *schema, const json_t *value) {
    double number = json_number_value(value), bound = json_number_value(rule);
    if (strcmp(word, "type") == 0) return type_fits(json_string_value(rule), value);
    if (strcmp(word, "$ref") == 0) return fits(resolve(json_string_value(rule)), value);
    if (strcmp(word, "const") == 0) return json_equal(rule, value);
    if (strcmp(word, "enum") == 0) return is_listed(rule, value);
    if (strcmp(word, "minimum") == 0) return number >= bound;
    if (strcmp(word, "exclusiveMinimum") == 0) return number > bound;
    if (strcmp(word, "maximum") == 0) return number <= bound;
    if (strcmp(word, "items") == 0) return items_fit(rule, value);
    if (strcmp(word, "minItems") == 0) return json_array_size(value) >= (size_t)bound;
    if (strcmp(word, "maxItems") == 0) return json_array_size(value) <= (size_t)bound;
    if (strcmp(word, "minProperties") == 0) return json_object_size(value) >= (size_t)bound;
    if (strcmp(word, "maxProperties") == 0) return json_object_size(value) <= (size_t)bound;
    if (strcmp(word, "required") == 0) return holds_all(rule, value);
    if (strcmp(word, "oneOf") == 0) return count_fitting(rule, value) == 1;
    if (strcmp(word, "anyOf") == 0) return count_fitting(rule, value) >= 1;
    if (strcmp(word, "if") == 0) return !fits(rule, value) || fits(json_object_get(schema, "then"), value);
    if (strcmp(word, "additionalProperties") == 0) return properties_fit(schema, value);
    static const char *const silent[] = {"$schema", "$defs",      "title",         "description",
                                         "default", "properties", "propertyNames", "then"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (strcmp(word, silent[i]) == 0) return true;
    fail_msg("the schema has the word %s, which this test does not know", word);
    return false;
}

static bool fits(const json_t *schema, const json_t *value) {
    const char *word;
    json_t *rule;
    json_object_foreach((json_t *)schema, word, rule) {
        if (!rule_holds(word, rule, schema, value)) return false;
    }
    return true;
}

/* A scene that has every object with every kind; `places` says where they are in it. */

static const char everything[] =
    "{'spacing': 0.001, 'time_step': {}, 'solver': {}, 'view': {},"
    " 'fluids': {'water': {'tension': {}, 'bodies': ["
    "   {'shape': {'kind': 'sphere', 'radius': 0.1}}, {'shape': {'kind': 'box', 'size': [1, 1, 1]}},"
    "   {'shape': {'kind': 'cylinder', 'radius': 0.1, 'height': 0.1}},"
    "   {'shape': {'kind': 'capsule', 'radius': 0.1, 'height': 0.1}}, {'shape': {'kind': 'cone', 'radius': 0.1, "
    "'height': 0.1}},"
    "   {'shape': {'kind': 'torus', 'radius': 0.1, 'tube_radius': 0.01}},"
    "   {'shape': {'kind': 'mesh', 'path': 'cube.obj'}},"
    "   {'shape': {'kind': 'union', 'children': [{'kind': 'sphere', 'radius': 0.1}]}}]}},"
    " 'solids': {'floor': {'shape': {'kind': 'sphere', 'radius': 0.1, 'rotation': {'axis': [0, 0, 1], 'angle': 5}},"
    "   'tension': {}, 'motion': [{'time': 0}]}, 'wall': {'shape': {'kind': 'plane', 'size': [1, 1]}}},"
    " 'emitters': ["
    "   {'kind': 'round', 'fluid': 'water', 'position': [0, 0, 0], 'direction': [0, 0, 1], 'speed': 1, 'radius': 0.1},"
    "   {'kind': 'rectangle', 'fluid': 'water', 'position': [0, 0, 0], 'direction': [0, 0, 1], 'speed': 1, 'size': [1, "
    "1]},"
    "   {'kind': 'rain', 'fluid': 'water', 'position': [0, 0, 0], 'direction': [0, 0, 1], 'speed': 1, 'radius': 0.1,"
    "    'size': [1, 1], 'rate': 1},"
    "   {'kind': 'drops', 'fluid': 'water', 'drops': [{'time': 0, 'position': [0, 0, 0], 'radius': 0.1}]}],"
    " 'sinks': [{'lower': [0, 0, 0], 'upper': [1, 1, 1]}],"
    " 'schedules': [{'target': 'solids.floor.friction', 'keys': [{'time': 0, 'value': 1}]}]}";

typedef struct Place {
    mnObject object;
    int variant;
    const char *path; /* as --set takes it, with a dot behind */
} Place;

static const Place places[] = {
    {MN_OBJECT_SCENE, 0, ""},
    {MN_OBJECT_TIME_STEP, 0, "time_step."},
    {MN_OBJECT_FLUID, 0, "fluids.water."},
    {MN_OBJECT_FLUID_TENSION, 0, "fluids.water.tension."},
    {MN_OBJECT_BODY, 0, "fluids.water.bodies[0]."},
    {MN_OBJECT_SHAPE, MN_SHAPE_SPHERE, "fluids.water.bodies[0].shape."},
    {MN_OBJECT_SHAPE, MN_SHAPE_BOX, "fluids.water.bodies[1].shape."},
    {MN_OBJECT_SHAPE, MN_SHAPE_CYLINDER, "fluids.water.bodies[2].shape."},
    {MN_OBJECT_SHAPE, MN_SHAPE_CAPSULE, "fluids.water.bodies[3].shape."},
    {MN_OBJECT_SHAPE, MN_SHAPE_CONE, "fluids.water.bodies[4].shape."},
    {MN_OBJECT_SHAPE, MN_SHAPE_PLANE, "solids.wall.shape."},
    {MN_OBJECT_SHAPE, MN_SHAPE_TORUS, "fluids.water.bodies[5].shape."},
    {MN_OBJECT_SHAPE, MN_SHAPE_MESH, "fluids.water.bodies[6].shape."},
    {MN_OBJECT_SHAPE, MN_SHAPE_UNION, "fluids.water.bodies[7].shape."},
    {MN_OBJECT_SOLID, 0, "solids.floor."},
    {MN_OBJECT_SOLID_TENSION, 0, "solids.floor.tension."},
    {MN_OBJECT_MOTION_KEY, 0, "solids.floor.motion[0]."},
    {MN_OBJECT_ROTATION, 0, "solids.floor.shape.rotation."},
    {MN_OBJECT_EMITTER, MN_EMITTER_ROUND, "emitters[0]."},
    {MN_OBJECT_EMITTER, MN_EMITTER_RECTANGLE, "emitters[1]."},
    {MN_OBJECT_EMITTER, MN_EMITTER_RAIN, "emitters[2]."},
    {MN_OBJECT_EMITTER, MN_EMITTER_DROPS, "emitters[3]."},
    {MN_OBJECT_DROP, 0, "emitters[3].drops[0]."},
    {MN_OBJECT_SINK, 0, "sinks[0]."},
    {MN_OBJECT_SCHEDULE, 0, "schedules[0]."},
    {MN_OBJECT_SCHEDULE_KEY, 0, "schedules[0].keys[0]."},
    {MN_OBJECT_SOLVER, 0, "solver."},
    {MN_OBJECT_VIEW, 0, "view."},
};
enum { PLACES = sizeof places / sizeof *places };

static json_t *parse(const char *text) {
    char *json = strdup(text);
    for (char *c = json; *c; c++)
        if (*c == '\'') *c = '"';
    json_t *value = json_loads(json, 0, NULL);
    free(json);
    assert_non_null(value);
    return value;
}

/* The object at a place of the tree. */
static json_t *go_to(json_t *root, const char *path) {
    char copy[128];
    snprintf(copy, sizeof copy, "%s", path);
    json_t *at = root;
    for (char *step = strtok(copy, ".[]"); step; step = strtok(NULL, ".[]"))
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(step)) : json_object_get(at, step);
    assert_true(json_is_object(at));
    return at;
}

static Loaded load_tree(json_t *root) {
    char *text = json_dumps(root, 0);
    Loaded loaded = load_bytes(text, strlen(text), NULL, 0);
    free(text);
    return loaded;
}

/* Both must refuse, and the reader must name the key. */
static void expect_refused(json_t *root, const Place *place, const char *name) {
    char key[160];
    snprintf(key, sizeof key, "%s%s", place->path, name);
    Loaded loaded = load_tree(root);
    bool schema_accepts = fits(schema_root, root);
    bool named = false;
    for (int i = 0; i < loaded.report.count; i++)
        named |= strncmp(loaded.report.problems[i].key, key, strlen(key)) == 0 && !loaded.report.problems[i].is_warning;
    if (schema_accepts || !named) {
        print_message("%s: schema %s, reader:\n", key, schema_accepts ? "accepts" : "refuses");
        print_report(&loaded.report);
    }
    assert_true(named);
    assert_false(schema_accepts);
    unload(&loaded);
    json_decref(root);
}

static void expect_accepted(json_t *root) {
    Loaded loaded = load_tree(root);
    if (loaded.status != MN_OK) print_report(&loaded.report);
    assert_int_equal(loaded.status, MN_OK);
    assert_true(fits(schema_root, root));
    unload(&loaded);
    json_decref(root);
}

static int start_schema(void **state) {
    (void)state;
    char *text = mn_scene_schema();
    schema_root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    return schema_root ? 0 : -1;
}

static int end_schema(void **state) {
    (void)state;
    json_decref(schema_root);
    return 0;
}

static void rows_are_sound(void **state) {
    (void)state;
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int i = 0; i < count; i++) {
        const mnKey *key = &rows[i];
        bool is_numeric = key->type == MN_KEY_NUMBER || key->type == MN_KEY_INTEGER || key->type == MN_KEY_VECTOR2 ||
                          key->type == MN_KEY_VECTOR3 || key->type == MN_KEY_PER_FLUID;
        assert_true(!is_numeric || key->lower < key->upper);
        assert_true(key->type != MN_KEY_CHOICE || key->names);
        assert_true(strlen(key->doc) > 3 && key->doc[strlen(key->doc) - 1] == '.' && !strchr(key->doc, '|'));
        /* A default is within its own range. */
        json_t *fallback = mn_key_default(key, 0);
        if (json_is_number(fallback))
            assert_true(json_number_value(fallback) >= key->lower && json_number_value(fallback) <= key->upper);
        json_decref(fallback);
    }
}

static void every_object_has_its_place(void **state) {
    (void)state;
    for (int object = 0; object < MN_OBJECT_COUNT; object++) {
        int found = 0;
        for (int i = 0; i < PLACES; i++) found += places[i].object == (mnObject)object;
        bool keys_vary = object == MN_OBJECT_SHAPE || object == MN_OBJECT_EMITTER;
        assert_int_equal(found, keys_vary ? mn_object_variants((mnObject)object) : 1);
    }
    expect_accepted(parse(everything));
}

static const json_t *schema_properties(const Place *place) {
    if (place->object == MN_OBJECT_SCENE) return json_object_get(schema_root, "properties");
    const json_t *own = json_object_get(json_object_get(schema_root, "$defs"), mn_object_info(place->object)->name);
    const json_t *kinds = json_object_get(own, "oneOf");
    return json_object_get(kinds ? json_array_get(kinds, (size_t)place->variant) : own, "properties");
}

static void every_key_is_in_schema_and_page(void **state) {
    (void)state;
    char *page = mn_scene_manual();
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int p = 0; p < PLACES; p++) {
        size_t keys = 0;
        for (int i = 0; i < count; i++) {
            if (!mn_key_belongs(&rows[i], places[p].object, places[p].variant)) continue;
            keys++;
            const json_t *property = json_object_get(schema_properties(&places[p]), rows[i].name);
            assert_non_null(property);
            const char *description = json_string_value(json_object_get(property, "description"));
            assert_int_equal(strncmp(description, rows[i].doc, strlen(rows[i].doc)), 0);
            char line[64];
            snprintf(line, sizeof line, "| `%s` |", rows[i].name);
            assert_non_null(strstr(page, line));
            assert_non_null(strstr(page, rows[i].doc));
        }
        assert_int_equal(json_object_size(schema_properties(&places[p])), keys);
    }
    free(page);
}

static void page_on_disk_is_current(void **state) {
    (void)state;
    char *page = mn_scene_manual();
    if (getenv("MN_UPDATE_DOCS")) {
        FILE *file = fopen("docs/scene.md", "wb");
        assert_non_null(file);
        fputs(page, file);
        fclose(file);
    }
    char *disk = file_text("docs/scene.md");
    assert_non_null(disk);
    assert_string_equal(disk, page);
    free(disk);
    free(page);
}

static void example_on_page_loads(void **state) {
    (void)state;
    char *page = mn_scene_manual();
    char *start = strstr(page, "```json\n"), *end = strstr(start, "\n```\n");
    assert_true(start && end);
    *end = '\0';
    expect_accepted(parse(start + 8));
    free(page);
}

static void shipped_scenes_fit_the_schema(void **state) {
    (void)state;
    DIR *folder = opendir("scenes");
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".json")) continue;
        char path[300];
        snprintf(path, sizeof path, "scenes/%s", entry->d_name);
        json_t *scene = json_load_file(path, 0, NULL);
        if (!fits(schema_root, scene)) fail_msg("%s does not fit the schema", path);
        json_decref(scene);
        count++;
    }
    closedir(folder);
    assert_true(count > 0);
}

static void defaults_written_out_are_accepted(void **state) {
    (void)state;
    json_t *root = parse(everything);
    int count, written = 0;
    const mnKey *rows = mn_key_rows(&count);
    for (int p = 0; p < PLACES; p++) {
        json_t *holder = go_to(root, places[p].path);
        for (int i = 0; i < count; i++) {
            if (!mn_key_belongs(&rows[i], places[p].object, places[p].variant)) continue;
            json_t *fallback = mn_key_default(&rows[i], places[p].variant);
            if (!fallback) continue;
            json_t *fresh = json_object_get(holder, rows[i].name) ? NULL : fallback;
            if (fresh) json_object_set(holder, rows[i].name, fresh);
            written += fresh != NULL;
            json_decref(fallback);
        }
    }
    assert_true(written > 60);
    expect_accepted(root);
}

/* A value on the wrong side of a range: a plain number, or in one component of a vector, or for one fluid. */
static json_t *spoilt(const mnKey *key, double number, bool by_fluid) {
    json_t *value = json_real(number);
    if (key->type == MN_KEY_VECTOR2) return json_pack("[f, o]", 1.0, value);
    if (key->type == MN_KEY_VECTOR3) return json_pack("[f, f, o]", 1.0, 1.0, value);
    if (key->type == MN_KEY_PER_FLUID && by_fluid) return json_pack("{s: o}", "water", value);
    return value;
}

static void ranges_hold_in_reader_and_schema(void **state) {
    (void)state;
    int count, tried = 0;
    const mnKey *rows = mn_key_rows(&count);
    for (int p = 0; p < PLACES; p++) {
        for (int i = 0; i < count; i++) {
            const mnKey *key = &rows[i];
            if (!mn_key_belongs(key, places[p].object, places[p].variant) || !(key->lower < key->upper)) continue;
            double width = key->type == MN_KEY_INTEGER ? 1 : 1e-3 * (key->upper - key->lower);
            double outside[] = {key->upper + width, key->above ? key->lower : key->lower - width};
            for (int j = 0; j < 4; j++) {
                json_t *root = parse(everything), *holder = go_to(root, places[p].path);
                json_object_set_new(holder, key->name, spoilt(key, outside[j % 2], j > 1));
                expect_refused(root, &places[p], key->name);
                tried++;
            }
        }
    }
    assert_true(tried > 200);
}

static void types_hold_in_reader_and_schema(void **state) {
    (void)state;
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int p = 0; p < PLACES; p++) {
        for (int i = 0; i < count; i++) {
            if (!mn_key_belongs(&rows[i], places[p].object, places[p].variant)) continue;
            json_t *root = parse(everything);
            json_object_set_new(go_to(root, places[p].path), rows[i].name, json_null());
            expect_refused(root, &places[p], rows[i].name);
        }
    }
}

static void required_keys_in_reader_and_schema(void **state) {
    (void)state;
    int count;
    const mnKey *rows = mn_key_rows(&count);
    for (int p = 0; p < PLACES; p++) {
        json_t *root = parse(everything);
        json_object_set_new(go_to(root, places[p].path), "qqq", json_integer(1));
        expect_refused(root, &places[p], "qqq");
        for (int i = 0; i < count; i++) {
            if (!mn_key_belongs(&rows[i], places[p].object, places[p].variant) || !rows[i].required) continue;
            root = parse(everything);
            json_object_del(go_to(root, places[p].path), rows[i].name);
            expect_refused(root, &places[p], rows[i].name);
        }
    }
}

static void fixed_step_stands_alone(void **state) {
    (void)state;
    json_t *root = parse(everything);
    json_object_set_new(json_object_get(root, "time_step"), "fixed", json_real(1e-4));
    expect_accepted(json_deep_copy(root));
    json_object_set_new(json_object_get(root, "time_step"), "max", json_real(1e-3));
    expect_refused(root, &places[1], "fixed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sound),
        cmocka_unit_test(every_object_has_its_place),
        cmocka_unit_test(every_key_is_in_schema_and_page),
        cmocka_unit_test(page_on_disk_is_current),
        cmocka_unit_test(example_on_page_loads),
        cmocka_unit_test(shipped_scenes_fit_the_schema),
        cmocka_unit_test(defaults_written_out_are_accepted),
        cmocka_unit_test(ranges_hold_in_reader_and_schema),
        cmocka_unit_test(types_hold_in_reader_and_schema),
        cmocka_unit_test(required_keys_in_reader_and_schema),
        cmocka_unit_test(fixed_step_stands_alone),
    };
    return cmocka_run_group_tests(tests, start_schema, end_schema);
}
