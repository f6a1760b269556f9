"""Spots that divide: the model of Gray and Scott, drawn while it runs.

gray_scott.py [--size N] [--steps N] [--feed F] [--save FILE.png]

With matplotlib it draws: to a window, or with --save to a file. Without it, it prints.
"""

import argparse
import os

import numpy as np

import stencilc

HERE = os.path.dirname(os.path.abspath(__file__))


def start(size):
    """Both substances at rest, but for some squares of the second one."""
    u, v = np.ones((size, size), np.float32), np.zeros((size, size), np.float32)
    rng = np.random.default_rng(7)
    for row, column in rng.integers(0, size - size // 16, (12, 2)):
        square = np.s_[row : row + size // 16, column : column + size // 16]
        u[square], v[square] = 0.5, 0.25
    return u, v


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--feed", type=float, default=0.037)
    parser.add_argument("--save", metavar="FILE.png")
    options = parser.parse_args()

    step = stencilc.compile(os.path.join(HERE, "..", "gray_scott.stn"))
    u, v = start(options.size)
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        plt = None
        print("without matplotlib there is no picture; `pip install matplotlib`")
    picture = None
    for done in step.every(max(1, options.steps // 20), u=u, v=v, F=options.feed, k=0.06, steps=options.steps):
        print(f"step {done:6}: v is {v.mean():.4f} in the mean and {v.max():.4f} at most")
        if plt is None or options.save:
            continue
        if picture is None:
            picture = step.plot(v, "v", cmap="magma")
        picture.set_data(v)
        picture.set_clim(0, float(v.max()))
        plt.pause(0.01)
    if plt is not None and options.save:
        step.plot(v, "v", cmap="magma")
        plt.title(f"Gray-Scott, {options.steps} steps")
        plt.savefig(options.save, dpi=120)
        print(f"wrote {options.save}")
    elif plt is not None:
        plt.show()


if __name__ == "__main__":
    main()
