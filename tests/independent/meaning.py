"""What a stencil computes, by docs/language.md alone. Nothing here is taken from the compiler.

`Program(stencil, order, fused)` types the statements; `Program.run(...)` takes steps on NumPy arrays. Grids are arrays whose last
index is the first axis, values are arrays of one number for each cell that is looked at, or of length 1 where all have the same.
"""

from fractions import Fraction

import numpy as np

import exact

INTEGERS = ("i64", "i32", "i16", "u16", "i8", "u8")
ARITHMETIC = ("i32", "i64", "f32", "f64")
DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.float32, "i64": np.int64, "i32": np.int32,
          "i16": np.int16, "u16": np.uint16, "i8": np.int8, "u8": np.uint8, "bool": np.bool_}


def is_float(kind):
    return kind in ("f32", "f64")


def arithmetic(kind):
    """The type in which values of a type are computed with."""
    return kind if kind in ARITHMETIC else "f32" if kind in ("f16", "bf16") else "i32"


# ---- values ----

def to_integer(value, kind, near):
    info = np.iinfo(DTYPES[kind])
    wide = value.astype(np.float64)
    wide = np.rint(wide) if near else np.trunc(wide)
    low, high = wide <= float(info.min), wide >= float(info.max)
    safe = np.where(low | high | np.isnan(wide), 0.0, wide).astype(np.int64)
    result = np.where(low, info.min, np.where(high, info.max, safe))
    return np.where(np.isnan(wide), 0, result).astype(DTYPES[kind])


def convert(value, source, target):
    if source == target:
        return value
    if target == "bool":
        return value != 0
    if target == "bf16":
        return exact.round_bf16(value if value.dtype in (np.float32, np.float64) else value.astype(np.float64))
    if target in INTEGERS and (source in ("f16", "bf16") or is_float(source)):
        return to_integer(value, target, near=False)
    with np.errstate(all="ignore"):
        return value.astype(DTYPES[target])


def saturate(value, source, target):
    if source in ("f16", "bf16") or is_float(source):
        return to_integer(value, target, near=True)
    info = np.iinfo(DTYPES[target])
    wide = value.astype(np.int64)
    return np.where(wide < info.min, info.min, np.where(wide > info.max, info.max, wide)).astype(DTYPES[target])


def smaller(a, b, sign):
    """min for sign 1, max for -1: a number goes before NaN, and -0 is less than +0."""
    a, b = np.broadcast_arrays(a, b)
    if a.dtype.kind != "f":
        return np.minimum(a, b) if sign > 0 else np.maximum(a, b)
    first = (a < b) if sign > 0 else (b < a)
    first |= (a == b) & (np.signbit(a) if sign > 0 else ~np.signbit(a))
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.where(first, a, b)))


def quotient_down(a, b):
    return np.where(b == 0, 0, a // np.where(b == 0, 1, b)).astype(a.dtype)


def remainder(a, b):
    return np.where(b == 0, 0, a - quotient_down(a, b) * b).astype(a.dtype)


COMPARE = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal}


class Node:
    """A typed expression. type is None for a number of the source, which has no type yet."""
    __slots__ = ("op", "type", "args", "data", "scalar", "constant", "terms")

    def __init__(self, op, kind, args=(), data=None):
        self.op, self.type, self.args, self.data = op, kind, tuple(args), data
        self.scalar = op not in ("read", "coordinate") and all(arg.scalar for arg in self.args)
        self.constant = op in ("number", "const") or (bool(args) and all(arg.constant for arg in self.args))
        if op == "let":
            self.scalar, self.constant = data[2].scalar, False
        self.terms = 0  # not looked for yet


def number(value):
    return Node("number", None, data=value)


class Scope:
    """Where an expression stands: how far it is moved, and the names of functions' parameters and windows' variables."""

    def __init__(self, shift, names, parent=None):
        self.shift, self.names, self.parent = shift, names, parent


def whole(value):
    return isinstance(value, int)


