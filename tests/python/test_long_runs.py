"""Runs in pieces: `every`, and Ctrl-C."""

import os
import signal
import threading
import time
import unittest

import numpy as np

import stencilc
from stencilc import _run
from support import TestCase, numbers, programs


class Every(TestCase):
    def test_it_hands_over_after_each_block(self):
        u, source = numbers(6, 5), numbers(6, 5, seed=2)
        wanted, seen = u.copy(), []
        for done in programs().heat.every(3, u=u, source=source, q=0.5, steps=8):
            seen.append(int(done))
            wanted_now = wanted.copy()
            programs().heat(u=wanted_now, source=source, q=0.5, steps=int(done))
            self.assert_same(u, wanted_now)
        self.assertEqual(seen, [3, 6, 8])

    def test_levels_and_changes_between_blocks(self):
        p, p_prev = numbers(5, 5, dtype=np.float64), numbers(5, 5, dtype=np.float64, seed=3)
        other, other_prev = p.copy(), p_prev.copy()
        for _ in programs().wave.every(3, p=p, p_prev=p_prev, steps=9):
            programs().wave(p=other, p_prev=other_prev, steps=3)
            self.assert_same(p, other)
            self.assert_same(p_prev, other_prev)
            p[2, 2] = other[2, 2] = 1

    def test_the_number_of_the_step_goes_on(self):
        n = np.zeros(2, np.int64)
        for _ in programs().clock.every(2, first=n, steps_=5, first_=1):
            pass
        self.assert_same(n, [15, 15])

    def test_results(self):
        u = np.zeros((6, 6))
        u[0] = 4
        moved = [done.results.moved for done in programs().relax.every(1, u=u, steps=4)]
        self.assertEqual(len(moved), 4)
        self.assertEqual(sorted(moved, reverse=True), moved)
        self.assertGreater(moved[0], moved[3])

    def test_leaving_the_loop(self):
        u, source = numbers(6, 5), numbers(6, 5, seed=2)
        wanted = u.copy()
        for done in programs().heat.every(3, u=u, source=source, q=0.5, steps=100):
            if done == 6:
                break
        programs().heat(u=wanted, source=source, q=0.5, steps=6)
        self.assert_same(u, wanted)


class LongRuns(TestCase):
    def setUp(self):
        self.short, _run.SHORT = _run.SHORT, 100  # every run is a long one

    def tearDown(self):
        _run.SHORT = self.short

    def test_pieces_give_the_same(self):
        for steps in (1, 2, 3, 17, 200):
            u, source = numbers(6, 5), numbers(6, 5, seed=2)
            wanted = u.copy()
            for _ in range(steps):
                programs().heat(u=wanted, source=source, q=0.5)
            programs().heat(u=u, source=source, q=0.5, steps=steps)
            self.assert_same(u, wanted)

    def test_reductions_are_those_of_the_last_step(self):
        u = np.zeros((20, 20))
        u[0] = 4
        other = u.copy()
        result = programs().relax(u=u, steps=50)
        for _ in range(50):
            wanted = programs().relax(u=other, steps=1)
        self.assertEqual((result.moved, result.total), (wanted.moved, wanted.total))

    def test_time_goes_on(self):
        n = np.zeros(200, np.int64)
        programs().clock(first=n, steps_=100)
        self.assert_same(n, [sum(range(100))] * 200)

    def test_a_condition_ends_the_run_at_the_same_step(self):
        self.assertGreater(36 * 1000, _run.SHORT)
        results = []
        for short in (100, 10**9):
            _run.SHORT = short
            u = np.zeros((6, 6))
            u[0] = 4
            results.append((programs().relax(u=u), u))
        self.assertEqual(results[0][0], results[1][0])
        self.assert_same(results[0][1], results[1][1])
        self.assertGreater(results[0][0].steps_taken, 10)

    def test_a_limit_ends_the_run(self):
        u = np.zeros((40, 40))
        u[0] = 1e9
        result = programs().relax(u=u)
        self.assertEqual(result.steps_taken, 1000)
        self.assertGreater(result.moved, 0.01)

    def test_other_threads_have_no_signals(self):
        u, source = numbers(20, 20), np.zeros((20, 20), np.float32)
        thread = threading.Thread(target=lambda: programs().heat(u=u, source=source, q=0, steps=100))
        thread.start()
        thread.join()
        wanted = numbers(20, 20)
        programs().heat(u=wanted, source=source, q=0, steps=100)
        self.assert_same(u, wanted)


class Interrupted(TestCase):
    def interrupt(self, call):
        """Sends the signal of Ctrl-C once the call has run for a while. Returns how long it then took."""
        sent = []

        def send():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.4, send)
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt) as caught:
                call()
        finally:
            timer.cancel()
            timer.join()
        return time.monotonic() - sent[0], str(caught.exception)

    def test_the_arrays_are_those_of_a_step(self):
        u, source = numbers(300, 300), np.zeros((300, 300), np.float32)
        start = u.copy()
        before = signal.getsignal(signal.SIGINT)
        took, text = self.interrupt(lambda: programs().heat(u=u, source=source, q=0, steps=10**9))
        self.assertLess(took, 5)
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        done = int(text.split()[2])
        self.assertEqual(text, f"stopped after {done} of 1000000000 steps; the arrays hold the values of that step")
        programs().heat(u=start, source=source, q=0, steps=done)
        self.assert_same(u, start)
        # In a loop, the steps are those of all blocks.
        seen = []
        blocks = programs().heat.every(100, u=u, source=source, q=0, steps=10**9)
        took, text = self.interrupt(lambda: seen.extend(blocks))
        self.assertGreaterEqual(int(text.split()[2]), 100 * len(seen))
        self.assertIn(" of 1000000000 steps", text)

    def test_a_run_that_a_condition_ends(self):
        program = stencilc.compile(
            """stencil forever {
  axes  x, y;
  field f64 u  boundary periodic;
  u[t+1] = 0.25*(u[x-1] + u[x+1] + u[y-1] + u[y+1]);
  reduce least = min(u[t+1]);
  iterate until least > 2, check every 7, limit 1000000000;
}
""",
            optimise=0,
        )
        u = np.random.default_rng(1).random((200, 200))
        start = u.copy()
        took, text = self.interrupt(lambda: program(u=u))
        self.assertLess(took, 5)
        done = int(text.split()[2])
        self.assertEqual(done % 7, 0)
        self.assertGreater(done, 0)
        program(u=start, steps=done)
        self.assert_same(u, start)

    def test_a_handler_of_the_user_is_called(self):
        class Stop(Exception):
            pass

        def stop(number, frame):
            raise Stop()

        u, source = numbers(300, 300), np.zeros((300, 300), np.float32)
        before = signal.signal(signal.SIGINT, stop)
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        try:
            with self.assertRaises(Stop):
                programs().heat(u=u, source=source, q=0, steps=10**9)
        finally:
            timer.join()
            signal.signal(signal.SIGINT, before)


if __name__ == "__main__":
    unittest.main()
