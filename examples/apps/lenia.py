"""Reference of lenia.stn, in f64 by a Fourier transform. The growth is steep (a change by 1/width of the potential), so roundings to
f32 of sums of 729 terms are magnified some hundred times in three steps."""
import numpy as np


def ring(mu=0.5, sigma=0.15, radius=13):
    """The weights, [i, j] with i along x."""
    i, j = np.mgrid[-radius:radius + 1, -radius:radius + 1]
    r = np.hypot(i, j) / radius
    shape = np.where(r < 1, np.exp(-((r - mu) / sigma)**2 / 2), 0)
    return shape / shape.sum()


def reference(given, steps):
    life = np.asarray(given["life"], np.float64)
    weights = np.asarray(given["ring"], np.float32).astype(np.float64)
    kernel = np.zeros(life.shape)
    for i in range(-13, 14):
        for j in range(-13, 14):
            kernel[-j % life.shape[0], -i % life.shape[1]] += weights[i + 13, j + 13]
    kernel = np.fft.rfft2(kernel)
    for _ in range(steps):
        potential = np.fft.irfft2(np.fft.rfft2(life) * kernel, life.shape)
        growth = 2 * np.exp(-((potential - given.get("mean", 0.15)) / given.get("width", 0.015))**2 / 2) - 1
        life = np.clip(life + given.get("dt", 0.1) * growth, 0, 1)
    return {"life": life}


def inputs(size, rng):
    uneven = ring() * rng.uniform(0.8, 1.2, (27, 27))  # so that a transposed table is noticed
    return {"life": rng.random(tuple(reversed(size))) * 0.3, "ring": uneven / uneven.sum()}


def laws(run):
    """Values stay from 0 to 1; a world that is as the growth wants it everywhere grows evenly; emptiness stays."""
    given = inputs((40, 36), np.random.default_rng(5))
    after = run(given, 5)["life"]
    even = run({**given, "life": np.full((30, 30), 0.15)})["life"]
    empty = run({**given, "life": np.zeros((30, 30))})["life"]
    return [("a value above 1", after.max(), 1), ("a value below 0", -after.min(), 0), ("an even world grows unevenly", np.abs(even - 0.25).max(), 1e-5),
            ("something comes from nothing", empty.max(), 0)]


CASES = {"lenia": {"size": (45, 38), "steps": 3, "inputs": inputs, "reference": reference, "tolerance": 2e-4, "laws": laws}}


def picture():
    """Noise in a few squares has become creatures and stripes."""
    rng = np.random.default_rng(6)
    life = np.zeros((150, 200))
    for _ in range(40):
        x, y = rng.integers(0, 180), rng.integers(0, 130)
        life[y:y + 20, x:x + 20] = rng.random((20, 20)) * 0.9
    return {"stencil": "lenia", "steps": 150, "plot": "life", "in": {"life": life},
            "params": {"ring": ",".join(f"{w:.6g}" for w in ring().ravel()), "width": 0.017}}
