#!/usr/bin/env python3
"""bench/model/kernels.py ROWS... [--stencilc FILE] [--fit N] [--worst N]: predictions of kernels beside what was measured.

ROWS are the rows.jsonl of scripts/gpu-real. Of each schedule that was measured with one step a launch, stencilc is asked for its
prediction, which it makes from the operations and registers of the kernels' code. Printed are the error of the predictions, and
what choosing by them among the measured schedules of a program would give: speed relative to naive code. The constants of
`of_code` in compiler/plan/model/one_step.cpp are fitted to generated programs of odd numbers; those of even numbers, the
applications and textbook stencils judge them. `--fit` tries N random changes of the constants from those below, as seen through
the formula of predict(): it wants few errors, much speed, and no schedule that is slower than naive code.

The instructions of an operation were fitted apart, to the instructions that `scripts/gpu-real --profile` counts; those of conversions, and of
divisions and functions of f64, to times.
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "real"))
from programs import ROOT, all_of, generator  # noqa: E402

MULTIPROCESSORS, CLOCK, COPY = 132, 1.98e9, 4240e9  # of the H200
INSTRUCTIONS = dict(f32=.97, f64=1.43, integer=.5, choices=.94, conversions=1.7, divisions=12.4, divisions_f64=13, functions=12,
                    functions_f64=58, loads=3.2, stores=3.2, moves=.3)
THREAD = 16.5
CONSTANTS = dict(AtEdges=1.6, AtEdgeCells=2.5, Place=30, Memory=.836, L2=190, L1=175, Latency=700, Chain=8.4, Long=.85, Beside=.73, Hiding=2.1,
                 OneCell=1.08, SeveralCells=.93, Vectors=1.01, ForMany=1.22, Columns=1.63, Values=.95)
COMPUTED = 1.22  # the least gain of vectors of steps that take longer to compute than to move their bytes
ONE_BLOCK = 1.25  # kernels of several cells of which a multiprocessor holds one block last so many times as long
BOUNDS = dict(Memory=(.75, 1), Beside=(.3, 1), Long=(.5, 1), Hiding=(1.5, 5), Vectors=(.9, 1.4), ForMany=(.9, 1.4), Columns=(1, 1.7),
              Values=(.9, 1.3))
SPILLED = 100  # bytes from which on a kernel is left out of errors: naive code of large kernels spills as it likes
CLOSE = math.log(1.25)


def measured(paths):
    """Of each program and schedule the seconds of a step, the latest of several."""
    found = {}
    for path in paths:
        for line in open(path):
            row = json.loads(line)
            for name, seconds in row.get("seconds", {}).items():
                variant = row["variants"][name]
                if name == "earlier" or variant.get("steps_a_launch") != 1:
                    continue
                kernels = row.get("built", {}).get(name, {}).get("kernels", {})
                found[row["name"], variant["schedule"]] = dict(
                    name=row["name"], suite=row["suite"], schedule=variant["schedule"], cells=row["cells"],
                    seconds=float(seconds) / max(1, int(row.get("taken") or 1)),
                    spilled=max((one.get("spill_stores", 0) for one in kernels.values()), default=0))
    return list(found.values())


def explained(one, program, stencilc, folder):
    """Adds the prediction."""
    source = program.path
    if program.text is not None:
        source = folder / f"{program.name}.stn"
        source.write_text(program.text)
    words = [stencilc, source, "--size", program.size, "--no-tune", "--arch", "sm_90", *program.options, "--explain=json",
             f"--schedule={one['schedule']}", *(["--stencil", program.stencil] if program.stencil else [])]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        return None
    prediction = json.loads(done.stdout)["devices"][0].get("prediction", {})
    kernels = prediction.get("kernels", [])
    if not kernels or "seconds_per_step" not in prediction or any("code" not in kernel for kernel in kernels):
        return None
    return {**one, "predicted": prediction["seconds_per_step"], "kernels": kernels, "axes": program.size.count("x") + 1}


def kind(one):
    several = one["schedule"].startswith("coarsened")
    if "global=" in one["schedule"]:
        return "Values"
    if not several:
        return "naive"
    if one["axes"] == 1 or not re.search(r"vector=([2-9]|\d\d)", one["schedule"]):
        return "Columns"
    return "ForMany" if len(one["kernels"]) > (2 if one["axes"] == 2 else 1) else "Vectors"


def seconds(one, c):
    """The formula of predict(), of a step."""
    total = 0
    for kernel in one["kernels"]:
        code, moved = kernel["code"], kernel["bytes_per_cell"]
        cells = max(1, code["cells_of_a_pass"])
        at_edges = c["AtEdgeCells" if "edges=cells" in one["schedule"] else "AtEdges"]
        count = sum(code[name] * weight for name, weight in INSTRUCTIONS.items()) + THREAD / cells
        count += kernel["edge_blocks"] * (at_edges * count + c["Place"] * code["edge_places"])
        bytes_a_clock = COPY / MULTIPROCESSORS / CLOCK
        chain = c["Chain"] * count ** c["Long"] * cells ** c["Beside"]
        limits = [(moved["from_memory"] + moved["stored"]) / (c["Memory"] * bytes_a_clock), (moved["from_l2"] + moved["stored"]) / c["L2"],
                  (moved["loaded_by_threads"] + moved["stored"]) / c["L1"], count / 128, (c["Latency"] + chain) / (kernel["warps"] * 32 * cells)]
        together = sum(limit ** c["Hiding"] for limit in limits) ** (1 / c["Hiding"])
        together *= c["SeveralCells" if one["schedule"].startswith("coarsened") else "OneCell"]
        waves = max(kernel["waves"], .01)
        if kernel["blocks"] == 1 and one["schedule"].startswith("coarsened"):
            together *= ONE_BLOCK
        total += together * (1 + .33 * (math.ceil(waves) / waves - 1))
    wait = (1e-6 if "launches=early" in one["schedule"] else 2.5e-6) * len(one["kernels"])
    return total * one["cells"] / (MULTIPROCESSORS * CLOCK) + wait


def plain(one):
    return re.fullmatch(r"naive,threads=(256|32x8(x1)?)", one["schedule"]) is not None


def least_gain(one, c):
    gain = c.get(kind(one), 1)
    clocks = [kernel["clocks_per_cell"] for kernel in one["kernels"]]
    computes = sum(of["instructions"] for of in clocks) > sum(of["memory"] for of in clocks)
    return max(gain, COMPUTED) if one["schedule"].startswith("coarsened") and computes else gain


def choices(programs, time, c):
    """By program: the speed of what would be chosen, and of the best, relative to naive code."""
    result = []
    for name, of in programs.items():
        naive = [one for one in of if plain(one)]
        if not naive or len(of) < 2:
            continue
        chosen = min(of, key=lambda one: time(one) * least_gain(one, c))
        result.append((naive[0]["seconds"] / chosen["seconds"], max(naive[0]["seconds"] / one["seconds"] for one in of), name, chosen))
    return result


def errors(programs, time):
    return [math.log(time(one) / one["seconds"]) for of in programs.values() for one in of if one["spilled"] <= SPILLED]


def mean(values):
    return math.exp(statistics.fmean(math.log(one) for one in values)) if values else math.nan


def report(label, programs, time, c, worst):
    wrong, taken = errors(programs, time), choices(programs, time, c)
    if not wrong:
        return
    speeds = sorted(one[0] for one in taken)
    close = statistics.fmean(abs(one) < CLOSE for one in wrong)
    print(f"{label}: {len(wrong)} schedules, error {100 * (math.exp(statistics.median(map(abs, wrong))) - 1):.0f} % in the median, {100 * close:.0f} % "
          f"within 25 %; chosen of {len(taken)} programs: {mean(speeds):.3f} times naive, the best {mean([one[1] for one in taken]):.3f}, "
          f"{sum(one >= .98 for one in speeds)} reach 0.98, the worst {', '.join(f'{one:.2f}' for one in speeds[:4])}")
    for speed, best, name, one in sorted(taken, key=lambda of: of[0] / of[1])[:worst]:
        print(f"    {name}: {speed:.2f} of {best:.2f} by {one['schedule'][:90]}")


def fit(programs, rounds):
    def loss(c):
        def time(one):
            return seconds(one, c)
        speeds = [math.log(one[0]) for one in choices(programs, time, c)]
        lost = statistics.fmean(max(0, -.02 - one) for one in speeds)
        return .6 * statistics.fmean(min(abs(one), .7) for one in errors(programs, time)) + 2 * lost - statistics.fmean(speeds)
    draws, best = random.Random(1), dict(CONSTANTS)
    least = loss(best)
    for _ in range(rounds):
        other = dict(best)
        for name in draws.sample(sorted(other), 2):
            low, high = BOUNDS.get(name, (0, math.inf))
            other[name] = min(max(other[name] * math.exp(draws.gauss(0, .2)), low), high)
        if (of_other := loss(other)) < least:
            best, least = other, of_other
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="+")
    parser.add_argument("--stencilc", default=ROOT / "build" / "bin" / "stencilc")
    parser.add_argument("--fit", type=int, default=0)
    parser.add_argument("--worst", type=int, default=0)
    options = parser.parse_args()
    known = {program.name: program for program in all_of("all", generator([ROOT / "build", ROOT / "build" / "tests"]))}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        asked = [one for one in measured(options.rows) if one["name"] in known]
        told = list(pool.map(lambda one: explained(one, known[one["name"]], options.stencilc, pathlib.Path(folder)), asked))
    suites = {}
    for one in filter(None, told):
        number = re.match(r"real(\d+)_", one["name"])
        suite = one["suite"] if not number else ("odd", "even")[int(number[1]) % 2 == 0]
        suites.setdefault(suite, {}).setdefault(one["name"], []).append(one)
    for suite, programs in suites.items():
        report(suite, programs, lambda one: one["predicted"], CONSTANTS, options.worst)
    if options.fit:
        c = fit(suites["odd"], options.fit)
        print("fitted: " + ", ".join(f"{name} {value:.3g}" for name, value in c.items()))
        for suite, programs in suites.items():
            report(suite, programs, lambda one: seconds(one, c), c, 0)


if __name__ == "__main__":
    main()
