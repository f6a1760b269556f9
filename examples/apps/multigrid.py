"""Reference of multigrid.stn. Both sides are f64: only the order of sums differs."""
import numpy as np
from arrays import along, inner, padded, smooth


def operator(u, k):
    """The weighted sum of the neighbours of u, and the sum of the weights."""
    wide, k = padded(u, 1, "zero"), padded(k, 1, "clamp")
    total = weights = 0
    for axis in "xyz":
        for side in (-1, 1):
            other = along(k, axis, side)
            w = 2 / (1 / k + 1 / other)
            total, weights = total + w * along(wide, axis, side), weights + w
    return inner(total, 1), inner(weights, 1)


def smoother(given, steps):
    u = given["u"].copy()
    z, y, x = np.indices(u.shape)
    for _ in range(steps):
        for colour in (0, 1):
            total, weights = operator(u, given["k"])
            u = np.where((x + y + z) % 2 == colour, (given["h"]**2 * given["f"] + total) / weights, u)
    return {"u": u}


def jacobi(given, steps):
    u = given["u"]
    for _ in range(steps):
        total, weights = operator(u, given["k"])
        u = u / 7 + 6 / 7 * (given["h"]**2 * given["f"] + total) / weights
    return {"u": u}


def residual(given, steps):
    total, weights = operator(given["u"], given["k"])
    r = given["f"] - (weights * given["u"] - total) / given["h"]**2
    return {"r": r, "norm": np.array([np.sqrt((r**2).sum())])}


def inputs(size, rng):
    return {"u": smooth(rng, size, -1, 1), "k": smooth(rng, size, 0.1, 2), "f": smooth(rng, size, -1, 1), "h": 0.5}


def laws_of_smoother(factor):
    def check(run):
        given = inputs((16, 15, 14), np.random.default_rng(2))
        z, y, x = np.indices(given["u"].shape)
        rough = {**given, "f": 0 * given["u"], "u": np.where(x % 2 == 0, 1.0, -1.0) * np.where(y % 2 == 0, 1.0, -1.0)}
        after = run(rough, 3)["u"]
        return [("what is rough is not smoothed", np.abs(after).mean(), factor), ("values grow", np.abs(after).max(), 1)]
    return check


def laws_of_residual(run):
    """The operator is symmetric; its energy is positive; without u the residual is f."""
    given = inputs((12, 11, 13), np.random.default_rng(2))
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal(given["u"].shape), rng.standard_normal(given["u"].shape)
    zero = 0 * a
    ra, rb = (run({**given, "u": v, "f": zero})["r"] for v in (a, b))
    return [("the operator is not symmetric", abs((b * ra).sum() - (a * rb).sum()) / abs((a * ra).sum()), 1e-13),
            ("its energy is negative", (a * ra).sum(), 0), ("f is not the residual of 0", np.abs(run({**given, "u": zero})["r"] - given["f"]).max(), 0)]


CASES = {"smoother": {"size": (17, 15, 13), "steps": 4, "inputs": inputs, "reference": smoother, "tolerance": 1e-13, "laws": laws_of_smoother(0.35)},
         "jacobi": {"size": (17, 15, 13), "steps": 4, "inputs": inputs, "reference": jacobi, "tolerance": 1e-13, "laws": laws_of_smoother(0.35)},
         "residual": {"size": (17, 15, 13), "steps": 0, "inputs": inputs, "reference": residual, "tolerance": 1e-13, "laws": laws_of_residual}}


def picture():
    """Sources between conducting bars, after 400 sweeps."""
    z, y, x = np.mgrid[:16, :140, :140]
    k = 1 + 9.0 * ((x // 20) % 3 == 1) * (y > 50)
    f = 1 + np.sin(x / 9.0) * np.sin(y / 12.0)
    return {"stencil": "smoother", "steps": 400, "plot": "u", "params": {}, "in": {"u": 0 * k, "k": k, "f": f}}
