"""Pictures, and the cell magic of notebooks."""

from __future__ import annotations

import shlex
from typing import Any, Dict, Optional

import numpy as np

from ._manifest import Manifest


def host_array(array: Any) -> np.ndarray:
    """A NumPy array of the same values."""
    if hasattr(array, "values") and hasattr(array, "dims"):
        array = array.values
    for attribute in ("get", "cpu"):  # CuPy, PyTorch
        if hasattr(array, attribute) and not isinstance(array, np.ndarray):
            array = getattr(array, attribute)()
    array = np.asarray(array)
    return array if array.dtype.kind in "biuf" else array.astype(np.float32)


def plot(manifest: Manifest, array: Any, name: Optional[str], ax: Any, options: Dict[str, Any]) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("`plot` draws with matplotlib, which is not installed; `pip install matplotlib`") from None
    values = host_array(array)
    if ax is None:
        _, ax = plt.subplots()
    axes = manifest.axes
    if values.ndim == 3:
        values = values[values.shape[0] // 2]
    if values.ndim == 1:
        drawn = ax.plot(values, **options)[0]
        ax.set_ylabel(name or "")
    elif values.ndim == 2:
        drawn = ax.imshow(values, origin="lower", **options)
        ax.set_ylabel(axes[1] if len(axes) > 1 else "")
        ax.figure.colorbar(drawn, ax=ax, label=name or "")
    else:
        raise ValueError(f"`plot` draws arrays of 1, 2 or 3 axes, and got the shape {values.shape}")
    ax.set_xlabel(axes[0])
    return drawn


def stencil_magic(line: str, cell: str, namespace: Dict[str, Any]) -> Any:
    """`%%stencil [NAME] [target=cuda] [schedule=...]`: compiles the cell, and puts its steps into the notebook.

    The step is called NAME, or each as its stencil.
    """
    from ._compile import compile as compile_program
    from ._step import Step

    name, options = None, {}
    for word in shlex.split(line):
        key, equals, value = word.partition("=")
        if equals:
            options[key] = value
        elif name is None and word.isidentifier():
            name = word
        else:
            raise ValueError(f"%%stencil: `{word}` is neither a name nor an option such as target=cuda")
    step = compile_program(cell + "\n", **options)
    if name is not None:
        namespace[name] = step
    else:
        for one in [step] if isinstance(step, Step) else step:
            namespace[one.name] = one
    return step


def register(ipython: Any) -> None:
    """For `%load_ext stencilc`."""

    def stencil(line: str, cell: str) -> Any:
        return stencil_magic(line, cell, ipython.user_ns)

    stencil.__doc__ = stencil_magic.__doc__
    ipython.register_magic_function(stencil, "cell", "stencil")
