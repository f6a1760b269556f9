"""Reference of canny.stn. Whole numbers: every cell must be the same."""
import numpy as np
from arrays import at, inner, padded

GAUSS = np.array([[2, 4, 5, 4, 2], [4, 9, 12, 9, 4], [5, 12, 15, 12, 5], [4, 9, 12, 9, 4], [2, 4, 5, 4, 2]])


def reference(given, steps):
    a = padded(np.asarray(given["img"], np.int64), 5, "clamp")
    soft = (sum(GAUSS[j, i] * at(a, i - 2, j - 2) for i in range(5) for j in range(5)) + 79) // 159
    sobel = ((-1, 1), (0, 2), (1, 1))
    gx = sum(w * (at(soft, 1, k) - at(soft, -1, k)) for k, w in sobel)
    gy = sum(w * (at(soft, k, 1) - at(soft, k, -1)) for k, w in sobel)
    g2 = gx**2 + gy**2
    steep = np.select([5 * abs(gy) < 2 * abs(gx), 5 * abs(gx) < 2 * abs(gy), gx * gy > 0], [0, 1, 2], 3)
    thin = np.zeros(a.shape, bool)
    for k, (i, j) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
        thin |= (steep == k) & (g2 > at(g2, -i, -j)) & (g2 >= at(g2, i, j))
    low, high = given.get("low", 40), given.get("high", 90)
    return {"edge": inner(np.where(thin & (g2 >= low**2), np.where(g2 >= high**2, 2, 1), 0), 5)}


def hysteresis(given, steps):
    edge = np.asarray(given["edge"], np.int64)
    for _ in range(steps):
        wide = padded(edge, 1, "zero")
        strongest = inner(np.max([at(wide, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)], axis=0), 1)
        before = edge
        edge = np.where((edge == 1) & (strongest == 2), 2, edge)
    return {"edge": edge, "changed": np.array([(edge != before).sum()])}


def scene(nx, ny):
    """Discs, bars and a ramp, with some noise."""
    y, x = np.mgrid[:ny, :nx]
    a = 40 + 60 * x / nx
    a = a + 90 * (np.hypot(x - 0.35 * nx, y - 0.4 * ny) < 0.22 * ny) - 30 * (abs(x - 0.75 * nx + 0.3 * y) < 0.05 * nx)
    a = a + 50 * ((abs(x - 0.6 * nx) < 0.15 * nx) & (abs(y - 0.8 * ny) < 0.1 * ny))
    noise = np.random.default_rng(8).standard_normal((ny, nx))
    return np.clip(a + 5 * noise, 0, 255).astype(np.uint8)


def laws(run):
    """A flat picture has no edge; the picture turned upside down has the same cells with a gradient; a step has one line."""
    step = np.where(np.arange(40) < 20, 50, 200) * np.ones((30, 1))
    edge = run({"img": step})["edge"]
    return [("a flat picture has edges", run({"img": np.full((20, 20), 77)})["edge"].max(), 0),
            ("a step is not one line", abs(int((edge == 2).sum()) - 30), 0), ("it is not where the step is", 30 - (edge[:, 19:21] == 2).sum(), 0)]


def laws_of_hysteresis(run):
    """A chain of weak cells is followed to its end, however it turns; a chain without a strong cell stays weak."""
    edge = np.zeros((20, 60), np.uint8)
    edge[10, 5:50] = edge[3:10, 50] = 1
    edge[15, 5:50] = 1
    edge[10, 5] = 2
    after = run({"edge": edge}, 60)["edge"]
    return [("the chain breaks", (after[10] == 1).sum() + (after[:10] == 1).sum(), 0), ("a weak chain becomes strong", (after[15] == 2).sum(), 0)]


def rough(size, rng):
    """The scene, with coarse noise on its right half: there are edges of every direction, at the sides of the picture too."""
    img = scene(*size)
    img[:, size[0] // 2:] = rng.integers(0, 256, (size[1], size[0] - size[0] // 2))
    return {"img": img}


def weak(size, rng):
    return {"edge": rng.choice([0, 1, 2], tuple(reversed(size)), p=[0.55, 0.44, 0.01])}


CASES = {"canny": {"size": (120, 90), "steps": 0, "inputs": rough, "reference": reference, "tolerance": 0,
                   "laws": laws},
         "hysteresis": {"size": (70, 60), "steps": 9, "inputs": weak, "reference": hysteresis, "tolerance": 0, "laws": laws_of_hysteresis}}


def picture():
    return {"stencil": "canny", "steps": 0, "plot": "edge", "in": {"img": scene(260, 180)}, "params": {}}
