"""A GPU that is none: a package of arrays like CuPy whose memory is that of the host, and programs that run there.

What is checked with it is how arrays are read, passed and copied. Nothing here has run on a GPU.
"""

import ctypes
import os
import sys
import tempfile
import types

import numpy as np

from stencilc import _arrays, _compile
from stencilc._manifest import Manifest


class Device:
    def __init__(self, number=0):
        self.id = number

    def __enter__(self):
        entered.append(self.id)
        return self

    def __exit__(self, *_):
        entered.pop()

    def synchronize(self):
        waited.append(self.id)


class ExternalStream:
    def __init__(self, number):
        self.ptr = number

    def __enter__(self):
        streams.append(self.ptr)

    def __exit__(self, *_):
        streams.pop()


class Pointer:
    """Of device memory: keeps the memory, as cupy.cuda.MemoryPointer does."""

    def __init__(self, memory, ptr=None, device=0):
        self.memory, self.ptr, self.device_id = memory, memory.ctypes.data if ptr is None else ptr, device

    def copy_from_device_async(self, source, count):
        ctypes.memmove(self.ptr, source.ptr, count)


class ndarray:
    """On the device that is entered when it is made."""

    def __init__(self, shape, dtype, data, strides=None, device=None):
        self.host = np.ndarray(shape, dtype, data.memory, strides=strides)
        self.device = Device(entered[-1] if device is None else device)
        self.data = Pointer(data.memory, data.ptr, self.device.id)

    strides = property(lambda self: self.host.strides)
    flags = property(lambda self: self.host.flags)
    nbytes = property(lambda self: self.host.nbytes)
    shape = property(lambda self: self.host.shape)
    dtype = property(lambda self: self.host.dtype)
    itemsize = property(lambda self: self.host.itemsize)
    _c_contiguous = property(lambda self: self.host.flags.c_contiguous)

    @property
    def __cuda_array_interface__(self):
        host = self.host
        strides = None if host.flags.c_contiguous else host.strides
        return {
            "shape": host.shape,
            "strides": strides,
            "typestr": host.dtype.str,
            "data": (host.ctypes.data, False),
            "version": 3,
        }

    def __getitem__(self, window):
        part = object.__new__(ndarray)
        part.host, part.device = self.host[window], self.device
        part.data = Pointer(self.data.memory, part.host.ctypes.data, self.device.id)
        return part

    def get(self):
        return self.host.copy()


ndarray.__module__ = "cupy"


class Other:
    """An array of a package that nobody knows."""

    def __init__(self, host, **more):
        self.host, self.more = host, more

    @property
    def __cuda_array_interface__(self):
        host = self.host
        return {"shape": host.shape, "strides": host.strides, "typestr": host.dtype.str,
                "data": (host.ctypes.data, not host.flags.writeable), "version": 3, **self.more}  # fmt: skip


entered = [0]  # devices, the current one last
streams = [0]
# Devices; calls that only load kernels; and for each call that copies levels the device, the stream and how many there are.
waited, loaded, copied = [], [], []
captured = set()  # streams


def asarray(value):
    if isinstance(value, ndarray):
        return value
    if isinstance(value, Other):  # a view, as CuPy takes it
        view = object.__new__(ndarray)
        view.host, view.device, view.data = value.host, Device(0), Pointer(value.host)
        return view
    host = np.array(value)
    return ndarray(host.shape, host.dtype, Pointer(host.reshape(-1)))


def make_cupy():
    module = types.ModuleType("cupy")
    module.ndarray, module.asarray = ndarray, asarray
    module.empty = lambda count, dtype: ndarray((count,), dtype, Pointer(np.full(count, 99).astype(dtype)))
    module.zeros = lambda count, dtype: ndarray((count,), dtype, Pointer(np.zeros(count, dtype)))

    module.copyto = lambda to, source: np.copyto(to.host, source.host)
    stream = types.SimpleNamespace
    module.cuda = types.SimpleNamespace(
        Device=Device,
        ExternalStream=ExternalStream,
        get_current_stream=lambda: stream(ptr=streams[-1]),
        runtime=types.SimpleNamespace(getDevice=lambda: entered[-1]),
    )
    return module


class Packed(ctypes.Structure):
    """A stencil_packed of stencil/callers.h."""

    _fields_ = [(name, ctypes.c_int64) for name in ("levels", "count", "arguments", "refuses_capture")]


class Entry:
    """NAME_run_packed() of a program for the CPU, as if NAME_run() took a stream, too: it is the last argument."""

    def __init__(self, function, count):
        self.function, self.count, self.streams, self.devices, self.fails = function, count, [], [], 0
        self.refused = 0  # calls
        self.prepared = []  # devices
        self.argtypes = self.restype = None

    def __call__(self, address):
        self.function.restype, self.function.argtypes = self.restype, self.argtypes
        call = Packed.from_address(address)
        stream = (ctypes.c_int64 * self.count).from_address(call.arguments)[self.count - 1]
        if call.refuses_capture and stream in captured:
            self.refused += 1
            return -1
        self.streams.append(stream)
        self.devices.append(entered[-1])
        if call.count:
            copied.append((entered[-1], stream, call.count))
        return self.fails or self.function(address)

    def prepare(self):
        self.prepared.append(entered[-1])
        return self.fails


def functions(host, manifest):
    """Those of a program for a GPU, made of those of the same for the CPU."""
    entry = Entry(host.run_packed, len(manifest.call))

    def bring_home(levels, count, stream):
        (copied if count else loaded).append((entered[-1], stream, count))
        return host.bring_home(levels, count, None)

    return host._replace(
        run_packed=entry, bring_home=bring_home, prepare=entry.prepare, is_captured=lambda stream: int(stream in captured)
    )


def programs(path):
    """The programs of a file, as if they had been compiled for a GPU; each Step has its `entry`."""
    with tempfile.TemporaryDirectory() as folder:
        # As `compile` of support.py builds it, so that it is built once for both.
        library_path = os.path.join(folder, "programs.so")
        _compile.Origin("", path, "cpu", None, [], ["-O0"]).build(library_path, os.path.join(folder, "rule"))
        library = _compile._Library(library_path)
    raws = [
        {**m.raw, "target": "cuda", "call": [*m.raw["call"], {"name": "stream", "kind": "stream"}]} for m in library.manifests
    ]
    library.manifests = [Manifest(raw) for raw in raws]
    library.functions = [functions(*both) for both in zip(library.functions, library.manifests)]
    result = _compile._steps_of(library, _compile._NoOrigin(library_path))
    for step, one in zip(result, library.functions):
        step.entry = one.run_packed
    return result


class Installed:
    """While it is entered, `import cupy` gives the fake one; with None there is no such package."""

    def __init__(self, **modules):
        self.modules = modules

    def __enter__(self):
        self.before = {name: sys.modules.get(name) for name in ("cupy", "torch")}
        for name in self.before:
            sys.modules[name] = self.modules.get(name)  # None: importing it fails
        _arrays._backends.clear()
        return self

    def __exit__(self, *_):
        for name, module in self.before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
