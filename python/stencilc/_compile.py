"""From a text to a function: runs the compiler, loads the library that it built, and keeps both."""

from __future__ import annotations

import ctypes
import hashlib
import inspect
import json
import os
import re
import tempfile
import threading
import warnings
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union, overload

from . import _tool
from ._call import Call, Functions
from ._errors import CompileWarning, did_you_mean, read_diagnostics
from ._manifest import Manifest
from ._step import Program, Report, Step, make_step

Source = Union[str, "os.PathLike[str]"]


class Origin:
    """The text of a program and the options it was compiled with, to ask the compiler about it again."""

    def __init__(self, text: str, path: Optional[str], target: str, arch: Optional[str], shared: Sequence[str],
                 compiling: Sequence[str]):  # fmt: skip
        self.text, self.path, self.target = text, path, target
        self.arch = ["--arch", arch] if arch else []
        self.shared = list(shared)  # options of all commands of the compiler
        self.compiling = list(compiling)  # of those that choose a schedule

    def run(self, before: Sequence[str], after: Sequence[str]) -> "Any":
        # A file is read again, because `use` looks for other files beside it.
        text = None if self.path is not None else self.text
        return _tool.run([*before, self.path or "-", *self.shared, *after], text)

    def build(self, library: str, dependencies: str) -> "Any":
        outputs = ["--emit=so", "-o", library, "-MD", "-MF", dependencies, "--diagnostics-format=json"]
        return self.run([], [f"--target={self.target}", *self.arch, *self.compiling, *outputs])

    def emitted(self, stage: str, name: str) -> str:
        # A schedule for the other target would be refused.
        own = [*self.arch, *self.compiling] if (stage == "cpu") == (self.target == "cpu") else []
        return self.run([], ["--stencil", name, f"--emit={stage}", *own, "--diagnostics-format=json"]).stdout

    def explain(self, name: str) -> str:
        own = [f"--target={self.target}", *self.arch, *self.compiling]
        return self.run([], ["--stencil", name, "--explain", *own, "--diagnostics-format=json"]).stdout

    def verify(self, name: str) -> str:
        own = [f"--target={self.target}", *self.arch, *_without_size(self.compiling)]
        return self.run(["verify"], ["--stencil", name, *own, "--diagnostics-format=json"]).stdout.strip()

    def bench(self, name: str, size: Any, steps: Optional[int], schedules: Sequence[str]) -> Report:
        words = ["--stencil", name, f"--target={self.target}", *self.arch, "--diagnostics-format=json"]
        if size is not None:
            words += ["--size", size_text(size)]
        if steps is not None:
            words += ["--steps", str(steps)]
        for one in schedules or _schedules(self.compiling):
            words += ["--schedule", one]
        with tempfile.TemporaryDirectory(prefix="stencilc-") as folder:
            path = os.path.join(folder, "bench.json")
            report = Report(self.run(["bench"], [*words, "--json", path]).stdout)
            report.data = json.loads(Path(path).read_text(encoding="utf-8"))
        return report

    def comment(self, name: str) -> str:
        """The comment in front of a stencil."""
        lines = self.text.splitlines()
        start = next((n for n, line in enumerate(lines) if re.match(rf"\s*stencil\s+{re.escape(name)}\b", line)), 0)
        found: List[str] = []
        while start > 0 and lines[start - 1].lstrip().startswith("//"):
            start -= 1
            found.insert(0, lines[start].lstrip()[2:].strip())
        return "\n".join(found)

    def remarks(self, name: str, declared: Sequence[str]) -> Dict[str, str]:
        """Comments at the end of lines that declare one thing: `param f32 a = 0.2;  // alpha * dt / h^2`."""
        begin = re.search(rf"^\s*stencil\s+{re.escape(name)}\b", self.text, re.M)
        if begin is None:
            return {}
        rest = self.text[begin.end() :]
        following = re.search(r"^\s*stencil\s", rest, re.M)
        result = {}
        for line in (rest[: following.start()] if following else rest).splitlines():
            code, slashes, comment = line.partition("//")
            if slashes and comment.strip() and re.match(r"\s*(param|field|weights|points|series|reduce)\b", code):
                here = [one for one in declared if re.search(rf"\b{re.escape(one)}\b", code.partition("boundary")[0])]
                if len(here) == 1:
                    result[here[0]] = comment.strip()
        return result


def _without_size(words: Sequence[str]) -> List[str]:
    result, skip = [], False
    for word in words:
        if not skip and word not in ("--size", "--max-workspace"):
            result.append(word)
        skip = word in ("--size", "--max-workspace")
    return result


