#!/usr/bin/env python3
"""examples/apps/make_pictures.py [APP...]

Runs the applications on the CPU, each from the state that picture() of its NAME.py gives, and writes images/NAME.png. Needs
NumPy and a built compiler (build/bin/stencilc, or what STENCILC names).
"""
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import numpy as np

APPS = pathlib.Path(__file__).resolve().parent
STENCILC = os.environ.get("STENCILC", APPS.parent.parent / "build/bin/stencilc")


def make(app):
    sys.path.insert(0, str(APPS))
    recipe = importlib.import_module(app).picture()
    with tempfile.TemporaryDirectory() as folder:
        words = [STENCILC, "run", APPS / f"{app}.stn", "--target=cpu", "--stencil", recipe["stencil"], "--fail-on-nan"]
        for name, array in recipe["in"].items():
            array = np.asarray(array)
            np.save(f"{folder}/{name}.npy", array.astype(np.float32) if array.dtype == np.float64 and "f64" not in types(app) else array)
            words += ["--in", f"{name}={folder}/{name}.npy"]
        for name, value in recipe["params"].items():
            words += ["--param", f"{name}={value if isinstance(value, str) else repr(float(value))}"]
        if recipe["steps"]:
            words += ["--steps", str(recipe["steps"])]
        words += ["--plot", f"{recipe['plot']}={APPS}/images/{app}.png"]
        subprocess.run(words, check=True)


def types(app):
    return (APPS / f"{app}.stn").read_text()


if __name__ == "__main__":
    (APPS / "images").mkdir(exist_ok=True)
    for name in sys.argv[1:] or sorted(path.stem for path in APPS.glob("*.stn")):
        print(name, flush=True)
        make(name)
