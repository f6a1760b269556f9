"""Arrays on a GPU, without one: see fake_gpu.py."""

import functools
import os
import shutil
import subprocess
import sys
import unittest
import unittest.mock

import numpy as np

import fake_gpu
import stencilc
import support
from support import HERE, TestCase, numbers


@functools.lru_cache(None)
def programs():
    return fake_gpu.programs(os.path.join(HERE, "programs.stn"))


def frames_of(step):
    """What a step keeps for later calls: also that of the last one, with which the next is compared."""
    call = step._call
    return [(key, frame) for key, all in call.frames.items() for frame in all] + [(one.key, one.frame) for one in call.last.values()]


class Cupy(TestCase):
    def setUp(self):
        self.installed = fake_gpu.Installed(cupy=fake_gpu.make_cupy())
        self.installed.__enter__()
        programs().heat.entry.streams.clear()
        fake_gpu.copied.clear()

    def tearDown(self):
        self.installed.__exit__()

    def test_in_place_on_the_current_stream(self):
        fake_gpu.streams.append(1000)
        try:
            u, source = fake_gpu.asarray(numbers(6, 5)), fake_gpu.asarray(numbers(6, 5, seed=2))
            wanted = u.get()
            support.programs().heat(u=wanted, source=source.get(), q=0.5, steps=3)
            self.assertIsNone(programs().heat(u=u, source=source, q=0.5, steps=3))
            self.assert_same(u.get(), wanted)
            programs().heat(u=u, source=source, q=0.5, stream=77)
            programs().heat(u=u, source=source, q=0.5, stream=fake_gpu.types.SimpleNamespace(ptr=78))
            self.assertEqual(programs().heat.entry.streams, [1000, 77, 78])
            # One step ends in scratch memory: the copy from there is on the stream of the run.
            self.assertEqual(fake_gpu.copied, [(0, 1000, 1), (0, 77, 1), (0, 78, 1)])
        finally:
            fake_gpu.streams.pop()

    def test_the_next_call_is_compared_with_this_one(self):
        heat = programs().heat
        arrays = [fake_gpu.asarray(numbers(6, 5, seed=seed)) for seed in range(4)]
        wanted = [one.get() for one in arrays]
        for u, source in ((0, 1), (0, 1), (2, 3), (3, 0)):
            support.programs().heat(u=wanted[u], source=wanted[source], q=0.5)
            heat(u=arrays[u], source=arrays[source], q=0.5)
        for one, host in zip(arrays, wanted):
            self.assert_same(one.get(), host)
        # It has other checks to pass where something else is asked: another stream, device, type or shape.
        heat(u=arrays[0], source=arrays[1], q=0.5, stream=77)
        heat(u=arrays[0], source=arrays[1], q=0.5)
        self.assertEqual(heat.entry.streams[-2:], [77, 0])
        wide, thin = fake_gpu.asarray(np.zeros((6, 5))), fake_gpu.asarray(np.zeros((5, 5), np.float32))
        self.refused(TypeError, "float32", heat, u=wide, source=arrays[1], q=0.5)
        self.refused(ValueError, "(6, 5)", heat, u=arrays[0], source=thin, q=0.5)
        self.refused(TypeError, "`p`", heat, u=arrays[0], source=arrays[1], q=0.5, p=1)

    def test_what_a_call_like_the_one_before_does(self):
        """What takes time is not done again: all checks, contexts of devices, a call and a copy for each field."""
        ghosts = programs().ghosts
        u, v = fake_gpu.asarray(numbers(6, 9)), fake_gpu.asarray(numbers(6, 9, seed=2))
        ghosts(u=u, v=v)
        fake_gpu.copied.clear()
        call, patch = ghosts._call, unittest.mock.patch.object
        # Copies are made by the call that runs, which also asks whether the stream is being captured.
        with patch(call, "bind") as bind, patch(call, "on") as on, patch(call, "bring_home") as home, patch(
            call, "is_captured"
        ) as asked:
            for _ in range(3):
                ghosts(u=u, v=v)
        self.assertEqual((bind.called, on.called, home.called, asked.called), (False, False, False, False))
        self.assertEqual(fake_gpu.copied, [(0, 0, 2)] * 3)

    def test_an_array_of_another_kind_is_looked_at_again(self):
        """Whatever a call differs in from the one before: what cannot be taken is refused, and nothing runs."""
        heat = programs().heat
        source = fake_gpu.asarray(numbers(6, 5, seed=2))
        wide = fake_gpu.asarray(numbers(6, 8))
        elsewhere = fake_gpu.asarray(numbers(6, 5))
        elsewhere.device = fake_gpu.Device(1)
        elsewhere.data.device_id = 1
        odd = fake_gpu.asarray(np.zeros(121, np.uint8))
        odd.host = np.ndarray((6, 5), np.float32, odd.data.memory, offset=1)
        odd.data.ptr += 1
        u = fake_gpu.asarray(numbers(6, 5))
        for first, kinds in (
            ((u, source), (wide[:, :5], fake_gpu.asarray(np.zeros((6, 5))), fake_gpu.asarray(np.zeros((6, 5), np.int32)),
                           elsewhere, odd, numbers(6, 5), None, 3.0)),
            ((wide[:, :5], fake_gpu.asarray(numbers(6, 8, seed=3))[:, 3:]), (u, fake_gpu.asarray(numbers(6, 9))[:, :5])),
        ):  # fmt: skip
            for kind in kinds:
                heat(u=first[0], source=first[1], q=0.5)
                before, runs = first[0].get(), len(heat.entry.streams)
                with self.assertRaises((TypeError, ValueError)):
                    heat(u=first[0], source=kind, q=0.5)
                self.assertEqual(len(heat.entry.streams), runs)
                self.assert_same(first[0].get(), before)

    def test_windows(self):
        whole = fake_gpu.asarray(np.full((8, 9), 7, np.float32))
        source = fake_gpu.asarray(np.zeros((8, 9), np.float32))
        window = np.s_[2:6, 1:6]
        whole.host[window] = numbers(4, 5)
        wanted = whole.get()
        support.programs().heat(u=wanted[window], source=source.get()[window], q=0, steps=3)
        programs().heat(u=whole[window], source=source[window], q=0, steps=3)
        self.assert_same(whole.get(), wanted)

    def test_scratch_is_on_the_device_of_the_arrays(self):
        fake_gpu.entered.append(2)
        u, source = fake_gpu.asarray(numbers(6, 5)), fake_gpu.asarray(numbers(6, 5, seed=2))
        fake_gpu.entered.pop()
        programs().heat(u=u, source=source, q=0.5)
        (frame,) = [frame for key, frame in frames_of(programs().heat) if key[2] == 2]
        self.assertEqual([array.device.id for array in frame.scratch.values()], [2])
        self.assertEqual(programs().heat.entry.devices[-1], 2)
        self.assertEqual(fake_gpu.copied, [(2, 0, 1)])
        self.assertEqual(fake_gpu.entered, [0])
        self.refused(
            ValueError, "`source` is on GPU 0 and `u` on GPU 2", programs().heat, u=u, source=fake_gpu.asarray(source.get()), q=1
        )

    def test_scratch_memory_is_of_one_stream_and_not_dropped_while_it_is_in_use(self):
        heat = programs().heat
        u, source = fake_gpu.asarray(numbers(6, 5)), fake_gpu.asarray(numbers(6, 5, seed=2))
        scratch = set()
        for stream in range(100, 108):
            heat(u=u, source=source, q=0.5, stream=stream)
            scratch.update(*(frame.scratch for key, frame in frames_of(heat) if key[3] >= 100))
        self.assertEqual(len(scratch), 8)
        fake_gpu.waited.clear()
        heat(u=u, source=source, q=0.5, stream=200)
        self.assertEqual(len(fake_gpu.waited), 1)

    def test_kernels_are_loaded_once_for_each_device(self):
        clock = programs().clock
        clock._call.prepared.clear()
        clock.entry.prepared.clear()
        fake_gpu.loaded.clear()
        for device in (0, 0, 3, 0, 3):
            fake_gpu.entered.append(device)
            first = fake_gpu.asarray(np.zeros(5, np.int64))
            fake_gpu.entered.pop()
            clock(first=first)
        self.assertEqual(clock.entry.prepared, [0, 3])
        # Those that bring levels home, too.
        self.assertEqual([device for device, _, _ in fake_gpu.loaded], [0, 3])

    def test_a_capture_has_memory_of_its_own(self):
        heat = programs().heat
        u, source = fake_gpu.asarray(numbers(6, 5)), fake_gpu.asarray(numbers(6, 5, seed=2))
        wanted = u.get()
        for _ in range(4):
            support.programs().heat(u=wanted, source=source.get(), q=0.5)
        heat(u=u, source=source, q=0.5, stream=301)
        graphs, heat.entry.refused = [], 0
        for _ in range(2):
            before = {address for _, frame in frames_of(heat) for address in frame.scratch}
            fake_gpu.captured.add(301)
            try:
                heat(u=u, source=source, q=0.5, stream=301)
            finally:
                fake_gpu.captured.clear()
            graphs.append(heat._call.captured[-1])
            self.assertEqual(heat.entry.refused, len(graphs))  # calls that went as the ones before until C saw the capture
            self.assertFalse(before & set(graphs[-1].scratch), "memory of a graph is used by other calls")
        heat(u=u, source=source, q=0.5, stream=301)
        self.assert_same(u.get(), wanted)
        kept = {address for _, frame in frames_of(heat) for address in frame.scratch}
        self.assertFalse(kept & {*graphs[0].scratch, *graphs[1].scratch})
        self.assertFalse(set(graphs[0].scratch) & set(graphs[1].scratch))

    def test_what_a_capture_cannot_hold(self):
        def captured(name, *words, **values):
            step = getattr(programs(), name)
            fake_gpu.captured.add(9)
            try:
                self.refused(RuntimeError, words, step, stream=9, **values)
            finally:
                fake_gpu.captured.clear()

        flip, b = programs().flip, fake_gpu.asarray(np.zeros(4, np.bool_))
        flip._call.prepared.clear()
        captured("flip", "`flip` has not run on GPU 0 yet", "call it once before the capture, with `steps=0`", b=b)
        flip(b=b, steps=0)
        flip._call.waits_for_textures = True
        captured("flip", "the schedule of `flip` reads through textures", "without `loads=texture`", b=b)
        flip._call.waits_for_textures = False
        u = fake_gpu.asarray(np.zeros((6, 6)))
        programs().relax(u=u, steps=1)
        captured("relax", "`relax` computes `moved` and `total`", "pass `reductions=False`", u=u, steps=1)
        points = {"sources": [(2, 3)], "receivers": [(2.5, 3.0)], "pulse": np.ones((3, 1), np.float32)}
        v, w = fake_gpu.asarray(numbers(6, 6)), fake_gpu.asarray(numbers(6, 6))
        programs().shots(u=v, u_prev=w, steps=0, **points)
        captured("shots", "`shots` has points", "it cannot be captured", u=v, u_prev=w, **points)

    def test_levels_outputs_and_results(self):
        p, p_prev = numbers(5, 6, dtype=np.float64), numbers(5, 6, dtype=np.float64, seed=2)
        a, b = fake_gpu.asarray(p), fake_gpu.asarray(p_prev)
        programs().wave(p=a, p_prev=b, steps=3)
        support.programs().wave(p=p, p_prev=p_prev, steps=3)
        self.assert_same(a.get(), p)
        self.assert_same(b.get(), p_prev)
        new = programs().wave.out(p=a, p_prev=b, steps=1)
        self.assert_same(a.get(), p)
        self.assertIsInstance(new.p, fake_gpu.ndarray)
        img, w = numbers(5, 7), numbers(3, 2, seed=2)
        dst = programs().filter(img=fake_gpu.asarray(img), w=w)
        self.assertIsInstance(dst, fake_gpu.ndarray)
        self.assert_same(dst.get(), support.programs().filter(img=img, w=w))
        self.assert_same(programs().filter(img=fake_gpu.asarray(img), w=fake_gpu.asarray(w)).get(), dst.get())
        u = np.zeros((6, 6))
        u[0] = 4
        self.assertEqual(programs().relax(u=fake_gpu.asarray(u)), support.programs().relax(u=u))

    def test_points_and_series_go_to_the_device(self):
        u = np.zeros((8, 9), np.float32)
        pulse = np.ones((3, 1), np.float32)
        common = {"sources": [(2, 3)], "receivers": [(2.5, 3.0)], "pulse": pulse, "steps": 3}
        trace = programs().shots(u=fake_gpu.asarray(u), u_prev=fake_gpu.asarray(u), **common)
        self.assertIsInstance(trace, fake_gpu.ndarray)
        self.assert_same(trace.get(), support.programs().shots(u=u, u_prev=u.copy(), **common))
        a, b = fake_gpu.asarray(u), fake_gpu.asarray(u)
        self.refused(ValueError, "`trace` is written: it is in the memory of the fields, as an array of CuPy", programs().shots,
                     u=a, u_prev=b, trace=np.zeros((3, 1), np.float32), **common)  # fmt: skip
        given = fake_gpu.asarray(np.zeros((3, 1), np.float32))
        self.assertIsNone(programs().shots(u=fake_gpu.asarray(0 * u), u_prev=fake_gpu.asarray(0 * u), trace=given, **common))
        self.assertEqual(given.get().shape, (3, 1))

    def test_arrays_of_other_packages(self):
        u, source = numbers(6, 5), numbers(6, 5, seed=2)
        wanted = u.copy()
        support.programs().heat(u=wanted, source=source, q=0.5)
        programs().heat(u=fake_gpu.Other(u), source=fake_gpu.Other(source), q=0.5)
        self.assert_same(u, wanted)
        self.refused(
            TypeError, "`u` has a mask", programs().heat, u=fake_gpu.Other(u, mask=1), source=fake_gpu.Other(source), q=1
        )
        source.flags.writeable = False
        programs().heat(u=fake_gpu.Other(u), source=fake_gpu.Other(source), q=0.5)
        self.refused(ValueError, "`u` is read-only", programs().heat, u=fake_gpu.Other(source), source=fake_gpu.Other(u), q=1)

    def test_arrays_that_offer_dlpack_only(self):
        class Exported:
            def __init__(self, host):
                self.host = host

            def __dlpack_device__(self):
                return (2, 0)

            __dlpack__ = None

        u, source = numbers(6, 5), numbers(6, 5, seed=2)
        wanted = u.copy()
        support.programs().heat(u=wanted, source=source, q=0.5)
        sys.modules["cupy"].from_dlpack = lambda value: fake_gpu.asarray(fake_gpu.Other(value.host))
        programs().heat(u=Exported(u), source=Exported(source), q=0.5)
        self.assert_same(u, wanted)
        with fake_gpu.Installed():
            self.refused(TypeError, ["`u` is on a GPU and offers DLPack only", "neither is installed"], programs().heat,
                         u=Exported(u), source=Exported(source), q=0.5)  # fmt: skip

    def test_memory_of_both_kinds(self):
        u = numbers(6, 5)
        self.refused(ValueError, "`source` is on the CPU and `u` on GPU 0", programs().heat, u=fake_gpu.asarray(u), source=u, q=1)
        self.refused(TypeError, "`u` is in the memory of the host, and the program is compiled for a GPU", programs().heat, u=u,
                     source=u.copy(), q=1)  # fmt: skip
        on_gpu = fake_gpu.asarray(u)
        self.refused(TypeError, "`u` is on GPU 0, and the program is compiled for the CPU", support.programs().heat, u=on_gpu,
                     source=fake_gpu.asarray(u), q=1)  # fmt: skip

    def test_errors_of_cuda(self):
        heat = programs().heat
        try:
            heat.entry.fails = 13
            error = self.refused(
                stencilc.CudaError, "", heat, u=fake_gpu.asarray(numbers(4, 4)), source=fake_gpu.asarray(numbers(4, 4)), q=1
            )
            self.assertEqual(error.code, 13)
            heat.entry.fails = 8
            self.refused(MemoryError, "", heat, u=fake_gpu.asarray(numbers(4, 4)), source=fake_gpu.asarray(numbers(4, 4)), q=1)
        finally:
            heat.entry.fails = 0


