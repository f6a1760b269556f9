"""Calls of the C function of a program: arguments are checked, passed, and brought home."""

from __future__ import annotations

import ctypes
import math
import re
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _arrays
from ._arrays import NUMPY, Info
from ._errors import CudaError, RunError, did_you_mean, listed
from ._layout import Layout, axes_text, check_array, check_same, layout_of, strides_of
from ._lists import converted, points_array, weights_array
from ._manifest import Field, Manifest
from ._types import CTYPES, DTYPES, default_value, scalar

# The codes of the C interface (docs/runtime.md) that wrong arguments give, and lack of memory.
WRONG_VALUE = range(1, 8)
OUT_OF_MEMORY = 8

MOST_LAYOUTS = 8  # for which frames are kept

AS_WRITTEN = -1  # steps: as the `iterate` of the program says


class Slot:
    """A time level of a field, which a call gives by its name."""

    __slots__ = ("name", "field", "level", "type", "itemsize", "written", "may_lack", "whole")

    def __init__(self, name: str, field: Field, level: int):
        self.name, self.field, self.level = name, field, level
        self.type, self.written, self.whole = field.type, field.written, field.whole
        self.itemsize = DTYPES[field.type].itemsize
        self.may_lack = field.role == "output"


class Place:
    """Where an argument of the C function is in its list."""

    __slots__ = ("index", "kind", "of", "axis")

    def __init__(self, index: int, kind: str, of: Optional[str], axis: Optional[int]):
        self.index, self.kind, self.of, self.axis = index, kind, of or "", axis or 0


class Frame:
    """The arguments of a call of one layout. Calls reuse a frame, one at a time, with its scratch memory."""

    def __init__(self, call: "Call", layout: Layout, backend: _arrays.Backend, device: Optional[int]):
        self.arguments: List[Any] = [None] * len(call.places)
        self.rotating: List[Tuple[Field, Any, int]] = []  # the field, its array of pointers, how many are given
        self.pointers: Dict[str, Any] = {}  # those arrays of pointers, by the names of the fields
        self.scratch: Dict[int, Any] = {}  # arrays by their addresses
        self.results: Dict[str, Any] = {}  # reductions and the number of steps taken
        for place in call.places:
            if place.kind == "field":
                field = call.fields[place.of]
                if field.rotates:
                    pointers = (ctypes.c_void_p * field.buffers)()
                    self.arguments[place.index] = ctypes.addressof(pointers)
                    self.pointers[field.name] = pointers
                    self.rotating.append((field, pointers, len(field.levels)))
            elif place.kind == "extent":
                self.arguments[place.index] = layout.extents[place.axis]
            elif place.kind == "stride":
                self.arguments[place.index] = layout.strides[place.axis - 1]
            elif place.kind == "reduction":
                self.results[place.of] = CTYPES[call.reductions[place.of].type]()
            elif place.kind == "steps_taken":
                taken = self.results["steps_taken"] = ctypes.c_int64()
                self.arguments[place.index] = ctypes.addressof(taken)
            elif place.kind == "workspace_bytes":
                self.arguments[place.index] = 0
        for field, pointers, given in self.rotating:
            shape, strides, front = call.shape_of(field, layout)
            for n in range(given, field.buffers):
                array, address = backend.empty(shape, strides, field.type, device)
                pointers[n] = address + front * DTYPES[field.type].itemsize
                self.scratch[pointers[n]] = array


class Bound:
    """A call whose arguments have been checked: it can run any number of steps."""

    __slots__ = ("frame", "layout", "key", "cells", "homes", "views", "made", "backend", "keep", "device", "stream",
                 "asked_stream", "seen")  # fmt: skip

    frame: Frame
    layout: Layout
    key: tuple
    cells: int
    homes: Dict[str, int]  # the addresses of levels that rotate, by their names
    views: Dict[str, Any]  # the arrays there
    made: Dict[str, Any]  # new arrays for what the caller left out
    backend: _arrays.Backend
    keep: List[Any]  # memory that the call reads
    device: Optional[int]
    stream: int
    asked_stream: Optional[int]  # None: the current one
    seen: Optional[List[tuple]]


def _kind(info: Info) -> tuple:
    return info.dtype, info.shape, info.strides, info.device


