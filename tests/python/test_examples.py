"""The programs of examples/python, as a user runs them."""

import contextlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from stencilc._notebook import stencil_magic
from support import ROOT, TestCase

EXAMPLES = os.path.join(ROOT, "examples", "python")


class Examples(TestCase):
    def run_example(self, name, *words, folder=None):
        done = subprocess.run([sys.executable, os.path.join(EXAMPLES, name), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, cwd=folder)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_all_are_run(self):
        names = sorted(name for name in os.listdir(EXAMPLES) if name.endswith((".py", ".ipynb")))
        self.assertEqual(names, ["conjugate_gradient.py", "first_steps.ipynb", "gray_scott.py", "heat.py", "image_filter.py",
                                 "shot.py", "smooth_layer.py"])  # fmt: skip
        with open(os.path.join(EXAMPLES, "README.md")) as file:
            page = file.read()
        for name in names:
            self.assertIn(f"`{name}`", page)

    def test_heat(self):
        lines = self.run_example("heat.py").splitlines()
        self.assertEqual([int(line.split()[1].rstrip(":")) for line in lines], [250, 500, 750, 1000])
        hottest = [float(re.search(r"has +([\d.]+),", line).group(1)) for line in lines]
        self.assertEqual(hottest, sorted(hottest, reverse=True))
        # Without walls that cool, the heat stays.
        for line in lines:
            self.assertAlmostEqual(float(line.split()[-1]), 400 * 100, delta=4)
        with open(os.path.join(EXAMPLES, "heat.py")) as file:
            self.assertLessEqual(len([line for line in file if line.strip() and '"""' not in line]), 10)

    def test_gray_scott(self):
        with tempfile.TemporaryDirectory() as folder:
            text = self.run_example("gray_scott.py", "--size", "64", "--steps", "200", "--save", "v.png", folder=folder)
            self.assertEqual(len(re.findall(r"^step ", text, re.M)), 20)
            self.assertIn("step    200", text)
            self.assertEqual("without matplotlib" in text, not os.path.exists(os.path.join(folder, "v.png")))

    def test_image_filter(self):
        with tempfile.TemporaryDirectory() as folder:
            image = np.zeros((20, 30), np.float32)
            image[:, 15:] = 1
            image += np.random.default_rng(2).normal(0, 0.02, image.shape).astype(np.float32)
            np.save(os.path.join(folder, "in.npy"), image)
            text = self.run_example("image_filter.py", "in.npy", "--save", "out.pgm", folder=folder)
            before, after = map(float, re.findall(r"by ([\d.]+)", text))
            self.assertLess(after, before)
            with open(os.path.join(folder, "out.pgm"), "rb") as file:
                self.assertEqual(file.readline(), b"P5 30 20 255\n")
                found = np.frombuffer(file.read(), np.uint8).reshape(20, 30)
            # The edge is as sharp as it was, and the noise beside it is gone.
            self.assertTrue((np.diff(found[:, 14:16].astype(int), axis=1) > 200).all())
            self.assertLess(found[:, :13].std(), 255 * image[:, :13].std() / 2)
            self.assertIn("wrote filtered.pgm", self.run_example("image_filter.py", folder=folder))

    def test_shot(self):
        with tempfile.TemporaryDirectory() as folder:
            text = self.run_example("shot.py", "--size", "120", "--steps", "200", "--save", "shot.out", folder=folder)
            arrivals = [(float(x), float(ms)) for x, ms in re.findall(r"receiver at +(\d+) m: .* after +(\d+) ms", text)]
            # The source is at 600 m, and its pulse has the peak after 3 widths of 12 steps of 1.6 ms.
            (far, late), (near, early) = arrivals
            self.assertEqual((far, near), (205, 605))
            self.assertAlmostEqual(late, 3 * 12 * 1.6 + (600 - far) / 2.5, delta=12)
            self.assertLess(early, late - 100)
            if importlib.util.find_spec("xarray"):
                import xarray

                with xarray.open_dataset(os.path.join(folder, "shot.out")) as record:
                    self.assertEqual(dict(record.sizes), {"seconds": 200, "receiver_x": 8, "y": 120, "x": 120})
                    self.assertGreater(float(abs(record.trace).max()), 0)
            else:
                with np.load(os.path.join(folder, "shot.out.npz")) as record:
                    self.assertEqual((record["trace"].shape, record["u"].shape), ((200, 8), (120, 120)))
                    self.assertGreater(float(abs(record["trace"]).max()), 0)

    def test_conjugate_gradient(self):
        text = self.run_example("conjugate_gradient.py", "--size", "48")
        plain, smoothed = map(int, re.findall(r": +(\d+) products", text))
        self.assertLess(smoothed, plain / 3)
        for left in re.findall(r"and (\S+) is left", text):
            self.assertLess(float(left), 2e-8)

    def test_smooth_layer(self):
        text = self.run_example("smooth_layer.py")
        found, said = map(float, re.search(r"changes by (\S+), and the gradient says (\S+)", text).groups())
        self.assertAlmostEqual(found, said, delta=0.01)
        self.assertEqual("without PyTorch" in text, importlib.util.find_spec("torch") is None)

    def test_the_notebook(self):
        with open(os.path.join(EXAMPLES, "first_steps.ipynb"), encoding="utf-8") as file:
            written = file.read()
        notebook = json.loads(written)
        cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"
                 if "matplotlib" not in cell["metadata"].get("tags", ()) or importlib.util.find_spec("matplotlib")]  # fmt: skip
        self.assertEqual([cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code" and cell["outputs"]], [])
        if importlib.util.find_spec("nbclient"):
            text = self.run_in_a_kernel(written)
        else:
            text = self.run_cells(cells)
        for words in ("the hottest cell has", "after 100 more steps", "pass `np.ascontiguousarray(u)`", "schedule"):
            self.assertIn(words, text)

    def run_cells(self, cells):
        """What IPython would do with them."""
        namespace = {}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            for cell in cells:
                first, _, rest = cell.partition("\n")
                if first.startswith("%%stencil"):
                    stencil_magic(first[len("%%stencil") :], rest, namespace)
                else:
                    exec(cell.replace("%load_ext stencilc", ""), namespace)
        return out.getvalue()

    def run_in_a_kernel(self, written):
        import nbformat
        from nbclient import NotebookClient

        done = NotebookClient(nbformat.reads(written, as_version=4), timeout=120, kernel_name="python3").execute()
        return "".join(out.get("text", "") for cell in done.cells if cell.cell_type == "code" for out in cell.outputs)


if __name__ == "__main__":
    unittest.main()
