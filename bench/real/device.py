"""Runs libraries on a device, through the C entry of each: a process of its own for scripts/gpu-real, so that a kernel that
fails takes nothing else with it. It reads a line of JSON for each program and answers with one."""
import ctypes
import json
import re
import statistics
import sys

REALS = {"f64": 0, "f32": 1, "f16": 2, "bf16": 3}
BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "bool": 1, "i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "u64": 8}
SCALARS = {"double": ctypes.c_double, "float": ctypes.c_float, "int64_t": ctypes.c_int64, "int32_t": ctypes.c_int32,
           "uint32_t": ctypes.c_uint32, "uint16_t": ctypes.c_uint16, "int16_t": ctypes.c_int16, "uint8_t": ctypes.c_uint8,
           "int8_t": ctypes.c_int8, "bool": ctypes.c_bool, "uint64_t": ctypes.c_uint64}
NAMES = {"double": "f64", "float": "f32", "int32_t": "i32", "int64_t": "i64", "stencil_f16": "f16", "stencil_bf16": "bf16", "uint8_t": "u8",
         "int8_t": "i8", "uint16_t": "u16", "int16_t": "i16", "bool": "bool"}
POISON = 0x7F  # what outputs and scratch hold before a run whose results are compared
COPIED = 1 << 29


class Failed(Exception):
    pass


class Device:
    def __init__(self, library):
        self.calls = ctypes.CDLL(library)
        self.calls.real_problem.restype = ctypes.c_char_p
        self.memory = []
        name, arch, cache = ctypes.create_string_buffer(256), ctypes.c_int(), ctypes.c_int64()
        self.ask("open", name, 256, ctypes.byref(arch), ctypes.byref(cache))
        self.name, self.arch, self.cache = name.value.decode(), arch.value, cache.value

    def ask(self, what, *arguments):
        if getattr(self.calls, "real_" + what)(*arguments):
            raise Failed(f"{what}: {self.calls.real_problem().decode()}")

    def allocate(self, count):
        memory = ctypes.c_void_p()
        self.ask("allocate", ctypes.byref(memory), ctypes.c_int64(max(count, 1)))
        self.memory.append(memory.value)
        return memory.value

    def release(self):
        while self.memory:
            self.ask("release", ctypes.c_void_p(self.memory.pop()))

    def set_bytes(self, memory, value, count):
        self.ask("bytes", ctypes.c_void_p(memory), value, ctypes.c_int64(count))

    def send(self, data):
        memory = self.allocate(ctypes.sizeof(data))
        self.ask("send", ctypes.c_void_p(memory), ctypes.byref(data), ctypes.c_int64(ctypes.sizeof(data)))
        return memory

    def timed(self, work):
        self.ask("start")
        work()
        seconds = ctypes.c_double()
        self.ask("stop", ctypes.byref(seconds))
        return seconds.value

    def copy_rate(self):
        """Bytes a second that a copy reads and writes."""
        count = COPIED if self.arch else COPIED >> 3
        to, source = self.allocate(count), self.allocate(count)
        self.set_bytes(source, 1, count)
        self.set_bytes(to, 2, count)
        times = []
        for _ in range(9):
            def copy():
                for _ in range(10):
                    self.ask("copy", ctypes.c_void_p(to), ctypes.c_void_p(source), ctypes.c_int64(count))
            times.append(self.timed(copy) / 10)
        self.release()
        return 2 * count / statistics.median(times)


