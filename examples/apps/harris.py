"""Reference of harris.stn, in f64. The response is a small difference of large products, and is compared relative to the largest;
one corner in a thousand cells may differ, where two neighbours are nearly alike."""
import numpy as np
from arrays import at, inner, padded


def reference(given, steps):
    a = padded(np.asarray(given["img"], np.float64), 3, "clamp")
    gx = sum(w * (at(a, 1, j) - at(a, -1, j)) for j, w in ((-1, 1), (0, 2), (1, 1))) / 12
    gy = sum(w * (at(a, i, 1) - at(a, i, -1)) for i, w in ((-1, 1), (0, 2), (1, 1))) / 12
    box = lambda f: sum(at(f, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1))
    xx, xy, yy = box(gx**2), box(gx * gy), box(gy**2)
    response = inner(xx * yy - xy**2 - given.get("k", 0.04) * (xx + yy)**2, 3)
    wide = padded(response, 1, "zero")
    largest = inner(np.max([at(wide, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)], axis=0), 1)
    return {"response": response, "corner": np.where((response > given.get("threshold", 100)) & (response >= largest), 255, 0)}


def scene(nx, ny):
    y, x = np.mgrid[:ny, :nx]
    a = 60 + 100 * ((abs(x - 0.3 * nx) < 0.15 * nx) & (abs(y - 0.4 * ny) < 0.2 * ny))
    a = a + 80 * ((abs(x - 0.7 * nx) + abs(y - 0.6 * ny)) < 0.2 * nx) + 40 * (np.hypot(x - 0.75 * nx, y - 0.2 * ny) < 0.12 * ny)
    return np.clip(a + 2 * np.random.default_rng(8).standard_normal((ny, nx)), 0, 255).astype(np.uint8)


def laws(run):
    """A bright rectangle has four corners; a picture on its side has the same response; brighter pictures too."""
    a = np.full((40, 50), 40)
    a[10:30, 12:36] = 180
    found = run({"img": a})
    y, x = np.nonzero(found["corner"])
    far = max(min(abs(py - cy) + abs(px - cx) for cy in (10, 29) for cx in (12, 35)) for py, px in zip(y, x)) if len(x) else 99
    quarter = all(any(abs(py - cy) + abs(px - cx) <= 2 for py, px in zip(y, x)) for cy in (10, 29) for cx in (12, 35))
    side = run({"img": a.T.copy()})["response"].T
    return [("a corner where there is none", far, 2), ("a corner is not found", 1 - quarter, 0),
            ("x and y differ", np.abs(side - found["response"]).max() / found["response"].max(), 1e-5),
            ("brightness counts", np.abs(run({"img": a + 30})["response"] - found["response"]).max() / found["response"].max(), 1e-5)]


CASES = {"harris": {"size": (90, 70), "steps": 0, "inputs": lambda size, rng: {"img": scene(*size)}, "reference": reference, "tolerance": 2e-6,
                    "apart": 1e-3, "laws": laws}}


def picture():
    return {"stencil": "harris", "steps": 0, "plot": "response", "in": {"img": scene(240, 170)}, "params": {}}
