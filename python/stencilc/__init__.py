"""Stencil programs as functions of arrays.

    import numpy as np, stencilc

    step = stencilc.compile("gray_scott.stn")
    step(u=u, v=v, steps=1000, F=0.037)

`help(step)` says what a program takes. docs/python.md is the manual.
"""

from ._compile import compile, load
from ._errors import CompileError, CompileWarning, CudaError, Diagnostic, RunError
from ._step import Program, Progress, Report, Step, VerifyError

__version__ = "0.1.0"
__all__ = [
    "CompileError",
    "CompileWarning",
    "CudaError",
    "Diagnostic",
    "Program",
    "Progress",
    "Report",
    "RunError",
    "Step",
    "VerifyError",
    "compile",
    "load",
]


def load_ipython_extension(ipython):
    """`%load_ext stencilc` adds the cell magic `%%stencil`."""
    from ._notebook import register

    register(ipython)
