"""Draws faults by a seed: one changed line of C++, found by its text alone.

The order is that of a hash of the seed, the file and the line, so that the same seed on the same tree gives the same list, and
a change elsewhere moves few of its entries.
"""
import hashlib
import re
from pathlib import Path

# Lines of these are drawn.
FILES = {
    "sema": "compiler/sema/**/*.cpp",
    "ir": "compiler/ir/**/*.cpp",
    "passes": "compiler/passes/**/*.cpp",
    "plan": "compiler/plan/**/*.cpp",
    "lower": "compiler/lower/**/*.cpp",
    "emit": "compiler/emit/**/*.cpp",
    "runtime": "runtime/include/stencil/*.h",
}
ATTEMPTS = 8  # candidates of a slot: those which do not compile or change nothing give way to the next

# Directives, declarations, rows of tables, assertions and messages.
SKIPPED = re.compile(
    r"^#|^(\w+ )*constexpr\b|^(template|using|typedef|namespace|struct|class|enum|union|friend|case|default|asm)\b|^__device__"
    r"|^STENCIL_|^\w+:$|^\{.*\},?$|^\d|operator|assert|\breport|\.(help|note)\(|fmt::format|\bfailure\(|\bcomment\(|Note\{|why")
# Branches of #if that only a real GPU, or another toolkit, compiles.
UNSEEN = re.compile(
    r"else of defined\(__STENCIL_EXECUTOR__\)|__CUDA_ARCH__ <|CUDART_VERSION|^defined\((STENCIL_HALF_OF_CUDA|__FAST_MATH__)\)")

SWAPS = [(r" == ", " != "), (r" != ", " == "), (r" <= ", " < "), (r" < ", " <= "), (r" >= ", " > "), (r" > ", " >= "),
         (r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " + "), (r" / ", " * "),
         (r" % ", " / "), (r" \+= ", " -= "), (r" -= ", " += "), (r" \|= ", " &= "), (r" &= ", " |= "),
         (r"std::max\(", "std::min("), (r"std::min\(", "std::max(")]
NUMBER = re.compile(r"(?<![\w.'])\d+(?![\w.'])")
CONDITION = re.compile(r"^((?:\} else )?if (?:constexpr )?\()(.*)(\)(?: \{| [^()]*;| return .*;| continue;)?)$")
STATEMENT = re.compile(r"^(\+\+|--)?[\w:]+(\.|->|\[|\(| [-+|&*/]?= ).*;$|^if \(.*\) return\b.*;$")


def code_of(text):
    """The text with blanks for comments and for what is in quotes, of the same length."""
    pattern = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*(?:.|\n)*?\*/')
    def blank(match):
        found = match.group(0)
        if found[0] == "'" and match.start() > 0 and text[match.start() - 1].isalnum():
            return found  # between the digits of a number
        quoted = found[0] in "\"'R"
        inner = re.sub(r"[^\n]", " ", found)
        return found[0] + inner[1:-1] + found[-1] if quoted and len(found) > 1 else inner
    return pattern.sub(blank, text)


def seen_lines(code):
    """The numbers of the lines that some test compiles, by the conditions around them."""
    branches, result = [], []
    for number, line in enumerate(code.split("\n")):
        word = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*(.*)", line)
        if not word:
            if not any(UNSEEN.search(branch) for branch in branches):
                result.append(number)
        elif word[1] in ("if", "ifdef", "ifndef"):
            branches.append(word[2])
        elif word[1] == "endif":
            branches.pop()
        else:
            branches[-1] = f"else of {branches[-1].removeprefix('else of ')}; {word[2]}".rstrip("; ")
    return result


def balanced(code):
    return all(code.count(a) == code.count(b) for a, b in ("()", "[]", "{}"))


def changes(line, code, before):
    """What may stand instead of the line, by kind. `code`: it without texts and comments; `before`: the code before it."""
    found = {"operator": [], "constant": [], "condition": [], "statement": []}
    stripped = code.strip()
    if not stripped or SKIPPED.search(stripped) or "`" in line:
        return {}
    for pattern, other in SWAPS:
        if '"' in code and "+" in other + pattern:
            continue  # texts have no difference
        found["operator"] += [line[:m.start()] + other + line[m.end():] for m in re.finditer(pattern, code)]
    for m in NUMBER.finditer(code):
        value = int(m[0])
        for other in (value + 1, value - 1):
            if other >= 0:
                found["constant"].append(line[:m.start()] + str(other) + line[m.end():])
    indent = len(code) - len(code.lstrip())
    condition = CONDITION.match(stripped)
    if condition and balanced(condition[2]) and not re.search(r" = |;", condition[2]):
        first, behind = indent + condition.end(1), indent + condition.end(2)
        asked = line[first:behind]
        other = asked[1:] if re.fullmatch(r"![\w.>:()-]+", asked) else f"!({asked})"
        found["condition"].append(line[:first] + other + line[behind:])
    if STATEMENT.match(stripped) and balanced(stripped) and (not before or before[-1] in ";{}:"):
        found["statement"].append(None)
    return {kind: lines for kind, lines in found.items() if lines}


def number_of(*words):
    return int.from_bytes(hashlib.sha256("\0".join(map(str, words)).encode()).digest()[:8], "big")


def candidates(root, room, seed):
    """(path, line number from 0, kind, line, line instead or None) of a room, in the order in which they are drawn."""
    keyed = []
    for path in sorted(Path(root).glob(FILES[room])):
        name = str(path.relative_to(root))
        text = path.read_text()
        lines, code = text.split("\n"), code_of(text).split("\n")
        times = {}
        for number in seen_lines("\n".join(code)):
            before = next((code[n].strip() for n in range(number - 1, -1, -1) if code[n].strip()), "")
            options = changes(lines[number], code[number], before)
            times[lines[number]] = times.get(lines[number], 0) + 1
            if not options:
                continue
            key = (seed, name, times[lines[number]], lines[number])
            kind = sorted(options)[number_of("kind", *key) % len(options)]
            instead = options[kind][number_of("line", *key) % len(options[kind])]
            keyed.append((number_of("order", *key), (name, number, kind, lines[number], instead)))
    return [candidate for _, candidate in sorted(keyed, key=lambda one: one[0])]


def slots(root, count, seed):
    """For each of `count` faults the candidates that may become it, the first choice first. Rooms take turns."""
    rooms = list(FILES)
    by_room = {room: candidates(root, room, seed) for room in rooms}
    return [by_room[rooms[n % len(rooms)]][n // len(rooms) * ATTEMPTS:][:ATTEMPTS] for n in range(count)]
