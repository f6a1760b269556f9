#!/usr/bin/env python3
"""The programs of examples/apps: what the compiled code computes, against references in NumPy, and laws of physics.

apps_test.py --stencilc FILE [--compiler g++] [APP...]

Each NAME.py has CASES: for each stencil of NAME.stn a table with
  size       extents of the grid, x first
  steps      how many steps are compared (0: a single pass)
  inputs     a function of (size, rng) that gives the fields, params and weights
  reference  a function of (inputs, steps) that gives the arrays that must come out
  tolerance  the largest difference, relative to the largest value of the array (of an integer: absolute)
  apart      the fraction of cells that may differ more, where values lie at a threshold (0 if left out)
  laws       a function of run(inputs, steps) that gives triples (what, value, limit); the value must not exceed the limit
"""
import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is missing (python3-numpy)")
    sys.exit(77)

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
APPS = os.path.join(ROOT, "examples", "apps")
sys.path[:0] = [APPS, os.path.join(ROOT, "tests", "independent")]
import emitted

TYPES = {"f16": np.float16, "bf16": np.float32, "f32": np.float32, "f64": np.float64, "bool": np.bool_, "i8": np.int8, "u8": np.uint8,
         "i16": np.int16, "u16": np.uint16, "i32": np.int32, "i64": np.int64}
FEWEST_BYTES = 240e6  # of the fields of a stencil at the size of sizes.txt: four times an L2 cache of 60 MB


class Stencil:
    """What the manifest says of a stencil."""

    def __init__(self, manifest):
        self.name, self.axes, self.steps = manifest["stencil"], manifest["axes"], manifest.get("steps", False)
        self.fields = {f["name"]: {"type": f["type"], "axes": f.get("axes"), "levels": len(f["levels"]), "role": f["role"]}
                       for f in manifest["fields"]}
        self.params = {p["name"]: (p["type"], p.get("default")) for p in manifest["params"]}
        self.weights = {w["name"]: w["count"] for w in manifest.get("weights", [])}
        self.reduces = {r["name"]: r for r in manifest.get("reductions", [])}

    def run(self, library, given, steps):
        """The newest level of each field that is written, and the reductions."""
        unknown = set(given) - set(self.fields) - set(self.params) - set(self.weights)
        if unknown:
            raise RuntimeError(f"{self.name} has no {unknown}")
        full = next(given[name] for name, field in self.fields.items() if name in given and not field["axes"])
        extents = np.shape(full)[::-1]
        levels, params = {}, {}
        for name, field in self.fields.items():
            if field["role"] == "output" and name not in given:
                shape = [n for axis, n in zip(self.axes, extents) if not field["axes"] or axis in field["axes"]][::-1]
                levels[name] = [np.zeros(shape, TYPES[field["type"]])]
            else:
                levels[name] = [np.ascontiguousarray(given[name], TYPES[field["type"]])] * field["levels"]
        for name, (kind, default) in self.params.items():
            params[name] = np.array([given.get(name, default)], np.float64).astype(TYPES[kind])
        for name in self.weights:
            params[name] = np.ascontiguousarray(given[name], np.float32).ravel()
        newest = library.run(self, extents, params, levels, steps, 0, {})
        return {name: a for name, a in newest.items() if name not in self.fields or self.fields[name]["role"] != "input"}


def load(stencilc, compiler, header, folder, app, names):
    source = os.path.join(APPS, app + ".stn")
    with open(source) as file:
        text = file.read()
    library = emitted.Library(stencilc, compiler, text, folder, app, ["-I", APPS], header)
    result = {}
    for name in names:
        done = subprocess.run([stencilc, source, "--target=cpu", "--emit=manifest", "--stencil", name], stdout=subprocess.PIPE, check=True)
        result[name] = Stencil(json.loads(done.stdout))
    return library, result


