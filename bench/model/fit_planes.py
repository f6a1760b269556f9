#!/usr/bin/env python3
"""bench/model/fit_planes.py RESULTS [rounds]: fits the constants of compiler/plan/model/temporal_3d.cpp to measured launches.

A line of RESULTS that counts is "STENCIL_TYPE_BOUNDARY SCHEDULE SIZE regsN,spillM RATE GCells/s ...", of a cube, as in
bench/results/2026-11-23-h200-blocks-apart.txt. The formulas are those of temporal_3d.cpp, the constants have
its names without the k. What is least is as in fit.py.
"""
import json
import math
import random
import re
import sys

import fit

SMS, CLOCK, COPY = 132, 1.98, 4250
STENCILS = dict(star3d1=(1, 7, 0, 2), star3d2=(2, 13, 0, 4), box3d1=(1, 27, 1, 2))  # radius, products, later, taken
START = dict(Chain=1, Issue=100, Double=1.6, Taken=1.5, Exchanged=5, Row=10, Memory=.9, Hiding=3, Last=.5, Step=100,
             Moved=.25, Constant=.25, Fixed=.25, Periodic=.25)
BOUNDS = dict(Chain=(1, 3), Issue=(50, 128), Double=(1.5, 2.2), Taken=(.5, 4), Exchanged=(0, 30), Row=(0, 80), Memory=(.6, 1), Hiding=(1, 6),
              Last=(0, 1.5), Step=(0, 300), Moved=(0, 2), Constant=(0, 2), Fixed=(0, 2), Periodic=(0, 2))
BOUNDARY_COSTS = dict(clamp="Moved", zero="Constant", fixed="Fixed", periodic="Periodic")
LINE = re.compile(r"(\w+)_(f32|f64)_(\w+) coarsened,threads=32x(\d+),vector=(\d),rows=(\d),shared=none,coarsen=z(\d+),sums=scatter,"
                  r"ahead=(\d),steps=(\d+) (\d+)x\10x\10 regs(\d+),spill(\d+) +([\d.]+) GCells/s")


def measured(path):
    rows = []
    for line in open(path):
        match = LINE.match(line)
        # Variants near the boundary and for grids of 2^31 cells may spill; so many more spills do not come from interior variants.
        if match and match[1] in STENCILS and match[3] in BOUNDARY_COSTS and int(match[12]) < 93:
            rows.append((match[1], match[2], match[3], *map(int, match.groups()[3:11]), float(match[13])))
    return rows


def rate(row, c):
    name, kind, boundary, warps, vector, rows, chunk, ahead, steps, n, registers, _ = row
    radius, products, later, taken = STENCILS[name]
    size = 2 if kind == "f64" else 1
    lanes = 32 - 2 * math.ceil(steps * radius / vector)
    stored = warps * rows - 2 * (steps - 1) * radius
    tiles_x, tiles_y, chunks = math.ceil(n / (lanes * vector)), math.ceil(n / stored), math.ceil(n / chunk)
    beside = steps * (2 * radius + later)
    stream = chunk + beside
    shared = (ahead + 2) * (warps * rows + 2 * radius) + (steps - 1) * (4 * warps * radius + radius * warps * rows)
    held = min(65536 // (math.ceil(registers / 8) * 256 * warps), 64 // warps, 233472 // (shared * 128 * vector * size + 1024))
    waves = tiles_x * tiles_y * chunks / (SMS * max(1, held))
    active = max(1, held) * min(1, waves)
    step = vector * rows * products * (c["Double"] if size == 2 else 1) + c["Taken"] * taken * size * (rows + 2 * radius * later)
    of_thread = steps * (step + c["Exchanged"] * radius * size) + c["Row"] * rows
    of_grid = n**3 / (tiles_x * tiles_y * chunks * stream)  # cells that a block stores, for each plane of its stream
    limits = (active * (32 * vector * (warps * rows + 2 * radius) + of_grid) * 4 * size /
              (c["Memory"] * COPY / SMS / CLOCK), active * warps * 32 * of_thread / c["Issue"], c["Step"] * steps + c["Chain"] * of_thread)
    plane = sum(limit**c["Hiding"] for limit in limits)**(1 / c["Hiding"])
    near = c[BOUNDARY_COSTS[boundary]]
    mean = 1 + 2 / tiles_x * near
    longest = 1 + near
    taken = max(longest, mean)
    if waves > 1:
        taken = max(longest, waves * mean + c["Last"] * (longest - mean))
    return n**3 * steps * CLOCK / (plane * stream * taken)


def main():
    rows = measured(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 900
    fastest = {}
    for row in rows:
        key = row[:3] + row[9:10]
        fastest[key] = max(row[-1], fastest.get(key, 0))

    def missed(c):
        outside = sum(max(0, low - c[name]) + max(0, c[name] - high) for name, (low, high) in BOUNDS.items())
        return outside + sum((row[-1] / fastest[row[:3] + row[9:10]])**3 * min(.06, math.log(rate(row, c) / row[-1])**2)
                             for row in rows)

    chance, c = random.Random(1), START
    for _ in range(8):
        c = fit.least(c, missed, rounds, chance)
    print(json.dumps({name: round(value, 3) for name, value in c.items()}))
    for row in rows if "-v" in sys.argv else []:
        print(*row, round(rate(row, c)), round(rate(row, c) / row[-1] - 1, 3))
    errors = sorted(abs(math.log(rate(row, c) / row[-1])) for row in rows)
    print(len(errors), "kernels; median", round(errors[len(errors) // 2], 3), "nine of ten", round(errors[len(errors) * 9 // 10], 3))


if __name__ == "__main__":
    main()
