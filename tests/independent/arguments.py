"""Arguments of functions and differences: expanded where they are read, or values of their own."""

from nodes import Node
from values import is_float


class Argument:
    """One argument of one call, at the shift of the call."""

    def __init__(self, shift):
        self.shift, self.read_at, self.nodes = shift, set(), {}


class Arguments:
    """What Expressions builds of arguments, and what becomes of them when all their reads are known."""

    def argument(self, argument, shift, build):
        """The node for an argument that is read at a shift. What is no more than a read or a let is that."""
        argument.read_at.add(tuple(a - b for a, b in zip(shift, argument.shift)))
        if shift not in argument.nodes:
            node = build()
            inner = node.args[0] if node.op == "convert" else node
            plain = inner.op in ("read", "let", "argument") or id(inner) in self.expanded_lets
            if node.type is None or plain or not node.reads:
                return node
            argument.nodes[shift] = Node("argument", node.type, data=(argument, shift, node))
        return argument.nodes[shift]

    def resolve(self, node):
        """The same with arguments that are values of their own as lets, and the others expanded."""
        if node.op not in ("argument", "let") and not node.args:
            return node
        if id(node) not in self.resolved:
            self.resolved[id(node)] = node, self.resolve_new(node)
        return self.resolved[id(node)][1]

    def resolve_all(self, nodes):
        return [self.resolve(node) for node in nodes]

    def resolve_new(self, node):
        if node.op == "let":
            name, shift, inner = node.data
            return Node("let", node.type, data=(name, shift, self.resolve(inner)))
        if node.op == "argument":
            argument, shift, inner = node.data
            inner = self.resolve(inner)
            if not self.is_value(argument, inner):
                return inner
            back = tuple(-a for a in shift)
            return Node("let", node.type, data=(("argument", id(argument)), shift, self.moved(inner, back)))
        return Node(node.op, node.type, tuple(self.resolve(arg) for arg in node.args), node.data)

    def is_value(self, argument, node):
        if not self.canonical or argument.read_at == {(0,) * self.rank}:
            return False
        return not is_float(node.type) or not self.collect(node, node.type, (), [])

    def along(self, name, away, by):
        """An offset of a field, moved along those axes that the field has."""
        own = self.stencil.fields[name]["axes"]
        return tuple(a + b if not own or axis in own else a for a, b, axis in zip(away, by, self.axes))

    def moved(self, node, by):
        """An expression at another cell."""
        if node.op == "read":
            name, level, away = node.data
            return Node("read", node.type, data=(name, level, self.along(name, away, by)))
        if node.op == "coordinate":
            axis, away = node.data
            return Node("coordinate", node.type, data=(axis, away + by[axis]))
        if node.op == "let":
            name, shift, inner = node.data
            return Node("let", node.type, data=(name, tuple(a + b for a, b in zip(shift, by)), inner))
        if not node.args:
            return node
        key = id(node), by
        if key not in self.moved_nodes:
            self.moved_nodes[key] = node, Node(node.op, node.type, tuple(self.moved(arg, by) for arg in node.args), node.data)
        return self.moved_nodes[key][1]
