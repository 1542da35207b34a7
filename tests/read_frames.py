#!/usr/bin/env python3
"""Compares frames, as readers that are not ours see them, with the CSV file of the same frame.

    read_frames.py READER FILE CSV [TIME]

READER is bgeo (here, after the format's documentation alone), h5py, vtkhdf or vtp (VTK's own readers) or ply (meshio).
Ends with status 77 where one is not installed. TIME is what the file should tell in seconds; a comment of a PLY file does
not come through meshio.
"""
import csv
import struct
import sys

VECTORS = {"x": ("position", 0), "y": ("position", 1), "z": ("position", 2),
           "vx": ("velocity", 0), "vy": ("velocity", 1), "vz": ("velocity", 2)}


def read_bgeo(path):
    """The documentation of GPD, version 5: all big-endian, names with their length before them."""
    data = open(path, "rb").read()
    at = 0

    def take(layout):
        nonlocal at
        values = struct.unpack_from(">" + layout, data, at)
        at += struct.calcsize(">" + layout)
        return values if len(values) > 1 else values[0]

    def take_definitions(count):
        found = []
        for _ in range(count):
            name = take("%ds" % take("H"))
            size, kind = take("Hi")
            assert kind in (0, 1, 5), kind
            take("%di" % size)
            found.append((name.decode(), size, "i" if kind == 1 else "f"))
        return found

    assert take("4s") == b"Bgeo" and take("c") == b"V" and take("i") == 5
    points, primitives, *groups = take("4i")
    of_points, of_vertices, of_primitives, of_file = take("4i")
    assert primitives == of_vertices == of_primitives == 0 and groups == [0, 0]
    attributes = take_definitions(of_points)
    layout = "4f" + "".join("%d%s" % (size, kind) for _, size, kind in attributes)
    columns = {"position": [], **{name: [] for name, _, _ in attributes}}
    for _ in range(points):
        values = list(take(layout))
        assert values[3] == 1
        columns["position"].append(values[:3])
        del values[:4]
        for name, size, _ in attributes:
            columns[name].append(values[:size] if size > 1 else values[0])
            del values[:size]
    (name, size, kind), = take_definitions(of_file)
    assert (name, size, kind) == ("time", 1, "f")
    time = take("f")
    assert take("2s") == b"\x00\xff" and at == len(data)
    columns["velocity"] = columns.pop("v")
    columns["radius"] = columns.pop("pscale")
    return columns, time


def read_h5py(path):
    import h5py
    with h5py.File(path, "r") as file:
        group = file["VTKHDF"]
        assert list(group.attrs["Version"]) == [1, 0] and group.attrs["Type"] == b"UnstructuredGrid"
        count = group["NumberOfPoints"][0]
        assert group["NumberOfCells"][0] == group["NumberOfConnectivityIds"][0] == count
        assert list(group["Connectivity"]) == list(range(count)) and list(group["Offsets"]) == list(range(count + 1))
        assert group["Types"].dtype == "uint8" and group["PointData/id"].dtype == "int64"
        columns = {name: array[()].tolist() for name, array in group["PointData"].items()}
        columns["position"] = group["Points"][()].tolist()
        return columns, group["FieldData/TimeValue"][0]


def read_vtk(reader, path):
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(path))
    reader.SetFileName(path)
    reader.Update()
    assert not errors
    output = reader.GetOutput()
    columns = {"position": [output.GetPoint(i) for i in range(output.GetNumberOfPoints())]}
    for a in range(output.GetPointData().GetNumberOfArrays()):
        array = output.GetPointData().GetArray(a)
        rows = [array.GetTuple(i) for i in range(array.GetNumberOfTuples())]
        columns[array.GetName()] = [row if len(row) > 1 else row[0] for row in rows]
    time = output.GetFieldData().GetArray("TimeValue")
    return columns, time.GetValue(0) if time else None


def read_vtkhdf(path):
    import vtk
    reader = vtk.vtkHDFReader()
    assert reader.CanReadFile(path)
    columns, time = read_vtk(reader, path)
    grid = reader.GetOutput()
    assert all(grid.GetCellType(i) == vtk.VTK_VERTEX for i in range(grid.GetNumberOfCells()))
    assert grid.GetNumberOfCells() == len(columns["position"])
    return columns, time


def read_vtp(path):
    import vtk
    return read_vtk(vtk.vtkXMLPolyDataReader(), path)


def read_ply(path):
    import meshio
    mesh = meshio.read(path)
    columns = {name: array.tolist() for name, array in mesh.point_data.items()}
    columns["position"] = mesh.points.tolist()
    columns["velocity"] = list(zip(columns["vx"], columns["vy"], columns["vz"]))
    return columns, None


def main():
    kind, path, table = sys.argv[1:4]
    try:
        columns, time = globals()["read_" + kind](path)
    except ImportError as error:
        print("skipped: %s cannot be read by %s: %s" % (path, kind, error))
        sys.exit(77)
    rows = list(csv.DictReader(open(table)))
    assert len(rows) == len(columns["position"]), (len(rows), len(columns["position"]))
    for title in rows[0]:
        name = title.split(" ")[0]
        column, component = VECTORS.get(name, (name, None))
        for row, value in zip(rows, columns[column]):
            found = value if component is None else value[component]
            wanted = float(row[title])
            assert abs(found - wanted) <= 1e-6 * abs(wanted), (title, found, wanted)
    if len(sys.argv) > 4 and kind != "ply":
        assert abs(time - float(sys.argv[4])) <= 1e-6 * float(sys.argv[4]), time


main()
