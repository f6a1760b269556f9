"""Typed expressions."""


class Node:
    """A typed expression. type is None for a number of the source, which has no type yet."""
    __slots__ = ("op", "type", "args", "data", "scalar", "constant", "terms", "reads")

    def __init__(self, op, kind, args=(), data=None):
        self.op, self.type, self.args, self.data = op, kind, tuple(args), data
        self.scalar = op not in ("read", "coordinate") and all(arg.scalar for arg in self.args)
        self.constant = op in ("number", "const") or (bool(args) and all(arg.constant for arg in self.args))
        self.reads = op == "read" or any(arg.reads for arg in self.args)
        if op in ("let", "argument"):
            self.scalar, self.constant, self.reads = data[2].scalar, False, data[2].reads
        self.terms = 0  # not looked for yet


def number(value):
    return Node("number", None, data=value)


class Scope:
    """Where an expression stands: how far it is moved, and the names of functions' parameters and windows' variables."""

    def __init__(self, shift, names, parent=None):
        self.shift, self.names, self.parent = shift, names, parent


def whole(value):
    return isinstance(value, int)