class Buffer:
    """Memory for the cells of a field, or for the values of a series: rows padded as stencil::Grid pads them, and cell 0 at
    a multiple of 64 elements as there."""

    def __init__(self, device, kind, extents, halo, lead=None):
        self.device, self.kind = device, kind
        extents, halo = list(extents) + [1] * (3 - len(extents)), list(halo) + [0] * (3 - len(halo))
        self.extents = extents
        grown = [n + 2 * h for n, h in zip(extents, halo)]
        self.pitch = (grown[0] + 63) // 64 * 64 if lead is None else lead
        self.plane = self.pitch * grown[1]
        self.count = self.plane * grown[2]
        self.bytes = self.count * BYTES[kind]
        front = halo[2] * self.plane + halo[1] * self.pitch + halo[0]
        self.front = front * BYTES[kind]
        before = -front % 64 * BYTES[kind]
        self.memory = device.allocate(before + self.bytes) + before

    def at(self):
        return self.memory + self.front

    def layout(self):
        return [ctypes.c_int64(n) for n in (*self.extents, self.pitch, self.plane)]

    def fill(self, what, seed):
        """As `--in` of `stencilc run` says; by default as `stencilc bench` does: from 0 to 1, integers from 0 to 15."""
        real = self.kind in REALS
        low, high, kind = 0.0, 1.0 if real or self.kind == "bool" else 15.0, 1
        if what == "gauss":
            kind = 2
        elif what == "zero":
            kind = 0
        elif what and what.startswith("constant:"):
            low, kind = float(what.partition(":")[2]), 0
        elif what and what.startswith("random:"):
            low, high = (float(word) for word in what.partition(":")[2].split(".."))
        elif what not in (None, "random"):
            raise Failed(f"there is no input {what}")
        if kind == 1 and not real:
            high += 1
        self.device.ask("fill", ctypes.c_void_p(self.memory), ctypes.c_int64(self.count), REALS.get(self.kind, 4), BYTES[self.kind], kind,
                        ctypes.c_double(low), ctypes.c_double(high), ctypes.c_uint64(seed), *self.layout())

    def poison(self):
        self.device.set_bytes(self.memory, 0 if self.kind == "bool" else POISON, self.bytes)

    def check(self, at):
        total, bad = ctypes.c_uint64(), ctypes.c_int64()
        self.device.ask("check", ctypes.c_void_p(at), REALS.get(self.kind, 4), BYTES[self.kind], *self.layout(), ctypes.byref(total),
                        ctypes.byref(bad))
        return total.value, bad.value


def seed_of(name):
    return sum(ord(letter) * 31 ** place for place, letter in enumerate(name)) % (1 << 62)


class Field:
    """The buffers of a field: what a variant does not use stays idle."""

    def __init__(self, device, entry, axes, extents, buffers, what):
        own = entry.get("axes", axes)
        shape = [n for axis, n in zip(axes, extents) if axis in own]
        self.name, self.role, self.what, self.levels = entry["name"], entry["role"], what, len(entry["levels"])
        self.halo = entry.get("halo", [0] * len(own))
        self.buffers = [Buffer(device, entry["type"], shape, self.halo) for _ in range(buffers)]
        self.fill()

    def fill(self):
        for buffer in self.buffers[:self.levels]:
            buffer.fill(self.what, seed_of(self.name))

    def begin(self, poison):
        """Before a run: steps begin with the same values, and what is written holds nothing of the run before."""
        if self.role not in ("input", "output"):
            self.fill()
        if poison and self.role != "input":
            for buffer in self.buffers[0 if self.role == "output" else self.levels:]:
                buffer.poison()


def signature(header, name):
    """The arguments of a C function: type, whether it is a pointer, name, and of an array of pointers how many."""
    text = re.search(rf"^int {name}\((.*?)\);", header, re.S | re.M)
    if not text:
        raise Failed(f"the header declares no {name}")
    arguments = []
    for argument in text.group(1).split(","):
        kind, star, own, _, count = re.fullmatch(r"\s*(?:const )?(\w+)(\*?) (\w+)(\[(\d+)\])?\s*", argument).groups()
        arguments.append((kind, bool(star), own, int(count or 0)))
    return arguments


class Entry:
    """A library and the C function in it, whose arguments are found by the names in the header."""

    def __init__(self, library, header, name):
        self.arguments = signature(header, name)
        self.loaded = ctypes.CDLL(library)
        self.function = getattr(self.loaded, name)
        try:
            self.why = self.loaded.stencil_last_error
            self.why.restype = ctypes.c_char_p
        except AttributeError:
            self.why = lambda: b""

    def buffers(self):
        return {own: max(count, 1) for kind, star, own, count in self.arguments if star and kind != "void"}


