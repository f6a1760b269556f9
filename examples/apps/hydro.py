"""Reference of hydro.stn, phase by phase. Both sides are f64; the windward side of a face may change where the flow is 0."""
import numpy as np
from arrays import along, at, smooth


def mean4(f):
    return (f + at(f, -1, 0) + at(f, 0, -1) + at(f, -1, -1)) / 4


def windward(f, flow, axis):
    a, b = f - along(f, axis, -1), along(f, axis, 1) - f
    half = np.where(a * b > 0, a * b / np.where(a * b > 0, a + b, 1), 0)
    return np.where(flow > 0, along(f + half, axis, -1), f - half)


def divergence(u, v, h):
    left, below = (u + at(u, 0, 1)) / 2, (v + at(v, 1, 0)) / 2
    return (at(left, 1, 0) - left + at(below, 0, 1) - below) / h


def out(fx, fy):
    return at(fx, 1, 0) - fx + at(fy, 0, 1) - fy


def reference(given, steps):
    dt, h, gamma = given["dt"], given["h"], given.get("gamma", 1.4)
    rho, e, u, v = (given[name] for name in ("rho", "e", "u", "v"))
    for _ in range(steps):
        p, div = (gamma - 1) * rho * e, divergence(u, v, h)
        squeeze = -np.minimum(div, 0) * h
        q = rho * (2 * squeeze**2 + squeeze * np.sqrt(gamma * p / rho) / 2)
        half = (gamma - 1) * (rho / (1 + dt / 2 * div)) * (e - dt / 2 * (p + q) / rho * div)
        total, corner = half + q, mean4(rho)
        u1 = u - dt / h / corner * (total - at(total, -1, 0) + at(total, 0, -1) - at(total, -1, -1)) / 2
        v1 = v - dt / h / corner * (total - at(total, 0, -1) + at(total, -1, 0) - at(total, -1, -1)) / 2
        um, vm = (u + u1) / 2, (v + v1) / 2
        div = divergence(um, vm, h)
        rho1, e1 = rho / (1 + dt * div), e - dt * total / rho * div
        fx, fy = dt / h * (um + at(um, 0, 1)) / 2, dt / h * (vm + at(vm, 1, 0)) / 2
        mx, my = fx * windward(rho1, fx, "x"), fy * windward(rho1, fy, "y")
        new = rho - out(mx, my)
        e = (rho * e1 - out(mx * windward(e1, mx, "x"), my * windward(e1, my, "y"))) / new
        cx, cy = mean4(mx), mean4(my)
        u, v = ((corner * w - out(cx * windward(w, cx, "x"), cy * windward(w, cy, "y"))) / mean4(new) for w in (u1, v1))
        rho = new
    return {"rho": rho, "e": e, "u": u, "v": v, "q": q, "pressure": half, "u_moved": u1, "v_moved": v1, "rho_moved": rho1, "e_moved": e1,
            "mass_x": mx, "mass_y": my}


def inputs(size, rng):
    return {"rho": smooth(rng, size, 0.5, 1.5), "e": smooth(rng, size, 1, 3), "u": smooth(rng, size, -0.6, 1), "v": smooth(rng, size, -1, 0.5),
            "dt": 0.1, "h": 1.0}


def laws(run):
    """Mass and momentum are conserved; the Lagrange phases conserve energy; x and y are alike; Sod's shock is where it must be."""
    given = inputs((30, 30), np.random.default_rng(3))
    after = run(given, 10)
    one = run(given, 1)
    corner = mean4(given["rho"])
    kinetic = (corner * (one["u_moved"]**2 + one["v_moved"]**2 - given["u"]**2 - given["v"]**2)).sum() / 2
    thermal = (given["rho"] * (one["e_moved"] - given["e"])).sum()
    m = [(mean4(f["rho"]) * f["u"]).sum() for f in (given, after)]
    turned = run({**given, "rho": given["rho"].T.copy(), "e": given["e"].T.copy(), "u": given["v"].T.copy(), "v": given["u"].T.copy()}, 10)
    x = np.arange(200)
    left = (x < 100) * np.ones((4, 1), bool)
    sod = run({"rho": np.where(left, 1, 0.125), "e": np.where(left, 2.5, 2.0), "u": 0.0 * left, "v": 0.0 * left, "dt": 0.1, "h": 1.0}, 250)
    front = np.nonzero(sod["rho"][1, 100:150] > 0.19)[0].max()  # the shock moves 1.752 a unit of time
    return [("mass is lost", abs(after["rho"].sum() / given["rho"].sum() - 1), 1e-13), ("momentum is lost", abs(m[0] - m[1]) / abs(m[0]), 1e-11),
            ("the Lagrange phases lose energy", abs(kinetic + thermal) / abs(kinetic), 1e-11), ("x and y differ", np.abs(turned["u"] - after["v"].T).max(), 1e-12),
            ("Sod's shock is in the wrong place", abs(front - 43.8), 2.5)]


CASES = {"hydro": {"size": (26, 23), "steps": 3, "inputs": inputs, "reference": reference, "tolerance": 1e-12, "laws": laws}}


def picture():
    """A blast in a corner of a box runs into a heavy block."""
    n = 180
    y, x = np.mgrid[:n, :n]
    e = np.where(np.hypot(x - 60, y - 70) < 14, 30.0, 1.0)
    rho = 1 + 4.0 * ((abs(x - 125) < 15) & (abs(y - 100) < 30))
    return {"stencil": "hydro", "steps": 500, "plot": "rho", "params": {"dt": 0.06, "h": 1}, "in": {"rho": rho, "e": e / rho, "u": 0 * e, "v": 0 * e}}
