"""What a step says of itself, and what the compiler says of it."""

import functools
import inspect
import os
import pathlib
import pydoc
import subprocess
import sys
import tempfile
import types
import unittest

import numpy as np

import stencilc
from stencilc import _compile, _notebook, _tool
from support import HERE, ROOT, TestCase, numbers, programs


class Description(TestCase):
    def test_signature(self):
        self.assertEqual(
            str(inspect.signature(programs().heat)),
            "(*, u: 'f32[y, x]', source: 'f32[y, x]', a: 'f32' = 0.2, q: 'f32', steps: 'int' = 1)",
        )
        self.assertEqual(
            str(inspect.signature(programs().shots)),
            "(*, u: 'f32[y, x]', u_prev: 'f32[y, x]', sources: 'i32[points, 2]', receivers: 'f64[points, 2]', "
            "pulse: 'f32[steps, sources]', trace: 'f32[steps, receivers]' = None, dt: 'f32' = 0.5, steps: 'int' = 1, "
            "first: 'int' = 0)",
        )
        self.assertIn("first: 'i64[x]', steps: 'i32' = 1, steps_: 'int' = 1", str(inspect.signature(programs().clock)))

    def test_help(self):
        text = pydoc.render_doc(programs().heat, renderer=pydoc.plaintext)
        for words in ("Diffusion with a source.", "step(u=u, source=source, q=..., steps=100)", "required",
                      "changed in place; boundary clamp", "None: the arrays have changed in place"):  # fmt: skip
            self.assertIn(words, text)
        self.assertIn("level t-1 of p, changed in place", programs().wave.__doc__)
        self.assertIn("with a halo of 1 x 2 cells at both ends of y x x", programs().ghosts.__doc__)
        self.assertIn("moved: f64, max", programs().relax.__doc__)
        self.assertIn("at most 1000", programs().relax.__doc__)
        self.assertIn("weights [-1..1, -1..0]", programs().filter.__doc__)

    def test_comments_of_the_program(self):
        text = """// The first line.
// The second.
stencil other { axes x; field f32 k; k[t+1] = 2*k; }
// Waves.
stencil waves {
  axes  x;  // along the string
  param f32 c = 0.5;  // dt * speed / dx
  param f32 a = 1, b = 2;  // of two
  field f32 u boundary zero;  // height, in m
  u[t+1] = a*b*c*u[x-1];  // not a declaration
}
"""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "waves.stn")
            path.write_text(text)
            program = stencilc.compile(path, optimise=0)
        self.assertTrue(program.other.__doc__.startswith("The first line.\nThe second.\n"))
        self.assertTrue(program.waves.__doc__.startswith("Waves.\n"))
        self.assertIn("default 0.5; dt * speed / dx\n", program.waves.__doc__)
        self.assertIn("boundary constant 0; height, in m\n", program.waves.__doc__)
        self.assertNotIn("of two", program.waves.__doc__)

    def test_examples_of_the_documentation_are_calls(self):
        """The call that the text shows has all that must be given."""
        for step in programs():
            line = next(line for line in step.__doc__.splitlines() if line.strip().startswith("step("))
            values = eval(line.strip().replace("step(", "dict("), {}, Anything())
            lacking = [p.name for p in inspect.signature(step).parameters.values()
                       if p.default is inspect.Parameter.empty and p.name not in values]  # fmt: skip
            self.assertEqual(lacking, [], step.name)

    def test_repr(self):
        self.assertEqual(repr(programs().heat), "<stencilc.Step heat(u: f32[y, x], source: f32[y, x]) for cpu, schedule loops>")
        page = programs().heat._repr_html_()
        self.assertIn("<td><code>source</code></td><td>f32[y, x]</td><td>read</td>", page)
        self.assertIn("<code>loops</code>", page)

    def test_texts_of_the_compiler(self):
        step = programs().heat
        self.assertIn("__global__", step.cuda)
        self.assertIn("#pragma omp", step.cpu)
        self.assertIn("stencil heat", step.source)
        self.assertTrue(step.explain().startswith("Stencil heat, 2-D"), step.explain()[:200])
        self.assertEqual((step.target, step.schedule, step.name), ("cpu", "loops", "heat"))

    def test_verify(self):
        step = stencilc.compile(
            "stencil pair { axes x; field f32 u boundary clamp; u[t+1] = 0.5*(u[x-1] + u[x+1]); }", optimise=0
        )
        self.assertTrue(step.explain().startswith("Stencil pair, 1-D"), step.explain()[:200])  # of a text
        self.assertRegex(step.verify(), r"^pair: \d+ runs .* agree with the interpreter in every bit$")

    def test_bench(self):
        with tempfile.TemporaryDirectory() as folder:
            words = pathlib.Path(folder, "words")
            fake = pathlib.Path(folder, "stencilc")
            fake.write_text(
                f'#!/bin/sh\necho "$@" >{words}\nwhile [ "$1" != --json ]; do shift; done\necho \'{{"benchmarks": []}}\' >"$2"\necho table\n'
            )
            fake.chmod(0o755)
            named = os.environ["STENCILC"]
            try:
                os.environ["STENCILC"] = str(fake)
                report = programs().heat.bench(size=(64, 32), steps=5, schedule=["loops", "loops,stages=split"])
            finally:
                os.environ["STENCILC"] = named
            given = words.read_text()
        self.assertEqual((str(report), report.data), ("table\n", {"benchmarks": []}))
        self.assertTrue(given.startswith(f"bench {HERE}/programs.stn --stencil heat --target=cpu "), given)
        self.assertIn("--size 64x32 --steps 5 --schedule loops --schedule loops,stages=split --json ", given)

    def test_a_difference_is_a_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            fake = pathlib.Path(folder, "stencilc")
            fake.write_text(
                '#!/bin/sh\necho \'{"message": "u differs", "code": {"code": "STN0707"}, "level": "error"}\' >&2\nexit 1\n'
            )
            fake.chmod(0o755)
            named = os.environ["STENCILC"]
            try:
                os.environ["STENCILC"] = str(fake)
                self.refused(stencilc.VerifyError, "u differs", programs().heat.verify)
            finally:
                os.environ["STENCILC"] = named


