"""Reference of fdtd3d_cpml.stn, in f64, curl by curl; the tolerance is some dozens of roundings to f32."""
import numpy as np
from arrays import smooth

NEXT = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}
PLACE = {"x": 2, "y": 1, "z": 0}


def difference(f, axis, side):
    """To the next cell (side = 1) or from the one before, with 0 outside the grid."""
    zero = np.zeros_like(np.take(f, [0], PLACE[axis]))
    return np.diff(f, axis=PLACE[axis], **({"append": zero} if side > 0 else {"prepend": zero}))


def reference(given, steps):
    g = {name: np.asarray(a, np.float64) for name, a in given.items()}
    for axis in "xyz":
        for name in ("be_", "ce_", "ke_", "bh_", "ch_", "kh_"):
            shape = [1, 1, 1]
            shape[PLACE[axis]] = -1
            g[name + axis] = g[name + axis].reshape(shape)

    def curl(kind, other, a, side):
        """A component of the curl of the other field, stretched, and its two memories."""
        total = 0
        for along, component, sign in ((*NEXT[a], 1), (*reversed(NEXT[a]), -1)):
            d = difference(g[other + component], along, side)
            psi = g[f"b{kind}_{along}"] * g[f"psi_{kind}{a}{along}"] + g[f"c{kind}_{along}"] * d
            g[f"psi_{kind}{a}{along}"] = psi
            total = total + sign * (g[f"k{kind}_{along}"] * d + psi)
        return total
    for _ in range(steps):
        for a in "xyz":
            g["h" + a] = g["h" + a] - g["dt"] * curl("h", "e", a, 1)
        for a in "xyz":
            g["e" + a] = g["ca"] * g["e" + a] + g["dt"] * g["cb"] * curl("e", "h", a, -1)
    return {name: a for name, a in g.items() if name[:2] in ("ex", "ey", "ez", "hx", "hy", "hz") or name.startswith("psi")}


def profiles(n, width, dt, half):
    """b, c and 1/kappa along an axis of n cells: polynomial profiles (Roden and Gedney, order 3)."""
    place = np.arange(n) + half
    depth = np.maximum(0, np.maximum(width - place, place - (n - 1 - width))) / width
    sigma, kappa, alpha = 0.8 * 4 * depth**3, 1 + 4 * depth**3, 0.05 * (1 - depth)
    b = np.exp(-(sigma / kappa + alpha) * dt)
    c = np.where(depth > 0, sigma / (sigma * kappa + kappa**2 * alpha + 1e-30) * (b - 1), 0)
    return np.where(depth > 0, b, 1), c, 1 / kappa


def box(size, width=8, dt=0.5):
    zero = np.zeros(tuple(reversed(size)))
    given = {name: zero for name in ("ex", "ey", "ez", "hx", "hy", "hz")}
    given.update({f"psi_{k}{a}{d}": zero for k in "eh" for a in "xyz" for d in NEXT[a]})
    for a, n in zip("xyz", size):
        for kind, half in (("e", 0.0), ("h", 0.5)):
            for name, value in zip("bck", profiles(n, width, dt, half) if width else (np.ones(n), np.zeros(n), np.ones(n))):
                given[f"{name}{kind}_{a}"] = value
    return {**given, "ca": 1 + zero, "cb": 1 + zero, "dt": dt}


def inputs(size, rng):
    given = box(size, 4)
    for name in list(given):
        if name[:2] in ("ex", "ey", "ez", "hx", "hy", "hz"):
            given[name] = smooth(rng, size, -1, 1)
        if name.startswith("psi"):
            given[name] = smooth(rng, size, -0.1, 0.1)
    return {**given, "ca": smooth(rng, size, 0.9, 1), "cb": smooth(rng, size, 0.5, 1)}


def laws(run):
    """The layers swallow a pulse, a conducting box keeps its energy; no magnetic charge appears; y and z are alike."""
    n = 36
    z, y, x = np.mgrid[:n, :n, :n]

    def pulse(given):
        return {**given, "ex": np.exp(-((x - 17.5)**2 + (y - 18)**2 + (z - 18)**2) / 8)}

    def energy(f):
        return sum(float((f[name].astype(np.float64)**2).sum()) for name in ("ex", "ey", "ez", "hx", "hy", "hz"))
    # A pulse of Ex has charges, whose field stays; so what is judged is the magnetic field, which only waves have.
    def waves(f):
        return sum(float((f[name].astype(np.float64)**2).sum()) for name in ("hx", "hy", "hz"))
    early, late = run(pulse(box((n, n, n))), 24), run(pulse(box((n, n, n))), 140)
    closed = run(pulse(box((n, n, n), 0)), 140)
    div = sum(difference(early["h" + a].astype(np.float64), a, 1) for a in "xyz")[10:-10, 10:-10, 10:-10]  # outside the layers
    return [("the layers reflect", waves(late) / waves(early), 1e-3),
            ("a conducting box loses energy", abs(energy(closed) / energy(pulse(box((n, n, n), 0))) - 1), 0.2),
            ("magnetic charge", np.abs(div).max() / np.abs(early["hy"]).max(), 1e-4),
            ("y and z differ", np.abs(early["ex"] - early["ex"].transpose(1, 0, 2)).max(), 1e-6)]


CASES = {"fdtd3d_cpml": {"size": (18, 16, 17), "steps": 4, "inputs": inputs, "reference": reference, "tolerance": 4e-6, "laws": laws}}


def picture():
    """A flash between two balls of glass; the waves leave through the layers without a reflection."""
    size = (140, 140, 24)
    z, y, x = np.mgrid[:24, :140, :140]
    given = box(size, 12)
    for a in "z":
        for name in ("be_", "bh_", "ce_", "ch_", "ke_", "kh_"):
            given[name + a] = np.full(24, 0.0 if name[0] == "c" else 1.0)
    glass = ((x - 95)**2 + (y - 60)**2 < 400) | ((x - 45)**2 + (y - 95)**2 < 200)
    given["cb"] = np.where(glass, 0.4, 1.0)
    given["ez"] = np.exp(-((x - 62.0)**2 + (y - 62)**2) / 8) + 0 * z
    dt = given.pop("dt")
    return {"stencil": "fdtd3d_cpml", "steps": 110, "plot": "ez", "in": given, "params": {"dt": dt}}
