"""Reference of shallow_water_topography.stn. Both sides are f64; pow and cells that are nearly dry magnify roundings."""
import numpy as np
from arrays import along, inner, padded, smooth

MARGIN = 4


def sides(q, axis):
    """The limited values inside each cell at its lower and upper face."""
    a, b = q - along(q, axis, -1), along(q, axis, 1) - q
    slope = np.where(a * b > 0, np.where(abs(a) < abs(b), a, b), 0)
    return q - slope / 2, q + slope / 2


def reference(given, steps):
    g, dry, manning, dt, r = 9.81, 1e-6, given["manning"], given["dt"], given["dt"] / given["size"]
    state = [given[name] for name in ("h", "qx", "qy")]
    ground = padded(given["b"], MARGIN, "clamp")
    for _ in range(steps):
        h, qx, qy = (padded(a, MARGIN, "clamp") for a in state)
        wet = h > dry
        vel = [np.where(wet, q / np.where(wet, h, 1), 0) for q in (qx, qy)]
        change = [0, 0, 0]
        for k, axis in enumerate("xy"):
            h_low, h_up = sides(h, axis)
            s_low, s_up = sides(h + ground, axis)
            b_low, b_up = s_low - h_low, s_up - h_up
            u_low, u_up = zip(*(sides(a, axis) for a in vel))
            level = np.maximum(b_up, along(b_low, axis, 1))
            hl, hr = np.maximum(0, s_up - level), np.maximum(0, along(s_low, axis, 1) - level)
            ul, ur = u_up, [along(a, axis, 1) for a in u_low]
            speed = np.maximum(abs(ul[k]) + np.sqrt(g * hl), abs(ur[k]) + np.sqrt(g * hr))
            fluxes = []
            for i in (None, 0, 1):
                ql, qr = (hl, hr) if i is None else (hl * ul[i], hr * ur[i])
                fl, fr = ql * ul[k], qr * ur[k]
                if i == k:
                    fl, fr = fl + g / 2 * hl**2, fr + g / 2 * hr**2
                fluxes.append((fl + fr) / 2 - speed * (qr - ql) / 2)
            for i, f in enumerate(fluxes):
                change[i] = change[i] - (f - along(f, axis, -1))
            # Audusse's source terms: at the faces, and in the cell.
            change[1 + k] = change[1 + k] + g / 2 * (hl**2 - h_up**2) - g / 2 * (along(hr, axis, -1)**2 - h_low**2)
            change[1 + k] = change[1 + k] + g / 2 * (h_low + h_up) * (b_low - b_up)
        friction = np.where(wet, 1 + dt * g * manning**2 * np.hypot(*vel) / np.where(wet, h, 1)**(4 / 3), 1)
        h, qx, qy = np.maximum(0, h + r * change[0]), (qx + r * change[1]) / friction, (qy + r * change[2]) / friction
        state = [inner(a, MARGIN) for a in (h, qx, qy)]
    return dict(zip(("h", "qx", "qy"), state))


def inputs(size, rng):
    b = smooth(rng, size, 0, 1)
    h = np.maximum(0, smooth(rng, size, 0.6, 1.2) - b)  # some ground is dry
    return {"h": h, "qx": h * smooth(rng, size, -1, 1), "qy": h * smooth(rng, size, -1, 1), "b": b, "dt": 0.02, "size": 1.0, "manning": 0.02}


def laws(run):
    """A lake at rest with an island stays at rest; water is not lost; depths do not become negative."""
    size = (30, 26)
    rng = np.random.default_rng(4)
    b = smooth(rng, size, 0, 1)
    lake = {"h": np.maximum(0, 0.7 - b), "qx": 0 * b, "qy": 0 * b, "b": b, "dt": 0.02, "size": 1.0, "manning": 0.0}
    after = run(lake, 40)
    moved = max(np.abs(after[name]).max() for name in ("qx", "qy"))
    y, x = np.mgrid[:60, :60]
    hill = 0.5 * np.exp(-((x - 38.0)**2 + (y - 30)**2) / 30)
    dam = {**lake, "b": hill, "h": np.where((x - 30)**2 + (y - 30)**2 < 64, 0.8, 0), "qx": 0 * hill, "qy": 0 * hill}
    dam["h"] = np.maximum(0, dam["h"] - hill)
    burst = run(dam, 150)
    return [("a lake at rest moves", moved, 1e-13), ("its depth changes", np.abs(after["h"] - lake["h"]).max(), 1e-14),
            ("water is lost", abs(burst["h"].sum() / dam["h"].sum() - 1), 1e-12), ("a depth is negative", -burst["h"].min(), 0),
            ("the wave is not symmetric", np.abs(burst["h"][1:] - burst["h"][:0:-1]).max(), 1e-12)]


CASES = {"shallow_water_topography": {"size": (27, 23), "steps": 6, "inputs": inputs, "reference": reference, "tolerance": 1e-11,
                                      "laws": laws}}


def picture():
    """A dam has broken on the left; the water runs round two hills over dry ground."""
    y, x = np.mgrid[:120, :200]
    b = 0.9 * np.exp(-((x - 100.0)**2 + (y - 45)**2) / 120) + 0.8 * np.exp(-((x - 135.0)**2 + (y - 80)**2) / 100)
    h = np.where(x < 50, 1.0, 0)
    return {"stencil": "shallow_water_topography", "steps": 2600, "plot": "h", "params": {"dt": 0.02, "size": 1},
            "in": {"h": h, "qx": 0 * b, "qy": 0 * b, "b": b}}
