/* Wavefront OBJ: lines "v x y z" and "f 1 2 3", where a corner may be 1/2/3 (of which the first is the vertex) or −1,
 * the vertex before this line. All other lines are about looks, or are points and curves. */
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh_reader.h"

/* A backslash at the end of a line continues it. */
static bool next_word(mnMeshReader *reader) {
    while (mn_mesh_next_word(reader) && *reader->at == '\\') {
        const char *after = reader->at + 1 + (reader->at[1] == '\r');
        if (*after != '\n') break;
        reader->at = after + 1;
    }
    return mn_mesh_next_word(reader);
}

static bool take_vertex(mnMeshReader *reader) {
    double position[3];
    for (int c = 0; c < 3; c++)
        if (!next_word(reader) || !mn_mesh_next_number(reader, &position[c]))
            return mn_mesh_fail(reader, "the vertex in line %lld is not three numbers",
                                (long long)mn_mesh_line(reader));
    return mn_mesh_add_vertex(reader, position);
}

static bool take_face(mnMeshReader *reader) {
    int64_t corners[MN_MESH_CORNERS_MOST];
    int count = 0;
    for (; next_word(reader) && *reader->at != '#'; count++) {
        char *end;
        long long number = strtoll(reader->at, &end, 10);
        if (end == reader->at || number == 0)
            return mn_mesh_fail(reader, "the face in line %lld has a corner that is no number of a vertex",
                                (long long)mn_mesh_line(reader));
        if (count == MN_MESH_CORNERS_MOST)
            return mn_mesh_fail(reader, "the face in line %lld has more than %d corners; export triangles",
                                (long long)mn_mesh_line(reader), MN_MESH_CORNERS_MOST);
        corners[count] = number > 0 ? number - 1 : number < -reader->vertex_count ? -1 : reader->vertex_count + number;
        reader->at = end + strcspn(end, " \t\r\n\\");
    }
    return mn_mesh_add_face(reader, corners, count);
}

bool mn_mesh_read_obj(mnMeshReader *reader) {
    bool good = true;
    while (good && reader->at < reader->end) {
        bool has_word = mn_mesh_next_word(reader);
        const char letter = *reader->at;
        if (has_word && (reader->at[1] == ' ' || reader->at[1] == '\t')) {
            reader->at++;
            if (letter == 'v') good = take_vertex(reader);
            if (letter == 'f') good = take_face(reader);
        }
        mn_mesh_next_line(reader);
    }
    return good;
}
