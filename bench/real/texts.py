"""Asks stencilc for the texts of a program: its own choice, `naive`, and for a search candidates drawn by seed."""
import concurrent.futures
import hashlib
import json
import random
import re
import shutil
import subprocess
import time

from build import without_comments
from programs import HERE

STENCILC_LIMIT = 120  # seconds


class Refused(Exception):
    pass


class Writer:
    """Writes folders `WORK/texts/NAME` with a folder for each variant, and `program.json`, which the other parts read."""

    def __init__(self, stencilc, work, target, arch, search, jobs, blocks, schedules):
        self.stencilc, self.texts, self.target, self.arch = stencilc, work / "texts", target, arch
        self.search, self.jobs, self.blocks, self.schedules = search, jobs, blocks, schedules
        self.extension = ".cu" if target == "cuda" else ".cpp"

    def ask(self, program, source, *words):
        command = [self.stencilc, source, "--size", program.size, "--no-tune", "--target", self.target, *program.options, *words]
        if self.target == "cuda":
            command += ["--arch", f"sm_{self.arch}"]
        if program.stencil:
            command += ["--stencil", program.stencil]
        begin = time.monotonic()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=STENCILC_LIMIT)
        except subprocess.TimeoutExpired:
            raise Refused(f"stencilc took more than {STENCILC_LIMIT} s") from None
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines() or [""]
            raise Refused(f"stencilc ended with {done.returncode}: {lines[0].strip()[:200]}")
        return done.stdout, time.monotonic() - begin

    def variant(self, program, source, folder, name, schedule):
        """Writes a text; its entry of program.json."""
        (folder / name).mkdir()
        words = [f"--schedule={schedule}"] if schedule else []
        text = folder / name / (program.name + self.extension)
        _, seconds = self.ask(program, source, "-o", text, *words)
        manifest = json.loads(self.ask(program, source, "--emit", "manifest", *words)[0])
        entry = {"schedule": manifest["schedule"], "stencilc_seconds": round(seconds, 3), "file": f"{name}/{text.name}"}
        if self.target == "cuda":
            entry.update(prediction_of(json.loads(self.ask(program, source, "--explain=json", *words)[0])))
        return entry, manifest

    def write(self, program):
        """The folder's program.json, as it stands in the file."""
        folder = self.texts / program.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        source = program.path
        if program.text is not None:
            source = folder / (program.name + ".stn")
            source.write_text(program.text)
        entry = {"suite": program.suite, "name": program.name, "size": program.size, "steps": program.steps, "given": program.given,
                 "target": self.target, "variants": {}}
        try:
            entry["variants"]["default"], entry["manifest"] = self.variant(program, source, folder, "default", None)
            plain = "naive" if self.target == "cuda" else "loops"
            entry["variants"]["naive"], _ = self.variant(program, source, folder, "naive", plain)
            entry["steps"] = steps_of(program, entry)
            self.earlier(program, folder, entry)
            for block in self.blocks:
                self.other_block(program, source, folder, entry, block)
            self.given(program, source, folder, entry)
            if self.search:
                self.draw(program, source, folder, entry)
        except Refused as why:
            entry["problem"] = str(why)
        entry["digest"] = digest_of(folder, entry)
        (folder / "program.json").write_text(json.dumps(entry, indent=1))
        return entry

    def write_all(self, programs):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(self.write, programs))

    def earlier(self, program, folder, entry):
        """The naive text that was emitted before, where today's is another."""
        kept = HERE / "naive" / (program.name + ".cu")
        if self.target != "cuda" or program.suite != "apps" or not kept.exists():
            return
        if code_of(kept) == code_of(folder / entry["variants"]["naive"]["file"]):
            return
        (folder / "earlier").mkdir()
        shutil.copy(kept, folder / "earlier")
        shutil.copy(kept.with_suffix(".h"), folder / "earlier")
        entry["variants"]["earlier"] = {"schedule": "naive, emitted before", "file": f"earlier/{kept.name}"}

    def other_block(self, program, source, folder, entry, block):
        """The compiler's choice with a block of so many threads, `threads` or `threads/resident`, where that can be."""
        threads, _, resident = block.partition("/")
        words = entry["variants"]["default"]["schedule"]
        words = re.sub(r"threads=\d+(x\d+)?", lambda found: f"threads=32x{int(threads) // 32}" if found[1] else f"threads={threads}", words)
        name = "b" + block.replace("/", "_")
        try:
            words += f",resident={resident}" if resident else ""
            entry["variants"][name], _ = self.variant(program, source, folder, name, words)
        except Refused:
            shutil.rmtree(folder / name)

    def add_if_new(self, program, source, folder, entry, name, words, seen):
        """Adds a variant if stencilc accepts its schedule and its text differs from those seen. Whether it did."""
        try:
            variant, _ = self.variant(program, source, folder, name, words)
            code = code_of(folder / variant["file"])
            if code not in seen:
                seen.add(code)
                entry["variants"][name] = variant
                return True
        except Refused:
            pass
        shutil.rmtree(folder / name)
        return False

    def given(self, program, source, folder, entry):
        """The schedules of --schedules for this program, where they give other texts."""
        seen = {code_of(folder / variant["file"]) for variant in entry["variants"].values()}
        for n, words in enumerate(self.schedules.get(program.name, ())):
            self.add_if_new(program, source, folder, entry, f"g{n + 1}", words, seen)

    def draw(self, program, source, folder, entry):
        """`search` schedules that stencilc accepts and that give different texts, drawn by the name of the program.

        A word that is not needed is refused or changes no text; then the next one is drawn.
        """
        draws = random.Random(program.name)
        axes = entry["manifest"]["axes"]
        seen = {code_of(folder / entry["variants"][v]["file"]) for v in ("default", "naive")}
        whole = self.ask(program, source, "--emit", "manifest", "--schedule=naive,global=all")[0]
        values = values_of(json.loads(whole)["schedule"])
        chosen = entry["variants"]["default"]["schedule"]
        taken, deadline = 0, time.monotonic() + 60 + 6 * self.search
        for _ in range(40 * self.search):
            if taken == self.search or time.monotonic() > deadline:
                break
            taken += self.add_if_new(program, source, folder, entry, f"c{taken + 1:02}", drawn_schedule(draws, axes, values, chosen), seen)


