"""A step as an operator of PyTorch, which `torch.compile` takes as one node of its graph."""

from __future__ import annotations

import math
import re
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._arrays import torch_backend
from ._errors import did_you_mean, listed
from ._manifest import Field, Manifest
from ._types import FLOATS, default_value

_taken: Dict[str, int] = {}  # names of operators, and how many have them


class Shape:
    """What an operator takes and returns, read from the manifest."""

    def __init__(self, manifest: Manifest, own: Dict[str, str]):
        self.manifest = manifest
        self.arguments: List[Tuple[str, str]] = []  # the name, and its text in the schema
        self.optional: List[Tuple[str, str]] = []
        self.tensors: List[str] = []
        self.mutated: List[str] = []
        for field in manifest.fields:
            if field.role != "output":
                for name in field.levels:
                    self._add_tensor(name, field.written)
        for points in manifest.points:
            self._add_tensor(points.name)
        for series in manifest.series:
            if not series.output:
                self._add_tensor(series.name)
        for weights in manifest.weights:
            self._add_tensor(weights.name)
        for param in manifest.params:
            kind = "float" if param.type in FLOATS else "bool" if param.type == "bool" else "int"
            if param.default is None:
                self.arguments.append((param.name, f"{kind} {param.name}"))
            else:
                default = default_value(param.default, param.type)
                known = math.isfinite(default)  # a schema has no others
                self.optional.append((param.name, f"{kind} {param.name}={default}" if known else f"{kind}? {param.name}=None"))
        if manifest.steps:
            text = f"SymInt? {own['steps']}=None" if manifest.iterate else f"SymInt {own['steps']}=1"
            self.optional.append((own["steps"], text))
        if manifest.uses_time:
            self.optional.append((own["first"], f"SymInt {own['first']}=0"))
        self.steps = own["steps"]
        self.outputs = [one for one in manifest.fields if one.role == "output"]
        self.series = [one for one in manifest.series if one.output]
        self.names = [name for name, _ in (*self.arguments, *self.optional)]
        self.required = [name for name, _ in self.arguments]

    def _add_tensor(self, name: str, written: bool = False) -> None:
        self.tensors.append(name)
        alias = f"(a{len(self.mutated)}!)" if written else ""
        if written:
            self.mutated.append(name)
        self.arguments.append((name, f"Tensor{alias} {name}"))

    def schema(self) -> str:
        taken = ", ".join(text for _, text in (*self.arguments, *self.optional))
        count = len(self.outputs) + len(self.series)
        returned = "Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})"
        return f"({taken}) -> {returned}"

    def sizes(self, values: Dict[str, Any]) -> List[Tuple[str, Any]]:
        """Type and shape of each tensor that is returned."""
        whole = next(field for field in self.manifest.fields if field.whole and field.role != "output")
        shape = values[whole.levels[0]].shape
        extents = [count - 2 * cells for count, cells in zip(reversed(shape), self.manifest.halo)]
        result: List[Tuple[str, Any]] = [(one.type, self._size(one, extents)) for one in self.outputs]
        for series in self.series:
            result.append((series.type, (self._steps(values), values[series.points].shape[0])))
        return result

    @staticmethod
    def _size(field: Field, extents: List[Any]) -> Tuple[Any, ...]:
        counts = [extents[axis] + 2 * cells for axis, cells in zip(field.axes, field.halo)]
        return tuple(reversed(counts))

    def _steps(self, values: Dict[str, Any]) -> Any:
        steps = values.get(self.steps)
        return self.manifest.iterate.get("limit", 1) if steps is None else steps


def operator(step: Any, own: Dict[str, str], name: Optional[str] = None) -> Callable[..., Any]:
    """Registers `stencilc::NAME` and returns a function that calls it, with the arguments of the step."""
    backend = torch_backend()
    torch = backend.torch
    if not hasattr(getattr(torch, "library", None), "custom_op"):
        version = getattr(torch, "__version__", "an older one")
        raise ImportError(f"an operator needs PyTorch 2.4 or newer, and this is {version}")
    if name is not None and not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise ValueError(f"`{name}` is no name of an operator: letters, digits and _")
    shape = Shape(step._call.manifest, own)
    if not any(field.whole and field.role != "output" for field in shape.manifest.fields):
        raise TypeError(f"`{step.name}` reads no array that says how large the grid is, so it cannot be an operator")
    plain = name or step.name
    count = _taken[plain] = _taken.get(plain, 0) + 1
    full = f"stencilc::{plain}" + (f"_{count}" if count > 1 else "")

    def values_of(given: tuple, named: Dict[str, Any]) -> Dict[str, Any]:
        values = dict(zip(shape.names, given))
        values.update(named)
        return values

    def run(*given: Any, **named: Any) -> Any:
        values = values_of(given, named)
        for one in shape.tensors:
            values[one] = values[one].detach()
        if shape.manifest.reductions:
            values[own["reductions"]] = False
        returned = step._once(values)
        tensors = returned if isinstance(returned, tuple) else (returned,)
        results = [tensors[n].contiguous() for n in range(len(shape.outputs) + len(shape.series))]
        return None if not results else results[0] if len(results) == 1 else tuple(results)

    def fake(*given: Any, **named: Any) -> Any:
        values = values_of(given, named)
        like = values[shape.tensors[0]]
        results = [like.new_empty(size, dtype=backend.dtypes[kind]) for kind, size in shape.sizes(values)]
        return None if not results else results[0] if len(results) == 1 else tuple(results)

    registered = torch.library.custom_op(full, run, mutates_args=shape.mutated, schema=shape.schema())
    registered.register_fake(fake)

    def call(**values: Any) -> Any:
        for one in values:
            if one not in shape.names:
                raise TypeError(f"the operator `{full}` takes no `{one}`{did_you_mean(one, shape.names)}")
        for one in shape.required:
            if one not in values:
                raise TypeError(f"`{one}` is missing; the operator `{full}` takes {listed(shape.names)}")
        for one in shape.tensors:
            if values[one].requires_grad and torch.is_grad_enabled():
                raise TypeError(
                    f"`{one}` requires gradients, and `{full}` has none; pass `{one}.detach()`, call it under "
                    "`torch.no_grad()`, or write a `torch.autograd.Function` around it"
                )
        return registered(**values)

    call.__name__ = call.__qualname__ = plain
    call.__doc__ = f"{full}{shape.schema()}\n\n{step.__doc__}"
    return call
