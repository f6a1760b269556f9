"""The package beside others: those that are not installed are left out, and all are in the long tests."""

import contextlib
import importlib.util
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import stencilc
from support import ROOT, TestCase, numbers, programs


def needs(name):
    return unittest.skipUnless(importlib.util.find_spec(name), f"{name} is not installed")


@needs("xarray")
class Xarray(TestCase):
    def arrays(self):
        import xarray

        def array(seed):
            return xarray.DataArray(
                numbers(4, 6, seed=seed), dims=("y", "x"), coords={"x": np.arange(6) * 0.5}, attrs={"unit": "K"}
            )

        return array(1), array(2)

    def test_in_place_by_the_names_of_dims(self):
        u, source = self.arrays()
        wanted = u.values.copy()
        programs().heat(u=wanted, source=source.values, q=0.5, steps=3)
        # Memory is in the order of the program, the dims are not.
        self.assertIsNone(programs().heat(u=u.transpose("x", "y"), source=source, q=0.5, steps=3))
        self.assert_same(u.values, wanted)
        self.assertEqual(u.attrs, {"unit": "K"})

    def test_results_keep_dims_and_coordinates(self):
        u, source = self.arrays()
        new = programs().heat.out(u=u.transpose("x", "y"), source=source, q=0.5)
        self.assertEqual((new.dims, new.name), (("x", "y"), "u"))
        self.assert_same(new.x, u.x)
        programs().heat(u=u, source=source, q=0.5)
        self.assert_same(new.transpose("y", "x").values, u.values)
        dst = programs().filter(img=u, w=np.ones((3, 2)))
        self.assertEqual((dst.dims, dst.name), (("y", "x"), "dst"))
        self.assert_same(dst.values, programs().filter(img=u.values, w=np.ones((3, 2))))

    def test_other_dims(self):
        u, source = self.arrays()
        self.refused(ValueError, ["`u` has the dims (y, lon)", "the axes (y, x)", "`u.rename(...)`"], programs().heat,
                     u=u.rename(x="lon"), source=source, q=1)  # fmt: skip
        self.refused(ValueError, "Fortran order", programs().heat, u=u.copy(data=np.asfortranarray(u.values)), source=source, q=1)


@needs("ml_dtypes")
class Halves(TestCase):
    def test_bf16(self):
        import ml_dtypes

        u, v = np.zeros(3, np.float16), np.full(3, 1.5, ml_dtypes.bfloat16)
        programs().half(u=u, v=v, g=0.5)
        self.assert_same(v.astype(np.float32), [1.75] * 3)
        new = programs().half.out(u=u, v=v)
        self.assertEqual(new.v.dtype, ml_dtypes.bfloat16)
        bits = programs().half.out(u=u, v=v.view(np.uint16)).v
        self.assertEqual(bits.dtype, np.uint16)
        self.assert_same(bits, new.v.view(np.uint16))

    def test_rounding_of_params(self):
        import ml_dtypes
        from stencilc._types import bf16_bits

        values = np.random.default_rng(3).integers(0, 2**63, 20000).view(np.float64)
        values = values[np.isfinite(values)]
        floats = np.random.default_rng(4).integers(0, 2**32, 20000).astype(np.uint32).view(np.float32)
        floats = floats[np.isfinite(floats)]
        # ml_dtypes rounds doubles to float32 first, and then again: only those that are no others are compared.
        with np.errstate(over="ignore"):
            exact = np.concatenate([values[values == values.astype(np.float32)], floats.astype(np.float64)])
        self.assertGreater(len(exact), 15000)
        wanted = exact.astype(ml_dtypes.bfloat16).view(np.uint16)
        self.assert_same([bf16_bits(float(value)) for value in exact], wanted)


@needs("jax")
class Jax(TestCase):
    def test_new_arrays(self):
        import jax.numpy as jnp

        u, source = jnp.asarray(numbers(4, 6)), jnp.asarray(numbers(4, 6, seed=2))
        wanted = np.array(u)
        programs().heat(u=wanted, source=np.array(source), q=0.5, steps=3)
        new = programs().heat.out(u=u, source=source, q=0.5, steps=3)
        self.assertIsInstance(new, type(u))
        self.assert_same(new, wanted)
        self.assert_same(u, numbers(4, 6))
        self.refused(
            TypeError, "`u` is a JAX array, which cannot change; call `step.out(...)`", programs().heat, u=u, source=source, q=1
        )


