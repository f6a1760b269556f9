"""Weights, points and series: arguments that are only read. They may be of any type whose values fit."""

from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np

from ._manifest import Points, Weights
from ._types import DTYPES, bf16_bits


def converted(value: Any, name: str, type_name: str) -> np.ndarray:
    """A C-contiguous NumPy array of the type."""
    if hasattr(value, "__cuda_array_interface__") and not isinstance(value, np.ndarray):
        value = value.get() if hasattr(value, "get") else value.cpu().numpy()
    array, dtype = np.asarray(value), DTYPES[type_name]
    if array.dtype.kind not in "biuf" and array.dtype != dtype:
        raise TypeError(f"`{name}` takes numbers, and got {value!r}")
    if type_name == "bf16" and dtype.kind == "u" and array.dtype.kind == "f":
        array = np.array([bf16_bits(float(one)) for one in array.flat], dtype).reshape(array.shape)
    if dtype.kind in "iu" and array.size:
        if array.dtype.kind == "f":
            raise TypeError(f"`{name}` takes integers, and got {array.dtype}; pass `np.rint({name}).astype({dtype.name!r})`")
        limits = np.iinfo(dtype)
        if array.min() < limits.min or array.max() > limits.max:
            raise ValueError(f"`{name}` holds values from {array.min()} to {array.max()}, which {dtype} cannot hold")
    return np.ascontiguousarray(array, dtype)


def weights_array(weights: Weights, value: Any) -> np.ndarray:
    if value is None:
        raise TypeError(f"the weights `{weights.name}` are missing; pass an array of shape {weights.shape}")
    array = converted(value, weights.name, weights.type)
    if array.shape != weights.shape and not (array.ndim == 1 and array.size == math.prod(weights.shape)):
        ranges = ", ".join(f"{low}..{high}" for low, high in weights.ranges)
        raise ValueError(f"`{weights.name}[{ranges}]` has the shape {weights.shape}, and got {array.shape}")
    return array


def points_array(points: Points, axes: Sequence[str], value: Any) -> np.ndarray:
    """A row for each point, x first."""
    if value is None:
        raise TypeError(
            f"the points `{points.name}` are missing; pass an array of shape (points, {len(axes)}), of ({', '.join(axes)})"
        )
    array = converted(value, points.name, "f64" if points.linear else "i32")
    if array.size == 0:
        array = array.reshape(0, len(axes))
    if array.ndim == 1 and len(axes) == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2 or array.shape[1] != len(axes):
        raise ValueError(
            f"`{points.name}` has the shape (points, {len(axes)}), each row being ({', '.join(axes)}), and got {array.shape}"
        )
    return array
