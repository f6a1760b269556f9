"""Reference of hyperbolic_terms.stn. Both sides are f64: only the order of sums differs."""
import numpy as np
from arrays import first, smooth

GAMMA = 1.4


def reference(given, steps):
    u = [given[name] for name in "uvw"]
    m = [given["m" + a] for a in "xyz"]

    def divergence(flux):
        return sum(first(f, a, 8) / given["h" + a] for f, a in zip(flux, "xyz"))
    result = {"rho_t": -divergence(m), "energy_t": -divergence([(given["energy"] + given["p"]) * c for c in u])}
    for i, a in enumerate("xyz"):
        result[f"m{a}_t"] = -divergence([m[i] * u[k] + (given["p"] if i == k else 0) for k in range(3)])
    return result


def gas(rho, u, v, w, p):
    return {"u": u, "v": v, "w": w, "p": p, "mx": rho * u, "my": rho * v, "mz": rho * w,
            "energy": p / (GAMMA - 1) + rho * (u**2 + v**2 + w**2) / 2}


def inputs(size, rng):
    return {**gas(smooth(rng, size, 0.5, 1.5), *[smooth(rng, size, -1, 1) for _ in "uvw"], smooth(rng, size, 0.5, 2)),
            "hx": 0.5, "hy": 0.4, "hz": 0.3}


def laws(run):
    """Mass, momentum and energy are conserved; a sound wave changes as calculus says, to the eighth order."""
    rng = np.random.default_rng(3)
    given = inputs((16, 18, 20), rng)
    given["mx"] += 0.1 * rng.standard_normal(given["mx"].shape)
    found = run(given)
    result = [(f"{name} is not conserved", abs(a.sum()) / np.abs(a).sum(), 1e-13) for name, a in found.items()]
    errors = []
    for n in (16, 32):
        x = np.broadcast_to(2 * np.pi * np.arange(n) / n, (9, 9, n))
        one = np.ones(x.shape)
        wave = gas(one, np.sin(x), 0 * one, 0 * one, 1 + 0.1 * np.cos(x))
        exact = -(2 * np.sin(x) * np.cos(x) - 0.1 * np.sin(x))
        errors.append(np.abs(run({**wave, "hx": 2 * np.pi / n})["mx_t"] - exact).max())
    return result + [("the order is not 8", 200.0, errors[0] / errors[1])]


CASES = {"hyperbolic_terms": {"size": (13, 12, 11), "steps": 0, "inputs": inputs, "reference": reference, "tolerance": 1e-13, "laws": laws}}


def picture():
    """The change of energy in a vortex (Taylor and Green's)."""
    n = 96
    z, y, x = np.meshgrid(2 * np.pi * np.arange(24) / 24, *[2 * np.pi * np.arange(n) / n] * 2, indexing="ij")
    one = np.ones(x.shape)
    z = z + 0.4
    p = 10 + (np.cos(2 * x) + np.cos(2 * y)) * (np.cos(2 * z) + 2) / 16
    h = {"hx": 2 * np.pi / n, "hy": 2 * np.pi / n, "hz": 2 * np.pi / 24}
    given = gas(one, np.sin(x) * np.cos(y) * np.cos(z), -np.cos(x) * np.sin(y) * np.cos(z), 0 * one, p)
    return {"stencil": "hyperbolic_terms", "steps": 0, "plot": "energy_t", "in": given, "params": h}
