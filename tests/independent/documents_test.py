#!/usr/bin/env python3
"""The tables of values in docs/, row by row: each is computed by emitted code and by the evaluator.

documents_test.py --stencilc FILE [--compiler g++] [--root FOLDER]
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True
try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is missing (python3-numpy)")
    sys.exit(77)

import emitted
import meaning
import running
import text
import values

WORDS = {"a": 3.0, "b": -5.0, "c": 7.5, "d": 11.0, "e": 21.0, "f": 22.0, "g": 23.0, "h": 24.0, "K": 1.25, "G": 0.75}


class Page:
    """Stencils that are compiled together, and what is said of each."""

    def __init__(self):
        self.texts, self.checks, self.failures, self.rows = [], [], [], 0

    def add(self, stencil, inputs, expected, what, halo=None, near=0.0, evaluated=True, steps=1):
        """stencil: a text with NAME for its name; inputs: arrays and params; expected: for some fields the array that comes out."""
        name = f"row_{len(self.texts)}"
        self.texts.append(stencil.replace("NAME", name))
        self.checks.append((inputs, expected, what, halo or {}, near, evaluated, steps))

    def run(self, stencilc, compiler, folder):
        library = emitted.Library(stencilc, compiler, "\n".join(self.texts), folder, "page", [])
        for source, (inputs, expected, what, halo, near, evaluated, steps) in zip(self.texts, self.checks):
            stencil = text.parse(source)[0]
            cells = next(value for value in inputs.values() if isinstance(value, np.ndarray)).shape[::-1]
            extents = [size - 2 * max([amount for (_, at), amount in halo.items() if at == axis], default=0)
                       for axis, size in enumerate(cells)]
            levels, params = {}, {}
            for name, field in stencil.fields.items():
                given = inputs.get(name, np.full(cells[::-1], 99))
                levels[name] = [given.astype(values.DTYPES[field["type"]])]
            for name, (kind, _) in stencil.params.items():
                params[name] = np.array([inputs[name]], dtype=values.DTYPES[kind])
            results = [("the emitted code", library.run(stencil, extents, params, levels, steps, 0, halo))]
            if evaluated:
                run = running.Run(meaning.Program(stencil), extents, params, {name: list(arrays) for name, arrays in levels.items()}, halo)
                run.steps(steps)
                results.append(("the evaluator", {**run.results, **{name: arrays[0] for name, arrays in run.levels.items()}}))
            for name, want in expected.items():
                for who, found in results:
                    found = found[name]
                    want = np.asarray(want, dtype=np.float64)
                    with np.errstate(invalid="ignore"):
                        fine = (found.astype(np.float64) == want) | (np.abs(found.astype(np.float64) - want) <= near)
                        fine |= np.isnan(found.astype(np.float64)) & np.isnan(want)
                    if not fine.all():
                        self.failures.append(f"{what}: {who} has {found.tolist()}, the page {want.tolist()}\n{source}")
        self.rows = len(self.texts)


def table(page, heading):
    """The rows below the row of headings that begins so, each a list of its columns."""
    lines = page.split("\n")
    begin = next(number for number, line in enumerate(lines) if line.startswith(heading)) + 2
    rows = []
    while lines[begin].startswith("|"):
        rows.append([column.strip().replace("\\|", "|") for column in re.split(r"(?<!\\)\|", lines[begin])[1:-1]])
        begin += 1
    return rows


def said(item):
    """What a word of the table of boundaries stands for: -b, d+2G."""
    return eval(re.sub(r"(\d)([A-Z])", r"\1*\2", item), {}, WORDS)


def boundaries(page, language):
    line = np.array([WORDS[name] for name in "abcd"])
    for kinds, beyond, *_ in table(language, "| `boundary` |"):
        for kind in re.findall(r"`([^`]*)`", kinds):
            match = re.match(r"`([^`]*)` \| `a b c d` \| `([^`]*)`", beyond)
            word = kind.split()[0]
            if not match:
                strip(page, word, kind)
                continue
            names = dict(WORDS, K=0.0) if word == "zero" else WORDS
            low, high = ([said(item) if item != "K" else names["K"] for item in side.split()] for side in match.groups())
            ghost = word == "ghost"
            cells = np.concatenate([low, line, high]) if ghost else line
            whole = list(low) + list(line) + list(high)
            # The field all along, and on each side alone, with a kind on the other side that it must not take.
            fields, outs, expected, inputs = "", "", {}, {"K": WORDS["K"], "G": WORDS["G"]}
            for number, (sides, of_low, of_high) in enumerate(((f"{kind};", True, True),
                                                               (f"{{ x.lo: {kind}; x.hi: constant 1000 }}", True, False),
                                                               (f"{{ x.lo: constant 1000; x.hi: {kind} }}", False, True))):
                if word == "periodic" and number:
                    continue
                fields += f"field f64 v{number} in boundary {sides} "
                inputs[f"v{number}"] = cells
                values = [value if (k > 1 or of_low) and (k < 6 or of_high) else 1000.0 for k, value in enumerate(whole)]
                for away, shift in ((-2, 0), (-1, 1), (1, 3), (2, 4)):
                    name = f"o{number}_{shift}"
                    outs += f"field f64 {name} out; {name} = v{number}[x{away:+d}]; "
                    expected[name] = np.array(values[shift:shift + 4])
            halo = {(name, 0): 2 for name in [*expected, *inputs]} if ghost else {}
            if ghost:
                expected = {name: np.concatenate([[99, 99], value, [99, 99]]) for name, value in expected.items()}
            page.add(f"stencil NAME {{ axes x; param f64 K, G; {fields} {outs} }}", inputs, expected, f"boundary {kind}", halo)


def strip(page, word, kind):
    """`fixed` and `none` leave cells out; `expr` sees the coordinates."""
    line = np.array([WORDS[name] for name in "abcd"])
    if word == "expr":
        page.add("stencil NAME { axes x; field f64 v in boundary expr 100*x + nx; field f64 l out, r out; l = v[x-2]; r = v[x+1]; }",
                 {"v": line}, {"l": [-196, -96, line[0], line[1]], "r": [line[1], line[2], line[3], 404]}, kind)
        return
    assert word in ("fixed", "none"), f"the table of boundaries has a row that no test knows: {kind}"
    for side, kept in (("x-1", [0]), ("x+2", [2, 3])):
        moved = {"x-1": -1, "x+2": 2}[side]
        want = [line[k] if k in kept else 2 * line[k + moved] for k in range(4)]
        page.add(f"stencil NAME {{ axes x; field f64 v boundary {word}; v[t+1] = 2*v[{side}]; }}", {"v": line}, {"v": want}, kind)


def sentences(page, language):
    """Values that stand in the text."""
    match = re.search(r"of two cells `a b` with `(x\.lo: \w+)` and\s+`(x\.hi: \w+ \d+)`, `(u\[x-\d\])` is (\d) at the first cell and `b`", language)
    page.add(f"stencil NAME {{ axes x; field f64 u boundary {{ {match[1]}; {match[2]} }} field f64 o out; o = {match[3]}; u[t+1] = u + 1; }}",
             {"u": np.array([WORDS["a"], WORDS["b"]])}, {"o": [float(match[4]), WORDS["b"]]}, "grids smaller than offsets")
    page.add("stencil NAME { axes x; field f64 u in boundary mirror; field f64 o out; o = u[x-1] + 10*u[x+1] + 100*u[x+2]; }",
             {"u": np.array([3.0])}, {"o": [333.0]}, "two mirrors and one cell")
    for quotient, value in re.findall(r"`(\d/\d)` is (\d\.?\d*)[, ]", language):
        page.add(f"stencil NAME {{ axes x; field f64 u in; field f64 o out; o = u + {quotient}; }}", {"u": np.array([0.0])},
                 {"o": [float(value)]}, f"`{quotient}`")
    bits, most = re.search(r"`f16` \(IEEE binary16: (\d+) bits, up to (\d+)\)", language).groups()
    page.add("stencil NAME { axes x; field f64 u in; field f16 o out; o = f16(u); }",
             {"u": np.array([float(most), float(most) + 15, float(most) + 16, 2.0 ** int(bits) + 1, 2.0 ** int(bits) + 3])},
             {"o": [float(most), float(most), np.inf, 2.0 ** int(bits), 2.0 ** int(bits) + 4]}, "f16")
    for power, product in re.findall(r"`(u\^\d)` is `([^`]*)`", language):
        # A value whose powers need rounding, so that another order would show.
        u = np.array([1.1, -0.7, 3.3], dtype=np.float32)
        want = eval(product, {"u": u})
        page.add(f"stencil NAME {{ axes x; field f32 u in; field f32 o out; o = {power}; }}", {"u": u}, {"o": want}, power)
    for wrong, right in re.findall(r"So `([^`]*)` is\s+`([^`]*)`, and `a\^b\^c`", language):
        page.add(f"stencil NAME {{ axes x; field f64 a in; field f64 o out, p out; o = {wrong}; p = {right}; }}",
                 {"a": np.array([3.0])}, {"o": [-9.0], "p": [-9.0]}, wrong)


def reductions(page, language, runtime):
    """Of no cell, and of no step."""
    names = ("s", "n", "p", "l", "g")
    kinds = dict(zip(names, ("sum", "norm2", "prod", "min", "max")))
    for word, kind in (("of no cell", "f32"), ("of no cell", "i32"), ("after no step", "f32"), ("after no step", "i32")):
        where = " where v > 5" if word == "of no cell" else ""
        told = [name for name in names if kind == "f32" or kinds[name] != "norm2"]
        text_of = " ".join(f"reduce {name} = {kinds[name]}(v[t+1]){where};" for name in told)
        ends = (-np.inf, np.inf) if kind == "f32" else (-2.0 ** 31, 2.0 ** 31 - 1)
        want = dict(zip(names, (0, 0, 1, ends[1], ends[0])))
        page.add(f"stencil NAME {{ axes x; field {kind} v; v[t+1] = v - 1; {text_of} }}", {"v": np.array([1, 2, 3])},
                 {**{name: [want[name]] for name in told}, "v": [0, 1, 2] if where else [1, 2, 3]}, f"reductions {word}",
                 steps=1 if where else 0, evaluated=bool(where))
    language, runtime = (" ".join(text.split()) for text in (language, runtime))  # wherever lines break
    assert ("If no cell takes part, a `sum` is 0 (-0 for floats) and a `prod` is 1; `min` is `inf` and `max` is `-inf`, or for "
            "integers the largest and the smallest value of the type") in language
    assert ("After a run of 0 steps the fields are as they were, and a reduction has its value for no cells: 0 for `sum` and "
            "`norm2`, 1 for `prod`, the greatest value of the type for `min`, the least for `max`") in runtime


# What the table of operators says, as values: rows are found by how their first column begins.
# (type, expression, {input: values}, values)
INF, NAN = np.inf, np.nan
OPERATORS = {
    "`a + b`": [("i32", "a + b", [2147483647, 5], [1, -7], [-2147483648, -2]), ("f32", "a - b", [1.0, 2.5], [3.0, 0.5], [-2.0, 2.0]),
                ("i32", "-a * b", [3, -4], [5, 6], [-15, 24])],
    "`a / b`": [("f32", "a / b", [1.0, 1.0, 0.0], [3.0, 0.0, 0.0], [np.float32(1) / np.float32(3), INF, NAN])],
    "`idiv(a, b)`": [("i32", "idiv(a, b)", [7, -7, 7, -7, 5], [2, 2, -2, -2, 0], [3, -4, -4, 3, 0]),
                     ("i32", "a % b", [7, -7, 7, -7, 5], [2, 2, -2, -2, 0], [1, 1, -1, -1, 0])],
    "`bit_and(a, b)`": [("i32", "bit_and(a, b)", [12, -1, -4], [10, 255, -6], [8, 255, -8]), ("i32", "bit_or(a, b)", [12, -4], [10, 1], [14, -3]),
                        ("i32", "bit_xor(a, b)", [12, -1], [10, 1], [6, -2]), ("i32", "bit_and(idiv(a, 8), 1) + 0*b", [12, -9], [0, 0], [1, 0])],
    "`popcount(a)`": [("i32", "popcount(a) + 0*b", [7, -1, 0], [0, 0, 0], [3, 32, 0]), ("i64", "popcount(a) + 0*b", [-1, 2**40 + 1], [0, 0], [64, 2]),
                      ("i32", "sum(k in 0..6 : idiv(a, 2^k) % 2 != idiv(b, 2^k) % 2 ? 1 : 0)", [127, 5, -1, 128], [0, 6, 0, 0], [7, 2, 7, 0])],
    "`a ^ b`": [("f64", "a^3 + b", [2.0, -3.0], [0.0, 0.0], [8.0, -27.0]), ("f64", "a^-2 + b", [2.0, -4.0], [0.0, 0.0], [0.25, 0.0625]),
                ("i32", "a^2 + b", [65536, 7], [0, 0], [0, 49])],
    "`a < b`": [("f32", "a < b ? 1 : 0", [1.0, NAN, 2.0], [2.0, 1.0, 2.0], [1, 0, 0]),
                ("f32", "a != b ? 1 : 0", [1.0, NAN, 2.0], [2.0, NAN, 2.0], [1, 1, 0]),
                ("f32", "(a > 1) == (b > 1) ? 1 : 0", [1.0, 2.0], [0.0, 0.0], [1, 0])],
    "`!a`": [("f32", "!(a > 1) && (b > 1 || a < 0) ? 1 : 0", [1.0, 1.0, 2.0], [2.0, 0.0, 2.0], [1, 0, 0])],
    "`c ? a : b`": [("i32", "a > b ? a : b", [3, -4], [2, 5], [3, 5])],
    "`min(a, b, ...)`": [("f32", "min(a, b, 2)", [1.0, NAN, 5.0, -0.0], [3.0, 1.0, 7.0, 0.0], [1.0, 1.0, 2.0, -0.0]),
                         ("f32", "max(a, b)", [NAN, NAN, -0.0], [3.0, NAN, 0.0], [3.0, NAN, 0.0])],
    "`abs(a)`": [("i32", "abs(a) + 0*b", [-2147483648, -5, 4], [0, 0, 0], [2147483647, 5, 4]),
                 ("f32", "abs(a) + 0*b", [-2.5, -0.0], [0.0, 0.0], [2.5, 0.0])],
    "`sqrt exp": [("f64", "sqrt(a) + floor(b)", [4.0, -1.0, 9.0], [1.7, 1.0, -1.5], [3.0, NAN, 1.0]),
                  ("f64", "ceil(a) + b", [1.2, -1.7], [0.0, 0.0], [2.0, -1.0]),
                  ("f64", "exp(a) + log(b)", [0.0, 0.0], [1.0, 1.0], [1.0, 1.0]),
                  ("f64", "sin(a) + cos(b) + tan(a) + tanh(a)", [0.0], [0.0], [1.0])],
    "`pow(a, b)`": [("f64", "pow(a, b)", [4.0, 2.0], [0.5, 10.0], [2.0, 1024.0])],
    "`f32(a)`": [("f64", "f64(u8(a)) + b", [3.9, -3.0, 300.0, NAN, INF], [0.0] * 5, [3, 0, 255, 0, 255]),
                 ("f64", "f64(i16(a)) + b", [-3.9, -1e9], [0.0] * 2, [-3, -32768]),
                 ("i32", "i32(u8(a)) + b", [300, -1], [0, 0], [44, 255]),
                 ("i32", "i32(bool(a)) + b", [300, 0], [0, 0], [1, 0])],
    "`sat_u8(a)`": [("f64", "f64(sat_u8(a)) + b", [2.5, 3.5, -1.0, 300.0, NAN], [0.0] * 5, [2, 4, 0, 255, 0]),
                    ("i32", "i32(sat_i16(a)) + b", [40000, -40000, 5], [0, 0, 0], [32767, -32768, 5])],
}
FUNCTIONS_OF_THE_LIBRARY = ("exp(", "sin(", "pow(")


def operators(page, language):
    known = set()
    for row in table(language, "| expression |"):
        key = next((key for key in OPERATORS if row[0].startswith(key)), None)
        assert key, f"the table of operators has a row that no test knows: {row[0]}"
        known.add(key)
        for kind, expression, a, b, want in OPERATORS[key]:
            # The functions of the C library are not the evaluator's.
            page.add(f"stencil NAME {{ axes x; field {kind} a in, b in; field {kind} o out; o = {expression}; }}",
                     {"a": np.array(a), "b": np.array(b)}, {"o": want}, expression,
                     evaluated=not expression.startswith(FUNCTIONS_OF_THE_LIBRARY))
    assert known == set(OPERATORS), f"no row of the table begins with {set(OPERATORS) - known}"


def differences(page, language):
    """Each row at several orders: which cells are read, and that polynomials up to the order are derived exactly."""
    rows = table(language, "| written |")
    for written, derivative, cells, orders in rows:
        match = re.match(r"(?:(even), )?(\d) \(default\) to (\d+)", orders)
        assert match, f"the orders of {written}"
        default, most = int(match[2]), int(match[3])
        taken = range(default, most + 1, 2 if match[1] else 1)
        for n in sorted({taken[0], taken[1], taken[-1]}):
            for call in re.findall(r"`([^`]*)`", written):
                if not call.startswith(("d", "l")):
                    call = re.sub(r"side = [-+]1", call, re.findall(r"`([^`]*)`", written)[0])
                one_difference(page, call, derivative, cells, n, n == default)


def one_difference(page, call, derivative, cells, n, is_default):
    side = {"-": -1, "+": 1}.get((re.search(r"side = ([-+])1", call) or [None, None])[1])
    at = {"-": Fraction(-1, 2), "+": Fraction(1, 2)}.get((re.search(r"at = ([-+])1/2", call) or [None, None])[1], Fraction(0))
    words = call.replace("order = n", f"order = {n}")
    if is_default:
        words = words.replace(f", order = {n}", "")
    count = 2 if "second" in derivative else 1
    mixed, laplacian, upwind = "mixed" in derivative, call.startswith("laplacian"), "upwind" in call
    size = 41 if mixed or laplacian else 61
    x = np.arange(size, dtype=np.float64) - size // 2
    axes = "x, y" if mixed or laplacian else "x"
    # Which cells are read: what one cell that is not 0 makes of its neighbours.
    spot = np.zeros((size, size) if mixed or laplacian else size)
    spot[(size // 2,) * spot.ndim] = 1.0
    if upwind:
        assert "v > 0 ? dx(u, side = -1) : dx(u, side = +1)" in cells
        for sign in (1.0, -1.0):
            page.add(f"stencil NAME {{ axes x; param f64 v; field f64 u in boundary clamp; field f64 o out, p out; o = {words} "
                     f"- dx(u, side = {'-1' if sign > 0 else '+1'}, order = {n}); p = {words}; }}",
                     {"u": x * x, "v": sign}, {"o": 0 * x}, words)
        return
    if side:
        reach = n if count == 1 else n + 1
        assert re.search(r"the cell and `n(\+1)?` below, or above", cells)[1] == (None if count == 1 else "+1")
        low, high = (-reach, 0) if side < 0 else (0, reach)
    elif at:
        low, high = (-n // 2 + 1, n // 2) if at > 0 else (-n // 2, n // 2 - 1)
        assert ("from `x-n/2+1` to `x+n/2`" if at > 0 else "from `x-n/2` to `x+n/2-1`") in cells
    else:
        low, high = -n // 2, n // 2
        assert "`n/2` to each side" in cells
    offsets = [k for k in range(low, high + 1) if k or "not the cell" not in cells]
    # Derivatives of polynomials: order n is exact up to degree n + derivative - 1.
    degree = min(n + count - 1, 6)
    z = x / 8
    place = z + float(at) / 8
    p = z ** degree
    first, second = degree * place ** (degree - 1), degree * (degree - 1) * place ** (degree - 2) if degree > 1 else 0 * z
    inner = slice(20, -20) if not (mixed or laplacian) else slice(18, -18)
    if laplacian:
        u, want = p[None, :] + 3 * p[:, None], second[None, :] + 3 * second[:, None]
    elif mixed:
        degree = min(n, 6)
        p, first = z ** degree, degree * z ** (degree - 1)
        u, want = p[None, :] * p[:, None], first[None, :] * first[:, None]
    else:
        u, want = p, first if count == 1 else second
    scale = 64 if laplacian or mixed or count == 2 else 8
    kept = np.zeros(u.shape, dtype=bool)
    kept[(inner,) * u.ndim] = True
    limits = f"x >= {inner.start}, x < nx - {inner.start}" + (f", y >= {inner.start}, y < ny - {inner.start}" if u.ndim == 2 else "")
    of_polynomial = re.sub(r"\(u", "(w", words)
    page.add(f"stencil NAME {{ axes {axes}; field f64 u in boundary zero; field f64 w in boundary clamp; field bool o out; "
             f"field f64 q out; o = {words} != 0; q = {of_polynomial} * {scale} on {limits}; }}", {"u": spot, "w": u},
             {"o": reads(spot.shape, offsets, mixed, laplacian), "q": np.where(kept, want, 99)}, words, near=1e-6)


def reads(shape, offsets, mixed, laplacian):
    found = np.zeros(shape)
    middle = tuple(size // 2 for size in shape)
    for i in offsets:
        if len(shape) == 1:
            found[middle[0] - i] = 1
        elif laplacian:
            found[middle[0], middle[1] - i] = found[middle[0] - i, middle[1]] = 1
        else:
            for j in offsets:
                found[middle[0] - j, middle[1] - i] = 1 if i and j else 0
    return found


def codes(root, runtime):
    """The table of codes in runtime.md, and the header."""
    with open(os.path.join(root, "runtime/include/stencil/codes.h")) as file:
        header = dict(re.findall(r"\b(STENCIL_\w+) = (\d+)", file.read()))
    told = {name.strip("`"): number for number, name, *_ in table(runtime, "| code |")}
    return [] if header and told == header else [f"docs/runtime.md tells other codes than codes.h: {told} {header}"]


def exit_codes(stencilc, cli, folder):
    """The table of exit codes in cli.md. 70 is said of a bug, which no test can ask for."""
    good = os.path.join(folder, "good.stn")
    with open(good, "w") as file:
        file.write("stencil s { axes x; field f32 u boundary clamp; u[t+1] = 0.5*u[x-1] + 0.5*u[x+1]; }")
    for name, before, after in (("wrong.stn", "axes x", "axis x"), ("wide.stn", "x-1", "x-65"), ("widest.stn", "x-1", "x-64")):
        with open(good) as source, open(os.path.join(folder, name), "w") as file:
            file.write(source.read().replace(before, after))
    commands = {"success": [[good, "--emit=ir"], [os.path.join(folder, "widest.stn"), "--emit=ir"]],
                "errors in the input": [[os.path.join(folder, "wrong.stn"), "--emit=ir"]],
                "wrong usage": [["--no-such-option"], []],
                "a file cannot be read": [[os.path.join(folder, "none.stn"), "--emit=ir"], [good, "-o", os.path.join(folder, "none/a.cu")]],
                "a limit is exceeded": [[os.path.join(folder, "wide.stn"), "--emit=ir"]]}
    failures = []
    for code, meaning_of, *_ in table(cli, "| code | meaning |"):
        key = next((key for key in commands if meaning_of.startswith(key)), None)
        if key is None and code != "70":
            failures.append(f"the table of exit codes has a row that no test knows: {meaning_of}")
        for words in commands.get(key, []):
            done = subprocess.run([stencilc, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
            if done.returncode != int(code):
                failures.append(f"stencilc {' '.join(words)} ends with {done.returncode}, the page says {code}: {meaning_of}")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stencilc", required=True)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--root", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    options = parser.parse_args()
    pages = {}
    for name in ("language", "runtime", "cli"):
        with open(os.path.join(options.root, "docs", name + ".md")) as file:
            pages[name] = file.read()
    language, runtime = pages["language"], pages["runtime"]
    page = Page()
    boundaries(page, language)
    sentences(page, language)
    operators(page, language)
    differences(page, language)
    reductions(page, language, runtime)
    with tempfile.TemporaryDirectory() as folder:
        page.run(options.stencilc, options.compiler, folder)
        failures = page.failures + codes(options.root, runtime) + exit_codes(options.stencilc, pages["cli"], folder)
    for failure in failures[:8]:
        print(failure)
    print(f"{page.rows} stencils, {len(failures)} failures")
    return 1 if failures or page.rows < 70 else 0


if __name__ == "__main__":
    sys.exit(main())