class Call:
    """Calls of one program."""

    def __init__(self, manifest: Manifest, function: Any, condition: Any, last_error: Any):
        self.manifest = manifest
        self.function, self.condition, self.last_error = function, condition, last_error
        self.fields = {field.name: field for field in manifest.fields}
        self.reductions = {one.name: one for one in manifest.reductions}
        self.places = [Place(n, one.kind, one.of, one.axis) for n, one in enumerate(manifest.call)]
        self.at = {(place.kind, place.of): place.index for place in self.places}  # `of` is "" where it has no meaning
        # Those with all axes come first: they say what the extents are.
        ordered = sorted(manifest.fields, key=lambda field: not field.whole)
        self.slots = [Slot(name, field, n) for field in ordered for n, name in enumerate(field.levels)]
        self.params = [
            (one.name, one.type, self.at["param", one.name],
             None if one.default is None else scalar(default_value(one.default, one.type), one.type, one.name))
            for one in manifest.params
        ]  # fmt: skip
        self.lists = bool(manifest.points or manifest.series or manifest.weights)
        self.known = frozenset(manifest.names())
        self.steps_at, self.first_at = self.at.get(("steps", "")), self.at.get(("first", ""))
        self.stream_at = self.at.get(("stream", ""))
        self.reductions_at = [(one.name, self.at["reduction", one.name]) for one in manifest.reductions]
        self.layouts: Dict[Any, Layout] = {}
        self.frames: Dict[Any, List[Frame]] = {}
        self.last: List[Bound] = []  # one at most
        function.restype = ctypes.c_int
        function.argtypes = [self._c_type(place) for place in self.places]
        if condition is not None:
            condition.restype = ctypes.c_int
            condition.argtypes = [CTYPES[one.type] for one in manifest.params] + [CTYPES[one.type] for one in manifest.reductions]

    def _c_type(self, place: Place) -> Any:
        if place.kind == "param":
            return CTYPES[next(one.type for one in self.manifest.params if one.name == place.of)]
        if place.kind == "workspace_bytes":
            return ctypes.c_size_t
        if place.kind in ("extent", "stride", "pitch", "point_count", "series_steps", "first", "steps"):
            return ctypes.c_int64
        return ctypes.c_void_p

    def shape_of(self, field: Field, layout: Layout) -> Tuple[Tuple[int, ...], Tuple[int, ...], int]:
        """Of a dense array of a field, or of one like the others of a call: shape, strides and front, in elements."""
        if field.whole:
            return layout.shape, layout.array_strides, layout.front
        counts = [layout.extents[axis] + 2 * cells for axis, cells in zip(field.axes, field.halo)]
        steps = [1, counts[0]][: len(counts)]
        front = sum(cells * step for cells, step in zip(field.halo, steps))
        return tuple(reversed(counts)), tuple(reversed(steps)), front

    # Checking.

    def bind(self, values: Dict[str, Any], stream: Optional[int] = None) -> Bound:
        """Checks the arguments of a call, by their names, and takes a frame for it. Nothing has run."""
        if not self.known.issuperset(values):
            self._refuse_unknown(values)
        bound = Bound()
        bound.keep, bound.made, bound.homes, bound.views = [], {}, {}, {}
        layout: Optional[Layout] = None
        first: Optional[str] = None  # the array that the others are compared with
        backend: _arrays.Backend = NUMPY
        device: Optional[int] = None
        lacking: List[Slot] = []
        found: List[Tuple[Slot, Info]] = []
        for slot in self.slots:
            value = values.get(slot.name)
            if value is None:
                if not slot.may_lack:
                    self._refuse_missing(slot)
                lacking.append(slot)
                continue
            if type(value) is np.ndarray:
                info = _arrays.numpy_info(value)
            else:
                info = self._info(value, slot)
            if slot.type not in info.types or (slot.written and not info.writable):
                check_array(info, slot.name, slot.field, self.manifest)
            if slot.whole:
                own = self.layouts.get((info.shape, info.strides, info.itemsize))
                if own is None or info.pointer % info.itemsize:
                    own = self._new_layout(info, slot)
                if layout is None:
                    layout, first, backend, device = own, slot.name, info.backend, info.device
                elif own is not layout and first is not None:
                    check_same(layout, first, info, slot.name, self.manifest)
            else:
                self._check_part(info, slot, layout, first)
            if info.backend is not backend or info.device != device:
                if first is not None:
                    self._refuse_device(info, slot, first, backend, device)
            found.append((slot, info))
        if layout is None:
            raise TypeError(f"{listed(slot.name for slot in lacking)} must be given: no other array says how large the grid is")
        if first is not None and (device is None) != (self.stream_at is None):
            self._refuse_target(first, device)
        bound.layout, bound.backend = layout, backend
        bound.device, bound.asked_stream = device, stream
        bound.stream = backend.stream(device) if stream is None else stream
        # Scratch memory may still be in use on its stream.
        bound.key = (layout, backend, device, bound.stream)
        bound.cells = math.prod(layout.extents)
        with self.on(bound):
            spare = self.frames.get(bound.key)
            bound.frame = spare.pop() if spare else Frame(self, layout, backend, device)
            try:
                self._pass(bound, found, lacking, values, device)
                bound.seen = None if bound.made or self.lists else self._seen(bound, found)
            except BaseException:
                self.release(bound)
                raise
        return bound

    def on(self, bound: Bound) -> Any:
        """The context in which memory for a call is taken, and in which it runs."""
        return bound.backend.on(bound.device, bound.asked_stream)

    def _seen(self, bound: Bound, found) -> Optional[List[tuple]]:
        """What the next call is compared with: for each array what it must be, and where its address goes."""
        result = []
        for slot, info in found:
            if not slot.whole:
                return None
            if info.device is None and type(info.view) is not np.ndarray:
                return None
            if info.device is not None and info.backend.address(info.view, *_kind(info)) is None:
                return None
            dense = info.device is None and info.writable and info.view.flags.c_contiguous
            pointers = bound.frame.pointers.get(slot.field.name)
            place = self.at["field", slot.field.name] if pointers is None else slot.level
            front = bound.layout.front * info.itemsize
            strides = None if dense else info.strides
            result.append((slot.name, info.dtype, info.shape, strides, slot.written, info.itemsize, front, pointers, place))
        return result

    def again(self, values: Dict[str, Any], stream: Optional[int] = None) -> Optional[Bound]:
        """The call before, if this one has arrays of the same kind, which then need few checks; else None.

        Of an array without gaps in memory the shape says the strides, and such a buffer, which is quicker to get than the
        address, is only to be had of memory that can be written.
        """
        try:
            bound = self.last.pop()
        except IndexError:
            return None
        if bound.device is not None:
            return self._again_on_device(bound, values, stream)
        arguments, homes, views = bound.frame.arguments, bound.homes, bound.views
        try:
            for name, dtype, shape, strides, written, itemsize, front, pointers, place in bound.seen or ():
                array = values[name]
                if type(array) is not np.ndarray or array.dtype is not dtype or array.shape != shape:
                    break
                if strides is None:
                    pointer = ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]
                else:
                    pointer, readonly = array.__array_interface__["data"]
                    if array.strides != strides or (readonly and written):
                        break
                if pointer % itemsize:
                    break
                pointer += front
                if pointers is None:
                    arguments[place] = pointer
                else:
                    pointers[place] = homes[name] = pointer
                    views[name] = array
            else:
                if self.known.issuperset(values):
                    self._pass_params(arguments, values)
                    return bound
        except (KeyError, TypeError, ValueError, BufferError):
            pass  # whatever is wrong, the checks of bind() say it
        self.release(bound)
        return None

    def _again_on_device(self, bound: Bound, values: Dict[str, Any], stream: Optional[int]) -> Optional[Bound]:
        arguments, homes, views = bound.frame.arguments, bound.homes, bound.views
        address, device = bound.backend.address, bound.device
        try:
            for name, dtype, shape, strides, _, itemsize, front, pointers, place in bound.seen or ():
                array = values[name]
                pointer = address(array, dtype, shape, strides, device)
                if pointer is None or pointer % itemsize:
                    break
                pointer += front
                if pointers is None:
                    arguments[place] = pointer
                    bound.keep.append(array)
                else:
                    pointers[place] = homes[name] = pointer
                    views[name] = array
            else:
                current = bound.backend.stream(device) if stream is None else stream
                if stream == bound.asked_stream and current == bound.stream and self.known.issuperset(values):
                    self._pass_params(arguments, values)
                    return bound
        except (KeyError, TypeError, ValueError):
            pass  # whatever is wrong, the checks of bind() say it
        self.release(bound)
        return None

    def finish(self, bound: Bound) -> None:
        """After come_home(): keeps what is known of the call, without its arrays, for the next one."""
        bound.views.clear()
        bound.keep.clear()
        if bound.seen is None or self.last:
            self.release(bound)
        else:
            self._take_scratch_back(bound.frame)
            self.last.append(bound)

    def _pass_params(self, arguments: List[Any], values: Dict[str, Any]) -> None:
        for name, type_name, place, default in self.params:
            value = values.get(name)
            if value is None:
                if default is None:
                    raise TypeError(f"the param `{name}` is missing; it has no default")
                arguments[place] = default
            else:
                arguments[place] = scalar(value, type_name, f"`{name}`")

    def _pass(self, bound: Bound, found, lacking, values, device) -> None:
        frame, layout = bound.frame, bound.layout
        arguments = frame.arguments
        for slot in lacking:
            shape, strides, _ = self.shape_of(slot.field, layout)
            array = bound.made[slot.name] = bound.backend.zeros(shape, strides, slot.type, device)
            found.append((slot, self._info(array, slot)))
        for slot, info in found:
            field = slot.field
            pointer = info.pointer
            if slot.whole:
                pointer += layout.front * info.itemsize
            else:
                pointer += self._part_front(info, field)
            place = self.at["field", field.name]
            if field.rotates:
                frame.pointers[field.name][slot.level] = pointer
                bound.homes[slot.name] = pointer
                bound.views[slot.name] = info.view
            else:
                arguments[place] = pointer
                bound.keep.append(info.view)
            pitch = self.at.get(("pitch", field.name))
            if pitch is not None:
                (arguments[pitch],) = strides_of(info) or (0,)
        self._pass_params(arguments, values)
        if self.lists:
            self._pass_lists(bound, values, device)
        if self.stream_at is not None:
            arguments[self.stream_at] = bound.stream

    def _pass_lists(self, bound: Bound, values, device) -> None:
        arguments, counts = bound.frame.arguments, {}
        for weights in self.manifest.weights:
            array = weights_array(weights, values.get(weights.name))
            bound.keep.append(array)
            arguments[self.at["weights", weights.name]] = array.ctypes.data
        for points in self.manifest.points:
            array = points_array(points, self.manifest.axes, values.get(points.name))
            counts[points.name] = len(array)
            copy, address = bound.backend.from_numpy(array, device)
            bound.keep.append(copy)
            arguments[self.at["points", points.name]] = address
            arguments[self.at["point_count", points.name]] = len(array)
        for series in self.manifest.series:
            self._series(series, values.get(series.name), counts[series.points], bound, device)

    # Values that are not fields.

    def _series(self, one, value, count: int, bound: Bound, device) -> None:
        arguments, place = bound.frame.arguments, self.at["series", one.name]
        if one.output and value is None:
            bound.made[one.name] = None  # made when the number of steps is known
            arguments[self.at["series_steps", one.name]] = 0
            return
        if value is None:
            raise TypeError(f"the series `{one.name}` is missing; pass an array of shape (steps, points of `{one.points}`)")
        if one.output:
            info = _arrays.read(value, one.name)
            if info.device != device or info.backend is not bound.backend:
                raise ValueError(
                    f"`{one.name}` is written: it is in the memory of the fields, as an array of {bound.backend.name}"
                )
            if one.type not in info.types or not info.writable or strides_of(info) != (count,):
                raise TypeError(
                    f"`{one.name}` is written: it takes a C-contiguous {one.type} array of shape (steps, {count}) that can "
                    f"be written, and got {info.dtype} of shape {info.shape}; leave it out to get a new one"
                )
            shape, view, address = info.shape, info.view, info.pointer
        else:
            array = converted(value, one.name, one.type)
            if array.ndim == 1 and count == 1:
                array = array.reshape(-1, 1)
            shape = array.shape
            view, address = bound.backend.from_numpy(array, device)
        if len(shape) != 2 or shape[1] != count:
            raise ValueError(
                f"`{one.name}` has the shape (steps, {count}), a column for each of the points `{one.points}`, and got {shape}"
            )
        bound.keep.append(view)
        arguments[place], arguments[self.at["series_steps", one.name]] = address, shape[0]

    def make_series(self, bound: Bound, steps: int) -> None:
        """Takes memory for series that the call returns, once it is known how many steps there are."""
        for one in self.manifest.series:
            if one.name in bound.made:
                count = bound.frame.arguments[self.at["point_count", one.points]]
                array = bound.backend.zeros((steps, count), (count, 1), one.type, bound.device)
                bound.made[one.name] = array
                bound.frame.arguments[self.at["series", one.name]] = _arrays.read(array, one.name).pointer
                bound.frame.arguments[self.at["series_steps", one.name]] = steps

    # Messages.

    def _info(self, value: Any, slot: Slot) -> Info:
        if _arrays.is_data_array(value):
            value = self.from_data_array(value, slot)
        return _arrays.read(value, slot.name)

    def from_data_array(self, value: Any, slot: Slot) -> Any:
        """The memory of an xarray.DataArray, its axes in the order of the program."""
        wanted = [self.manifest.axes[axis] for axis in reversed(slot.field.axes)]
        if set(value.dims) != set(wanted) or len(value.dims) != len(wanted):
            dims = ", ".join(map(str, value.dims))
            raise ValueError(
                f"`{slot.name}` has the dims ({dims}), and `{slot.field.name}` has the axes ({', '.join(wanted)}); rename "
                f"them with `{slot.name}.rename(...)`"
            )
        return value.transpose(*wanted).data

    def _new_layout(self, info: Info, slot: Slot) -> Layout:
        check_array(info, slot.name, slot.field, self.manifest)
        layout = layout_of(info, self.manifest.halo)
        assert layout is not None
        if len(self.layouts) > 256:
            self.layouts.clear()
        known = next((one for one in self.layouts.values() if one == layout), layout)
        self.layouts[info.shape, info.strides, info.itemsize] = known
        return known

    def _check_part(self, info: Info, slot: Slot, layout: Optional[Layout], first) -> None:
        check_array(info, slot.name, slot.field, self.manifest)
        if layout is None:
            return
        counts = [layout.extents[axis] + 2 * cells for axis, cells in zip(slot.field.axes, slot.field.halo)]
        if info.shape != tuple(reversed(counts)):
            raise ValueError(
                f"`{slot.name}` has the shape {info.shape}; an array of the axes {axes_text(self.manifest, slot.field)} "
                f"beside `{first}` of {layout.shape} has {tuple(reversed(counts))}"
            )

    @staticmethod
    def _part_front(info: Info, field: Field) -> int:
        steps = (1, *(strides_of(info) or ()))
        return sum(cells * step for cells, step in zip(field.halo, steps)) * info.itemsize

    def _refuse_unknown(self, values) -> None:
        name = next(name for name in values if name not in self.known)
        raise TypeError(f"`{self.manifest.name}` takes no `{name}`{did_you_mean(name, self.manifest.names())}")

    def _refuse_missing(self, slot: Slot) -> None:
        field = slot.field
        if slot.level:
            raise TypeError(
                f"`{slot.name}` is missing: level t-{slot.level} of `{field.name}`, which the step reads; "
                f"`{slot.name}={field.name}.copy()` starts at rest"
            )
        raise TypeError(
            f"`{slot.name}` is missing; pass an array of {field.type} with the axes {axes_text(self.manifest, field)}"
        )

    def _refuse_device(self, info: Info, slot: Slot, first, backend, device) -> None:
        place = "the CPU" if device is None else f"GPU {device}"
        own = "the CPU" if info.device is None else f"GPU {info.device}"
        if place == own:
            raise TypeError(
                f"`{slot.name}` is an array of {info.backend.name} and `{first}` one of {backend.name}; the arrays of a "
                "call are of one package"
            )
        raise ValueError(f"`{slot.name}` is on {own} and `{first}` on {place}; the arrays of a call are in one memory")

    def _refuse_target(self, first: str, device) -> None:
        if device is None:
            raise TypeError(
                f"`{first}` is in the memory of the host, and the program is compiled for a GPU; pass an array of CuPy or "
                "PyTorch, or compile with `target='cpu'`"
            )
        raise TypeError(f"`{first}` is on GPU {device}, and the program is compiled for the CPU; compile with `target='cuda'`")

    # Running.

    def advance(self, bound: Bound, steps: int, first: int, reduces: bool) -> None:
        """Runs some steps. The levels of rotating fields are then where the frame says, not yet at home."""
        arguments = bound.frame.arguments
        for name, place in self.reductions_at:
            arguments[place] = ctypes.addressof(bound.frame.results[name]) if reduces else None
        if self.steps_at is not None:
            arguments[self.steps_at] = steps
        if self.first_at is not None:
            arguments[self.first_at] = first
        code = self.function(*arguments)
        if code:
            self._fail(code)

    def is_content(self, bound: Bound) -> bool:
        """Does the condition of the program hold, for what the reductions are now?"""
        results = bound.frame.results
        params = [bound.frame.arguments[place] for _, _, place, _ in self.params]
        return self.condition(*params, *[results[name].value for name, _ in self.reductions_at]) != 0

    def come_home(self, bound: Bound) -> None:
        """Copies each level into the array that is named for it."""
        homes, views = bound.homes, bound.views
        for field, pointers, given in bound.frame.rotating:
            if given == 1:
                name = field.levels[0]
                if pointers[0] != homes[name]:
                    bound.backend.copy(views[name], bound.frame.scratch[pointers[0]])
            else:
                self._levels_home(bound, field, pointers, given)

    def _levels_home(self, bound: Bound, field: Field, pointers, given: int) -> None:
        names, backend = field.levels, bound.backend
        at = {bound.homes[name]: bound.views[name] for name in names}
        at.update((pointer, bound.frame.scratch[pointer]) for pointer in pointers if pointer in bound.frame.scratch)
        # What each level that is away is copied from.
        away = {name: at[pointers[n]] for n, name in enumerate(names) if pointers[n] != bound.homes[name]}
        while away:
            free = [name for name in away if not any(source is bound.views[name] for source in away.values())]
            if not free:  # a cycle, which a copy of one of its arrays opens
                name = next(iter(away))
                shape, strides, _ = self.shape_of(field, bound.layout)
                spare, _ = backend.empty(shape, strides, field.type, bound.device)
                backend.copy(spare, bound.views[name])
                away = {one: spare if source is bound.views[name] else source for one, source in away.items()}
                free = [name]
            for name in free:
                backend.copy(bound.views[name], away.pop(name))

    def rearm(self, bound: Bound) -> None:
        """After come_home(): the frame points to the arrays of the caller again, and to its own scratch memory."""
        for field, pointers, given in bound.frame.rotating:
            for n, name in enumerate(field.levels):
                pointers[n] = bound.homes[name]
        self._take_scratch_back(bound.frame)

    @staticmethod
    def _take_scratch_back(frame: Frame) -> None:
        scratch = iter(frame.scratch)
        for field, pointers, given in frame.rotating:
            for n in range(given, field.buffers):
                pointers[n] = next(scratch)

    def release(self, bound: Bound) -> None:
        """Gives the frame back, for the next call."""
        frame = bound.frame
        self._take_scratch_back(frame)
        spare = self.frames.get(bound.key)
        if spare is None:
            while len(self.frames) >= MOST_LAYOUTS:
                oldest = next(iter(self.frames))
                oldest[1].wait(oldest[2])
                self.frames.pop(oldest, None)
            spare = self.frames.setdefault(bound.key, [])
        spare.append(frame)

    def _level_name(self, found: "re.Match[str]") -> str:
        """The name by which the caller knows a buffer of a field: `u[1]` may be `u_prev`, or scratch memory."""
        field, n = self.fields.get(found.group(1)), int(found.group(2))
        if field is None:
            return found.group(0)
        return f"`{field.levels[n]}`" if n < len(field.levels) else f"scratch memory of `{field.name}`"

    def _fail(self, code: int) -> None:
        message = (self.last_error() or b"").decode("utf-8", "replace")
        message = re.sub(r"`(\w+)\[(\d+)\]`", self._level_name, message)
        if code == OUT_OF_MEMORY:
            raise MemoryError(message)
        if code in WRONG_VALUE:
            raise ValueError(message)
        raise (RunError if self.stream_at is None else CudaError)(message, code)

    def steps_per_launch(self) -> int:
        found = re.search(r"(?:^|,)steps=(\d+)", self.manifest.schedule)
        return int(found.group(1)) if found else 1
