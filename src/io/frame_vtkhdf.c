#include <stdlib.h>

#include "io/frame_formats.h"

#if MN_HAVE_HDF5
#include <hdf5.h>

#include "base/memory.h"
#include "io/hdf5_plain.h"
#include "io/vtkhdf.h"

#define GRID "UnstructuredGrid"

enum { HEADER_BYTES = 1 << 16, PARTICLE_BYTES = 72 };

/* A frame on its way into a file in memory. HDF5 could write to the disk itself, but it does not end in good order when
 * that is full: 1.10.8 crashed after a file that could not grow. The price is 150 bytes per particle for the time of
 * writing, a twentieth of what a simulation holds. */
typedef struct Writer {
    const mnSnapshot *snapshot;
    const int64_t *order;
    int64_t count;
    hid_t file, root;
    double *values; /* an array as it is written: HDF5 makes of doubles what the file has */
    bool failed;
} Writer;

static double value_of(const mnSnapshot *snapshot, int64_t i, mnColumn column) {
    const mnParticles *p = &snapshot->particles;
    switch (column) {
    case MN_COLUMN_X:
        return (double)p->position[i].x;
    case MN_COLUMN_Y:
        return (double)p->position[i].y;
    case MN_COLUMN_Z:
        return (double)p->position[i].z;
    case MN_COLUMN_VX:
        return (double)p->velocity[i].x;
    case MN_COLUMN_VY:
        return (double)p->velocity[i].y;
    case MN_COLUMN_VZ:
        return (double)p->velocity[i].z;
    case MN_COLUMN_PRESSURE:
        return (double)p->pressure[i];
    case MN_COLUMN_MEASURE:
        return (double)p->measure[i].x;
    case MN_COLUMN_PHASE:
        return (double)p->phase[i];
    case MN_COLUMN_ID:
        return (double)p->id[i];
    case MN_COLUMN_RADIUS:
        return mn_snapshot_radius(snapshot, i);
    case MN_COLUMN_COUNT:
        break;
    }
    return 0;
}

static hid_t file_type(int kind) {
    if (kind == MN_VTKHDF_REAL) return H5T_IEEE_F32LE;
    return kind == MN_VTKHDF_LONG ? H5T_STD_I64LE : H5T_STD_I32LE;
}

/* The first rows × components of `values`. Files carry no dates, so that equal frames are equal files. */
static void put_array(Writer *w, hid_t group, const char *name, hid_t type, int64_t rows, int components) {
    const hsize_t size[2] = {(hsize_t)rows, (hsize_t)components};
    hid_t space = H5Screate_simple(components > 1 ? 2 : 1, size, NULL);
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, false);
    hid_t array = H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (array < 0 || H5Dwrite(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, w->values) < 0) w->failed = true;
    H5Dclose(array);
    H5Pclose(plan);
    H5Sclose(space);
}

static void put_number(Writer *w, hid_t group, const char *name, hid_t type, double value) {
    w->values[0] = value;
    put_array(w, group, name, type, 1, 1);
}

static void put_attribute(Writer *w, const char *name, hid_t space, hid_t type, const void *value) {
    hid_t attribute = H5Acreate2(w->root, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, type, value) < 0) w->failed = true;
    H5Aclose(attribute);
}

static void put_head(Writer *w) {
    const int64_t version[2] = {1, 0};
    const hsize_t pair = 2;
    hid_t vector = H5Screate_simple(1, &pair, NULL), scalar = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, sizeof GRID - 1);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    put_attribute(w, "Version", vector, H5T_NATIVE_INT64, version);
    put_attribute(w, "Type", scalar, text, GRID);
    H5Tclose(text);
    H5Sclose(scalar);
    H5Sclose(vector);
    static const char *const counts[] = {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"};
    for (int i = 0; i < 3; i++) put_number(w, w->root, counts[i], H5T_STD_I64LE, (double)w->count);
}

