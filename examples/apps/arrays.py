"""What the NumPy references share: arrays grown by ghost cells, neighbours, and tables of weights from textbooks.

Axis x is the last one of an array, as in stencilc. A reference grows its inputs by a margin, computes on the whole grown
arrays, where `at` wraps around, and cuts the margin off again: what wrapped stays inside the margin.
"""
import numpy as np

MODES = {"clamp": "edge", "reflect": "symmetric", "mirror": "reflect", "periodic": "wrap", "zero": "constant"}


def padded(a, margin, kind="clamp", **sides):
    """`a` with `margin` ghost cells on each side. `kind` is for all axes; x="periodic" changes one of them."""
    a = np.asarray(a)
    for place, axis in enumerate("xyz"[:a.ndim]):
        widths = [(0, 0)] * a.ndim
        widths[a.ndim - 1 - place] = (margin, margin)
        a = np.pad(a, widths, MODES[sides.get(axis, kind)])
    return a


def inner(a, margin):
    return a[(slice(margin, -margin),) * a.ndim] if margin else a


def at(a, x=0, y=0, z=0):
    """The array of the neighbours: at(a, x=1) holds a[x+1]."""
    shifts = [(-offset, -1 - place) for place, offset in enumerate((x, y, z)) if offset]
    return np.roll(a, [s for s, _ in shifts], [d for _, d in shifts]) if shifts else a


def along(a, axis, offset):
    return np.roll(a, -offset, "xyz".index(axis) * -1 - 1)


# Weights of central differences (Fornberg 1988, table 1) for offsets 1, 2, ...
FIRST = {2: [1 / 2], 4: [2 / 3, -1 / 12], 8: [4 / 5, -1 / 5, 4 / 105, -1 / 280]}
SECOND = {2: [-2, 1], 4: [-5 / 2, 4 / 3, -1 / 12], 8: [-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560]}


def first(a, axis, order):
    return sum(w * (along(a, axis, k) - along(a, axis, -k)) for k, w in enumerate(FIRST[order], 1))


def second(a, axis, order):
    centre, *others = SECOND[order]
    return centre * a + sum(w * (along(a, axis, k) + along(a, axis, -k)) for k, w in enumerate(others, 1))


def halfway(a, axis, side):
    """The first derivative of order 4 half a cell above (side = 1) or below (side = -1) each cell."""
    begin = 0 if side > 0 else -1
    near = along(a, axis, begin + 1) - along(a, axis, begin)
    far = along(a, axis, begin + 2) - along(a, axis, begin - 1)
    return 9 / 8 * near - far / 24


def smooth(rng, size, low, high, waves=2):
    """A smooth random field with values between low and high; `size` is x first."""
    shape = tuple(reversed(size))
    places = np.meshgrid(*[np.arange(n) / n for n in shape], indexing="ij")
    total = np.zeros(shape)
    for _ in range(6):
        numbers = rng.integers(-waves, waves + 1, len(shape))
        total += rng.uniform(0.5, 1) * np.sin(2 * np.pi * (sum(k * p for k, p in zip(numbers, places)) + rng.uniform()))
    total -= total.min()
    return low + (high - low) * total / max(total.max(), 1e-30)