def steps_of(program, entry):
    """The steps of a run: with fewer, what a run does once would count too much, and launches of several steps not at all."""
    manifest, chosen = entry["manifest"], entry["variants"]["default"]
    if not manifest["steps"]:
        return program.steps
    once = manifest.get("reductions") or "setup=" in chosen["schedule"]
    return max(program.steps, 2 * chosen.get("steps_a_launch", 1), 20 if once else 0)


def code_of(path):
    """The text without its comments, which name the schedule."""
    return hashlib.sha256(without_comments(path.read_text()).encode()).hexdigest()


def digest_of(folder, entry):
    """Of all that a measurement depends on, except the device."""
    digest = hashlib.sha256(json.dumps([entry[key] for key in ("size", "steps", "given", "target")]).encode())
    for variant in entry["variants"].values():
        digest.update(code_of(folder / variant["file"]).encode())
    return digest.hexdigest()[:16]


def prediction_of(explained):
    """What program.json keeps of --explain=json."""
    bytes_of = explained["cell"]["bytes"]
    device = explained["devices"][0]
    roofline, prediction = device.get("roofline", {}), device.get("prediction", {})
    return {"compulsory_bytes": bytes_of["read"] + bytes_of["stored"], "flops": explained["cell"]["flops"], "card": device.get("card"),
            "card_bandwidth": roofline.get("bytes_per_second"), "cells_by_memory": roofline.get("cells_per_second_by_memory"),
            "cells_by_arithmetic": roofline.get("cells_per_second_by_arithmetic"), "predicted": prediction.get("cells_per_second"),
            "predicted_limit": prediction.get("limit"),
            "predicted_registers": [kernel.get("registers") for kernel in prediction.get("kernels", [])],
            "launches": len(explained.get("kernels", [])), "steps_a_launch": max([k.get("most_steps", 1) for k in explained["kernels"]], default=1)}


