"""Reference of awp.stn, in f64; the tolerance is some dozens of roundings to f32."""
import numpy as np
from arrays import along, halfway, inner, padded, smooth
from viscoelastic import PAIRS, layer


def reference(given, steps):
    g = {name: np.asarray(value, np.float64) for name, value in given.items()}
    dt, lam, softness = g["dt"], g["lambda"], g["softness"]
    calm = g["calm_z"][:, None, None] * g["calm_y"][:, None] * g["calm_x"]
    v = {a: g["v" + a] for a in "xyz"}
    s = {p: g["s" + p] for p in PAIRS}
    r = {p: g["r" + p] for p in PAIRS}
    decay = dt / (2 * g["relaxation"])

    def d(f, axis, side):
        return inner(halfway(padded(f, 2, "zero"), axis, side), 2)

    def mean(f, *axes):
        """Between a cell and the next one along each of the axes."""
        f = padded(f, 1)
        for axis in axes:
            f = (f + along(f, axis, 1)) / 2
        return inner(f, 1)

    mu = {p: 1 / (softness if p[0] == p[1] else mean(softness, *p)) for p in PAIRS}
    loss = {p: g["loss_s"] if p[0] == p[1] else mean(g["loss_s"], *p) for p in PAIRS}
    for _ in range(steps):
        push = {a: sum(d(s["".join(sorted(a + b))], b, 1 if a == b else -1) for b in "xyz") for a in "xyz"}
        v = {a: calm * (v[a] + dt / mean(g["rho"], a) * push[a]) for a in "xyz"}
        div = sum(d(v[a], a, -1) for a in "xyz")
        for p in PAIRS:
            a, b = p
            shear = mu[p] * (2 * d(v[a], a, -1) if a == b else d(v[a], b, 1) + d(v[b], a, 1))
            volume = lam * div if a == b else 0
            new = ((1 - decay) * r[p] - 2 * decay * (g["loss_p"] * volume + loss[p] * shear)) / (1 + decay)
            s[p] = calm * (s[p] + dt * (volume + shear + 0.5 * (r[p] + new)))
            r[p] = new
    return {**{"v" + a: v[a] for a in v}, **{"s" + p: s[p] for p in s}, **{"r" + p: r[p] for p in r}}


def rock(size):
    """Without losses and layers."""
    one = np.ones(tuple(reversed(size)))
    return {"rho": one, "softness": one / 0.6, "lambda": 0.7 * one, "loss_p": 0 * one, "loss_s": 0 * one, "relaxation": 5 * one, "dt": 0.2,
            **{"calm_" + a: np.ones(n) for a, n in zip("xyz", size)},
            **{name: 0 * one for name in ["v" + a for a in "xyz"] + ["s" + p for p in PAIRS] + ["r" + p for p in PAIRS]}}


def times(size, low, high):
    """Relaxation times between these, another one in each of eight neighbouring cells."""
    z, y, x = np.mgrid[:size[2], :size[1], :size[0]]
    return low * (high / low) ** ((x % 2 + 2 * (y % 2) + 4 * (z % 2)) / 7)


def inputs(size, rng):
    given = rock(size)
    for name in given:
        if name[0] in "vsr" and len(name) in (2, 3) and name != "rho":
            given[name] = smooth(rng, size, -1, 1) * (0.1 if name[0] == "r" else 1)
    return {**given, "rho": smooth(rng, size, 1, 2), "softness": smooth(rng, size, 1.2, 3), "lambda": smooth(rng, size, 0.4, 1),
            "loss_p": smooth(rng, size, 0, 0.2), "loss_s": smooth(rng, size, 0, 0.3), "relaxation": times(size, 2, 20),
            **{"calm_" + a: layer(n, 5, 0.08) for a, n in zip("xyz", size)}}


def laws(run):
    """Reciprocity: in rock of any kind a push at one place moves another as much as a push there moves the first. And losses
    and layers take energy away, while without them none is lost."""
    size, steps = (24, 21, 19), 40
    rng = np.random.default_rng(7)
    uneven = {**rock(size), "rho": smooth(rng, size, 1, 2), "softness": smooth(rng, size, 1.2, 3), "lambda": smooth(rng, size, 0.4, 1)}
    lossy = {"loss_p": smooth(rng, size, 0, 0.1), "loss_s": smooth(rng, size, 0, 0.2), "relaxation": times(size, 2, 20)}
    layers = {"calm_" + a: layer(n, 6, 0.08) for a, n in zip("xyz", size)}
    here, there = (9, 10, 7), (11, 8, 15)
    density = {"x": (uneven["rho"] + np.roll(uneven["rho"], -1, 2)) / 2, "z": (uneven["rho"] + np.roll(uneven["rho"], -1, 0)) / 2}

    def pushed(axis, place, **changes):
        v = np.zeros(tuple(reversed(size)))
        v[place] = 1 / density[axis][place]
        return run({**uneven, **changes, "v" + axis: v}, steps)

    def energy(r):
        moving = sum(r["v" + a].astype(np.float64)**2 for a in "xyz").sum() / 2
        stress = {p: r["s" + p].astype(np.float64) for p in PAIRS}
        trace = stress["xx"] + stress["yy"] + stress["zz"]
        squares = sum(stress[p]**2 * (1 if p[0] == p[1] else 2) for p in PAIRS)
        return moving + ((squares - 0.7 / (3 * 0.7 + 2 * 0.6) * trace**2) / (4 * 0.6)).sum()
    forth, back = pushed("x", here)["vz"][there], pushed("z", there)["vx"][here]
    z, y, x = np.mgrid[:19, :21, :24]
    start = {**rock(size), "vx": np.exp(-((x - 12)**2 + (y - 10)**2 + (z - 9)**2) / 6.0)}
    free, absorbed, lost = (energy(run({**start, **changes}, 30)) for changes in ({}, layers, lossy))
    return [("a push and what it moves cannot be exchanged", abs(forth - back), 2e-5 * abs(forth)), ("nothing arrives", 1e-4, abs(forth)),
            ("energy appears", free, 1.05 * energy(start)), ("energy is lost without a loss", 0.95 * energy(start), free),
            ("losses take no energy", lost, 0.95 * free), ("the layers absorb nothing", absorbed, 0.9 * free)]


CASES = {"awp": {"size": (20, 17, 15), "steps": 4, "inputs": inputs, "reference": reference, "tolerance": 4e-6, "laws": laws}}


def picture():
    """A push along x at the edge of a soft basin in hard rock."""
    size = (160, 160, 20)
    z, y, x = np.mgrid[:20, :160, :160]
    given = rock(size)
    basin = (x - 100)**2 + (y - 80)**2 < 45**2
    given.update({"calm_" + a: layer(n, 25, 0.012) for a, n in zip("xy", size)}, softness=np.where(basin, 8.0, 1 / 0.6),
                 loss_s=np.where(basin, 0.1, 0.02), relaxation=times(size, 2, 20))
    given["lambda"] = np.where(basin, 0.3, 0.7)
    given["vx"] = np.exp(-((x - 50.0)**2 + (y - 80)**2 + (z - 10)**2) / 12)
    return {"stencil": "awp", "steps": 230, "plot": "vx", "in": {k: a for k, a in given.items() if k != "dt"}, "params": {"dt": given["dt"]}}
