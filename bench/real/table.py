"""Rows and the summary of scripts/gpu-real, from what rows.jsonl holds."""
import json
import math
import re

NEAR = 0.98  # of naive: a program that reaches it loses nothing
GOOD_PREDICTION = 1.25


def read_rows(path):
    """The newest row of each program."""
    rows = {}
    if path.exists():
        for line in path.read_text().splitlines():
            try:
                row = json.loads(line)
                rows[row["name"]] = row
            except (json.JSONDecodeError, KeyError):
                continue  # the last line of a run that was killed
    return rows


def mean(values):
    """The geometric one."""
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else None


def cells(row, variant):
    """Cells and steps in a second."""
    seconds = row.get("seconds", {}).get(variant)
    return row["cells"] * row["taken"] / seconds if seconds else None


def naive_of(row):
    """The faster of today's naive text and the one emitted before."""
    return max(filter(None, (cells(row, "naive"), cells(row, "earlier"))), default=None)


def ratio(a, b):
    return a / b if a and b else None


def scale_of(row):
    """How fast the memory of this card is beside the one that the figures of --explain are for."""
    card = row["variants"]["default"].get("card_bandwidth")
    return row["copy"] / card if card and row.get("copy") and abs(row["copy"] / card - 1) > 0.1 else 1.0


def is_candidate(name):
    """Whether a variant is one of --search, --blocks or --schedules, and neither the compiler's choice nor naive."""
    return re.fullmatch(r"c\d+|b\d+(_\d+)?|g\d+", name) is not None


def figures(row):
    """What a row of the table shows, as numbers; None where something is not known."""
    chosen = row["variants"].get("default", {})
    built = row.get("built", {}).get("default", {})
    speed, naive = cells(row, "default"), naive_of(row)
    found = {"speed": speed, "naive": naive, "of_naive": ratio(speed, naive)}
    found["of_copy"] = ratio(speed and speed * chosen.get("compulsory_bytes", 0), row.get("copy"))
    limits = [value for value in (chosen.get("cells_by_memory") and chosen["cells_by_memory"] * scale_of(row), chosen.get("cells_by_arithmetic"))
              if value]
    found["of_limit"] = ratio(speed, min(limits, default=None))
    predicted = chosen.get("predicted")
    if predicted and chosen.get("predicted_limit") == "memory":
        predicted *= scale_of(row)
    found["prediction"] = ratio(predicted, speed)
    kernels = built.get("kernels", {}).values()
    found["registers"] = max((k.get("registers", 0) for k in kernels), default=None)
    found["spilled"] = max((k.get("spill_stores", 0) + k.get("spill_loads", 0) for k in kernels), default=None)
    found["stack"] = max((k.get("stack", 0) for k in kernels), default=None)
    found["nvcc"], found["stencilc"] = built.get("seconds"), chosen.get("stencilc_seconds")
    candidates = {name: cells(row, name) for name in row.get("seconds", {}) if is_candidate(name)}
    best = max(candidates, key=lambda name: candidates[name], default=None)
    if best:
        found["best"] = best if candidates[best] > (speed or 0) else "default"
        found["of_best"] = ratio(speed, max(candidates[best], speed or 0))
    return found


def notes_of(row, slow):
    """What went wrong, in words."""
    notes = []
    if row.get("problem"):
        notes.append(row["problem"])
    if row.get("differ"):
        notes.append("DIFFERS FROM NAIVE: " + ", ".join(row["differ"][:4]))
    for name, built in row.get("built", {}).items():
        if "problem" in built and not is_candidate(name):
            notes.append(f"{name}: {built['problem']}")
        elif built.get("seconds", 0) > slow and not is_candidate(name):
            notes.append(f"{name}: nvcc took {built['seconds']:.0f} s")
    for name, problem in row.get("problems", {}).items():
        if not is_candidate(name):
            notes.append(f"{name}: {problem}")
    if row.get("not_finite"):
        notes.append(f"{row['not_finite']} values not finite")
    if (cells(row, "earlier") or 0) > (cells(row, "naive") or 0):
        notes.append("the earlier naive text is faster")
    return "; ".join(notes)


def shown(value, digits, scale=1.0):
    return f"{value * scale:.{digits}f}" if value is not None else "-"


