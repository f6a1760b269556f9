"""What a program takes and returns, for people: signatures, documentation, notebooks."""

from __future__ import annotations

import html as escape
import inspect
from typing import Any, Dict, List, Mapping

from ._manifest import Field, Manifest
from ._types import default_value


def array_text(manifest: Manifest, field: Field) -> str:
    """f32[y, x]"""
    axes = (manifest.axes[axis] for axis in reversed(field.axes))
    return f"{field.type}[{', '.join(axes)}]"


def signature(manifest: Manifest, own: Dict[str, str]) -> inspect.Signature:
    parameters: List[inspect.Parameter] = []

    def add(name: str, annotation: str, default: Any = inspect.Parameter.empty) -> None:
        if name.isidentifier():
            parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation))

    for field in manifest.fields:
        for name in field.levels:
            add(name, array_text(manifest, field), None if field.role == "output" else inspect.Parameter.empty)
    for points in manifest.points:
        add(points.name, f"{'f64' if points.linear else 'i32'}[points, {len(manifest.axes)}]")
    for series in manifest.series:
        add(series.name, f"{series.type}[steps, {series.points}]", None if series.output else inspect.Parameter.empty)
    for weights in manifest.weights:
        add(weights.name, f"{weights.type}[{', '.join(map(str, weights.shape))}]")
    for param in manifest.params:
        default = inspect.Parameter.empty if param.default is None else default_value(param.default, param.type)
        add(param.name, param.type, default)
    if manifest.steps:
        add(own["steps"], "int", None if manifest.iterate else 1)
    if manifest.uses_time:
        add(own["first"], "int", 0)
    if manifest.target == "cuda":
        add(own["stream"], "stream", None)
    if manifest.reductions:
        add(own["reductions"], "bool", True)
    return inspect.Signature(parameters)


def example(manifest: Manifest, own: Dict[str, str]) -> str:
    needed = [name for field in manifest.fields if field.role != "output" for name in field.levels]
    needed += [one.name for one in manifest.points] + [one.name for one in manifest.weights]
    needed += [one.name for one in manifest.series if not one.output]
    words = [f"{name}={name}" for name in needed] + [f"{p.name}=..." for p in manifest.params if p.default is None]
    if manifest.steps:
        words.append(f"{own['steps']}=100")
    return f"step({', '.join(words)})"


def _level_text(field: Field, n: int) -> str:
    words = {"stepped": "changed in place", "in place": "changed in place", "input": "read",
             "output": "written; a new array if left out"}[field.role]  # fmt: skip
    if len(field.levels) > 1:
        words = f"level t{f'-{n}' if n else ''} of {field.name}, {words}"
    return words


def _boundary_text(boundary: Any) -> str:
    if boundary is None:
        return ""
    if isinstance(boundary, dict):
        return "boundary " + ", ".join(f"{side}: {kind}" for side, kind in boundary.items())
    return f"boundary {boundary}"


def rows(manifest: Manifest, own: Dict[str, str]) -> List[List[str]]:
    """Name, type and meaning of each argument."""
    result = []
    for field in manifest.fields:
        for n, name in enumerate(field.levels):
            said = [_level_text(field, n)]
            if n == 0 and field.boundary is not None:
                said.append(_boundary_text(field.boundary))
            if any(field.halo):
                halo = " x ".join(str(cells) for cells in reversed(field.halo))
                said.append(
                    f"with a halo of {halo} cells at both ends of {' x '.join(manifest.axes[a] for a in reversed(field.axes))}"
                )
            result.append([name, array_text(manifest, field), "; ".join(said)])
    for points in manifest.points:
        kind = "between cells" if points.linear else "cells"
        result.append([points.name, f"{'f64' if points.linear else 'i32'}[points, {len(manifest.axes)}]",
                       f"{kind}, a row ({', '.join(manifest.axes)}) for each point"])  # fmt: skip
    for series in manifest.series:
        words = "recorded; a new array if left out" if series.output else "read"
        result.append([series.name, f"{series.type}[steps, {series.points}]", words])
    for weights in manifest.weights:
        ranges = ", ".join(f"{low}..{high}" for low, high in weights.ranges)
        result.append([weights.name, f"{weights.type}[{', '.join(map(str, weights.shape))}]", f"weights [{ranges}]"])
    for param in manifest.params:
        words = "required" if param.default is None else f"default {param.default}"
        result.append([param.name, param.type, words])
    if manifest.steps:
        words = "how many steps to take (default: 1)"
        if manifest.iterate:
            words = f"how many steps to take (default: as `iterate` says, at most {manifest.iterate['limit']})"
        result.append([own["steps"], "int", words])
    if manifest.uses_time:
        result.append([own["first"], "int", "the number of the first step (default: 0)"])
    if manifest.target == "cuda":
        result.append([own["stream"], "", "the stream to run on (default: the current one of the arrays' package)"])
    if manifest.reductions:
        result.append([own["reductions"], "bool", "whether to compute the reductions (default: True)"])
    return result


def returned(manifest: Manifest) -> List[str]:
    """What a call returns that gives no array for outputs."""
    result = [f"{f.name}: {array_text(manifest, f)}, if it was left out" for f in manifest.fields if f.role == "output"]
    result += [f"{s.name}: {s.type}[steps, {s.points}], if it was left out" for s in manifest.series if s.output]
    result += [f"{one.name}: {one.type}, {one.kind}" for one in manifest.reductions]
    if manifest.until:
        result.append("steps_taken: int")
    return result


def document(manifest: Manifest, comment: str, own: Dict[str, str], remarks: Mapping[str, str]) -> str:
    table = [[name, kind, "; ".join(filter(None, [words, remarks.get(name)]))] for name, kind, words in rows(manifest, own)]
    wide = [max(len(row[n]) for row in table) for n in range(2)]
    lines = [comment or f"The stencil `{manifest.name}`.", "", f"    {example(manifest, own)}", "", "Arguments, by name:"]
    lines += [f"    {name:{wide[0]}}  {kind:{wide[1]}}  {words}".rstrip() for name, kind, words in table]
    results = returned(manifest)
    lines += ["", "Returns"] + [f"    {one}" for one in results or ["None: the arrays have changed in place"]]
    lines += ["", f"Compiled for the target {manifest.target} with the schedule {manifest.schedule}."]
    return "\n".join(lines)


def one_line(manifest: Manifest) -> str:
    fields = ", ".join(f"{name}: {array_text(manifest, field)}" for field in manifest.fields for name in field.levels)
    return f"<stencilc.Step {manifest.name}({fields}) for {manifest.target}, schedule {manifest.schedule}>"


def html(manifest: Manifest) -> str:
    own = {name: name for name in ("steps", "first", "stream", "reductions")}
    cells = "".join(
        f"<tr><td><code>{escape.escape(name)}</code></td><td>{escape.escape(kind)}</td><td>{escape.escape(words)}</td></tr>"
        for name, kind, words in rows(manifest, own)
    )
    head = f"<b>{escape.escape(manifest.name)}</b> ({manifest.target}, schedule <code>{escape.escape(manifest.schedule)}</code>)"
    return f"<div>{head}<table><tr><th>argument</th><th>type</th><th></th></tr>{cells}</table></div>"
