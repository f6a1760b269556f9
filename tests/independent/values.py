"""Types of values, and what conversions and the smaller operations make of them."""

import numpy as np

import exact

INTEGERS = ("i64", "i32", "i16", "u16", "i8", "u8")
ARITHMETIC = ("i32", "i64", "f32", "f64")
DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.float32, "i64": np.int64, "i32": np.int32,
          "i16": np.int16, "u16": np.uint16, "i8": np.int8, "u8": np.uint8, "bool": np.bool_}


def is_float(kind):
    return kind in ("f32", "f64")


def arithmetic(kind):
    """The type in which values of a type are computed with."""
    return kind if kind in ARITHMETIC else "f32" if kind in ("f16", "bf16") else "i32"


# ---- values ----

def to_integer(value, kind, near):
    info = np.iinfo(DTYPES[kind])
    wide = value.astype(np.float64)
    wide = np.rint(wide) if near else np.trunc(wide)
    low, high = wide <= float(info.min), wide >= float(info.max)
    safe = np.where(low | high | np.isnan(wide), 0.0, wide).astype(np.int64)
    result = np.where(low, info.min, np.where(high, info.max, safe))
    return np.where(np.isnan(wide), 0, result).astype(DTYPES[kind])


def convert(value, source, target):
    if source == target:
        return value
    if target == "bool":
        return value != 0
    if target == "bf16":
        return exact.round_bf16(value if value.dtype in (np.float32, np.float64) else value.astype(np.float64))
    if target in INTEGERS and (source in ("f16", "bf16") or is_float(source)):
        return to_integer(value, target, near=False)
    with np.errstate(all="ignore"):
        return value.astype(DTYPES[target])


def saturate(value, source, target):
    if source in ("f16", "bf16") or is_float(source):
        return to_integer(value, target, near=True)
    info = np.iinfo(DTYPES[target])
    wide = value.astype(np.int64)
    return np.where(wide < info.min, info.min, np.where(wide > info.max, info.max, wide)).astype(DTYPES[target])


def smaller(a, b, sign):
    """min for sign 1, max for -1: a number goes before NaN, and -0 is less than +0."""
    a, b = np.broadcast_arrays(a, b)
    if a.dtype.kind != "f":
        return np.minimum(a, b) if sign > 0 else np.maximum(a, b)
    first = (a < b) if sign > 0 else (b < a)
    first |= (a == b) & (np.signbit(a) if sign > 0 else ~np.signbit(a))
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.where(first, a, b)))


def quotient_down(a, b):
    return np.where(b == 0, 0, a // np.where(b == 0, 1, b)).astype(a.dtype)


def remainder(a, b):
    return np.where(b == 0, 0, a - quotient_down(a, b) * b).astype(a.dtype)


COMPARE = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal}
