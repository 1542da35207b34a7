/* Surfaces as files: binary PLY, Wavefront OBJ, and VTK XML PolyData with raw appended arrays. */
#include "io/file.h"
#include "io/vtp_header.h"
#include "surface/surface.h"

enum { BUFFER = 65536, LARGEST_RECORD = 64 };

const char *mn_surface_format_name(mnSurfaceFormat format) {
    static const char *const names[MN_SURFACE_FORMAT_COUNT] = {"ply", "obj", "vtp"};
    return format >= 0 && format < MN_SURFACE_FORMAT_COUNT ? names[format] : "";
}

/* Records gathered to pieces that are worth a call. */
typedef struct Buffer {
    mnFile *file;
    unsigned char *end;
    unsigned char bytes[BUFFER];
} Buffer;

static void flush(Buffer *buffer) {
    mn_file_put(buffer->file, buffer->bytes, (size_t)(buffer->end - buffer->bytes));
    buffer->end = buffer->bytes;
}

static void make_room(Buffer *buffer) {
    if (buffer->end + LARGEST_RECORD > buffer->bytes + BUFFER) flush(buffer);
}

static void put_vector(Buffer *buffer, const float v[3]) {
    for (int c = 0; c < 3; c++) buffer->end = mn_put_f32(buffer->end, (double)v[c]);
}

/* ---- PLY --------------------------------------------------------------------------------------------------------- */

static void put_ply(mnFile *file, const mnSurface *s, double time) {
    mn_file_print(file,
                  "ply\nformat binary_little_endian 1.0\ncomment meniscus surface\ncomment time %.12g s\n"
                  "element vertex %lld\nproperty float x\nproperty float y\nproperty float z\n"
                  "property float nx\nproperty float ny\nproperty float nz\n"
                  "property float vx\nproperty float vy\nproperty float vz\n"
                  "element face %lld\nproperty list uchar int vertex_indices\nend_header\n",
                  time, (long long)s->vertex_count, (long long)s->triangle_count);
    Buffer buffer = {.file = file};
    buffer.end = buffer.bytes;
    for (int64_t v = 0; v < s->vertex_count; v++) {
        make_room(&buffer);
        put_vector(&buffer, s->vertex[v]);
        put_vector(&buffer, s->normal[v]);
        put_vector(&buffer, s->velocity[v]);
    }
    for (int64_t t = 0; t < s->triangle_count; t++) {
        make_room(&buffer);
        *buffer.end++ = 3;
        for (int k = 0; k < 3; k++) buffer.end = mn_put_u32(buffer.end, (uint32_t)s->triangle[t][k]);
    }
    flush(&buffer);
}

/* ---- OBJ --------------------------------------------------------------------------------------------------------- */

static void put_obj(mnFile *file, const mnSurface *s, double time) {
    mn_file_print(file, "# meniscus surface, time %.12g s\n", time);
    for (int64_t v = 0; v < s->vertex_count; v++)
        mn_file_print(file, "v %.9g %.9g %.9g\n", (double)s->vertex[v][0], (double)s->vertex[v][1],
                      (double)s->vertex[v][2]);
    for (int64_t v = 0; v < s->vertex_count; v++)
        mn_file_print(file, "vn %.6g %.6g %.6g\n", (double)s->normal[v][0], (double)s->normal[v][1],
                      (double)s->normal[v][2]);
    for (int64_t t = 0; t < s->triangle_count; t++) {
        const int32_t *v = s->triangle[t];
        mn_file_print(file, "f %d//%d %d//%d %d//%d\n", v[0] + 1, v[0] + 1, v[1] + 1, v[1] + 1, v[2] + 1, v[2] + 1);
    }
}

/* ---- VTP --------------------------------------------------------------------------------------------------------- */

static int64_t print_array(mnFile *file, const char *type, const char *name, int components, int64_t bytes,
                           int64_t offset) {
    mn_file_print(
        file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%lld\"/>\n",
        type, name, components, (long long)offset);
    return offset + 8 + bytes;
}

static void put_vectors(mnFile *file, const float (*vectors)[3], int64_t count) {
    Buffer buffer = {.file = file};
    buffer.end = mn_put_u64(buffer.bytes, (uint64_t)count * 12);
    for (int64_t v = 0; v < count; v++) {
        make_room(&buffer);
        put_vector(&buffer, vectors[v]);
    }
    flush(&buffer);
}

static void put_polygons(mnFile *file, const mnSurface *s) {
    Buffer buffer = {.file = file};
    buffer.end = mn_put_u64(buffer.bytes, (uint64_t)s->triangle_count * 12);
    for (int64_t t = 0; t < s->triangle_count; t++) {
        make_room(&buffer);
        for (int k = 0; k < 3; k++) buffer.end = mn_put_u32(buffer.end, (uint32_t)s->triangle[t][k]);
    }
    make_room(&buffer);
    buffer.end = mn_put_u64(buffer.end, (uint64_t)s->triangle_count * 8);
    for (int64_t t = 0; t < s->triangle_count; t++) {
        make_room(&buffer);
        buffer.end = mn_put_u64(buffer.end, (uint64_t)(3 * (t + 1)));
    }
    flush(&buffer);
}

static void put_vtp(mnFile *file, const mnSurface *s, double time) {
    mn_vtp_header_begin(file, time);
    mn_file_print(file,
                  "<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                  "NumberOfPolys=\"%lld\">\n<PointData Vectors=\"velocity\" Normals=\"normal\">\n",
                  (long long)s->vertex_count, (long long)s->triangle_count);
    int64_t vectors = 12 * s->vertex_count;
    int64_t offset = print_array(file, "Float32", "velocity", 3, vectors, 0);
    offset = print_array(file, "Float32", "normal", 3, vectors, offset);
    mn_file_print(file, "</PointData>\n<Points>\n");
    offset = print_array(file, "Float32", "Points", 3, vectors, offset);
    mn_file_print(file, "</Points>\n<Polys>\n");
    offset = print_array(file, "Int32", "connectivity", 1, 12 * s->triangle_count, offset);
    print_array(file, "Int64", "offsets", 1, 8 * s->triangle_count, offset);
    mn_file_print(file, "</Polys>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    put_vectors(file, (const float(*)[3])s->velocity, s->vertex_count);
    put_vectors(file, (const float(*)[3])s->normal, s->vertex_count);
    put_vectors(file, (const float(*)[3])s->vertex, s->vertex_count);
    put_polygons(file, s);
    mn_file_print(file, "\n</AppendedData>\n</VTKFile>\n");
}

mnStatus mn_surface_write(mnSurfaceFormat format, const char *path, const mnSurface *surface, double time,
                          mnError *error) {
    static void (*const put[MN_SURFACE_FORMAT_COUNT])(mnFile *, const mnSurface *, double) = {put_ply, put_obj,
                                                                                              put_vtp};
    mnFile file;
    mnStatus status = mn_file_check(path, error);
    if (status == MN_OK) status = mn_file_create(&file, path, error);
    if (status != MN_OK) return status;
    put[format](&file, surface, time);
    return mn_file_commit(&file, error);
}
