#!/usr/bin/env python3
"""Opens the files that `stencilc run` writes with NumPy and Python's own modules, and lets it read what they write.

files_test.py --stencilc build/bin/stencilc
"""
import argparse
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
import zlib
from xml.etree import ElementTree

try:
    import numpy as np
except ImportError:
    print("NumPy is missing: install python3-numpy")
    sys.exit(1)

# Each cell takes the value on its left, so that every value of the input comes out again, and v shows the types.
SHIFT = """stencil shift {
  axes x, y, z;
  field f64 u  boundary periodic;
  field i16 v in;
  u[t+1] = u[x-1] + v;
}
"""


class Files(unittest.TestCase):
    stencilc = ""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        with open(self.path("shift.stn"), "w") as file:
            file.write(SHIFT)
        self.u = np.random.default_rng(1).random((3, 4, 5))
        self.v = np.arange(60, dtype=np.int16).reshape(3, 4, 5)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_shift(self, *words, program="shift.stn"):
        done = subprocess.run([self.stencilc, "run", program, "--target=cpu", *words], cwd=self.folder.name, text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def expected(self):
        return np.roll(self.u, 1, axis=2) + self.v


class Npz(Files):
    def test_numpy_reads_what_is_written(self):
        for save in np.savez, np.savez_compressed:
            save(self.path("in.npz"), u=self.u, v=self.v)
            for suffix in "", ":compressed":
                self.run_shift("--in", "u,v=in.npz", "--out", "u,v=out.npz" + suffix)
                with np.load(self.path("out.npz")) as out:
                    self.assertEqual(out.files, ["u", "v"])
                    np.testing.assert_array_equal(out["u"], self.expected())
                    np.testing.assert_array_equal(out["v"], self.v)
                    self.assertEqual(out["v"].dtype, np.int16)
                with zipfile.ZipFile(self.path("out.npz")) as archive:
                    self.assertIsNone(archive.testzip())

    def test_arrays_in_fortran_order(self):
        np.savez(self.path("in.npz"), u=np.asfortranarray(self.u), v=self.v)
        self.run_shift("--in", "u,v=in.npz", "--out", "u=out.npy")
        np.testing.assert_array_equal(np.load(self.path("out.npy")), self.expected())


def read_vti(path):
    """The grid and the arrays of a .vti file as stencilc writes it, by the description of the format alone."""
    with open(path, "rb") as file:
        text = file.read()
    end = text.index(b"<AppendedData")
    root = ElementTree.fromstring(text[:end] + b"</VTKFile>")
    appended = text[text.index(b"_", end) + 1:]
    assert root.get("type") == "ImageData" and root.get("header_type") == "UInt64"
    grid = root.find("ImageData")
    extent = [int(word) for word in grid.get("WholeExtent").split()]
    shape = [extent[axis + 1] - extent[axis] + 1 for axis in (4, 2, 0)]
    arrays = {}
    for item in grid.iter("DataArray"):
        at = int(item.get("offset"))
        kind = np.dtype(item.get("type").lower())
        if root.get("compressor") is None:
            size, = struct.unpack_from("<Q", appended, at)
            data = appended[at + 8:at + 8 + size]
        else:
            blocks, size, last = struct.unpack_from("<QQQ", appended, at)
            packed = struct.unpack_from(f"<{blocks}Q", appended, at + 24)
            at += 24 + 8 * blocks
            data = b""
            for one in packed:
                data += zlib.decompress(appended[at:at + one])
                at += one
            assert len(data) == (blocks - (last > 0)) * size + last
        arrays[item.get("Name")] = np.frombuffer(data, kind).reshape(shape)
    numbers = {name: [float(word) for word in grid.get(name).split()] for name in ("Origin", "Spacing")}
    return numbers, arrays


class Vti(Files):
    def test_a_reader_by_the_description_reads_what_is_written(self):
        np.savez(self.path("in.npz"), u=self.u, v=self.v)
        for suffix in "", ":compressed":
            self.run_shift("--in", "u,v=in.npz", "--out", "v,u=out.vti" + suffix, "--spacing", "0.1,2,1e-3", "--origin", "-1,0,5")
            numbers, arrays = read_vti(self.path("out.vti"))
            self.assertEqual(numbers, {"Origin": [-1, 0, 5], "Spacing": [0.1, 2, 1e-3]})
            self.assertEqual(list(arrays), ["v", "u"])
            np.testing.assert_array_equal(arrays["u"], self.expected())
            np.testing.assert_array_equal(arrays["v"], self.v)
            self.assertEqual(arrays["v"].dtype, np.int16)
        self.run_shift("--in", "u,v=out.vti", "--steps", "0", "--out", "u=back.npy")
        np.testing.assert_array_equal(np.load(self.path("back.npy")), self.expected())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--stencilc", required=True)
    arguments, rest = parser.parse_known_args()
    Files.stencilc = os.path.abspath(arguments.stencilc)
    unittest.main(argv=sys.argv[:1] + rest)
