"""Wrong calls: what is refused before anything runs, with the argument and what would mend it."""

import os
import unittest
import warnings

import numpy as np

import stencilc
from support import ROOT, TestCase, numbers, programs


class Names(TestCase):
    def heat(self, **values):
        u = numbers(4, 5)
        return programs().heat, {"u": u, "source": np.zeros((4, 5), np.float32), "q": 1, **values}

    def wrong(self, kind, words, **values):
        step, arguments = self.heat(**values)
        u = arguments["u"]
        before = np.array(u, copy=True) if isinstance(u, np.ndarray) else None
        self.refused(kind, words, step, **arguments)
        if before is not None:
            self.assert_same(u, before)

    def test_unknown(self):
        self.wrong(TypeError, "`heat` takes no `sourc`; did you mean `source`?", sourc=1)
        self.wrong(TypeError, "`heat` takes no `Q`; did you mean `q`?", Q=1)
        self.wrong(TypeError, "there are `u`, `source`, `a`, `q` and `steps`", zzzzz=1)
        self.wrong(TypeError, "`heat` takes no `step`; did you mean `steps`?", step=1)
        self.wrong(TypeError, "did you mean `u`?", U=1)

    def test_missing(self):
        self.wrong(TypeError, "`u` is missing; pass an array of f32 with the axes [y, x]", u=None)
        self.wrong(TypeError, "the param `q` is missing; it has no default", q=None)
        p = np.zeros((3, 3))
        self.refused(TypeError, ["`p_prev` is missing: level t-1 of `p`", "`p_prev=p.copy()`"], programs().wave, p=p)

    def test_positional(self):
        step, values = self.heat()
        self.refused(TypeError, ["by name", "step(u=u, source=source, q=..., steps=100)"], step, values["u"])

    def test_the_second_call_is_checked_like_the_first(self):
        step, values = self.heat()
        step(**values)
        self.refused(TypeError, "takes no `w`", step, **values, w=1)
        self.refused(TypeError, "`q` takes a number, and got 'x'", step, **{**values, "q": "x"})
        self.refused(TypeError, "`source` is missing", step, u=values["u"], q=1)
        step(**values)
        values["u"].flags.writeable = False
        self.refused(ValueError, "`u` is read-only", step, **values)

    def test_steps(self):
        self.wrong(ValueError, "`steps` is -1; it must be at least 0", steps=-1)
        self.wrong(TypeError, "`steps` takes an integer, and got 1.5", steps=1.5)
        self.wrong(TypeError, "does not use the number of the step, and takes no `first`", first=3)
        self.wrong(TypeError, "compiled for the CPU, and takes no `stream`", stream=1)
        img, w = numbers(4, 4), np.zeros((3, 2))
        self.refused(TypeError, "`filter` takes a single pass, and no `steps`", programs().filter, img=img, w=w, steps=2)
        self.refused(TypeError, "takes a single pass", programs().filter.every, 2, img=img, w=w)
        self.refused(TypeError, "`steps=10_000`", programs().heat.every, 2, u=img, source=img, q=1)
        self.refused(TypeError, "`heat` takes no `stepz`; did you mean `steps`?", programs().heat.every, 2, u=img, stepz=3)
        self.refused(ValueError, "`n` is 0", programs().heat.every, 0, u=img, source=img, q=1, steps=2)

    def test_params(self):
        self.wrong(TypeError, "`a` takes one number, and got an array of shape (2,)", a=np.zeros(2))
        self.wrong(TypeError, "`a` takes a number, and got '0.5'", a="0.5")
        for much in (1e39, 10**400, np.float64(-1e300)):
            self.wrong(ValueError, ["`a` is of type f32, which cannot hold ", repr(much)], a=much)
        n = np.zeros(3, np.int64)
        self.refused(TypeError, "`steps` takes an integer, and got 0.5", programs().clock, first=n, steps=0.5)
        self.refused(ValueError, "`steps` is of type i32", programs().clock, first=n, steps=2**31)
        self.refused(TypeError, "`both` takes True or False, and got 2", programs().flip, b=np.zeros(2, bool), both=2)


