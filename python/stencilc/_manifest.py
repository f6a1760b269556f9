"""What the compiler says of a program: its fields, params and the arguments of its C function."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

SCHEMA = 1  # of the manifests that this module reads: docs/versions.md

KINDS = {
    "field", "extent", "stride", "pitch", "param", "weights", "points", "point_count", "series", "series_steps",
    "reduction", "first", "steps", "steps_taken", "workspace", "workspace_bytes", "stream",
}  # fmt: skip


@dataclass(frozen=True)
class Field:
    name: str
    type: str
    role: str  # "stepped", "input", "output", "in place"
    levels: Tuple[str, ...]  # what the caller gives, the newest level first
    buffers: int
    axes: Tuple[int, ...]  # 0 for the first
    whole: bool  # does it have all axes?
    halo: Tuple[int, ...]  # of its arrays, for each of its axes
    boundary: Any

    @property
    def written(self) -> bool:
        return self.role != "input"

    @property
    def rotates(self) -> bool:
        return self.role == "stepped" and self.buffers > 1


@dataclass(frozen=True)
class Param:
    name: str
    type: str
    default: Optional[str]


@dataclass(frozen=True)
class Weights:
    name: str
    type: str
    shape: Tuple[int, ...]
    ranges: Tuple[Tuple[int, int], ...]


@dataclass(frozen=True)
class Points:
    name: str
    linear: bool


@dataclass(frozen=True)
class Series:
    name: str
    type: str
    points: str
    output: bool


@dataclass(frozen=True)
class Reduction:
    name: str
    type: str
    kind: str


@dataclass(frozen=True)
class Argument:
    kind: str
    of: Optional[str]
    axis: Optional[int]


class Manifest:
    """A manifest, checked: whatever it says that this package does not understand is an error."""

    def __init__(self, raw: Dict[str, Any]):
        self.raw = raw
        if raw.get("schema") != SCHEMA:
            raise RuntimeError(
                f"the library has a manifest of schema {raw.get('schema')}, and this package reads schema {SCHEMA}; "
                "install a package and a compiler of the same version"
            )
        self.name: str = raw["stencil"]
        self.target: str = raw["target"]
        self.entry: str = raw["c_entry"]
        self.axes: Tuple[str, ...] = tuple(raw["axes"])
        self.schedule: str = raw["schedule"]
        self.halo: Tuple[int, ...] = tuple(raw.get("halo", (0,) * len(self.axes)))
        self.steps: bool = raw["steps"]
        self.iterate: Dict[str, Any] = raw.get("iterate", {})
        self.fields = [self._field(one) for one in raw["fields"]]
        self.params = [Param(one["name"], one["type"], one.get("default")) for one in raw["params"]]
        self.weights = [self._weights(one) for one in raw.get("weights", ())]
        self.points = [Points(one["name"], one["linear"]) for one in raw.get("points", ())]
        self.series = [Series(one["name"], one["type"], one["points"], one["output"]) for one in raw.get("series", ())]
        self.reductions = [Reduction(one["name"], one["type"], one["kind"]) for one in raw.get("reductions", ())]
        self.call = [self._argument(one) for one in raw["call"]]
        self._check()

    @property
    def rank(self) -> int:
        return len(self.axes)

    @property
    def until(self) -> bool:
        """Does a condition end a run?"""
        return "every" in self.iterate

    @property
    def condition(self) -> Optional[str]:
        """The function that tells whether it holds."""
        return self.iterate.get("condition")

    @property
    def prepare(self) -> str:
        """The function that loads its kernels, which is named after its entry."""
        return self.entry[: -len("run")] + "prepare"

    @property
    def uses_time(self) -> bool:
        return any(one.kind == "first" for one in self.call)

    def names(self) -> List[str]:
        """All that a call takes by the names of the program."""
        result = [level for one in self.fields for level in one.levels]
        for group in (self.points, self.series, self.weights, self.params):
            result += [one.name for one in group]
        return result

    def _field(self, one: dict) -> Field:
        axes = tuple(self.axes.index(axis) for axis in one.get("axes", self.axes))
        whole = len(axes) == len(self.axes)
        halo = self.halo if whole else tuple(one.get("halo", (0,) * len(axes)))
        levels = (one["name"], *one["levels"][1:])  # the newest may have another name in C
        return Field(one["name"], one["type"], one["role"], levels, one["buffers"], axes, whole, halo,
                     one.get("boundary"))  # fmt: skip

    @staticmethod
    def _weights(one: dict) -> Weights:
        ranges = tuple((low, high) for low, high in one["ranges"])
        shape = tuple(high - low + 1 for low, high in ranges)
        if math.prod(shape) != one["count"]:
            raise RuntimeError(f"the manifest says that the weights `{one['name']}` are {one['count']} and {shape}")
        return Weights(one["name"], one["type"], shape, ranges)

    def _argument(self, one: dict) -> Argument:
        if one["kind"] not in KINDS:
            raise RuntimeError(
                f"the library takes an argument `{one['name']}` of kind `{one['kind']}`, which this package does not "
                "know; install a newer one"
            )
        axis = one.get("axis")
        return Argument(one["kind"], one.get("of"), self.axes.index(axis) if axis is not None else None)

    def _check(self) -> None:
        taken = [one.of or "" for one in self.call if one.kind in ("field", "param", "weights", "points", "series", "reduction")]
        groups = (self.fields, self.params, self.weights, self.points, self.series, self.reductions)
        declared = [one.name for group in groups for one in group]
        if sorted(taken) != sorted(declared):
            raise RuntimeError(f"the manifest declares {declared} and its function takes {taken}")
