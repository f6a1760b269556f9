"""A parser of .stn texts, written from docs/language.md alone: it takes what right programs hold and finds few faults."""

import os
import re

TOKEN = re.compile(r"""
  (?P<skip>[ \t\r\n\v\f]+|//[^\n]*|\#[^\n]*|/\*.*?\*/)
| (?P<num>(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][-+]?\d+)?)
| (?P<file>"[^"\n]+")
| (?P<name>[A-Za-z_]\w*)
| (?P<op>\.\.|\+=|-=|\*=|/=|<=|>=|==|!=|&&|\|\||[-+*/%^<>!?:;,.=(){}\[\]])
""", re.VERBOSE | re.DOTALL)

STRENGTH = [["||"], ["&&"], ["<", "<=", ">", ">=", "==", "!="], ["+", "-"], ["*", "/", "%"]]


class Stencil:
    def __init__(self, name):
        self.name = name
        self.axes = []
        self.params = {}      # name: (type, default or None), as declared
        self.consts = {}      # name: (type, expression or (ranges, expressions, divisor or None))
        self.weights = {}     # name: (type or None, ranges)
        self.fields = {}      # name: dict, as declared
        self.lets = {}        # name: expression
        self.functions = {}   # name: (parameters, expression)
        self.updates = []     # (field, is_next, operator or "", expression, [conditions], mask or None)
        self.reduces = {}     # name: (kind, expression, [conditions], mask or None)


