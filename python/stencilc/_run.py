"""Long runs, in pieces: Ctrl-C ends a run between two pieces and leaves whole arrays."""

from __future__ import annotations

import signal
import threading
import time
from typing import Any, Callable, Optional

from ._call import AS_WRITTEN, Bound, Call

# Cells times steps. A run of fewer is one call: it takes some milliseconds at most.
SHORT = 4_000_000
# A piece has at most so many: a tenth of a second on the fastest GPU, where a call returns before its launches have run.
LONGEST_PIECE = 20_000_000_000
PIECE_SECONDS = 0.1


class Interrupts:
    """Notes Ctrl-C while it is entered, and passes it on at the end. Other threads than the main one get none."""

    def __init__(self) -> None:
        self.seen = False
        self._handler: Optional[Callable[[int, Any], Any]] = None

    def __enter__(self) -> "Interrupts":
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):
                self._handler = handler
                signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number, frame) -> None:
        self.seen = True

    def __exit__(self, *_) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)

    def pass_on(self, message: str) -> None:
        if not self.seen:
            return
        if self._handler is signal.default_int_handler:
            raise KeyboardInterrupt(message)
        if self._handler is not None:
            self._handler(signal.SIGINT, None)


def run(
    call: Call, bound: Bound, steps: int, first: int, reduces: bool, before: int = 0, total: Optional[int] = None
) -> None:
    """Runs the steps and brings all levels home, also after Ctrl-C. They are a part of `total`, after those `before`."""
    cells = bound.cells
    if steps == AS_WRITTEN and call.condition is not None and cells * call.manifest.iterate["limit"] > SHORT:
        run_until(call, bound, first)
        return
    if steps * cells <= SHORT or steps <= 1:  # or AS_WRITTEN, which is less
        try:
            call.advance(bound, steps, first, reduces, comes_home=True)
        finally:
            if bound.frame.several:
                call.several_home(bound)
        return
    done, unit = 0, call.steps_per_launch()
    most = max(1, LONGEST_PIECE // (cells * unit)) * unit
    piece = min(most, max(1, SHORT // (cells * unit)) * unit)
    with Interrupts() as interrupts:
        try:
            while done < steps and not interrupts.seen:
                now = min(piece, steps - done)
                begin = time.perf_counter()
                call.advance(bound, now, first + done, reduces and done + now == steps)
                done += now
                if time.perf_counter() - begin < PIECE_SECONDS / 2:
                    piece = min(most, 2 * piece)
        finally:
            call.come_home(bound)
    whole = steps if total is None else total
    interrupts.pass_on(f"stopped after {before + done} of {whole} steps; the arrays hold the values of that step")


def run_until(call: Call, bound: Bound, first: int) -> None:
    """As the `iterate` of the program says: the steps between two looks at its condition are a piece."""
    done, limit, every = 0, call.manifest.iterate["limit"], call.manifest.iterate["every"]
    content = False
    with Interrupts() as interrupts:
        try:
            while done < limit and not content and not interrupts.seen:
                now = min(every, limit - done)
                call.advance(bound, now, first + done, True)
                done += now
                content = call.is_content(bound)
            bound.frame.results["steps_taken"].value = done
        finally:
            call.come_home(bound)
    interrupts.pass_on(f"stopped after {done} steps, of at most {limit}; the arrays hold the values of that step")
