# The table of `scripts/gpu-bench --suite temporal`, from targets.txt and, behind each line "case STENCIL TYPE BOUNDARY EXTENTS",
# what `stencilc bench` has printed: the last schedule of each case, in GCells/s.

BEGIN {
  FS = "  +"
  rows = -1
}

FNR == NR {
  if ($0 ~ /^(#|$)/) next
  split($0, word, " ")
  targets[word[1] " " word[2]] = word[3]
  whose = $0
  sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+ /, "", whose)
  peers[word[1] " " word[2]] = word[4] " " whose
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
  for (c in column) delete column[c]
  for (c = 1; c <= NF; ++c) column[$c] = c
  next
}
rows >= 0 && NF > 3 {
  ++rows
  schedule = $column["schedule"]
  rate = $column["GCells/s"]
  fraction = $column["of copy"]
  sustained = "sustained" in column ? $column["sustained"] : "-"
}

function finish(key, target, verdict) {
  if (rows > 0) {
    key = stencil "@" extents " " type  # of a small grid
    if (!(key in targets)) key = stencil " " type
    target = targets[key]
    verdict = target == "" ? "-" : rate >= target ? "ok" : sprintf("%.2f of it", rate / target)
    print_row(stencil, type, extents, boundary == "-" ? "" : boundary, rate, sustained, fraction,
              target == "" ? "-" : target, verdict, key in peers ? peers[key] : "-", lowest == "" ? "-" : lowest, schedule)
    if (target != "") {
      ++judged
      if (rate >= target) ++reached
    }
  }
  rows = -1
  lowest = ""
}

# MHz: the lowest clock while the GPU was at work.
function print_row(a, b, c, d, e, f, g, h, i, j, k, l) {
  if (!printed++)
    print_row("stencil", "type", "size", "boundary", "GCells/s", "sustained", "of copy", "target", "", "best peer", "MHz", "schedule")
  printf "%-10s %-4s %-12s %-9s %9s %9s %8s %7s  %-10s  %-13s  %4s  %s\n", a, b, c, d, e, f, g, h, i, j, k, l
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
