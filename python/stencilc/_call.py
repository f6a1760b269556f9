"""Calls of the C function of a program: arguments are checked, passed, and brought home."""

from __future__ import annotations

import contextlib
import ctypes
import math
import re
from typing import Any, Dict, List, NamedTuple, Optional, Set, Tuple

import numpy as np

from . import _arrays
from ._arrays import NUMPY, Info
from ._errors import CudaError, RunError, did_you_mean, listed
from ._frame import CAPTURED, COUNT, LEVEL, PACKED, REFUSES, Frame, Place, Slot, moves_home
from ._layout import Layout, axes_text, check_array, check_same, layout_of, strides_of
from ._lists import converted, points_array, weights_array
from ._manifest import Field, Manifest
from ._types import CTYPES, default_value, scalar

# The codes of the C interface (docs/runtime.md) that wrong arguments give, and lack of memory.
WRONG_VALUE = range(1, 8)
OUT_OF_MEMORY = 8

MOST_LAYOUTS = 8  # for which frames are kept
MOST_SHAPES = 4  # for which the last call is kept

AS_WRITTEN = -1  # steps: as the `iterate` of the program says


class Captured(Exception):
    """A call like one before, on a stream that is now being captured: nothing has run, and it needs a frame of its own."""


class Functions(NamedTuple):
    """Of a library, for one of its programs."""

    run_packed: Any
    condition: Any  # of `iterate until`, or None
    last_error: Any
    bring_home: Any
    prepare: Any  # of programs for a GPU, as is the next
    is_captured: Any


class Bound:
    """A call whose arguments have been checked: it can run any number of steps."""

    __slots__ = ("frame", "layout", "key", "cells", "made", "backend", "keep", "device", "stream", "asked_stream",
                 "is_here", "captured", "fresh", "seen", "shape")  # fmt: skip

    frame: Frame
    layout: Layout
    key: tuple
    cells: int
    made: Dict[str, Any]  # new arrays for what the caller left out
    backend: _arrays.Backend
    keep: List[Any]  # memory that the call reads
    device: Optional[int]
    stream: int
    asked_stream: Optional[int]  # None: the current one
    is_here: bool  # are its device and stream the current ones, as far as it has been asked?
    captured: bool  # into a graph, which keeps the addresses that it sees
    fresh: bool  # its frame is of this call alone
    seen: Optional[List[tuple]]
    shape: Tuple[int, ...]  # of the first array


