"""From the syntax of expressions to typed nodes."""

from fractions import Fraction

import numpy as np

from arguments import Argument, Arguments
from differences import Differences
from nodes import Node, Scope, number, whole
from values import ARITHMETIC, COMPARE, DTYPES, arithmetic, convert, is_float


class Expressions(Differences, Arguments):
    """Program's other half: it has a stencil, its axes and its real type."""

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
            kind = self.real
            if all(whole(node.data) for node in nodes):
                kind = "i32" if all(-2 ** 31 <= node.data < 2 ** 31 for node in nodes) else "i64"
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
        args = [self.known(arg) if arg.type == "bool" else self.constant(arg)[0] for arg in condition.args]
        if condition.op == "compare":
            return bool(COMPARE[condition.data](*args))
        if condition.op == "not":
            return not args[0]
        return {"&&": all, "||": any}[condition.op](args) if args else bool(condition.data[0])

    def constant(self, node):
        if node.op == "convert":
            return convert(self.constant(node.args[0]), node.args[0].type, node.type)
        assert node.op == "const", f"a condition of constants with {node.op}"
        return node.data

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
            names = {parameter: (argument, scope, Argument(scope.shift)) for parameter, argument in zip(parameters, arguments)}
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
        if name in ("bit_and", "bit_or", "bit_xor"):
            values = self.common(values)
            return Node(name, values[0].type, values)
        value = values[0]
        if name == "popcount":
            value = self.to(value, arithmetic(value.type)) if value.type else self.adapt(value, "i32")
            return Node("popcount", "i32", (value,))
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
            ast, outer, argument = bound
            shift, level = self.offsets(index, scope) if index else ((0,) * self.rank, 0)
            assert level == 0
            # What the function was moved by, and by how much its argument is moved in it.
            total = tuple(a + b for a, b in zip(scope.shift, shift))
            return self.argument(argument, total, lambda: self.build(ast, Scope(total, outer.names, outer.parent)))
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
            return Node("reduction", self.reduction_type(name), data=name)
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

    def reduction_type(self, name):
        """What it uses counts where it is declared, and not where it is read."""
        known = {let: list(uses) for let, uses in self.uses.items()}, dict(self.let_nodes)
        kind = arithmetic(self.build(self.stencil.reduces[name][1], Scope((0,) * self.rank, {})).type)
        self.uses, self.let_nodes = known
        return kind

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
        if node.type is not None and name in self.inlined:
            self.expanded_lets[id(node)] = node
        if node.type is None or name in self.inlined:
            return node
        return Node("let", node.type, data=(name, shift, node))
