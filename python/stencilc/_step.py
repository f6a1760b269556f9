"""A compiled program as a function of arrays."""

from __future__ import annotations

import operator
from collections import namedtuple
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

from . import _arrays, _describe, _run, _tool
from ._call import AS_WRITTEN, Bound, Call, Captured
from ._errors import CompileError, listed
from ._layout import check_array
from ._manifest import Field, Manifest

OWN_NAMES = ("steps", "first", "stream", "reductions")


class Own(NamedTuple):
    """What a call takes beside the names of its program."""

    steps: int
    first: int
    stream: Optional[int]
    reductions: bool


class Progress(int):
    """How many steps are done, in a loop over `step.every(...)`. `results` is what a call would return."""

    results: Any


class VerifyError(AssertionError):
    """`step.verify()` found a difference between the emitted code and the interpreter."""


class Report(str):
    """The table that `stencilc bench` prints; `data` is the same as an object."""

    data: dict


class Step:
    """A compiled stencil. Call it with arrays by the names of the program; `help(step)` lists them."""

    def __init__(self, manifest: Manifest, call: Call, origin: "Any"):
        self._call, self._origin = call, origin
        self.manifest = manifest.raw
        self.name = manifest.name
        self.__name__ = manifest.name
        self._own_names = frozenset(self._own.values())
        self._usual = Own(call.steps, 0, None, True)  # of a call that gives none of them
        self._tuples: Dict[Any, type] = {}
        self._operator: Any = None  # of PyTorch, once it is asked for

    # Running.

    def __call__(self, *positional: Any, **values: Any) -> Any:
        own, call = self._take_own(positional, values), self._call
        bound = call.again(values, own.stream)
        if bound is not None:
            try:
                return self._run_bound(bound, values, own)
            except Captured:
                pass
            finally:
                call.finish(bound)
        bound = call.bind(values, own.stream)
        try:
            return self._run_bound(bound, values, own)
        finally:
            call.finish(bound)

    def _once(self, values: Dict[str, Any]) -> Any:
        """A call that keeps no scratch memory: PyTorch may take all memory of a call from the pool of a graph."""
        own, call = self._take_own((), values), self._call
        bound = call.bind(values, own.stream, fresh=True)
        try:
            return self._run_bound(bound, values, own)
        finally:
            call.release(bound)

    def _run_bound(self, bound: Bound, values: Dict[str, Any], own: "Own") -> Any:
        """Runs a call, and returns what it returns."""
        self._run_all(bound, own)
        if not bound.made and not bound.frame.results:
            return None
        return self._returned(self._results(bound, values, own.reductions))

    def _run_all(self, bound: Bound, own: "Own") -> None:
        call = self._call
        if call.is_on(bound):
            self._run_here(bound, own)
        else:
            with call.on(bound):
                self._run_here(bound, own)

    def _run_here(self, bound: Bound, own: "Own") -> None:
        if bound.made:
            self._call.make_series(bound, self._last_step(own.steps, own.first))
        _run.run(self._call, bound, own.steps, own.first, own.reductions)

    def every(self, n: int, **values: Any) -> Iterator[Progress]:
        """Runs `steps` steps, and hands over after each `n` of them: `for done in step.every(100, u=u, steps=10_000)`.

        The arrays then hold the values of that step. They may be read and changed, and the loop may be left.
        """
        n = _count(n, "`n`", 1)
        asked = values.get(self._own["steps"])
        own = self._take_own((), values)
        if not self._call.manifest.steps:
            raise TypeError(f"`{self.name}` takes a single pass; call it without `every`")
        if asked is None and (not self._call.manifest.iterate or self._call.manifest.until):
            if not self._call.known.issuperset(values):  # such as `step=100`
                self._call.refuse_unknown(values)
            raise TypeError(f"pass how many steps to take: `{self._own['steps']}=10_000`")
        return self._blocks(n, own.steps, own, values, self._call.bind(values, own.stream))

    def _blocks(self, n: int, total: int, own: Own, values: dict, bound: Bound) -> Iterator[Progress]:
        try:
            with self._call.on(bound):
                if bound.made:
                    self._call.make_series(bound, self._last_step(total, own.first))
            done = 0
            while done < total:
                now = min(n, total - done)
                with self._call.on(bound):
                    _run.run(self._call, bound, now, own.first + done, own.reductions, done, total)
                done += now
                progress = Progress(done)
                progress.results = self._returned(self._results(bound, values, own.reductions))
                yield progress
        finally:
            self._call.release(bound)

    def out(self, **values: Any) -> Any:
        """The same as a call, but no array changes: returns new ones for all fields that the program writes.

        For JAX, whose arrays cannot change, this is the only way. The result is the array, or a named tuple of all.
        """
        own = self._take_own((), values)
        jax = next((value for value in values.values() if _arrays.is_jax(value)), None)
        copies = self._copies(values, own.stream)
        bound = self._call.bind(copies, own.stream)
        try:
            self._run_all(bound, own)
            results = {}
            for field in self._call.manifest.fields:
                if field.written:
                    for name in field.levels:
                        array = copies.get(name, bound.made.get(name))
                        results[name] = self._like(array, field, values)
            results.update(self._results(bound, values, own.reductions, skip=results))
        finally:
            self._call.release(bound)
        if jax is not None:
            results = {name: _to_jax(value) for name, value in results.items()}
        return self._returned(results)

    def operator(self, name: Optional[str] = None) -> Any:
        """The step as an operator of PyTorch, `stencilc::NAME`: `torch.compile` takes a call of it as one node.

        It takes the arguments of the step but arrays for outputs, which it returns as new tensors, and no reductions.
        """
        from . import _torch

        if name is not None or self._operator is None:
            made = _torch.operator(self, self._own, name)
            if name is not None:
                return made
            self._operator = made
        return self._operator

    def _copies(self, values: Dict[str, Any], stream: Optional[int]) -> Dict[str, Any]:
        """The arguments of a call that changes none of them."""
        result = dict(values)
        for slot in self._call.slots:
            value = values.get(slot.name)
            if value is None:
                continue
            if _arrays.is_data_array(value):
                value = self._call.from_data_array(value, slot)
            if _arrays.is_jax(value):
                value = _from_jax(value)
            info = _arrays.read(value, slot.name)
            dense = _arrays.dense(info.shape)
            itemsize = info.itemsize
            if not slot.written and info.strides == tuple(one * itemsize for one in dense):
                result[slot.name] = value
                continue
            if slot.type not in info.types:
                check_array(info, slot.name, slot.field, self._call.manifest)
            with info.backend.on(info.device, stream):
                array, _ = info.backend.empty(info.shape, dense, slot.type, info.device, info.dtype)
                info.backend.copy(array, info.view)
            result[slot.name] = array
        return result

    def _take_own(self, positional: tuple, values: Dict[str, Any]) -> "Own":
        """Removes what belongs to the call, and not to the program, from its arguments."""
        if positional:
            raise TypeError(
                f"`{self.name}` takes its arguments by name: {listed(self._call.manifest.names())}, as in "
                f"`{_describe.example(self._call.manifest, self._own)}`"
            )
        if self._own_names.isdisjoint(values):
            return self._usual
        names, pop = self._own, values.pop
        steps, first = pop(names["steps"], None), pop(names["first"], None)
        stream, reductions = pop(names["stream"], None), pop(names["reductions"], True)
        if steps is not None and type(steps) is not int or first is not None or stream is not None:
            steps, first, stream = self._checked(steps, first, stream)
        if steps is not None and (steps < 0 or not self._call.manifest.steps):
            self._refuse_steps(steps)
        return Own(self._call.steps if steps is None else steps, first or 0, stream, bool(reductions))

    def _checked(self, steps: Any, first: Any, stream: Any) -> tuple:
        names, call = self._own, self._call
        if steps is not None:
            steps = _count(steps, f"`{names['steps']}`", None)
        if first is not None:
            if not call.manifest.uses_time:
                raise TypeError(f"`{self.name}` does not use the number of the step, and takes no `{names['first']}`")
            first = _count(first, f"`{names['first']}`", None)
        if stream is not None:
            if call.stream_at is None:
                raise TypeError(f"`{self.name}` is compiled for the CPU, and takes no `{names['stream']}`")
            stream = getattr(stream, "ptr", getattr(stream, "cuda_stream", stream))
        return steps, first, stream

    def _refuse_steps(self, steps: int) -> None:
        if not self._call.manifest.steps:
            raise TypeError(f"`{self.name}` takes a single pass, and no `{self._own['steps']}`")
        raise ValueError(f"`{self._own['steps']}` is {steps}; it must be at least 0")

    _own = dict(zip(OWN_NAMES, OWN_NAMES))  # names of arguments, which the program may use otherwise

    def _last_step(self, steps: int, first: int) -> int:
        if steps == AS_WRITTEN:
            steps = self._call.manifest.iterate["limit"]
        return max(0, first + steps)

    def _results(self, bound: Bound, values, reduces: bool, skip=()) -> Dict[str, Any]:
        results: Dict[str, Any] = {}
        for name, array in bound.made.items():
            if name not in skip:
                field = self._call.fields.get(name)
                results[name] = self._like(array, field, values) if field else array
        for name, held in bound.frame.results.items():
            if reduces or name == "steps_taken":
                results[name] = held.value
        return results

    def _like(self, array: Any, field: Field, values: Dict[str, Any]) -> Any:
        """An array, as a DataArray where the fields of the call are such."""
        for other in self._call.manifest.fields:
            for name in other.levels:
                value: Any = values.get(name)
                if other.axes == field.axes and _arrays.is_data_array(value):
                    wanted = [self._call.manifest.axes[axis] for axis in reversed(field.axes)]
                    return value.transpose(*wanted).copy(data=array).rename(field.name).transpose(*value.dims)
        return array

    def _returned(self, results: Dict[str, Any]) -> Any:
        if not results:
            return None
        if len(results) == 1:
            return next(iter(results.values()))
        names = tuple(results)
        kind = self._tuples.get(names)
        if kind is None:
            kind = self._tuples[names] = namedtuple(f"{self.name}_results", names, rename=True)
        return kind(*results.values())

    # What the compiler says.

    @property
    def source(self) -> str:
        """The text of the program."""
        return self._origin.text

    @property
    def cuda(self) -> str:
        """The CUDA code that the compiler emits for the program."""
        return self._origin.emitted("cu", self.name)

    @property
    def cpu(self) -> str:
        """The C++ code that the compiler emits for the program."""
        return self._origin.emitted("cpu", self.name)

    @property
    def target(self) -> str:
        """`cpu` or `cuda`."""
        return self._call.manifest.target

    @property
    def schedule(self) -> str:
        """How it is computed, as `schedule=` takes it."""
        return self._call.manifest.schedule

    def explain(self) -> str:
        """What the compiler decided for the program, and why."""
        return self._origin.explain(self.name)

    def verify(self) -> str:
        """Compares the emitted code with the interpreter on many small grids, bit by bit. Raises VerifyError."""
        try:
            return self._origin.verify(self.name)
        except CompileError as error:
            if any(one.code == _tool.DIFFERENCE for one in error.diagnostics):
                raise VerifyError(str(error)) from None
            raise

    def bench(self, size: Optional[Any] = None, steps: Optional[int] = None, schedule: Any = ()) -> Report:
        """Times the program, or schedules of it, beside a copy of memory. `print` it, or look at its `data`."""
        return self._origin.bench(self.name, size, steps, [schedule] if isinstance(schedule, str) else list(schedule))

    def plot(self, array: Any, name: Optional[str] = None, ax: Any = None, **options: Any) -> Any:
        """Draws an array of the program with matplotlib: a curve, a plane, or the middle plane of a 3-D array."""
        from . import _notebook

        return _notebook.plot(self._call.manifest, array, name, ax, options)

    def __repr__(self) -> str:
        return _describe.one_line(self._call.manifest)

    def _repr_html_(self) -> str:
        return _describe.html(self._call.manifest)


