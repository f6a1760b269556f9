"""A shot as in seismics: sources send a pulse through rock of two layers, receivers record it.

shot.py [--size N] [--steps N] [--save FILE]

With xarray the fields have coordinates in metres, the record is a Dataset, and --save writes NetCDF (with SciPy or netCDF4).
Without it they are NumPy arrays, and --save writes .npz.
"""

import argparse
import os

import numpy as np

import stencilc

try:
    import xarray
except ImportError:
    xarray = None

HERE = os.path.dirname(os.path.abspath(__file__))
SPACING, DT = 10.0, 0.4  # metres between cells; dt * speed / spacing for a speed of 1
SPEED = 2500.0  # metres a second, where `c` is 1


def ricker(steps, width):
    """The second derivative of a bell, the usual pulse: its peak is at 3 widths."""
    t = (np.arange(steps) - 3 * width) / width
    return ((1 - t**2) * np.exp(-(t**2) / 2)).astype(np.float32)


def labelled(array, name):
    """With xarray, the array with its axes and their coordinates."""
    if xarray is None:
        return array
    coords = {axis: SPACING * np.arange(count) for axis, count in zip(("y", "x"), array.shape)}
    return xarray.DataArray(array, dims=("y", "x"), coords=coords, name=name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=240)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--save", metavar="FILE")
    options = parser.parse_args()
    size, steps = options.size, options.steps

    step = stencilc.compile(os.path.join(HERE, "..", "wave_sponge.stn"), stencil="wave_sponge2d")
    speed = np.ones((size, size), np.float32)
    speed[size // 2 :] = 1.4  # y counts downwards
    u = labelled(np.zeros((size, size), np.float32), "u")
    u_prev, c = u.copy(), labelled(speed, "c")

    sources = np.array([(size // 2, 20)])  # a row (x, y) for each
    receivers = np.array([(x + 0.5, 16.0) for x in range(20, size - 20, 10)])  # between cells
    pressure = ricker(steps, 12)[:, None]  # a column for each source

    trace = step(u=u, u_prev=u_prev, c=c, sources=sources, receivers=receivers, pressure=pressure, dt=DT, steps=steps)

    seconds = DT * SPACING / SPEED * np.arange(steps)
    first = seconds[np.argmax(np.abs(trace), axis=0)]
    for x, when in zip(receivers[::4, 0], first[::4]):
        print(f"receiver at {SPACING * x:6.0f} m: the strongest wave after {1000 * when:4.0f} ms")
    if xarray is None:
        record = {"trace": trace, "seconds": seconds, "x": SPACING * receivers[:, 0], "u": u}
        if options.save:
            np.savez(options.save, **record)
    else:
        coords = {"seconds": seconds, "receiver_x": SPACING * receivers[:, 0]}
        record = xarray.Dataset({"trace": (("seconds", "receiver_x"), trace), "u": u}, coords=coords)
        record["trace"].attrs["long_name"] = "pressure at the receivers"
        print(record)
        if options.save:
            record.to_netcdf(options.save)
    if options.save:
        print(f"wrote {options.save}")


if __name__ == "__main__":
    main()
