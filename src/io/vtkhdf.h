/* VTKHDF: an HDF5 file with a group VTKHDF, of type UnstructuredGrid and version 1.0, which VTK 9.1 and ParaView 5.11
 * read. (Their reader does not know PolyData yet.) Each particle is a cell of its own, a vertex.
 *
 *     VTKHDF/NumberOfPoints, NumberOfCells, NumberOfConnectivityIds     one number each: there is one piece
 *     VTKHDF/Points                                                     count × 3
 *     VTKHDF/Connectivity, Offsets, Types                               the cells
 *     VTKHDF/PointData/velocity, pressure, …                            count, or count × 3
 *     VTKHDF/FieldData/TimeValue                                        one number, s
 *
 * What the writer and the reader share. */
#ifndef MN_IO_VTKHDF_H
#define MN_IO_VTKHDF_H

#include "io/frame_columns.h"

#define MN_VTKHDF_POINTS "Points"
#define MN_VTKHDF_OF_POINTS "PointData"
#define MN_VTKHDF_OF_FILE "FieldData"
#define MN_VTKHDF_TIME "TimeValue"

/* An array of the file whose components are the column `first` and those behind it. */
typedef struct mnVtkhdfArray {
    const char *name;
    mnColumn first;
    int components;
    enum { MN_VTKHDF_REAL, MN_VTKHDF_INTEGER, MN_VTKHDF_LONG } kind;
} mnVtkhdfArray;

/* The places, which are in VTKHDF itself, and the others, which are in PointData. */
static const mnVtkhdfArray mn_vtkhdf_arrays[] = {
    {MN_VTKHDF_POINTS, MN_COLUMN_X, 3, MN_VTKHDF_REAL},  {"velocity", MN_COLUMN_VX, 3, MN_VTKHDF_REAL},
    {"pressure", MN_COLUMN_PRESSURE, 1, MN_VTKHDF_REAL}, {"measure", MN_COLUMN_MEASURE, 1, MN_VTKHDF_REAL},
    {"phase", MN_COLUMN_PHASE, 1, MN_VTKHDF_INTEGER},    {"id", MN_COLUMN_ID, 1, MN_VTKHDF_LONG},
    {"radius", MN_COLUMN_RADIUS, 1, MN_VTKHDF_REAL},
};
enum { MN_VTKHDF_ARRAYS = sizeof mn_vtkhdf_arrays / sizeof mn_vtkhdf_arrays[0] };

#endif