class Script(TestCase):
    def run_script(self, *words):
        script = os.path.join(support.ROOT, "scripts", "gpu-python")
        done = subprocess.run([sys.executable, script, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def test_gpu_python_without_a_gpu(self):
        code, text = self.run_script("--cpu", "--arrays", "numpy", "--only", "bits,streams,graphs")
        self.assertEqual(code, 0, text)
        for line in ("found     NumPy ", "same bits numpy: shots, out", "left out  numpy: graphs: it is for a GPU", " 0 wrong"):
            self.assertIn(line, text)
        self.assertEqual(text.count("same bits "), 28)

    def test_gpu_python_says_what_is_wrong(self):
        code, text = self.run_script("--only", "bits,colours")
        self.assertEqual(code, 2)
        self.assertIn("there is no colours: bits, streams, graphs, compiled, examples, cost", text)
        code, text = self.run_script("--cpu", "--stencilc", "/nowhere/stencilc")
        self.assertEqual(code, 2)
        self.assertIn("STENCILC names `/nowhere/stencilc`, which is not a program that can be run; or pass --stencilc FILE", text)


@unittest.skipUnless(os.environ.get("STENCILC_ALL_TESTS") and shutil.which("nvcc"), "a long test, with nvcc")
class Nvcc(TestCase):
    def test_a_library_for_a_gpu(self):
        """nvcc builds it, the manifest is checked, and a failure on a machine without a GPU comes back as an exception."""
        step = stencilc.compile(
            "stencil h { axes x, y; param f16 a = 0.2; field f16 u boundary clamp; u[t+1] = u + a*laplacian(u); }",
            target="cuda", arch="sm_90", schedule="naive",
        )  # fmt: skip
        self.assertTrue(step.target == "cuda" and step.schedule.startswith("naive"), step)
        self.assertIn("stream", step.__doc__)
        with fake_gpu.Installed(cupy=fake_gpu.make_cupy()):
            u = fake_gpu.asarray(numbers(4, 4, dtype=np.float16))
            with self.assertRaises((stencilc.CudaError, ValueError)) as caught:
                step(u=u)
        if isinstance(caught.exception, ValueError):  # there is a GPU, which cannot reach this memory
            self.assertIn("`u`", str(caught.exception))


class WithoutPackages(TestCase):
    def test_scratch_memory_needs_one(self):
        with fake_gpu.Installed():
            u = numbers(4, 4)
            self.refused(TypeError, ["scratch memory by CuPy or PyTorch, and neither is installed"], programs().heat,
                         u=fake_gpu.Other(u), source=fake_gpu.Other(u), q=1)  # fmt: skip


class FakeTorch:
    """As much of PyTorch as a call uses, with the memory of NumPy."""

    class Tensor:
        requires_grad = False

        def __init__(self, host, kind="cuda"):
            self.host, self.device = host, FakeTorch.device(kind)

        shape = property(lambda self: self.host.shape)
        dtype = property(lambda self: self.host.dtype)

        def __array__(self, *_, **__):
            return self.host

        def detach(self):
            return self

        def contiguous(self):
            return FakeTorch.Tensor(np.ascontiguousarray(self.host), self.device.type)

        def new_empty(self, size, dtype):
            return FakeTorch.Tensor(np.empty(size, dtype), self.device.type)

        def stride(self):
            return tuple(one // self.host.itemsize for one in self.host.strides)

        def is_contiguous(self):
            return self.host.flags.c_contiguous

        def element_size(self):
            return self.host.itemsize

        def get_device(self):
            return -1 if self.device.index is None else self.device.index

        def data_ptr(self):
            return self.host.ctypes.data

        def copy_(self, other):
            self.host[...] = other.host

        def zero_(self):
            self.host[...] = 0
            return self

    @staticmethod
    def device(kind):
        return fake_gpu.types.SimpleNamespace(type=kind, index=0 if kind == "cuda" else None)

    @staticmethod
    def empty_strided(shape, strides, dtype, device):
        memory = np.full(1 + sum((n - 1) * s for n, s in zip(shape, strides)), 99).astype(dtype)
        host = np.ndarray(shape, dtype, memory, strides=[s * memory.itemsize for s in strides])
        return FakeTorch.Tensor(host, device.partition(":")[0])

    cuda = fake_gpu.types.SimpleNamespace(
        current_stream=lambda device: fake_gpu.types.SimpleNamespace(cuda_stream=55),
        device=lambda number: fake_gpu.Device(number),
        current_device=lambda: fake_gpu.entered[-1],
    )
    float32, float64, uint8 = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.uint8)
    __version__ = "2.0"
    is_grad_enabled = staticmethod(lambda: FakeTorch.grad)
    grad = True


class Library:
    """torch.library, which keeps what is registered: operators by their names."""

    def __init__(self):
        self.schemas, self.mutated, self.fakes = {}, {}, {}

    def custom_op(self, name, function, mutates_args, schema):
        self.schemas[name], self.mutated[name] = schema, mutates_args

        def call(**values):
            return function(**values)

        call.register_fake = lambda fake: self.fakes.__setitem__(name, fake)
        return call


FakeTorch.Tensor.__module__ = "torch"


class Torch(TestCase):
    def test_tensors(self):
        with fake_gpu.Installed(torch=FakeTorch):
            u, source = numbers(6, 5), numbers(6, 5, seed=2)
            wanted = u.copy()
            support.programs().heat(u=wanted, source=source, q=0.5, steps=3)
            a, b = FakeTorch.Tensor(u), FakeTorch.Tensor(source)
            programs().heat.entry.streams.clear()
            programs().heat(u=a, source=b, q=0.5, steps=3)
            self.assert_same(u, wanted)
            self.assertEqual(programs().heat.entry.streams, [55])
            heat, runs = programs().heat, programs().heat.entry.streams
            graded, meta = FakeTorch.Tensor(source), FakeTorch.Tensor(source)
            graded.requires_grad, meta.data_ptr = True, lambda: 0
            thin, wide = FakeTorch.Tensor(numbers(5, 5)), FakeTorch.Tensor(numbers(6, 8)[:, :5])
            for other in (graded, thin, wide, FakeTorch.Tensor(source, "cpu"), FakeTorch.Tensor(source.astype(np.float64))):
                heat(u=FakeTorch.Tensor(u.copy()), source=b, q=0.5)
                runs.clear()
                with self.assertRaises((TypeError, ValueError)):
                    heat(u=FakeTorch.Tensor(u.copy()), source=other, q=0.5)
                self.assertEqual(runs, [])
            heat(u=FakeTorch.Tensor(u.copy()), source=b, q=0.5)
            self.assertIsNone(heat._call.again({"u": a, "source": meta, "q": 0.5}))
            own = support.programs().heat
            for _ in range(3):
                own(u=FakeTorch.Tensor(u, "cpu"), source=FakeTorch.Tensor(source, "cpu"), q=0.5)
                own(u=wanted, source=source, q=0.5)
            for step, kind in ((own, "cpu"), (programs().heat, "cuda")):
                tensors = {"u": FakeTorch.Tensor(u, kind), "source": FakeTorch.Tensor(source, kind)}
                step(**tensors, q=0.5)
                with unittest.mock.patch.object(step._call, "bind") as bind:
                    step(**tensors, q=0.5)
                self.assertFalse(bind.called)
                own(u=wanted, source=source, q=0.5, steps=2)
            self.assert_same(u, wanted)
            a.requires_grad = True
            self.refused(TypeError, ["requires gradients", "`u.detach()`"], programs().heat, u=a, source=b, q=1)
            a.requires_grad = False
            a.device = FakeTorch.device("mps")
            self.refused(TypeError, "a step takes tensors of the CPU or of a CUDA device", programs().heat, u=a, source=b, q=1)

    def test_operators(self):
        library = Library()
        own = support.programs()
        with fake_gpu.Installed(torch=FakeTorch):
            own.heat._operator = None
            self.refused(ImportError, "an operator needs PyTorch 2.4 or newer, and this is 2.0", own.heat.operator)
            FakeTorch.library = library
            try:
                self.check_operators(own, library)
            finally:
                del FakeTorch.library
                for step in own:
                    step._operator = None

    def test_an_operator_keeps_no_memory_of_a_gpu(self):
        library = Library()
        with fake_gpu.Installed(torch=FakeTorch):
            FakeTorch.library = library
            try:
                heat = programs().heat
                u, source = (FakeTorch.Tensor(numbers(6, 5, seed=seed)) for seed in (1, 2))
                wanted = u.host.copy()
                support.programs().heat(u=wanted, source=source.host, q=0.5)
                before = [id(frame) for _, frame in frames_of(heat)]
                heat.operator()(u=u, source=source, q=0.5)
                self.assertEqual([id(frame) for _, frame in frames_of(heat)], before)
                self.assert_same(u.host, wanted)
            finally:
                heat._operator = None
                del FakeTorch.library

    def check_operators(self, own, library):
        def tensor(host):
            return FakeTorch.Tensor(host, "cpu")

        heat = own.heat.operator("diffuse")
        self.assertEqual(
            library.schemas["stencilc::diffuse"], "(Tensor(a0!) u, Tensor source, float q, float a=0.2, SymInt steps=1) -> ()"
        )
        self.assertEqual(library.mutated["stencilc::diffuse"], ["u"])
        u, source = tensor(numbers(6, 5)), tensor(numbers(6, 5, seed=2))
        wanted = u.host.copy()
        own.heat(u=wanted, source=source.host, q=0.5, steps=3)
        self.assertIsNone(heat(u=u, source=source, q=0.5, steps=3))
        self.assert_same(u.host, wanted)
        self.assertIsNone(library.fakes["stencilc::diffuse"](u, source, 0.5, steps=3))
        self.refused(TypeError, "the operator `stencilc::diffuse` takes no `Q`; did you mean `q`?", heat, u=u, source=source, Q=1)
        self.refused(TypeError, ["`source` is missing", "`u`, `source`, `q`, `a` and `steps`"], heat, u=u, q=0.5)
        u.requires_grad = True
        self.refused(TypeError, ["`u` requires gradients, and `stencilc::diffuse` has none", "pass `u.detach()`"], heat, u=u,
                     source=source, q=0.5)  # fmt: skip
        u.requires_grad = False

        # The same operator again, one of the same name, and names that are none.
        self.assertIs(own.filter.operator(), own.filter.operator())
        self.assertIn("stencilc::filter_2", own.filter.operator("filter").__doc__)
        self.refused(ValueError, "`a.b` is no name of an operator", own.filter.operator, "a.b")

        # What is new is returned, of the shape that was promised.
        img, w = tensor(numbers(5, 7)), tensor(numbers(3, 2, seed=2))
        dst = own.filter.operator()(img=img, w=w)
        self.assert_same(dst.host, own.filter(img=img.host, w=w.host))
        self.assertEqual(library.fakes["stencilc::filter"](img, w).shape, dst.shape)
        own.shots.operator()
        self.assertTrue(library.schemas["stencilc::shots"].endswith("SymInt steps=1, SymInt first=0) -> Tensor"))
        points = tensor(np.array([[2, 3]])), tensor(np.array([[2.5, 3], [1, 1]])), tensor(np.ones((3, 1)))
        self.assertEqual(library.fakes["stencilc::shots"](img, img, *points, 0.5, 3, 0).shape, (3, 2))
        own.relax.operator()
        self.assertEqual(library.schemas["stencilc::relax"], "(Tensor(a0!) u, SymInt? steps=None) -> ()")
        field = tensor(np.zeros((6, 6)))
        self.assertIsNone(own.relax.operator()(u=field, steps=2))
        own.clock.operator()
        self.assertIn("int steps=1, SymInt steps_=1, SymInt first_=0", library.schemas["stencilc::clock"])
        own.flip.operator()
        self.assertIn("bool both=True", library.schemas["stencilc::flip"])


if __name__ == "__main__":
    unittest.main()
