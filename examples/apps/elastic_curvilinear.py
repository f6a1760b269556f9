"""Reference of elastic_curvilinear.stn: stress and divergence, written with loops over the metric. Both sides are f64."""
import numpy as np
from arrays import smooth
from elastic_reference import d, laws, step_by, stretch


def force(u, v, w, mu, jac, sx, sy, sz, **rest):
    lam = rest["lambda"]
    s = {"x": sx, "y": sy, "z": sz}
    moved = {"x": u, "y": v, "z": w}
    axes = "xyz"
    result = []
    # The stress S_ij = lambda delta_ij e_kk + mu (e_ij + e_ji), where e_ij is the derivative of component i by j. That
    # derivative has a part along the line of the grid, d/dq or d/dr (none for z), and a part s_j d/ds.
    for i in axes:
        total = 0
        for j in axes:
            # Weights of the derivatives e_kl in S_ij.
            weights = {}
            for k in axes:
                if i == j:
                    weights[k, k] = weights.get((k, k), 0) + lam
            weights[i, j] = weights.get((i, j), 0) + mu
            weights[j, i] = weights.get((j, i), 0) + mu
            # S_ij goes out through faces across the line j (not z) with weight 1, and through faces across s with weight s_j.
            for (k, l), weight in weights.items():
                b = jac * weight
                f = moved[k]
                if l != "z":
                    if j != "z":
                        total = total + (stretch(b, f, j) if j == l else d(b * d(f, l), j))
                    total = total + d(b * s[j] * d(f, l), "z")
                if j != "z":
                    total = total + d(b * s[l] * d(f, "z"), j)
                total = total + stretch(b * s[j] * s[l], f, "z")
        result.append(total)
    return result


def mapped(size):
    """A grid below hills: the map and its derivatives at the cells."""
    nx, ny, nz = size
    z, y, x = np.meshgrid(np.arange(nz) / nz, np.arange(ny), np.arange(nx), indexing="ij")
    a, kx, ky = 0.15 * nz, 2 * np.pi / nx, 2 * np.pi / ny
    hill = a * np.sin(kx * x) * np.cos(ky * y)
    # Z = s + (1 - s/nz) hill
    z_s = 1 - hill / nz
    z_q = (1 - z) * a * kx * np.cos(kx * x) * np.cos(ky * y)
    z_r = -(1 - z) * a * ky * np.sin(kx * x) * np.sin(ky * y)
    return {"jac": z_s, "sx": -z_q / z_s, "sy": -z_r / z_s, "sz": 1 / z_s}


def inputs(size, rng):
    rock = {name: smooth(rng, size, -1, 1) + 0.1 * rng.standard_normal(tuple(reversed(size))) for name in "uvw"}
    return {**rock, **mapped(size), "mu": smooth(rng, size, 0.3, 1), "lambda": smooth(rng, size, 0.2, 1), "rho": smooth(rng, size, 1, 2),
            "dt": 0.2, "h": 0.9}


CASES = {"elastic_curvilinear": {"size": (17, 15, 16), "steps": 2, "inputs": inputs,
                                 "reference": step_by(force, ["mu", "lambda", "jac", "sx", "sy", "sz"]), "tolerance": 1e-13,
                                 "laws": laws(inputs)}}


def picture():
    """A push under hills; the picture is a horizontal plane of the grid."""
    size = (140, 140, 24)
    z, y, x = np.mgrid[:24, :140, :140]
    one = np.ones(x.shape)
    push = np.exp(-((x - 70.0)**2 + (y - 70)**2 + (z - 12)**2) / 8)
    return {"stencil": "elastic_curvilinear", "steps": 260, "plot": "w", "params": {"dt": 0.2},
            "in": {"u": 0 * one, "v": 0 * one, "w": push, **mapped(size), "mu": 0.5 * one, "lambda": 0.5 * one, "rho": one}}
