#!/usr/bin/env python3
"""bench/real/make_generated.py RUN_TESTS STENCILC: prints bench/real/generated.txt, the list of generated programs.

The sizes follow from the texts alone: the fields on all axes take at least 240 MB, four times an L2 cache of 60 MB. Extents
are multiples of 48 (in 2-D of 96, in 1-D of 4096), since colours need multiples; every fifth program without colours has
extents that are odd instead, as people have them.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from device import BYTES
from programs import digest_of, written

SEEDS = 200
BYTES_WANTED = 240e6
STEPS = 6


def size_of(seed, manifest, coloured):
    per_cell = sum(BYTES[f["type"]] * len(f["levels"]) for f in manifest["fields"] if "axes" not in f)
    cells = BYTES_WANTED / per_cell
    rank = len(manifest["axes"])
    grain = {1: 4096, 2: 96, 3: 48}[rank]
    edge = -(-int(cells ** (1 / rank) + 1) // grain) * grain
    extents = [edge] * rank
    for axis in range(rank - 1, 0, -1):  # the outer axes as short as they may be
        while axis and product(extents) * (extents[axis] - grain) / extents[axis] >= cells:
            extents[axis] -= grain
    if seed % 5 == 0 and not coloured:
        extents = [n + 3 + 2 * axis for axis, n in enumerate(extents)]
    return "x".join(map(str, extents))


def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


def main():
    tool, stencilc = sys.argv[1:]
    print("# Programs of tests/run/real_program.h for scripts/gpu-real, one for each seed: seed, family, size, steps, digest of the text.\n"
          "# Made by bench/real/make_generated.py; `stencilc-run-tests --programs real --seeds 3 --show` prints the program of seed 3.\n"
          "# Fields are random from 0 to 1, whole numbers from 0 to 15; params without a value are 0.0625.")
    for seed, (options, text) in written(tool, f"1..{SEEDS}").items():
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "program.stn"
            source.write_text(text)
            shown = subprocess.run([stencilc, source, *options, "--emit", "manifest"], check=True, capture_output=True, text=True).stdout
        manifest = json.loads(shown)
        steps = STEPS if manifest["steps"] else 1
        print(seed, manifest["stencil"], size_of(seed, manifest, "  color " in text), steps, digest_of(text))


if __name__ == "__main__":
    main()
