"""The compiler as a program: where it is, and how it is run."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from ._errors import CompileError, Diagnostic, read_diagnostics


def compiler() -> str:
    """The path of `stencilc`: $STENCILC, that of the wheel, or the one on the PATH."""
    named = os.environ.get("STENCILC")
    if named:
        if not os.access(named, os.X_OK):
            raise FileNotFoundError(f"STENCILC names `{named}`, which is not a program that can be run")
        return named
    own = Path(__file__).parent / "bin" / "stencilc"
    if os.access(own, os.X_OK):
        return str(own)
    found = shutil.which("stencilc")
    if found:
        return found
    raise FileNotFoundError(
        "the program `stencilc` is not found: install the package by `pip install`, which brings it, "
        "or set STENCILC to the path of one that you have built"
    )


def pip_nvcc() -> Optional[Path]:
    """`nvcc` of the package nvidia-cuda-nvcc: nvidia/cu13/bin/nvcc. That for CUDA 12 has none."""
    spec = importlib.util.find_spec("nvidia")
    for root in spec.submodule_search_locations or () if spec else ():
        for path in sorted(Path(root).glob("*/bin/nvcc"), reverse=True):
            if os.access(path, os.X_OK):
                return path
    return None


def environment() -> Dict[str, str]:
    """The environment in which the compiler finds `nvcc`."""
    result = dict(os.environ)
    nvcc = None if shutil.which("nvcc") else pip_nvcc()
    if nvcc is not None:
        result["PATH"] = os.pathsep.join([str(nvcc.parent), result.get("PATH", os.defpath)])
    return result


USAGE = 2  # the exit code of the compiler for wrong options
TOOL_MISSING = "STN0705"  # codes of its diagnostics
DIFFERENCE = "STN0707"  # emitted code has other results than the interpreter


def run(arguments: Sequence[str], text: Optional[str] = None) -> "subprocess.CompletedProcess[str]":
    """Runs the compiler; `text` is its standard input. Raises CompileError, or ValueError for wrong options."""
    command: List[str] = [compiler(), *arguments]
    done = subprocess.run(
        command,
        input=text if text is not None else "",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        encoding="utf-8",
        errors="surrogateescape",
    )
    if done.returncode == USAGE:
        raise ValueError(done.stderr.strip())
    if done.returncode != 0:
        found = read_diagnostics(done.stderr) or read_diagnostics(done.stdout)
        if any(one.code == TOOL_MISSING and "`nvcc`" in one.message for one in found):
            text = "`pip install nvidia-cuda-nvcc nvidia-cuda-runtime` brings an `nvcc` that this package finds"
            found.append(Diagnostic(text, level="help", rendered=f"  help: {text}"))
        raise CompileError(found)
    return done


def main() -> None:
    """The command `stencilc` of the wheel: the compiler, in place of this process."""
    path = compiler()
    os.execve(path, [path, *sys.argv[1:]], environment())
