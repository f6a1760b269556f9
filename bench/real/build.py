"""Builds texts by nvcc (or g++ for dry runs) into libraries, which are kept by their content, and reads what ptxas reports."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time

from programs import HERE, ROOT

RUNTIME = ROOT / "runtime" / "include"
LIMIT = 120  # seconds of wall-clock time after which a compiler is killed
SLOW = 60  # seconds of processor time that are reported


def nvcc():
    return shutil.which("nvcc") or shutil.which("nvcc", path=os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/bin")


def without_comments(text):
    """The text for a key: comments name the command and the schedule."""
    return re.sub(r"//.*", "", text)


def narrowed(text):
    """The text with 32-bit indices alone, which halves what nvcc has to do; as it is where that choice is not found."""
    found = re.search(r"const auto advance = narrow \? ((?:[\w:]|<(?!int>))*?advance)<int>[^;]*;", text)
    if not found:
        return text
    text = text[:found.start()] + f"(void)narrow;\n  const auto advance = {found.group(1)}<int>;" + text[found.end():]
    # NAME_prepare loads all kernels.
    return re.sub(r"stencil::prepare\(.*?\);", lambda call: re.sub(r",\s+\w+::\w+<int64_t[^>]*>", "", call[0]), text, flags=re.S)


class Builder:
    """Libraries in `WORK/built`: KEY.so, and KEY.json with the seconds and the kernels, or with a problem."""

    def __init__(self, work, target, arch):
        self.built, self.target, self.arch = work / "built", target, arch
        self.built.mkdir(parents=True, exist_ok=True)
        self.runtime = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(RUNTIME.glob("stencil/*.h")))).hexdigest()
        self.children, self.stopped = set(), False

    def command(self):
        if self.target == "cpu":
            return ["g++", "-std=c++20", "-O1", "-march=native", "-ffp-contract=off", "-fopenmp", "-fPIC", "-shared", "-w"]
        return [nvcc() or "nvcc", "-std=c++17", "-O3", "-Xcompiler", "-fPIC", "-shared", "-w", "-Xptxas=-v",
                f"-gencode=arch=compute_{self.arch},code=sm_{self.arch}"]

    def helper(self):
        """The library of device.cu."""
        return self.make("device.cu", (HERE / "device.cu").read_text(), None, None)

    def text(self, path, whole, limit=LIMIT):
        """The library of an emitted text; unless `whole`, for 32-bit indices alone."""
        text = path.read_text()
        return self.make(path.name, text if whole or self.target == "cpu" else narrowed(text), path.with_suffix(".h"), RUNTIME, limit)

    def make(self, name, text, header, include, limit=LIMIT):
        """The entry, with the path of the library as `library`."""
        command = self.command()
        parts = [" ".join(command[1:]), without_comments(text), without_comments(header.read_text()) + self.runtime if header else ""]
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]
        library, notes = self.built / f"{key}.so", self.built / f"{key}.json"
        if notes.exists():
            entry = json.loads(notes.read_text())
            if "problem" in entry or library.exists():
                return {**entry, "library": str(library), "kept": True}
        folder = self.built / f"{key}.{os.getpid()}.{threading.get_ident()}.tmp"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        source = folder / (pathlib.Path(name).stem + (".cpp" if self.target == "cpu" else ".cu"))
        source.write_text(text)
        if header:
            shutil.copy(header, folder)
            command = command + ["-I", str(include), "-I", str(folder)]
        entry = self.compile(command + ["-o", str(folder / "library.so"), str(source)], folder, limit)
        if entry is not None:
            if "problem" not in entry:
                (folder / "library.so").rename(library)
            if "killed" not in entry:  # a busy machine may be the reason
                notes.write_text(json.dumps(entry))
        shutil.rmtree(folder)
        return {**(entry or {"problem": "stopped"}), "library": str(library), "kept": False}

    def compile(self, command, folder, limit):
        """Runs the compiler; None where it was stopped with the script."""
        begin, killed = time.monotonic(), []
        with open(folder / "log", "w") as log:
            child = subprocess.Popen(["nice", "-n", "5", *command], stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                                     env={**os.environ, "TMPDIR": str(folder)})
        self.children.add(child.pid)
        if self.stopped:
            os.killpg(child.pid, signal.SIGKILL)

        def kill():
            killed.append(True)
            os.killpg(child.pid, signal.SIGKILL)
        timer = threading.Timer(limit, kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        self.children.discard(child.pid)
        child.returncode = os.waitstatus_to_exitcode(status)
        log = (folder / "log").read_text(errors="replace")
        entry = {"seconds": round(usage.ru_utime + usage.ru_stime, 2), "wall": round(time.monotonic() - begin, 2), "kernels": kernels_of(log)}
        if self.stopped:
            return None
        if killed:
            entry.update(problem=f"nvcc was killed after {limit} s", seconds=float(limit), killed=True)
        elif child.returncode != 0:
            lines = [line for line in log.splitlines() if "error" in line] or log.splitlines()[-1:] or [""]
            entry["problem"] = f"nvcc failed: {lines[0][:200]}"
        return entry

    def stop(self):
        self.stopped = True
        for pid in list(self.children):
            try:
                os.killpg(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def kernel_name(mangled):
    """The names of a kernel without its arguments, and whether its indices have 64 bits: `_ZN4heat...4stepIlEE`."""
    at, names = (3 if mangled.startswith("_ZN") else 2), []
    while match := re.match(r"\d+", mangled[at:]):
        at += len(match.group())
        names.append(mangled[at:at + int(match.group())])
        at += int(match.group())
    names = [name for name in names if not name.startswith("_GLOBAL__N_")] or [mangled]
    return names, mangled[at:at + 2] == "Il"


def kernels_of(log):
    """For each kernel of a program: its name, and what `ptxas -v` says of it. Of two widths of indices the 32-bit one counts."""
    narrow, wide = {}, {}
    current = {}
    for line in log.splitlines():
        if found := re.search(r"Compiling entry function '([^']+)'", line):
            names, is_wide = kernel_name(found.group(1))
            current, kernels = {}, wide if is_wide else narrow
            if names[0] != "stencil":
                kernels[names[-1] if names[-1] not in kernels else f"{names[-1]}#{len(kernels)}"] = current
        if found := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line):
            current.update(stack=int(found.group(1)), spill_stores=int(found.group(2)), spill_loads=int(found.group(3)))
        if found := re.search(r"Used (\d+) registers", line):
            shared = re.search(r"(\d+) bytes smem", line)
            current.update(registers=int(found.group(1)), shared=int(shared.group(1)) if shared else 0)
    return narrow or wide
