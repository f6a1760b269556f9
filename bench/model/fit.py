#!/usr/bin/env python3
"""bench/model/fit.py TABLE [rounds]: fits the constants of compiler/plan/model/one_step.cpp to measured kernels.

TABLE is as bench/results/2026-11-22-h200-schedules.txt, or several such behind each other; `footprints` (cmake --build build
--target stencilc-footprints) stands in build/tests. The formulas are those of model.cpp, the constants have its names without
the k. What is least: the mean of the squared logarithm of predicted by measured time, near the fastest kernel of each stencil
more than far from it; found by the method of Nelder and Mead (The Computer Journal 7, 1965), begun again a few times.
"""
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

MULTIPROCESSORS, CLOCK, COPY, L2 = 132, 1.98e9, 4255e9, 60 * 2**20  # of the H200
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
COUNTS = ("cells passes extra accesses loaded held fresh moved fetched around along compulsory stored arrays plane stages "
          "f32 f64 integer divisions functions x y z threads resident widest shuffled rows").split()
TIME = dict(Memory=1, AlongMissed=.7, HeldByL2=.8, Around=.9, Drift=60, L2=40, L2Boxes=30, Line=256, L1=100, Issue=110, Double=2.5,
            Integer=1, Division=10, Function=20, Conversion=1, Access=2, Move=.5, Pass=10, Thread=40, Latency=800,
            LatencyBoxes=600, LatencyBeside=300, Shuffled=2, Chain=3, Hiding=3, ManyRows=1.1, Tail=.8)
BOUNDS = dict(Memory=(.93, 1.03), AlongMissed=(0, 1), Around=(0, 1), L2=(15, 64), L2Boxes=(10, 64), L1=(40, 128),
              Issue=(64, 128), Double=(1.5, 4), Tail=(.3, 1), Hiding=(2, 8), Latency=(100, 3000), LatencyBoxes=(100, 3000))
REGISTERS = dict(Base=20, Held=.9, Fresh=1.1, Result=.4, Array=2, Work=.5, WorkOfDivision=5, BaseBoxes=20, HeldBoxes=1.1,
                 FreshBoxes=.6)


def stencil_file(name, folder):
    parts = re.fullmatch(r"((?:star|box)[23]d\d)_(f32|f64|f16|u8)(?:_(\w+))?", name)
    if not parts:
        return f"{ROOT}/examples/{name}.stn"
    if parts[2] == "u8":
        return f"{ROOT}/bench/one-step/{name}.stn"
    text = open(f"{ROOT}/bench/one-step/{parts[1]}.stn").read().replace("boundary clamp", f"boundary {parts[3] or 'clamp'}")
    text = text.replace("field f32", "field f16") if parts[2] == "f16" else re.sub(r"\bf32\b", parts[2], text)
    file = f"{folder}/{name}.stn"
    open(file, "w").write(text)
    return file


def kernels(table):
    form = re.compile(r"(\S+)\s+(\d+)x(\d+)x(\d+)\s+([\d.]+) GCells/s.*  (\S+);regs=(\d+);spill=(\d+)")
    rows = [match.groups() for match in map(form.match, open(table)) if match]
    with tempfile.TemporaryDirectory() as folder:
        asked = "".join(f"{stencil_file(row[0], folder)} {row[5]}\n" for row in rows)
        told = subprocess.run([f"{ROOT}/build/tests/stencilc-footprints"], input=asked, capture_output=True, text=True,
                              check=True).stdout
    result = []
    for row, line in zip(rows, told.splitlines()):
        launches = [dict(zip(COUNTS, map(float, part.split()))) for part in line.split(";") if part]
        result.append(dict(name=row[0] + " " + row[1], extents=[int(n) for n in row[1:4]], rate=float(row[4]) * 1e9,
                           schedule=row[5], registers=int(row[6]), spills=row[7] != "0", launches=launches))
    return result


