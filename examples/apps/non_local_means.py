"""Reference of non_local_means.stn, in f64; the tolerance is some dozens of roundings to f32."""
import numpy as np
from arrays import at, inner, padded


def reference(given, steps):
    a = padded(np.asarray(given["img"], np.float64), 4, "mirror")
    sigma, strength = given.get("sigma", 0.08), given.get("strength", 0.06)
    total = weights = 0
    for i in range(-3, 4):
        for j in range(-3, 4):
            squares = (at(a, i, j) - a)**2
            d2 = sum(at(squares, k, l) for k in (-1, 0, 1) for l in (-1, 0, 1)) / 9
            weight = np.exp(-np.maximum(d2 - 2 * sigma**2, 0) / strength**2)
            total, weights = total + weight * at(a, i, j), weights + weight
    return {"clean": inner(total / weights, 4)}


def scene(nx, ny, noise):
    y, x = np.mgrid[:ny, :nx]
    a = 0.2 + 0.5 * ((x // 12 + y // 15) % 2) + 0.2 * (np.hypot(x - nx / 2, y - ny / 2) < ny / 3)
    return a, a + noise * np.random.default_rng(4).standard_normal((ny, nx))


def laws(run):
    """A flat picture stays; values stay within those of the picture; the noise becomes less, and edges stay."""
    clean, noisy = scene(70, 60, 0.08)
    after = run({"img": noisy})["clean"]
    flat = run({"img": np.full((20, 20), 0.3)})["clean"]
    return [("a flat picture changes", np.abs(flat - 0.3).max(), 1e-6), ("a value is above the largest", after.max() - noisy.max(), 1e-6),
            ("a value is below the smallest", noisy.min() - after.min(), 1e-6),
            ("the noise is still there", (after - clean).std(), 0.6 * (noisy - clean).std())]


CASES = {"non_local_means": {"size": (45, 38), "steps": 0, "inputs": lambda size, rng: {"img": scene(*size, 0.08)[1]}, "reference": reference,
                             "tolerance": 1e-5, "laws": laws}}


def picture():
    return {"stencil": "non_local_means", "steps": 0, "plot": "clean", "in": {"img": scene(200, 140, 0.07)[1]}, "params": {}}
