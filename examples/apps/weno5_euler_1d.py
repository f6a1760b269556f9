"""Reference of weno5_euler_1d.stn. Both sides are f64; the tolerance allows for the weights, which magnify roundings."""
import numpy as np
from arrays import smooth
from weno_reference import fluxes, outflow

NAMES = ("rho", "m", "energy")


def reference(given, steps):
    dt, h, gamma = given["dt"], given["h"], given.get("gamma", 1.4)
    q = [given[name] for name in NAMES]

    def rate(q, speed):
        return [-outflow(a, f, speed, "x") / h for a, f in zip(q, fluxes(q, "x", gamma)[0])]
    for _ in range(steps):
        speed = (abs(q[1]) / q[0] + np.sqrt(gamma * fluxes(q, "x", gamma)[1] / q[0])).max()
        one = [a + dt * r for a, r in zip(q, rate(q, speed))]
        two = [3 / 4 * a + (b + dt * r) / 4 for a, b, r in zip(q, one, rate(one, speed))]
        q = [a / 3 + 2 / 3 * (b + dt * r) for a, b, r in zip(q, two, rate(two, speed))]
    result = dict(zip(NAMES, q))
    result.update({name + "1": a for name, a in zip(NAMES, one)}, **{name + "2": a for name, a in zip(NAMES, two)})
    return {**result, "fastest": np.array([speed])}


def gas(rho, u, p, gamma=1.4):
    return {"rho": rho, "m": rho * u, "energy": p / (gamma - 1) + rho * u**2 / 2}


def inputs(size, rng):
    rho = smooth(rng, size, 0.5, 1.5)
    rho[20:45] += 1  # jumps
    return {**gas(rho, smooth(rng, size, -1, 1), smooth(rng, size, 0.5, 2)), "dt": 0.02, "h": 0.1}


def laws(run):
    """Mass, momentum and energy are conserved through shocks; left and right are alike; Sod's tube has its density."""
    given = inputs((150,), np.random.default_rng(3))
    after = run(given, 5)
    result = [(f"{name} is not conserved", abs(after[name].sum() - given[name].sum()) / abs(given[name]).sum(), 1e-13) for name in NAMES]
    turned = run({**{k: v[::-1].copy() if np.ndim(v) else v for k, v in given.items()}, "m": -given["m"][::-1]}, 5)
    result.append(("left and right differ", np.abs(turned["rho"] - after["rho"][::-1]).max(), 1e-12))
    left = np.arange(64) < 32
    sod = run({**gas(np.where(left, 1.0, 0.125), 0 * left, np.where(left, 1.0, 0.1)), "dt": 0.1, "h": 1.0}, 60)["rho"]
    return result + [("Sod's density overshoots", sod.max(), 1.002), ("Sod's density undershoots", 0.124, sod.min()),
                     ("Sod's shock is too slow", 0.2, sod[40])]


CASES = {"weno5_euler_1d": {"size": (143,), "steps": 2, "inputs": inputs, "reference": reference, "tolerance": 1e-12, "laws": laws}}


def picture():
    """A shock runs into waves of density (Shu and Osher 1989); around the ends is gas at rest."""
    n = 800
    x = 10 * np.arange(n) / n - 5
    behind = (x < -4) & (x > -4.8)
    rho = np.where(behind, 3.857143, 1 + 0.2 * np.sin(5 * x))
    return {"stencil": "weno5_euler_1d", "steps": 900, "plot": "rho", "params": {"dt": 0.002, "h": 10 / n},
            "in": gas(rho, np.where(behind, 2.629369, 0), np.where(behind, 10.33333, 1))}
