"""Steps of a typed program on arrays."""

import numpy as np

import exact
from values import COMPARE, DTYPES, convert, is_float, quotient_down, remainder, saturate, smaller


def replaced(places, axis, at):
    return [at if k == axis else place for k, place in enumerate(places)]


def values_of_nothing(count, dtype):
    return np.full(count, np.nan if np.dtype(dtype).kind == "f" else 1).astype(dtype)


class Run:
    """levels: for each field its arrays, the newest (level t) first. An `out` field has one, which is written."""

    def __init__(self, program, extents, params, levels, halo=None):
        self.program, self.extents, self.params, self.levels = program, extents, params, levels
        self.halo = halo or {}
        self.new, self.results = {}, {}
        grids = np.meshgrid(*[np.arange(n, dtype=np.int64) for n in reversed(extents)], indexing="ij")
        self.cells = tuple(grid.ravel() for grid in reversed(grids))

    def steps(self, count, first=0):
        stepped = any(field["role"] != "out" for name, field in self.program.stencil.fields.items()
                      if name in self.program.assigned)
        with np.errstate(all="ignore"):
            for self.t in range(first, first + (count if stepped else 1)):
                self.step()

    def step(self):
        program = self.program
        self.new = {}
        for reduction in program.reductions:
            if not program.reads_new(reduction):
                self.reduce(*reduction)
        for name in program.order_of_fields:
            # Where no statement applies a stepped field keeps its value, and the array of the caller stays as it was.
            self.new[name] = self.levels[name][0].copy()
            for (target, value, tests), margin in zip(program.statements, program.margins):
                if target != name:
                    continue
                self.memo = {}
                applies = self.applies(tests, margin)
                new = np.broadcast_to(self.value(value, self.cells), applies.shape)
                place = tuple(self.cells[axis][applies] + self.halo.get((name, axis), 0) for axis in reversed(range(program.rank)))
                self.new[name][place] = new[applies]
        for reduction in program.reductions:
            if program.reads_new(reduction):
                self.reduce(*reduction)
        for name, array in self.new.items():
            if program.stencil.fields[name]["role"] == "out":
                self.levels[name] = [array]
            else:
                self.levels[name] = [array] + self.levels[name][:-1]

    def applies(self, tests, margin):
        """Which cells a statement is for."""
        result = np.ones(len(self.cells[0]), dtype=bool)
        for axis, (low, high) in enumerate(margin):
            result &= (self.cells[axis] >= low) & (self.cells[axis] < self.extents[axis] - high)
        for test in tests:
            result &= self.value(test, self.cells)
        return result

    # ---- reading a field ----

    def side(self, name, axis, low):
        return self.program.sides.get((name, (self.program.axes[axis], "lo" if low else "hi")), (None, None))

    def array(self, name, level):
        if level == 1:
            return self.new[name] if name in self.new else self.levels[name][0]
        return self.levels[name][-level]

    def read(self, name, level, places):
        """The values of a field at cells that may lie outside the grid."""
        own = self.program.stencil.fields[name]["axes"]
        axes = [k for k, axis in enumerate(self.program.axes) if not own or axis in own]
        array = self.array(name, level)
        kind = self.program.stencil.fields[name]["type"]
        read = self.program.read_type(name)
        inside = tuple(places[axis] + self.halo.get((name, axis), 0) for axis in reversed(axes))
        if all(((places[axis] >= 0) & (places[axis] < self.extents[axis])).all() for axis in axes):
            return convert(array[inside], kind, read)
        result = np.zeros(len(places[0]), dtype=DTYPES[kind])
        # `places` is where the read goes, `landed` where along each axis it arrives.
        places, landed, turned = list(places), {}, {}
        for axis in axes:
            landed[axis], turned[axis] = self.landed(name, axis, places[axis])

        # What lies outside the grid is a value of the field's type, as its cells are.
        def given(node, places):
            return convert(self.value(node, places), read, kind)

        # A constant on any side that is crossed goes before everything else; of two the first axis's.
        left = np.ones(len(result), dtype=bool)
        for axis in axes:
            for low in (True, False):
                word, node = self.side(name, axis, low)
                if word == "constant":
                    crossed = left & ((landed[axis] < 0) if low else (landed[axis] >= self.extents[axis]))
                    if crossed.any():
                        result[crossed] = np.broadcast_to(given(node, places), result.shape)[crossed]
                        left &= ~crossed

        def found(cells, places, rest):
            """Resolves the axes that are left, one by one; cells are the numbers of those that are looked for."""
            if not rest:
                return array[tuple(places[axis] + self.halo.get((name, axis), 0) for axis in reversed(axes))]
            axis, size = rest[0], self.extents[rest[0]]
            at = landed[axis][cells]
            places = replaced(places, axis, at)
            odd = turned[axis][cells]
            if ((at >= 0) & (at < size)).all() and not odd.any():
                return found(cells, places, rest[1:])
            values = np.zeros(len(at), dtype=DTYPES[kind])
            for low, here in ((None, (at >= 0) & (at < size)), (True, at < 0), (False, at >= size)):
                if here.any():
                    values[here] = beyond(cells[here], [place[here] for place in places], rest, low)
            return np.where(odd, -values, values) if odd.any() else values

        def beyond(cells, places, rest, low):
            axis, size = rest[0], self.extents[rest[0]]
            word, node = (None, None) if low is None else self.side(name, axis, low)
            if word in (None, "ghost"):
                return found(cells, places, rest[1:])
            if word == "expr":
                return given(node, places)
            if word != "neumann":
                return values_of_nothing(len(places[0]), DTYPES[kind])  # at a cell that has no update
            at = places[axis]
            distance = -at if low else at - (size - 1)
            slope = self.value(node, places)
            edge = replaced(places, axis, np.full_like(at, 0 if low else size - 1))
            inner = convert(found(cells, edge, rest[1:]), kind, read)
            return convert(exact.fma(slope, distance.astype(inner.dtype), inner), read, kind)

        if left.any():
            result[left] = found(np.flatnonzero(left), [place[left] for place in places], axes)
        return convert(result, kind, read)

    def landed(self, name, axis, at):
        """The coordinates to which the sides that move a coordinate lead, and where the sign has changed on the way."""
        size = self.extents[axis]
        kinds = [self.side(name, axis, low)[0] for low in (True, False)]
        sign = np.zeros(len(at), dtype=bool)
        if ((at >= 0) & (at < size)).all():
            return at, sign
        at = at.copy()
        # Beyond a side where nothing lies a turn does not end: there the kind holds on both ends.
        both = {True: list(kinds), False: list(kinds)}
        for low, side in ((True, 0), (False, 1)):
            if kinds[1 - side] in ("fixed", "none", None):
                both[low][1 - side] = kinds[side]
        for low in (True, False):
            begun = (at < 0) if low else (at >= size)
            words = both[low]
            if size == 1 and words == ["mirror", "mirror"]:
                at[begun] = 0
                continue
            going = begun
            while going.any():
                for word, there in ((words[0], going & (at < 0)), (words[1], going & (at >= size))):
                    below = at < 0
                    if word == "clamp":
                        moved = np.where(below, 0, size - 1)
                    elif word in ("reflect", "antireflect"):
                        moved = np.where(below, -1 - at, 2 * size - 1 - at)
                    elif word == "mirror":
                        moved = np.where(below, -at, 2 * (size - 1) - at)
                    elif word == "periodic":
                        moved = np.where(below, at + size, at - size)
                    else:
                        going = going & ~there
                        continue
                    at = np.where(there, moved, at)
                    if word == "antireflect":
                        sign = sign ^ there
                going = going & ((at < 0) | (at >= size))
        return at, sign

    # ---- expressions ----

    def value(self, node, cells):
        op = node.op
        if op in ("const", "number"):
            return node.data
        if op == "read":
            name, level, away = node.data
            if cells is not self.cells:
                return self.read(name, level, [cell + offset for cell, offset in zip(cells, away)])
            key = (node.data, node.type)
            if key not in self.memo:
                self.memo[key] = self.read(name, level, [cell + offset for cell, offset in zip(cells, away)])
            return self.memo[key]
        if op == "let":
            name, shift, inner = node.data
            here = cells is self.cells
            if here and (name, shift) in self.memo:
                return self.memo[name, shift]
            result = self.value(inner, cells if not any(shift) else tuple(cell + offset for cell, offset in zip(cells, shift)))
            if here:
                self.memo[name, shift] = result
            return result
        if op == "coordinate":
            axis, offset = node.data
            return cells[axis] + offset
        if op == "extent":
            return np.array([self.extents[node.data]], dtype=np.int64)
        if op == "time":
            return np.array([self.t], dtype=np.int64)
        if op == "param":
            return self.params[node.data]
        if op == "weight":
            return self.params[node.data[0]][node.data[1]:node.data[1] + 1]
        if op == "reduction":
            return self.results[node.data]
        if self.program.canonical and self.program.sum_terms(node):
            return self.canonical(node, cells)
        if op in ("add", "sub"):
            return self.added(node, cells)
        args = [self.value(arg, cells) for arg in node.args]
        if op == "mul":
            return args[0] * args[1]
        if op == "div":
            return args[0] / args[1]
        if op == "neg":
            return -args[0]
        if op == "idiv":
            return quotient_down(*args)
        if op == "mod":
            return remainder(*args)
        if op in ("bit_and", "bit_or", "bit_xor"):
            return {"bit_and": np.bitwise_and, "bit_or": np.bitwise_or, "bit_xor": np.bitwise_xor}[op](*args)
        if op == "popcount":
            words = args[0].astype(np.uint64) if args[0].dtype.itemsize == 8 else args[0].astype(np.uint32)
            return sum((words >> words.dtype.type(k)) & words.dtype.type(1) for k in range(8 * words.dtype.itemsize)).astype(np.int32)
        if op in ("min", "max"):
            return smaller(*args, 1 if op == "min" else -1)
        if op == "abs":
            if args[0].dtype.kind == "i":
                least = np.iinfo(args[0].dtype).min
                return np.where(args[0] == least, np.iinfo(args[0].dtype).max, np.abs(args[0])).astype(args[0].dtype)
            return np.abs(args[0])
        if op in ("sqrt", "floor", "ceil"):
            return getattr(np, op)(args[0])
        if op == "compare":
            return COMPARE[node.data](*args)
        if op == "&&":
            return args[0] & args[1]
        if op == "||":
            return args[0] | args[1]
        if op == "not":
            return ~args[0]
        if op == "select":
            return np.where(args[0], args[1], args[2])
        if op == "convert":
            return convert(args[0], node.args[0].type, node.type)
        if op == "saturate":
            return saturate(args[0], node.args[0].type, node.type)
        raise NotImplementedError(op)

    def multiply_add(self, a, b, c):
        return exact.fma(a, b, c) if self.program.fused else a * b + c

    def is_product(self, node):
        return is_float(node.type) and node.op == "mul" and not (self.program.canonical and self.program.sum_terms(node))

    def added(self, node, cells):
        left, right = node.args
        minus = node.op == "sub"
        if self.program.fused and is_float(node.type):
            if self.is_product(right):
                p, q = (self.value(arg, cells) for arg in right.args)
                return exact.fma(-p if minus else p, q, self.value(left, cells))
            if self.is_product(left):
                p, q = (self.value(arg, cells) for arg in left.args)
                c = self.value(right, cells)
                return exact.fma(p, q, -c if minus else c)
        a, b = self.value(left, cells), self.value(right, cells)
        return a - b if minus else a + b

    def weight(self, factors, kind, cells):
        """The value of signs, factors and divisors, from the outside in; None for 1."""
        value, constant = None, True
        one = np.ones(1, dtype=DTYPES[kind])
        for op, node in factors:
            if op == "neg":
                value = -one if value is None else -value
                continue
            factor = self.value(node, cells)
            constant = constant and node.constant
            if op == "mul":
                value = factor if value is None else value * factor
            else:
                value = (one if value is None else value) / factor
        return value, constant

    def canonical(self, node, cells):
        kind, program = node.type, self.program
        total, taps = None, {}
        for what, factors, rest in node.terms:
            weight, constant = self.weight(factors, kind, cells)
            if what == "scalar":
                value = self.value(rest, cells)
                value = value if weight is None else weight * value
                total = value if total is None else total + value
                continue
            key, tap = rest
            weight = np.ones(1, dtype=DTYPES[kind]) if weight is None else weight
            if key in taps:
                before, was_constant, _ = taps[key]
                weight, constant = before + weight, constant and was_constant
            taps[key] = (weight, constant, tap)
        own = program.field_order

        def place(item):
            (name, level, away), _ = item
            # The axes that a stencil lacks are the last ones.
            x, y, z = away + (0,) * (3 - len(away))
            return (z, y != 0, y, x, level, own[name]) if len(away) == 3 else (y, x, level, own[name])

        for _, (weight, constant, tap) in sorted(taps.items(), key=place):
            if constant and weight[0] == 0:
                continue
            value = self.value(tap, cells)
            total = weight * value if total is None else self.multiply_add(weight, value, total)
        return np.zeros(1, dtype=DTYPES[kind]) if total is None else total

    # ---- reductions ----

    def reduce(self, name, kind, node, tests, margin):
        self.memo = {}
        applies = self.applies(tests, margin)
        values = np.broadcast_to(self.value(node, self.cells), applies.shape)
        self.results[name] = reduced(kind, values, applies, self.extents[0])


