"""Arithmetic with one rounding: fused multiply-add for f32 and f64, and the small types of storage."""

from fractions import Fraction

import numpy as np


def _odd(value, error):
    """`value + error`, where value is the nearest f64, rounded to odd: the digit behind the last says whether it is exact."""
    bits = value.view(np.int64).copy()
    move = (error != 0) & np.isfinite(value) & ((bits & 1) == 0)
    # A larger bit pattern is a value further from 0.
    outward = (error > 0) == (value > 0)
    bits[move & outward] += 1
    bits[move & ~outward] -= 1
    return bits.view(np.float64)


def _two_sum(a, b):
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _halves(a):
    big = a * 134217729.0  # 2^27 + 1
    high = big - (big - a)
    return high, a - high


def _two_product(a, b):
    product = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def nearest(value):
    """The f64 nearest to a fraction that is not 0; ties go to even."""
    sign, value = (-1.0, -value) if value < 0 else (1.0, value)
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if value < Fraction(2) ** exponent:
        exponent -= 1
    unit = max(exponent - 52, -1074)
    scaled = value / Fraction(2) ** unit
    whole, rest = divmod(scaled.numerator, scaled.denominator)
    twice = 2 * rest
    if twice > scaled.denominator or (twice == scaled.denominator and whole & 1):
        whole += 1
    if whole.bit_length() + unit > 1024:
        return sign * np.inf
    return sign * float(np.ldexp(np.float64(whole >> 1), unit + 1) if whole.bit_length() > 53 else np.ldexp(np.float64(whole), unit))


def slow_fma(a, b, c):
    """One fma of f64 by fractions."""
    a, b, c = float(a), float(b), float(c)
    if not (np.isfinite(a) and np.isfinite(b) and np.isfinite(c)) or a == 0 or b == 0:
        if np.isfinite(a) and np.isfinite(b) and a != 0 and b != 0:
            return c  # an infinity or NaN swallows any product of numbers
        with np.errstate(all="ignore"):
            return float(np.float64(a) * np.float64(b) + np.float64(c))
    total = Fraction(a) * Fraction(b) + Fraction(c)
    if total == 0:
        return 0.0  # two that cancel give +0; the product is not 0, so c is not either
    return nearest(total)


def fma(a, b, c):
    """a*b + c, rounded once, of arrays of f32 or f64."""
    a, b, c = np.broadcast_arrays(a, b, c)
    if a.dtype == np.float32:
        # The product of two f32 is exact in f64. The sum rounded to odd is rounded right once more.
        total, error = _two_sum(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64))
        return _odd(total, np.where(np.isfinite(error), error, 0)).astype(np.float32)
    # Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums": right where nothing over- or underflows.
    high, low = _two_product(a, b)
    upper, lower = _two_sum(c, low)
    upper, middle = _two_sum(high, upper)
    rest, error = _two_sum(middle, lower)
    result = upper + _odd(np.atleast_1d(rest), np.atleast_1d(error)).reshape(np.shape(rest))
    tame_a, tame_b, tame_c = ((size > 1e-100) & (size < 1e100) for size in map(np.abs, (a, b, c)))
    # A product that is 0 or no number, and a sum with 0 or with what is no number, are rounded once as they are.
    plain = (a == 0) | (b == 0) | ~np.isfinite(a) | ~np.isfinite(b) | (tame_a & tame_b & ((c == 0) | ~np.isfinite(c)))
    result = np.where(plain, a * b + c, result)
    for place in np.flatnonzero(~(plain | (tame_a & tame_b & tame_c))):
        result.flat[place] = slow_fma(a.flat[place], b.flat[place], c.flat[place])
    return result


def round_bf16(value):
    """f32 or f64 to the nearest bf16, as an f32."""
    value = np.asarray(value)
    if value.dtype == np.float64:
        # To f32, to odd; what then is rounded is as if rounded once.
        with np.errstate(all="ignore"):
            near = value.astype(np.float32)
        bits = near.view(np.int32).copy()
        error = np.where(np.isfinite(value), value, 0) - np.where(np.isfinite(near), near, 0)
        move = np.isfinite(near) & np.isfinite(value) & (error != 0) & ((bits & 1) == 0)
        outward = (error > 0) == (value > 0)
        zero = near == 0
        bits[move & outward & ~zero] += 1
        bits[move & ~outward & ~zero] -= 1
        value = bits.view(np.float32)
    bits = value.astype(np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) & np.uint64(0xFFFF0000)).astype(np.uint32)
    return np.where(np.isnan(value), np.float32(np.nan), rounded.view(np.float32)).astype(np.float32)
