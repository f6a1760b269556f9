#!/usr/bin/env python3
"""The evaluator's own arithmetic, and what the programs that are compared are made of."""

import ctypes
import ctypes.util
import sys
import unittest
from collections import Counter

sys.dont_write_bytecode = True
try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is missing (python3-numpy)")
    sys.exit(77)

import exact
import independent_test
import meaning
import programs
import running
import text
import values

LIBRARY = ctypes.CDLL(ctypes.util.find_library("m") or "libm.so.6")


def bits(numbers):
    whole = np.int64 if numbers.dtype == np.float64 else np.int32
    return np.where(np.isnan(numbers), numbers.dtype.type(np.nan), numbers).view(whole)


class Fma(unittest.TestCase):
    def operands(self, dtype):
        """Triples of all sizes, ties, sums that cancel, and those at the ends of the range."""
        rng = np.random.default_rng(7)
        count, info = 400, np.finfo(dtype)
        whole = np.int64 if dtype == np.float64 else np.int32
        normal = lambda: rng.standard_normal(count).astype(dtype)
        any_bits = lambda: rng.integers(np.iinfo(whole).min, np.iinfo(whole).max, count, dtype=whole).view(dtype)
        few_bits = lambda: rng.integers(-2 ** (info.nmant // 2 + 1), 2 ** (info.nmant // 2 + 1), count).astype(dtype)
        a, b = normal(), normal()
        yield any_bits(), any_bits(), any_bits()
        yield a, b, normal()
        yield a, b, -(a * b)
        yield a, b, -(a * b) * (1 + info.eps)
        yield a, b, np.ldexp(normal(), rng.integers(-70, 70, count)).astype(dtype)
        yield few_bits(), few_bits(), np.ldexp(few_bits(), rng.integers(0, info.nmant, count)).astype(dtype)
        tiny = np.sqrt(dtype(info.tiny))
        yield a * tiny, b * tiny, (normal().astype(np.float64) * float(info.tiny)).astype(dtype)
        rare = np.array([0, -0.0, 1, -1, 0.1, np.inf, -np.inf, np.nan, info.tiny, info.max, info.smallest_subnormal], dtype)
        yield tuple(np.array(part).ravel() for part in np.meshgrid(rare, rare, rare))

    def test_is_that_of_the_c_library(self):
        for dtype, name, kind in ((np.float32, "fmaf", ctypes.c_float), (np.float64, "fma", ctypes.c_double)):
            fma = getattr(LIBRARY, name)
            fma.restype, fma.argtypes = kind, [kind] * 3
            with np.errstate(all="ignore"):
                for a, b, c in self.operands(dtype):
                    want = np.array([fma(float(x), float(y), float(z)) for x, y, z in zip(a, b, c)], dtype)
                    wrong = bits(exact.fma(a, b, c)) != bits(want)
                    self.assertFalse(wrong.any(), [(a[wrong], b[wrong], c[wrong])])

    def test_is_that_of_fractions(self):
        with np.errstate(all="ignore"):
            for a, b, c in self.operands(np.float64):
                want = np.array([exact.slow_fma(x, y, z) for x, y, z in zip(a, b, c)])
                self.assertTrue((bits(exact.fma(a, b, c)) == bits(want)).all())

    def test_rounds_once(self):
        # The product alone rounds to 1: what two roundings lose is left.
        a = np.array([1 + 2.0 ** -30])
        self.assertEqual(exact.fma(a, a, np.array([-1 - 2.0 ** -29]))[0], 2.0 ** -60)

    def test_bf16(self):
        one = np.float64(1)
        cases = [(1 + 2.0 ** -8, 1), (1 + 3 * 2.0 ** -8, 1 + 2.0 ** -6), (1 + 2.0 ** -8 + 2.0 ** -40, 1 + 2.0 ** -7),
                 (-1 - 2.0 ** -8 - 2.0 ** -40, -1 - 2.0 ** -7), (1e39, np.inf), (-0.0, -0.0)]
        for value, want in cases:
            self.assertEqual(exact.round_bf16(np.array([one * value]))[0], np.float32(want), value)


class Comparison(unittest.TestCase):
    """A program that differs in what the compiler could get wrong gives other values: the comparison can fail."""

    def values(self, source, **options):
        stencil = text.parse("stencil s { " + source + " }")[0]
        program = meaning.Program(stencil, **options)
        rng = np.random.default_rng(3)
        levels = {name: [rng.standard_normal((4, 5)).astype(values.DTYPES[field["type"]]) for _ in range(2)]
                  for name, field in stencil.fields.items()}
        run = running.Run(program, [5, 4], {"a": np.array([0.3], np.float32)}, levels)
        run.steps(2)
        return run.levels["u"][0]

    def test_sees_what_is_changed(self):
        kinds = ["clamp", "reflect", "mirror", "antireflect", "neumann 0.5", "constant 2", "expr 2*x", "fixed"]
        same = "axes x, y; param f32 a; field f32 u boundary {{ x.lo: {}; x.hi: {}; y: periodic }} "
        update = "u[t+1] = 0.1*u[y+1] + 0.3*u[x-2] + a*u[x+2] + u[t-1]*u;"
        seen = {}
        for low in kinds:
            for high in kinds:
                seen[low, high] = self.values(same.format(low, high) + update).tobytes()
        self.assertEqual(len(set(seen.values())), len(kinds) ** 2)
        first = same.format("clamp", "mirror")
        base = self.values(first + update).tobytes()
        for before, after in (("0.3*u[x-2]", "0.31*u[x-2]"), ("u[x-2]", "u[x-1]"), ("u[t-1]", "u[t]"), ("u[y+1]", "u[y-1]")):
            self.assertNotEqual(base, self.values(first + update.replace(before, after)).tobytes(), after)
        self.assertNotEqual(base, self.values(first + update, order="source").tobytes())
        self.assertNotEqual(base, self.values(first + update, fused=False).tobytes())


class Programs(unittest.TestCase):
    """What the programs of the short tests contain."""

    def setUp(self):
        self.stencils = [text.parse(programs.make(f"program_{seed}", seed))[0] for seed in range(1, 201)]

    def test_hold_every_boundary_on_each_side_with_another_opposite(self):
        found = Counter()
        for stencil in self.stencils:
            program = meaning.Program(stencil)
            crossed = {(name, axis, amount < 0) for name, _, away in program.all_reads()
                       for axis, amount in zip(stencil.axes, away) if amount}
            for name, axis, low in crossed:
                sides = stencil.fields[name]["sides"]
                here, there = (sides.get((axis, side), ("none",))[0] for side in (("lo", "hi") if low else ("hi", "lo")))
                found[here, low, here != there] += 1
        for word in ("clamp", "reflect", "mirror", "antireflect", "neumann", "constant", "expr", "fixed", "none", "ghost"):
            for low in (True, False):
                self.assertGreater(found[word, low, True], 2, (word, low))
        self.assertGreater(found["periodic", True, False], 2)

    def test_hold_the_language(self):
        found = Counter()
        for stencil in self.stencils:
            program = meaning.Program(stencil)
            found["axes", len(stencil.axes)] += 1
            for field in stencil.fields.values():
                found["type", field["type"]] += 1
                found["role", field["role"]] += 1
                found["some axes"] += bool(field["axes"])
                found["compute"] += bool(field["compute"])
            stages = {(name, other) for name, value, _ in program.statements
                      for other, level, away in program.reads(value, (0,) * program.rank) if level == 1 and other != name and any(away)}
            found["a stage that reads beside the cell"] += bool(stages)
            for name in stencil.fields:
                found["level", program.oldest()[name]] += 1
            found["several statements"] += len(stencil.updates) > len(program.assigned)
            found["domain"] += any(update[4] for update in stencil.updates)
            for kind, *_ in stencil.reduces.values():
                found["reduction", kind] += 1
            found["mask"] += any(update[5] for update in stencil.updates)
            seen = set()
            for _, value, tests in program.statements:
                for node in (value, *tests):
                    self.walk(program, node, seen)
            found.update(seen)
        for what in [("axes", 1), ("axes", 2), ("axes", 3), "some axes", "compute", "a stage that reads beside the cell", ("level", 0),
                     ("level", -1), ("level", -2), "several statements", "domain", "mask", "canonical sum", "let", "argument", "weight", "param",
                     "time", "coordinate", "extent", "select", "min", "max", "abs", "sqrt", "floor", "ceil", "idiv", "mod", "bit_and", "bit_or", "bit_xor", "popcount", "&&", "||",
                     "not", "compare", "convert", "saturate", "add", "sub", "mul", "div", "neg",
                     "reduction", *(("reduction", kind) for kind in ("sum", "prod", "min", "max", "norm2")), *(("type", kind) for kind in values.DTYPES), *(("role", role) for role in (None, "in", "readonly", "out"))]:
            self.assertGreater(found[what], 0, what)

    def walk(self, program, node, seen):
        seen.add(node.op)
        if program.sum_terms(node):
            seen.add("canonical sum")
        if node.op == "let" and node.data[0][0] == "argument":
            seen.add("argument")
        if node.op == "let":
            self.walk(program, node.data[2], seen)
        for arg in node.args:
            self.walk(program, arg, seen)

    def test_sizes_begin_with_1(self):
        rng = np.random.default_rng(1)
        sizes = [size for _ in range(20) for extents in independent_test.extents_for(rng, 2) for size in extents]
        self.assertEqual(min(sizes), 1)
        self.assertGreater(max(sizes), 8)


if __name__ == "__main__":
    unittest.main()
