# The table of scripts/gpu-bench, from targets.txt and, behind each line "case STENCIL TYPE BOUNDARY EXTENTS", what
# `stencilc bench` has printed. The row `naive` is left out where it stands for comparison only, beside one other.

BEGIN {
  FS = "  +"
  rows = -1
}

FNR == NR {
  if ($0 ~ /^(#|$)/) next
  split($0, word, " ")
  if (word[3] == "") share[word[1]] = word[2]
  else targets[word[1] " " word[2]] = word[3]
  next
}

/^case / {
  finish()
  split($0, word, " ")
  stencil = word[2]; type = word[3]; boundary = word[4]; extents = word[5]
  next
}
/^copy: / { copies[++copied] = substr($0, 7) + 0; next }
/^clocks: / {
  lowest = $0
  sub(/^clocks: /, "", lowest)
  sub(/ .*/, "", lowest)
  next
}
/^schedule / {
  rows = 0
  for (c = 1; c <= NF; ++c) column[$c] = c
  next
}
rows >= 0 && NF > 3 {
  ++rows
  schedules[rows] = $column["schedule"]
  rates[rows] = $column["GCells/s"]
  fractions[rows] = $column["of copy"]
}

# What the case is to reach; 0: nothing is said.
function target_of(best) {
  best = targets[stencil " " type]
  if (boundary != "clamp" && boundary != "-" && (stencil, type, extents) in by_clamp)
    return share["boundary"] * by_clamp[stencil, type, extents]
  return extents ~ /[13579](x|$)/ ? share["odd"] * best : best + 0
}

function finish(r, first, best, target, verdict) {
  if (rows <= 0) {
    rows = -1
    return
  }
  if (lowest == "") lowest = "-"
  target = target_of()
  first = rows == 2 && schedules[1] ~ /^naive/ ? 2 : 1
  best = 0
  for (r = first; r <= rows; ++r) {
    if (fractions[r] > best) best = fractions[r]
    verdict = target == 0 ? "-" : fractions[r] >= target ? "ok" : sprintf("missed by %.3f", target - fractions[r])
    print_row(stencil, type, extents, boundary == "-" ? "" : boundary, rates[r], fractions[r],
              target == 0 ? "-" : sprintf("%.3f", target), verdict, lowest, schedules[r])
  }
  if (target > 0) {
    ++judged
    if (best >= target) ++reached
  }
  if (boundary == "clamp") by_clamp[stencil, type, extents] = best
  rows = -1
  lowest = ""
}

# MHz: the lowest clock while the GPU was at work.
function print_row(a, b, c, d, e, f, g, h, i, j) {
  if (!printed++)
    print_row("stencil", "type", "size", "boundary", "GCells/s", "of copy", "target", "", "MHz", "schedule")
  printf "%-10s %-4s %-12s %-9s %9s %8s %7s  %-15s  %4s  %s\n", a, b, c, d, e, f, g, h, i, j
}

END {
  finish()
  if (!copied) exit
  least = most = copies[1]
  for (c in copies) {
    if (copies[c] < least) least = copies[c]
    if (copies[c] > most) most = copies[c]
  }
  printf "\ncopy: %d to %d GB/s; %d of %d targets reached\n", least, most, reached, judged
}
