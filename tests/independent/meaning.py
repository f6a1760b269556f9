"""What a stencil computes, by docs/language.md alone. Nothing here is taken from the compiler.

`Program(stencil, order, fused)` types the statements; `running.Run` takes steps on NumPy arrays. Grids are arrays whose last index
is the first axis, values are arrays of one number for each cell that is looked at, or of length 1 where all have the same.
"""

from expressions import Expressions
from nodes import Scope
from values import arithmetic, is_float


class Program(Expressions):
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
        self.statements = [(name, self.resolve(value), self.resolve_all(tests)) for name, value, tests in self.statements]
        self.reductions = [(name, kind, self.resolve(value), self.resolve_all(tests), margin)
                           for name, kind, value, tests, margin in self.reductions]
        self.sides = {key: (word, node and self.resolve(node)) for key, (word, node) in self.sides.items()}
        self.margins = [self.margin(value, tests) for _, value, tests in self.statements]
        self.order_of_fields = self.stages()

    # ---- from the text to typed statements ----

    def prepare(self):
        self.uses, self.let_nodes, self.read_by = {}, {}, {}
        self.expanded_lets, self.resolved, self.moved_nodes = {}, {}, {}
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
                return self.distribute(("mul", left), right, kind, factors, found)
            return right.scalar and self.distribute(("mul", right), left, kind, factors, found)
        if node.op == "div" and node.args[1].scalar:
            return self.distribute(("div", node.args[1]), node.args[0], kind, factors, found)
        return False

    def distribute(self, factor, node, kind, factors, found):
        """A factor goes into the weights, unless it is known at run time alone and the taps are many."""
        before = len(found)
        if not self.collect(node, kind, factors + (factor,), found):
            return False
        return factor[1].constant or sum(term[0] == "tap" for term in found[before:]) <= 64

    # ---- what reads there are ----

    def reads(self, node, shift):
        """All (field, level, offset) that an expression reads, lets looked through."""
        if node.op == "read":
            name, level, away = node.data
            own = self.stencil.fields[name]["axes"]
            moved = tuple(a + b if not own or axis in own else 0 for a, b, axis in zip(away, shift, self.axes))
            return {(name, level, moved)}
        if (id(node), shift) not in self.read_by:
            if node.op in ("let", "argument"):
                by = node.data[1] if node.op == "let" else (0,) * self.rank
                found = self.reads(node.data[2], tuple(a + b for a, b in zip(by, shift)))
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

    def count(self, ranges):
        """How many numbers an array with these ranges holds."""
        here, total = Scope((0,) * self.rank, {}), 1
        for low, high in ranges:
            total *= self.whole_number(high, here) - self.whole_number(low, here) + 1
        return total

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
