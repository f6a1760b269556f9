"""Reference of mhd2d.stn, with vectors of three components where the stencil has names. Both sides are f64."""
import numpy as np
from arrays import along, smooth

CONSERVED = ("rho", "mx", "my", "mz", "bx", "by", "bz", "energy", "psi")


def primitive(q, gamma):
    rho, m, b = q[0], q[1:4], q[4:7]
    u = m / rho
    p = (gamma - 1) * (q[7] - (rho * (u**2).sum(0) + (b**2).sum(0)) / 2)
    return np.concatenate([rho[None], u, b, p[None], q[8:9]])


def conserved(w, gamma):
    rho, u, b = w[0], w[1:4], w[4:7]
    e = w[7] / (gamma - 1) + (rho * (u**2).sum(0) + (b**2).sum(0)) / 2
    return np.concatenate([rho[None], rho * u, b, e[None], w[8:9]])


def fast(w, k, gamma):
    a2, b2, bn2 = gamma * w[7] / w[0], (w[4:7]**2).sum(0) / w[0], w[4 + k]**2 / w[0]
    return np.sqrt((a2 + b2 + np.sqrt(np.maximum((a2 + b2)**2 - 4 * a2 * bn2, 0))) / 2)


def flux(w, k, gamma, c):
    rho, u, b, p, psi = w[0], w[1:4], w[4:7], w[7], w[8]
    total = p + (b**2).sum(0) / 2
    f = np.zeros_like(w)
    f[0] = rho * u[k]
    f[1:4] = rho * u * u[k] - b * b[k]
    f[1 + k] += total
    f[4:7] = u[k] * b - u * b[k]
    f[4 + k] = psi
    f[7] = (conserved(w, gamma)[7] + total) * u[k] - b[k] * (u * b).sum(0)
    f[8] = c**2 * b[k]
    return f


def rate(q, gamma, c):
    w = primitive(q, gamma)
    total = 0
    for k, axis in enumerate("xy"):
        a, b = w - along(w, axis, -1), along(w, axis, 1) - w
        slope = np.where(a * b > 0, 2 * a * b / np.where(a * b > 0, a + b, 1), 0)
        left, right = w + slope / 2, along(w - slope / 2, axis, 1)
        speed = np.maximum(abs(left[1 + k]) + fast(left, k, gamma), abs(right[1 + k]) + fast(right, k, gamma))
        speeds = np.broadcast_to(speed, w.shape).copy()
        speeds[4 + k] = speeds[8] = c
        f = (flux(left, k, gamma, c) + flux(right, k, gamma, c) - speeds * (conserved(right, gamma) - conserved(left, gamma))) / 2
        total = total + f - along(f, axis, -1)
    return -total


def reference(given, steps):
    gamma, damping, r = given.get("gamma", 5 / 3), given.get("damping", 0.2), given["dt"] / given["h"]
    q = np.stack([given[name] for name in CONSERVED])
    old = np.stack([given["old_" + name] for name in CONSERVED])
    for step in range(steps):
        w = primitive(q, gamma)
        c = max((abs(w[1 + k]) + fast(w, k, gamma)).max() for k in (0, 1))
        euler = q + r * rate(q, gamma, c)
        if step % 2:
            q = (old + euler) / 2
        else:
            q, old = euler, q
        q[8] *= 1 - damping * r * c
    return {**dict(zip(CONSERVED, q)), **{"old_" + name: a for name, a in zip(CONSERVED, old)}, "c": np.array([c])}


def plasma(rho, u, b, p, gamma=5 / 3):
    q = conserved(np.stack([rho, *u, *b, p, 0 * rho]), gamma)
    return {**dict(zip(CONSERVED, q)), **{"old_" + name: a for name, a in zip(CONSERVED, q)}}


def vortex(nx, ny):
    """Orszag and Tang's vortex, with h = 1/nx."""
    y, x = np.meshgrid(2 * np.pi * np.arange(ny) / ny, 2 * np.pi * np.arange(nx) / nx, indexing="ij")
    zero = 0 * x
    b = 1 / np.sqrt(4 * np.pi)
    return plasma(25 / (36 * np.pi) + zero, (-np.sin(y), np.sin(x), zero), (-b * np.sin(y), b * np.sin(2 * x), zero), 5 / (12 * np.pi) + zero)


def inputs(size, rng):
    u = [smooth(rng, size, -1, 1) for _ in range(3)]
    b = [smooth(rng, size, -1, 1) for _ in range(3)]
    given = plasma(smooth(rng, size, 1, 2), u, b, smooth(rng, size, 1, 2))
    given["psi"] = smooth(rng, size, -0.1, 0.1)
    return {**given, "dt": 0.01, "h": 0.1}


def laws(run):
    """All that is conserved stays; the vortex keeps its symmetry about the middle; div B stays small; a uniform plasma stays as it is."""
    n = 48
    start = vortex(n, n)
    after = run({**start, "dt": 0.2 / n, "h": 1 / n}, 40)
    q = {name: after[name] for name in CONSERVED}
    result = [(f"{name} is not conserved", abs(q[name].sum() - start[name].sum()) / n**2, 1e-14) for name in CONSERVED[:8]]
    turned = np.roll(q["rho"][::-1, ::-1], (1, 1), (0, 1))
    result.append(("the vortex is not symmetric", np.abs(turned - q["rho"]).max(), 1e-12))
    div = (np.roll(q["bx"], -1, 1) - np.roll(q["bx"], 1, 1) + np.roll(q["by"], -1, 0) - np.roll(q["by"], 1, 0)) / 2
    result.append(("div B", np.abs(div).max() / np.abs(q["bx"]).max(), 0.1))
    one = np.ones((9, 9))
    even = plasma(one, (one, 0.5 * one, 0.2 * one), (0.3 * one, one, one), one)
    still = run({**even, "dt": 0.01, "h": 0.1}, 4)
    return result + [("a uniform plasma changes", max(np.abs(still[name] - even[name]).max() for name in CONSERVED), 1e-13)]


CASES = {"mhd2d": {"size": (22, 19), "steps": 4, "inputs": inputs, "reference": reference, "tolerance": 1e-12, "laws": laws}}


def picture():
    """Orszag and Tang's vortex: shocks in a plasma."""
    n = 160
    return {"stencil": "mhd2d", "steps": 1600, "plot": "rho", "in": vortex(n, n), "params": {"dt": 0.1 / n, "h": 1 / n}}