class Anything(dict):
    """Any name but that of the function."""

    def __missing__(self, name):
        if name == "dict":
            raise KeyError(name)
        return None


class Compiling(TestCase):
    TEXT = "stencil s { axes x; param f32 k = 2; field f32 u; u[t+1] = k*u; }"

    def test_the_same_text_is_compiled_once(self):
        one = stencilc.compile(self.TEXT, optimise=0)
        self.assertIs(stencilc.compile(self.TEXT, optimise=0), one)
        self.assertIsNot(stencilc.compile(self.TEXT + " ", optimise=0), one)
        self.assertIsNot(stencilc.compile(self.TEXT, optimise=0, define={"k": 3}), one)

    def test_defines(self):
        step = stencilc.compile(self.TEXT, optimise=0, define={"k": 3})
        u = np.ones(3, np.float32)
        step(u=u)
        self.assert_same(u, [3, 3, 3])
        self.refused(TypeError, "takes no `k`", step, u=u, k=2)

    def test_a_file_that_changes_is_compiled_again(self):
        with tempfile.TemporaryDirectory(prefix="with space ") as folder:
            main, used = pathlib.Path(folder, "main.stn"), pathlib.Path(folder, "used.stn")
            main.write_text('use "used.stn";\nstencil s { axes x; field f32 u; u[t+1] = twice(u); }\n')
            used.write_text("fn twice(a) = 2*a;\n")
            u = np.ones(2, np.float32)
            stencilc.compile(main, optimise=0)(u=u)
            one = stencilc.compile(str(main), optimise=0)
            self.assertIs(stencilc.compile(main, optimise=0), one)
            used.write_text("fn twice(a) = 3*a;\n")
            stencilc.compile(main, optimise=0)(u=u)
            self.assert_same(u, [6, 6])

    def test_a_library_that_the_command_line_built(self):
        with tempfile.TemporaryDirectory() as folder:
            library = os.path.join(folder, "s.so")
            _tool.run(["-", "--target=cpu", "--emit=so", "-O0", "-o", library], self.TEXT)
            step = stencilc.load(library)
        u = np.ones(2, np.float32)
        step(u=u, k=5)
        self.assert_same(u, [5, 5])
        self.refused(RuntimeError, "was loaded without its program", lambda: step.explain())

    def test_libraries_that_are_none(self):
        self.refused(RuntimeError, "cannot load", stencilc.load, "no.so")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "empty.so")
            subprocess.run(["gcc", "-shared", "-o", path, "-xc", "/dev/null"], check=True)
            self.refused(RuntimeError, "has no function `stencil_manifest`", stencilc.load, path)

    def test_manifests_of_other_versions(self):
        from stencilc._manifest import Manifest

        raw = programs().heat.manifest
        self.refused(RuntimeError, "schema 2", Manifest, {**raw, "schema": 2})
        self.refused(RuntimeError, "of kind `tape`", Manifest, {**raw, "call": [*raw["call"], {"name": "t", "kind": "tape"}]})
        self.refused(RuntimeError, "declares", Manifest, {**raw, "call": raw["call"][1:]})

    def test_dependencies(self):
        with tempfile.TemporaryDirectory() as folder:
            rule = pathlib.Path(folder, "rule")
            rule.write_text("a.so: /x/a\\ b.stn \\\n  $$c.stn d\\#e.stn\n")
            self.assertEqual(_compile._dependencies(str(rule)), ["/x/a b.stn", "$c.stn", "d#e.stn"])

    def test_nvcc_of_pip(self):
        with tempfile.TemporaryDirectory() as folder:
            nvcc = pathlib.Path(folder, "nvidia", "cu13", "bin", "nvcc")
            nvcc.parent.mkdir(parents=True)
            nvcc.write_text("#!/bin/sh\n")
            nvcc.chmod(0o755)
            script = "from stencilc import _tool; print(_tool.environment()['PATH'])"
            environment = {**os.environ, "PYTHONPATH": f"{folder}:{ROOT}/python", "PATH": "/none"}
            run = functools.partial(subprocess.run, env=environment, check=True, text=True, stdout=subprocess.PIPE)
            self.assertEqual(run([sys.executable, "-c", script]).stdout, f"{nvcc.parent}:/none\n")
            environment["PATH"] = str(nvcc.parent)  # one on the PATH comes first
            self.assertEqual(run([sys.executable, "-c", script]).stdout, f"{nvcc.parent}\n")

    def test_without_nvcc(self):
        before = os.environ["PATH"]
        try:
            os.environ["PATH"] = "/none"
            self.refused(stencilc.CompileError, ["`nvcc` is not on the PATH", "`pip install nvidia-cuda-nvcc nvidia-cuda-runtime`"],
                         stencilc.compile, self.TEXT, target="cuda")  # fmt: skip
        finally:
            os.environ["PATH"] = before