class Arrays(TestCase):
    def wrong(self, kind, words, **values):
        u, source = numbers(4, 5), np.zeros((4, 5), np.float32)
        self.refused(kind, words, programs().heat, **{"u": u, "source": source, "q": 1, **values})

    def test_not_an_array(self):
        self.wrong(TypeError, "`u` takes an array, and got a list; make it an array with `np.array(...)`", u=[[1]])
        self.wrong(TypeError, "`source` takes an array, and got 3", source=3)
        self.wrong(TypeError, "`u` is a masked array", u=np.ma.array(np.zeros((4, 5), np.float32)))

    def test_types(self):
        self.wrong(TypeError, ["`u` is an array of float64", "`u.astype(np.float32)`"], u=np.zeros((4, 5)))
        self.wrong(TypeError, ["`source` is an array of >f4", "np.float32"], source=np.zeros((4, 5), ">f4"))
        self.refused(TypeError, "np.bool_", programs().flip, b=np.zeros(2, np.uint8))
        self.refused(
            TypeError,
            ["`u` is an array of uint16, and the field is of type f16", "np.float16"],
            programs().half,
            u=np.zeros(2, np.uint16),
            v=np.zeros(2, np.uint16),
        )

    def test_shapes(self):
        self.wrong(ValueError, "`source` has the shape (4, 6) and `u` has (4, 5); the arrays of a call have one shape",
                   source=np.zeros((4, 6), np.float32))  # fmt: skip
        self.wrong(ValueError, "`u` has the shape (5,); an array of `u` has the axes [y, x]", u=np.zeros(5, np.float32))
        self.wrong(ValueError, "there must be one cell at least", u=np.zeros((0, 5), np.float32))
        u = numbers(3, 4, 6)
        plane, row = numbers(4, 6), numbers(6)
        self.refused(
            ValueError, ["`plane` has the shape (4, 5)", "has (4, 6)"], programs().shift3, u=u, plane=plane[:, :5], row=row
        )
        self.refused(ValueError, "`row` has the shape (4,)", programs().shift3, u=u, plane=plane, row=row[:4])
        v = numbers(6, 6)
        self.refused(ValueError, ["(6, 4)", "a halo of 2 at each end"], programs().ghosts, u=v[:, :4], v=v)

    def test_strides(self):
        u = numbers(4, 5)
        self.wrong(ValueError, ["rows of `source` are 8 elements apart and those of `u` are 5", "`np.ascontiguousarray(source)`"],
                   source=np.zeros((4, 8), np.float32)[:, :5])  # fmt: skip
        self.wrong(ValueError, "`np.ascontiguousarray(u)`", u=np.zeros((4, 8), np.float32)[:, :5])
        self.wrong(ValueError, "`np.ascontiguousarray(...)` of both", u=np.zeros((4, 9), np.float32)[:, :5],
                   source=np.zeros((4, 8), np.float32)[:, :5])  # fmt: skip
        self.wrong(ValueError, ["Fortran order", "copy the result back"], u=np.asfortranarray(u))
        self.wrong(ValueError, "runs backwards", u=u[:, ::-1])
        self.wrong(ValueError, "runs backwards", u=u[::-1])
        self.wrong(ValueError, "strides (40, 8)", u=numbers(4, 10)[:, ::2])
        self.wrong(ValueError, "is broadcast", source=np.broadcast_to(np.float32(1), (4, 5)))

    def test_memory(self):
        u = numbers(4, 5)
        self.wrong(ValueError, "`heat`: `u` and `source` share memory and `u` is written", u=u, source=u)
        p = np.zeros((4, 4))
        self.refused(ValueError, "`p` and `p_prev` share memory", programs().wave, p=p, p_prev=p)
        locked = u.copy()
        locked.flags.writeable = False
        self.wrong(ValueError, ["`u` is read-only", "`step.out(...)`"], u=locked)
        odd = np.zeros(4 * 5 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(4, 5)
        self.wrong(ValueError, "`u` does not begin at a multiple of its element size", u=odd)

    def test_a_read_only_input_is_fine(self):
        source = np.zeros((4, 5), np.float32)
        source.flags.writeable = False
        programs().heat(u=numbers(4, 5), source=source, q=1)


class Lists(TestCase):
    def shots(self, **values):
        u = np.zeros((4, 5), np.float32)
        common = {"u": u, "u_prev": u.copy(), "sources": [(1, 1)], "receivers": [(1, 1)], "pulse": np.zeros((4, 1))}
        return programs().shots, {**common, "steps": 2, **values}

    def wrong(self, kind, words, **values):
        step, arguments = self.shots(**values)
        self.refused(kind, words, step, **arguments)

    def test_weights(self):
        img = numbers(4, 4)
        self.refused(TypeError, "the weights `w` are missing; pass an array of shape (3, 2)", programs().filter, img=img)
        self.refused(TypeError, "`w` takes numbers, and got 'heavy'", programs().filter, img=img, w="heavy")
        self.refused(ValueError, "`w[-1..1, -1..0]` has the shape (3, 2), and got (2, 3)", programs().filter, img=img,
                     w=np.zeros((2, 3)))  # fmt: skip

    def test_points(self):
        self.wrong(TypeError, "the points `sources` are missing; pass an array of shape (points, 2), of (x, y)", sources=None)
        self.wrong(
            ValueError, "`receivers` has the shape (points, 2), each row being (x, y), and got (1, 3)", receivers=[(1, 2, 3)]
        )
        self.wrong(TypeError, "`sources` takes integers, and got float64", sources=[(0.5, 1)])
        self.wrong(ValueError, "`sources` holds values from 0 to 4294967296", sources=[(0, 2**32)])
        step, values = self.shots(sources=[], pulse=np.zeros((4, 0)))
        self.assertEqual(step(**values).shape, (2, 1))

    def test_series(self):
        self.wrong(TypeError, "the series `pulse` is missing", pulse=None)
        self.wrong(
            ValueError, "`pulse` has the shape (steps, 1), a column for each of the points `sources`", pulse=np.zeros((4, 2))
        )
        self.wrong(ValueError, "the series `pulse` holds 4 steps and the run takes steps 0 to 4", steps=5)
        self.wrong(TypeError, "`trace` is written", trace=np.zeros((4, 1)))


class Compiler(TestCase):
    def test_diagnostics(self):
        text = "stencil s {\n  axes x;\n  field f32 u;\n  u[t+1] = v;\n}\n"
        with self.assertRaises(stencilc.CompileError) as caught:
            stencilc.compile(text)
        (found,) = caught.exception.diagnostics
        self.assertEqual((found.code, found.level, found.line, found.column), ("STN0201", "error", 4, 12))
        self.assertIn("`v` is not declared", found.message)
        self.assertIn("   4 |   u[t+1] = v;", str(caught.exception))
        self.assertTrue(any(child.level == "help" for child in found.children))

    def test_files_and_options(self):
        self.refused(FileNotFoundError, f"there is no file `no_such.stn` in {os.getcwd()}", stencilc.compile, "no_such.stn")
        near = os.path.join(ROOT, "examples", "gray_scot.stn")
        self.refused(FileNotFoundError, f"there is no file `{near}`; did you mean `gray_scott.stn`?", stencilc.compile, near)
        self.refused(FileNotFoundError, "because there is no folder `nowhere`", stencilc.compile, "nowhere/heat.stn")
        self.refused(TypeError, "`compile` takes no `optimize`; did you mean `optimise`?", stencilc.compile, near, optimize=3)
        self.refused(ValueError, "`source` is empty", stencilc.compile, "")
        self.refused(TypeError, "`source` takes the name of a file, or the text of a program as a str, and got bytes",
                     stencilc.compile, b"stencil s {}")  # fmt: skip
        self.refused(ValueError, "target='gpu'", stencilc.compile, "stencil s {}", target="gpu")
        self.refused(ValueError, "--size", stencilc.compile, "stencil s { axes x; field f32 u; u[t+1] = u; }", size="1y2")
        self.refused(stencilc.CompileError, "STN0601", stencilc.compile, "stencil s { axes x; field f32 u; u[t+1] = 2*u; }",
                     schedule="nonsense")  # fmt: skip

    def test_warnings(self):
        text = "stencil s { axes x; param f32 k = 1; field f32 u; u[t+1] = 2*u; }\n"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            stencilc.compile(text, optimise=0)
        self.assertEqual([one.category for one in caught], [stencilc.CompileWarning])
        self.assertIn("`k`", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)
        self.refused(stencilc.CompileError, "`k`", stencilc.compile, text, optimise=0, warning=["error"])

    def test_a_stencil_of_several(self):
        self.refused(AttributeError, "the program has no stencil `heta`", getattr, programs(), "heta")
        self.refused(KeyError, "no stencil `heta`", programs().__getitem__, "heta")
        self.refused(TypeError, "call one of", programs(), u=1)
        self.assertEqual(programs()["heat"], programs().heat)
        self.assertIn("wave", [step.name for step in programs()])

    def test_the_compiler_is_missing(self):
        named = os.environ["STENCILC"]
        try:
            os.environ["STENCILC"] = "/no/stencilc"
            self.refused(FileNotFoundError, "STENCILC names `/no/stencilc`", stencilc.compile, "stencil unknown { axes x; }")
        finally:
            os.environ["STENCILC"] = named


if __name__ == "__main__":
    unittest.main()
