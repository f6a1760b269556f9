"""The programs of examples/python, as a user runs them."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from support import ROOT, TestCase

EXAMPLES = os.path.join(ROOT, "examples", "python")


class Examples(TestCase):
    def run_example(self, name, *words, folder=None):
        done = subprocess.run([sys.executable, os.path.join(EXAMPLES, name), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, cwd=folder)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_all_are_run(self):
        names = sorted(name for name in os.listdir(EXAMPLES) if name.endswith(".py"))
        self.assertEqual(names, ["gray_scott.py", "heat.py", "image_filter.py"])
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


if __name__ == "__main__":
    unittest.main()
