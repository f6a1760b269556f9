"""Reference of cavity.stn. Both sides are f64: only the order of sums differs."""
import numpy as np


def grown(a, x, y):
    """One ghost cell on each side; a factor of the cell at the side, -1 for no slip, 0 for a wall, 1 for no flow."""
    a = np.concatenate([x * a[:, :1], a, x * a[:, -1:]], 1)
    return np.concatenate([y * a[:1], a, y * a[-1:]], 0)


def predict(given, steps):
    dt, h, nu, lid = (given[k] for k in ("dt", "h", "nu", "lid"))
    u, v = grown(given["u"], 0, -1), grown(given["v"], -1, 0)
    top = u.copy()
    top[-1] = 2 * lid - u[-2]  # the lid, for friction; its flow through the wall is 0

    def laplacian(a):
        return a[1:-1, 2:] + a[1:-1, :-2] + a[2:, 1:-1] + a[:-2, 1:-1] - 4 * a[1:-1, 1:-1]
    uu = ((u[:, :-1] + u[:, 1:]) / 2)**2
    vv = ((v[:-1] + v[1:]) / 2)**2
    uv = (u[:-1, 1:] + u[1:, 1:]) / 2 * (v[1:, :-1] + v[1:, 1:]) / 2  # at lower left corners of cells 0..n along both axes
    us = given["u"] + dt * (-(uu[1:-1, 1:] - uu[1:-1, :-1] + uv[1:, :-1] - uv[:-1, :-1]) / h + nu * laplacian(top) / h**2)
    vs = given["v"] + dt * (-(vv[1:, 1:-1] - vv[:-1, 1:-1] + uv[:-1, 1:] - uv[:-1, :-1]) / h + nu * laplacian(v) / h**2)
    us[:, 0] = 0
    vs[0] = 0
    return {"us": us, "vs": vs}


def divergence(u, v):
    return np.diff(u, axis=1, append=0) + np.diff(v, axis=0, append=0)


def around(p):
    p = grown(p, 1, 1)
    return p[1:-1, 2:] + p[1:-1, :-2] + p[2:, 1:-1] + p[:-2, 1:-1]


def pressure(given, steps):
    source = divergence(given["us"], given["vs"]) * given["h"] / given["dt"]
    p = given["p"].copy()
    y, x = np.indices(p.shape)
    for _ in range(steps):
        residual = abs(around(p) - 4 * p - source).max()
        for colour in (0, 1):
            p = np.where((x + y) % 2 == colour, (around(p) - source) / 4, p)
    return {"p": p, "residual": np.array([residual])}


def project(given, steps):
    p, r = given["p"], given["dt"] / given["h"]
    return {"u": given["us"] - r * np.diff(p, axis=1, prepend=p[:, :1]), "v": given["vs"] - r * np.diff(p, axis=0, prepend=p[:1])}


def flow(size, rng, names):
    shape = tuple(reversed(size))
    a, b = rng.standard_normal(shape), rng.standard_normal(shape)
    a[:, 0] = 0
    b[0] = 0
    return {names[0]: a, names[1]: b, "dt": 0.01, "h": 0.5}


def at_rest(run):
    """In a fluid at rest only the row below the lid feels it, by its friction; the momentum that a flow carries is conserved."""
    zero = np.zeros((12, 10))
    still = run({"u": zero, "v": zero, "dt": 0.1, "h": 1.0, "nu": 0.2, "lid": 3.0})
    given = flow((14, 13), np.random.default_rng(1), ("u", "v"))
    given["u"][[0, -1]] = given["u"][:, [1, -1]] = given["v"][[1, -1]] = given["v"][:, [0, -1]] = 0  # nothing near the walls
    given["u"][[1, -2]] = given["v"][:, [1, -2]] = given["u"][:, [2, -2]] = given["v"][[2, -2]] = 0
    after = run({**given, "nu": 0.0, "lid": 0.0})
    return [("the lid drags", np.abs(still["us"][-1, 1:] - 0.1 * 0.2 * 6).max(), 1e-14), ("more than one row", np.abs(still["us"][:-1]).max(), 0),
            ("momentum is lost", abs(after["us"].sum() - given["u"].sum()), 1e-12)]


def solved(run):
    """400 sweeps make the residual small, if no fluid goes through the walls."""
    given = flow((16, 14), np.random.default_rng(1), ("us", "vs"))
    p = run({**given, "p": np.zeros((14, 16))}, 600)["p"]
    source = divergence(given["us"], given["vs"]) * given["h"] / given["dt"]
    return [("the residual stays large", np.abs(around(p) - 4 * p - source).max() / np.abs(source).max(), 1e-4)]


def solenoidal(run):
    """With the pressure that solves the equation the flow has no divergence left."""
    given = flow((16, 14), np.random.default_rng(1), ("us", "vs"))
    p = pressure({**given, "p": np.zeros((14, 16))}, 1500)["p"]
    after = run({**given, "p": p})
    return [("the flow has a divergence", np.abs(divergence(after["u"], after["v"])).max(), 1e-8), ("it goes through the walls",
            max(np.abs(after["u"][:, 0]).max(), np.abs(after["v"][0]).max()), 1e-15)]


CASES = {"predict": {"size": (21, 18), "steps": 0, "reference": predict, "tolerance": 1e-13, "laws": at_rest,
                     "inputs": lambda size, rng: {**flow(size, rng, ("u", "v")), "nu": 0.3, "lid": 2.0}},
         "pressure": {"size": (21, 18), "steps": 5, "reference": pressure, "tolerance": 1e-13, "laws": solved,
                      "inputs": lambda size, rng: {**flow(size, rng, ("us", "vs")), "p": rng.standard_normal(size[::-1])}},
         "project": {"size": (21, 18), "steps": 0, "reference": project, "tolerance": 1e-13, "laws": solenoidal,
                     "inputs": lambda size, rng: {**flow(size, rng, ("us", "vs")), "p": rng.standard_normal(size[::-1])}}}


def picture():
    """The flow after 400 steps; they are computed by the reference, and the picture shows what `predict` makes of them."""
    n = 48
    given = {"u": np.zeros((n, n)), "v": np.zeros((n, n)), "dt": 0.2, "h": 1.0, "nu": 0.12, "lid": 1.0, "p": np.zeros((n, n))}
    for _ in range(400):
        given.update(predict(given, 0))
        given.update({k: v for k, v in pressure(given, 30).items() if k == "p"})
        given.update(project(given, 0))
    params = {k: given[k] for k in ("dt", "h", "nu", "lid")}
    return {"stencil": "predict", "steps": 0, "plot": "us", "in": {k: given[k] for k in ("u", "v")}, "params": params}
