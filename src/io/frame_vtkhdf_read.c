/* VTKHDF as frame_vtkhdf.c writes it, and with it what the HDF5 library makes of others' without being asked to pack.
 */
#include "io/bytes.h"
#include "io/frame_columns.h"
#include "io/hdf5_plain.h"
#include "io/vtkhdf.h"

enum { CHUNK = 1 << 16 };

/* A number that has an array of its own. */
static bool read_single(const mnFrameReader *reader, const mnHdf5 *file, uint64_t group, const char *name,
                        double *value) {
    uint64_t object;
    mnHdf5Array array;
    unsigned char bytes[8];
    if (!mn_hdf5_find(file, group, name, &object) || !mn_hdf5_array(file, object, &array) || array.rows != 1 ||
        array.components != 1)
        return false;
    if (fseek(reader->stream, (long)array.place, SEEK_SET) != 0 ||
        fread(bytes, 1, (size_t)array.bytes, reader->stream) != (size_t)array.bytes)
        return false;
    *value = mn_get_number(bytes, array.kind, array.bytes);
    return true;
}

static mnStatus read_rows(mnFrameReader *reader, const mnHdf5Array *array, mnColumn first, mnError *error) {
    unsigned char buffer[CHUNK];
    int64_t row = array->components * array->bytes, at_once = CHUNK / row;
    if (fseek(reader->stream, (long)array->place, SEEK_SET) != 0) return mn_frame_broken(reader, error, "cut short");
    for (int64_t done = 0; done < array->rows;) {
        int64_t now = array->rows - done < at_once ? array->rows - done : at_once;
        mnStatus status = mn_frame_bytes(reader, buffer, (size_t)(now * row), error);
        if (status != MN_OK) return status;
        for (int64_t k = 0; k < now * array->components; k++)
            mn_frame_set(reader, done + k / array->components, (mnColumn)(first + k % array->components),
                         mn_get_number(buffer + k * array->bytes, array->kind, array->bytes));
        done += now;
    }
    return MN_OK;
}

static mnStatus read_columns(mnFrameReader *reader, const mnHdf5 *file, uint64_t group, const mnVtkhdfArray *wanted,
                             mnError *error) {
    uint64_t object;
    mnHdf5Array array;
    if (!mn_hdf5_find(file, group, wanted->name, &object)) return MN_OK;
    if (!mn_hdf5_array(file, object, &array) || array.rows != reader->frame->particles.count ||
        array.components != wanted->components)
        return mn_frame_broken(reader, error, "its %s are not the plain array of %lld rows that a frame has",
                               wanted->name, (long long)reader->frame->particles.count);
    return read_rows(reader, &array, wanted->first, error);
}

mnStatus mn_vtkhdf_read(mnFrameReader *reader, mnError *error) {
    mnHdf5 file;
    if (!mn_hdf5_open(reader->stream, reader->size, &file))
        return mn_frame_broken(reader, error, "cut short, or not an HDF5 file of the kind that frames are");
    uint64_t root, points, of_points, of_file;
    double count;
    mnHdf5Array array;
    if (!mn_hdf5_find(&file, file.root, "VTKHDF", &root) || !mn_hdf5_find(&file, root, MN_VTKHDF_POINTS, &points) ||
        !mn_hdf5_array(&file, points, &array) || !read_single(reader, &file, root, "NumberOfPoints", &count) ||
        count != (double)array.rows)
        return mn_frame_broken(reader, error, "not a frame: it has no VTKHDF group with points in one piece");
    mnStatus status = mn_frame_room(reader, array.rows, 3 * (int64_t)sizeof(float), error);
    const bool has_columns = mn_hdf5_find(&file, root, MN_VTKHDF_OF_POINTS, &of_points);
    for (int a = 0; a < MN_VTKHDF_ARRAYS && status == MN_OK; a++)
        if (mn_vtkhdf_arrays[a].first == MN_COLUMN_X)
            status = read_columns(reader, &file, root, &mn_vtkhdf_arrays[a], error);
        else if (has_columns)
            status = read_columns(reader, &file, of_points, &mn_vtkhdf_arrays[a], error);
    if (mn_hdf5_find(&file, root, MN_VTKHDF_OF_FILE, &of_file))
        reader->frame->has_time = read_single(reader, &file, of_file, MN_VTKHDF_TIME, &reader->frame->time);
    return status;
}
