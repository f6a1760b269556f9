#!/usr/bin/env python3
"""Compares what stencilc emits for the CPU with an evaluator that shares nothing with the compiler, bit for bit.

independent_test.py --stencilc FILE [--compiler g++] [--second-compiler clang++] [--seeds 1..200] [--order canonical,source]
"""

import argparse
import os
import sys
import tempfile
import time

sys.dont_write_bytecode = True
try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is missing (python3-numpy)")
    sys.exit(77)

import emitted
import meaning
import programs
import running
import text
import values

ORDERS = {"canonical": ("canonical", True, []), "source": ("source", False, ["--fp=source", "--no-fma"]),
          "source-fused": ("source", True, ["--fp=source"]), "canonical-unfused": ("canonical", False, ["--no-fma"])}


def same(a, b):
    """Which values have the same bits; of a NaN only that it is one counts."""
    if a.dtype.kind == "f":
        return ((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))
    return a == b


def halo_of(program):
    """How many cells a stencil wants outside the grid along each axis: as far as reads of its `ghost` fields reach."""
    amounts = {}
    stencil = program.stencil
    for name, _, away in program.all_reads():
        for axis, word in enumerate(stencil.axes):
            if any(stencil.fields[name]["sides"].get((word, side), ("",))[0] == "ghost" for side in ("lo", "hi")):
                amounts[axis] = max(amounts.get(axis, 0), abs(away[axis]))
    return {(name, axis): amount for axis, amount in amounts.items() for name, field in stencil.fields.items() if not field["axes"]}


def random_values(rng, shape, kind, wild):
    if kind == "bool":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if kind in values.INTEGERS:
        info = np.iinfo(values.DTYPES[kind])
        if wild:
            return rng.integers(info.min, info.max, shape, dtype=values.DTYPES[kind], endpoint=True)
        return rng.integers(max(info.min, -60), min(info.max, 120), shape).astype(values.DTYPES[kind])
    numbers = rng.standard_normal(shape) * 2
    if wild:
        rare = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-310, 1e30, 1.0])
        numbers = np.where(rng.random(shape) < 0.2, rare[rng.integers(0, len(rare), shape)], numbers)
    return values.convert(np.asarray(numbers), "f64", kind)


def extents_for(rng, rank):
    """Small grids: the smallest, one thin along an axis, and one with cells far from every boundary."""
    tiny = [int(rng.integers(1, 4)) for _ in range(rank)]
    thin = [int(rng.integers(4, 9)) for _ in range(rank)]
    thin[int(rng.integers(0, rank))] = int(rng.integers(1, 3))
    far = [int(rng.integers(7, 13 if rank < 3 else 9)) for _ in range(rank)]
    return [tiny, thin, far]


class Comparison:
    def __init__(self):
        self.values = self.finite = self.runs = 0
        self.failures = []

    def program(self, library, stencil, order, seed, source):
        program = meaning.Program(stencil, *order)
        halo = halo_of(program)
        oldest = program.oldest()
        rng = np.random.default_rng(seed)
        for number, extents in enumerate(extents_for(rng, program.rank)):
            levels = {}
            wild = number == 1 and seed % 3 == 0
            for name, field in stencil.fields.items():
                own = [k for k, axis in enumerate(stencil.axes) if not field["axes"] or axis in field["axes"]]
                shape = [extents[k] + 2 * halo.get((name, k), 0) for k in own][::-1]
                levels[name] = [random_values(rng, shape, field["type"], wild) for _ in range(1 - oldest[name])]
                if any((name, k) in halo for k in own):
                    self.one_halo(levels[name], halo, name, own)
            params = {name: random_values(rng, (1,), kind, False) for name, (kind, _) in stencil.params.items()}
            for name, (kind, ranges) in stencil.weights.items():
                params[name] = random_values(rng, (program.count(ranges),), kind or program.real, False)
            steps = int(rng.integers(1, 4))
            # Only a stencil with steps can be told where they begin.
            first = int(rng.integers(0, 3)) if any(update[1] for update in stencil.updates) else 0
            got = library.run(stencil, extents, params, levels, steps, first, halo)
            run = running.Run(program, extents, params, {name: list(arrays) for name, arrays in levels.items()}, halo)
            run.steps(steps, first)
            self.runs += 1
            for name in got:
                if name in stencil.reduces:
                    inner, evaluated = slice(None), run.results[name]
                else:
                    inner, evaluated = self.cells_of(stencil, name, halo), run.levels[name][0]
                a, b = got[name][inner], evaluated[inner]
                fine = same(a, b)
                self.values += a.size
                self.finite += int(np.isfinite(a).sum()) if a.dtype.kind == "f" else a.size
                if not fine.all():
                    where = tuple(np.argwhere(~fine)[0])
                    self.failures.append(
                        f"seed {seed}, {order}, {'x'.join(map(str, extents))}, {steps} steps: {np.count_nonzero(~fine)} of {fine.size} "
                        f"values of `{name}` differ;\nat {where[::-1]} the emitted code has {a[where]!r}, the evaluator {b[where]!r}\n{source}")
                    return

    @staticmethod
    def cells_of(stencil, name, halo):
        """Where in an array the cells lie, without the ghost cells."""
        return tuple(slice(halo.get((name, k), 0), -halo.get((name, k), 0) or None) for k in range(len(stencil.axes))
                     if not stencil.fields[name]["axes"] or stencil.axes[k] in stencil.fields[name]["axes"])[::-1]

    @staticmethod
    def one_halo(arrays, halo, name, own):
        """Ghost cells are the same at all levels."""
        inner = tuple(slice(halo.get((name, k), 0), -halo.get((name, k), 0) or None) for k in own)[::-1]
        for array in arrays[1:]:
            kept = array[inner].copy()
            array[...] = arrays[0]
            array[inner] = kept


