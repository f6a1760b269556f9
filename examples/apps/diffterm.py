"""Reference of diffterm.stn. Both sides are f64: only the order of sums differs."""
import numpy as np
from arrays import first, second, smooth


def reference(given, steps):
    u = dict(zip("xyz", (given[name] for name in "uvw")))
    grad = {(i, j): first(u[i], j, 8) / given["h" + j] for i in "xyz" for j in "xyz"}
    div = sum(grad[i, i] for i in "xyz")
    stress = {(i, j): grad[i, j] + grad[j, i] - (2 / 3 * div if i == j else 0) for i in "xyz" for j in "xyz"}

    def laplacian(f, along=""):
        return sum((4 / 3 if j == along else 1) * second(f, j, 8) / given["h" + j]**2 for j in "xyz")
    force = {i: given["eta"] * (laplacian(u[i], i) + sum(first(grad[j, j], i, 8) for j in "xyz" if j != i) / 3 / given["h" + i])
             for i in "xyz"}
    heat = sum(stress[i, j] * grad[i, j] for i in "xyz" for j in "xyz")
    result = {f"m{i}_t": force[i] for i in "xyz"}
    result["energy_t"] = given["lambda"] * laplacian(given["temp"]) + given["eta"] * heat + sum(force[i] * u[i] for i in "xyz")
    return result


def inputs(size, rng):
    return {**{name: smooth(rng, size, -1, 1) for name in "uvw"}, "temp": smooth(rng, size, 1, 2),
            "hx": 0.5, "hy": 0.4, "hz": 0.3, "eta": 0.7, "lambda": 3.3}


def laws(run):
    """Momentum is conserved; friction takes kinetic energy; a rotation that is rigid has no friction."""
    rng = np.random.default_rng(3)
    given = inputs((17, 17, 17), rng)
    found = run(given)
    result = [(f"{name} is not conserved", abs(found[name].sum()) / np.abs(found[name]).sum(), 1e-13) for name in ("mx_t", "my_t", "mz_t")]
    power = sum(float((given[u] * found[m]).sum()) for u, m in zip("uvw", ("mx_t", "my_t", "mz_t")))
    z, y, x = np.mgrid[:21.0, :21, :21]
    rigid = run({**given, "hx": 1, "hy": 1, "hz": 1, "u": y - z, "v": z - x, "w": x - y, "temp": np.ones(x.shape)})
    still = max(np.abs(a[9:12, 9:12, 9:12]).max() for a in rigid.values())
    return result + [("friction gives kinetic energy", power, 0), ("a rigid rotation has friction", still, 1e-10)]


CASES = {"diffterm": {"size": (13, 12, 11), "steps": 0, "inputs": inputs, "reference": reference, "tolerance": 1e-13, "laws": laws}}


def picture():
    """The heat of friction and conduction in two layers that slide past each other, hot in a spot."""
    n = 96
    z, y, x = np.mgrid[:20, :n, :n]
    wave = 2 * np.pi * x / n
    u = np.tanh((y - 36 - 4 * np.sin(wave)) / 5) - np.tanh((y - 60 + 3 * np.sin(2 * wave)) / 5)
    temp = 1 + np.exp(-((x - 60.0)**2 + (y - 48)**2) / 90)
    return {"stencil": "diffterm", "steps": 0, "plot": "energy_t", "params": {"eta": 0.5, "lambda": 1},
            "in": {"u": u, "v": 0.2 * np.sin(wave) * u, "w": 0 * u, "temp": temp}}
