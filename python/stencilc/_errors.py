"""The exceptions of the package, and the compiler's diagnostics as objects."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, field
from typing import Iterable, List, Optional


@dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler, and the place in the text that it is about."""

    message: str
    code: str = ""  # "STN0201"
    level: str = "error"  # or "warning", "note", "help"
    file: Optional[str] = None
    line: Optional[int] = None  # from 1
    column: Optional[int] = None  # from 1
    replacement: Optional[str] = None  # what a help proposes to write at its place
    children: List["Diagnostic"] = field(default_factory=list)  # notes and helps
    rendered: str = ""  # as the command line prints it, with the line of the program

    def __str__(self) -> str:
        return self.rendered or self.message

    @classmethod
    def from_json(cls, row: dict) -> "Diagnostic":
        spans = row.get("spans") or [{}]
        place = next((span for span in spans if span.get("is_primary")), spans[0])
        return cls(
            message=row.get("message", ""),
            code=(row.get("code") or {}).get("code", ""),
            level=row.get("level", "error"),
            file=place.get("file_name"),
            line=place.get("line_start"),
            column=place.get("column_start"),
            replacement=place.get("suggested_replacement"),
            children=[cls.from_json(child) for child in row.get("children", ())],
            rendered=(row.get("rendered") or "").rstrip("\n"),
        )


def read_diagnostics(text: str) -> List[Diagnostic]:
    """Those that the compiler wrote with `--diagnostics-format=json`; other lines are messages without a place."""
    result = []
    for line in text.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if isinstance(row, dict) and "message" in row:
            result.append(Diagnostic.from_json(row))
        elif line.strip():
            result.append(Diagnostic(message=line.strip()))
    return result


class CompileError(Exception):
    """The compiler refused a program, or could not build it. `diagnostics` holds its messages as objects."""

    def __init__(self, diagnostics: Iterable[Diagnostic]):
        self.diagnostics = list(diagnostics)
        super().__init__("\n".join(str(one) for one in self.diagnostics) or "the compiler failed without a message")

    def _render_traceback_(self) -> List[str]:
        """What IPython shows: the compiler's text, without a traceback through this package."""
        return [str(self)]


class CompileWarning(UserWarning):
    """A warning of the compiler about a program that it compiled."""


class RunError(RuntimeError):
    """A run that failed. `code` is that of the C interface (docs/runtime.md)."""

    def __init__(self, message: str, code: int):
        super().__init__(message)
        self.code = code


class CudaError(RunError):
    """A run that failed on a GPU."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean `u`?` or the list of what there is."""
    known = list(known)
    close = difflib.get_close_matches(word, known, 1, 0.6)
    if not close:
        close = [one for one in known if one.lower() == word.lower()][:1]
    if close:
        return f"; did you mean `{close[0]}`?"
    return f"; there are {listed(known)}" if known else ""


def listed(names: Iterable[str]) -> str:
    """`a`, `b` and `c`."""
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}" if quoted else "none"