def _schedules(words: Sequence[str]) -> List[str]:
    return [words[n + 1] for n, word in enumerate(words) if word == "--schedule"]


def size_text(size: Any) -> str:
    """512x256, of that text, a number, or the extents, x first."""
    if isinstance(size, str):
        return size
    return "x".join(map(str, size)) if hasattr(size, "__iter__") else str(size)


class _Library:
    """A shared library that `stencilc --emit=so` built."""

    def __init__(self, path: str):
        # OpenMP reads these when it is loaded. Threads that spin hold up others on a busy machine.
        if "OMP_WAIT_POLICY" not in os.environ and "GOMP_SPINCOUNT" not in os.environ:
            os.environ["OMP_WAIT_POLICY"], os.environ["GOMP_SPINCOUNT"] = "passive", "1000"
        try:
            self._loaded = ctypes.CDLL(path)
        except OSError as error:
            raise RuntimeError(f"cannot load `{path}`: {error}") from None
        self.raw = json.loads(self._text("stencil_manifest", path))
        self.last_error = self._function("stencil_last_error", path)
        self.last_error.restype = ctypes.c_char_p
        self.bring_home = self._function("stencil_bring_home", path)
        self.bring_home.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
        self.manifests = [Manifest(one) for one in (self.raw if isinstance(self.raw, list) else [self.raw])]
        self.functions = [self._functions_of(one, path) for one in self.manifests]

    def _functions_of(self, one: Manifest, path: str) -> Functions:
        is_captured = None
        if one.target == "cuda":
            is_captured = self._function("stencil_is_captured", path)
            is_captured.argtypes = [ctypes.c_void_p]
        return Functions(
            run_packed=self._function(f"{one.entry}_packed", path),
            condition=self._function(one.condition, path) if one.condition else None,
            last_error=self.last_error,
            bring_home=self.bring_home,
            prepare=self._function(one.prepare, path) if one.target == "cuda" else None,
            is_captured=is_captured,
        )

    def _function(self, name: str, path: str) -> Any:
        try:
            return self._loaded[name]  # not an attribute: each has its own argument types
        except AttributeError:
            raise RuntimeError(
                f"`{path}` has no function `{name}`; build it with `stencilc --emit=so` of the same version as this package"
            ) from None

    def _text(self, name: str, path: str) -> str:
        function = self._function(name, path)
        function.restype = ctypes.c_char_p
        return function().decode("utf-8")


def _steps_of(library: Any, origin: Any) -> Union[Step, Program]:
    steps = [
        make_step(manifest, Call(manifest, functions), origin)
        for manifest, functions in zip(library.manifests, library.functions)
    ]
    return steps[0] if len(steps) == 1 else Program(steps)


# Programs by their text and options, each with the files that it was made of and their hashes.
_compiled: Dict[Tuple[str, ...], Tuple[Union[Step, Program], Dict[str, str]]] = {}
_lock = threading.Lock()


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def _dependencies(path: str) -> List[str]:
    """The files of a rule as gcc writes them."""
    rule = Path(path).read_text(encoding="utf-8", errors="surrogateescape").replace("\\\n", " ")
    names = re.findall(r"(?:\\.|\$\$|[^\s\\])+", rule.partition(": ")[2])
    return [re.sub(r"\\(.)", r"\1", name).replace("$$", "$") for name in names]


def _no_file(path: str) -> str:
    folder, name = os.path.split(path)
    folder = folder or "."
    if not os.path.isdir(folder):
        return f"there is no file `{path}`, because there is no folder `{folder}` in {os.getcwd()}"
    programs = sorted(one for one in os.listdir(folder) if one.endswith(".stn"))
    where = f" in {os.getcwd()}" if not os.path.isabs(path) else ""
    meant = did_you_mean(name, programs)
    return f"there is no file `{path}`{where}" + (meant if len(programs) <= 8 or "did you mean" in meant else "")


def _is_text(source: str) -> bool:
    return "{" in source or "\n" in source


