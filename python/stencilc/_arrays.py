"""Arrays of other packages: where they are in memory, and how memory is taken and copied for them.

A `Backend` stands for a package whose arrays a run takes. Everything that a call needs to know of an array is in `Info`.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import sys
from typing import Any, Dict, FrozenSet, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._types import DTYPES, TYPES_OF


class Info(NamedTuple):
    pointer: int
    shape: Tuple[int, ...]
    strides: Tuple[int, ...]  # in bytes
    itemsize: int
    types: FrozenSet[str]  # of the program that its elements can be
    dtype: Any  # for messages
    writable: bool
    device: Optional[int]  # None: the host
    view: Any  # what the backend copies from and to
    backend: "Backend"


# An array of a call that later ones are compared with: its name, its kind as the backend tells it, the size of its elements,
# how many bytes cell (0, 0) is after its first one, and the two words to which the address of that cell goes.
Seen = Tuple[str, tuple, int, int, int, int]


class Backend:
    """A package of arrays. Memory is taken and copied in the context of on()."""

    name = ""
    # Must a step keep the memory that it takes while a graph is captured? A package may have pools for each graph.
    keeps_captured = True

    def empty(self, shape, strides, type_name: str, device, dtype: Any = None) -> Tuple[Any, int]:
        """A new array with these strides (in elements), not filled, and its address. A type may have several dtypes."""
        raise NotImplementedError

    def zeros(self, shape, strides, type_name: str, device) -> Any:
        raise NotImplementedError

    def copy(self, to: Any, source: Any) -> None:
        raise NotImplementedError

    def stream(self, device) -> int:
        """The current stream, as a number."""
        return 0

    def current_device(self) -> Optional[int]:
        return None

    def stream_here(self, device) -> Optional[int]:
        """The current stream, if the device is the current one, else None."""
        return self.stream(device) if self.current_device() == device else None

    def kind(self, info: "Info", written: bool) -> tuple:
        """What pass_again() compares an array with. Of one without gaps in memory the shape says the strides."""
        return ()

    def pass_again(self, words: Any, seen: Sequence[Seen], values: Dict[str, Any]) -> bool:
        """Puts the addresses of arrays where they go, if each is of the kind that is expected. Else it may also raise.

        Each call does this, so it has no calls of its own, and looks at nothing twice.
        """
        return False

    def on(self, device, stream: Optional[int]) -> Any:
        """A context in which the device is the current one, and the stream, if one is given."""
        return contextlib.nullcontext()

    def wait(self, device) -> None:
        """Until all that was queued on the device is done."""

    def from_numpy(self, array: np.ndarray, device) -> Tuple[Any, int]:
        """A copy in the memory of the arrays, and its address."""
        raise NotImplementedError


def span(shape, strides) -> int:
    """How many elements there are from the first to the last."""
    return 1 + sum((count - 1) * stride for count, stride in zip(shape, strides)) if 0 not in shape else 0


class _Numpy(Backend):
    name = "NumPy"

    def _shaped(self, memory, shape, strides):
        return np.ndarray(shape, memory.dtype, memory, strides=tuple(one * memory.itemsize for one in strides))

    def empty(self, shape, strides, type_name, device, dtype=None):
        array = self._shaped(np.empty(span(shape, strides), dtype or DTYPES[type_name]), shape, strides)
        return array, array.ctypes.data

    def zeros(self, shape, strides, type_name, device):
        return self._shaped(np.zeros(span(shape, strides), DTYPES[type_name]), shape, strides)

    def copy(self, to, source):
        to[...] = source

    def kind(self, info, written):
        # A buffer, which is quicker to get than the address, is to be had of memory that can be written, and not of all types.
        # With gaps in memory it is to be had of the first row.
        has_buffer = info.writable and info.dtype.kind in "biuf"
        dense = has_buffer and info.view.flags.c_contiguous
        first_row = (0,) * (len(info.shape) - 1) if has_buffer else None
        return info.dtype, info.shape, None if dense else info.strides, first_row, written

    def pass_again(self, words, seen, values):
        ndarray, address, buffer = np.ndarray, ctypes.addressof, ctypes.c_char.from_buffer
        for name, (dtype, shape, strides, first_row, written), itemsize, front, place, home in seen:
            array = values[name]
            if type(array) is not ndarray or array.dtype is not dtype or array.shape != shape:
                return False
            if strides is None:
                pointer = address(buffer(array))
            elif array.strides != strides:
                return False
            elif first_row is not None:
                pointer = address(buffer(array[first_row]))
            else:
                pointer, readonly = array.__array_interface__["data"]
                if readonly and written:
                    return False
            if pointer % itemsize:
                return False
            words[place] = words[home] = pointer + front
        return True

    def from_numpy(self, array, device):
        return array, array.ctypes.data


class _Cupy(Backend):
    name = "CuPy"

    def __init__(self, module):
        self.cupy, self._ndarray = module, module.ndarray
        self._device, self._stream = module.cuda.runtime.getDevice, module.cuda.get_current_stream

    def _shaped(self, memory, shape, strides):
        bytes_of = tuple(one * memory.itemsize for one in strides)
        return self.cupy.ndarray(shape, memory.dtype, memory.data, strides=bytes_of)

    @staticmethod
    def _dtype(type_name):
        """CuPy may have no bfloat16; then its bits are a uint16."""
        return np.dtype(np.uint16) if type_name == "bf16" else DTYPES[type_name]

    def empty(self, shape, strides, type_name, device, dtype=None):
        array = self._shaped(self.cupy.empty(span(shape, strides), dtype or self._dtype(type_name)), shape, strides)
        return array, array.data.ptr

    def zeros(self, shape, strides, type_name, device):
        return self._shaped(self.cupy.zeros(span(shape, strides), self._dtype(type_name)), shape, strides)

    def copy(self, to, source):
        if to.flags.c_contiguous and source.flags.c_contiguous:  # several times as quick as copyto
            to.data.copy_from_device_async(source.data, to.nbytes)
        else:
            self.cupy.copyto(to, source)

    def current_device(self):
        return self._device()

    def stream(self, device):
        if self._device() == device:
            return self._stream().ptr
        with self.cupy.cuda.Device(device):
            return self._stream().ptr

    def stream_here(self, device):
        return self._stream().ptr if self._device() == device else None

    def kind(self, info, written):
        dense = getattr(info.view, "_c_contiguous", False)
        return info.dtype, info.shape, None if dense else info.strides, info.device

    def pass_again(self, words, seen, values):
        ndarray = self._ndarray
        for name, (dtype, shape, strides, device), itemsize, front, place, home in seen:
            array = values[name]
            if type(array) is not ndarray or array.dtype is not dtype or array.shape != shape:
                return False
            if not array._c_contiguous if strides is None else array.strides != strides:
                return False
            memory = array.data
            pointer = memory.ptr
            if memory.device_id != device or pointer % itemsize:
                return False
            words[place] = words[home] = pointer + front
        return True

    @contextlib.contextmanager
    def on(self, device, stream):
        with self.cupy.cuda.Device(device):
            if stream is None:
                yield
            else:
                with self.cupy.cuda.ExternalStream(stream):
                    yield

    def wait(self, device):
        self.cupy.cuda.Device(device).synchronize()

    def from_numpy(self, array, device):
        copy = self.cupy.asarray(array)
        return copy, copy.data.ptr


class _Torch(Backend):
    name = "PyTorch"
    keeps_captured = False
    NAMES = {"bool": "bool", "i8": "int8", "u8": "uint8", "i16": "int16", "i32": "int32", "i64": "int64",
             "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "u16": "uint16"}  # fmt: skip

    def __init__(self, module):
        self.torch = module
        named = {name: getattr(module, own, None) for name, own in self.NAMES.items()}
        self.dtypes = {name: dtype for name, dtype in named.items() if dtype is not None}
        self.types = {dtype: frozenset([name]) for name, dtype in self.dtypes.items()}
        self._tensor = module.Tensor
        # What the public function returns as an object, which takes ten times as long.
        self._stream = getattr(getattr(module, "_C", None), "_cuda_getCurrentRawStream", None)

    def _place(self, device):
        return "cpu" if device is None else f"cuda:{device}"

    def empty(self, shape, strides, type_name, device, dtype=None):
        array = self.torch.empty_strided(shape, strides, dtype=self.dtypes[type_name], device=self._place(device))
        return array, array.data_ptr()

    def zeros(self, shape, strides, type_name, device):
        return self.empty(shape, strides, type_name, device)[0].zero_()

    def copy(self, to, source):
        to.copy_(source)

    def current_device(self):
        return self.torch.cuda.current_device()

    def stream(self, device):
        if device is None:
            return 0
        return self._stream(device) if self._stream else self.torch.cuda.current_stream(device).cuda_stream

    def kind(self, info, written):
        strides = tuple(one // info.itemsize for one in info.strides)
        dense = info.view.is_contiguous()
        return info.dtype, info.shape, None if dense else strides, -1 if info.device is None else info.device

    def pass_again(self, words, seen, values):
        tensor = self._tensor
        for name, (dtype, shape, strides, device), itemsize, front, place, home in seen:
            array = values[name]
            if type(array) is not tensor or array.dtype is not dtype or array.shape != shape:
                return False
            if not array.is_contiguous() if strides is None else array.stride() != strides:
                return False
            if array.get_device() != device or array.requires_grad:
                return False
            pointer = array.data_ptr()
            if not pointer or pointer % itemsize:  # a tensor on `meta` has no memory
                return False
            words[place] = words[home] = pointer + front
        return True

    @contextlib.contextmanager
    def on(self, device, stream):
        if device is None:
            yield
            return
        with self.torch.cuda.device(device):
            if stream is None:
                yield
            else:
                with self.torch.cuda.stream(self.torch.cuda.ExternalStream(stream, device=device)):
                    yield

    def wait(self, device):
        if device is not None:
            self.torch.cuda.synchronize(device)

    def from_numpy(self, array, device):
        copy = self.torch.from_numpy(array).to(self._place(device))
        return copy, copy.data_ptr()

    def info(self, tensor, name: str) -> Info:
        if tensor.requires_grad:
            raise TypeError(
                f"`{name}` is a tensor that requires gradients, and a step has none; pass `{name}.detach()`, "
                "or call the step under a `torch.autograd.Function` of your own"
            )
        if getattr(tensor, "is_sparse", False) or getattr(tensor, "is_mkldnn", False):
            raise TypeError(f"`{name}` is a tensor of the layout {tensor.layout}; pass `{name}.to_dense()`")
        if tensor.device.type not in ("cpu", "cuda"):
            raise TypeError(f"`{name}` is on `{tensor.device}`; a step takes tensors of the CPU or of a CUDA device")
        device = tensor.device.index if tensor.device.type == "cuda" else None
        itemsize = tensor.element_size()
        strides = tuple(one * itemsize for one in tensor.stride())
        types = self.types.get(tensor.dtype, frozenset())
        return Info(tensor.data_ptr(), tuple(tensor.shape), strides, itemsize, types, tensor.dtype, True, device,
                    tensor, self)  # fmt: skip


NUMPY = _Numpy()
_backends: Dict[int, Any] = {}  # by the module, so that a test or a reload brings its own


def _backend(name: str, kind: Any) -> Any:
    """That of a package that has been imported."""
    module = sys.modules[name]
    if id(module) not in _backends:
        _backends[id(module)] = kind(module)
    return _backends[id(module)]


def torch_backend() -> Any:
    """That of PyTorch, which is imported if need be."""
    try:
        __import__("torch")
    except ImportError:
        raise ImportError("an operator needs PyTorch, which is not installed; `pip install torch`") from None
    return _backend("torch", _Torch)


def _package(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def is_data_array(value: Any) -> bool:
    """Is it an xarray.DataArray?"""
    return _package(value) == "xarray" and hasattr(value, "dims") and hasattr(value, "data")


def is_jax(value: Any) -> bool:
    return _package(value) in ("jax", "jaxlib") and hasattr(value, "dtype")


def numpy_info(array: np.ndarray) -> Info:
    try:  # the quickest way to the address, for memory that can be written and has no gaps
        pointer, writable = ctypes.addressof(ctypes.c_char.from_buffer(array)), True  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        pointer, readonly = array.__array_interface__["data"]
        writable = not readonly
    dtype = array.dtype
    types = TYPES_OF.get(dtype, frozenset())
    return Info(pointer, array.shape, array.strides, dtype.itemsize, types, dtype, writable, None, array, NUMPY)


def dense(shape, itemsize=1):
    strides, step = [], itemsize
    for count in reversed(shape):
        strides.append(step)
        step *= count
    return tuple(reversed(strides))


def _cuda_info(value: Any, name: str) -> Info:
    """Of an array with `__cuda_array_interface__`."""
    interface = value.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise TypeError(f"`{name}` has a mask, which a step does not take")
    dtype = np.dtype(interface["typestr"])
    pointer, readonly = interface["data"]
    shape = tuple(interface["shape"])
    strides = interface.get("strides") or dense(shape, dtype.itemsize)
    if _package(value) == "cupy":
        backend, view, device = _backend("cupy", _Cupy), value, value.device.id
    else:
        backend, view, device = _device_backend(value, name)
    return Info(pointer, shape, tuple(strides), dtype.itemsize, TYPES_OF.get(dtype, frozenset()), dtype,
                not readonly, device, view, backend)  # fmt: skip


def _device_backend(value: Any, name: str) -> Tuple[Backend, Any, int]:
    """A package that takes memory on the device of an array of another one, and sees that array as its own."""
    for package, kind in (("cupy", _Cupy), ("torch", _Torch)):
        try:
            __import__(package)
        except ImportError:
            continue
        backend = _backend(package, kind)
        if package == "cupy":
            view = backend.cupy.asarray(value)
            return backend, view, view.device.id
        view = backend.torch.as_tensor(value, device="cuda")
        return backend, view, view.device.index
    raise TypeError(
        f"`{name}` is a {type(value).__module__}.{type(value).__qualname__} on a GPU: for such arrays a step takes "
        "scratch memory by CuPy or PyTorch, and neither is installed; `pip install cupy-cuda12x`"
    )


def read(value: Any, name: str) -> Info:
    """All that a call needs to know of an array. Raises a TypeError for what is none."""
    if isinstance(value, np.ndarray):
        if isinstance(value, np.ma.MaskedArray):
            raise TypeError(f"`{name}` is a masked array; pass `{name}.data`, or fill it first")
        return numpy_info(value)
    if _package(value) == "torch" and hasattr(value, "data_ptr"):
        return _backend("torch", _Torch).info(value, name)
    if is_jax(value):
        raise TypeError(f"`{name}` is a JAX array, which cannot change; call `step.out(...)`, which returns new arrays")
    if hasattr(value, "__cuda_array_interface__"):
        return _cuda_info(value, name)
    if hasattr(value, "__array_interface__"):
        return numpy_info(np.asarray(value))
    if hasattr(value, "__dlpack__"):
        return _dlpack_info(value, name)
    raise TypeError(f"`{name}` takes an array, and got {_said(value)}")


CPU, CUDA = 1, 2  # of DLPack


def _dlpack_info(value: Any, name: str) -> Info:
    kind = int(value.__dlpack_device__()[0])
    if kind == CPU:
        return numpy_info(np.from_dlpack(value))
    if kind == CUDA:
        for package in ("cupy", "torch"):
            try:
                module: Any = importlib.import_module(package)
            except ImportError:
                continue
            return read(module.from_dlpack(value), name)
        raise TypeError(
            f"`{name}` is on a GPU and offers DLPack only, which CuPy or PyTorch reads, and neither is installed; "
            "`pip install cupy-cuda12x`"
        )
    raise TypeError(f"`{name}` is on a device of DLPack's kind {kind}; a step takes arrays of the CPU or of CUDA")


def _said(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"a {type(value).__name__}; make it an array with `np.array(...)`"
    return f"{value!r}" if isinstance(value, (int, float, str, type(None))) else f"a {type(value).__qualname__}"
