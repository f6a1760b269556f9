"""Reference of viscous_terms.stn. Both sides are f64: only the order of sums differs."""
import numpy as np
from arrays import first, smooth


def reference(given, steps):
    def d(f, a):
        return first(f, a, 8) / given["h" + a]
    u = dict(zip("xyz", (given[name] for name in "uvw")))
    grad = {(i, j): d(u[i], j) for i in "xyz" for j in "xyz"}
    div = sum(grad[i, i] for i in "xyz")
    stress = {(i, j): given["mu"] * (grad[i, j] + grad[j, i] - (2 / 3 * div if i == j else 0)) for i in "xyz" for j in "xyz"}
    result = {f"m{i}_t": sum(d(stress[i, j], j) for j in "xyz") for i in "xyz"}
    kappa = given["mu"] * given["cp"] / given["prandtl"]
    result["energy_t"] = sum(d(sum(stress[i, j] * u[i] for i in "xyz") + kappa * d(given["temp"], j), j) for j in "xyz")
    return result


def inputs(size, rng):
    return {**{name: smooth(rng, size, -1, 1) for name in "uvw"}, "temp": smooth(rng, size, 1, 2), "mu": smooth(rng, size, 0.5, 1),
            "hx": 0.5, "hy": 0.4, "hz": 0.3, "cp": 3.5, "prandtl": 0.72}


def laws(run):
    """Momentum and energy are conserved; friction takes kinetic energy; a rotation that is rigid has no friction."""
    rng = np.random.default_rng(3)
    given = inputs((17, 17, 17), rng)
    found = run(given)
    result = [(f"{name} is not conserved", abs(a.sum()) / np.abs(a).sum(), 1e-13) for name, a in found.items()]
    power = sum(float((given[u] * found[m]).sum()) for u, m in zip("uvw", ("mx_t", "my_t", "mz_t")))
    z, y, x = np.mgrid[:21.0, :21, :21]
    rigid = run({**given, "hx": 1, "hy": 1, "hz": 1, "u": y - z, "v": z - x, "w": x - y, **{k: np.ones(x.shape) for k in ("temp", "mu")}})
    still = max(np.abs(a[9:12, 9:12, 9:12]).max() for a in rigid.values())
    return result + [("friction gives kinetic energy", power, 0), ("a rigid rotation has friction", still, 1e-10)]


CASES = {"viscous_terms": {"size": (13, 12, 11), "steps": 0, "inputs": inputs, "reference": reference, "tolerance": 1e-13, "laws": laws}}


def picture():
    """The heat of friction and conduction in two layers that slide past each other, hot in a spot."""
    n = 96
    z, y, x = np.mgrid[:20, :n, :n]
    wave = 2 * np.pi * x / n
    u = np.tanh((y - 30 - 4 * np.sin(wave)) / 4) - np.tanh((y - 66 + 3 * np.sin(2 * wave)) / 4)
    temp = 1 + np.exp(-((x - 48.0)**2 + (y - 48)**2) / 60)
    return {"stencil": "viscous_terms", "steps": 0, "plot": "energy_t", "params": {},
            "in": {"u": u, "v": 0.1 * np.sin(wave) * u, "w": 0 * u, "temp": temp, "mu": np.sqrt(temp)}}
