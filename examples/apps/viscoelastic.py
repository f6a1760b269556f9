"""Reference of viscoelastic.stn, in f64; the tolerance is some dozens of roundings to f32."""
import numpy as np
from arrays import halfway, inner, padded, smooth

PAIRS = ("xx", "yy", "zz", "xy", "xz", "yz")


def reference(given, steps):
    g = {name: np.asarray(value, np.float64) for name, value in given.items()}
    dt, lam, mu, tp, ts = g["dt"], g["lambda"], g["mu"], g["tau_p"], g["tau_s"]
    calm = g["calm_z"][:, None, None] * g["calm_y"][:, None] * g["calm_x"]
    v = {a: g["v" + a] for a in "xyz"}
    s = {p: g["s" + p] for p in PAIRS}
    r = {p: g["r" + p] for p in PAIRS}
    k = dt / (2 * g["relaxation"])

    def d(f, axis, side):
        return inner(halfway(padded(f, 2, "zero"), axis, side), 2)

    for _ in range(steps):
        push = {}
        for a in "xyz":
            push[a] = sum(d(s["".join(sorted(a + b))], b, 1 if a == b else -1) for b in "xyz")
        v = {a: calm * (v[a] + dt * g["buoyancy"] * push[a]) for a in "xyz"}
        e = {a + a: d(v[a], a, -1) for a in "xyz"}
        div = sum(e.values())
        for p in PAIRS:
            a, b = p
            if a == b:
                relaxed = {"p": (lam + 2 * mu) * div, "s": -2 * mu * (div - e[p])}
            else:
                relaxed = {"p": 0.0, "s": mu * (d(v[a], b, 1) + d(v[b], a, 1))}
            forget = tp * relaxed["p"] + ts * relaxed["s"]
            rate = (1 + tp) * relaxed["p"] + (1 + ts) * relaxed["s"]
            new = ((1 - k) * r[p] - 2 * k * forget) / (1 + k)
            s[p] = calm * (s[p] + dt * (rate + 0.5 * (r[p] + new)))
            r[p] = new
    return {**{"v" + a: v[a] for a in v}, **{"s" + p: s[p] for p in s}, **{"r" + p: r[p] for p in r}}


def layer(n, width, strength=0.015):
    """Cerjan's profile: 1 inside, less in the outermost cells."""
    depth = np.maximum(0, width - np.minimum(np.arange(n), np.arange(n)[::-1]))
    return np.exp(-(strength * depth) ** 2)


def rock(size, lossless=False):
    one = np.ones(tuple(reversed(size)))
    calm = {"calm_" + a: layer(n, 6, 0.08) for a, n in zip("xyz", size)}
    loss = 0.0 if lossless else 0.1
    return {"buoyancy": one, "lambda": 0.7 * one, "mu": 0.6 * one, "tau_p": loss * one, "tau_s": loss * one, "dt": 0.2, "relaxation": 10.0,
            **calm, **{name: 0 * one for name in ["v" + a for a in "xyz"] + ["s" + p for p in PAIRS] + ["r" + p for p in PAIRS]}}


def inputs(size, rng):
    given = rock(size)
    for name in given:
        if name[0] in "vsr" and len(name) in (2, 3):
            given[name] = smooth(rng, size, -1, 1) * (0.1 if name[0] == "r" else 1)
    return {**given, "buoyancy": smooth(rng, size, 0.5, 1), "lambda": smooth(rng, size, 0.4, 1), "mu": smooth(rng, size, 0.3, 0.8),
            "tau_p": smooth(rng, size, 0, 0.2), "tau_s": smooth(rng, size, 0, 0.3)}


def laws(run):
    """An explosion stays symmetric; rock with memory and absorbing layers take energy away."""
    size = (25, 25, 25)
    z, y, x = np.mgrid[:25, :25, :25] - 12
    blow = np.exp(-(x**2 + y**2 + z**2) / 6.0)

    def energy(r):
        moduli = [r["s" + p].astype(np.float64) for p in PAIRS]
        trace = sum(moduli[:3])
        stored = sum(m**2 for m in moduli[:3]) + 2 * sum(m**2 for m in moduli[3:]) - 0.7 / (3 * 0.7 + 2 * 0.6) * trace**2
        return float((sum(r["v" + a].astype(np.float64)**2 for a in "xyz") / 2 + stored / (4 * 0.6)).sum())

    def blown(**changes):
        return {**rock(size), "sxx": blow, "syy": blow, "szz": blow, **changes}
    loss, none = run(blown(), 30), run(blown(tau_p=0 * blow, tau_s=0 * blow), 30)
    open_ = run(blown(tau_p=0 * blow, tau_s=0 * blow, **{"calm_" + a: np.ones(25) for a in "xyz"}), 30)
    start = energy(blown())
    # Before the waves reach the sides, where the staggered grid is not symmetric, and without the layers, which are not either.
    young = run(blown(**{"calm_" + a: np.ones(25) for a in "xyz"}), 10)
    return [("the pressure is not symmetric in x and y", np.abs(loss["sxx"] - loss["syy"].transpose(0, 2, 1)).max(), 2e-6),
            ("the pressure is not symmetric about the middle", np.abs(young["szz"] - young["szz"][::-1]).max(), 1e-5),
            ("memory takes no energy", energy(loss), 0.95 * energy(none)), ("the layers absorb nothing", energy(none), 0.9 * energy(open_)),
            ("energy appears", energy(open_), 1.05 * start), ("energy is lost without a loss", 0.9 * start, energy(open_))]


CASES = {"viscoelastic": {"size": (20, 17, 15), "steps": 4, "inputs": inputs, "reference": reference, "tolerance": 4e-6, "laws": laws}}


def picture():
    """A push along x; rock on the right loses energy quickly."""
    size = (160, 160, 20)
    z, y, x = np.mgrid[:20, :160, :160]
    given = rock(size)
    given.update({"calm_" + a: layer(n, 25, 0.012) for a, n in zip("xy", size)}, calm_z=np.ones(20))
    given["vx"] = np.exp(-((x - 80.0)**2 + (y - 80)**2 + (z - 10)**2) / 12)
    given["tau_p"] = given["tau_s"] = 0.4 * (x > 95)
    params = {name: given.pop(name) for name in ("dt", "relaxation")}
    return {"stencil": "viscoelastic", "steps": 230, "plot": "vx", "in": given, "params": params}
