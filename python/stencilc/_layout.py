"""How the arrays of a call lie in memory, and what is said of those that do not fit.

The C function takes one distance between rows, and one between planes, for all arrays that have all axes. So these arrays may
be padded or windows of larger ones, but all in the same way.
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Sequence, Tuple

from ._arrays import Info
from ._manifest import Field, Manifest
from ._types import dtype_text


class Layout(NamedTuple):
    """That of all arrays on all axes. Lengths are in elements, axes in the order of the program: x first."""

    extents: Tuple[int, ...]  # without the halo
    strides: Tuple[int, ...]  # between rows and planes: one less than the extents
    shape: Tuple[int, ...]  # of the arrays, x last, with the halo
    array_strides: Tuple[int, ...]  # in elements, x last
    front: int  # elements from the first of the array to cell (0, 0)


def strides_of(info: Info) -> Optional[Tuple[int, ...]]:
    """In elements, x first, one for each axis but x; None if the memory is no rows of neighbouring elements."""
    shape, itemsize = info.shape, info.itemsize
    if shape[-1] > 1 and info.strides[-1] != itemsize:
        return None
    result, least = [], shape[-1]
    for axis in range(len(shape) - 2, -1, -1):
        stride = info.strides[axis]
        if shape[axis] == 1:  # any stride will do, so all arrays get the same
            stride = least * itemsize
        if stride < least * itemsize or stride % itemsize:
            return None
        stride //= itemsize
        result.append(stride)
        least = stride * shape[axis]
    return tuple(result)


def layout_of(info: Info, halo: Sequence[int]) -> Optional[Layout]:
    strides = strides_of(info)
    if strides is None:
        return None
    extents = tuple(count - 2 * cells for count, cells in zip(reversed(info.shape), halo))
    steps = (1, *strides)
    front = sum(cells * step for cells, step in zip(halo, steps))
    return Layout(extents, strides, info.shape, tuple(reversed(steps)), front)


def axes_text(manifest: Manifest, field: Field) -> str:
    """[y, x]: the axes of an array of the field, as NumPy counts them."""
    names = []
    for axis, cells in zip(field.axes, field.halo):
        names.append(f"{manifest.axes[axis]}+{2 * cells}" if cells else manifest.axes[axis])
    return f"[{', '.join(reversed(names))}]"


def check_array(info: Info, name: str, field: Field, manifest: Manifest) -> None:
    """What can be told of an array alone. Raises a TypeError or a ValueError that says what would mend it."""
    if field.type not in info.types:
        raise TypeError(
            f"`{name}` is an array of {info.dtype}, and the field is of type {field.type}; "
            f"pass `{name}.astype({dtype_text(field.type)})`" + (", and read the result there" if field.written else "")
        )
    if field.written and not info.writable:
        raise ValueError(f"`{name}` is read-only, and the step writes it; pass `{name}.copy()`, or call `step.out(...)`")
    if len(info.shape) != len(field.axes):
        raise ValueError(
            f"`{name}` has the shape {info.shape}; an array of `{field.name}` has the axes {axes_text(manifest, field)}"
        )
    for axis, count, cells in zip(field.axes, reversed(info.shape), field.halo):
        if count - 2 * cells < 1:
            halo = f" and a halo of {cells} at each end" if cells else ""
            raise ValueError(
                f"`{name}` has the shape {info.shape}, and {count} along `{manifest.axes[axis]}`: there must be one cell "
                f"at least{halo}"
            )
    if info.pointer % info.itemsize:
        raise ValueError(f"`{name}` does not begin at a multiple of its element size; pass `{name}.copy()`")
    if strides_of(info) is None:
        raise ValueError(
            f"`{name}` {_why_not_rows(info)}, which a step does not take; pass `np.ascontiguousarray({name})`"
            + (_and_back(name) if field.written else "")
        )


def _and_back(name: str) -> str:
    return f" and copy the result back, or call `step.out(...)`, which returns new arrays instead of changing `{name}`"


def _why_not_rows(info: Info) -> str:
    if any(stride == 0 for stride, count in zip(info.strides, info.shape) if count > 1):
        return "is broadcast: several cells share memory"
    if any(stride < 0 for stride, count in zip(info.strides, info.shape) if count > 1):
        return f"runs backwards along an axis (strides {info.strides})"
    if info.strides[-1] != info.itemsize and info.strides[0] == info.itemsize:
        return f"is in Fortran order or transposed: its first axis is the contiguous one (strides {info.strides})"
    return f"has strides {info.strides}: neighbours along the last axis must be neighbours in memory, and rows in order"


def check_same(layout: Layout, first: str, info: Info, name: str, manifest: Manifest) -> None:
    """Raises a ValueError unless an array lies as the first one of the call does."""
    own = layout_of(info, manifest.halo)
    assert own is not None
    if own.shape != layout.shape:
        raise ValueError(
            f"`{name}` has the shape {own.shape} and `{first}` has {layout.shape}; the arrays of a call have one shape"
        )
    dense, padded = (name, first) if _is_dense(own) else (first, name)
    if _is_dense(own) or _is_dense(layout):
        mend = f"pass `np.ascontiguousarray({padded})`, or make `{dense}` a part of an array of that width"
    else:
        mend = "pass `np.ascontiguousarray(...)` of both"
    raise ValueError(
        f"rows of `{name}` are {_strides_text(own)} elements apart and those of `{first}` are {_strides_text(layout)}; "
        f"the arrays of a call have the same padding; {mend}"
    )


def _is_dense(layout: Layout) -> bool:
    expected, step = [], layout.shape[-1]
    for count in reversed(layout.shape[:-1]):
        expected.append(step)
        step *= count
    return tuple(expected) == layout.strides


def _strides_text(layout: Layout) -> str:
    return " and ".join(str(one) for one in layout.strides)