class Notebooks(TestCase):
    def test_cell_magic(self):
        registered, names = {}, {}
        ipython = types.SimpleNamespace(
            user_ns=names, register_magic_function=lambda function, kind, name: registered.__setitem__((kind, name), function)
        )
        stencilc.load_ipython_extension(ipython)
        magic = registered["cell", "stencil"]
        step = magic("optimise=0", "stencil one { axes x; field f32 u; u[t+1] = 2*u; }")
        self.assertIs(names["one"], step)
        magic("mine optimise=0", "stencil one { axes x; field f32 u; u[t+1] = 2*u; }")
        self.assertIs(names["mine"], names["one"])
        wrong = "stencil one { axes x; field f32 u; u[t+1] = v; }"
        error = self.refused(stencilc.CompileError, "`v` is not declared", magic, "", wrong)
        self.assertEqual(error._render_traceback_(), [str(error)])
        self.refused(ValueError, "`two words` is neither", magic, "'two words'", "")

    def test_plot_without_matplotlib(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.refused(ImportError, "pip install matplotlib", programs().heat.plot, numbers(4, 4))
            return
        matplotlib.use("agg")
        for shape in ((5,), (4, 5), (3, 4, 5)):
            drawn = programs().shift3.plot(numbers(*shape), "u")
            self.assertIsNotNone(drawn)
        self.refused(ValueError, "1, 2 or 3 axes", programs().heat.plot, np.zeros((1, 1, 1, 1)))

    def test_stubs_and_marker(self):
        self.assertTrue(os.path.exists(os.path.join(ROOT, "python", "stencilc", "py.typed")))
        self.assertEqual(_notebook.host_array([1, 2]).shape, (2,))


if __name__ == "__main__":
    unittest.main()
