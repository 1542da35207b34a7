/* STL, binary: 80 bytes of anything, a count, and 50 bytes for each triangle, of which 12 are a normal that nobody
 * needs, 36 the corners and 2 without a meaning. Or text: "vertex x y z" three times in each "facet". */
#include <string.h>
#include <strings.h>

#include "geometry/mesh_reader.h"
#include "io/bytes.h"

enum { HEAD = 84, RECORD = 50 };

static bool read_binary(mnMeshReader *reader, int64_t count) {
    const unsigned char *record = (const unsigned char *)reader->at + HEAD;
    bool good = true;
    for (int64_t t = 0; t < count && good; t++, record += RECORD) {
        double corner[3][3];
        for (int k = 0; k < 9; k++) corner[k / 3][k % 3] = mn_get_f32(record + 12 + 4 * k);
        good = mn_mesh_add_triangle(reader, corner[0], corner[1], corner[2]);
    }
    return good;
}

static bool begins(const mnMeshReader *reader, const char *word) {
    return strncasecmp(reader->at, word, strlen(word)) == 0;
}

static bool read_text(mnMeshReader *reader) {
    double corner[3][3];
    int count = 0;
    while (reader->at < reader->end) {
        bool is_vertex = mn_mesh_next_word(reader) && begins(reader, "vertex");
        if (is_vertex) {
            if (count == 3)
                return mn_mesh_fail(reader, "the facet that goes on to line %lld has more than three corners",
                                    (long long)mn_mesh_line(reader));
            reader->at += strlen("vertex");
            for (int c = 0; c < 3; c++)
                if (!mn_mesh_next_number(reader, &corner[count][c]))
                    return mn_mesh_fail(reader, "the vertex in line %lld is not three numbers",
                                        (long long)mn_mesh_line(reader));
            count++;
        } else if (begins(reader, "endloop")) {
            if (count != 3)
                return mn_mesh_fail(reader, "the facet that goes on to line %lld has not three corners",
                                    (long long)mn_mesh_line(reader));
            if (!mn_mesh_add_triangle(reader, corner[0], corner[1], corner[2])) return false;
            count = 0;
        }
        mn_mesh_next_line(reader);
    }
    return count == 0 || mn_mesh_fail(reader, "it ends within a facet");
}

/* Some programs begin binary files with "solid" too, but no text has a zero in it, as a count has. */
static bool is_text(const mnMeshReader *reader, int64_t size) {
    const char *word = reader->at + strspn(reader->at, " \t\r\n");
    return strncasecmp(word, "solid", 5) == 0 && !memchr(reader->at, '\0', (size_t)(size < HEAD ? size : HEAD));
}

bool mn_mesh_read_stl(mnMeshReader *reader) {
    const int64_t size = reader->end - reader->at;
    const int64_t count = size < HEAD ? -1 : (int64_t)mn_get_bits((const unsigned char *)reader->at + 80, 4);
    if (size != HEAD + RECORD * count && is_text(reader, size)) return read_text(reader);
    if (count < 0)
        return mn_mesh_fail(reader, "it is neither text that starts with \"solid\" nor long enough to be binary");
    if (size < HEAD + RECORD * count)
        return mn_mesh_fail(reader, "it is cut short: %lld triangles of %d bytes are announced, %lld bytes follow",
                            (long long)count, RECORD, (long long)(size - HEAD));
    return read_binary(reader, count);
}