def reduced(kind, values, applies, row):
    """One number of all cells: neighbours of a row by 32, then the results of all rows by 32, until one is left."""
    dtype = values.dtype
    real = dtype.kind == "f"
    ends = (-np.inf, np.inf) if real else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    none = {"sum": -0.0 if real else 0, "norm2": -0.0 if real else 0, "prod": 1, "min": ends[1], "max": ends[0]}[kind]
    none = np.array(none).astype(dtype)
    if kind == "norm2":
        values = values * values
    combine = {"sum": lambda a, b: a + b, "norm2": lambda a, b: a + b, "prod": lambda a, b: a * b,
               "min": lambda a, b: propagating(a, b, 1), "max": lambda a, b: propagating(a, b, -1)}[kind]
    rows = np.where(applies, values, none).reshape(-1, row)
    while True:
        count = -(-rows.shape[1] // 32)
        groups = np.full((rows.shape[0], count * 32), none, dtype=dtype)
        groups[:, :rows.shape[1]] = rows
        groups = groups.reshape(-1, 32)
        for apart in (16, 8, 4, 2, 1):
            groups = combine(groups[:, :apart], groups[:, apart:2 * apart])
        rows = groups.reshape(1, -1)
        if rows.shape[1] == 1:
            break
    return np.sqrt(rows[0]) if kind == "norm2" else rows[0]


def propagating(a, b, sign):
    """min or max in which a NaN wins."""
    result = smaller(a, b, sign)
    return np.where(np.isnan(a) | np.isnan(b), np.nan, result).astype(a.dtype) if a.dtype.kind == "f" else result
