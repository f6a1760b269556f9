"""The faults that scripts/mutate plants: patches written by hand, and drawn ones (draw.py)."""
import difflib
import hashlib
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import draw

HERE = Path(__file__).resolve().parent
LEAST_PATCHES, LEAST_OF_ROOM = 48, 6


class Failed(Exception):
    """What ends the run with a message."""


@dataclass
class Mutant:
    name: str
    kind: str  # patch, operator, constant, condition, statement
    path: str
    line: int
    before: str
    after: str | None  # None: the line is left out
    patch: str
    key: str = field(init=False)

    def __post_init__(self):
        self.key = hashlib.sha256("\0".join([self.path, self.patch]).encode()).hexdigest()[:16]

    def change(self):
        """By which equivalent.txt names it."""
        return self.path, self.before.strip(), self.after and self.after.strip()


def read_patch(path):
    text = path.read_text()
    changed = re.findall(r"^([-+])(?!-- |\+\+ )(.*)$", text, re.M)
    removed = [line for sign, line in changed if sign == "-"]
    added = [line for sign, line in changed if sign == "+"]
    files, hunks = re.findall(r"^\+\+\+ b/(.*)$", text, re.M), re.findall(r"^@@ -(\d+)", text, re.M)
    if len(files) != 1 or len(hunks) != 1 or len(removed) != 1 or len(added) > 1:
        raise Failed(f"{path.name} does not change one line of one file")
    behind = text[text.index("\n@@ "):].split("\n")[2:]
    line = int(hunks[0]) + next(n for n, one in enumerate(behind) if one.startswith("-"))
    return Mutant(path.stem, "patch", files[0], line, removed[0], added[0] if added else None, text)


def patches():
    return [read_patch(path) for path in sorted(HERE.glob("*.patch"))]


def drawn_mutant(name, root, path, number, kind, before, after):
    old = (Path(root) / path).read_text().splitlines(keepends=True)
    new = old[:number] + ([] if after is None else [after + "\n"]) + old[number + 1:]
    patch = "".join(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}"))
    return Mutant(name, kind, path, number + 1, before, after, patch)


def drawn(root, count, seed):
    """For each slot the mutants that may become it; see draw.slots()."""
    return [[drawn_mutant(f"drawn-{n + 1:02}" + "abcdefgh"[turn], root, *one) for turn, one in enumerate(slot)]
            for n, slot in enumerate(draw.slots(root, count, seed))]


def equivalents():
    """(path, line, line instead or None) of drawn mutants that change nothing, with the reason."""
    result = {}
    text = "".join(line for line in (HERE / "equivalent.txt").read_text().splitlines(True) if not line.startswith("#"))
    for block in filter(None, re.split(r"\n\s*\n", text.strip())):
        lines = block.split("\n")
        after = lines[2][2:].strip() if len(lines) > 2 and lines[2].startswith("+ ") else None
        reason = " ".join(lines[2 if after is None else 3:]).strip()
        if len(lines) < 3 or not lines[1].startswith("- ") or not reason:
            raise Failed(f"equivalent.txt: a block is a path, `- line`, maybe `+ line`, and a reason:\n{block}")
        result[lines[0], lines[1][2:].strip(), after] = reason
    return result


def check(root):
    """Holds tests/mutants against the files as they are. Quick: nothing is built."""
    problems, count = [], {}
    for mutant in patches():
        room = mutant.name.split("-")[0]
        count[room] = count.get(room, 0) + 1
        if mutant.patch.startswith(("---", "\n")):
            problems.append(f"{mutant.name}: the first line does not say which fault this is")
        if f"/{room}/" not in f"/{mutant.path}":
            problems.append(f"{mutant.name}: the name does not begin with the room of {mutant.path}")
        done = subprocess.run(["git", "apply", "--check", "-"], cwd=root, input=mutant.patch, text=True, capture_output=True)
        if done.returncode != 0:
            problems.append(f"{mutant.name}: {done.stderr.strip()}")
    for room in draw.FILES:
        if count.get(room, 0) < LEAST_OF_ROOM:
            problems.append(f"{room} has {count.get(room, 0)} patches, fewer than {LEAST_OF_ROOM}")
    if sum(count.values()) < LEAST_PATCHES:
        problems.append(f"there are {sum(count.values())} patches, fewer than {LEAST_PATCHES}")
    for path, before, _ in equivalents():
        file = root / path
        if not file.exists() or before not in map(str.strip, file.read_text().split("\n")):
            problems.append(f"equivalent.txt: {path} has no line `{before}` any more")
    for problem in problems:
        print(problem)
    print(f"{sum(count.values())} patches: " + ", ".join(f"{room} {count[room]}" for room in sorted(count)))
    return 1 if problems else 0
