"""Reference of lbm_d2q9.stn, in f64, with the walls as cells around the grid; the tolerance is some dozens of roundings to f32."""
import numpy as np
from arrays import smooth

DIRECTIONS = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
OPPOSITE = [0, 3, 4, 1, 2, 7, 8, 5, 6]
WEIGHTS = [4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36]


def reference(given, steps):
    solid = np.asarray(given["solid"], bool)
    walls = np.pad(solid, 1, constant_values=True)
    lid = np.zeros(walls.shape)
    lid[-1] = given["lid"]
    f = [np.asarray(given[f"f{k}"], np.float64) for k in range(9)]
    omega = given["omega"]
    omega_odd = 1 / (0.5 + given.get("magic", 3 / 16) / (1 / omega - 0.5))
    for _ in range(steps):
        g = []
        for k, c in enumerate(DIRECTIONS):
            source_wall = np.roll(walls, c, (1, 0))[1:-1, 1:-1]
            speed = np.roll(lid, c, (1, 0))[1:-1, 1:-1]
            turned = f[OPPOSITE[k]] + 6 * WEIGHTS[k] * c[0] * speed
            g.append(np.where(source_wall, turned, np.roll(np.pad(f[k], 1), c, (1, 0))[1:-1, 1:-1]))
        rho = sum(g)
        ux, uy = (sum(c[a] * gk for c, gk in zip(DIRECTIONS, g)) / rho for a in (0, 1))
        equal = [w * rho * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * (ux**2 + uy**2))
                 for w, cu in zip(WEIGHTS, (c[0] * ux + c[1] * uy for c in DIRECTIONS))]
        new = []
        for k, o in enumerate(OPPOSITE):
            away, back = g[k] - equal[k], g[o] - equal[o]
            new.append(g[k] - omega * (away + back) / 2 - omega_odd * (away - back) / 2)
        f = [np.where(solid, old, value) for old, value in zip(f, new)]
    return {f"f{k}": a for k, a in enumerate(f)}


def at_rest(solid):
    return {**{f"f{k}": np.full(solid.shape, w) for k, w in enumerate(WEIGHTS)}, "solid": solid}


def inputs(size, rng):
    given = {**at_rest(rng.random(tuple(reversed(size))) < 0.1), "omega": 1.6, "lid": 0.08}
    for k in range(9):
        given[f"f{k}"] = given[f"f{k}"] * smooth(rng, size, 0.9, 1.1)
    return given


def laws(run):
    """Mass stays; a lid over an empty channel drags the fluid: its speed grows towards the lid; a resting fluid rests."""
    given = inputs((40, 30), np.random.default_rng(7))
    given["solid"][-1] = False  # corners beside the lid take and give unequally
    solid = given["solid"]

    def mass(fields):
        return sum(float(np.where(solid, 0, fields[f"f{k}"]).astype(np.float64).sum()) for k in range(9))
    empty = np.zeros((24, 24), bool)
    after = run({**at_rest(empty), "lid": 0.1, "omega": 1.0}, 2000)
    ux = sum(c[0] * after[f"f{k}"] for k, c in enumerate(DIRECTIONS))[:, 12]
    still = run({**at_rest(empty), "lid": 0.0}, 50)
    return [("mass is lost", abs(mass(run(given, 20)) / mass(given) - 1), 3e-6),
            ("the lid does not drag the row below it", 0.04, ux[-1]), ("nothing flows back below", ux[8:16].min(), -0.005),
            ("the net flow through the middle", abs(ux.sum()), 0.03),
            ("a resting fluid moves", max(np.abs(still[f"f{k}"] - w).max() for k, w in enumerate(WEIGHTS)), 1e-6)]


CASES = {"lbm_d2q9": {"size": (40, 30), "steps": 6, "inputs": inputs, "reference": reference, "tolerance": 2e-6, "laws": laws}}


def picture():
    """The lid at the bottom of the picture slides to the right over a block; particles that move to the right."""
    y, x = np.mgrid[:160, :160]
    solid = (abs(x - 100) < 14) & (abs(y - 90) < 14)
    return {"stencil": "lbm_d2q9", "steps": 9000, "plot": "f1", "params": {"omega": 1.6, "lid": 0.1}, "in": at_rest(solid)}