@overload
def compile(source: Source, *, stencil: str, **options: Any) -> Step: ...
@overload
def compile(source: Source, *, stencil: None = None, **options: Any) -> Any: ...
def compile(  # type: ignore[misc]
    source: Source,
    *,
    target: str = "cpu",
    stencil: Optional[str] = None,
    schedule: Optional[str] = None,
    size: Any = None,
    arch: Optional[str] = None,
    define: Optional[Mapping[str, Any]] = None,
    include: Sequence[Source] = (),
    optimise: Optional[int] = None,
    fp: Optional[str] = None,
    fma: bool = True,
    tune: Union[None, bool, Source] = None,
    max_workspace: Optional[int] = None,
    warning: Sequence[str] = (),
    **unknown: Any,
) -> Union[Step, Program]:
    """Compiles a program, a file or its text, to a function of arrays.

    target: "cpu" for arrays in the memory of the host, or "cuda" for arrays on a GPU.
    stencil: which one, if the text has several; without it the result has all of them: `program.NAME(...)`.
    schedule, size, arch, optimise, fp, max_workspace: as --schedule, --size, --arch, -O, --fp and --max-workspace.
    define: params to compile as constants: {"a": 0.2}. include: folders in which files of `use` are looked for.
    fma=False: round products and sums apart. tune: a tune file; False: none. warning: as -W: ["error", "no-unstable"].

    A text that was compiled with the same options is not compiled again. Libraries are kept in the cache of
    `stencilc run`, so that a program is built once on a machine. Raises CompileError.
    """
    for name in unknown:
        names = [one for one, kind in inspect.signature(compile).parameters.items() if kind.kind is kind.KEYWORD_ONLY]
        raise TypeError(f"`compile` takes no `{name}`{did_you_mean(name, names)}")
    if target not in ("cpu", "cuda"):
        raise ValueError(f"target={target!r}: there are 'cpu' and 'cuda'")
    path: Optional[str] = None
    if isinstance(source, str) and _is_text(source):
        text = source
    elif isinstance(source, str) and source or isinstance(source, os.PathLike):
        path = os.fspath(source)
        if not os.path.exists(path):
            raise FileNotFoundError(_no_file(path))
        text = Path(path).read_text(encoding="utf-8", errors="surrogateescape")
    elif source == "":
        raise ValueError("`source` is empty: pass the name of a file, or the text of a program")
    else:
        raise TypeError(f"`source` takes the name of a file, or the text of a program as a str, and got {type(source).__name__}")
    shared: List[str] = []
    for folder in include:
        shared += ["-I", os.fspath(folder)]
    for name, value in (define or {}).items():
        shared += ["-D", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    if fp is not None:
        shared += ["--fp", fp]
    if not fma:
        shared.append("--no-fma")
    compiling: List[str] = []
    for option, given in (("--schedule", schedule), ("--max-workspace", max_workspace)):
        if given is not None:
            compiling += [option, str(given)]
    if size is not None:
        compiling += ["--size", size_text(size)]
    if optimise is not None:
        compiling.append(f"-O{optimise}")
    if tune is False:
        compiling.append("--no-tune")
    elif tune is not None and tune is not True:
        compiling += ["--tune", os.fspath(tune)]
    one = ["--stencil", stencil] if stencil is not None else []
    compiling += [f"-W{word}" for word in warning]
    key = (text, path or "", os.getcwd(), target, arch or "", *one, *shared, *compiling)
    origin = Origin(text, path, target, arch, shared, compiling)
    with _lock:
        known = _compiled.get(key)
        if known is not None and all(_digest(name) == digest for name, digest in known[1].items()):
            return known[0]
        built, files = _build(origin, one, path)
        _compiled[key] = built, {name: _digest(name) for name in files}
        return built


def _build(origin: Origin, one: Sequence[str], path: Optional[str]) -> Tuple[Union[Step, Program], List[str]]:
    name = re.sub(r"\W", "_", Path(path).stem) if path else "stencil"
    with tempfile.TemporaryDirectory(prefix="stencilc-") as folder:
        library, rule = os.path.join(folder, f"{name}.so"), os.path.join(folder, "rule")
        origin.shared += one
        try:
            done = origin.build(library, rule)
        finally:
            del origin.shared[len(origin.shared) - len(one) :]
        for found in read_diagnostics(done.stderr):
            warnings.warn(str(found), CompileWarning, stacklevel=3)
        # The library stays loaded when its file is removed.
        files = _dependencies(rule)
        # A tune file that appears later counts, too.
        if path is not None:
            files.append(str(Path(path).with_suffix(".tune.json")))
        return _steps_of(_Library(library), origin), [file for file in files if file != "-"]


def load(library: Source) -> Union[Step, Program]:
    """Loads a shared library that `stencilc --emit=so` built, with no compiler at hand.

    What asks the compiler (`explain`, `cuda`, `verify`, `bench`) needs `stencilc.compile`.
    """
    path = os.path.abspath(os.fspath(library))
    return _steps_of(_Library(path), _NoOrigin(path))


class _NoOrigin:
    """In place of Origin, of a library without its program."""

    def __init__(self, path: str):
        self._path = path

    def comment(self, name: str) -> str:
        return ""

    def remarks(self, name: str, declared: Sequence[str]) -> Dict[str, str]:
        return {}

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"`{self._path}` was loaded without its program; use `stencilc.compile`")
