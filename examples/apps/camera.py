"""Reference of camera.stn, in f64. A value near half a unit may be rounded the other way: one in 255 is allowed."""
import numpy as np
from arrays import at, inner, padded

MATRIX = np.array([[1.7, -0.6, -0.1], [-0.2, 1.5, -0.3], [0, -0.5, 1.5]])


def reference(given, steps):
    raw = padded(np.asarray(given["raw"], np.float64), 2, "mirror")
    y, x = np.mgrid[:raw.shape[0], :raw.shape[1]] - 2
    red, blue = (x % 2 == 0) & (y % 2 == 0), (x % 2 == 1) & (y % 2 == 1)
    green_by_red, green_by_blue = (x % 2 == 1) & (y % 2 == 0), (x % 2 == 0) & (y % 2 == 1)
    a = np.minimum(np.maximum(raw - 256, 0) * np.where(red, 1.9, np.where(blue, 1.6, 1)) / (16383 - 256), 1)

    def filtered(rows):
        return sum(w * at(a, i - 2, j - 2) for j, row in enumerate(rows) for i, w in enumerate(row)) / 8
    to_green = filtered([[0, 0, -1, 0, 0], [0, 0, 2, 0, 0], [-1, 2, 4, 2, -1], [0, 0, 2, 0, 0], [0, 0, -1, 0, 0]])
    in_row = filtered([[0, 0, .5, 0, 0], [0, -1, 0, -1, 0], [-1, 4, 5, 4, -1], [0, -1, 0, -1, 0], [0, 0, .5, 0, 0]])
    in_column = filtered([[0, 0, -1, 0, 0], [0, -1, 4, -1, 0], [.5, 0, 5, 0, .5], [0, -1, 4, -1, 0], [0, 0, -1, 0, 0]])
    opposite = filtered([[0, 0, -1.5, 0, 0], [0, 2, 0, 2, 0], [-1.5, 0, 6, 0, -1.5], [0, 2, 0, 2, 0], [0, 0, -1.5, 0, 0]])
    rgb = [np.select([red, green_by_red, green_by_blue], [a, in_row, in_column], opposite), np.where(red | blue, to_green, a),
           np.select([blue, green_by_blue, green_by_red], [a, in_row, in_column], opposite)]
    result = {}
    for name, row in zip(("red", "green", "blue"), MATRIX):
        v = np.clip(sum(w * c for w, c in zip(row, rgb)), 0, 1)**(1 / 2.2)
        v = v + 0.3 * v * (1 - v) * (2 * v - 1)
        result[name] = inner(np.rint(255 * v), 2)
    return result


def sensor(rgb):
    """What a sensor records of a picture with values from 0 to 1: the inverse of the first steps."""
    ny, nx, _ = rgb.shape
    y, x = np.mgrid[:ny, :nx]
    seen = rgb @ np.linalg.inv(MATRIX).T
    one = np.where((x + y) % 2 == 1, seen[..., 1], np.where(y % 2 == 0, seen[..., 0] / 1.9, seen[..., 2] / 1.6))
    return np.clip(np.rint(256 + 16127 * one), 0, 65535)


def scene(nx, ny):
    y, x = np.mgrid[:ny, :nx]
    rgb = np.stack([0.25 + 0.3 * x / nx, 0.4 - 0.2 * y / ny, 0.3 + 0.2 * y / ny], -1)
    rgb[np.hypot(x - 0.4 * nx, y - 0.45 * ny) < 0.25 * ny] = 0.6, 0.35, 0.15
    rgb[(abs(x - 0.75 * nx) < 0.1 * nx) & (abs(y - 0.6 * ny) < 0.2 * ny)] = 0.2, 0.5, 0.25
    return rgb


def laws(run):
    """A gray wall becomes gray, black stays black, and what is too bright white."""
    gray = run({"raw": sensor(np.full((20, 24, 3), 0.2))})
    spread = max(int(gray[a].max()) for a in gray) - min(int(gray[a].min()) for a in gray)
    black, white = run({"raw": np.full((8, 8), 200)}), run({"raw": np.full((8, 8), 20000)})
    return [("a gray wall is coloured", spread, 1), ("black is not black", max(a.max() for a in black.values()), 0),
            ("white is not white", 255 - min(int(white["green"].min()), int(white["blue"].min())), 60)]


CASES = {"camera": {"size": (60, 46), "steps": 0, "inputs": lambda size, rng: {"raw": sensor(scene(*size)) + rng.integers(0, 200, size[::-1])},
                    "reference": reference, "tolerance": 1, "laws": laws}}


def picture():
    return {"stencil": "camera", "steps": 0, "plot": "red", "in": {"raw": sensor(scene(240, 170))}, "params": {}}
