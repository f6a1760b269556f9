"""What the tests share: the programs, compiled once, and how an error is examined."""

import functools
import os
import unittest

import numpy as np

import stencilc

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


@functools.lru_cache(None)
def programs():
    return stencilc.compile(os.path.join(HERE, "programs.stn"), optimise=0)


def numbers(*shape, dtype=np.float32, seed=1):
    """Random numbers that are multiples of 1/64, so that short sums of them are exact."""
    return (np.random.default_rng(seed).integers(-64, 64, shape) / 64).astype(dtype)


class TestCase(unittest.TestCase):
    def refused(self, kind, words, call, *args, **values):
        """The call raises an exception of exactly this kind, whose text has all the words."""
        with self.assertRaises(kind) as caught:
            call(*args, **values)
        self.assertIs(type(caught.exception), kind)
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, str(caught.exception))
        return caught.exception

    def assert_same(self, found, wanted):
        """The same bits."""
        np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))