class Program:
    def __init__(self, stencil, order="canonical", fused=True):
        self.stencil, self.canonical, self.fused = stencil, order == "canonical", fused
        self.axes = stencil.axes
        self.rank = len(self.axes)
        self.real = "f64" if any(field["type"] == "f64" for field in stencil.fields.values()) else "f32"
        self.field_order = {name: place for place, name in enumerate(stencil.fields)}
        self.assigned = {update[0] for update in stencil.updates}
        self.inlined = set()
        self.prepare()
        if self.canonical:
            once = {name for name, uses in self.uses.items() if uses == [(0,) * self.rank]}
            self.inlined = once
            self.prepare()
        self.margins = [self.margin(value, tests) for _, value, tests in self.statements]
        self.order_of_fields = self.stages()

    # ---- from the text to typed statements ----

    def prepare(self):
        self.uses, self.let_nodes, self.read_by = {}, {}, {}
        here = Scope((0,) * self.rank, {})
        self.constants = {name: self.constant_value(kind, value) for name, (kind, value) in self.stencil.consts.items()}
        self.sides = {}
        for name, field in self.stencil.fields.items():
            kind = self.read_type(name)
            for side, (word, value) in field["sides"].items():
                node = None if value is None else self.to(self.build(value, here), kind)
                self.sides[name, side] = (word, node)
        self.statements = []
        for name, is_next, operator, expression, conditions, mask in self.stencil.updates:
            if operator:
                target = ("ref", name, (("bin", "+", ("ref", "t", None), ("num", 1)),) if is_next else None)
                expression = ("bin", operator, target, expression)
            value = self.to(self.build(expression, here), self.stencil.fields[name]["type"])
            tests = [self.build(condition, here) for condition in conditions]
            if mask is not None:
                tests.append(self.build(mask, here))
            self.statements.append((name, value, tests))
        self.reductions = []
        for name, (kind, expression, conditions, mask) in self.stencil.reduces.items():
            value = self.build(expression, here)
            value = self.to(value, arithmetic(value.type))
            if kind == "norm2" and not is_float(value.type):
                value = self.to(value, "f32")
            tests = [self.build(condition, here) for condition in conditions]
            if mask is not None:
                tests.append(self.build(mask, here))
            self.reductions.append((name, kind, value, tests, self.margin(value, tests)))

    def constant_value(self, kind, value):
        here = Scope((0,) * self.rank, {})
        self.constants = getattr(self, "constants", {})
        if not (isinstance(value, tuple) and len(value) == 3 and isinstance(value[1], list)):
            return kind, None, self.to(self.build(value, here), kind)
        ranges, values, divisor = value
        bounds = [(self.whole_number(low, here), self.whole_number(high, here)) for low, high in ranges]
        divide = 1.0 if divisor is None else float(self.plain(divisor, here))
        typed = []
        for one in values:
            plain = self.plain(one, here)
            plain = plain if divisor is None else float(plain) / divide
            typed.append(self.adapt(number(plain), kind))
        return kind, bounds, typed

    def plain(self, ast, scope):
        node = self.build(ast, scope)
        assert node.type is None, "a number is expected"
        return node.data

    def whole_number(self, ast, scope):
        value = self.plain(ast, scope)
        assert whole(value)
        return value

    def read_type(self, name):
        field = self.stencil.fields[name]
        return field["compute"] or arithmetic(field["type"]) if field["type"] in ("f16", "bf16") or field["compute"] \
            else field["type"]

    def adapt(self, node, kind):
        """A number of the source as a value of a type."""
        value = np.array([node.data], dtype=np.float64 if isinstance(node.data, float) else np.int64)
        return Node("const", kind, data=convert(value, "f64" if isinstance(node.data, float) else "i64", kind))

    def to(self, node, kind):
        if node.type is None:
            return self.adapt(node, kind)
        return node if node.type == kind else Node("convert", kind, (node,))

    def common(self, nodes, keep=False):
        """The nodes in their common type. With keep, values of one type stay in it."""
        kinds = {node.type for node in nodes if node.type is not None}
        if not kinds:
            kind = "i64" if all(whole(node.data) for node in nodes) else self.real
        elif keep and len(kinds) == 1 and all(node.type for node in nodes):
            return nodes
        else:
            kinds = {arithmetic(kind) for kind in kinds}
            kind = max(kinds, key=ARITHMETIC.index)
            if kind == "f32" and "f64" in kinds:
                kind = "f64"
            if not is_float(kind) and any(node.type is None and not whole(node.data) for node in nodes):
                kind = self.real
        return [self.to(node, kind) for node in nodes]

    def build(self, ast, scope):
        return getattr(self, "build_" + ast[0])(ast, scope)

    def build_num(self, ast, scope):
        return number(ast[1])

    def build_bool(self, ast, scope):
        return Node("const", "bool", data=np.array([ast[1]]))

    def build_un(self, ast, scope):
        inner = self.build(ast[2], scope)
        if ast[1] == "!":
            return Node("not", "bool", (inner,))
        if inner.type is None:
            return number(-inner.data)
        return self.negated(self.to(inner, arithmetic(inner.type)))

    @staticmethod
    def negated(node):
        """Two signs are none."""
        return node.args[0] if node.op == "neg" else Node("neg", node.type, (node,))

    def product(self, left, right):
        """A constant factor of 1 is none, one of -1 is a sign."""
        for factor, other in ((left, right), (right, left)):
            if factor.op == "const" and factor.data[0] in (1, -1) and factor.type != "bool":
                return other if factor.data[0] == 1 else self.negated(other)
        return Node("mul", left.type, (left, right))

    def build_cond(self, ast, scope):
        condition = self.build(ast[1], scope)
        yes, no = self.common([self.build(ast[2], scope), self.build(ast[3], scope)], keep=True)
        if condition.constant:
            return yes if self.known(condition) else no
        return Node("select", yes.type, (condition, yes, no))

    def known(self, condition):
        """Is a constant condition true?"""
        args = [self.known(arg) if arg.type == "bool" else arg.data[0] for arg in condition.args]
        if condition.op == "compare":
            return bool(COMPARE[condition.data](*args))
        if condition.op == "not":
            return not args[0]
        return {"&&": all, "||": any}[condition.op](args) if args else bool(condition.data[0])

    def build_bin(self, ast, scope):
        operator = ast[1]
        left, right = self.build(ast[2], scope), self.build(ast[3], scope)
        if operator in ("&&", "||"):
            return Node(operator, "bool", (left, right))
        if operator == "^":
            return self.power(left, right)
        if left.type is None and right.type is None and operator in "+-*/":
            return number(self.fold(operator, left.data, right.data))
        if operator in COMPARE:
            left, right = self.common([left, right], keep=True)
            return Node("compare", "bool", (left, right), operator)
        left, right = self.common([left, right])
        if operator == "*":
            return self.product(left, right)
        name = {"+": "add", "-": "sub", "/": "div", "%": "mod"}[operator]
        return Node(name, left.type, (left, right))

    @staticmethod
    def fold(operator, a, b):
        if whole(a) and whole(b):
            if operator == "/":
                return a // b if a % b == 0 else float(Fraction(a, b))
            return {"+": a + b, "-": a - b, "*": a * b}[operator]
        a, b = float(a), float(b)
        return {"+": a + b, "-": a - b, "*": a * b}[operator] if operator != "/" else a / b

    def power(self, base, exponent):
        count = exponent.data
        assert exponent.type is None and whole(count) and abs(count) <= 64, "only whole constant powers"
        if base.type is None:
            return number(base.data ** count if whole(base.data) and count >= 0 else float(base.data) ** count)
        base = self.to(base, arithmetic(base.type))
        if count == 0:
            return self.adapt(number(1), base.type)
        square, result, digits = base, None, abs(count)
        while digits:
            if digits & 1:
                result = square if result is None else Node("mul", base.type, (result, square))
            digits >>= 1
            if digits:
                square = Node("mul", base.type, (square, square))
        return result if count > 0 else Node("div", base.type, (self.adapt(number(1), base.type), result))

    def build_window(self, ast, scope):
        _, word, ranges, body = ast
        places = [{}]
        for at in range(0, len(ranges), 3) if not isinstance(ranges[0], tuple) else range(len(ranges)):
            variable, low, high = ranges[at]
            low, high = self.whole_number(low, scope), self.whole_number(high, scope)
            places = [{**place, variable: number(value)} for place in places for value in range(low, high + 1)]
        values = [self.build(body, Scope(scope.shift, {**scope.names, **place}, scope.parent)) for place in places]
        result = values[0]
        for value in values[1:]:
            if word in ("min", "max"):
                pair = self.common([result, value], keep=True)
                result = Node(word, pair[0].type, pair)
            elif result.type is None and value.type is None:
                result = number(self.fold("+" if word == "sum" else "*", result.data, value.data))
            else:
                pair = self.common([result, value])
                result = Node("add", pair[0].type, pair) if word == "sum" else self.product(*pair)
        return result

    def build_call(self, ast, scope):
        _, name, arguments, named = ast
        if name in self.stencil.functions:
            parameters, body = self.stencil.functions[name]
            names = {parameter: (argument, scope) for parameter, argument in zip(parameters, arguments)}
            return self.build(body, Scope(scope.shift, names, scope))
        if self.is_difference(name):
            return self.difference(name, arguments[0], dict(named), scope)
        values = [self.build(argument, scope) for argument in arguments]
        if name in ("min", "max"):
            if all(value.type is None for value in values):
                return number(min(value.data for value in values) if name == "min" else max(value.data for value in values))
            values = self.common(values, keep=True)
            result = values[0]
            for value in values[1:]:
                result = Node(name, value.type, (result, value))
            return result
        if name == "idiv":
            values = self.common(values)
            return Node("idiv", values[0].type, values)
        value = values[0]
        if name == "abs":
            if value.type is None:
                return number(abs(value.data))
            value = self.to(value, arithmetic(value.type))
            return Node("abs", value.type, (value,))
        if name in ("sqrt", "floor", "ceil"):
            kind = arithmetic(value.type) if value.type else self.real
            value = self.to(value, kind if is_float(kind) else "f32")
            return Node(name, value.type, (value,))
        if name.startswith("sat_"):
            return Node("saturate", name[4:], (value if value.type else self.adapt(value, self.real),))
        if name in DTYPES:
            if value.type is None:
                return self.adapt(value, name)
            # A value of this type already is no conversion.
            return self.to(value, name)
        raise SyntaxError(f"no function {name}")

    # ---- names ----

    def offsets(self, index, scope):
        """The offset along each axis and the level (0 for t) of what stands in brackets."""
        shift, level, place = [0] * self.rank, 0, 0
        for part in index:
            word, away = self.part(part, scope)
            if word == "t":
                level = away
            elif word is None:
                shift[place] = away
                place += 1
            else:
                shift[self.axes.index(word)] = away
        return tuple(shift), level

    def part(self, ast, scope):
        if ast[0] == "ref" and ast[2] is None and (ast[1] in self.axes or ast[1] == "t") and ast[1] not in scope.names:
            return ast[1], 0
        if ast[0] == "bin" and ast[1] in "+-":
            word, away = self.part(ast[2], scope)
            more = self.whole_number(ast[3], scope)
            return word, away + (more if ast[1] == "+" else -more)
        return None, self.whole_number(ast, scope)

    def build_ref(self, ast, scope):
        _, name, index = ast
        if name in scope.names:
            bound = scope.names[name]
            if isinstance(bound, Node):
                return bound
            argument, outer = bound
            shift, level = self.offsets(index, scope) if index else ((0,) * self.rank, 0)
            assert level == 0
            # What the function was moved by, and by how much its argument is moved in it.
            total = tuple(a + b for a, b in zip(scope.shift, shift))
            return self.build(argument, Scope(total, outer.names, outer.parent))
        stencil = self.stencil
        if name in stencil.weights:
            kind, ranges = stencil.weights[name]
            kind = kind or self.real
            place = self.place([(self.whole_number(a, scope), self.whole_number(b, scope)) for a, b in ranges], index, scope)
            return Node("weight", kind, data=(name, place))
        if name in self.constants:
            kind, bounds, value = self.constants[name]
            return value if bounds is None else value[self.place(bounds, index, scope)]
        if name in self.axes:
            return Node("coordinate", "i64", data=(self.axes.index(name), scope.shift[self.axes.index(name)]))
        if name == "t":
            return Node("time", "i64")
        if name[0] == "n" and name[1:] in self.axes:
            return Node("extent", "i64", data=self.axes.index(name[1:]))
        if name in stencil.params:
            return Node("param", stencil.params[name][0], data=name)
        if name in stencil.reduces:
            kind = arithmetic(self.build(stencil.reduces[name][1], Scope((0,) * self.rank, {})).type)
            return Node("reduction", kind, data=name)
        shift, level = self.offsets(index, scope) if index else ((0,) * self.rank, 0)
        total = tuple(a + b for a, b in zip(scope.shift, shift))
        if name in stencil.lets:
            return self.let(name, total)
        field = stencil.fields[name]
        if field["role"] == "out":
            level = 1
        if field["axes"]:
            total = tuple(away if axis in field["axes"] else 0 for axis, away in zip(self.axes, total))
        kind = self.read_type(name)
        read = Node("read", kind, data=(name, level, total))
        return read

    def place(self, bounds, index, scope):
        at = 0
        for (low, high), part in zip(bounds, index):
            value = self.whole_number(part, scope)
            assert low <= value <= high
            at = at * (high - low + 1) + value - low
        return at

    def let(self, name, shift):
        self.uses.setdefault(name, []).append(shift)
        if name not in self.let_nodes:
            self.let_nodes[name] = self.build(self.stencil.lets[name], Scope((0,) * self.rank, {}))
        node = self.let_nodes[name]
        if node.type is None or name in self.inlined:
            return node
        return Node("let", node.type, data=(name, shift, node))

    # ---- finite differences ----

    def is_difference(self, name):
        if name in self.stencil.fields or name in self.stencil.params or name in self.stencil.lets:
            return False
        return name == "laplacian" or (name[0] == "d" and name[1:] != "" and self.split_axes(name[1:]) is not None)

    def split_axes(self, text):
        if text in self.axes:
            return [text]
        for axis in self.axes:
            if text.startswith(axis) and text[len(axis):] in self.axes:
                return [axis, text[len(axis):]]
        return None

    @staticmethod
    def line(places, derivative):
        """Weights at these places that give the derivative at 0 of every polynomial of lower degree than there are places."""
        size = len(places)
        rows = [[Fraction(place) ** power for place in places] + [Fraction(0)] for power in range(size)]
        factorial = Fraction(1)
        for factor in range(1, derivative + 1):
            factorial *= factor
        rows[derivative][size] = factorial
        for column in range(size):
            pivot = next(row for row in range(column, size) if rows[row][column] != 0)
            rows[column], rows[pivot] = rows[pivot], rows[column]
            rows[column] = [value / rows[column][column] for value in rows[column]]
            for row in range(size):
                if row != column and rows[row][column] != 0:
                    rows[row] = [a - rows[row][column] * b for a, b in zip(rows[row], rows[column])]
        return [row[size] for row in rows]

    def difference(self, name, argument, named, scope):
        order = self.whole_number(named["order"], scope) if "order" in named else None
        if name == "laplacian":
            order = order or 2
            half = order // 2
            weights = self.line(range(-half, half + 1), 2)
            parts = [((0,) * self.rank, self.rank * weights[half])]
            for axis in range(self.rank):
                for away in range(1, half + 1):
                    for signed in (-away, away):
                        parts.append((tuple(signed if k == axis else 0 for k in range(self.rank)), weights[half + signed]))
            return self.weighted(parts, argument, scope)
        along = self.split_axes(name[1:])
        axes = [self.axes.index(axis) for axis in along]
        if "upwind" in named:
            def one_sided(side):
                return ("call", name, (argument,), (("side", ("num", side)), ("order", ("num", order or 1))))
            return self.build(("cond", ("bin", ">", named["upwind"], ("num", 0)), one_sided(-1), one_sided(1)), scope)
        if len(axes) == 2 and axes[0] != axes[1]:
            half = (order or 2) // 2
            weights = self.line(range(-half, half + 1), 1)
            parts = []
            first, second = sorted(axes)
            for i in range(-half, half + 1):
                for j in range(-half, half + 1):
                    parts.append((tuple(i if k == first else j if k == second else 0 for k in range(self.rank)),
                                  weights[half + i] * weights[half + j]))
            return self.weighted(parts, argument, scope)
        derivative, axis = len(axes), axes[0]
        if "side" in named:
            order = order or 1
            reach = order + derivative - 1
            places = list(range(-reach, 1)) if self.plain(named["side"], scope) < 0 else list(range(0, reach + 1))
            middle = Fraction(0)
        elif "at" in named:
            half = (order or 2) // 2
            after = self.plain(named["at"], scope) > 0
            places = list(range(1 - half, half + 1) if after else range(-half, half))
            middle = Fraction(1, 2) if after else Fraction(-1, 2)
        else:
            half = (order or 2) // 2
            places, middle = list(range(-half, half + 1)), Fraction(0)
        weights = self.line([place - middle for place in places], derivative)
        parts = [(tuple(place if k == axis else 0 for k in range(self.rank)), weight) for place, weight in zip(places, weights)]
        return self.weighted(parts, argument, scope)

    def weighted(self, parts, argument, scope):
        result = None
        for shift, weight in parts:
            if weight == 0:
                continue
            total = tuple(a + b for a, b in zip(scope.shift, shift))
            value = self.build(argument, Scope(total, scope.names, scope.parent))
            plain = weight.numerator if weight.denominator == 1 else exact.nearest(weight)
            pair = self.common([number(plain), value])
            term = self.product(*pair)
            if result is not None:
                pair = self.common([result, term])
                term = Node("add", pair[0].type, pair)
            result = term
        return result

    # ---- sums in canonical order ----

    def sum_terms(self, node):
        """The terms of a sum that takes the canonical form, or None."""
        if node.terms == 0:
            node.terms = None
            if is_float(node.type) and node.op in ("add", "sub", "neg", "mul", "div") and not node.scalar:
                found = []
                if self.collect(node, node.type, (), found) and len(found) > 1:
                    node.terms = found
        return node.terms

    def collect(self, node, kind, factors, found):
        if node.scalar:
            found.append(("scalar", factors, node))
            return True
        if node.op == "read" or (node.op == "convert" and node.args[0].op == "read"):
            read = node if node.op == "read" else node.args[0]
            if node.op == "convert" and read.type == "f64":
                return False
            found.append(("tap", factors, (read.data, node)))
            return True
        if node.op in ("add", "sub"):
            minus = (("neg", None),) if node.op == "sub" else ()
            return self.collect(node.args[0], kind, factors, found) and self.collect(node.args[1], kind, factors + minus, found)
        if node.op == "neg":
            return self.collect(node.args[0], kind, factors + (("neg", None),), found)
        if node.op == "mul":
            left, right = node.args
            if left.scalar:
                return self.collect(right, kind, factors + (("mul", left),), found)
            return right.scalar and self.collect(left, kind, factors + (("mul", right),), found)
        if node.op == "div" and node.args[1].scalar:
            return self.collect(node.args[0], kind, factors + (("div", node.args[1]),), found)
        return False

    # ---- what reads there are ----

    def reads(self, node, shift):
        """All (field, level, offset) that an expression reads, lets looked through."""
        if node.op == "read":
            name, level, away = node.data
            own = self.stencil.fields[name]["axes"]
            moved = tuple(a + b if not own or axis in own else 0 for a, b, axis in zip(away, shift, self.axes))
            return {(name, level, moved)}
        if (id(node), shift) not in self.read_by:
            if node.op == "let":
                found = self.reads(node.data[2], tuple(a + b for a, b in zip(node.data[1], shift)))
            else:
                found = set().union(*(self.reads(arg, shift) for arg in node.args))
            self.read_by[id(node), shift] = found
        return self.read_by[id(node), shift]

    def margin(self, value, tests):
        """How many cells at the low and at the high end of each axis a statement leaves out, because of what it reads."""
        margin = [[0, 0] for _ in self.axes]
        for name, level, away in self.reads(value, (0,) * self.rank).union(*(self.reads(test, (0,) * self.rank) for test in tests)):
            field = self.stencil.fields[name]
            missing = [[0, 0] for _ in self.axes]
            if field["role"] == "out":
                missing = self.margin(*next(rest for target, *rest in self.statements if target == name))
            for axis, word in enumerate(self.axes):
                if field["axes"] and word not in field["axes"]:
                    continue
                for end, side in enumerate(("lo", "hi")):
                    wall = self.sides.get((name, (word, side)), ("none",))[0] in ("fixed", "none")
                    if wall or any(missing[axis]):
                        over = away[axis] if end else -away[axis]
                        margin[axis][end] = max(margin[axis][end], missing[axis][end] + over)
        return margin

    def all_reads(self):
        nodes = [node for _, value, tests in self.statements for node in (value, *tests)]
        nodes += [node for _, _, value, tests, _ in self.reductions for node in (value, *tests)]
        return set().union(*(self.reads(node, (0,) * self.rank) for node in nodes))

    def oldest(self):
        """For each field the oldest level that is read, 0 for t."""
        levels = {name: 0 for name in self.stencil.fields}
        for name, level, _ in self.all_reads():
            levels[name] = min(levels[name], level)
        return levels

    def reads_new(self, reduction):
        """Is it computed after the updates of a step?"""
        _, _, value, tests, _ = reduction
        return any(level == 1 for node in (value, *tests) for _, level, _ in self.reads(node, (0,) * self.rank))

    def stages(self):
        """The fields in an order in which each comes after those whose new values it reads."""
        needs = {}
        for name, value, tests in self.statements:
            for node in (value, *tests):
                needs.setdefault(name, set()).update(
                    other for other, level, _ in self.reads(node, (0,) * self.rank) if level == 1 and other != name)
        done = []
        while needs:
            ready = [name for name in needs if not (needs[name] - set(done))]
            assert ready, "a circle"
            done += ready
            for name in ready:
                del needs[name]
        return done
