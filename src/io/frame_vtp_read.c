/* VTP as frame_vtp.c writes it: raw appended arrays with 8-byte sizes. */
#include "io/bytes.h"
#include "io/frame_columns.h"
#include "io/vtp_header.h"

enum { CHUNK = 1 << 16 };

typedef struct Array {
    const char *name, *type;
    mnColumn first; /* its components are this column and those behind it */
    int components, bytes;
} Array;

static const Array arrays[] = {
    {"Points", "Float32", MN_COLUMN_X, 3, 4},          {"velocity", "Float32", MN_COLUMN_VX, 3, 4},
    {"pressure", "Float32", MN_COLUMN_PRESSURE, 1, 4}, {"measure", "Float32", MN_COLUMN_MEASURE, 1, 4},
    {"phase", "Int32", MN_COLUMN_PHASE, 1, 4},         {"id", "Int64", MN_COLUMN_ID, 1, 8},
    {"radius", "Float32", MN_COLUMN_RADIUS, 1, 4}};

static mnStatus read_array(mnFrameReader *reader, const Array *array, int64_t from, mnError *error) {
    unsigned char buffer[CHUNK];
    int64_t count = reader->frame->particles.count, row = array->components * array->bytes, at_once = CHUNK / row;
    const char kind = array->type[0] == 'F' ? 'f' : 'i';
    mnStatus status = MN_OK;
    if (from < 0 || from > reader->size || fseek(reader->stream, (long)from, SEEK_SET) != 0)
        return mn_frame_broken(reader, error, "cut short: its %s lie behind its end", array->name);
    status = mn_frame_bytes(reader, buffer, 8, error);
    if (status == MN_OK && mn_get_bits(buffer, 8) != (uint64_t)(count * row))
        status = mn_frame_broken(reader, error, "its %s have another size than its particles", array->name);
    for (int64_t done = 0; done < count && status == MN_OK;) {
        int64_t now = count - done < at_once ? count - done : at_once;
        status = mn_frame_bytes(reader, buffer, (size_t)(now * row), error);
        for (int64_t k = 0; status == MN_OK && k < now * array->components; k++)
            mn_frame_set(reader, done + k / array->components, (mnColumn)(array->first + k % array->components),
                         mn_get_number(buffer + k * array->bytes, kind, array->bytes));
        done += now;
    }
    return status;
}

mnStatus mn_vtp_read(mnFrameReader *reader, mnError *error) {
    mnVtpHeader header;
    mnStatus status = mn_vtp_header_read(reader->stream, reader->path, &header, error);
    if (status != MN_OK) return status;
    reader->frame->has_time = header.has_time;
    reader->frame->time = header.time;
    int64_t offset;
    if (!mn_vtp_array(&header, "Points", "Float32", &offset))
        status = mn_frame_broken(reader, error, "not a frame: its points must be raw appended Float32");
    else if (header.polygons > 0)
        status = mn_frame_broken(reader, error, "a surface, not a frame of particles");
    if (status == MN_OK) status = mn_frame_room(reader, header.points, 12, error);
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0] && status == MN_OK; a++)
        if (mn_vtp_array(&header, arrays[a].name, arrays[a].type, &offset))
            status = read_array(reader, &arrays[a], offset, error);
    mn_vtp_header_clear(&header);
    return status;
}
