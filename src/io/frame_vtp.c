/* VTK XML PolyData with raw appended arrays: one vertex cell per particle, so that ParaView shows points at once and
 * its filters can keep or drop single particles. Each array is a byte count (UInt64) and then its values. */
#include "io/frame_formats.h"
#include "io/vtp_header.h"

typedef struct Column {
    const char *name, *type;
    int components;
    int bytes; /* of one particle */
    unsigned char *(*put)(unsigned char *to, const mnSnapshot *s, int64_t particle, int64_t row);
} Column;

static unsigned char *put_position(unsigned char *to, const mnSnapshot *s, int64_t i, int64_t row) {
    (void)row;
    return mn_put_vector(to, &s->particles.position[i]);
}

static unsigned char *put_velocity(unsigned char *to, const mnSnapshot *s, int64_t i, int64_t row) {
    (void)row;
    return mn_put_vector(to, &s->particles.velocity[i]);
}

static unsigned char *put_pressure(unsigned char *to, const mnSnapshot *s, int64_t i, int64_t row) {
    (void)row;
    return mn_put_f32(to, (double)s->particles.pressure[i]);
}

static unsigned char *put_measure(unsigned char *to, const mnSnapshot *s, int64_t i, int64_t row) {
    (void)row;
    return mn_put_f32(to, (double)s->particles.measure[i].x);
}

static unsigned char *put_phase(unsigned char *to, const mnSnapshot *s, int64_t i, int64_t row) {
    (void)row;
    return mn_put_u32(to, (uint32_t)s->particles.phase[i]);
}

static unsigned char *put_id(unsigned char *to, const mnSnapshot *s, int64_t i, int64_t row) {
    (void)row;
    return mn_put_u64(to, (uint64_t)s->particles.id[i]);
}

static unsigned char *put_radius(unsigned char *to, const mnSnapshot *s, int64_t i, int64_t row) {
    (void)row;
    return mn_put_f32(to, mn_snapshot_radius(s, i));
}

static unsigned char *put_connectivity(unsigned char *to, const mnSnapshot *s, int64_t i, int64_t row) {
    (void)s, (void)i;
    return mn_put_u64(to, (uint64_t)row);
}

static unsigned char *put_offset(unsigned char *to, const mnSnapshot *s, int64_t i, int64_t row) {
    (void)s, (void)i;
    return mn_put_u64(to, (uint64_t)row + 1);
}

/* In the order of the file: six fields of the points, the points, two arrays of the cells. */
static const Column columns[] = {
    {"velocity", "Float32", 3, 12, put_velocity},
    {"pressure", "Float32", 1, 4, put_pressure},
    {"measure", "Float32", 1, 4, put_measure},
    {"phase", "Int32", 1, 4, put_phase},
    {"id", "Int64", 1, 8, put_id},
    {"radius", "Float32", 1, 4, put_radius},
    {"Points", "Float32", 3, 12, put_position},
    {"connectivity", "Int64", 1, 8, put_connectivity},
    {"offsets", "Int64", 1, 8, put_offset},
};
enum { FIELDS = 6, POINTS = 6, CELLS = 7, COLUMNS = 9, WIDEST = 12, ROWS_AT_ONCE = 2048 };

static int64_t print_column(mnFile *file, const Column *column, int64_t count, int64_t offset) {
    mn_file_print(
        file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%lld\"/>\n",
        column->type, column->name, column->components, (long long)offset);
    return offset + 8 + count * column->bytes;
}

static void print_header(mnFile *file, double time, int64_t count) {
    mn_vtp_header_begin(file, time);
    mn_file_print(file,
                  "<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                  "NumberOfPolys=\"0\">\n<PointData Scalars=\"pressure\" Vectors=\"velocity\">\n",
                  (long long)count, (long long)count);
    int64_t offset = 0;
    for (int c = 0; c < FIELDS; c++) offset = print_column(file, &columns[c], count, offset);
    mn_file_print(file, "</PointData>\n<Points>\n");
    offset = print_column(file, &columns[POINTS], count, offset);
    mn_file_print(file, "</Points>\n<Verts>\n");
    for (int c = CELLS; c < COLUMNS; c++) offset = print_column(file, &columns[c], count, offset);
    mn_file_print(file, "</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

static void put_column(mnFile *file, const Column *column, const mnSnapshot *snapshot, const int64_t *order) {
    int64_t count = snapshot->particles.count;
    unsigned char buffer[ROWS_AT_ONCE * WIDEST];
    mn_file_put(file, buffer, (size_t)(mn_put_u64(buffer, (uint64_t)(count * column->bytes)) - buffer));
    unsigned char *end = buffer;
    for (int64_t k = 0; k < count; k++) {
        end = column->put(end, snapshot, order[k], k);
        if ((k + 1) % ROWS_AT_ONCE == 0 || k + 1 == count) {
            mn_file_put(file, buffer, (size_t)(end - buffer));
            end = buffer;
        }
    }
}

mnStatus mn_vtp_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error) {
    mnFile file;
    mnStatus status = mn_file_create(&file, path, error);
    if (status != MN_OK) return status;
    print_header(&file, snapshot->time, snapshot->particles.count);
    for (int c = 0; c < COLUMNS; c++) put_column(&file, &columns[c], snapshot, order);
    mn_file_print(&file, "\n</AppendedData>\n</VTKFile>\n");
    return mn_file_commit(&file, error);
}
