"""The compiler as a program: where it is, and how it is run."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from ._errors import CompileError, read_diagnostics


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
    """`nvcc` of the packages nvidia-cuda-nvcc (nvidia/cu13/bin) and nvidia-cuda-nvcc-cu12 (nvidia/cuda_nvcc/bin)."""
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
    if nvcc is None:
        return result
    result["PATH"] = os.pathsep.join([str(nvcc.parent), result.get("PATH", os.defpath)])
    # The packages for CUDA 12 have the runtime in a folder of its own.
    runtime = nvcc.parents[2] / "cuda_runtime"
    if runtime.is_dir():
        flags = f'-I"{runtime / "include"}" -L"{runtime / "lib"}"'
        result["NVCC_APPEND_FLAGS"] = f"{flags} {result.get('NVCC_APPEND_FLAGS', '')}".strip()
    return result


USAGE = 2  # the exit code of the compiler for wrong options
DIFFERENCE = "STN0707"  # the code of its diagnostic for emitted code with other results


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
        raise CompileError(found)
    return done


def main() -> None:
    """The command `stencilc` of the wheel: the compiler, in place of this process."""
    path = compiler()
    os.execve(path, [path, *sys.argv[1:]], environment())
