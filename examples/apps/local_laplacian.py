"""Reference of local_laplacian.stn, in f64; the tolerance is some dozens of roundings to f32, of values near 1 for details near 0.1."""
import numpy as np
from arrays import at, inner, padded

W = np.array([1, 4, 6, 4, 1]) / 16


def blurred(a):
    return sum(W[i] * W[j] * at(a, 2 * i - 4, 2 * j - 4) for i in range(5) for j in range(5))


def reference(given, steps):
    a = padded(np.asarray(given["img"], np.float64), 4, "mirror")
    detail, sigma = given.get("detail", 1.5), given.get("sigma", 0.12)
    level = 0
    for k in range(8):
        away = a - k / 7
        remapped = a + detail * away * np.exp(-away**2 / (2 * sigma**2))
        level = level + np.maximum(0, 1 - abs(7 * a - k)) * (remapped - blurred(remapped))
    return {"level": inner(level, 4), "smooth": inner(blurred(a), 4)}


def scene(nx, ny):
    y, x = np.mgrid[:ny, :nx]
    a = 0.25 + 0.5 * (x > 0.5 * nx + 0.1 * nx * np.sin(0.05 * y))
    return np.clip(a + 0.05 * np.sin(0.9 * x) * np.sin(0.7 * y) + 0.02 * np.random.default_rng(4).standard_normal((ny, nx)), 0, 1)


def laws(run):
    """Without strengthening the level and the blur add up to the picture; a flat picture has no detail; more detail with the filter."""
    a = scene(60, 50)
    plain, strong = run({"img": a, "detail": 0.0}), run({"img": a})
    flat = run({"img": np.full((30, 30), 0.37)})
    return [("the parts do not add up", np.abs(plain["level"] + plain["smooth"] - a).max(), 1e-6), ("a flat picture has detail",
            np.abs(flat["level"]).max(), 1e-6), ("detail is not stronger", 1.3 * plain["level"][:, :20].std(), strong["level"][:, :20].std())]


CASES = {"local_laplacian": {"size": (45, 38), "steps": 0, "inputs": lambda size, rng: {"img": scene(*size)}, "reference": reference,
                             "tolerance": 1e-5, "laws": laws}}


def picture():
    return {"stencil": "local_laplacian", "steps": 0, "plot": "level", "in": {"img": scene(150, 100)}, "params": {}}