def batches(first, last, size):
    return [range(begin, min(begin + size, last + 1)) for begin in range(first, last + 1, size)]


def generated(options):
    """Programs by seeds, as many as a file holds together."""
    first, last = map(int, options.seeds.split(".."))
    for seeds in batches(first, last, options.batch):
        sources = {seed: programs.make(f"program_{seed}", seed) for seed in seeds}
        yield seeds[0], "".join(sources.values()), [(seed, source, text.parse(source)[0]) for seed, source in sources.items()]


# Points and colours, and the functions of the C library, are not the evaluator's.
WITHOUT = {"bilateral": "exp", "chebyshev": "pow", "phase_field": "tanh", "gauss_seidel": "color", "wave_sponge": "points"}


def examples(folder):
    for file in sorted(os.listdir(folder)):
        name, end = os.path.splitext(file)
        if end != ".stn":
            continue
        with open(os.path.join(folder, file)) as opened:
            source = opened.read()
        if name in WITHOUT:
            assert WITHOUT[name] in source, f"{file} could be compared: it has no {WITHOUT[name]}"
            continue
        yield name, source, [(3, source, stencil) for stencil in text.parse(source, folder)]


def main():
    sys.setrecursionlimit(20000)  # a sum of many terms is a deep tree
    parser = argparse.ArgumentParser()
    parser.add_argument("--stencilc", required=True)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--second-compiler", help="of every second order; clang++ takes half the time of g++")
    parser.add_argument("--seeds", default="1..200")
    parser.add_argument("--batch", type=int, default=100)
    parser.add_argument("--examples", help="a folder: its .stn files are compared instead")
    parser.add_argument("--order", default="canonical,source")
    parser.add_argument("--times", action="store_true")
    options = parser.parse_args()
    comparison = Comparison()
    spent = {"compile": 0.0, "evaluate": 0.0}
    groups = examples(options.examples) if options.examples else generated(options)
    with tempfile.TemporaryDirectory() as folder:
        for name, whole, programs_of in groups:
            for number, word in enumerate(options.order.split(",")):
                order, fused, flags = ORDERS[word]
                compiler = options.second_compiler if number % 2 and options.second_compiler else options.compiler
                start = time.time()
                if options.examples:
                    flags = [*flags, "-I", options.examples]
                library = emitted.Library(options.stencilc, compiler, whole, folder, f"{word}_{name}", flags)
                spent["compile"] += time.time() - start
                start = time.time()
                for seed, source, stencil in programs_of:
                    comparison.program(library, stencil, (order, fused), seed, source)
                spent["evaluate"] += time.time() - start
    for failure in comparison.failures[:5]:
        print(failure)
    print(f"{comparison.runs} runs, {comparison.values} values, {comparison.finite} finite, {len(comparison.failures)} failures")
    if options.times:
        print(spent)
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main())