@needs("torch")
class Torch(TestCase):
    def test_tensors_of_the_cpu(self):
        import torch

        u, source = numbers(4, 6), numbers(4, 6, seed=2)
        wanted = u.copy()
        programs().heat(u=wanted, source=source, q=0.5, steps=3)
        tensor = torch.from_numpy(u.copy())
        programs().heat(u=tensor, source=torch.from_numpy(source), q=0.5, steps=3)
        self.assert_same(tensor.numpy(), wanted)
        tensor.requires_grad = True
        self.refused(TypeError, "`u.detach()`", programs().heat, u=tensor, source=torch.from_numpy(source), q=1)
        self.refused(TypeError, "layout torch.sparse_coo", programs().heat, u=torch.from_numpy(u).to_sparse(), source=tensor, q=1)

    def test_a_compiled_function_takes_a_step_as_one_node(self):
        import torch
        from torch.library import opcheck

        heat, graphs = programs().heat.operator(), []

        def function(u, source):
            v = u + 1
            heat(u=v, source=source, q=0.5, steps=3)
            return 2 * v

        def backend(graph, _):
            graphs.append([node for node in graph.graph.nodes if node.op == "call_function"])
            return graph.forward

        u, source = torch.from_numpy(numbers(4, 6)), torch.from_numpy(numbers(4, 6, seed=2))
        wanted = u.numpy() + 1
        programs().heat(u=wanted, source=source.numpy(), q=0.5, steps=3)
        for one in (backend, "aot_eager"):
            self.assert_same(torch.compile(function, backend=one, fullgraph=True)(u, source), 2 * wanted)
        self.assertEqual([str(node.target) for node in graphs[0] if "stencilc" in str(node.target)], ["stencilc.heat.default"])
        opcheck(torch.ops.stencilc.heat.default, (u.clone(), source, 0.5))
        img, w = torch.from_numpy(numbers(5, 7)), torch.from_numpy(numbers(3, 2, seed=2))
        blur = programs().filter.operator()
        compiled = torch.compile(lambda img: blur(img=img, w=w) + 1, backend="aot_eager", fullgraph=True)
        self.assert_same(compiled(img), programs().filter(img=img, w=w) + 1)
        opcheck(torch.ops.stencilc.filter.default, (img, w))
        img.requires_grad = True
        self.refused(TypeError, ["`img` requires gradients", "`torch.no_grad()`"], blur, img=img, w=w)
        with torch.no_grad():
            self.assertEqual(blur(img=img, w=w).shape, (5, 7))


@needs("IPython")
class Notebook(TestCase):
    def test_cell_magic(self):
        from IPython.core.interactiveshell import InteractiveShell

        shell = InteractiveShell()
        shell.run_line_magic("load_ext", "stencilc")
        step = shell.run_cell_magic("stencil", "optimise=0", "stencil one { axes x; field f32 u; u[t+1] = 2*u; }")
        self.assertIs(shell.user_ns["one"], step)
        # An error is the text of the compiler without a traceback, and ends the cell.
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            ran = shell.run_cell("%%stencil\nstencil one { axes x; field f32 u; u[t+1] = 2*v; }\n")
        self.assertIsInstance(ran.error_in_exec, stencilc.CompileError)
        self.assertIn("1:47: error: `v` is not declared", printed.getvalue())
        self.assertNotIn("Traceback", printed.getvalue())
        self.assertIn("<table>", shell.display_formatter.format(step)[0]["text/html"])


@needs("matplotlib")
class Pictures(TestCase):
    def test_plots(self):
        import matplotlib

        matplotlib.use("agg")
        curve = programs().delay.plot(np.arange(5), "n")
        self.assertEqual(curve.axes.get_ylabel(), "n")
        plane = programs().shift3.plot(numbers(3, 4, 5))
        self.assert_same(plane.get_array(), numbers(3, 4, 5)[1])
        self.assertEqual((plane.axes.get_xlabel(), plane.axes.get_ylabel()), ("x", "y"))


class OldPythons(TestCase):
    @needs("vermin")
    def test_the_oldest(self):
        folders = [os.path.join(ROOT, "python"), os.path.join(ROOT, "examples", "python")]
        done = subprocess.run(
            [os.path.join(sys.prefix, "bin", "vermin"), "-t=3.9-", "--no-tips", "--violations", *folders], stdout=subprocess.PIPE
        )
        self.assertEqual(done.returncode, 0, done.stdout)

    @needs("mypy")
    def test_types(self):
        with tempfile.TemporaryDirectory() as cache:
            command = [
                sys.executable,
                "-m",
                "mypy",
                "--cache-dir",
                cache,
                "--ignore-missing-imports",
                os.path.join(ROOT, "python", "stencilc"),
            ]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_version_is_that_of_the_compiler(self):
        import stencilc

        lists = pathlib.Path(ROOT, "CMakeLists.txt").read_text()
        self.assertIn(f"project(stencilc VERSION {stencilc.__version__} ", lists)


if __name__ == "__main__":
    unittest.main()
