"""What ncu counts in the kernels of a program: scripts/gpu-real --profile calls it."""
import csv
import io
import json
import re
import subprocess
import sys

from programs import HERE

# Column, ncu's metric, and whether it is divided by the cells of the program.
METRICS = [
    ("us", "gpu__time_duration.sum", False),
    ("regs", "launch__registers_per_thread", False),
    ("blocks", "launch__grid_size", False),
    ("warps", "sm__warps_active.avg.pct_of_peak_sustained_active", False),
    ("issue", "sm__inst_issued.avg.pct_of_peak_sustained_active", False),
    ("instr", "smsp__inst_executed.sum", True),
    ("lanes", "smsp__thread_inst_executed_per_inst_executed.ratio", False),
    ("dram B", "dram__bytes.sum", True),
    ("L2 B", "lts__t_bytes.sum", True),
    ("dram", "dram__throughput.avg.pct_of_peak_sustained_elapsed", False),
    ("L2", "lts__t_sectors.avg.pct_of_peak_sustained_elapsed", False),
    ("L1", "l1tex__throughput.avg.pct_of_peak_sustained_active", False),
    ("wavefronts", "l1tex__data_pipe_lsu_wavefronts.sum", True),
    ("local", "smsp__inst_executed_op_local.sum", True),
    ("fp64", "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", False),
    ("fma", "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", False),
    ("alu", "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", False),
    ("xu", "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", False),
]
STALLS = ["long_scoreboard", "short_scoreboard", "lg_throttle", "mio_throttle", "math_pipe_throttle", "no_instruction", "wait",
          "branch_resolving", "barrier", "not_selected", "imc_miss", "dispatch_stall", "membar", "sleeping", "tex_throttle", "drain"]
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
MOST_KERNELS = 24  # that are counted of each variant


def counted(library, job, seconds):
    """Rows of ncu, a dictionary of metrics for each launch in order, of the first run of a variant alone."""
    metrics = [metric for _, metric, _ in METRICS] + [STALL.format(stall) for stall in STALLS]
    command = ["ncu", "--csv", "--clock-control", "none", "--target-processes", "all", "--kernel-name", r"regex:^(?!each|sum_up|copy_vectors)",
               "--launch-count", str(MOST_KERNELS), "--metrics", ",".join(metrics), sys.executable, str(HERE / "device.py"), library]
    done = subprocess.run(command, input=json.dumps({**job, "profile": True}) + "\n", capture_output=True, text=True, timeout=seconds)
    begin = done.stdout.find('"ID"')
    if begin < 0:
        raise RuntimeError((done.stdout + done.stderr)[-400:])
    launches = {}
    for row in csv.DictReader(io.StringIO(done.stdout[begin:])):
        if row.get("Metric Name"):
            name = re.sub(r"<unnamed>::|\(anonymous namespace\)::|^void ", "", row["Kernel Name"])
            launch = launches.setdefault(row["ID"], {"kernel": re.sub(r".*::|[<(].*", "", name)})
            launch[row["Metric Name"]] = row["Metric Value"].replace(",", "")
    return list(launches.values())


def line(cells, launch):
    words = []
    for name, metric, by_cell in METRICS:
        try:
            value = float(launch[metric])
        except (KeyError, ValueError):
            continue
        if name == "us":
            value /= 1000 if value > 1e3 else 1
        if name in ("instr", "wavefronts", "local"):
            value *= 32
        value = value / cells if by_cell else value
        if value >= 0.05:
            words.append(f"{name} {value:.4g}" if value < 1e4 else f"{name} {value:.0f}")
    stalls = sorted(((float(launch.get(STALL.format(stall)) or 0), stall) for stall in STALLS), reverse=True)[:4]
    return f"{launch['kernel'][:28]:28s} " + ", ".join(words) + "; waits " + " ".join(f"{stall} {value:.1f}" for value, stall in stalls)


def count(job, entry, library, out, seconds):
    """Prints a line for each kernel of each variant, and appends all counts to counts.jsonl."""
    cells = 1
    for extent in entry["size"].split("x"):
        cells *= int(extent)
    for variant in job["variants"]:
        print(f"{entry['name']} {variant['name']}: {entry['variants'][variant['name']]['schedule']}", flush=True)
        try:
            launches = counted(library, {**job, "variants": [variant]}, min(seconds, 60))
        except (RuntimeError, subprocess.TimeoutExpired) as why:
            print(f"  not counted: {str(why)[:400]}", flush=True)
            continue
        with open(out / "counts.jsonl", "a") as raw:
            raw.write(json.dumps({"name": entry["name"], "variant": variant["name"], "cells": cells, "launches": launches}) + "\n")
        for launch in launches:
            print("  " + line(cells, launch), flush=True)
