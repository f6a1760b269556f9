"""Reference of weno5_euler_2d.stn. Both sides are f64; the tolerance allows for the weights, which magnify roundings."""
import numpy as np
from arrays import smooth
from weno_reference import fluxes, outflow

NAMES = ("rho", "mx", "my", "energy")


def reference(given, steps):
    dt, h, gamma = given["dt"], given["h"], given.get("gamma", 1.4)
    q = [given[name] for name in NAMES]

    def rate(q, speed):
        return [-(outflow(a, f, speed, "x") + outflow(a, g, speed, "y")) / h
                for a, f, g in zip(q, fluxes(q, "x", gamma)[0], fluxes(q, "y", gamma)[0])]
    for _ in range(steps):
        p = fluxes(q, "x", gamma)[1]
        speed = (np.maximum(abs(q[1]), abs(q[2])) / q[0] + np.sqrt(gamma * p / q[0])).max()
        one = [a + dt * r for a, r in zip(q, rate(q, speed))]
        two = [3 / 4 * a + (b + dt * r) / 4 for a, b, r in zip(q, one, rate(one, speed))]
        q = [a / 3 + 2 / 3 * (b + dt * r) for a, b, r in zip(q, two, rate(two, speed))]
    result = dict(zip(NAMES, q))
    result.update({name + "1": a for name, a in zip(NAMES, one)}, **{name + "2": a for name, a in zip(NAMES, two)})
    return {**result, "fastest": np.array([speed])}


def gas(rho, u, v, p, gamma=1.4):
    return {"rho": rho, "mx": rho * u, "my": rho * v, "energy": p / (gamma - 1) + rho * (u**2 + v**2) / 2}


def inputs(size, rng):
    rho = smooth(rng, size, 0.5, 1.5)
    rho[5:12, 4:10] += 1  # jumps
    return {**gas(rho, smooth(rng, size, -1, 1), smooth(rng, size, -1, 1), smooth(rng, size, 0.5, 2)), "dt": 0.02, "h": 0.1}


def laws(run):
    """Mass, momentum and energy are conserved through shocks; x and y are alike; a contact at rest makes no pressure waves."""
    given = inputs((32, 32), np.random.default_rng(3))
    after = run(given, 5)
    result = [(f"{name} is not conserved", abs(after[name].sum() - given[name].sum()) / abs(given[name]).sum(), 1e-13) for name in NAMES]
    turned = run({**{k: v.T.copy() if np.ndim(v) else v for k, v in given.items()}, "mx": given["my"].T.copy(), "my": given["mx"].T.copy()}, 5)
    result.append(("x and y differ", np.abs(turned["mx"] - after["my"].T).max(), 1e-12))
    line = np.where(np.arange(64) < 32, 1.0, 0.125) * np.ones((8, 1))
    p = np.where(np.arange(64) < 32, 1.0, 0.1) * np.ones((8, 1))
    sod = run({**gas(line, 0 * line, 0 * line, p), "dt": 0.1, "h": 1.0}, 60)["rho"]
    return result + [("Sod's density overshoots", sod.max(), 1.002), ("Sod's density undershoots", 0.124, sod.min()),
                     ("Sod's shock is too slow", 0.2, sod[4, 40])]


CASES = {"weno5_euler_2d": {"size": (26, 22), "steps": 2, "inputs": inputs, "reference": reference, "tolerance": 1e-12, "laws": laws}}


def picture():
    """Two layers that slide past each other roll up (Kelvin and Helmholtz)."""
    n = 128
    y, x = np.mgrid[:n, :n] / n
    middle = 0.5 * (np.tanh((y - 0.25) / 0.02) - np.tanh((y - 0.75) / 0.02))
    return {"stencil": "weno5_euler_2d", "steps": 900, "plot": "rho", "params": {"dt": 0.002, "h": 1 / n},
            "in": gas(1 + middle, middle - 0.5, 0.05 * np.sin(4 * np.pi * x), 2.5 + 0 * x)}
