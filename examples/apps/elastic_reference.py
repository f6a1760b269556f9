"""The differences of elastic_cartesian and elastic_curvilinear in NumPy."""
import numpy as np
from arrays import along, first, inner, padded


def stretch(b, u, axis):
    """The derivative of b times the derivative of u, as the difference of fluxes at the faces (order 4, at most two cells away)."""
    def b_(k): return along(b, axis, k)
    def u_(k): return along(u, axis, k)
    total = (b_(-1) - 0.75 * (b + b_(-2))) * (u_(-2) - u)
    total += (b_(-2) + b_(1) + 3 * (b + b_(-1))) * (u_(-1) - u)
    total += (b_(-1) + b_(2) + 3 * (b_(1) + b)) * (u_(1) - u)
    total += (b_(1) - 0.75 * (b + b_(2))) * (u_(2) - u)
    return total / 6


def d(f, axis):
    return first(f, axis, 4)


MARGIN = 4


def step_by(force, materials):
    """A reference: leapfrog steps of u, v, w with force(u, v, w, materials), all grown by ghost cells, over mass(materials)."""
    def reference(given, steps):
        wide = {name: padded(np.asarray(given[name], np.float64), MARGIN, "clamp") for name in materials}
        now = [np.asarray(given[name], np.float64) for name in "uvw"]
        old = now
        scale = (given["dt"] / given["h"]) ** 2 / given["rho"]
        if "jac" in materials:
            scale = scale / given["jac"]
        for _ in range(steps):
            forces = force(*[padded(a, MARGIN, "zero") for a in now], **wide)
            now, old = [2 * a - b + scale * inner(f, MARGIN) for a, b, f in zip(now, old, forces)], now
        return dict(zip("uvw", now))
    return reference


def work(run, rock, a, b):
    """The product of displacements a with the force of displacements b: all levels begin with b, so a step adds scale*force."""
    given = {**rock, **dict(zip("uvw", b))}
    mass = rock["rho"] * rock.get("jac", 1.0) / (rock["dt"] / rock["h"]) ** 2
    after = run(given)
    return sum(float((ai * mass * (after[name] - bi)).sum()) for ai, name, bi in zip(a, "uvw", b))


def laws(rock_of):
    """The force is symmetric (so that energy is conserved), gives no work to what moves, and is 0 for a block that is shifted."""
    def check(run):
        size = (22, 20, 21)
        rng = np.random.default_rng(5)
        rock = rock_of(size, rng)
        rock = {name: value for name, value in rock.items() if name not in "uvw"}
        shape = tuple(reversed(size))

        def bump():
            a = np.zeros(shape)
            a[6:-6, 6:-6, 6:-6] = rng.standard_normal([n - 12 for n in shape])
            return a
        a, b = [bump() for _ in "uvw"], [bump() for _ in "uvw"]
        ab, ba, aa = work(run, rock, a, b), work(run, rock, b, a), work(run, rock, a, a)
        shifted = run({**rock, "u": np.ones(shape), "v": 2 * np.ones(shape), "w": 3 * np.ones(shape)})
        moved = max(np.abs(shifted[name] - k)[5:-5, 5:-5, 5:-5].max() for k, name in enumerate("uvw", 1))
        return [("the force is not symmetric", abs(ab - ba) / abs(aa), 1e-12), ("a deformation has negative energy", aa, 0),
                ("a shifted block feels a force", moved, 1e-12)]
    return check