def make_step(manifest: Manifest, call: Call, origin: Any) -> Step:
    """A Step of a class of its own, so that `help(step)` shows the arguments of the program."""
    taken = set(manifest.names()) | {one.name for one in manifest.reductions}
    own = {}
    for name in OWN_NAMES:
        own[name] = name
        while own[name] in taken:
            own[name] += "_"
    remarks = origin.remarks(manifest.name, sorted(taken))
    text = _describe.document(manifest, origin.comment(manifest.name), own, remarks)
    applies = {"steps": manifest.steps, "first": manifest.uses_time, "stream": manifest.target == "cuda",
               "reductions": bool(manifest.reductions)}  # fmt: skip
    call.own_names = [own[name] for name in OWN_NAMES if applies[name]]
    members = {"__doc__": text, "__module__": "stencilc", "_own": own, "__signature__": _describe.signature(manifest, own)}
    kind = type(manifest.name, (Step,), members)
    return kind(manifest, call, origin)


class Program:
    """The stencils of a file with several: `program.NAME(...)`, or `program["NAME"]`."""

    def __init__(self, steps: List[Step]):
        self._steps = {step.name: step for step in steps}

    def __getattr__(self, name: str) -> Step:
        steps = self.__dict__.get("_steps", {})
        if name not in steps:
            raise AttributeError(f"the program has no stencil `{name}`; there are {listed(steps)}")
        return steps[name]

    def __getitem__(self, name: str) -> Step:
        try:
            return getattr(self, name)
        except AttributeError as error:
            raise KeyError(str(error)) from None

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps.values())

    def __len__(self) -> int:
        return len(self._steps)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._steps]

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"the program has {len(self)} stencils: call one of {listed(self._steps)} by its name")

    def __repr__(self) -> str:
        return "\n".join(map(repr, self))


def _count(value: Any, what: str, least: Optional[int]) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} takes an integer, and got {value!r}") from None
    if least is not None and number < least:
        raise ValueError(f"{what} is {number}; it must be at least {least}")
    return number


def _from_jax(value: Any) -> Any:
    import numpy

    if all(device.platform == "cpu" for device in value.devices()):
        return numpy.asarray(value)
    import cupy

    return cupy.from_dlpack(value)


def _to_jax(value: Any) -> Any:
    import jax

    if not hasattr(value, "shape"):
        return value
    return jax.dlpack.from_dlpack(value) if hasattr(value, "__cuda_array_interface__") else jax.numpy.asarray(value)