def compare(name, found, wanted, case):
    if found.shape != wanted.shape:
        return f"{name} has the shape {found.shape}, the reference {wanted.shape}"
    a, b = found.astype(np.float64), wanted.astype(np.float64)
    if not np.isfinite(b).all():
        return f"{name}: the reference is not finite"
    scale = max(np.abs(b).max(), 1e-300) if found.dtype.kind == "f" else 1.0
    off = ~(np.abs(a - b) <= case["tolerance"] * scale)
    if off.mean() <= case.get("apart", 0):
        return None
    place = np.unravel_index(np.argmax(np.where(np.isnan(a), np.inf, np.abs(a - b))), a.shape)
    return f"{name}: {off.sum()} of {off.size} cells differ, most at {place[::-1]}: {a[place]:.17g}, the reference {b[place]:.17g}"


def examine(stencilc, compiler, header, folder, app):
    module = importlib.import_module(app)
    library, stencils = load(stencilc, compiler, header, folder, app, module.CASES)
    failures = []
    for name, case in module.CASES.items():
        stencil = stencils[name]

        def run(given, steps=1):
            return stencil.run(library, given, steps)

        given = case["inputs"](case["size"], np.random.default_rng(1))
        found = run(given, case["steps"])
        wanted = case["reference"](given, case["steps"])
        written = {field for field, about in stencil.fields.items() if about["role"] != "input"}
        if set(wanted) - set(stencil.reduces) != written:
            failures.append(f"{app}, {name}: the reference computes {sorted(wanted)}, the stencil {sorted(written)}")
        for field, array in wanted.items():
            wrong = compare(field, found[field], np.asarray(array).reshape(found[field].shape), case)
            if wrong:
                failures.append(f"{app}, {name}: {wrong}")
        for what, value, limit in case["laws"](run) if "laws" in case else []:
            if not value <= limit:
                failures.append(f"{app}, {name}: {what}: {value:.6g}, must not exceed {limit:.6g}")
    return failures, stencils


def sizes():
    """The rows of sizes.txt: stencil, size, steps, params and inputs."""
    rows = {}
    with open(os.path.join(APPS, "sizes.txt")) as file:
        for line in file:
            words = line.split("#")[0].split()
            if words:
                app, _, stencil = words[0].partition(":")
                rows[app, stencil or app] = words[1], int(words[2]), dict(word.split("=", 1) for word in words[3:])
    return rows


def examine_sizes(rows, app, stencils):
    """Each stencil has a row whose fields are large enough, and which gives each param without a default, and nothing unknown."""
    failures = []
    for name, stencil in stencils.items():
        if (app, name) not in rows:
            failures.append(f"sizes.txt lacks {app}:{name}")
            continue
        size, _, given = rows[app, name]
        cells = np.prod([float(n) for n in size.split("x")])
        taken = sum(cells * np.dtype(TYPES[f["type"]]).itemsize * f["levels"] for f in stencil.fields.values() if not f["axes"])
        if len(size.split("x")) != len(stencil.axes) or taken < FEWEST_BYTES:
            failures.append(f"sizes.txt, {app}:{name}: {size} takes {taken / 1e6:.0f} MB, not {FEWEST_BYTES / 1e6:.0f}")
        needed = {p for p, (_, default) in stencil.params.items() if default is None}
        needed |= {f for f, about in stencil.fields.items() if about["role"] != "output"}
        known = needed | set(stencil.params) | set(stencil.weights)
        if needed - set(given) or set(given) - known:
            failures.append(f"sizes.txt, {app}:{name}: lacks {sorted(needed - set(given))}, unknown {sorted(set(given) - known)}")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stencilc", required=True)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("apps", nargs="*")
    arguments = parser.parse_args()
    apps = arguments.apps or sorted(name[:-4] for name in os.listdir(APPS) if name.endswith(".stn"))
    failures, rows = [], sizes()
    with tempfile.TemporaryDirectory() as folder:
        header = emitted.precompiled(arguments.compiler, folder)
        for app in apps:
            begin = time.time()
            try:
                found, stencils = examine(arguments.stencilc, arguments.compiler, header, folder, app)
                failures += found + examine_sizes(rows, app, stencils)
            except Exception as wrong:
                failures.append(f"{app}: {type(wrong).__name__}: {wrong}")
            if arguments.times:
                print(f"{app}: {time.time() - begin:.1f} s")
    for failure in failures:
        print(failure)
    print(f"{len(apps)} programs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