class Run:
    """All that the variants of a program have in common: the arrays, and the values of other arguments."""

    def __init__(self, device, job, entries):
        self.device, self.job, self.manifest = device, job, job["manifest"]
        self.axes, self.extents = self.manifest["axes"], [int(n) for n in job["size"].split("x")]
        self.given = dict(job["given"])
        self.steps = job["steps"] if self.manifest["steps"] else 1
        most = {}
        for entry in entries.values():
            for name, count in entry.buffers().items():
                most[name] = max(most.get(name, 0), count)
        self.fields = {}
        halo = self.manifest.get("halo", [0] * len(self.axes))
        for field in self.manifest["fields"]:
            if "axes" not in field:  # all arrays on all axes have the halo of the widest
                field = {**field, "halo": halo}
            buffers = max(most.get(field["argument"], 1), len(field["levels"]))
            self.fields[field["argument"]] = Field(device, field, self.axes, self.extents, buffers, self.given.pop(field["name"], None))
        self.grid = next(f.buffers[0] for f, e in zip(self.fields.values(), self.manifest["fields"]) if "axes" not in e)
        self.params = {p["argument"]: p for p in self.manifest["params"]}
        self.weights = {w["name"]: w["count"] for w in self.manifest.get("weights", [])}
        self.reductions = {r["argument"]: ctypes.create_string_buffer(16) for r in self.manifest.get("reductions", [])}
        self.series, self.points = {}, {}
        self.taken = ctypes.c_int64(-1)

    def scalar(self, kind, name):
        """The value of an argument that is no array."""
        if name == "steps":
            return self.steps
        if name == "first":
            return 0
        if name in ("pitch", "plane"):
            return getattr(self.grid, name)
        for suffix in ("_pitch", "_plane"):
            if name.endswith(suffix) and name[:-len(suffix)] in self.fields:
                return getattr(self.fields[name[:-len(suffix)]].buffers[0], suffix[1:])
        if name.endswith("_points"):
            return 1
        if name.endswith("_steps"):
            return max(self.steps, 1)
        if name[:1] == "n" and name[1:] in self.axes:
            return self.extents[self.axes.index(name[1:])]
        if name in self.params:
            param = self.params[name]
            text = self.given.get(param["name"], param.get("default"))
            if text is None:
                text = "0.0625" if kind in ("double", "float") else "1"
            if kind == "bool":
                return text in ("true", "1")
            return float(text) if kind in ("double", "float") else int(float(text))
        raise Failed(f"it is not known what the argument {name} is")

    def pointer(self, kind, name, names):
        """The address of an argument that is neither a field nor a reduction."""
        if name in self.weights:
            count = self.weights[name]
            return ctypes.byref((SCALARS[kind] * count)(*[1 / count if kind in ("double", "float") else 1] * count))
        if name == "steps_taken":
            return ctypes.byref(self.taken)
        if name + "_points" in names:
            if name not in self.points:
                half = 2 if kind == "double" else 1
                places = [n // 2 + 0.25 if half == 2 else n // 2 for n in self.extents]
                self.points[name] = self.device.send((SCALARS[kind] * len(places))(*places))
            return ctypes.c_void_p(self.points[name])
        if name + "_steps" in names:
            if name not in self.series:
                self.series[name] = Buffer(self.device, NAMES[kind], [max(self.steps, 1)], [0])
                self.series[name].fill(None, seed_of(name))
            return ctypes.c_void_p(self.series[name].at())
        raise Failed(f"it is not known what the argument {name} is")

    def arguments(self, entry):
        """The arguments of a call, and of fields with several buffers the arrays of pointers, which a run rotates."""
        values, arrays = [], {}
        names = {own for _, _, own, _ in entry.arguments}
        for kind, star, name, count in entry.arguments:
            if kind == "cudaStream_t" or (kind == "void" and star):
                values.append(ctypes.c_void_p(None))  # a run without a workspace takes memory from a pool
            elif kind == "size_t":
                values.append(ctypes.c_size_t(0))
            elif name in self.fields and star:
                places = [buffer.at() for buffer in self.fields[name].buffers]
                if count:
                    arrays[name] = (ctypes.c_void_p * count)(*places[:count])
                    values.append(arrays[name])
                else:
                    values.append(ctypes.c_void_p(places[0]))
            elif name in self.reductions:
                values.append(ctypes.byref(self.reductions[name]))
            elif star:
                values.append(self.pointer(kind, name, names))
            else:
                values.append(SCALARS[kind](self.scalar(kind, name)))
        return values, arrays

    def begin(self, poison=False):
        for field in self.fields.values():
            field.begin(poison)

    def call(self, entry, values):
        code = entry.function(*values)
        if code:
            raise Failed(f"the run ended with {code}: {(entry.why() or b'').decode(errors='replace')[:200]}")

    def results(self, entry):
        """Runs it, and the checksums of all that it computes by name, with how many values are not finite."""
        self.begin(poison=True)
        values, arrays = self.arguments(entry)
        for name, series in self.series.items():
            series.fill(None, seed_of(name))
        for reduction in self.reductions.values():
            ctypes.memset(reduction, 0, 16)
        self.call(entry, values)
        self.device.ask("wait")
        sums, bad = {}, 0
        for name, field in self.fields.items():
            if field.role == "input":
                continue
            for level in range(field.levels):
                place = arrays[name][level] if name in arrays else field.buffers[level].at()
                sums[f"{name}-{level}" if level else name], more = field.buffers[level].check(place)
                bad += more
        for name, series in self.series.items():
            sums[name] = series.check(series.at())[0]
        for name, reduction in self.reductions.items():
            sums[name] = int.from_bytes(reduction.raw[:8], "little")
        return sums, bad

    def burst(self, entry, runs):
        """Seconds of a run, of so many. A stepped stencil starts each from the same values; that is not timed, and the host
        prepares the launches meanwhile."""
        stepped = any(field.role not in ("input", "output") for field in self.fields.values())
        if not stepped:
            values, _ = self.arguments(entry)
            return self.device.timed(lambda: [self.call(entry, values) for _ in range(runs)]) / runs
        total = 0.0
        for _ in range(runs):
            self.begin()
            values, _ = self.arguments(entry)
            total += self.device.timed(lambda: self.call(entry, values))
        return total / runs


MOST_RUNS = 200
GIVE_UP = 4  # a candidate so many times slower than the choice gets no bursts


def measure(device, job):
    answer = {"seconds": {}, "sums": {}, "problems": {}}
    entries = {}
    for variant in job["variants"]:
        try:
            entries[variant["name"]] = Entry(variant["library"], variant["header"], job["manifest"]["c_entry"])
        except (Failed, OSError, AttributeError) as why:
            answer["problems"][variant["name"]] = str(why)[:300]
    run = Run(device, job, entries)
    answer["bytes"] = sum(buffer.bytes for field in run.fields.values() for buffer in field.buffers)
    runs, bursts = {}, {}
    for name, entry in entries.items():
        try:
            answer["sums"][name], answer["not_finite"] = run.results(entry)
            if job.get("profile"):
                continue
            once = run.burst(entry, 1)
        except Failed as why:
            answer["problems"][name] = str(why)
            if "cuda" in str(why).lower():
                raise
            continue
        if name[0] == "c" and once > GIVE_UP * min(answer["seconds"].values(), default=once):
            answer["seconds"][name] = once
            continue
        answer["seconds"][name] = once
        runs[name] = max(1, min(MOST_RUNS, int(job["burst"] / max(once, 1e-6)) + 1))
        bursts[name] = []
    for name, count in runs.items():  # the card becomes warm
        run.burst(entries[name], count)
    for n in range(job["bursts"]):
        for name in list(runs) if n % 2 == 0 else list(reversed(list(runs))):
            bursts[name].append(run.burst(entries[name], runs[name]))
    for name, seconds in bursts.items():
        answer["seconds"][name] = statistics.median(seconds)
    answer["spread"] = {name: [min(seconds), max(seconds)] for name, seconds in bursts.items()}
    answer["steps"] = run.taken.value if run.taken.value > 0 else run.steps
    return answer


def main():
    device = Device(sys.argv[1])
    print(json.dumps({"device": device.name, "arch": device.arch, "cache": device.cache, "copy": device.copy_rate()}), flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answer = measure(device, job)
        except Failed as why:
            answer = {"problem": str(why)}
        print(json.dumps(answer), flush=True)
        if "problem" in answer:
            return  # what failed may have left the device unusable
        device.release()


if __name__ == "__main__":
    main()
