"""Reference of dendrite.stn. Both sides are f64; where the phase is nearly flat its direction magnifies roundings."""
import numpy as np
from arrays import at, inner, padded, smooth


def reference(given, steps):
    dt, h, eps, diffusivity, lam = (given.get(k, v) for k, v in (("dt", 0.008), ("h", 0.4), ("eps", 0.05), ("diffusivity", 2), ("lambda", 3.19)))

    def along(pn, pt):
        """a and the flux for a gradient with the components pn along, pt across a line of the grid."""
        g = pn**2 + pt**2
        flat = g <= 1e-12
        g = np.where(flat, 1, g)
        a = np.where(flat, 1, 1 - 3 * eps + 4 * eps * (pn**4 + pt**4) / g**2)
        slope = np.where(flat, 0, 4 * eps * 4 * pn * pt**2 * (pn**2 - pt**2) / g**3)  # of a by pn
        return a, a**2 * pn + a * g * slope
    phi, u = given["phi"], given["u"]
    for _ in range(steps):
        f = padded(phi, 2, "clamp")
        px, py = (at(f, 1, 0) - at(f, -1, 0)) / (2 * h), (at(f, 0, 1) - at(f, 0, -1)) / (2 * h)
        fx = along((at(f, 1, 0) - f) / h, (py + at(py, 1, 0)) / 2)[1]
        fy = along((at(f, 0, 1) - f) / h, (px + at(px, 0, 1)) / 2)[1]
        div = (fx - at(fx, -1, 0) + fy - at(fy, 0, -1)) / h
        a = inner(along(px, py)[0], 2)
        new = phi + dt * ((phi - lam * u * (1 - phi**2)) * (1 - phi**2) + inner(div, 2)) / a**2
        w = padded(u, 1, "clamp")
        lap = inner(at(w, 1, 0) + at(w, -1, 0) + at(w, 0, 1) + at(w, 0, -1) - 4 * w, 1) / h**2
        u, phi = u + dt * diffusivity * lap + (new - phi) / 2, new
    return {"phi": phi, "u": u}


def seed(n, radius, cold, place=None):
    y, x = np.mgrid[:n, :n] - (n / 2 - 0.5 if place is None else place)
    return {"phi": -np.tanh((np.hypot(x, y) - radius) / np.sqrt(2)), "u": np.full((n, n), cold)}


def inputs(size, rng):
    return {"phi": smooth(rng, size, -1, 1), "u": smooth(rng, size, -0.6, 0.2)}


def laws(run):
    """The heat u - phi/2 stays; a crystal grows, with the symmetry of the grid; a melt at its melting point without a seed stays."""
    start = seed(40, 8, -0.55)
    after = run(start, 150)
    heat = abs((after["u"] - after["phi"] / 2).sum() - (start["u"] - start["phi"] / 2).sum()) / 1600
    melt = run({"phi": np.full((12, 12), -1.0), "u": np.zeros((12, 12))}, 20)
    return [("heat is lost", heat, 1e-13), ("x and y differ", np.abs(after["phi"] - after["phi"].T).max(), 1e-10),
            ("left and right differ", np.abs(after["phi"] - after["phi"][:, ::-1]).max(), 1e-10),
            ("the crystal does not grow", start["phi"].sum() + 10, after["phi"].sum()), ("a melt freezes", np.abs(melt["phi"] + 1).max(), 1e-13)]


CASES = {"dendrite": {"size": (36, 29), "steps": 5, "inputs": inputs, "reference": reference, "tolerance": 1e-11, "laws": laws}}


def picture():
    """The crystal has grown from the corner at the top left; two of its four arms are seen."""
    return {"stencil": "dendrite", "steps": 26000, "plot": "u", "in": seed(240, 10, -0.55, 0), "params": {}}
