"""Reference of weno5_euler_3d.stn. Both sides are f64; the tolerance allows for the weights, which magnify roundings."""
import numpy as np
from arrays import inner, padded, smooth
from weno_reference import fluxes, outflow

NAMES = ("rho", "mx", "my", "mz", "energy")


def reference(given, steps):
    q = [padded(given[name], 4, "clamp") for name in NAMES]
    total = 0
    rates = [0] * 5
    for axis in "xyz":
        for i, f in enumerate(fluxes(q, axis, given.get("gamma", 1.4))[0]):
            rates[i] = rates[i] - outflow(q[i], f, given["fastest"], axis) / given["h"]
    return {name + "_t": inner(a, 4) for name, a in zip(NAMES, rates)}


def gas(rho, u, v, w, p, gamma=1.4):
    return {"rho": rho, "mx": rho * u, "my": rho * v, "mz": rho * w, "energy": p / (gamma - 1) + rho * (u**2 + v**2 + w**2) / 2}


def inputs(size, rng):
    rho = smooth(rng, size, 0.5, 1.5)
    rho[3:7, 4:10, 2:6] += 1
    return {**gas(rho, *[smooth(rng, size, -1, 1) for _ in range(3)], smooth(rng, size, 0.5, 2)), "h": 0.5, "fastest": 4.0}


def laws(run):
    """A blast in still gas moves no mass far away, conserves all, and looks the same along x, y and z."""
    n = 19
    z, y, x = np.mgrid[:n, :n, :n] - 9.0
    one = np.ones(x.shape)
    p = 1 + 9 * (x**2 + y**2 + z**2 < 10)
    found = run({**gas(one, 0 * one, 0 * one, 0 * one, p), "h": 1.0, "fastest": 4.0})
    lost = max(abs(found[name + "_t"].sum()) for name in NAMES)
    turned = np.abs(found["mx_t"] - found["mz_t"].transpose(2, 1, 0)).max()
    return [("something is lost", lost, 1e-11), ("x and z differ", turned, 1e-12),
            ("the blast pushes inwards", -found["mx_t"][9, 9, 12], 0), ("far gas moves", abs(found["energy_t"][0]).max(), 1e-12)]


CASES = {"weno5_euler_3d": {"size": (13, 12, 11), "steps": 0, "inputs": inputs, "reference": reference, "tolerance": 1e-12, "laws": laws}}


def picture():
    """How the momentum along x changes in the first moment of a blast that meets a lump of dense gas."""
    z, y, x = np.mgrid[:16, :96, :96]
    one = np.ones(x.shape)
    r = np.sqrt((x - 40.0)**2 + (y - 48)**2 + (z - 8)**2)
    p = 1 + 4 / (1 + np.exp((r - 20) / 2))
    rho = 1 + 3 / (1 + np.exp(np.hypot(x - 62.0, y - 40) - 8))
    return {"stencil": "weno5_euler_3d", "steps": 0, "plot": "mx_t", "in": gas(rho, 0.3 * np.exp(-(r - 20)**2 / 20) / rho, 0 * one, 0 * one, p),
            "params": {"h": 1, "fastest": 4}}