class Call:
    """Calls of one program."""

    def __init__(self, manifest: Manifest, functions: Functions):
        self.manifest = manifest
        self.function, self.condition, self.last_error = functions.run_packed, functions.condition, functions.last_error
        self.bring_home, self.prepare, self.is_captured = functions.bring_home, functions.prepare, functions.is_captured
        self.fields = {field.name: field for field in manifest.fields}
        self.reductions = {one.name: one for one in manifest.reductions}
        self.places = [Place(n, one.kind, one.of, one.axis) for n, one in enumerate(manifest.call, PACKED)]
        self.at = {(place.kind, place.of): place.index for place in self.places}  # `of` is "" where it has no meaning
        # Those with all axes come first: they say what the extents are.
        ordered = sorted(manifest.fields, key=lambda field: not field.whole)
        self.slots = [Slot(name, field, n) for field in ordered for n, name in enumerate(field.levels)]
        self.params = [
            (one.name, one.type, self.at["param", one.name],
             None if one.default is None else scalar(default_value(one.default, one.type), one.type, one.name))
            for one in manifest.params
        ]  # fmt: skip
        self.name = manifest.name
        self.waits_for_textures = "loads=texture" in manifest.schedule
        self.lists = bool(manifest.points or manifest.series or manifest.weights)
        self.known = frozenset(manifest.names())
        self.own_names: List[str] = []  # of arguments that belong to the call, for messages
        self.steps_at, self.first_at = self.at.get(("steps", "")), self.at.get(("first", ""))
        self.stream_at = self.at.get(("stream", ""))
        self.steps = 1  # that a call takes which does not say how many
        if manifest.steps and manifest.iterate:
            self.steps = AS_WRITTEN if manifest.until else manifest.iterate["limit"]
        self.reductions_at = [(one.name, self.at["reduction", one.name]) for one in manifest.reductions]
        self.layouts: Dict[Any, Layout] = {}
        self.frames: Dict[Any, List[Frame]] = {}
        self.captured: List[Frame] = []  # of graphs, which may run at any time
        self.prepared: Set[int] = set()  # the devices that have the kernels
        # Calls that later ones are compared with, by the shapes of their first arrays: a solver may have several grids.
        self.last: Dict[Tuple[int, ...], Bound] = {}
        self.first_name = next((slot.name for slot in self.slots if not slot.may_lack), "")
        self.function.restype = ctypes.c_int
        self.function.argtypes = [ctypes.c_void_p]
        if self.condition is not None:
            self.condition.restype = ctypes.c_int
            read = [one.type for one in manifest.params] + [one.type for one in manifest.reductions]
            self.condition.argtypes = [CTYPES[name] for name in read]

    def shape_of(self, field: Field, layout: Layout) -> Tuple[Tuple[int, ...], Tuple[int, ...], int]:
        """Of a dense array of a field, or of one like the others of a call: shape, strides and front, in elements."""
        if field.whole:
            return layout.shape, layout.array_strides, layout.front
        counts = [layout.extents[axis] + 2 * cells for axis, cells in zip(field.axes, field.halo)]
        steps = [1, counts[0]][: len(counts)]
        front = sum(cells * step for cells, step in zip(field.halo, steps))
        return tuple(reversed(counts)), tuple(reversed(steps)), front

    # Checking.

    def bind(self, values: Dict[str, Any], stream: Optional[int] = None, fresh: bool = False) -> Bound:
        """Checks the arguments of a call, by their names, and takes a frame for it. Nothing has run.

        fresh: on a GPU, its scratch memory is not kept for later calls.
        """
        if not self.known.issuperset(values):
            self.refuse_unknown(values)
        bound = Bound()
        bound.keep, bound.made, bound.is_here = [], {}, False
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
        bound.shape = next((info.shape for slot, info in found if slot.name == self.first_name), ())
        bound.device, bound.asked_stream = device, stream
        bound.stream = backend.stream(device) if stream is None else stream
        # Scratch memory may still be in use on its stream.
        bound.key = (layout, backend, device, bound.stream)
        bound.cells = math.prod(layout.extents)
        with self.on(bound):
            bound.captured = device is not None and self.is_captured(bound.stream) != 0
            if device is not None:
                self._make_ready(bound, device)
            bound.fresh = bound.captured or (fresh and device is not None)
            spare = None if bound.fresh else self.frames.get(bound.key)
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

    def is_on(self, bound: Bound) -> bool:
        """Is that the context anyway? Entering it takes longer than to ask."""
        device = bound.device
        return bound.is_here or device is None or (bound.asked_stream is None and bound.backend.current_device() == device)

    def _make_ready(self, bound: Bound, device: int) -> None:
        """Loads the kernels before the first call on a device, and says what a capture cannot hold."""
        if bound.captured:
            if device not in self.prepared:
                raise RuntimeError(
                    f"`{self.name}` has not run on GPU {device} yet, and a capture cannot load its kernels; call it once "
                    "before the capture" + (", with `steps=0`" if self.manifest.steps else "")
                )
            if self.manifest.points:
                raise RuntimeError(
                    f"`{self.name}` has points, which a call looks through on the GPU and waits for; it cannot be captured"
                )
            if self.waits_for_textures:
                raise RuntimeError(
                    f"the schedule of `{self.name}` reads through textures, which a capture cannot hold; compile it with "
                    "another `schedule=`, without `loads=texture`"
                )
        elif device not in self.prepared:
            code = self.prepare() or self.bring_home(None, 0, bound.stream)
            if code:
                self._fail(code)
            self.prepared.add(device)

    def _seen(self, bound: Bound, found) -> Optional[List[_arrays.Seen]]:
        """What the next call is compared with: for each array what it must be, and where its address goes."""
        frame, result = bound.frame, []
        for slot, info in found:
            if not slot.whole:
                return None
            rotating = frame.pointers.get(slot.field.name)
            if rotating is None:
                place = home = self.at["field", slot.field.name]
            else:
                place, home = rotating.pointers + slot.level, rotating.homes + slot.level
            kind = bound.backend.kind(info, slot.written)
            result.append((slot.name, kind, info.itemsize, bound.layout.front * info.itemsize, place, home))
        views = {slot.name: info.view for slot, info in found}
        return result if bound.backend.pass_again(frame.words, result, views) else None

    def again(self, values: Dict[str, Any], stream: Optional[int] = None) -> Optional[Bound]:
        """A call before, if this one has arrays of the same kind, which then need few checks; else None.

        Whether its stream is being captured is not known yet: then the run raises Captured.
        """
        try:
            bound = self.last.pop(values[self.first_name].shape)
        except (KeyError, AttributeError, TypeError):
            return None
        try:
            frame, seen = bound.frame, bound.seen or ()
            if bound.backend.pass_again(frame.words, seen, values) and (bound.device is None or self._is_stream(bound, stream)):
                if frame.has_defaults and len(values) == len(seen):
                    return bound
                if self.known.issuperset(values):
                    self._pass_params(frame, values)
                    return bound
        except (KeyError, TypeError, ValueError, BufferError, RuntimeError):
            pass  # whatever is wrong, the checks of bind() say it
        self.release(bound)
        return None

    @staticmethod
    def _is_stream(bound: Bound, stream: Optional[int]) -> bool:
        """Does a call on this stream go where the one before went?"""
        bound.frame.words[REFUSES] = 1
        if stream is not None or bound.asked_stream is not None:
            bound.is_here = False
            return stream == bound.asked_stream
        current = bound.backend.stream_here(bound.device)
        bound.is_here = current is not None
        return (current if bound.is_here else bound.backend.stream(bound.device)) == bound.stream

    def finish(self, bound: Bound) -> None:
        """After come_home(): keeps what is known of the call, without its arrays, for the next one."""
        bound.keep.clear()
        if bound.seen is None or bound.fresh or self.last.setdefault(bound.shape, bound) is not bound:
            self.release(bound)
        elif len(self.last) > MOST_SHAPES:
            with contextlib.suppress(KeyError, StopIteration, RuntimeError):  # another thread may do the same
                self.release(self.last.pop(next(iter(self.last))))

    def _pass_params(self, frame: Frame, values: Dict[str, Any]) -> None:
        frame.has_defaults = False
        has_defaults = True
        for (name, type_name, _, default), word in zip(self.params, frame.params):
            value = values.get(name)
            if value is None:
                if default is None:
                    raise TypeError(f"the param `{name}` is missing; it has no default")
                word.value = default
            else:
                has_defaults = False
                word.value = scalar(value, type_name, f"`{name}`")
        frame.has_defaults = has_defaults

    def _pass(self, bound: Bound, found, lacking, values, device) -> None:
        frame, layout = bound.frame, bound.layout
        words = frame.words
        words[REFUSES] = 0
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
            if field.rotates:
                rotating = frame.pointers[field.name]
                words[rotating.pointers + slot.level] = words[rotating.homes + slot.level] = pointer
            else:
                words[self.at["field", field.name]] = pointer
            bound.keep.append(info.view)
            pitch = self.at.get(("pitch", field.name))
            if pitch is not None:
                (words[pitch],) = strides_of(info) or (0,)
        self._pass_params(frame, values)
        if self.lists:
            self._pass_lists(bound, values, device)
        if self.stream_at is not None:
            words[self.stream_at] = bound.stream

    def _pass_lists(self, bound: Bound, values, device) -> None:
        words, counts = bound.frame.words, {}
        for weights in self.manifest.weights:
            array = weights_array(weights, values.get(weights.name))
            bound.keep.append(array)
            words[self.at["weights", weights.name]] = array.ctypes.data
        for points in self.manifest.points:
            array = points_array(points, self.manifest.axes, values.get(points.name))
            counts[points.name] = len(array)
            copy, address = bound.backend.from_numpy(array, device)
            bound.keep.append(copy)
            words[self.at["points", points.name]] = address
            words[self.at["point_count", points.name]] = len(array)
        for series in self.manifest.series:
            self._series(series, values.get(series.name), counts[series.points], bound, device)

    # Values that are not fields.

    def _series(self, one, value, count: int, bound: Bound, device) -> None:
        words, place = bound.frame.words, self.at["series", one.name]
        if one.output and value is None:
            bound.made[one.name] = None  # made when the number of steps is known
            words[place] = words[self.at["series_steps", one.name]] = 0
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
        words[place], words[self.at["series_steps", one.name]] = address, shape[0]

    def make_series(self, bound: Bound, steps: int) -> None:
        """Takes memory for series that the call returns, once it is known how many steps there are."""
        for one in self.manifest.series:
            if one.name in bound.made:
                count = bound.frame.words[self.at["point_count", one.points]]
                array = bound.backend.zeros((steps, count), (count, 1), one.type, bound.device)
                bound.made[one.name] = array
                bound.frame.words[self.at["series", one.name]] = _arrays.read(array, one.name).pointer
                bound.frame.words[self.at["series_steps", one.name]] = steps

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

    def refuse_unknown(self, values) -> None:
        name = next(name for name in values if name not in self.known)
        raise TypeError(f"`{self.name}` takes no `{name}`{did_you_mean(name, self.manifest.names() + self.own_names)}")

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

    def advance(self, bound: Bound, steps: int, first: int, reduces: bool, comes_home: bool = False) -> None:
        """Runs some steps. Then come_home() has to follow, also after an error.

        comes_home: fields of which only the newest level is given are at home when it returns.
        """
        frame = bound.frame
        words = frame.words
        for name, place in self.reductions_at:
            if reduces and bound.captured:
                raise RuntimeError(
                    f"`{self.name}` computes {listed(name for name, _ in self.reductions_at)}, and the number would have to "
                    "be waited for, which a capture cannot do; pass `reductions=False`"
                )
            words[place] = ctypes.addressof(frame.results[name]) if reduces else 0
        if self.steps_at is not None:
            words[self.steps_at] = steps
        if self.first_at is not None:
            words[self.first_at] = first
        words[COUNT] = frame.level_count if comes_home else 0
        code = self.function(frame.address)
        if code:
            self._fail(code)
        words[REFUSES] = 0  # for the pieces of a run that follow

    def is_content(self, bound: Bound) -> bool:
        """Does the condition of the program hold, for what the reductions are now?"""
        results = bound.frame.results
        params = [word.value for word in bound.frame.params]
        return self.condition(*params, *[results[name].value for name, _ in self.reductions_at]) != 0

    def come_home(self, bound: Bound) -> None:
        """Copies each level into the array that is named for it. The frame is then as it was before the run."""
        frame = bound.frame
        if frame.level_count:
            self._bring_home(bound, frame.levels_address, frame.level_count)
        if frame.several:
            self.several_home(bound)

    def several_home(self, bound: Bound) -> None:
        """The same for the fields of which several levels are given."""
        frame = bound.frame
        for one in frame.several:
            self._levels_home(bound, one)
        frame.take_scratch_back()

    def _levels_home(self, bound: Bound, one: Any) -> None:
        kept = []

        def spare() -> int:
            shape, strides, _ = self.shape_of(one.field, bound.layout)
            array, address = bound.backend.empty(shape, strides, one.field.type, bound.device)
            kept.append(array)
            return address + one.front

        words = bound.frame.words
        pointers, homes = words[one.pointers : one.pointers + one.given], words[one.homes : one.homes + one.given]
        for to, source in moves_home(pointers, homes, spare):
            buffers = (ctypes.c_void_p * 1)(source)
            level = (ctypes.c_int64 * LEVEL)(ctypes.addressof(buffers), 1, to, one.front, *one.lengths)
            self._bring_home(bound, ctypes.addressof(level), 1)
        words[one.pointers : one.pointers + one.given] = homes

    def _bring_home(self, bound: Bound, levels: int, count: int) -> None:
        code = self.bring_home(levels, count, bound.stream)
        if code:
            self._fail(code)

    def release(self, bound: Bound) -> None:
        """Gives the frame back, for the next call."""
        frame = bound.frame
        if bound.fresh:
            if bound.captured and bound.backend.keeps_captured:
                self.captured.append(frame)
            return
        frame.take_scratch_back()
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
        if code == CAPTURED:
            raise Captured
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
