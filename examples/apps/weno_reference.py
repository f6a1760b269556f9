"""WENO of order 5 in NumPy, as its authors state it: three candidates, their smoothness, their weights."""
import numpy as np
from arrays import along


def reconstructed(cells):
    """The value at the face behind the middle one of five cells, which are in the order in which the wind meets them."""
    a, b, c, d, e = cells
    candidates = [2 * a / 6 - 7 * b / 6 + 11 * c / 6, -b / 6 + 5 * c / 6 + d / 3, c / 3 + 5 * d / 6 - e / 6]
    smoothness = [13 / 12 * (a - 2 * b + c)**2 + (a - 4 * b + 3 * c)**2 / 4, 13 / 12 * (b - 2 * c + d)**2 + (b - d)**2 / 4,
                  13 / 12 * (c - 2 * d + e)**2 + (3 * c - 4 * d + e)**2 / 4]
    weights = [best / (1e-6 + s)**2 for best, s in zip((0.1, 0.6, 0.3), smoothness)]
    return sum(w * v for w, v in zip(weights, candidates)) / sum(weights)


def outflow(q, f, speed, axis):
    """What leaves each cell along an axis: the differences of the split fluxes through its faces."""
    up, down = (f + speed * q) / 2, (f - speed * q) / 2
    face = reconstructed([along(up, axis, k) for k in (-2, -1, 0, 1, 2)])
    face = face + reconstructed([along(down, axis, k) for k in (3, 2, 1, 0, -1)])
    return face - along(face, axis, -1)


def fluxes(q, axis, gamma):
    """The fluxes of (rho, momenta..., energy) along an axis, and the pressure."""
    rho, *m, e = q
    p = (gamma - 1) * (e - sum(a**2 for a in m) / rho / 2)
    k = "xyz".index(axis)
    speed = m[k] / rho
    return [m[k]] + [a * speed + (p if i == k else 0) for i, a in enumerate(m)] + [(e + p) * speed], p