class Parser:
    def __init__(self, text, folder=""):
        self.folder = folder
        self.tokens = []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise SyntaxError(f"what is this? {text[at:at + 20]!r}")
            if match.lastgroup != "skip":
                self.tokens.append((match.lastgroup, match.group()))
            at = match.end()
        self.tokens.append(("end", ""))
        self.at = 0

    # ---- tokens ----

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1][1]

    def accept(self, *words):
        if self.peek() in words and self.tokens[self.at][0] != "end":
            return self.take()
        return None

    def expect(self, word):
        if self.peek() != word:
            raise SyntaxError(f"`{word}` expected, not `{' '.join(token[1] for token in self.tokens[self.at:self.at + 8])}`")
        return self.take()

    def listed(self, item):
        items = [item()]
        while self.accept(","):
            items.append(item())
        return items

    # ---- declarations ----

    def file(self):
        stencils, shared = [], Stencil("")
        self.items(shared, stencils)
        for stencil in stencils:
            stencil.functions = {**shared.functions, **stencil.functions}
            stencil.consts = {**shared.consts, **stencil.consts}
        return stencils

    def items(self, shared, stencils=None):
        """What stands in a file. Of one that is used only what stands beside its stencils counts."""
        stencils = [] if stencils is None else stencils
        while self.peek():
            if self.accept("stencil"):
                stencils.append(self.stencil())
            elif self.accept("use"):
                with open(os.path.join(self.folder, self.take().strip('"'))) as file:
                    Parser(file.read(), self.folder).items(shared)
                self.expect(";")
            else:
                self.item(shared)

    def stencil(self):
        stencil = Stencil(self.take())
        self.expect("{")
        while not self.accept("}"):
            self.item(stencil)
        return stencil

    def item(self, stencil):
        word = self.peek()
        if word in ("axes", "param", "const", "weights", "field", "boundary", "let", "fn", "reduce"):
            self.take()
            getattr(self, "item_" + word)(stencil)
        else:
            self.update(stencil)

    def item_axes(self, stencil):
        stencil.axes = self.listed(self.take)
        self.expect(";")

    def item_param(self, stencil):
        kind = self.take()
        for name, default in self.listed(lambda: (self.take(), self.expression() if self.accept("=") else None)):
            stencil.params[name] = (kind, default)
        self.expect(";")

    def ranges(self):
        self.expect("[")
        ranges = self.listed(lambda: (self.expression(), self.expect(".."), self.expression())[::2])
        self.expect("]")
        return ranges

    def item_const(self, stencil):
        kind = self.take()

        def one():
            name = self.take()
            ranges = self.ranges() if self.peek() == "[" else None
            self.expect("=")
            if not self.accept("{"):
                value = self.expression()
            else:
                values = self.listed(self.expression)
                self.expect("}")
                value = (ranges, values, self.expression() if self.accept("/") else None)
            stencil.consts[name] = (kind, value)
        self.listed(one)
        self.expect(";")

    def item_weights(self, stencil):
        kind = self.take() if self.peek(1) != "[" else None
        for name, ranges in self.listed(lambda: (self.take(), self.ranges())):
            stencil.weights[name] = (kind, ranges)
        self.expect(";")

    def item_field(self, stencil):
        kind = self.take()

        def one():
            name = self.take()
            axes = None
            if self.accept("("):
                axes = self.listed(self.take)
                self.expect(")")
            role = self.accept("in", "readonly", "out", "inout")
            stencil.fields[name] = {"type": kind, "axes": axes, "role": role, "compute": None, "sides": {}}
            return name
        names = self.listed(one)
        if self.accept("compute"):
            compute = self.take()
            for name in names:
                stencil.fields[name]["compute"] = compute
        if self.accept("boundary"):
            self.boundary(stencil, names)
        else:
            self.expect(";")

    def item_boundary(self, stencil):
        self.boundary(stencil, self.listed(self.take))

    def boundary(self, stencil, names):
        if self.accept("{"):
            while not self.accept("}"):
                axis = self.take()
                sides = [self.take()] if self.accept(".") else ["lo", "hi"]
                self.expect(":")
                kind = self.kind()
                for name in names:
                    for side in sides:
                        stencil.fields[name]["sides"][axis, side] = kind
                self.accept(";")
            self.accept(";")
        else:
            kind = self.kind()
            for name in names:
                for axis in stencil.fields[name]["axes"] or stencil.axes:
                    for side in ("lo", "hi"):
                        stencil.fields[name]["sides"][axis, side] = kind
            self.expect(";")

    def kind(self):
        word = self.take()
        if word in ("constant", "expr", "neumann"):
            return word, self.expression()
        return ("constant", ("num", 0)) if word == "zero" else (word, None)

    def item_let(self, stencil):
        name = self.take()
        self.expect("=")
        stencil.lets[name] = self.expression()
        self.expect(";")

    def item_fn(self, stencil):
        name = self.take()
        self.expect("(")
        parameters = self.listed(self.take)
        self.expect(")")
        self.expect("=")
        stencil.functions[name] = (parameters, self.expression())
        self.expect(";")

    def clauses(self):
        conditions = self.listed(self.expression) if self.accept("on") else []
        mask = self.expression() if self.accept("where") else None
        return conditions, mask

    def item_reduce(self, stencil):
        name = self.take()
        self.expect("=")
        kind = self.take()
        self.expect("(")
        expression = self.expression()
        self.expect(")")
        stencil.reduces[name] = (kind, expression, *self.clauses())
        self.expect(";")

    def update(self, stencil):
        name = self.take()
        is_next = False
        if self.accept("["):
            for token in ("t", "+", "1", "]"):
                self.expect(token)
            is_next = True
        operator = self.accept("+=", "-=", "*=", "/=")
        if not operator:
            self.expect("=")
        expression = self.expression()
        stencil.updates.append((name, is_next, operator[0] if operator else "", expression, *self.clauses()))
        self.expect(";")

    # ---- expressions ----

    def expression(self):
        condition = self.chain(0)
        if not self.accept("?"):
            return condition
        yes = self.expression()
        self.expect(":")
        return ("cond", condition, yes, self.expression())

    def chain(self, level):
        if level == len(STRENGTH):
            return self.front()
        left = self.chain(level + 1)
        while True:
            operator = self.accept(*STRENGTH[level])
            if not operator:
                return left
            left = ("bin", operator, left, self.chain(level + 1))

    def front(self):
        operator = self.accept("-", "+", "!")
        if operator:
            inner = self.front()
            return inner if operator == "+" else ("un", operator, inner)
        return self.power()

    def power(self):
        base = self.primary()
        return ("bin", "^", base, self.front()) if self.accept("^") else base

    def primary(self):
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        group, word = self.tokens[self.at]
        self.take()
        if group == "num":
            return ("num", int(word) if word.isdigit() else float(word))
        if group != "name":
            raise SyntaxError(f"an expression expected, not `{word}`")
        if word in ("true", "false"):
            return ("bool", word == "true")
        if self.accept("["):
            index = self.listed(self.expression)
            self.expect("]")
            return ("ref", word, tuple(index))
        if self.accept("("):
            if word in ("sum", "prod", "min", "max") and self.peek(1) == "in":
                ranges = self.listed(lambda: (self.take(), self.expect("in"), self.expression(), self.expect(".."),
                                              self.expression())[::2])
                self.expect(":")
                body = self.expression()
                self.expect(")")
                return ("window", word, tuple(ranges), body)
            arguments, named = [], []
            while not self.accept(")"):
                if self.peek(1) == "=":
                    name = self.take()
                    self.take()
                    named.append((name, self.expression()))
                else:
                    arguments.append(self.expression())
                self.accept(",")
            return ("call", word, tuple(arguments), tuple(named))
        return ("ref", word, None)


def parse(text, folder=""):
    return Parser(text, folder).file()
