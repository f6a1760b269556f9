"""Fits the constants of compiler/plan/model/resident_tile_cost.cpp to bench/results/2026-11-23-h200-tiles.txt.

fit_tiles.py [RESULTS]: prints the constants, in clocks of 1.98 GHz, the errors, and what the choice
loses on each size of the 5-point stencil. A step of a block takes
    n * (blocks * threads / issue + chain) + barrier * warps
clocks, where n are the instructions of a thread; a launch besides `launch` and `byte` for each byte
that is loaded; and all of it once for each wave of blocks.
"""
import math
import random
import re
import sys

CLOCK, SMS = 1.98e9, 132
path = sys.argv[1] if len(sys.argv) > 1 else 'bench/results/2026-11-23-h200-tiles.txt'
LINE = re.compile(r'\s*(\d+) V(\d+) RY(\d+)\s+W(\d+)\s+T(\d+)\s+U2 regs\s+(\d+) loc (\d+) blocks\s+(\d+) '
                  r'\((\d+)/SM\).*?graph\s+([\d.]+)')
# Of a program: instructions of a cell (one of f64 counts twice), registers of a row that come from other lanes, and
# that are made; bytes loaded; passes of a step; lanes before and behind, rows below and above that it loses.
PROGRAMS = {
    'fdtd2d': (2, 16, 4, 12, 24, 2, (1, 1, 1, 1)),
    'gray_scott': (4, 18, 4, 8, 8, 1, (1, 1, 1, 1)),
    'cahn_hilliard': (2, 17, 4, 8, 4, 2, (2, 2, 2, 2)),
    'jacobi2d': (2, 20, 8, 8, 8, 2, (2, 2, 2, 2)),
    'wave2d': (4, 7, 2, 8, 8, 1, (1, 1, 1, 1)),
    'hotspot': (4, 8, 2, 4, 8, 1, (1, 1, 1, 1)),
}
BENCH = re.compile(r'coarsened,threads=32x(\d+),vector=(\d+),rows=(\d+),coarsen=y1,(?:taps=terms,)?steps=(\d+)\s+'
                   r'([\d.]+)\s+[\d.]+\s+[\d.]+\s+\d+\s+[\d.]+\s+[\d.]+\s+(\d+)\s+(\d+)')


def held(registers, warps):
    return min(65536 // (math.ceil(registers / 8) * 8 * 32 * warps), 64 // warps, 32)


rows, program, size = [], '', 0
for line in open(path):
    if found := LINE.match(line):
        n, vector, ry, warps, steps, _, _, blocks, resident = (int(g) for g in found.groups()[:9])
        rows.append({'name': 'star', 'n': n, 'V': vector, 'R': ry, 'W': warps, 'T': steps, 'blocks': blocks,
                     'resident': resident, 'time': n * n * steps / float(found[10]) * 1e-9,
                     'of': (vector, 5, 2, vector, 4, 1)})
    elif found := re.match(r'== \S+/(\w+)\.stn (\d+)x', line):
        program, size = found[1], int(found[2])
    elif program in PROGRAMS and (found := BENCH.match(line)) and found[7] == '0':
        warps, vector, ry, steps = (int(found[k]) for k in range(1, 5))
        *of, (left, right, below, above) = PROGRAMS[program]
        lanes = 32 - math.ceil(steps * left / vector) - math.ceil(steps * right / vector)
        blocks = math.ceil(size / (lanes * vector)) * math.ceil(size / (warps * ry - steps * (below + above)))
        rows.append({'name': program, 'n': size, 'V': vector, 'R': ry, 'W': warps, 'T': steps, 'blocks': blocks,
                     'resident': held(int(found[6]), warps), 'time': size * size * steps / float(found[5]) * 1e-9,
                     'of': tuple(of)})


def predict(row, c):
    vector, work, taken, made, loaded, passes = row['of']
    threads, steps = 32 * row['W'], row['T']
    n = row['R'] * (vector * work + taken + c['moved'] * made)
    waves = row['blocks'] / (SMS * row['resident'])
    at_once = min(row['resident'], math.ceil(row['blocks'] / SMS))
    step = n * (at_once * threads / c['issue'] + c['chain']) + passes * c['barrier'] * row['W']
    rest = c['launch'] + at_once * row['R'] * vector * threads * loaded * c['byte']
    taken = 1 if waves <= 1 else waves + c['tail'] * (math.ceil(waves) - waves)
    return taken * (steps * step + rest) / CLOCK


def cost(c):
    return sum(abs(math.log(predict(row, c) / row['time'])) ** 1.5 * (1 if row['name'] == 'star' else 5)
               for row in rows)


constants = {'moved': .5, 'issue': 150, 'chain': .5, 'barrier': 8, 'launch': 2000, 'byte': .05, 'tail': .3}
best = cost(constants)
random.seed(1)
for _ in range(20000):
    tried = dict(constants)
    key = random.choice(list(tried))
    tried[key] *= math.exp(random.gauss(0, .12))
    if (now := cost(tried)) < best:
        best, constants = now, tried
print({key: round(value, 3) for key, value in constants.items()})
errors = sorted(abs(predict(row, constants) / row['time'] - 1) for row in rows)
print(len(errors), 'launches: median', round(errors[len(errors) // 2], 3), 'nine of ten',
      round(errors[int(len(errors) * .9)], 3))
for n in sorted({row['n'] for row in rows if row['name'] == 'star'}):
    known = [row for row in rows if row['name'] == 'star' and row['n'] == n]
    fastest = min(known, key=lambda row: row['time'] / row['T'])
    choice = min(known, key=lambda row: predict(row, constants) / row['T'])
    print(n, 'loses', round(1 - fastest['time'] / fastest['T'] / (choice['time'] / choice['T']), 3))
