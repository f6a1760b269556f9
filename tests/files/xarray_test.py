#!/usr/bin/env python3
"""Opens the .nc files of `stencilc run` with xarray and netCDF4, and lets it read what they write.

xarray_test.py --stencilc build/bin/stencilc --venv build/files-venv

What it needs is installed into the virtual environment by pip, with the NetCDF library that stencilc loads; if that is impossible,
the test fails.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

import environment

WAVE = """stencil wave {
  axes x, y, z;
  param f64 dt = 0.25;
  param f64 dx = 0.5;
  field f32 u  boundary periodic;
  field TYPE v  boundary periodic;
  field f64 s(y) in;
  u[t+1] = u[x-1] + f32(0*dt*dx*s);
  v[t+1] = v[y-1];
}
"""
TYPES = {"f64": "float64", "f32": "float32", "f16": "float32", "i64": "int64", "i32": "int32", "i16": "int16", "u16": "uint16",
         "i8": "int8", "u8": "uint8", "bool": "uint8"}


class Xarray(unittest.TestCase):
    stencilc = ""
    variables = {}

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        random = np.random.default_rng(1)
        self.u = random.random((4, 3, 5)).astype(np.float32)
        self.v = random.integers(0, 2, (4, 3, 5))
        self.s = random.random(3)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_wave(self, *words, type="f32", status=0):
        with open(self.path("wave.stn"), "w") as file:
            file.write(WAVE.replace("TYPE", type))
        done = subprocess.run([self.stencilc, "run", "wave.stn", *words, "--target=cpu"], cwd=self.folder.name, text=True,
                              capture_output=True, env={**os.environ, **self.variables})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_xarray_reads_every_type(self):
        for name, kind in TYPES.items():
            np.savez(self.path("in.npz"), u=self.u, v=self.v.astype("bool" if name == "bool" else kind), s=self.s)
            for suffix in "", ":compressed":
                self.run_wave("--in", "u,v,s=in.npz", "--steps", "6", "--out", "u,v,s=out.nc" + suffix, "--spacing", "0.5,0.2,3",
                              "--origin", "1,-2,0", "--unit", "x=m", "--unit", "u=K", "--unit", "time=s", type=name)
                with xr.open_dataset(self.path("out.nc"), decode_timedelta=False) as data:
                    self.assertEqual(data.attrs["Conventions"], "CF-1.10")
                    self.assertEqual(data.attrs["title"], "wave")
                    self.assertEqual(data.u.dims, ("z", "y", "x"))
                    self.assertEqual(data.s.dims, ("y",))
                    np.testing.assert_allclose(data.x, 1 + 0.5 * np.arange(5), rtol=1e-15)
                    np.testing.assert_allclose(data.y, -2 + 0.2 * np.arange(3), rtol=1e-15)
                    self.assertEqual((data.x.units, data.x.axis, data.z.axis), ("m", "X", "Z"))
                    self.assertEqual((data.u.units, data.time.units), ("K", "s"))
                    self.assertEqual((float(data.u.time), int(data.u.step)), (1.5, 6))
                    self.assertEqual(data.v.dtype, np.dtype(kind))
                    np.testing.assert_array_equal(data.u, np.roll(self.u, 6, axis=2))
                    np.testing.assert_array_equal(data.v, self.v.astype(kind))
                    np.testing.assert_array_equal(data.s, self.s)
                with netCDF4.Dataset(self.path("out.nc")) as data:
                    self.assertEqual(data.data_model, "NETCDF4")
                    self.assertEqual(data["u"].filters()["zlib"], suffix != "")

    def expect_series(self, name, steps, u, v):
        with xr.open_dataset(self.path(name), decode_timedelta=False) as data:
            self.assertEqual((data.u.dims, data.s.dims), (("time", "z", "y", "x"), ("y",)))
            self.assertEqual(data.encoding["unlimited_dims"], {"time"})
            self.assertEqual((data.time.units, data.time.axis, data.u.units), ("s", "T", "K"))
            self.assertEqual(list(data.step.values), steps)
            np.testing.assert_allclose(data.time, 0.25 * np.array(steps), rtol=1e-15)
            for step in steps:
                one = data.sel(time=0.25 * step)
                self.assertEqual(int(one.step), step)
                np.testing.assert_array_equal(one.u, np.roll(u, step, axis=2))
                np.testing.assert_array_equal(one.v, np.roll(v, step, axis=1).astype(one.v.dtype))
            np.testing.assert_array_equal(data.s, self.s)

    def test_a_series_is_one_file_along_the_time(self):
        for kind in "f32", "f16", "bool", "u16":
            v = self.v.astype({"f16": "float16", "u16": "uint16"}.get(kind, kind.replace("f32", "float32")))
            np.savez(self.path("in.npz"), u=self.u, v=v, s=self.s)
            for suffix in "", ":compressed":
                said = self.run_wave("--in", "u,v,s=in.npz", "--steps", "7", "--every", "2", "--out", "u,v,s=run.nc" + suffix,
                                     "--unit", "u=K", "--unit", "time=s", "--spacing", "0.5,0.5,0.5", type=kind)
                self.assertIn("wrote run.nc, 3 snapshots", said)
                self.expect_series("run.nc", [2, 4, 6], self.u, v)
        # Dates, and a time that begins elsewhere.
        self.run_wave("--in", "u,v,s=in.npz", "--first", "100", "--steps", "4", "--every", "2", "--out", "u=dates.h5",
                      "--unit", "time=hours since 2001-01-01", type="u16")
        with xr.open_dataset(self.path("dates.h5"), engine="netcdf4") as data:
            self.assertEqual(str(data.time.values[0])[:16], "2001-01-02T01:30")
            self.assertEqual(list(data.step.values), [102, 104])

    def test_a_series_goes_on(self):
        v = self.v.astype(np.float32)
        np.savez(self.path("in.npz"), u=self.u, v=v, s=self.s)
        run = ["--in", "u,v,s=in.npz", "--out", "u,v,s=run.nc", "--unit", "u=K", "--unit", "time=s"]
        self.run_wave(*run, "--steps", "7", "--every", "2", "--checkpoint", "c", "--checkpoint-every", "3")
        # From step 6, so that the last snapshot stays; and from step 3, so that two are written again.
        with xr.open_dataset(self.path("run.nc"), decode_timedelta=False) as held:  # while another program has it open
            self.run_wave(*run, "--steps", "9", "--every", "2", "--resume", "c.previous")
            self.assertEqual(list(held.step.values), [2, 4, 6])
        self.expect_series("run.nc", [2, 4, 6, 8], self.u, v)
        self.run_wave(*run, "--steps", "3", "--every", "2", "--checkpoint", "early")
        self.expect_series("run.nc", [2], self.u, v)
        self.run_wave(*run, "--steps", "9", "--every", "2")
        self.run_wave(*run, "--steps", "11", "--every", "2", "--resume", "early")
        self.expect_series("run.nc", [2, 4, 6, 8, 10], self.u, v)
        # What cannot be continued is left as it is.
        with open(self.path("run.nc"), "rb") as file:
            good = file.read()
        said = self.run_wave(*run, "--steps", "20", "--every", "5", "--resume", "early", status=1)
        self.assertIn("`--out u,v,s=run.nc`: it has a snapshot of step 4, which a run with `--every 5` does not take; move", said)
        with open(self.path("run.nc"), "rb") as file:
            self.assertEqual(file.read(), good)
        self.run_wave("--in", "u=in.npz", "--steps", "2", "--size", "5x3x4", "--out", "u=run.nc", "--unit", "u=K")
        said = self.run_wave(*run, "--steps", "20", "--every", "2", "--resume", "early", status=1)
        self.assertIn("the earlier snapshots cannot be continued: it is the file of another run: its `step` has another type or other "
                      "axes", said)
        with open(self.path("run.nc"), "wb") as file:
            file.write(good[:-100])
        self.assertIn("cannot be continued: ", self.run_wave(*run, "--steps", "20", "--every", "2", "--resume", "early", status=1))
        # A numbered name still means a file for each.
        self.run_wave("--in", "u,v,s=in.npz", "--steps", "4", "--every", "2", "--out", "u=one_%d.nc")
        with xr.open_dataset(self.path("one_4.nc"), decode_timedelta=False) as data:
            np.testing.assert_array_equal(data.u, np.roll(self.u, 4, axis=2))

    def test_the_commands_of_the_pages(self):
        """Those with a .nc, which the test of the documents leaves out where the library is missing."""
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        os.symlink(os.path.join(root, "examples"), self.path("examples"))
        for page, count in ("long-runs.md", 1), ("files.md", 3):
            with open(os.path.join(root, "docs", page)) as file:
                text = file.read()
            for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
                subprocess.run([sys.executable, "-c", block], cwd=self.folder.name, check=True)
            commands = [block for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) if ".nc" in block]
            self.assertEqual(len(commands), count)
            tools = os.path.dirname(self.stencilc) + ":" + os.environ["PATH"]
            for command in commands:
                done = subprocess.run(["sh", "-ec", command], cwd=self.folder.name, text=True, capture_output=True,
                                      env={**os.environ, "PATH": tools})
                self.assertEqual(done.returncode, 0, command + done.stdout + done.stderr)
        with xr.open_dataset(self.path("shot.nc"), decode_timedelta=False) as data:
            self.assertEqual(data.vz.sel(z=160).max("x").dims, ("time", "y"))
            self.assertEqual((data.time.units, data.z.units), ("s", "m"))
            self.assertGreater(float(abs(data.vz).max()), 0)
        with xr.open_dataset(self.path("waves.nc"), decode_timedelta=False) as data:
            self.assertEqual(list(data.time.values), [100, 200, 300, 400])
        with xr.open_dataset(self.path("scott.nc"), decode_timedelta=False) as data:
            np.testing.assert_array_equal(data.v.sel(time=1000), np.load(self.path("again.npy")))

    def test_one_time_of_a_series_is_read(self):
        np.savez(self.path("in.npz"), u=self.u, v=self.v.astype(np.float32), s=self.s)
        self.run_wave("--in", "u,v,s=in.npz", "--steps", "8", "--every", "2", "--out", "u,v,s=run.nc")
        for place, step in ("step=4", 4), ("time=1.5", 6), ("index=0", 2), ("index=-1", 8):
            self.run_wave("--in", f"u,v,s=run.nc:{place}", "--steps", "0", "--out", "u,v,s=out.npz")
            with np.load(self.path("out.npz")) as out:
                np.testing.assert_array_equal(out["u"], np.roll(self.u, step, axis=2))
                np.testing.assert_array_equal(out["v"], np.roll(self.v, step, axis=1).astype(np.float32))
                np.testing.assert_array_equal(out["s"], self.s)  # which has no time
        # Of another program: with another name of the axis, without steps, and packed.
        data = xr.Dataset({"h": (("hour", "z", "y", "x"), np.stack([self.u, self.u + 1])), "k": (("n", "y"), np.stack([self.s] * 3))},
                          {"hour": [12.0, 18.0]})
        data.to_netcdf(self.path("in.nc"), encoding={"h": {"dtype": "int16", "scale_factor": 0.5 ** 12, "_FillValue": -1}})
        self.run_wave("--in", "u=in.nc:h:time=18", "--in", "s=in.nc:k:index=2", "--steps", "0", "--out", "u,s=out.npz")
        with np.load(self.path("out.npz")) as out:
            np.testing.assert_allclose(out["u"], self.u + 1, atol=0.5 ** 12)
            np.testing.assert_array_equal(out["s"], self.s)
        for words, says in (
                ("u=run.nc", "`run.nc`: the variable `u` has 4 cells along `time`; choose one: `run.nc:step=8`, `run.nc:time=2` or "
                             "`run.nc:index=-1`"),
                ("u=run.nc:stp=4", "`run.nc`: `:stp=4`: behind the names a place can be said: `:step=`, `:time=` or `:index=`"),
                ("u=run.nc:v:step=5", "`run.nc`: `v` has no step 5; it has 2, 4, 6 and 8"),
                ("u=run.nc:time=0.6", "`run.nc`: `u` has no time 0.6; it has 0.5, 1, 1.5 and 2"),
                ("u=run.nc:index=4", "`run.nc`: `u` has the indices 0 to 3 along `time`, and not 4"),
                ("s=run.nc:step=4", "`run.nc`: `:step=4`: `s` has no axis in front of those of `s`"),
                ("u=in.nc:h", "`in.nc`: the variable `h` has 2 cells along `hour`; choose one: `in.nc:h:time=18` or `in.nc:h:index=-1`"),
                ("u=in.nc:h:step=1", "`in.nc`: it does not say the steps of `h`; write `:time=` or `:index=`"),
                ("s=in.nc:k:time=1", "`in.nc`: `k` has no coordinates along `n`; write `:index=`"),
                ("u=in.nc:time=12", "`in.nc`: it holds `h` and `k`, and no `u`; write `in.nc:NAME`")):
            with self.subTest(words=words):
                self.assertIn(says, self.run_wave("--in", words, "--size", "5x3x4", status=1))

    def test_what_xarray_writes_is_read(self):
        coordinates = {"x": 0.25 * np.arange(5), "y": np.arange(3.0), "z": np.arange(4.0), "time": [7.0]}
        data = xr.Dataset({"height": (("time", "z", "y", "x"), self.u[None])}, coordinates)
        data["packed"] = ("z", "y", "x"), self.u.astype(float)
        data["s"] = ("y", self.s)
        for kind in "NETCDF4", "NETCDF3_CLASSIC", "NETCDF3_64BIT":
            encoding = {"packed": {"dtype": "int16", "scale_factor": 0.5 ** 12, "add_offset": 0.25, "_FillValue": -1}}
            data.to_netcdf(self.path("in.nc"), format=kind, encoding=encoding)
            said = self.run_wave("--in", "u,v=in.nc:height,packed", "--in", "s=in.nc", "--steps", "0", "--out", "u,v=out.npz",
                                 "--out", "s=s.nc")
            self.assertIn("`in.nc` has the spacing 0.25 along x, and the param `dx` is 0.5", said)
            with np.load(self.path("out.npz")) as out:
                np.testing.assert_array_equal(out["u"], self.u)
                np.testing.assert_allclose(out["v"], self.u, atol=0.5 ** 12)
            with xr.open_dataset(self.path("s.nc"), decode_timedelta=False) as out:
                np.testing.assert_array_equal(out.x, coordinates["x"])
        said = self.run_wave("--in", "u=in.nc", status=1)
        self.assertIn("it holds `height`, `packed` and `s`, and no `u`; write `in.nc:NAME`", said)

    def test_files_that_are_cut_off(self):
        xr.Dataset({"u": (("z", "y", "x"), self.u)}).to_netcdf(self.path("old.nc"), format="NETCDF3_64BIT")
        np.savez(self.path("in.npz"), u=self.u, v=self.v)
        self.run_wave("--in", "u,v=in.npz", "--steps", "0", "--out", "u=new.nc")
        for name in "old.nc", "new.nc":
            with open(self.path(name), "rb") as file:
                whole = file.read()
            for length in (*range(0, len(whole) - 1, len(whole) // 40), len(whole) - 4):
                with open(self.path("cut.nc"), "wb") as file:
                    file.write(whole[:length])
                with self.subTest(name=name, length=length):
                    self.assertIn("`cut.nc`: ", self.run_wave("--in", "u=cut.nc", "--steps", "0", "--out", "u=u.npy", status=1))

    def test_changed_bytes_end_in_no_crash(self):
        np.savez(self.path("in.npz"), u=self.u, v=self.v)
        self.run_wave("--in", "u,v=in.npz", "--steps", "0", "--out", "u=new.nc")
        with open(self.path("new.nc"), "rb") as file:
            whole = file.read()
        random = np.random.default_rng(6)
        for at in range(0, len(whole), len(whole) // 150):
            bad = bytearray(whole)
            bad[at] ^= 1 << int(random.integers(8))
            with open(self.path("bad.nc"), "wb") as file:
                file.write(bad)
            done = subprocess.run([self.stencilc, "run", "wave.stn", "--target=cpu", "--in", "u=bad.nc", "--steps", "0", "--out",
                                   "u=u.npy"], cwd=self.folder.name, text=True, capture_output=True)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            if done.returncode == 1:
                self.assertIn("`bad.nc`", done.stderr)

    def test_without_the_library(self):
        self.variables = {"STENCILC_NETCDF": "/nowhere.so"}
        said = self.run_wave("--out", "u=out.nc", status=1)
        self.assertIn("`--out u=out.nc`: the library `/nowhere.so` that STENCILC_NETCDF names cannot be loaded", said)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--stencilc", required=True)
    parser.add_argument("--venv", required=True)
    arguments, rest = parser.parse_known_args()
    environment.enter(arguments.venv, {"numpy": "numpy", "xarray": "xarray", "netCDF4": "netCDF4"})
    import netCDF4
    import numpy as np
    import xarray as xr
    Xarray.stencilc = os.path.abspath(arguments.stencilc)
    folder = os.path.dirname(os.path.dirname(netCDF4.__file__))
    os.environ["STENCILC_NETCDF"], = glob.glob(os.path.join(folder, "netcdf4.libs", "libnetcdf-*.so*")) or \
        glob.glob(os.path.join(folder, "netCDF4.libs", "libnetcdf-*.so*"))
    unittest.main(argv=sys.argv[:1] + rest)
