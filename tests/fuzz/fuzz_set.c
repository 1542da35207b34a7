/* Changes as of --set, one a line, made to a scene that has something of everything. */
#include <string.h>

#include "fuzz.h"
#include "meniscus/scene.h"

enum { SETS = 16 };

static const char scene_text[] =
    "{\"spacing\": 0.001, \"gravity\": [0, 0, -9.81],\n"
    " \"fluids\": {\"water\": {\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.004}}]},\n"
    "            \"oil\": {\"density\": 900}},\n"
    " \"solids\": {\"plate\": {\"shape\": {\"kind\": \"union\", \"children\": [{\"kind\": \"box\", \"size\": [0.1, "
    "0.1, "
    "0.01]}]},\n"
    "            \"contact_angle\": {\"water\": 60},\n"
    "            \"motion\": [{\"time\": 0}, {\"time\": 1, \"translation\": [0, 0, 0.01]}]}},\n"
    " \"emitters\": [{\"kind\": \"round\", \"fluid\": \"oil\", \"position\": [0, 0, 0.1], \"direction\": [0, 0, -1], "
    "\"radius\": 0.005, "
    "\"speed\": "
    "1}],\n"
    " \"sinks\": [{\"lower\": [-1, -1, -1], \"upper\": [1, 1, -0.5]}],\n"
    " \"schedules\": [{\"target\": \"gravity\", \"keys\": [{\"time\": 0, \"value\": [0, 0, -9.81]}]}]}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *lines = malloc(size + 1), *rest = NULL;
    REQUIRE(lines);
    memcpy(lines, data, size);
    lines[size] = '\0';
    const char *sets[SETS];
    int count = 0;
    for (char *line = strtok_r(lines, "\n", &rest); line && count < SETS; line = strtok_r(NULL, "\n", &rest))
        sets[count++] = line;
    mnScene *scene = NULL;
    mnReport report = {0};
    mnStatus status = mn_scene_parse(scene_text, sizeof scene_text - 1, "input", NULL, sets, count, &scene, &report);
    REQUIRE((status == MN_OK) == (scene != NULL) && (status == MN_OK) == (report.errors == 0));
    REQUIRE(count > 0 || status == MN_OK);
    mn_report_clear(&report);
    mn_scene_destroy(scene);
    free(lines);
    return 0;
}
