/* Meshes of all formats, the first byte tells which. What can be read is checked and built, and asked for a distance.
 */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "geometry/mesh.h"

/* Bytes; so that the machine is not asked each time. */
static const size_t memory = (size_t)1 << 30;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"input.obj", "input.stl", "input.ply", "input.gltf", "input.glb"};
    if (size < 1) return 0;
    char *bytes = malloc(size); /* a zero in place of the first byte, behind the others */
    REQUIRE(bytes);
    memcpy(bytes, data + 1, size - 1);
    bytes[size - 1] = '\0';
    mnTriangles triangles;
    mnError error = {0};
    mnStatus status = mn_mesh_parse(names[data[0] % 5], bytes, size - 1, memory, &triangles, &error);
    REQUIRE((status == MN_OK) == (error.text[0] == '\0'));
    free(bytes);
    if (status == MN_OK) {
        mnMesh *mesh = NULL;
        status = mn_mesh_build(&triangles, "input", 1, 0.1, memory, &mesh, &error);
        REQUIRE((status == MN_OK) == (mesh != NULL) && (status == MN_OK) == (error.text[0] == '\0'));
        if (mesh) REQUIRE(isfinite(mn_mesh_distance(mesh, (double[3]){1, 2, 3}, NULL)));
        mn_mesh_destroy(mesh);
    }
    free(triangles.corner);
    return 0;
}
