#!/usr/bin/env python3
"""bench/model/fit_steps.py RESULTS REGISTERS [rounds]: fits the constants of compiler/plan/model/temporal_2d.cpp to measured launches.

RESULTS is as bench/results/2026-11-22-h200-steps.txt. A line of REGISTERS holds a stencil, a type, a boundary, steps, cells a
vector, and the registers, bytes of stack, spill stores and spill loads that `ptxas -v` gives the kernel of so many steps. The
formulas are those of temporal_2d.cpp for sums that rows are added to, the constants have its names without the k; rows near a boundary are
row_KIND and stream_KIND. What is least is as in fit.py, of kernels that spill less than 50 bytes; long chunks of older forms, whose
variant for the boundary was slower, do not count.
"""
import json
import math
import random
import re
import sys

import fit

SMS, CLOCK, COPY, N = 132, 1.98, 4250, 16384
STENCILS = dict(star2d1=(1, 5, 2), star2d2=(2, 9, 4), star2d4=(4, 17, 8), box2d1=(1, 9, 2))  # radius, products, taken
START = dict(Issue=110, Double=1.9, Taken=1, Memory=.95, Hiding=4, Tail=.6, Last=.7, row_periodic=15, stream_periodic=20,
             row_clamp=15, stream_clamp=20, row_zero=15, stream_zero=20, row_fixed=30, stream_fixed=50)
BOUNDS = dict(Issue=(64, 128), Memory=(.8, 1), Tail=(0, 1), Hiding=(2, 5), Double=(1.3, 2.2), Last=(0, 1), Taken=(1, 3),
              row_periodic=(10, 900), row_clamp=(10, 900), row_zero=(10, 900), stream_zero=(5, 60), stream_periodic=(5, 60),
              stream_clamp=(5, 60), stream_fixed=(5, 300))
STEP, ROW = 30, 300


def measured(results, registers):
    given = {}
    for line in open(registers):
        word = line.split()
        given[word[0], word[1], word[2], int(word[3]), int(word[4])] = (int(word[5]), int(word[7]) + int(word[8]))
    part, rows = 0, {}
    for line in open(results):
        if match := re.match(r"--- (\d)", line):
            part = int(match[1])
        match = re.match(r"(\w+)_(f32|f64)_(\w+) ([\d.]+) GCells/s \S+ of copy (\S+)", line)
        if part < 4 or not match or match[5].startswith("noedge"):
            continue
        word = dict(one.split("=") for one in match[5].split(",")[1:])
        steps, vector, chunk = int(word["steps"]), int(word["vector"]), int(word["coarsen"][1:])
        if part < 6 and match[2] == "f32" and chunk > 500:
            continue
        rows[match[1], match[2], match[3], steps, vector, chunk] = (part, float(match[4]))
    result = []
    for key, (part, rate) in rows.items():
        if key[:5] in given and given[key[:5]][1] < 50:
            result.append((key, part, rate, given[key[:5]][0]))
    return result


def rate(key, registers, c):
    name, kind, boundary, steps, vector, chunk = key
    radius, products, taken = STENCILS[name]
    size = 2 if kind == "f64" else 1
    lanes = 32 - 2 * math.ceil(steps * radius / vector)
    tiles, chunks = math.ceil(N / (lanes * vector)), math.ceil(N / chunk)
    stream = 1 + chunks * steps * 2 * radius / N
    computed = 32 * tiles * vector / N * stream
    held = min(32, 65536 // 4 // (math.ceil(registers / 8) * 8 * 32) * 4)
    waves = tiles * chunks / (SMS * held)
    warps = held * min(1, waves)
    work = products * (c["Double"] if size == 2 else 1) + c["Taken"] * taken * size / vector
    limits = (work * computed / c["Issue"], 4 * size * (computed + 1) / steps / (c["Memory"] * COPY / SMS / CLOCK),
              (STEP + ROW / steps) * computed / (warps * 32 * vector))
    together = sum(limit**c["Hiding"] for limit in limits)**(1 / c["Hiding"])
    own = warps * 32 * together / computed
    beside, ends, slow = 1 + c["row_" + boundary] / own, c["stream_" + boundary] / own, 1.5 * steps * radius
    last = min(1, slow / (chunk + 2 * steps * radius)) * ends
    every = 1 + 2 / tiles * (beside - 1) + 2 * slow / (N * stream) * ends
    longest = beside * (1 + last)
    taken = max(longest, every)
    if waves > 1:
        taken = max(longest, waves * every + c["Tail"] * (math.ceil(waves * every) - waves * every) + c["Last"] * last) / waves
    return SMS * CLOCK / (together * taken)


def main():
    rows = measured(sys.argv[1], sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 900
    fastest = {}
    for key, _, found, _ in rows:
        fastest[key[:3]] = max(found, fastest.get(key[:3], 0))

    def missed(c):
        outside = sum(max(0, low - c[name]) + max(0, c[name] - high) for name, (low, high) in BOUNDS.items())
        return outside + sum((found / fastest[key[:3]])**3 * (1 if part > 4 or key[2] != "clamp" else .5) *
                             min(.06, math.log(rate(key, registers, c) / found)**2) for key, part, found, registers in rows)

    chance, c = random.Random(1), START
    for _ in range(6):
        c = fit.least(c, missed, rounds, chance)
    print(json.dumps({name: round(value, 3) for name, value in c.items()}))
    errors = sorted(abs(math.log(rate(key, registers, c) / found)) for key, _, found, registers in rows)
    print(len(errors), "kernels; median", round(errors[len(errors) // 2], 3), "nine of ten", round(errors[len(errors) * 9 // 10], 3))


if __name__ == "__main__":
    main()
