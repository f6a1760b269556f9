#!/usr/bin/env python3
"""bench/model/registers.py [--work DIR | --again TEXT] [--minutes N]: registers that stencilc predicts beside those that ptxas gives.

Without options it asks stencilc anew for the kernels of registers.tsv and prints the errors; `--write` keeps the predictions in
the table. With `--work`, a folder that `scripts/gpu-real --prepare-only` has filled, it first compiles texts that the table
lacks, for sm_90 with 32-bit indices, until so many minutes of processor time are spent, and adds their kernels: those of
launches that store cells, of one step each. A call that was stopped goes on where it was. `--again TEXT` compiles those texts
of the table once more that contain the words, such as `st::fast_division`.

The constants of compiler/plan/model/one_step.cpp are fitted to generated programs of odd numbers; those of even numbers, the
applications and the textbook stencils judge them. Registers are those of `__launch_bounds__` of the block alone (at most 255).
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "real"))
from build import RUNTIME, kernels_of, narrowed  # noqa: E402
from programs import ROOT, all_of, generator  # noqa: E402

TABLE = HERE / "registers.tsv"
COLUMNS = ("program", "schedule", "kernel", "registers", "spilled", "predicted")
LARGEST = 110_000  # bytes of a text: larger ones take nvcc minutes
MANY = ("steps=", "boxes", "rolled", "unrolled")  # schedules with formulas of their own


def table():
    lines = TABLE.read_text().splitlines() if TABLE.exists() else []
    return [dict(zip(COLUMNS, line.split("\t"))) for line in lines[1:]]


def write(rows):
    rows.sort(key=lambda row: (row["program"], row["schedule"], row["kernel"]))
    TABLE.write_text("\n".join("\t".join(str(row[c]) for c in COLUMNS) for row in [dict(zip(COLUMNS, COLUMNS)), *rows]) + "\n")


def stencilc(program, schedule, folder, *more):
    source = program.path
    if program.text is not None:
        source = folder / f"{program.name}.stn"
        source.write_text(program.text)
    words = [ROOT / "build" / "bin" / "stencilc", source, "--size", program.size, "--no-tune", "--arch", "sm_90", *program.options,
             f"--schedule={schedule}", *more, *(["--stencil", program.stencil] if program.stencil else [])]
    return subprocess.run(words, capture_output=True, text=True)


def predicted(program, schedule, folder):
    """Registers by kernel."""
    done = stencilc(program, schedule, folder, "--explain=json")
    if done.returncode != 0:
        return {}
    return {one["kernel"]: one["registers"] for one in json.loads(done.stdout)["devices"][0]["prediction"].get("kernels", [])}


def by_ptxas(text, headers, folder):
    """What ptxas says of the kernels of a text, and the seconds of processor time."""
    source = folder / text.name
    bounds = re.compile(r"__launch_bounds__\((\d+), sizeof\(Index\) == 4 \? \d+ : 1\)")
    source.write_text(bounds.sub(r"__launch_bounds__(\1)", narrowed(text.read_text())))
    before = os.times()
    done = subprocess.run(["nice", "nvcc", "-std=c++17", "-O3", "-arch=sm_90", "-cubin", "-w", "-Xptxas=-v", "-I", RUNTIME, "-I", headers,
                           "-o", folder / "out.cubin", source], capture_output=True, text=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return kernels_of(done.stdout + done.stderr), spent


def extend(rows, programs, work, minutes, folder):
    known, spent = {(row["program"], row["schedule"]) for row in rows}, 0
    for path in sorted(work.glob("texts/*/program.json")):
        entry = json.loads(path.read_text())
        for name in ("naive", "default"):
            variant = entry["variants"].get(name)
            if variant is None or (entry["name"], variant["schedule"]) in known or any(w in variant["schedule"] for w in MANY):
                continue
            text = path.parent / variant["file"]
            if text.stat().st_size > LARGEST or spent > 60 * minutes:
                continue
            known.add((entry["name"], variant["schedule"]))
            kernels, seconds = by_ptxas(text, text.parent, folder)
            spent += seconds
            for kernel, guess in predicted(programs[entry["name"]], variant["schedule"], folder).items():
                if kernel in kernels:
                    of = kernels[kernel]
                    rows.append(dict(program=entry["name"], schedule=variant["schedule"], kernel=kernel, registers=of["registers"],
                                     spilled=of["spill_stores"] + of["spill_loads"], predicted=guess))
            write(rows)


def again(rows, programs, words, minutes, folder):
    spent = 0
    for program, schedule in sorted({(row["program"], row["schedule"]) for row in rows}):
        text = folder / f"{program}.cu"
        if stencilc(programs[program], schedule, folder, "-o", text).returncode != 0 or words not in text.read_text():
            continue
        if spent > 60 * minutes:
            print(f"{program} and those after it are as they were")
            break
        (folder / "out").mkdir(exist_ok=True)
        kernels, seconds = by_ptxas(text, folder, folder / "out")
        spent += seconds
        for row in rows:
            if (row["program"], row["schedule"]) == (program, schedule) and row["kernel"] in kernels:
                of = kernels[row["kernel"]]
                row.update(registers=of["registers"], spilled=of["spill_stores"] + of["spill_loads"])


def report(rows):
    def kind(row):
        number = re.match(r"real(\d+)_", row["program"])
        return "others" if not number else "odd" if int(number[1]) % 2 else "even"
    for which in ("odd", "even", "others"):
        errors = sorted(int(row["predicted"]) / int(row["registers"]) - 1 for row in rows if kind(row) == which)
        if not errors:
            continue
        off = sorted(abs(one) for one in errors)
        print(f"{which:7} {len(off):4} kernels: median {off[len(off) // 2]:.1%} off, nine of ten within {off[len(off) * 9 // 10]:.0%}; "
              f"{sum(one < -.2 for one in errors)} below by more than 20 %, the worst {errors[0]:+.0%}; in the middle {errors[len(errors) // 2]:+.1%}")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--work", type=pathlib.Path)
    options.add_argument("--again", metavar="TEXT")
    options.add_argument("--minutes", type=float, default=20)
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    programs = {program.name: program for program in all_of("all", generator([ROOT / "build"]))}
    rows = table()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if given.work:
            extend(rows, programs, given.work, given.minutes, folder)
        if given.again:
            again(rows, programs, given.again, given.minutes, folder)
        asked = {}
        for row in rows:
            key = (row["program"], row["schedule"])
            if key not in asked:
                asked[key] = predicted(programs[row["program"]], row["schedule"], folder)
            row["predicted"] = asked[key].get(row["kernel"], row["predicted"])
    if given.write:
        write(rows)
    report(rows)


if __name__ == "__main__":
    main()