static void put_cells(Writer *w) {
    for (int64_t k = 0; k <= w->count; k++) w->values[k] = (double)k;
    put_array(w, w->root, "Connectivity", H5T_STD_I64LE, w->count, 1);
    put_array(w, w->root, "Offsets", H5T_STD_I64LE, w->count + 1, 1);
    const double vertex = 1;
    for (int64_t k = 0; k < w->count; k++) w->values[k] = vertex;
    put_array(w, w->root, "Types", H5T_STD_U8LE, w->count, 1);
}

static void put_columns(Writer *w, hid_t group, const mnVtkhdfArray *array) {
    for (int64_t k = 0; k < w->count; k++)
        for (int c = 0; c < array->components; c++)
            w->values[k * array->components + c] = value_of(w->snapshot, w->order[k], (mnColumn)(array->first + c));
    put_array(w, group, array->name, file_type(array->kind), w->count, array->components);
}

static void put_frame(Writer *w) {
    put_head(w);
    put_cells(w);
    hid_t of_points = H5Gcreate2(w->root, MN_VTKHDF_OF_POINTS, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t of_file = H5Gcreate2(w->root, MN_VTKHDF_OF_FILE, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int a = 0; a < MN_VTKHDF_ARRAYS; a++)
        put_columns(w, mn_vtkhdf_arrays[a].first == MN_COLUMN_X ? w->root : of_points, &mn_vtkhdf_arrays[a]);
    put_number(w, of_file, MN_VTKHDF_TIME, H5T_IEEE_F64LE, w->snapshot->time);
    H5Gclose(of_file);
    H5Gclose(of_points);
}

/* The file as bytes; free them. NULL: it could not be made. */
static void *make_image(Writer *w, size_t *bytes) {
    hid_t in_memory = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(in_memory, (size_t)(HEADER_BYTES + PARTICLE_BYTES * w->count), false);
    w->file = H5Fcreate("frame", H5F_ACC_TRUNC, H5P_DEFAULT, in_memory);
    w->root = H5Gcreate2(w->file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (w->root >= 0) put_frame(w);
    H5Gclose(w->root);
    void *image = NULL;
    if (w->root >= 0 && !w->failed && H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0) {
        ssize_t size = H5Fget_file_image(w->file, NULL, 0);
        image = size > 0 ? malloc((size_t)size) : NULL;
        if (image && H5Fget_file_image(w->file, image, (size_t)size) != size) {
            free(image);
            image = NULL;
        }
        *bytes = image ? (size_t)size : 0;
    }
    H5Fclose(w->file);
    H5Pclose(in_memory);
    return image;
}

/* For the file, for what HDF5 keeps of it, and for the arrays that it converts. */
static bool has_room(int64_t count) {
    return mn_memory_is_there(MN_HDF5_ROOM + 3 * (size_t)(HEADER_BYTES + PARTICLE_BYTES * count));
}

mnStatus mn_vtkhdf_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error) {
    Writer w = {.snapshot = snapshot, .order = order, .count = snapshot->particles.count};
    mnFile file;
    mnStatus status = mn_file_create(&file, path, error);
    if (status != MN_OK) return status;
    /* Connectivity has no components, but its offsets have one entry more. */
    w.values = malloc((size_t)(3 * w.count + 1) * sizeof *w.values);
    size_t bytes = 0;
    /* HDF5 prints its errors unless told not to, and whether it does is a setting of the whole process. */
    H5E_auto2_t print = NULL;
    void *data = NULL;
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    void *image = w.values && has_room(w.count) ? make_image(&w, &bytes) : NULL;
    H5Eset_auto2(H5E_DEFAULT, print, data);
    free(w.values);
    if (!image) {
        mn_file_discard(&file);
        return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write %s", path);
    }
    mn_file_put(&file, image, bytes);
    free(image);
    return mn_file_commit(&file, error);
}

#else

mnStatus mn_vtkhdf_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error) {
    (void)path, (void)snapshot, (void)order;
    return mn_format_check(MN_FORMAT_VTKHDF, error);
}

#endif
