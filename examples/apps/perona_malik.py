"""Reference of perona_malik.stn, in f64, by fluxes through faces; the tolerance is some dozens of roundings to f32."""
import numpy as np


def reference(given, steps):
    a, dt, k = np.asarray(given["img"], np.float64), given.get("dt", 0.14), given.get("k", 0.1)
    for _ in range(steps):
        change = 0
        for axis in range(a.ndim):
            d = np.diff(a, axis=axis)
            flux = d * np.exp(-(d / k)**2)
            wall = np.zeros_like(np.take(a, [0], axis))
            change = change + np.diff(np.concatenate([wall, flux, wall], axis), axis=axis)
        a = a + dt * change
    return {"img": a}


def scene(nx, ny, nz):
    z, y, x = np.mgrid[:nz, :ny, :nx]
    a = 0.3 + 0.4 * ((x - nx / 2)**2 / nx**2 + (y - ny / 2)**2 / ny**2 < 0.12) - 0.3 * (np.hypot(x - 0.6 * nx, y - 0.5 * ny) < 0.12 * ny)
    return a + 0.04 * np.random.default_rng(4).standard_normal(a.shape)


def laws(run):
    """The mean stays, no new extrema appear, noise becomes less, and a high edge stays."""
    a = scene(20, 20, 20)
    after = run({"img": a}, 20)["img"].astype(np.float64)
    edge = np.where(np.arange(20) < 10, 0.0, 1.0) * np.ones((8, 8, 1))
    kept = run({"img": edge}, 50)["img"]
    return [("the mean changes", abs(after.mean() - a.mean()), 1e-6), ("a new maximum", after.max() - a.max(), 1e-6),
            ("a new minimum", a.min() - after.min(), 1e-6), ("an edge is lost", np.abs(kept - edge).max(), 0.01),
            ("the noise stays", after[:, :4, :4].std(), 0.5 * a[:, :4, :4].std())]


CASES = {"perona_malik": {"size": (20, 18, 16), "steps": 5, "inputs": lambda size, rng: {"img": scene(*size)}, "reference": reference,
                          "tolerance": 1e-5, "laws": laws}}


def picture():
    return {"stencil": "perona_malik", "steps": 25, "plot": "img", "in": {"img": scene(180, 180, 16)}, "params": {}}
