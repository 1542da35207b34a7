#!/usr/bin/env python3
"""Reads a surface as PLY, OBJ and VTP with VTK's own readers, which must find the same closed mesh in all of them.

    read_surface.py STEM

STEM is the path without its ending. Ends with status 77 where VTK is not installed.
"""
import sys

try:
    import vtk
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)


def read(reader, path):
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


stem = sys.argv[1]
ply = read(vtk.vtkPLYReader(), stem + ".ply")
obj = read(vtk.vtkOBJReader(), stem + ".obj")
vtp = read(vtk.vtkXMLPolyDataReader(), stem + ".vtp")

for mesh in ply, obj, vtp:
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(mesh)
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.Update()
    assert mesh.GetNumberOfPolys() > 100, mesh.GetNumberOfPolys()
    assert edges.GetOutput().GetNumberOfCells() == 0, "open or branching edges"
    assert mesh.GetNumberOfPoints() == vtp.GetNumberOfPoints()
    assert mesh.GetNumberOfPolys() == vtp.GetNumberOfPolys()
    for k in range(mesh.GetNumberOfPoints()):
        for a, b in zip(mesh.GetPoint(k), vtp.GetPoint(k)):
            assert abs(a - b) <= 1e-6 * max(abs(x) for x in vtp.GetBounds()), (k, a, b)

assert ply.GetPointData().GetNormals() and obj.GetPointData().GetNormals()
names = [vtp.GetPointData().GetArrayName(k) for k in range(vtp.GetPointData().GetNumberOfArrays())]
assert "normal" in names and "velocity" in names, names
