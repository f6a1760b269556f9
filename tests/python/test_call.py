"""What a call computes, and where it leaves it."""

import threading
import unittest
import unittest.mock

import numpy as np

import stencilc
from support import TestCase, numbers, programs


def laplacian(u):
    p = np.pad(u, 1, mode="edge")
    return p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u


def heat(u, source, a, q, steps=1):
    for _ in range(steps):
        u = u + a * laplacian(u) + q * source
    return u


class InPlace(TestCase):
    def test_any_number_of_steps_ends_in_the_array(self):
        source = numbers(7, 5, seed=2)
        for steps in (0, 1, 2, 3):
            with self.subTest(steps=steps):
                u = numbers(7, 5)
                wanted = heat(u, source, np.float32(0.25), np.float32(0.5), steps)
                self.assertIsNone(programs().heat(u=u, source=source, steps=steps, a=0.25, q=0.5))
                self.assert_same(u, wanted)

    def test_one_step_and_defaults(self):
        u, source = numbers(6, 6), np.zeros((6, 6), np.float32)
        wanted = u.copy()
        programs().heat(u=wanted, source=source, a=0.2, q=0, steps=1)
        programs().heat(u=u, source=source, q=0)
        self.assert_same(u, wanted)

    def test_the_same_arrays_again(self):
        u, source = numbers(6, 4), numbers(6, 4, seed=3)
        wanted = u
        for n in range(5):
            q = np.float32(0.25 * n)
            wanted = heat(wanted, source, np.float32(0.25), q)
            programs().heat(u=u, source=source, a=0.25, q=q)
            self.assert_same(u, wanted)

    def test_other_arrays_of_the_same_shape(self):
        source = numbers(6, 4, seed=3)
        for seed in range(4):
            u = numbers(6, 4, seed=seed)
            wanted = heat(u, source, np.float32(0.25), np.float32(0))
            programs().heat(u=u, source=source, a=0.25, q=0)
            self.assert_same(u, wanted)

    def test_grids_in_turn(self):
        """A call is compared with the last one of its shape: what was checked then is not checked again."""
        grids = {shape: (numbers(*shape), numbers(*shape, seed=2)) for shape in ((6, 4), (12, 8), (24, 16))}
        wanted = {shape: heat(u, source, np.float32(0.25), np.float32(0), 3) for shape, (u, source) in grids.items()}
        for n in range(3):
            with unittest.mock.patch.object(programs().heat._call, "bind", wraps=programs().heat._call.bind) as bind:
                for u, source in grids.values():
                    programs().heat(u=u, source=source, a=0.25, q=0)
            self.assertEqual(bind.call_count if n > 0 else 0, 0)
        for shape, (u, _) in grids.items():
            self.assert_same(u, wanted[shape])
        for size in range(30, 40):  # many grids: only the last ones are kept
            u = numbers(size, 4)
            programs().heat(u=u, source=np.zeros_like(u), a=0.25, q=0)
        self.assertLessEqual(len(programs().heat._call.last), 4)

    def test_arrays_that_the_call_before_had_otherwise(self):
        """Each of these follows a call with arrays of the same shape that were dense."""
        odd = np.zeros(6 * 4 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(6, 4)
        for change in (lambda u: np.full((6, 8), 9, np.float32)[:, :4], lambda u: np.full((12, 4), 9, np.float32)[::2],
                       lambda u: np.asfortranarray(u), lambda u: odd, lambda u: u.astype(np.float64)):  # fmt: skip
            u, source = numbers(6, 4), np.zeros((6, 4), np.float32)
            programs().heat(u=u, source=source, a=0.25, q=0)
            other = change(u)
            try:
                other[...] = u
                wanted = heat(u.astype(np.float32), source, np.float32(0.25), np.float32(0))
                padded = np.zeros((6, 8), np.float32)[:, :4] if other.strides[0] != 16 else source
                programs().heat(u=other, source=padded, a=0.25, q=0)
            except (TypeError, ValueError):
                self.assertTrue(other.dtype != np.float32 or not other.flags.aligned or other.flags.f_contiguous)
            else:
                self.assert_same(other, wanted)

    def test_arrays_that_the_call_before_had_padded(self):
        """Each of these follows a call with padded arrays of the same shape, one of which was read-only."""
        source = np.zeros((6, 8), np.float32)[:, :4]
        source.flags.writeable = False
        for n, change in enumerate((lambda u: u, np.copy, lambda u: np.full((6, 9), 9, np.float32)[:, :4], np.asfortranarray)):
            u = np.full((6, 8), 9, np.float32)[:, :4]
            u[...] = numbers(6, 4)
            programs().heat(u=u, source=source, a=0.25, q=0)
            other, wanted = change(u), heat(u.copy(), source, np.float32(0.25), np.float32(0))
            other[...] = u
            if n == 0:
                programs().heat(u=other, source=source, a=0.25, q=0)
                self.assert_same(other, wanted)
                other.flags.writeable = False
            self.refused(ValueError, "`u`", programs().heat, u=other, source=source, a=0.25, q=0)

    def test_memory_that_moves(self):
        u, source = numbers(4, 4), np.zeros((4, 4), np.float32)
        programs().heat(u=u, source=source, q=0)
        u.resize((256, 256), refcheck=False)
        other = [np.empty((4, 4), np.float32) for _ in range(100)]
        u.resize((4, 4), refcheck=False)
        u[:] = numbers(4, 4)
        wanted = heat(u, source, np.float32(0.25), np.float32(0))
        programs().heat(u=u, source=source, a=0.25, q=0)
        self.assert_same(u, wanted)
        del other

    def test_a_call_keeps_no_array(self):
        import weakref

        u, source = numbers(4, 4), np.zeros((4, 4), np.float32)
        programs().heat(u=u, source=source, q=0, steps=3)
        gone = weakref.ref(u)
        del u
        self.assertIsNone(gone())

    def test_levels(self):
        def step(p, old):
            return 2 * p - old + 0.25 * (laplacian(np.pad(p, 1))[1:-1, 1:-1])

        for steps in (1, 2, 3):
            p, p_prev = numbers(5, 6, dtype=np.float64), numbers(5, 6, dtype=np.float64, seed=2)
            levels = p.copy(), p_prev.copy()
            for _ in range(steps):
                levels = step(*levels), levels[0]
            programs().wave(p=p, p_prev=p_prev, steps=steps)
            self.assert_same(p, levels[0])
            self.assert_same(p_prev, levels[1])

    def test_three_levels(self):
        for steps in range(7):
            n, n_prev, n_prev2 = (np.array([k, 10 * k], np.int32) for k in (1, 2, 3))
            levels = [n.copy(), n_prev.copy(), n_prev2.copy()]
            for _ in range(steps):
                levels = [levels[0] + levels[2], levels[0], levels[1]]
            programs().delay(n=n, n_prev=n_prev, n_prev2=n_prev2, steps=steps)
            for found, wanted in zip((n, n_prev, n_prev2), levels):
                self.assert_same(found, wanted)

    def test_out_changes_nothing(self):
        p, p_prev = numbers(5, 6, dtype=np.float64), numbers(5, 6, dtype=np.float64, seed=2)
        before = p.copy(), p_prev.copy()
        new = programs().wave.out(p=p, p_prev=p_prev, steps=3)
        self.assert_same(p, before[0])
        self.assert_same(p_prev, before[1])
        programs().wave(p=p, p_prev=p_prev, steps=3)
        self.assertEqual(new._fields, ("p", "p_prev"))
        self.assert_same(new.p, p)
        self.assert_same(new.p_prev, p_prev)

    def test_out_takes_any_order_of_axes(self):
        p, p_prev = numbers(5, 6, dtype=np.float64), numbers(5, 6, dtype=np.float64, seed=2)
        odd = np.asfortranarray(p)
        odd.flags.writeable = False
        found = programs().wave.out(p=odd, p_prev=p_prev[:, :], steps=2)
        programs().wave(p=p, p_prev=p_prev, steps=2)
        self.assert_same(found.p, p)


class Exported:
    """An array of a package that offers DLPack alone."""

    def __init__(self, array, kind=1):
        self.array, self.kind = array, kind

    def __dlpack_device__(self):
        return self.kind, 0

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


class OtherPackages(TestCase):
    def test_dlpack(self):
        u, source = numbers(6, 5), numbers(6, 5, seed=2)
        wanted = heat(u, source, np.float32(0.25), np.float32(0.5), 1)
        if np.from_dlpack(Exported(u)).flags.writeable:
            programs().heat(u=Exported(u), source=Exported(source), a=0.25, q=0.5)
            self.assert_same(u, wanted)
        else:  # NumPy 1 takes such memory to be read-only
            self.refused(ValueError, "`u` is read-only", programs().heat, u=Exported(u), source=source, q=0.5)
            self.assert_same(programs().heat.out(u=Exported(u), source=Exported(source), a=0.25, q=0.5), wanted)
        self.refused(TypeError, "on a device of DLPack's kind 4", programs().heat, u=Exported(u, 4), source=source, q=1)

    def test_array_interface(self):
        class Wrapped:
            def __init__(self, array):
                self.__array_interface__ = array.__array_interface__
                self.array = array

        u, source = numbers(6, 5), numbers(6, 5, seed=2)
        wanted = heat(u, source, np.float32(0.25), np.float32(0.5), 1)
        programs().heat(u=Wrapped(u), source=Wrapped(source), a=0.25, q=0.5)
        self.assert_same(u, wanted)


class Layouts(TestCase):
    """Arrays that are parts of others: nothing beside them changes."""

    def check(self, window, shape):
        inside, outside = np.full(shape, 7, np.float32), np.full(shape, 7, np.float32)
        u, source = inside[window], np.zeros(shape, np.float32)[window]
        u[...] = numbers(*u.shape)
        wanted = heat(u.copy(), source, np.float32(0.25), np.float32(0), 3)
        programs().heat(u=u, source=source, a=0.25, q=0, steps=3)
        self.assert_same(u, wanted)
        outside[window] = wanted
        self.assert_same(inside, outside)

    def test_padded_rows(self):
        self.check(np.s_[:, :5], (6, 8))

    def test_a_window(self):
        self.check(np.s_[2:5, 3:7], (8, 9))

    def test_every_other_row(self):
        self.check(np.s_[::2, 1:6], (8, 9))

    def test_single_rows_and_columns(self):
        self.check(np.s_[1:2, 1:6], (8, 9))
        self.check(np.s_[:, 4:5], (8, 9))
        self.check(np.s_[3:4, 4:5], (8, 9))

    def test_a_window_of_planes(self):
        whole = np.full((6, 7, 8), 7, np.float32)
        before = whole.copy()
        window = np.s_[1:5, 2:6, 1:7]
        u = whole[window]
        u[...] = numbers(4, 4, 6)
        plane, row = numbers(4, 6, seed=2), numbers(6, seed=3)
        wanted = np.roll(u, (1, 1, 1), (0, 1, 2)) + plane * row
        programs().shift3(u=u, plane=plane, row=row)
        self.assert_same(u, wanted)
        before[window] = wanted
        self.assert_same(whole, before)

    def test_a_padded_array_on_some_axes(self):
        u, row = numbers(3, 4, 6), numbers(6, seed=3)
        wide = numbers(4, 9, seed=2)
        wanted = np.roll(u, (1, 1, 1), (0, 1, 2)) + wide[:, 2:8] * row
        programs().shift3(u=u, plane=wide[:, 2:8], row=row)
        self.assert_same(u, wanted)

    def test_ghost_cells(self):
        ny, nx = 4, 5
        u, v = numbers(ny + 2, nx + 4), numbers(ny + 2, nx + 4, seed=2)
        wanted_u, wanted_v = u.copy(), v.copy()
        for _ in range(3):
            wanted_u[1:-1, 2:-2], wanted_v[1:-1, 2:-2] = (
                wanted_u[1:-1, 1:-3] + wanted_u[2:, 2:-2],
                wanted_v[1:-1, 2:-2] + wanted_v[1:-1, :-4],
            )
        programs().ghosts(u=u, v=v, steps=3)
        self.assert_same(u, wanted_u)
        self.assert_same(v, wanted_v)


class Results(TestCase):
    def filtered(self, img, w, bias=0):
        p = np.pad(img, 1, mode="edge")
        ny, nx = img.shape
        taps = [(w[i, j], p[j : j + ny, i : i + nx]) for i in range(3) for j in range(2)]
        return (bias + sum(weight * cells for weight, cells in taps)).astype(np.float32)

    def test_an_output_that_is_left_out_is_returned(self):
        img, w = numbers(5, 7), numbers(3, 2, seed=2)
        wanted = self.filtered(img, w, 0.5)
        self.assert_same(programs().filter(img=img, w=w, bias=0.5), wanted)
        self.assert_same(programs().filter(img=img, w=w.ravel().tolist(), bias=0.5), wanted)
        dst = np.empty((5, 7), np.float32)
        self.assertIsNone(programs().filter(img=img, w=w, dst=dst, bias=0.5))
        self.assert_same(dst, wanted)
        self.assert_same(programs().filter.out(img=img, w=w, bias=0.5), wanted)

    def test_an_output_beside_padded_inputs(self):
        wide, w = numbers(5, 12), numbers(3, 2, seed=2)
        self.assert_same(programs().filter(img=wide[:, 2:9], w=w), self.filtered(wide[:, 2:9].copy(), w))

    def test_reductions_are_numbers(self):
        u = np.zeros((6, 6))
        u[0] = 4
        result = programs().relax(u=u, steps=1)
        self.assertEqual(result._fields, ("moved", "total", "steps_taken"))
        self.assertEqual((result.moved, result.steps_taken), (1.0, 1))
        self.assertAlmostEqual(result.total, u.sum(), 12)
        self.assertIs(type(result.moved), float)

    def test_without_reductions(self):
        u = np.zeros((6, 6))
        self.assertEqual(programs().relax(u=u, steps=1, reductions=False), 1)

    def test_iterate_until(self):
        u = np.zeros((6, 6))
        u[0] = 4
        result = programs().relax(u=u)
        self.assertEqual(result.steps_taken % 10, 0)
        self.assertGreater(result.steps_taken, 10)
        self.assertLess(result.moved, 0.01)

    def shots(self, steps, **more):
        u = np.zeros((8, 9), np.float32)
        pulse = np.zeros((6, 2), np.float32)
        pulse[0] = 1, 2
        values = {"u": u, "u_prev": u.copy(), "sources": [(2, 3), (6, 1)], "receivers": [(2.0, 3.0), (6.5, 1.0), (50, 50)],
                  "pulse": pulse, "steps": steps, **more}  # fmt: skip
        return values["u"], programs().shots(**values)

    def test_points_and_series(self):
        u, trace = self.shots(3)
        self.assertEqual(trace.shape, (3, 3))
        # A sample is of before the step, so the pulse of step 0 is seen in step 1.
        self.assert_same(trace[0], [0, 0, 0])
        self.assert_same(trace[1], [1, 1, 0])
        given = np.full((5, 3), 9, np.float32)
        _, nothing = self.shots(3, trace=given)
        self.assertIsNone(nothing)
        self.assert_same(given[:3], trace)
        self.assert_same(given[3:], np.full((2, 3), 9))

    def test_a_series_goes_on_where_steps_begin(self):
        values = self.shots(5)
        u = np.zeros((8, 9), np.float32)
        pulse = np.zeros((6, 2), np.float32)
        pulse[0] = 1, 2
        common = {"u": u, "u_prev": u.copy(), "sources": [(2, 3), (6, 1)], "pulse": pulse,
                  "receivers": [(2.0, 3.0), (6.5, 1.0), (50, 50)]}  # fmt: skip
        trace = np.zeros((5, 3), np.float32)
        programs().shots(**common, trace=trace, steps=2)
        programs().shots(**common, trace=trace, steps=3, first=2)
        self.assert_same(trace, values[1])
        self.assert_same(u, values[0])

    def test_names_of_a_call_that_a_program_takes(self):
        first = np.zeros(3, np.int64)
        programs().clock(first=first, steps=2, steps_=4, first_=10)
        self.assert_same(first, [2 * (10 + 11 + 12 + 13)] * 3)


class Types(TestCase):
    def test_bytes(self):
        cell = np.zeros((6, 6), np.uint8)
        cell[2, 1:4] = 1
        programs().life(cell=cell, steps=1)
        wanted = np.zeros((6, 6), np.uint8)
        wanted[1:4, 2] = 1
        self.assert_same(cell, wanted)

    def test_bits(self):
        b = np.array([True, False, False])
        programs().flip(b=b, steps=4)
        self.assert_same(b, [False, True, False])
        programs().flip(b=b, both=False)
        self.assert_same(b, [False] * 3)

    def test_halves(self):
        u = np.array([0, 1, 2, 3], np.float16)
        v = stencilc._types.DTYPES["bf16"].type(0)
        v = np.full(4, v)
        programs().half(u=u, v=v, steps=2, h=0.25, g=0.5)
        self.assert_same(u, np.array([0, 0.0625, 0.25, 0.5], np.float16))
        bits = v.view(np.uint16)
        self.assert_same(bits, [0x3FC0] * 4)  # 1.5

    def test_bits_of_bf16_without_ml_dtypes(self):
        u, v = np.zeros(4, np.float16), np.full(4, 0x4000, np.uint16)
        programs().half(u=u, v=v)
        self.assert_same(v, [0x40A0] * 4)  # 2*2 + 1

    def test_integers(self):
        a, b, c = np.full(3, -128, np.int8), np.full(3, 65535, np.uint16), np.full(3, -32768, np.int16)
        programs().bytes(a=a, b=b, c=c)
        self.assert_same(a, [127] * 3)
        self.assert_same(b, [2] * 3)
        self.assert_same(c, [-32768] * 3)

    def test_bf16_params_round_to_nearest_even(self):
        from stencilc._types import bf16_bits

        cases = {1.0: 0x3F80, -2.0: 0xC000, 1 + 2.0**-8: 0x3F80, 1 + 3 * 2.0**-8: 0x3F82, 1 + 2.0**-8 + 2.0**-30: 0x3F81,
                 3.4e38: 0x7F80, 1e300: 0x7F80, -float("inf"): 0xFF80, -0.0: 0x8000, 2.0**-126: 0x0080,
                 2.0**-133: 0x0001, 2.0**-134: 0, 3 * 2.0**-134: 0x0002, 2.0**-200: 0}  # fmt: skip
        for value, bits in cases.items():
            self.assertEqual(hex(bf16_bits(value)), hex(bits), value)
        self.assertEqual(bf16_bits(float("nan")) & 0x7FC0, 0x7FC0)


class Threads(TestCase):
    def test_calls_at_once(self):
        """Each thread has arrays of its own; frames are not shared."""
        wanted = numbers(40, 50)
        source = np.zeros((40, 50), np.float32)
        programs().heat(u=wanted, source=source, q=0, steps=200)
        results = [None] * 4

        def work(n):
            u = numbers(40, 50)
            for _ in range(20):
                programs().heat(u=u, source=source, q=0, steps=10)
            results[n] = u

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results:
            self.assert_same(result, wanted)


if __name__ == "__main__":
    unittest.main()
