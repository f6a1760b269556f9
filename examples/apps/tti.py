"""Reference of tti.stn, in f64. The tolerance is some hundred roundings to f32: sums of nested differences of order 8."""
import numpy as np
from arrays import at, first, inner, padded, second, smooth

MARGIN = 8  # a difference of order 8 of a difference of order 8


def reference(given, steps):
    g = {name: np.asarray(value, np.float64) for name, value in given.items()}
    theta, phi = (padded(g[name], MARGIN, "clamp") for name in ("theta", "phi"))
    axis = {"x": np.sin(theta) * np.cos(phi), "y": np.sin(theta) * np.sin(phi), "z": np.cos(theta)}
    p, q, p_old, q_old = g["p"], g["q"], g["p"], g["q"]
    scale, root = (np.float64(np.float32(g["dt"])) * g["v"]) ** 2, np.sqrt(1 + 2 * g["delta"])

    def along(f):
        f = padded(f, MARGIN, "zero")
        slope = sum(axis[k] * first(f, k, 8) for k in "xyz")
        return inner(sum(first(axis[k] * slope, k, 8) for k in "xyz"), MARGIN)

    for _ in range(steps):
        wide = padded(p, MARGIN, "zero")
        along_q = along(q)
        across = inner(sum(second(wide, k, 8) for k in "xyz"), MARGIN) - along(p)
        new_p = g["sponge"] * (2 * p - g["sponge"] * p_old + scale * ((1 + 2 * g["epsilon"]) * across + root * along_q))
        new_q = g["sponge"] * (2 * q - g["sponge"] * q_old + scale * (root * across + along_q))
        p, q, p_old, q_old = new_p, new_q, p, q
    return {"p": p, "q": q}


def inputs(size, rng):
    shape = tuple(reversed(size))
    start = smooth(rng, size, -1, 1)
    return {"p": start, "q": start + 0.1 * rng.standard_normal(shape), "v": smooth(rng, size, 0.6, 1), "epsilon": smooth(rng, size, 0.1, 0.3),
            "delta": smooth(rng, size, 0, 0.1), "sponge": smooth(rng, size, 0.95, 1), "theta": smooth(rng, size, -0.6, 0.9),
            "phi": smooth(rng, size, -1, 2), "dt": 0.2}


def laws(run):
    """Without anisotropy p and q obey the same equation, whatever the tilt; and what begins around the centre stays symmetric."""
    n = 21
    z, y, x = np.mgrid[:n, :n, :n] - n // 2
    one = np.ones((n, n, n))
    pulse = np.exp(-(x**2 + y**2 + z**2) / 8.0)
    rock = {"p": pulse, "q": pulse, "v": one, "epsilon": 0 * one, "delta": 0 * one, "sponge": one, "theta": 0.7 * one, "phi": 0.4 * one}
    plain = run(rock, 4)
    tilted = run({**rock, "epsilon": 0.2 * one, "delta": 0.1 * one}, 4)["p"]
    return [("p and q differ in an isotropic medium", np.abs(plain["p"] - plain["q"]).max(), 1e-5),
            ("the wave is not symmetric about the centre", np.abs(tilted - tilted[::-1, ::-1, ::-1]).max(), 1e-5),
            ("the wave has not left the centre", tilted[n // 2, n // 2, n // 2], 0.95)]


CASES = {"tti": {"size": (20, 18, 19), "steps": 3, "inputs": inputs, "reference": reference, "tolerance": 2e-5, "laws": laws}}


def picture():
    """A pulse in layers tilted by 40 degrees: the wave is longest along them."""
    n = 120
    z, y, x = np.mgrid[:24, :n, :n]
    one = np.ones(x.shape)
    pulse = np.exp(-((x - 60.0)**2 + (y - 60)**2 + (z - 12)**2) / 6)
    return {"stencil": "tti", "steps": 130, "plot": "p", "in": {
        "p": pulse, "q": pulse, "v": 1.0 * one, "epsilon": 0.24 * one, "delta": 0.1 * one, "sponge": one, "theta": np.pi / 2 * one,
        "phi": 0.7 * one}, "params": {"dt": 0.25}}
