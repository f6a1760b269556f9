"""Runs what stencilc emits for the CPU: one .stn file of many stencils, one library, calls by the C entries."""

import ctypes
import os
import re
import subprocess

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
RUNTIME = os.path.join(HERE, "..", "..", "runtime", "include")

C_TYPES = {"float": ctypes.c_float, "double": ctypes.c_double, "int64_t": ctypes.c_int64, "int32_t": ctypes.c_int32,
           "int16_t": ctypes.c_int16, "uint16_t": ctypes.c_uint16, "int8_t": ctypes.c_int8, "uint8_t": ctypes.c_uint8,
           "bool": ctypes.c_bool}
FLAGS = ["-std=c++20", "-O0", "-w", "-ffp-contract=off", "-fPIC", "-I", RUNTIME]
POISON = {"f": np.nan, "i": 111, "u": 111, "b": True}


def stored(array, kind):
    """An array as it lies in memory: bf16 is the upper half of an f32."""
    return (np.ascontiguousarray(array).view(np.uint32) >> 16).astype(np.uint16) if kind == "bf16" else array


def loaded(array, kind):
    return (array.astype(np.uint32) << 16).view(np.float32) if kind == "bf16" else array


def precompiled(compiler, folder):
    """A header with what all emitted code includes, read once by the compiler: for those who build many libraries."""
    header = os.path.join(folder, "emitted.h")
    with open(header, "w") as file:
        file.write("#include <stencil/cpu.h>\n")
    Library.ask([compiler, *FLAGS, "-x", "c++-header", header, "-o", header + ".gch"])
    return header


class Library:
    def __init__(self, stencilc, compiler, text, folder, name, options, header_read_once=None):
        source = os.path.join(folder, name + ".stn")
        with open(source, "w") as file:
            file.write(text)
        output, header, library = (os.path.join(folder, name + end) for end in (".cpp", ".h", ".so"))
        self.ask([stencilc, source, "--target=cpu", "-o", output, "-H", header, *options])
        included = ["-include", header_read_once] if header_read_once else []
        self.ask([compiler, *FLAGS, "-shared", *included, output, "-o", library])
        self.library = ctypes.CDLL(library)
        self.library.stencil_last_error.restype = ctypes.c_char_p
        self.entries = {}
        with open(header) as file:
            for entry, arguments in re.findall(r"\nint (\w+)_run\(([^)]*)\);", file.read()):
                self.entries[entry] = [re.fullmatch(r"(?:const )?(\w+)(\*?) (\w+)(?:\[(\d+)\])?", argument.strip()).groups()
                                       for argument in " ".join(arguments.split()).split(",")]

    @staticmethod
    def ask(command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            # A compiler may warn at length before it says what is wrong.
            wrong = done.stdout.find("error")
            raise RuntimeError(f"{' '.join(command)}\n{done.stdout[done.stdout.rfind(chr(10), 0, max(wrong, 0)) + 1:][:2000]}")
        return done.stdout

    def run(self, stencil, extents, params, levels, steps, first, halo):
        """The newest arrays of all fields that are written. `levels` is as for Run; it is not changed."""
        axes = stencil.axes
        numbers = {"steps": steps, "first": first}
        rows = {axis: size for axis, size in zip(axes, extents)}
        for axis, size in rows.items():
            numbers["n" + axis] = size
        wide = [size + 2 * max([amount for (_, at), amount in halo.items() if at == axis], default=0)
                for axis, size in enumerate(extents)]
        numbers["pitch"] = wide[0]
        numbers["plane"] = wide[0] * wide[1] if len(wide) > 1 else 0
        asked = ["n" + axis for axis in axes] + ["pitch", "plane"][:len(axes) - 1]
        buffers, arguments, rotating = {}, [], {}
        for kind, star, name, count in self.entries[stencil.name]:
            if name in stencil.fields:
                field = stencil.fields[name]["type"]
                arrays = [stored(array, field).copy() for array in levels[name]]
                places = [self.first_cell(array, stencil, name, halo) for array in arrays]
                if count and star:
                    # Of a level that is read with a weight of zero the compiler asks for no buffer.
                    arrays = arrays[:int(count)]
                    while len(arrays) < int(count):
                        arrays.append(np.full_like(arrays[0], POISON[arrays[0].dtype.kind]))
                    places = [self.first_cell(array, stencil, name, halo) for array in arrays]
                    pointers = (ctypes.c_void_p * int(count))(*places)
                    rotating[name] = pointers
                    arguments.append(pointers)
                else:
                    arguments.append(ctypes.c_void_p(places[0]))
                buffers[name] = dict(zip(places, arrays))
            elif name in stencil.weights:
                array = params[name]
                buffers[name] = array
                arguments.append(array.ctypes.data_as(ctypes.c_void_p))
            elif star and name in stencil.reduces:
                buffers[name] = np.zeros(1, dtype=np.dtype(C_TYPES[kind]))
                arguments.append(buffers[name].ctypes.data_as(ctypes.c_void_p))
            elif name in params:
                arguments.append(C_TYPES[kind](params[name][0].item()))
            elif name == "steps_taken":
                arguments.append(None)
            elif kind == "void":
                workspace = self.workspace(stencil.name, [numbers[asking] for asking in asked])
                arguments.append(workspace.ctypes.data_as(ctypes.c_void_p) if workspace.size else None)
            elif kind == "size_t":
                arguments.append(ctypes.c_size_t(workspace.size))
            elif name in numbers:
                arguments.append(ctypes.c_int64(numbers[name]))
            else:
                owner = name.rsplit("_", 1)[0]
                own = [k for k, axis in enumerate(axes) if not stencil.fields[owner]["axes"] or axis in stencil.fields[owner]["axes"]]
                sizes = [extents[k] + 2 * halo.get((owner, k), 0) for k in own]
                arguments.append(ctypes.c_int64(sizes[0] if name.endswith("_pitch") else sizes[0] * sizes[1]))
        code = getattr(self.library, stencil.name + "_run")(*arguments)
        if code:
            raise RuntimeError(f"{stencil.name}: {code}: {self.library.stencil_last_error()}")
        newest = {}
        for name, held in buffers.items():
            if isinstance(held, dict):
                place = rotating[name][0] if name in rotating else next(iter(held))
                newest[name] = loaded(held[place], stencil.fields[name]["type"])
            elif name in stencil.reduces:
                newest[name] = held
        return newest

    def workspace(self, name, sizes):
        """Memory for the values that a run keeps."""
        ask = getattr(self.library, name + "_workspace")
        ask.restype = ctypes.c_size_t
        return np.full(ask(*[ctypes.c_int64(size) for size in sizes]), 0xCD, dtype=np.uint8)

    @staticmethod
    def first_cell(array, stencil, name, halo):
        axes = [k for k, axis in enumerate(stencil.axes) if not stencil.fields[name]["axes"] or axis in stencil.fields[name]["axes"]]
        inner = sum(halo.get((name, axis), 0) * array.strides[len(axes) - 1 - place] for place, axis in enumerate(axes))
        return array.ctypes.data + inner
