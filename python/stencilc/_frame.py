"""What a call of one layout passes to the C function, kept for the next one with its scratch memory."""

from __future__ import annotations

import ctypes
from array import array
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import _arrays
from ._layout import Layout
from ._manifest import Field
from ._types import CTYPES, DTYPES

# Structures of runtime/include/stencil/callers.h, in words of 64 bits.
# A stencil_level: its buffers, their count, its home, ...
LEVEL, HOME = 9, 2
# A stencil_packed: levels, their count, the arguments, and whether it refuses captures.
LEVELS, COUNT, ARGUMENTS, REFUSES, PACKED = range(5)
CAPTURED = -1  # what a call returns that refused one


class Slot:
    """A time level of a field, which a call gives by its name."""

    __slots__ = ("name", "field", "level", "type", "itemsize", "written", "may_lack", "whole")

    def __init__(self, name: str, field: Field, level: int):
        self.name, self.field, self.level = name, field, level
        self.type, self.written, self.whole = field.type, field.written, field.whole
        self.itemsize = DTYPES[field.type].itemsize
        self.may_lack = field.role == "output"


class Place:
    """Where an argument of the C function is among the words of a frame."""

    __slots__ = ("index", "kind", "of", "axis")

    def __init__(self, index: int, kind: str, of: Optional[str], axis: Optional[int]):
        self.index, self.kind, self.of, self.axis = index, kind, of or "", axis or 0


class Rotating(NamedTuple):
    """A field whose levels go from buffer to buffer while steps run."""

    field: Field
    pointers: int  # where those are that the C function takes and rotates: to levels that are given, then scratch memory
    homes: int  # where the homes of its levels are
    given: int
    front: int  # bytes from the first of an array to cell (0, 0)
    lengths: Tuple[int, ...]  # the last words of a stencil_level


class Frame:
    """The arguments of a call of one layout. Calls reuse a frame, one at a time, with its scratch memory.

    All that the C function reads is in one array of words: a stencil_packed, the arguments, the stencil_levels of fields of
    which only the newest level is given, which come home together, and for each field that rotates its pointers and homes.
    """

    def __init__(self, call: Any, layout: Layout, backend: _arrays.Backend, device: Optional[int]):
        rotating = [call.fields[place.of] for place in call.places if place.kind == "field" and call.fields[place.of].rotates]
        self.level_count = sum(len(field.levels) == 1 for field in rotating)
        levels = PACKED + len(call.places)
        size = levels + LEVEL * self.level_count
        places = []
        for field in rotating:
            places.append(size)
            size += field.buffers + (len(field.levels) if len(field.levels) > 1 else 0)
        self.words = array("q", bytes(8 * size))  # never longer: C knows its address
        self.address = self.words.buffer_info()[0]
        self.levels_address = self._address_of(levels)
        self.words[LEVELS], self.words[ARGUMENTS] = self.levels_address, self._address_of(PACKED)
        # The params, as C sees their words.
        words = self.words
        self.params: List[Any] = [CTYPES[kind].from_buffer(words, 8 * place) for _, kind, place, _ in call.params]
        self.has_defaults = False  # in all params
        self.rotating: List[Rotating] = []
        self.pointers: Dict[str, Rotating] = {}  # the same by the names of the fields
        self.scratch: Dict[int, Any] = {}  # arrays by their addresses
        self.results: Dict[str, Any] = {}  # reductions and the number of steps taken
        for field, pointers in zip(rotating, places):
            homes = pointers + field.buffers if len(field.levels) > 1 else levels + HOME
            one = self._add_rotating(call, field, pointers, homes, layout, backend, device)
            if one.given == 1:
                level = (self._address_of(pointers), field.buffers, 0, one.front, *one.lengths)
                self.words[levels : levels + LEVEL] = array("q", level)
                levels += LEVEL
        self.several = [one for one in self.rotating if one.given > 1]
        for place in call.places:
            if place.kind == "field" and place.of in self.pointers:
                self.words[place.index] = self._address_of(self.pointers[place.of].pointers)
            elif place.kind == "extent":
                self.words[place.index] = layout.extents[place.axis]
            elif place.kind == "stride":
                self.words[place.index] = layout.strides[place.axis - 1]
            elif place.kind == "reduction":
                self.results[place.of] = CTYPES[call.reductions[place.of].type]()
            elif place.kind == "steps_taken":
                taken = self.results["steps_taken"] = ctypes.c_int64()
                self.words[place.index] = ctypes.addressof(taken)

    def _address_of(self, place: int) -> int:
        return self.address + 8 * place

    def _add_rotating(self, call, field: Field, pointers: int, homes: int, layout: Layout, backend, device) -> Rotating:
        given, itemsize = len(field.levels), DTYPES[field.type].itemsize
        shape, strides, front = call.shape_of(field, layout)
        front *= itemsize
        one = Rotating(field, pointers, homes, given, front, _lengths(shape, strides, itemsize))
        self.rotating.append(one)
        self.pointers[field.name] = one
        for n in range(given, field.buffers):
            memory, address = backend.empty(shape, strides, field.type, device)
            self.words[pointers + n] = address + front
            self.scratch[address + front] = memory
        return one

    def take_scratch_back(self) -> None:
        """After a call that may have ended anywhere: scratch memory stands where it stood at first."""
        scratch = iter(self.scratch)
        for one in self.rotating:
            for n in range(one.given, one.field.buffers):
                self.words[one.pointers + n] = next(scratch)


def _lengths(shape: Tuple[int, ...], strides: Tuple[int, ...], itemsize: int) -> Tuple[int, ...]:
    """Of an array: the bytes of a row, how many rows, how far apart, how many planes, how far apart."""
    row = shape[-1] * itemsize
    rows, row_pitch = (shape[-2], strides[-2] * itemsize) if len(shape) > 1 else (1, row)
    planes, plane_pitch = (shape[-3], strides[-3] * itemsize) if len(shape) > 2 else (1, rows * row_pitch)
    return row, rows, row_pitch, planes, plane_pitch


def moves_home(pointers: Sequence[int], homes: Sequence[int], spare: Any) -> List[Tuple[int, int]]:
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
