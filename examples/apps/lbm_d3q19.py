"""Reference of lbm_d3q19.stn: particles are pushed in NumPy, where the stencil pulls them. Both sides are f64."""
import numpy as np
from arrays import smooth

DIRECTIONS = [(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1), (1, 1, 0), (-1, -1, 0), (1, -1, 0),
              (-1, 1, 0), (1, 0, 1), (-1, 0, -1), (1, 0, -1), (-1, 0, 1), (0, 1, 1), (0, -1, -1), (0, 1, -1), (0, -1, 1)]
WEIGHTS = [1 / 3 if not any(c) else 1 / 18 if sum(map(abs, c)) == 1 else 1 / 36 for c in DIRECTIONS]


def stream(f, solid):
    """Where the particles of f are after they have moved; at walls they turn round and stay."""
    result = [a.copy() for a in f]
    for k, c in enumerate(DIRECTIONS):
        if any(c):
            back = DIRECTIONS.index(tuple(-n for n in c))
            to_wall = np.roll(solid, c, (2, 1, 0))  # is the cell where these particles come from a wall?
            result[k] = np.where(to_wall, f[back], np.roll(f[k], c, (2, 1, 0)))
    return result


def reference(given, steps):
    solid, omega, force = np.asarray(given["solid"], bool), given["omega"], given["force"]
    f = [given[f"q{k}"] for k in range(19)]
    for _ in range(steps):
        g = stream(f, solid)
        rho = sum(g)
        u = [sum(c[a] * gk for c, gk in zip(DIRECTIONS, g)) for a in range(3)]
        u[0] = u[0] + force / 2
        u = [a / rho for a in u]
        new = []
        for c, w, gk in zip(DIRECTIONS, WEIGHTS, g):
            cu = sum(a * b for a, b in zip(c, u))
            equal = w * rho * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * sum(a**2 for a in u))
            push = (1 - omega / 2) * w * force * (3 * (c[0] - u[0]) + 9 * cu * c[0])
            new.append(gk + omega * (equal - gk) + push)
        f = [np.where(solid, old, value) for old, value in zip(f, new)]
    return {f"q{k}": a for k, a in enumerate(f)}


def at_rest(solid, omega, force):
    return {**{f"q{k}": np.full(solid.shape, w) for k, w in enumerate(WEIGHTS)}, "solid": solid, "omega": omega, "force": force}


def inputs(size, rng):
    solid = rng.random(tuple(reversed(size))) < 0.2
    given = at_rest(solid, 1.3, 1e-3)
    for k in range(19):
        given[f"q{k}"] = given[f"q{k}"] * smooth(rng, size, 0.8, 1.2)
    return given


def mass(fields, solid):
    return sum(float(np.where(solid, 0, fields[f"q{k}"]).sum()) for k in range(19))


def laws(run):
    """Mass stays, among walls too; between plates the velocity becomes Poiseuille's parabola."""
    given = inputs((12, 11, 10), np.random.default_rng(7))
    solid = given["solid"]
    lost = abs(mass(run(given, 10), solid) / mass(given, solid) - 1)
    n, omega, force = 10, 1 / (0.5 + np.sqrt(3 / 16)), 1e-6  # this omega puts walls half way between cells
    plates = np.zeros((3, n + 2, 3), bool)
    plates[:, 0] = plates[:, -1] = True
    g = run(at_rest(plates, omega, force), 1500)
    u = sum(c[0] * g[f"q{k}"] for k, c in enumerate(DIRECTIONS))[1, 1:-1, 1] - force / 2  # after a collision: half a push more
    y = np.arange(n) - (n - 1) / 2
    viscosity = (1 / omega - 0.5) / 3
    exact = force / (2 * viscosity) * (n**2 / 4 - y**2)
    return [("mass is lost", lost, 1e-13), ("the flow between plates is no parabola", np.abs(u / exact - 1).max(), 0.01)]


CASES = {"lbm_d3q19": {"size": (12, 11, 10), "steps": 5, "inputs": inputs, "reference": reference, "tolerance": 1e-13, "laws": laws}}


def picture():
    """Flow to the right through a bed of balls; the picture shows the particles that move to the right."""
    rng = np.random.default_rng(2)
    z, y, x = np.mgrid[:24, :80, :120]
    solid = np.zeros(x.shape, bool)
    for _ in range(20):
        bx, by, bz, r = rng.uniform(0, 120), rng.uniform(0, 80), rng.uniform(0, 24), rng.uniform(6, 10)
        gone = [np.minimum(abs(a - b), n - abs(a - b)) for a, b, n in ((x, bx, 120), (y, by, 80), (z, bz, 24))]
        solid |= sum(a**2 for a in gone) < r**2
    given = at_rest(solid, 1.5, 1e-5)
    given = {k: v for k, v in given.items() if k not in ("omega", "force")}
    return {"stencil": "lbm_d3q19", "steps": 600, "plot": "q1", "in": given, "params": {"omega": 1.5, "force": 1e-5}}
