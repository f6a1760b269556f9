#!/usr/bin/env python3
"""Opens the .vti files of `stencilc run` with VTK, and lets it read what VTK writes in all its ways.

vtk_test.py --stencilc build/bin/stencilc --venv build/files-venv

VTK, PyVista and NumPy are installed into the virtual environment by pip; if that is impossible, the test fails.
"""
import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import unittest

import environment

SHIFT = """stencil shift {
  axes x, y, z;
  field f32 u  boundary periodic;
  field TYPE v  boundary periodic;
  u[t+1] = u[x-1];
  v[t+1] = v[y-1];
}
"""
LINE = "stencil line { axes x; field f64 u  boundary periodic; u[t+1] = u[x-1]; }\n"
PLANE = "stencil plane { axes x, y; field f32 u  boundary periodic; u[t+1] = u[x-1]; }\n"
TYPES = {"f64": "float64", "f32": "float32", "f16": "float16", "i64": "int64", "i32": "int32", "i16": "int16", "u16": "uint16",
         "i8": "int8", "u8": "uint8", "bool": "bool"}


class Vtk(unittest.TestCase):
    stencilc = ""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("line.stn", LINE)
        self.write("plane.stn", PLANE)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def run_program(self, *words, status=0):
        done = subprocess.run([self.stencilc, "run", *words, "--target=cpu"], cwd=self.folder.name, text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def opened(self, name):
        reader = vtk.vtkXMLImageDataReader()
        reader.SetFileName(self.path(name))
        errors = []
        reader.AddObserver("ErrorEvent", lambda *_: errors.append(name))
        reader.Update()
        self.assertEqual(errors, [])
        grid = reader.GetOutput()
        points = grid.GetPointData()
        arrays = {points.GetArrayName(i): vtk_to_numpy(points.GetArray(i)) for i in range(points.GetNumberOfArrays())}
        return grid, arrays

    def test_vtk_reads_every_type(self):
        random = np.random.default_rng(1)
        u = random.random((4, 3, 5)).astype(np.float32)
        for name, kind in TYPES.items():
            self.write("shift.stn", SHIFT.replace("TYPE", name))
            v = (random.integers(0, 2, (4, 3, 5)) if name == "bool" else random.integers(0, 100, (4, 3, 5))).astype(kind)
            np.savez(self.path("in.npz"), u=u, v=v)
            for suffix in "", ":compressed":
                self.run_program("shift.stn", "--in", "u,v=in.npz", "--out", "u,v=out.vti" + suffix, "--spacing", "0.1,0.2,3",
                                 "--origin", "1,-2,0")
                grid, arrays = self.opened("out.vti")
                self.assertEqual(grid.GetDimensions(), (5, 3, 4))
                self.assertEqual(grid.GetSpacing(), (0.1, 0.2, 3))
                self.assertEqual(grid.GetOrigin(), (1, -2, 0))
                self.assertEqual(grid.GetPointData().GetScalars().GetName(), "u")
                np.testing.assert_array_equal(arrays["u"].reshape(u.shape), np.roll(u, 1, axis=2))
                np.testing.assert_array_equal(arrays["v"].reshape(v.shape), np.roll(v, 1, axis=1))

    def test_lines_planes_and_several_blocks(self):
        for program, shape, kind in (("line.stn", (300001,), np.float64), ("plane.stn", (700, 900), np.float32)):
            u = np.random.default_rng(2).integers(0, 50, shape).astype(kind)
            np.save(self.path("u.npy"), u)
            for suffix in "", ":compressed":
                self.run_program(program, "--in", "u=u.npy", "--out", "u=out.vti" + suffix)
                grid, arrays = self.opened("out.vti")
                self.assertEqual(grid.GetDimensions(), (*reversed(shape), 1, 1)[:3])
                np.testing.assert_array_equal(arrays["u"].reshape(shape), np.roll(u, 1, axis=-1))

    def test_a_series_is_one_film_for_paraview(self):
        """A .pvd is a list of files, which VTK itself cannot open; PyVista reads it as ParaView does, and its files by VTK."""
        self.write("shift.stn", SHIFT.replace("TYPE", "f32").replace("axes x, y, z;", "axes x, y, z; param f32 dt = 0.5;"))
        random = np.random.default_rng(4)
        u, v = (random.random((4, 3, 5)).astype(np.float32) for _ in range(2))
        np.savez(self.path("in.npz"), u=u, v=v)
        os.mkdir(self.path("out"))
        run = ["shift.stn", "--in", "u,v=in.npz", "--every", "2", "--spacing", "0.1,0.2,3"]
        for suffix in "", ":compressed":
            files = ["--out", "u,v=out/a & b_%03d.vti" + suffix]
            self.run_program(*run, *files, "--steps", "4", "--checkpoint", "c")
            self.run_program(*run, *files, "--steps", "7", "--resume", "c")
            reader = pyvista.get_reader(self.path("out/a & b.pvd"))
            self.assertEqual(reader.time_values, [1, 2, 3])
            for time in reader.time_values:
                reader.set_active_time_value(time)
                grid, = reader.read()
                self.assertEqual(grid.spacing, (0.1, 0.2, 3))
                np.testing.assert_array_equal(grid["u"].reshape(u.shape), np.roll(u, int(2 * time), axis=2))
                np.testing.assert_array_equal(grid["v"].reshape(v.shape), np.roll(v, int(2 * time), axis=1))
            last, arrays = self.opened("out/a & b_006.vti")
            self.assertEqual(last.GetDimensions(), (5, 3, 4))
            np.testing.assert_array_equal(arrays["u"].reshape(u.shape), np.roll(u, 6, axis=2))

    def test_what_vtk_writes_is_read(self):
        u = np.random.default_rng(3).random((60, 70)).astype(np.float32)
        self.write("dx.stn", PLANE.replace("axes x, y;", "axes x, y; param f32 dx = 1;").replace("u[x-1]", "dx*u[x-1]"))
        for mode, encoded, packer, header, cells in itertools.product(
                ("Ascii", "Binary", "Appended"), (0, 1), ("None", "ZLib", "LZ4"), ("UInt32", "UInt64"), (0, 1)):
            grid = vtk.vtkImageData()
            grid.SetDimensions(70 + cells, 60 + cells, 1)
            grid.SetSpacing(0.25, 0.5, 1)
            grid.SetOrigin(-3, 4, 0)
            array = numpy_to_vtk(u.reshape(-1))
            array.SetName("height & more")
            (grid.GetCellData() if cells else grid.GetPointData()).AddArray(array)
            writer = vtk.vtkXMLImageDataWriter()
            writer.SetInputData(grid)
            writer.SetFileName(self.path("in.vti"))
            getattr(writer, "SetDataModeTo" + mode)()
            getattr(writer, "SetCompressorTypeTo" + packer)()
            getattr(writer, "SetHeaderTypeTo" + header)()
            writer.SetEncodeAppendedData(encoded)
            self.assertEqual(writer.Write(), 1)
            with self.subTest(mode=mode, encoded=encoded, packer=packer, header=header, cells=cells):
                words = ["dx.stn", "--in", "u=in.vti", "--steps", "0", "--out", "u=out.npy"]
                if packer == "LZ4":
                    self.assertIn("packed by `vtkLZ4DataCompressor`; save it packed by ZLib", self.run_program(*words, status=1))
                elif mode == "Ascii":
                    self.assertIn("its format is `ascii`; save it as `appended` or `binary`", self.run_program(*words, status=1))
                else:
                    self.assertIn("has the spacing 0.25 along x, and the param `dx` is 1", self.run_program(*words))
                    np.testing.assert_array_equal(np.load(self.path("out.npy")), u)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--stencilc", required=True)
    parser.add_argument("--venv", required=True)
    arguments, rest = parser.parse_known_args()
    environment.enter(arguments.venv, {"vtk": "vtk", "numpy": "numpy", "pyvista": "pyvista"})
    import numpy as np
    import pyvista
    import vtk
    from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    Vtk.stencilc = os.path.abspath(arguments.stencilc)
    unittest.main(argv=sys.argv[:1] + rest)
