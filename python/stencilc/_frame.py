"""What a call of one layout passes to the C function, kept for the next one with its scratch memory."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import _arrays
from ._layout import Layout
from ._manifest import Field
from ._types import CTYPES, DTYPES

# A stencil_level of runtime/include/stencil/callers.h has so many words: its buffers, their count, its home, ...
WORDS, HOME = 9, 2


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


class Rotating(NamedTuple):
    """A field whose levels go from buffer to buffer while steps run."""

    field: Field
    pointers: Any  # the array that the C function takes and rotates: levels that are given, then scratch memory
    given: int
    front: int  # bytes from the first of an array to cell (0, 0)
    lengths: Tuple[int, ...]  # the last words of a stencil_level


class Frame:
    """The arguments of a call of one layout. Calls reuse a frame, one at a time, with its scratch memory."""

    def __init__(self, call: Any, layout: Layout, backend: _arrays.Backend, device: Optional[int]):
        self.arguments: List[Any] = [None] * len(call.places)
        self.rotating: List[Rotating] = []
        self.pointers: Dict[str, Any] = {}  # those arrays of pointers, by the names of the fields
        self.scratch: Dict[int, Any] = {}  # arrays by their addresses
        self.results: Dict[str, Any] = {}  # reductions and the number of steps taken
        for place in call.places:
            if place.kind == "field":
                if call.fields[place.of].rotates:
                    self._add_rotating(call, call.fields[place.of], place, layout, backend, device)
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
        # Fields of which only the newest level is given come home together, by one call of the library.
        single = [one for one in self.rotating if one.given == 1]
        self.several = [one for one in self.rotating if one.given > 1]
        self.levels = (ctypes.c_int64 * (WORDS * len(single)))()
        self.level_at: Dict[str, int] = {}  # where the home of such a field is in `levels`
        for n, one in enumerate(single):
            address = ctypes.addressof(one.pointers)
            self.levels[WORDS * n : WORDS * (n + 1)] = [address, one.field.buffers, 0, one.front, *one.lengths]
            self.level_at[one.field.name] = WORDS * n + HOME
        self.level_count, self.levels_address = len(single), ctypes.addressof(self.levels)

    def _add_rotating(self, call, field: Field, place: Place, layout: Layout, backend, device) -> None:
        pointers = (ctypes.c_void_p * field.buffers)()
        self.arguments[place.index] = ctypes.addressof(pointers)
        self.pointers[field.name] = pointers
        given, itemsize = len(field.levels), DTYPES[field.type].itemsize
        shape, strides, front = call.shape_of(field, layout)
        front *= itemsize
        self.rotating.append(Rotating(field, pointers, given, front, _lengths(shape, strides, itemsize)))
        for n in range(given, field.buffers):
            array, address = backend.empty(shape, strides, field.type, device)
            pointers[n] = address + front
            self.scratch[address + front] = array

    def take_scratch_back(self) -> None:
        """After a call that may have ended anywhere: scratch memory stands where it stood at first."""
        scratch = iter(self.scratch)
        for one in self.rotating:
            for n in range(one.given, one.field.buffers):
                one.pointers[n] = next(scratch)


def _lengths(shape: Tuple[int, ...], strides: Tuple[int, ...], itemsize: int) -> Tuple[int, ...]:
    """Of an array: the bytes of a row, how many rows, how far apart, how many planes, how far apart."""
    row = shape[-1] * itemsize
    rows, row_pitch = (shape[-2], strides[-2] * itemsize) if len(shape) > 1 else (1, row)
    planes, plane_pitch = (shape[-3], strides[-3] * itemsize) if len(shape) > 2 else (1, rows * row_pitch)
    return row, rows, row_pitch, planes, plane_pitch


def moves_home(pointers: List[int], homes: List[int], spare: Any) -> List[Tuple[int, int]]:
    """Copies, one after the other, that bring each level from its pointer to its home: (to, from).

    A buffer is overwritten only when no level that is still away is there; `spare()` is memory that opens a cycle.
    """
    away = {home: pointer for pointer, home in zip(pointers, homes) if pointer != home}
    result = []
    while away:
        sources = set(away.values())
        free = [home for home in away if home not in sources]
        if not free:
            home = next(iter(away))
            to = spare()
            result.append((to, home))
            away = {one: to if source == home else source for one, source in away.items()}
            free = [home]
        for home in free:
            result.append((home, away.pop(home)))
    return result
