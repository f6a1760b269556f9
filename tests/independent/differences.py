"""Finite differences: sums of neighbours with weights that are derived here."""

from fractions import Fraction

import exact
from arguments import Argument
from nodes import Node, Scope, number


class Differences:
    """What Expressions makes of `laplacian(u)` and `dx(u)`."""

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
        result, read = None, Argument(scope.shift)
        for shift, weight in parts:
            if weight == 0:
                continue
            total = tuple(a + b for a, b in zip(scope.shift, shift))
            there = Scope(total, scope.names, scope.parent)
            value = self.argument(read, total, lambda: self.build(argument, there))
            plain = weight.numerator if weight.denominator == 1 else exact.nearest(weight)
            pair = self.common([number(plain), value])
            term = self.product(*pair)
            if result is not None:
                pair = self.common([result, term])
                term = Node("add", pair[0].type, pair)
            result = term
        return result