# Words of schedules with their values, for one to three axes; `$` is the last axis. Each is left out with the given probability.
WORDS = [
    (0.1, "threads", (["64", "128", "256", "512"], ["32x4", "32x8", "64x2", "64x4", "128x1", "128x2", "256x1", "16x16"],
                      ["32x4", "32x8", "64x2", "64x4", "32x4x2", "128x1", "16x8"])),
    (0.2, "vector", (["1", "2", "4", "8"],) * 3),
    (0.4, "coarsen", (["$1", "$2", "$4", "$8"], ["$1", "$2", "$4", "$8", "$16", "$32", "$64"], ["$1", "$2", "$4", "$8", "$16", "$32", "$64"])),
    (0.7, "rows", (["1"], ["1", "2", "4"], ["1", "2", "4"])),
    (0.6, "shared", (["none", "loads", "async", "boxes"],) * 3),
    (0.7, "sides", (["lanes", "loads"],) * 3),
    (0.7, "sums", (["gather", "scatter"],) * 3),
    (0.8, "ends", (["peeled"],) * 3),
    (0.7, "edges", (["cells"],) * 3),
    (0.85, "loads", (["texture"],) * 3),
    (0.85, "fill", (["split", "together", "producers"],) * 3),
    (0.85, "ahead", (["1", "2", "3"],) * 3),
    (0.85, "taps", (["rolled", "unrolled", "terms"],) * 3),
    (0.7, "resident", (["1", "2", "3", "4", "6", "8"],) * 3),
    (0.6, "stages", (["split", "recompute", "tile"],) * 3),
    (0.9, "chunks", (["full", "even"],) * 3),
    (0.8, "registers", (["64", "80", "96", "128", "168"],) * 3),
    (0.8, "swizzle", ([], [], ["16", "32", "64", "128"])),
    (0.5, "launches", (["early"],) * 3),
    (0.85, "steps", (["2", "4", "8", "16"], ["2", "3", "4", "6", "8"], ["2", "3", "4"])),
]


def drawn_schedule(draws, axes, values, chosen):
    """A schedule of drawn words, or the compiler's choice with one to three words drawn anew. `values` can be kept in memory."""
    words = {}
    for left_out, word, choices in WORDS:
        if choices[len(axes) - 1]:
            words[word] = left_out, draws.choice(choices[len(axes) - 1]).replace("$", axes[-1])
    if values:
        share = draws.choice([0.2, 0.5, 0.8])
        some = "+".join(value for value in values if draws.random() < share) or "none"
        words["global"] = 0.3, draws.choice(["all", "none", some, some])
        words["tile"] = 0.7, "+".join(value for value in values if value not in some.split("+") and draws.random() < 0.5) or "none"
    if draws.random() < 0.5:
        preset = "naive" if draws.random() < 0.4 else "coarsened"
        return ",".join([preset, *(f"{word}={value}" for word, (left_out, value) in words.items() if draws.random() >= left_out)])
    preset, *parts = chosen.split(",")
    kept = dict(part.split("=") for part in parts)
    for word in draws.sample(sorted(words), draws.randint(1, 3)):
        if draws.random() < 0.3:
            kept.pop(word, None)
        else:
            kept[word] = words[word][1]
    return ",".join([preset, *(f"{word}={value}" for word, value in kept.items())])


def values_of(schedule):
    """The names of the values that a schedule keeps in memory."""
    found = re.search(r"\bglobal=([\w+]+)", schedule)
    return found[1].split("+") if found and found[1] != "none" else []
