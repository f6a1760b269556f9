"""Conjugate gradients in CuPy, whose matrix and whose preconditioner, a smoother, are stencils.

conjugate_gradient.py [--gpu] [--size N] [--sweeps N]

With --gpu the arrays are those of CuPy, and nothing leaves the GPU but the numbers that the solver compares. Without it, the same
lines run with NumPy.
"""

import argparse
import os

import stencilc

HERE = os.path.dirname(os.path.abspath(__file__))


def solve(xp, product, smooth, b, sweeps, tolerance=1e-8, most=2000):
    """u with A*u = b, and after how many products. `xp` is cupy or numpy."""

    def precondition(r):
        if sweeps == 0:
            return r.copy()
        z = xp.zeros_like(r)
        smooth(z=z, r=r, steps=sweeps)
        return z

    u, r = xp.zeros_like(b), b.copy()
    z = precondition(r)
    p, rho = z.copy(), xp.vdot(r, z)
    limit = tolerance * xp.linalg.norm(b)
    for n in range(1, most + 1):
        q = product(p=p)
        alpha = rho / xp.vdot(p, q)
        u += alpha * p
        r -= alpha * q
        if xp.linalg.norm(r) < limit:
            return u, n
        z = precondition(r)
        rho, before = xp.vdot(r, z), rho
        p = z + rho / before * p
    raise RuntimeError(f"not solved after {most} products")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--sweeps", type=int, default=9, help="steps of the smoother")
    options = parser.parse_args()
    if options.gpu:
        import cupy as xp
    else:
        import numpy as xp

    program = stencilc.compile(os.path.join(HERE, "smoother.stn"), target="cuda" if options.gpu else "cpu")
    size = options.size
    y, x = xp.mgrid[:size, :size] / size
    b = xp.sin(9 * x * y) + (x > 0.6)
    counts = []
    for sweeps in (0, options.sweeps):
        u, count = solve(xp, program.product, program.smooth, b, sweeps)
        counts.append(count)
        error = float(xp.linalg.norm(program.product(p=u) - b) / xp.linalg.norm(b))
        print(f"{sweeps:2} sweeps of the smoother: {count:4} products with the matrix, and {error:.1e} is left of the residual")
    print(f"the smoother saves {counts[0] - counts[1]} of {counts[0]}")


if __name__ == "__main__":
    main()
