"""Reference of elastic_cartesian.stn. Both sides are f64; the tolerance covers sums in another order."""
import numpy as np
from arrays import smooth
from elastic_reference import d, laws, step_by, stretch


def force(u, v, w, mu, lam):
    c = 2 * mu + lam
    fu = stretch(c, u, "x") + stretch(mu, u, "y") + stretch(mu, u, "z")
    fu += d(lam * (d(v, "y") + d(w, "z")), "x") + d(mu * d(v, "x"), "y") + d(mu * d(w, "x"), "z")
    fv = stretch(mu, v, "x") + stretch(c, v, "y") + stretch(mu, v, "z")
    fv += d(mu * d(u, "y"), "x") + d(lam * (d(u, "x") + d(w, "z")), "y") + d(mu * d(w, "y"), "z")
    fw = stretch(mu, w, "x") + stretch(mu, w, "y") + stretch(c, w, "z")
    fw += d(mu * d(u, "z"), "x") + d(mu * d(v, "z"), "y") + d(lam * (d(u, "x") + d(v, "y")), "z")
    return fu, fv, fw


def reference(given, steps):
    return step_by(lambda u, v, w, mu, **rest: force(u, v, w, mu, rest["lambda"]), ["mu", "lambda"])(given, steps)


def inputs(size, rng):
    rock = {name: smooth(rng, size, -1, 1) + 0.1 * rng.standard_normal(tuple(reversed(size))) for name in "uvw"}
    return {**rock, "mu": smooth(rng, size, 0.3, 1), "lambda": smooth(rng, size, 0.2, 1), "rho": smooth(rng, size, 1, 2), "dt": 0.3, "h": 0.9}


CASES = {"elastic_cartesian": {"size": (18, 15, 17), "steps": 3, "inputs": inputs, "reference": reference, "tolerance": 1e-13,
                               "laws": laws(inputs)}}


def picture():
    """A push along x in the middle of soft rock over hard rock."""
    z, y, x = np.mgrid[:16, :150, :150]
    one = np.ones(x.shape)
    push = np.exp(-((x - 75.0)**2 + (y - 60)**2 + (z - 8)**2) / 10)
    hard = 1 + 2.0 * (y > 100)
    return {"stencil": "elastic_cartesian", "steps": 220, "plot": "u", "params": {"dt": 0.3},
            "in": {"u": push, "v": 0 * one, "w": 0 * one, "mu": 0.3 * hard, "lambda": 0.3 * hard, "rho": one}}
