"""Fits the constants of compiler/plan/model/temporal_1d.cpp to bench/results/2026-11-23-h200-line.txt.

fit_line.py [RESULTS]: prints the constants, in clocks of 1.98 GHz, and the error of each launch. A launch takes as long as
the slowest of what the memory brings and takes, the instructions, registers from other lanes, and the blocks that begin;
and `launch` besides.
"""
import math
import random
import re
import sys

CLOCK, SMS, COPY, L2, HELD = 1.98e9, 132, 4240e9, 50 * 2**20, 32
path = sys.argv[1] if len(sys.argv) > 1 else 'bench/results/2026-11-23-h200-line.txt'
# Bytes of a cell, instructions of one (one of f64 counts twice), cells that a step reads to the left and right.
PROGRAMS = {'line1': (4, 3, 1, 1), 'line1d': (8, 6, 1, 1), 'line2': (4, 5, 2, 2), 'advection': (8, 6, 2, 0)}
BENCH = re.compile(r'coarsened,threads=32,vector=(\d+),coarsen=x1,(?:taps=terms,)?steps=(\d+)\s+([\d.]+)')

rows, program, cells = [], '', 0
for line in open(path):
    if found := re.match(r'(\w+): (\d+) on ', line):
        program, cells = found[1], int(found[2])
    elif found := BENCH.match(line):
        rows.append((program, cells, int(found[1]), int(found[2]), float(found[3]) * 1e9))


def predict(row, c):
    program, cells, vector, steps, _ = row
    size, work, left, right = PROGRAMS[program]
    lanes = 32 - math.ceil(steps * left / vector) - math.ceil(steps * right / vector)
    tiles = math.ceil(cells / (lanes * vector))
    of_one = math.ceil(tiles / SMS)
    moved = (tiles * 32 * vector + cells) * size / SMS
    in_l2 = 2 * size * cells < 0.8 * L2
    memory = 0 if in_l2 else moved / (c['memory'] * COPY / SMS / CLOCK)
    issue = of_one * 32 * (steps * vector * work + c['tile']) / c['issue']
    lanes = of_one * steps * (left + right) * size / 4
    chain = steps * (30 + 4.34 * work) + 900
    latency = max(tiles / c['begun'], chain * max(1, tiles / (SMS * HELD)))
    return (max(memory, moved / 38.3, issue, lanes, latency) + c['launch']) / CLOCK


def time_of(row):
    return row[1] * row[3] / row[4]


def cost(c):
    return sum(abs(math.log(predict(row, c) / time_of(row))) ** 1.5 for row in rows)


constants = {'memory': 0.9, 'issue': 115, 'tile': 60, 'begun': 0.8, 'launch': 1500}
best = cost(constants)
random.seed(1)
for _ in range(20000):
    tried = dict(constants)
    key = random.choice(list(tried))
    tried[key] *= math.exp(random.gauss(0, .1))
    if (now := cost(tried)) < best:
        best, constants = now, tried
print({key: round(value, 3) for key, value in constants.items()})
for row in rows:
    print(*row[:4], round(row[4] * 1e-9), f'{time_of(row) / predict(row, constants) - 1:+.3f}')
errors = sorted(abs(predict(row, constants) / time_of(row) - 1) for row in rows)
print(len(errors), 'launches: median', round(errors[len(errors) // 2], 3), 'at most', round(errors[-1], 3))
