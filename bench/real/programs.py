"""The programs that scripts/gpu-real measures: applications, programs of users, textbook stencils, and generated ones."""
import hashlib
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "bench" / "real"
SUITES = ("apps", "users", "textbook", "generated", "own")  # "own": the programs of a list elsewhere (--list)


class Program:
    """A stencil, and on what to measure it: `given` holds fields and params by name, as the lists have them."""

    def __init__(self, suite, name, path, stencil, size, steps, given, options=(), text=None):
        self.suite, self.name, self.path, self.stencil = suite, name, path, stencil
        self.size, self.steps, self.given, self.options, self.text = size, steps, given, list(options), text

    def extents(self):
        return [int(n) for n in self.size.split("x")]

    def line(self):
        return f"{self.suite} {self.name} {self.size}"


def rows_of(path):
    for line in path.read_text().splitlines():
        words = line.split()
        if words and not words[0].startswith("#"):
            yield words


def listed(suite, path, folder):
    """Rows of `file[:stencil] size steps name=value...`; the files are in the folder."""
    programs = []
    for words in rows_of(path):
        file, _, stencil = words[0].partition(":")
        given = dict(word.split("=", 1) for word in words[3:])
        source = folder / (file + ".stn")
        name = source.stem + ("_" + stencil if stencil else "")
        stencils = re.findall(r"^stencil (\w+)", source.read_text(), re.M)
        if not stencil and len(stencils) > 1:  # the one that has the name of the file
            stencil = source.stem
        programs.append(Program(suite, name, source, stencil or None, words[1], int(words[2]), given))
    return programs


def generator(prebuilt):
    for folder in prebuilt:
        for tool in (folder / "stencilc-run-tests", folder / "tests" / "stencilc-run-tests"):
            if tool.exists():
                return tool
    return None


def written(tool, seeds):
    """The texts of the generator for these seeds, each with its options."""
    shown = subprocess.run([tool, "--programs", "real", "--seeds", seeds, "--show"], check=True, capture_output=True, text=True).stdout
    parts = re.split(r"^// real (\d+) ?(.*)\n", shown, flags=re.M)
    return {int(parts[i]): (parts[i + 1].split(), parts[i + 2]) for i in range(1, len(parts), 3)}


def digest_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def generated(tool):
    """Rows of `seed family size steps digest`; a text with another digest is another program, and is refused."""
    rows = list(rows_of(HERE / "generated.txt"))
    texts = written(tool, ",".join(row[0] for row in rows))
    programs = []
    for seed, family, size, steps, digest in rows:
        options, text = texts[int(seed)]
        if digest_of(text) != digest:
            raise SystemExit(f"gpu-real: the generator's program of seed {seed} is not that of bench/real/generated.txt any more; "
                             "make the list again by bench/real/make_generated.py, and do not compare with earlier rows")
        programs.append(Program("generated", f"real{seed}_{family}", None, None, size, int(steps), {}, options, text))
    return programs


def all_of(suite, tool, own=None):
    """The programs of a suite, or of all; or those of a list elsewhere, whose files are in the folder of the list."""
    if own:
        return listed("own", own, own.parent)
    programs = []
    if suite in ("apps", "all"):
        programs += listed("apps", ROOT / "examples" / "apps" / "sizes.txt", ROOT / "examples" / "apps")
    if suite in ("users", "all"):
        programs += listed("users", HERE / "users" / "sizes.txt", HERE / "users")
    if suite in ("textbook", "all"):
        programs += listed("textbook", HERE / "textbook.txt", ROOT)
    if suite in ("generated", "all"):
        if tool is None:
            raise SystemExit("gpu-real: no stencilc-run-tests, which writes the generated programs; build it, or name its folder by --prebuilt")
        programs += generated(tool)
    return programs