def registers(one, r):
    """What a thread wants, and the most that it gets."""
    most = min(255, 65536 // int(one["threads"] * max(1, one["resident"])) // 8 * 8)
    if one["plane"]:
        return r["BaseBoxes"] + r["HeldBoxes"] * one["held"] + r["FreshBoxes"] * one["fresh"], most
    work = one["f32"] + 2 * one["f64"] + one["integer"] + r["WorkOfDivision"] * one["divisions"] * one["widest"] / 4
    results = one["cells"] * one["stored"] / 4 * max(1, 4 / one["widest"])
    return (r["Base"] + r["Held"] * one["held"] + r["Fresh"] * one["fresh"] + r["Result"] * results + r["Array"] * one["arrays"] +
            r["Work"] * math.sqrt(work * one["cells"]), most)


def resident(one, count):
    warps = int(one["threads"]) // 32
    blocks = min(32, 64 // warps, 65536 // 4 // (max(16, math.ceil(count / 8) * 8) * 32) * 4 // warps)
    return min(blocks, int(227 * 1024 // (one["plane"] * one["stages"] + 1024))) if one["plane"] else blocks


def clocks(one, extents, count, c):
    blocks = resident(one, count)
    if blocks == 0:
        return 99
    boxes, again = one["plane"] > 0, 1 + one["extra"] / one["passes"]
    drift = one["z"] / (one["z"] + c["Drift"]) if one["z"] > 1 else 0
    slab = extents[0] * extents[1] * one["z"] * (one["compulsory"] + one["stored"])
    missed = c["AlongMissed"] / (1 + (c["HeldByL2"] * L2 / slab)**3)
    memory = (one["compulsory"] + missed * one["along"] + c["Around"] * drift * one["around"] + one["stored"]) / (
        c["Memory"] * COPY / MULTIPROCESSORS / CLOCK)
    l2 = (one["fetched"] + one["stored"]) / c["L2"]
    if boxes:
        l2 = (one["compulsory"] * (1 + c["Line"] / (one["x"] * one["widest"])) * (1 + one["around"] / one["compulsory"]) +
              one["along"] + one["stored"]) / c["L2Boxes"]
    l1 = ((one["loaded"] + 4 * one["shuffled"]) * again / one["cells"] + one["stored"]) / c["L1"]
    work = one["f32"] + c["Double"] * one["f64"] + c["Integer"] * one["integer"] + (
        c["Division"] * one["divisions"] + c["Function"] * one["functions"]) * (c["Double"] if one["widest"] == 8 else 1)
    if one["widest"] < 4:
        work += c["Conversion"] * (1 + one["loaded"] / one["widest"] / one["cells"])
    work += (c["Access"] * one["accesses"] + c["Move"] * one["moved"] + c["Shuffled"] * one["shuffled"]) / one["cells"]
    work = work * again + c["Pass"] * again / one["cells"] + c["Thread"] / (one["cells"] * one["passes"])
    wait = c["Latency"] + c["Chain"] * work * one["cells"]
    if boxes:
        wait = c["LatencyBoxes"] + c["LatencyBeside"] * (one["arrays"] > 2)
    latency = wait * again / (blocks * one["threads"] * one["cells"])
    together = sum(limit**c["Hiding"] for limit in (memory, l2, l1, work / c["Issue"], latency))**(1 / c["Hiding"])
    if not boxes and one["widest"] == 8 and one["rows"] >= 9:
        together *= c["ManyRows"]
    waves = 1 / (MULTIPROCESSORS * blocks)
    for extent, cells in zip(extents, (one["x"], one["y"], one["z"])):
        waves *= math.ceil(extent / cells)
    return together * (1 + c["Tail"] * (math.ceil(waves) / waves - 1))


def rate(kernel, c, r):
    """Predicted, with the registers that were measured where there is one launch."""
    total = 0
    for one in kernel["launches"]:
        count = kernel["registers"] if len(kernel["launches"]) == 1 else min(registers(one, r))
        total += clocks(one, kernel["extents"], count, c)
    return MULTIPROCESSORS * CLOCK / total


def least(start, cost, rounds, chance):
    names = list(start)
    at = lambda x: cost({name: math.exp(value) for name, value in zip(names, x)})
    first = [math.log(start[name]) for name in names]
    simplex = [(at(first), first)]
    for n in range(len(names)):
        x = list(first)
        x[n] += chance.choice([-.4, -.2, .2, .4])
        simplex.append((at(x), x))
    for _ in range(rounds):
        simplex.sort(key=lambda one: one[0])
        centre = [sum(x[n] for _, x in simplex[:-1]) / len(names) for n in range(len(names))]
        move = lambda factor: [a + factor * (b - a) for a, b in zip(centre, simplex[-1][1])]
        far = [(at(x), x) for x in (move(-1),)]
        if far[0][0] < simplex[0][0]:
            far.append((at(move(-2)), move(-2)))
        elif far[0][0] >= simplex[-2][0]:
            far = [(at(move(.5)), move(.5))]
        best = min(far, key=lambda one: one[0])
        if best[0] < simplex[-1][0]:
            simplex[-1] = best
        else:
            centre = simplex[0][1]
            simplex[1:] = [(at(y), y) for y in ([(a + b) / 2 for a, b in zip(centre, x)] for _, x in simplex[1:])]
    return {name: math.exp(value) for name, value in zip(names, min(simplex, key=lambda one: one[0])[1])}


def main():
    all_kernels = [kernel for kernel in kernels(sys.argv[1]) if not kernel["spills"]]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1800
    fastest = {}
    for kernel in all_kernels:
        fastest[kernel["name"]] = max(kernel["rate"], fastest.get(kernel["name"], 0))

    def missed_registers(r):
        return sum(abs(math.log(max(16, max(min(registers(one, r)) for one in kernel["launches"])) / kernel["registers"]))
                   for kernel in all_kernels) / len(all_kernels)

    def missed_time(c):
        outside = sum(max(0, low - c[name]) + max(0, c[name] - high) / high for name, (low, high) in BOUNDS.items())
        return outside + sum((kernel["rate"] / fastest[kernel["name"]])**4 * min(.09, math.log(rate(kernel, c, r) / kernel["rate"])**2)
                             for kernel in all_kernels) / len(all_kernels)

    chance = random.Random(1)
    r = least(REGISTERS, missed_registers, rounds, chance)
    print("registers", round(missed_registers(r), 4), json.dumps({name: round(value, 3) for name, value in r.items()}))
    c = TIME
    for _ in range(5):
        c = least(c, missed_time, rounds, chance)
        c = {name: min(max(value, BOUNDS.get(name, (0, 1e9))[0]), BOUNDS.get(name, (0, 1e9))[1]) for name, value in c.items()}
        print("time", round(math.sqrt(missed_time(c)), 4), json.dumps({name: round(value, 3) for name, value in c.items()}), flush=True)


if __name__ == "__main__":
    main()
