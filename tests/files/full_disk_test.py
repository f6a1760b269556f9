#!/usr/bin/env python3
"""Lets a disk become full at every place of a run that goes on from a checkpoint and writes all kinds of files.

full_disk_test.py --stencilc build/bin/stencilc

The disk is a tmpfs of some pages, which root can mount. Without root the test is skipped: it ends with 77, and says so.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = """stencil decay { axes x, y; param f32 dt = 0.5; field f32 u boundary clamp;
  u[t+1] = 0.9*u[x-1] + 0.01*u[t-1] + dt*0.1*f32(t); }
"""
PAGE = 4096
FILES = ["--out", "u=u_%02d.npy", "--out", "u=v_%02d.vti", "--plot", "u=p_%02d.png:map=gray", "--animate", "u=film.gif", "--log", "log"]


def run(stencilc, folder, *words):
    return subprocess.run([stencilc, "run", "p.stn", "--target=cpu", "--quiet", *words], cwd=folder, text=True, capture_output=True)


def contents(folder):
    files = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            files[name] = file.read()
    return files


def wrong(stencilc, disk, outside, whole, done):
    """What is wrong after a run on a full disk, or ""."""
    said = done.stdout + done.stderr
    if done.returncode not in (0, 3):
        return f"it ended with {done.returncode}: {said}"
    if done.returncode == 3 and not re.search("No space left|no space is left|Can't write file|HDF error", said):
        return f"the error has no reason: {said}"
    for name, text in contents(disk).items():
        good = whole.get(name)
        if name in ("c", "c.previous", "p.stn", "filler"):
            continue
        if name == "log":
            lines = text.split(b"\n")[:-1]
            if lines != good.split(b"\n")[:len(lines)] or any(not json.loads(line) for line in lines):
                return f"the log is {text}"
        elif name.endswith(".pvd"):
            for file in re.findall(r'file="([^"]*)"', text.decode()):
                if not os.path.exists(os.path.join(disk, file)):
                    return f"{name} names {file}, which is not there"
        elif name.startswith("all.nc"):
            continue  # written in place by its library; xarray_test.py opens such files
        elif text != good:
            return f"{name} is not that of a whole run"
    # The checkpoint, on another disk.
    for name in "c", "c.previous":
        if not os.path.exists(os.path.join(disk, name)):
            return f"{name} is lost"
        shutil.copy(os.path.join(disk, name), outside)
        rest = run(stencilc, outside, "--steps", "9", "--resume", name, "--out", "u=rest.npy")
        with open(os.path.join(outside, "rest.npy"), "rb") as file:
            if rest.returncode != 0 or file.read() != whole["u_09.npy"]:
                return f"{name} is not good: {rest.stderr}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stencilc", required=True)
    stencilc = os.path.abspath(parser.parse_args().stencilc)
    with tempfile.TemporaryDirectory() as folder:
        disk, outside = os.path.join(folder, "disk"), os.path.join(folder, "outside")
        os.mkdir(disk)
        os.mkdir(outside)
        with open(os.path.join(outside, "p.stn"), "w") as file:
            file.write(PROGRAM)
        netcdf = run(stencilc, outside, "--size", "8x8", "--every", "1", "--out", "u=a.nc").returncode == 0
        files = FILES + (["--out", "u=all.nc"] if netcdf else [])
        size = ["--size", "48x40", "--in", "u=ramp"]
        begin = os.path.join(folder, "begin")
        shutil.copytree(outside, begin)
        for steps in "2", "3":
            assert run(stencilc, begin, *size, "--steps", steps, "--checkpoint", "c").returncode == 0
        for name in "a.nc", "u.npy":
            if os.path.exists(os.path.join(begin, name)):
                os.remove(os.path.join(begin, name))
        words = ["--steps", "9", "--every", "3", "--resume", "c", "--checkpoint", "c", "--checkpoint-every", "3", *files]
        shutil.copytree(begin, os.path.join(folder, "whole"))
        done = run(stencilc, os.path.join(folder, "whole"), *words)
        assert done.returncode == 0, done.stderr
        whole = contents(os.path.join(folder, "whole"))
        pages = sum(len(text) // PAGE + 1 for text in whole.values()) + 40
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={PAGE * (pages + 40)}", "tmpfs", disk], capture_output=True).returncode != 0:
            print("skipped: a tmpfs cannot be mounted here, which needs root")
            return 77
        tried, full = 0, 0
        try:
            for room in range(pages):
                shutil.copytree(begin, disk, dirs_exist_ok=True)
                free = os.statvfs(disk).f_bavail
                with open(os.path.join(disk, "filler"), "wb") as file:
                    file.write(bytes(PAGE * max(0, free - room)))
                done = run(stencilc, disk, *words)
                problem = wrong(stencilc, disk, outside, whole, done)
                if problem:
                    print(f"with {room} pages left: {problem}")
                    return 1
                tried, full = tried + 1, full + (done.returncode != 0)
                for name in os.listdir(disk):
                    os.remove(os.path.join(disk, name))
        finally:
            subprocess.run(["umount", disk], check=True)
    print(f"{tried} disks, of which {full} became full; NetCDF {'too' if netcdf else 'is not installed'}")
    return 0 if 20 < full < tried else 1


sys.exit(main())
