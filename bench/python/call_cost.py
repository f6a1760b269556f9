#!/usr/bin/env python3
"""What a call from Python costs above the C function that it calls: five fields of 8 x 8 cells.

call_cost.py [--most MICROSECONDS] [--arrays numpy|cupy|torch]
    prints a table; ends with 1 if a call costs more than that above C. With CuPy or PyTorch it is on a GPU

Each time is the median of bursts of calls. `C` is a loop in C++ that does the same: it calls the function with as many steps,
and brings levels that end in scratch memory home by stencil_bring_home(), as each call from Python does. So the launch on a GPU
that copies them is no cost of Python.
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # 64 cells are no work for threads

import numpy as np

import stencilc
from stencilc import _tool

NAMES = ("a", "b", "c", "d", "e")
TEXT = """stencil five {
  axes  x, y;
  param f32 k = 0.1, q = 0.2;
  field f32 a, b, c, d, e  boundary periodic;

  a[t+1] = a + k*laplacian(a);
  b[t+1] = b + k*laplacian(b);
  c[t+1] = c + q*laplacian(c);
  d[t+1] = d + q*laplacian(d);
  e[t+1] = e + k*q*laplacian(e);
}
"""
LOOP = """#include <chrono>
#include <cstdint>
struct Level {  // stencil_level of stencil/callers.h
  float** buffers;
  int64_t count;
  float* home;
  int64_t front, row_bytes, rows, row_pitch, planes, plane_pitch;
};
extern "C" int five_run(float**, float**, float**, float**, float**, int64_t, int64_t, int64_t, float, float, int64_t STREAM);
extern "C" int stencil_bring_home(const Level*, int64_t, void*);
extern "C" double burst(float** fields, int calls, int64_t steps, int64_t pitch) {
  Level levels[5];
  for (int n = 0; n < 5; ++n)
    levels[n] = {fields + 2 * n, 2, fields[2 * n], 0, 8 * 4, 8, pitch * 4, 1, 8 * pitch * 4};
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < calls; ++n) {
    if (five_run(fields, fields + 2, fields + 4, fields + 6, fields + 8, 8, 8, pitch, 0.1f, 0.2f, steps NONE)) return -1;
    if (stencil_bring_home(levels, 5, nullptr)) return -1;
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls;
}
"""
BURSTS = 15


def median(burst, wait):
    """Of microseconds; on a GPU each burst begins when the one before has run."""

    def one():
        wait()
        return burst()

    one()
    return 1e6 * statistics.median(one() for _ in range(BURSTS))


def python_burst(call, calls):
    def burst():
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        return (time.perf_counter() - begin) / calls

    return burst


def maker(library):
    """Returns the target, an array of ones of a shape, where it lies, and what waits for the device."""
    if library == "cupy":
        import cupy
        return "cuda", lambda *shape: cupy.ones(shape, np.float32), lambda a: a.data.ptr, lambda: cupy.cuda.Device().synchronize()
    if library == "torch":
        import torch
        return "cuda", lambda *shape: torch.ones(shape, device="cuda"), lambda a: a.data_ptr(), torch.cuda.synchronize
    return "cpu", lambda *shape: np.ones(shape, np.float32), lambda a: a.ctypes.data, lambda: None


def c_bursts(folder, target, ones, place, calls):
    """What makes a burst of calls in C, for a number of steps and a distance between rows."""
    with open(os.path.join(folder, "five.stn"), "w") as file:
        file.write(TEXT)
    library = os.path.join(folder, "five.so")
    _tool.run([os.path.join(folder, "five.stn"), f"--target={target}", "--emit=so", "-o", library])
    loop = os.path.join(folder, "loop.so")
    with open(os.path.join(folder, "loop.cpp"), "w") as file:
        gpu = target == "cuda"
        file.write(LOOP.replace("STREAM", ", void*" if gpu else "").replace("NONE", ", nullptr" if gpu else ""))
    subprocess.run(["g++", "-O2", "-shared", "-fPIC", os.path.join(folder, "loop.cpp"), library, "-o", loop], check=True)
    ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
    loaded = ctypes.CDLL(loop)
    loaded.burst.restype = ctypes.c_double
    loaded.burst.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]

    def made(steps, pitch):
        memory = [ones(8, pitch) for _ in range(10)]
        pointers = (ctypes.c_void_p * 10)(*[place(array) for array in memory])

        def burst(_=memory):  # which lives as long
            taken = loaded.burst(pointers, calls, steps, pitch)
            if taken < 0:
                sys.exit("the C function failed")
            return taken

        return burst

    return made


def measure(library):
    """Rows of what is called, how long it takes, and how much longer than in C."""
    target, ones, place, wait = maker(library)
    # A GPU queues about a thousand launches; a call that must wait for a place in the queue takes as long as the GPU.
    calls = 2000 if target == "cpu" else 300
    step = stencilc.compile(TEXT, target=target)
    fields = {name: ones(8, 8) for name in NAMES}
    others = {name: ones(8, 8) for name in NAMES}
    padded = {name: ones(8, 16)[:, :8] for name in NAMES}

    def in_turn():
        step(**fields)
        step(**others)

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        in_c = c_bursts(folder, target, ones, place, calls)
        for text, count, call, steps, pitch in (
            ("step(a=a, ..., e=e)", 1, lambda: step(**fields), 1, 8),
            ("two steps, which end where they began", 1, lambda: step(**fields, steps=2), 2, 8),
            ("step(a=a, ..., e=e, steps=1, k=0.3)", 1, lambda: step(**fields, steps=1, k=0.3), 1, 8),
            ("other arrays than in the call before", 2, in_turn, 1, 8),
            ("padded arrays", 1, lambda: step(**padded), 1, 16),
        ):
            base = median(in_c(steps, pitch), wait)
            taken = median(python_burst(call, calls // count), wait) / count
            rows.append((text, taken, taken - base))
        wait()
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=float)
    parser.add_argument("--arrays", choices=["numpy", "cupy", "torch"], default="numpy")
    options = parser.parse_args()
    rows = measure(options.arrays)
    print(f"{'call':40} {'us':>7} {'C':>7} {'above C':>8}")
    for text, taken, above in rows:
        print(f"{text:40} {taken:7.2f} {taken - above:7.2f} {above:8.2f}")
    worst = max(above for _, _, above in rows)
    if options.most is not None and worst > options.most:
        print(f"a call costs {worst:.2f} us more than in C; the limit is {options.most:g}")
        sys.exit(1)


if __name__ == "__main__":
    main()
