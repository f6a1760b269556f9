"""Element types: their names in programs, in NumPy and in C."""

from __future__ import annotations

import ctypes
import math
import operator
from typing import Any, Dict, FrozenSet

import numpy as np

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None  # type: ignore[assignment]

CTYPES = {
    "bool": ctypes.c_bool,
    "i8": ctypes.c_int8,
    "u8": ctypes.c_uint8,
    "i16": ctypes.c_int16,
    "u16": ctypes.c_uint16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "f16": ctypes.c_uint16,  # passed as bits
    "bf16": ctypes.c_uint16,
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
}

DTYPES: Dict[str, np.dtype] = {
    "bool": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "u8": np.dtype(np.uint8),
    "i16": np.dtype(np.int16),
    "u16": np.dtype(np.uint16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "f16": np.dtype(np.float16),
    # Without ml_dtypes the bits of a bf16 are a uint16.
    "bf16": np.dtype(ml_dtypes.bfloat16) if ml_dtypes else np.dtype(np.uint16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}

# The types that arrays of a dtype can hold. A uint16 holds a u16, or the bits of a bf16.
TYPES_OF: Dict[np.dtype, FrozenSet[str]] = {dtype: frozenset([name]) for name, dtype in DTYPES.items()}
TYPES_OF[np.dtype(np.uint16)] = frozenset(["u16", "bf16"])

FLOATS = ("f16", "bf16", "f32", "f64")
F32_MAX = float(np.finfo(np.float32).max)


def dtype_text(name: str) -> str:
    """How a user writes the dtype: np.float32."""
    if name == "bf16":
        return "ml_dtypes.bfloat16" if ml_dtypes else "np.uint16 (the bits of a bf16; or install ml_dtypes)"
    return f"np.{'bool_' if name == 'bool' else DTYPES[name].name}"


def bf16_bits(value: float) -> int:
    """The bits of the nearest bf16, of two equally near ones of the even one."""
    if math.isnan(value):
        return 0x7FFF
    bits = int(np.float64(value).view(np.int64))
    sign, magnitude = (bits >> 48) & 0x8000, bits & 0x7FFFFFFFFFFFFFFF
    exponent = (magnitude >> 52) - 1023
    if exponent > 127:
        return sign | 0x7F80
    # How many of the bits of the double, its leading one included, the bf16 has.
    whole = (magnitude & 0xFFFFFFFFFFFFF) | (1 << 52 if magnitude >> 52 else 0)
    drop = 45 + max(0, -126 - exponent)
    if drop > 54:
        return sign
    kept, rest, half = whole >> drop, whole & ((1 << drop) - 1), 1 << (drop - 1)
    kept += rest > half or (rest == half and kept & 1)
    return sign | (kept if exponent < -126 else kept + ((exponent + 126) << 7))


def scalar(value: Any, type_name: str, what: str) -> Any:
    """What ctypes takes for a param of this type. `what` begins the message of an error."""
    kind = type(value)
    if kind is float and (type_name == "f64" or type_name == "f32" and -F32_MAX <= value <= F32_MAX):
        return value
    if getattr(value, "shape", ()) not in ((), (1,)):
        raise TypeError(f"{what} takes one number, and got an array of shape {tuple(value.shape)}")
    if type_name in FLOATS:
        try:
            if isinstance(value, (str, bytes)):  # which float() would read
                raise TypeError
            number = float(value)
        except OverflowError:
            raise ValueError(f"{what} is of type {type_name}, which cannot hold {value!r}") from None
        except (TypeError, ValueError):
            raise TypeError(f"{what} takes a number, and got {value!r}") from None
        if type_name == "f64":
            return number
        if type_name == "f32":
            with np.errstate(over="ignore"):
                fits = math.isfinite(np.float32(number))
        elif type_name == "f16":
            with np.errstate(over="ignore"):
                half = np.float16(number)
            fits, number = math.isfinite(half), int(half.view(np.uint16))
        else:
            number = bf16_bits(number)
            fits = number & 0x7F80 != 0x7F80
        if not fits and math.isfinite(float(value)):
            raise ValueError(f"{what} is of type {type_name}, which cannot hold {value!r}")
        return number
    if type_name == "bool":
        if value in (0, 1):
            return bool(value)
        raise TypeError(f"{what} takes True or False, and got {value!r}")
    try:
        number = operator.index(value.item() if hasattr(value, "item") else value)
    except TypeError:
        raise TypeError(f"{what} takes an integer, and got {value!r}") from None
    limits = np.iinfo(DTYPES[type_name])
    if not limits.min <= number <= limits.max:
        raise ValueError(f"{what} is of type {type_name}, from {limits.min} to {limits.max}, and got {number}")
    return number


def default_value(text: str, type_name: str) -> Any:
    """A default of the manifest as a number."""
    if type_name == "bool":
        return text == "true"
    return float(text) if type_name in FLOATS else int(text)
