"""Programs made by a seed, written from docs/language.md: each is right by the rules and uses what the page describes."""

import random
import re

AXES = (("x", "y", "z"), ("i", "j", "k"), ("a", "b", "c"), ("u", "v", "w"))
INT_BOUNDARIES = ("clamp", "reflect", "mirror", "periodic", "constant", "zero", "expr", "wall", "ghost")
REAL_BOUNDARIES = INT_BOUNDARIES + ("antireflect", "neumann", "antireflect", "neumann")
SMALL = {"u8": 8, "i8": 8, "i16": 16, "u16": 16, "i32": 32, "i64": 64}
EXACT = {"u8": 8, "i8": 7, "i16": 15, "u16": 16, "i32": 31, "f16": 11, "bf16": 8, "f32": 24, "f64": 53, "bool": 1}


class Maker:
    def __init__(self, name, seed):
        self.random = random.Random(seed)
        self.name = name
        self.lines = []
        self.make()

    # ---- small choices ----

    def chance(self, part):
        return self.random.random() < part

    def one(self, *what):
        return self.random.choice(what)

    def literal(self):
        """A number that needs rounding, or one that does not."""
        value = self.one("0.1", "0.3", "0.7", "1.3", "0.25", "0.5", "2", "3", "1.5", "0.9", "0.05", "1e-2", ".6", "2.", "5")
        return value

    # ---- a program ----

    def make(self):
        self.axes = list(self.one(*AXES))[:self.one(1, 1, 2, 2, 2, 3)]
        self.radius = self.one(1, 1, 2, 2, 3) if len(self.axes) < 3 else self.one(1, 1, 2)
        main = self.one("f32", "f32", "f32", "f64", "f64")
        self.reals = [main]
        if self.chance(0.25):
            self.reals = ["f32", "f64"]
        self.lets, self.params, self.fields, self.functions, self.arrays = {}, {}, {}, [], {}
        self.ghosts = self.chance(0.2)
        self.declare_params()
        self.declare_functions()
        self.declare_fields()
        self.declare_arrays()
        order = [name for name, field in self.fields.items() if field["role"] in ("", "out")]
        self.ready = []       # fields whose [t+1] may be read
        self.current = None
        for _ in range(self.one(0, 1, 1, 2)):
            self.declare_let()
        self.reductions = {}
        if self.chance(0.2):
            self.reduce("w0", before=True)
        for name in order:
            self.current = name
            self.assign(name)
            if self.fields[name]["role"] == "" or self.whole:
                self.ready.append(name)
        self.params.pop("w0", None)  # only updates may read it
        if self.chance(0.2):
            self.reduce("w1", before=False)
        self.line("", f"axes {', '.join(self.axes)};", first=True)
        self.text = f"stencil {self.name} {{\n" + "\n".join("  " + line for line in self.lines) + "\n}\n"
        self.text = "".join(self.functions) + self.text

    def line(self, _, text, first=False):
        self.lines.insert(0, text) if first else self.lines.append(text)

    def declare_params(self):
        for name in ("p", "q", "r")[:self.one(1, 2, 3)]:
            kind = self.one(*self.reals, *self.reals, "i32")
            self.params[name] = kind
            self.line("", f"param {kind} {name}{self.one('', ' = 2')};")

    def declare_functions(self):
        x = self.axes[0]
        bodies = {"mean": ("(g, h)", "0.5 * (g + h)"), "across": ("(g)", f"g[{x}+1] - g[{x}-1]"),
                  "limited": ("(g, h)", "g*h > 0 ? (abs(g) < abs(h) ? g : h) : 0*g"), "square": ("(g)", "g*g")}
        # The names of functions are those of all stencils of a file.
        self.known = {}
        for what in self.random.sample(sorted(bodies), self.one(0, 0, 1, 2)):
            name = f"{what}_{self.name}"
            self.known[what] = name
            self.functions.append(f"fn {name}{bodies[what][0]} = {bodies[what][1]};\n")

    def declare_fields(self):
        for number in range(self.one(1, 2, 2, 3, 4)):
            name = ("e", "f", "m", "s", "o")[number]
            role = "" if number == 0 and not self.chance(0.1) else self.one("", "in", "in", "out", "readonly")
            if number == 0 and role != "":
                role = "out"
            kinds = self.reals * 6 + ["f16", "bf16", "u8", "i32", "i16", "u16", "i8", "i64", "bool"]
            kind = self.one(*kinds) if number else self.one(*(self.reals * 12), "f16", "bf16", "u8", "i32", "i16", "i64")
            own = None
            if role in ("in", "readonly") and len(self.axes) > 1 and self.chance(0.2):
                own = sorted(self.random.sample(self.axes, self.one(*range(1, len(self.axes)))), key=self.axes.index)
            compute = " compute f64" if kind in ("f32", "f16", "bf16") and "f64" in self.reals and self.chance(0.3) else ""
            self.fields[name] = {"type": kind, "role": role, "axes": own or self.axes, "compute": bool(compute), "sides": {},
                                 "level": self.one(0, 0, 1, 2) if role == "" else 0}
            axes = f"({', '.join(own)})" if own else ""
            boundary = self.boundary(name)
            self.line("", f"field {kind} {name}{axes}{' ' + role if role else ''}{compute}{boundary}")

    def boundary(self, name):
        field = self.fields[name]
        kinds = REAL_BOUNDARIES if field["type"] in ("f32", "f64", "f16", "bf16") else INT_BOUNDARIES
        sides = field["sides"]
        if self.ghosts and field["axes"] == self.axes:
            kinds += ("ghost",) * 6
        if self.chance(0.05):
            return ";"
        if self.chance(0.35):
            text = self.kind(name, self.one(*kinds), self.axes)
            for axis in field["axes"]:
                sides[axis, "lo"] = sides[axis, "hi"] = text
            return f"  boundary {text};"
        parts = []
        for axis in field["axes"]:
            if self.chance(0.2):
                kind = self.kind(name, "periodic" if self.chance(0.6) else self.one(*kinds), self.axes)
                sides[axis, "lo"] = sides[axis, "hi"] = kind
                parts.append(f"{axis}: {kind};")
                continue
            for side in ("lo", "hi"):
                kind = self.one(*[kind for kind in kinds if kind != "periodic"])
                if self.chance(0.04):
                    continue
                text = self.kind(name, kind, self.axes)
                sides[axis, side] = text
                parts.append(f"{axis}.{side}: {text};")
        return f"  boundary {{ {' '.join(parts)} }}" if parts else ";"

    def kind(self, name, word, axes):
        field = self.fields[name]
        kind = field["type"]
        real = kind in ("f32", "f64", "f16", "bf16")
        read = "f64" if field["compute"] or kind == "f64" else "f32"
        if word == "wall":
            return "fixed" if field["role"] == "" and self.chance(0.7) else "none"
        if word == "ghost" and (not self.ghosts or field["axes"] != self.axes):
            word = "clamp"
        if word in ("constant", "expr", "neumann"):
            if not real:
                plain = self.one("1", "3", "7") if kind != "bool" else "true"
                if word == "expr" and kind not in ("bool",):
                    axis = self.one(*field["axes"])
                    plain = f"{kind}({axis} + 2*{self.one(*field['axes'])})" if kind != "i64" else f"3*{axis} - 1"
                return f"{word} {plain}"
            if word == "expr":
                axis, other = self.one(*field["axes"]), self.one(*field["axes"])
                return f"expr {self.one('0.5*', '')}{read}({axis}) - {read}({other})*{self.one('0.25', '2', '0.3')}"
            amount = self.one("1.5", "-0.3", "2", "0.7")
            suited = [name for name, param in self.params.items() if param == read or param == "f32"]
            if suited and self.chance(0.4):
                amount = self.one(*suited) + self.one("", " + 0.1", "*2")
                if word != "neumann" and self.chance(0.3):
                    amount += " + t"
            return f"{word} {amount}"
        return word

    def declare_arrays(self):
        if self.chance(0.3):
            radius = self.one(1, min(2, self.radius))
            values = ", ".join(self.literal() for _ in range(2 * radius + 1))
            divide = self.one("", " / 4", " / 7")
            kind = self.one(*self.reals)
            self.arrays["cw"] = (radius, kind)
            self.line("", f"const {kind} cw[-{radius}..{radius}] = {{ {values} }}{divide};")
        if self.chance(0.15):
            kind = self.one(*self.reals)
            self.arrays["rw"] = (1, kind)
            self.line("", f"weights {kind} rw[-1..1];")

    def declare_let(self):
        name = f"l{len(self.lets)}"
        kind = self.one(*self.reals)
        text = self.real(kind, self.one(1, 2))
        self.lets[name] = (kind, self.movable(text))
        self.line("", f"let {name} = {text};")

    def movable(self, text):
        """The sides to which what a text reads may be moved: none of its fields lacks a boundary there."""
        words = set(re.findall(r"[a-z]\w*", text))
        sides = {(axis, side) for axis in self.axes for side in ("lo", "hi")}
        for name, field in self.fields.items():
            if name in words:
                sides -= {(axis, side) for axis in field["axes"] for side in ("lo", "hi") if (axis, side) not in field["sides"]}
        for name in words & set(self.lets):
            sides &= self.lets[name][1]
        return sides

    def let(self, real, still=False):
        """A let at the cell or beside it, or None."""
        names = [name for name, (kind, _) in self.lets.items() if kind == real]
        if not names:
            return None
        name = self.one(*names)
        # What is moved may go both ways inside, so it needs both sides.
        axes = [axis for axis in self.axes if {(axis, "lo"), (axis, "hi")} <= self.lets[name][1]]
        if still or not axes or self.chance(0.4):
            return name
        return f"{name}[{self.one(*axes)}{self.one(-2, -1, 1, 2):+d}]"

    def reduce(self, name, before):
        """One number of all cells. What is computed before the step may be used in it."""
        self.current = name
        kind = self.one("sum", "sum", "prod", "min", "max", "norm2")
        real = self.one(*self.reals)
        text = self.real(real, 1) if kind != "prod" else f"1 + 0.1*{self.typed_read(real)}"
        if self.chance(0.2) and kind != "norm2":
            real, text = "i32", self.integer(1)
        self.line("", f"reduce {name} = {kind}({text}){self.clauses() if self.chance(0.4) else ''};")
        if before and real != "i32":
            self.params[name] = real

    # ---- statements ----

    def assign(self, name):
        field = self.fields[name]
        target = f"{name}[t+1]" if field["role"] == "" else name
        every = self.chance(0.75)
        # Only an `out` field that has a value in every cell may be read.
        self.whole = every and not any(side in ("fixed", "none") for other in self.fields.values() for side in other["sides"].values())
        self.line("", f"{target} = {self.value(field)}{'' if every else self.clauses()};")
        for _ in range(self.one(0, 0, 0, 1, 2)):
            real = field["type"] in ("f32", "f64") and not (field["type"] == "f32" and field["compute"])
            if real and self.chance(0.4) and (every or field["role"] == ""):
                value = self.real(field["type"], 1)
                self.line("", f"{target} {self.one('+=', '-=', '*=')} {value}{self.clauses()};")
            elif real and self.chance(0.5) and (every or field["role"] == ""):
                self.line("", f"{target} = min({target}, {self.real(field['type'], 1)}){self.clauses()};")
            else:
                self.line("", f"{target} = {self.value(field)}{self.clauses()};")

    def clauses(self):
        text = ""
        if self.chance(0.6):
            conditions = []
            for axis in self.random.sample(self.axes, self.one(1, 1, len(self.axes))):
                conditions.append(self.one(f"{axis} == 0", f"{axis} == n{axis} - 1", f"{axis} >= 1", f"{axis} < n{axis} - 2",
                                           f"{axis} > 1", f"{axis} <= 2", f"{axis} != 1" if False else f"{axis} < 3"))
            text += " on " + ", ".join(conditions)
        if not text or self.chance(0.3):
            text += f" where {self.condition(1, own=True)}"
        return text

    def value(self, field):
        """An expression that fits the field."""
        kind = field["type"]
        if kind in ("f32", "f64"):
            real = self.one(*self.reals)
            text = self.real(real, 3)
            return f"f32({text})" if kind == "f32" and real == "f64" else text
        if kind in ("f16", "bf16"):
            return f"{kind}({self.real(self.one(*self.reals), 2)})"
        if kind == "bool":
            return self.condition(2)
        if kind == "i64":
            return self.integer(2)
        if kind == "i32":
            return self.integer(2) if self.chance(0.6) else f"i32({self.real(self.one(*self.reals), 2)})"
        cast = self.one(f"sat_{kind}", kind)
        return f"{cast}({self.integer(2) if self.chance(0.5) else self.real(self.one(*self.reals), 2) + ' * 20'})"

    # ---- expressions ----

    def read(self, kinds, still=False):
        """A read of a field with one of these types, or None."""
        names = []
        for name, field in self.fields.items():
            new = field["role"] == "out"
            if field["type"] in kinds and not (new and name not in self.ready):
                names.append(name)
        if not names:
            return None
        name = self.one(*names)
        field = self.fields[name]
        parts = []
        if not still:
            for axis in field["axes"]:
                if self.chance(0.6 if len(field["axes"]) > 1 else 0.8):
                    away = self.one(*range(-self.radius, self.radius + 1))
                    side = field["sides"].get((axis, "lo" if away < 0 else "hi"))
                    if away and side:
                        parts.append(f"{axis}{away:+d}")
        if field["role"] == "":
            if name in self.ready and self.chance(0.4):
                parts.append("t+1")
            elif field["level"] and self.chance(0.3):
                parts.append(f"t-{self.one(*range(1, field['level'] + 1))}")
        self.random.shuffle(parts)
        return f"{name}[{', '.join(parts)}]" if parts else name

    def types(self, real):
        """Types of fields whose reads are, or become, this float type."""
        found = [real]
        for kind in ("f16", "bf16"):
            found.append(kind)
        return tuple(found) if real == "f32" else ("f64", "f64", "f32", *found)

    def typed_read(self, real, still=False):
        """A read, or a let, of the float type itself."""
        if self.lets and self.current and not still and self.chance(0.15) and self.let(real):
            return self.let(real)
        kinds = {name: "f64" if field["type"] == "f64" or field["compute"] else "f32" for name, field in self.fields.items()
                 if field["type"] in ("f32", "f64", "f16", "bf16")}
        for _ in range(4):
            read = self.read(("f32", "f64", "f16", "bf16"), still)
            if read and kinds[read.split("[")[0]] == real:
                return read
        read = self.read(("u8", "i32", "i16", "i8", "u16", "i64", "bool", "f32", "f64", "f16", "bf16"), still) or self.axes[0]
        return f"{real}({read})"

    def param(self, real):
        names = [name for name, kind in self.params.items() if kind == real or (real == "f64" and kind == "f32")]
        if not names:
            return self.literal()
        return self.one(*names)

    def weight(self, real):
        """A scalar factor in front, with its `*`."""
        if self.arrays and self.chance(0.2):
            name, (radius, kind) = self.random.choice(sorted(self.arrays.items()))
            if kind == real:
                return f"{name}[{self.one(*range(-radius, radius + 1))}]*"
        return self.one("", self.literal() + "*", self.literal() + "*", self.param(real) + "*", f"({self.param(real)} - {self.literal()})*",
                        f"{self.literal()}*{self.param(real)}*", "-", f"-{self.literal()}*", f"{self.literal()}/3*")

    def linear(self, real, depth):
        """A sum of products of scalars and reads, in some order and with groups."""
        terms = []
        for number in range(self.one(2, 2, 3, 4, 5)):
            if depth and self.chance(0.2):
                term = f"{self.weight(real)}({self.linear(real, depth - 1)})"
            elif number and self.chance(0.12):
                term = self.one(self.param(real), self.literal(), f"{self.param(real)}*{self.literal()}", f"({self.param(real)} + 1)")
            else:
                term = self.weight(real) + self.typed_read(real)
            if self.chance(0.12):
                term += self.one(f"*{self.literal()}", f"/{self.literal()}", f"/({self.param(real)}*{self.param(real)} + 1)")
            terms.append(term)
        text = terms[0]
        for term in terms[1:]:
            text += f" {self.one('+', '+', '-')} {term}"
        return text

    def real(self, real, depth):
        """An expression of a float type."""
        if depth <= 0:
            return self.typed_read(real)
        choice = self.random.randrange(16)
        if choice < 6:
            text = self.linear(real, 1)
            if self.chance(0.3):
                text += f" {self.one('+', '-')} {self.real(real, depth - 1)}*{self.typed_read(real)}"
            return text
        inner = self.real(real, depth - 1)
        if choice == 6:
            return f"({inner})*({self.real(real, depth - 1)})"
        if choice == 7:
            return f"{self.one('min', 'max')}({inner}, {self.one(self.typed_read(real), self.real(real, depth - 1))}{self.one('', ', 0', ', 0.5')})"
        if choice == 8:
            return f"({self.condition(1)} ? {inner} : {self.real(real, depth - 1)})"
        if choice == 9:
            return f"({inner})/(1.5 + {self.typed_read(real)}^2)"
        if choice == 10:
            return f"{self.one('abs', 'sqrt(abs', 'floor', 'ceil')}({inner})".replace("sqrt(abs(" + inner + ")", f"sqrt(abs({inner}))")
        if choice == 11:
            return f"({self.typed_read(real)})^{self.one(2, 2, 3, 4, 5, -1)} {self.one('+', '-')} {inner}"
        if choice == 12 and self.let(real):
            return f"({self.let(real)} {self.one('+', '-', '*')} {inner})"
        if choice == 13:
            return self.difference(real)
        if choice == 14 and self.known:
            what = self.one(*sorted(self.known))
            argument = f"({inner})" if self.chance(0.5) else self.typed_read(real, still=True)
            if what == "across":
                # It is moved, so what it reads needs both sides.
                moved = self.beside(real, 2)
                if moved and self.chance(0.7):
                    return f"{self.known[what]}({moved})"
                wide = self.wide()
                return f"{real}({self.known[what]}({wide}))" if wide else inner
            other = "" if what == "square" else f", {self.typed_read(real)}"
            return f"{self.known[what]}({argument}{other})"
        if choice == 15:
            for name, (radius, kind) in sorted(self.arrays.items()):
                wide = self.wide(radius)
                field = self.fields.get(wide)
                if wide and kind == real == ("f64" if field["compute"] or field["type"] == "f64" else "f32"):
                    i, x = "n", self.axes[0]
                    return f"sum({i} in -{radius}..{radius} : {name}[{i}]*{wide}[{x}+{i}])"
        return f"{real}({self.integer(1)}) {self.one('+', '-', '*')} {self.typed_read(real)}"

    def wide(self, radius=1, axes=None):
        """A float field that may be read along the first axis, or those named, to both sides."""
        names = [name for name, field in self.fields.items()
                 if field["type"] in ("f32", "f64", "f16", "bf16") and (field["role"] != "out" or name in self.ready)
                 and all((axis, side) in field["sides"] for axis in axes or self.axes[:1] for side in ("lo", "hi"))]
        return self.one(*names) if names else None

    def beside(self, real, depth):
        """An expression that may be read beside the cell in all directions; None: no field has all sides."""
        name = self.wide(axes=self.axes)
        if name is None:
            return None
        place = self.one("", "", f"[{self.one(*self.axes)}{self.one('-1', '+1')}]")
        read = f"{real}({name}{place})"
        if depth == 0 or self.chance(0.15):
            return read
        one, other = self.beside(real, depth - 1), self.beside(real, depth - 1)
        x = self.one(*self.axes)
        forms = [f"{one}*{other}", f"(0.25*{one} + 0.5*{read} - {other})", f"{self.one('min', 'max')}({one}, {other})",
                 f"abs({one}) - {other}", f"{one}/(1.5 + {other}^2)", f"d{x}({one}{self.one('', ', order = 4', ', at = +1/2')})",
                 f"laplacian({one})"]
        if "across" in self.known:
            forms += 3*[f"{self.known['across']}({one})"]
        if "square" in self.known:
            forms.append(f"{self.known['square']}({one})")
        return self.one(*forms)

    def difference(self, real):
        if self.chance(0.3):
            moved, x = self.beside(real, 2), self.one(*self.axes)
            if moved:
                return self.one(f"laplacian({moved})", f"d{x}({moved})", f"d{x}({moved}, order = 4)", f"d{x}({moved}, at = -1/2)",
                                f"d{x}{x}({moved})", f"d{x}({moved}, upwind = {self.typed_read(real)})")
        names = self.wide(axes=self.axes)
        if not names:
            return self.typed_read(real)
        field = self.fields[names]
        if field["axes"] != self.axes:
            return self.typed_read(real)
        x, y = self.one(*self.axes), self.one(*self.axes)
        text = self.one(f"laplacian({names})", f"laplacian({names}, order = 4)", f"d{x}({names})", f"d{x}{x}({names})",
                        f"d{x}({names}, order = 4)", f"d{x}({names}, side = {self.one('-1', '+1')})",
                        f"d{x}({names}, side = {self.one('-1', '+1')}, order = 2)", f"d{x}{y}({names})",
                        f"d{x}({names}, upwind = {self.param('f32')} - 1)", f"d{x}({names}, at = {self.one('+1/2', '-1/2')}, order = 4)")
        kind = "f64" if field["type"] == "f64" or field["compute"] else "f32"
        text = text if kind == real else f"{real}({text})"
        return f"{self.weight(real)}{text} + {self.typed_read(real)}"

    def integer(self, depth):
        """An expression of i32 or i64."""
        kinds = ("u8", "i8", "i16", "u16", "i32") if self.fields.get(self.current, {"type": ""})["type"] != "i64" \
            else ("u8", "i8", "i16", "u16", "i32", "i64")
        if depth <= 0:
            return self.read(kinds) or self.one("1", "2", "3")
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        return self.one(f"{a} + {b}", f"({a} - {b})", f"({a})*({b})", f"idiv({a} + 3, {self.one('2', '3', '-4', b)})",
                        f"({a} + 5) % {self.one('3', '7', '-4')}", f"min({a}, {b})", f"max({a}, {b})", f"abs({a} - 100)",
                        f"({self.condition(1)} ? {a} : {b} + 1)", f"2*({a}) + 1", f"-({a})", f"({a})^2",
                        f"sat_u8({a} - 20)", f"bit_and({a}, {self.one('7', b)})", f"bit_or({a}, {b})", f"bit_xor({a}, {b})", f"popcount({a})",
                        f"({a} % 2 + idiv({a}, 2) % 2 + idiv({a}, 8) % 2 + {b})", f"i16({a})", f"i32(3*({a}))")

    def condition(self, depth, own=False):
        real = self.one(*self.reals)
        if depth > 1 and self.chance(0.5):
            return self.one(f"({self.condition(depth - 1)} && {self.condition(depth - 1)})",
                            f"({self.condition(depth - 1)} || {self.condition(depth - 1)})", f"!({self.condition(depth - 1)})")
        sign = self.one("<", ">", "<=", ">=")
        axis = self.one(*self.axes)
        flags = self.read(("bool",), still=own)
        if flags and self.chance(0.4):
            return flags
        return self.one(f"{self.typed_read(real, still=own)} {sign} {self.literal()}",
                        f"{self.typed_read(real, still=own)} {sign} {self.typed_read(real, still=own)}",
                        f"({axis} + t) % 2 == 0", f"{axis} {sign} 1", f"{self.typed_read(real, still=own)} != 0")


def make(name, seed):
    return Maker(name, seed).text


if __name__ == "__main__":
    import sys
    print(make("program", int(sys.argv[1])))
