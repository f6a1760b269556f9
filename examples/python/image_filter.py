"""A bilateral filter, which smooths an image and keeps its edges.

image_filter.py [IMAGE] [--range R] [--save FILE.pgm]

IMAGE is a .npy of gray values from 0 to 1, or, if matplotlib is installed, any image that it reads. Without one, the filter
gets a disc with noise. The result is written as .pgm, which image viewers show.
"""

import argparse
import os

import numpy as np

import stencilc

HERE = os.path.dirname(os.path.abspath(__file__))


def read(path):
    if path.endswith(".npy"):
        return np.load(path).astype(np.float32)
    import matplotlib.image

    image = matplotlib.image.imread(path)
    image = image / 255 if image.dtype == np.uint8 else image
    return np.ascontiguousarray(image[..., :3].mean(axis=-1) if image.ndim == 3 else image, np.float32)


def disc(size):
    y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j]
    noise = np.random.default_rng(1).normal(0, 0.05, (size, size))
    return (0.2 + 0.6 * (x**2 + y**2 < 0.4) + noise).astype(np.float32)


def write_pgm(path, image):
    gray = np.clip(image * 255 + 0.5, 0, 255).astype(np.uint8)
    with open(path, "wb") as file:
        file.write(b"P5 %d %d 255\n" % gray.shape[::-1])
        file.write(gray.tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("image", nargs="?")
    parser.add_argument("--range", type=float, default=0.2, help="how much values may differ and still be averaged")
    parser.add_argument("--save", metavar="FILE.pgm", default="filtered.pgm")
    options = parser.parse_args()

    bilateral = stencilc.compile(os.path.join(HERE, "..", "bilateral.stn"))
    image = read(options.image) if options.image else disc(256)
    filtered = bilateral(img=image, range=options.range)  # `dst` is left out, so it is returned
    write_pgm(options.save, filtered)

    def roughness(picture):
        return float(np.abs(np.diff(picture, axis=1)).mean())

    print(f"neighbours differ by {roughness(image):.4f}, after the filter by {roughness(filtered):.4f}; wrote {options.save}")


if __name__ == "__main__":
    main()