def table(rows, earlier, slow):
    """Lines of the table; `earlier` are rows by name of a result to compare with, or None."""
    head = ["program", "size", "GCells/s", "naive", "of naive", "of copy", "of limit", "regs", "spilled", "stack", "predicted", "nvcc s", "stencilc s"]
    searched = any("of_best" in figures(row) for row in rows)
    head += ["of best", "best"] if searched else []
    head += ["after/before"] if earlier is not None else []
    lines = [head + ["notes"]]
    for row in rows:
        f = figures(row)
        line = [row["name"], row["size"], shown(f["speed"], 2, 1e-9), shown(f["naive"], 2, 1e-9), shown(f["of_naive"], 2), shown(f["of_copy"], 2),
                shown(f["of_limit"], 2), shown(f["registers"], 0), shown(f["spilled"], 0), shown(f["stack"], 0), shown(f["prediction"], 2),
                shown(f["nvcc"], 1), shown(f["stencilc"], 2)]
        if searched:
            best = f.get("best")
            line += [shown(f.get("of_best"), 2), row["variants"][best]["schedule"] if best else "-"]
        if earlier is not None:
            line.append(shown(change_of(row, earlier), 2))
        lines.append(line + [notes_of(row, slow)])
    widths = [max(len(line[n]) for line in lines) for n in range(len(head))]
    return ["  ".join([cell.ljust(w) if n in (0, 1) else cell.rjust(w) for n, (cell, w) in enumerate(zip(line, widths))] + line[len(head):]).rstrip()
            for line in lines]


def change_of(row, earlier):
    before = earlier.get(row["name"])
    return ratio(cells(row, "default"), cells(before, "default")) if before else None


def named(pairs, count, digits=2):
    return ", ".join(f"{name} {value:.{digits}f}" for value, name in pairs[:count])


def summary(rows, earlier, slow):
    """Lines below the table, for each suite and for all."""
    lines = []
    suites = [suite for suite in ("apps", "users", "textbook", "generated") if any(row["suite"] == suite for row in rows)]
    for suite in suites + (["all"] if len(suites) > 1 else []):
        of = [row for row in rows if suite in (row["suite"], "all")]
        lines += ["", f"{suite}: {len(of)} programs"] + ["  " + line for line in summary_of(of, earlier, slow)]
    return lines


def summary_of(rows, earlier, slow):
    known = [(figures(row), row) for row in rows]
    beside = sorted((f["of_naive"], row["name"]) for f, row in known if f["of_naive"])
    lines = []
    if beside:
        ratios = [value for value, _ in beside]
        lost = [value for value in ratios if value < NEAR]
        lines.append(f"default / naive: geometric mean {mean(ratios):.3f}; {len(ratios) - len(lost)} of {len(ratios)} "
                     f"({(1 - len(lost) / len(ratios)):.0%}) reach {NEAR}; the worst: {named(beside, 5)}")
    for key, name in (("of_copy", "of copy"), ("of_limit", "of limit")):
        values = [f[key] for f, _ in known if f[key]]
        if values:
            lines.append(f"{name}: geometric mean {mean(values):.3f}, least {min(values):.2f}")
    spills = sorted(((f["spilled"], row["name"]) for f, row in known if f["spilled"]), reverse=True)
    lines.append(f"spills: {len(spills)} programs; the largest: {named(spills, 5, 0)}" if spills else "spills: none")
    predictions = sorted((f["prediction"], row["name"]) for f, row in known if f["prediction"])
    if predictions:
        good = [v for v, _ in predictions if 1 / GOOD_PREDICTION <= v <= GOOD_PREDICTION]
        lines.append(f"predicted / measured: {len(good)} of {len(predictions)} within 25 %; the least {named(predictions, 2)}; "
                     f"the most {named(predictions[::-1], 2)}")
    best = sorted((f["of_best"], row["name"]) for f, row in known if f.get("of_best"))
    if best:
        lines.append(f"default / best of the search: geometric mean {mean([v for v, _ in best]):.3f}; "
                     f"{sum(v >= 0.95 for v, _ in best)} of {len(best)} reach 0.95; the worst: {named(best, 5)}")
    if earlier is not None:
        changes = sorted((change, row["name"]) for _, row in known if (change := change_of(row, earlier)))
        if changes:
            lines.append(f"after / before: geometric mean {mean([v for v, _ in changes]):.3f} of {len(changes)}; "
                         f"the least {named(changes, 5)}; the most {named(changes[::-1], 5)}")
    slowest = sorted(((f["nvcc"], row["name"]) for f, row in known if f["nvcc"]), reverse=True)
    if slowest:
        lines.append(f"nvcc: {sum(v > slow for v, _ in slowest)} of {len(slowest)} take more than {slow} s; the longest: {named(slowest, 3, 0)}")
    wrong = [row["name"] for _, row in known if row.get("differ")]
    failed = [row["name"] for f, row in known if not f["speed"] or not f["naive"]]
    lines.append(f"bits that differ: {', '.join(wrong) if wrong else 'none'}; not measured: {', '.join(failed) if failed else 'none'}")
    return lines
