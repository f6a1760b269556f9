# The tables of scripts/gpu-seeds. It reads lines "device", "nvcc", "stencilc" and "command"; for each set "set TEXT STENCIL SIZE
# UNIT", a line "row FIGURE<tab>SCHEDULE<tab>TECHNIQUE" for each technique, and what `stencilc bench` has printed; and for each
# schedule that was profiled "profile SCHEDULE" and what `ncu --csv` has printed.

BEGIN { FS = "  +" }

/^(device|nvcc|stencilc|command) / { print; next }
/^set / {
  finish()
  split($0, word, " ")
  text = word[2]; stencil = word[3]; size = word[4]; unit = word[5]
  next
}
/^row / {
  split(substr($0, 5), part, "\t")
  ++rows
  figure[rows] = part[1]; schedule[rows] = part[2]; technique[rows] = part[3]
  next
}
/^copy: / { copies[++copied] = substr($0, 7) + 0; next }
/^schedule / {
  for (c = 1; c <= NF; ++c) column[$c] = c
  timed = 1
  next
}
/^profile / { profiled = substr($0, 9); timed = 0; next }
# Two columns from the end stand the name of the metric and its value.
profiled != "" && /^"/ {
  cells = split($0, cell, "\",\"")
  value = cell[cells]
  gsub(/[",]/, "", value)
  if (cell[cells - 2] ~ /^dram__/) dram[profiled] = value
  if (cell[cells - 2] ~ /^l1tex__t_sector/) l1[profiled] = value
  if (cell[cells - 2] ~ /^lts__t_sector/) l2[profiled] = value
  if (cell[cells - 2] ~ /^l1tex__throughput/) busy[profiled] = value
  if (cell[cells - 2] ~ /^smsp__issue/) issue[profiled] = value
  next
}
timed && NF > 3 {
  rate[$1] = $column["GCells/s"]
  of_copy[$1] = $column["of copy"]
}

# How much faster the text's row is than its first.
function there(r) {
  if (figure[r] == "-" || figure[1] == "-") return "-"
  return sprintf("%.2f", unit == "ms" ? figure[1] / figure[r] : figure[r] / figure[1])
}
function percent(of) { return of == "" ? "-" : sprintf("%.0f", of) }

function finish(r, n, cells, extent, name) {
  cells = 1
  n = split(size, extent, "x")
  for (r = 1; r <= n; ++r) cells *= extent[r]
  for (r = 1; r <= rows; ++r) {
    name = schedule[r]
    if (rate[name] == "")
      add(text, stencil, size, technique[r], "-", "-", "-", there(r), "-", "-", "-", "-", "-", name)
    else
      add(text, stencil, size, technique[r], sprintf("%.4g", cells / rate[name] * 1e-6),
          rate[schedule[1]] == "" ? "-" : sprintf("%.2f", rate[name] / rate[schedule[1]]), of_copy[name], there(r),
          percent(dram[name]), percent(l1[name]), percent(l2[name]), percent(busy[name]), percent(issue[name]), name)
  }
  rows = 0; timed = 0; profiled = ""
  split("", rate); split("", of_copy); split("", dram); split("", l1); split("", l2); split("", busy); split("", issue)
}

function add(a, b, c, d, e, f, g, h, i, j, k, l, m, n) {
  lines[++count] = sprintf("%-8s  %-11s  %-11s  %8s  %5s  %8s  %5s  %4s  %6s  %6s  %7s  %5s  %s  (%s)", a, b, c, e, f, h, g, i, j, k,
                           l, m, d, n)
  marks[count] = sprintf("| %s | %s, %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |", a, b, c, d, e, f, h, g, i, j, k, l, m)
}

END {
  finish()
  for (n = 1; n <= copied; ++n) {
    if (n == 1 || copies[n] < least) least = copies[n]
    if (n == 1 || copies[n] > most) most = copies[n]
  }
  if (copied) printf "copy %d to %d GB/s\n", least, most
  print "\nhere, there: how much faster than the first of the set; DRAM, L1, issue: busy, in %; L1 hit, L2 hit in %\n"
  printf "%-8s  %-11s  %-11s  %8s  %5s  %8s  %5s  %4s  %6s  %6s  %7s  %5s  %s\n", "text", "stencil", "size", "ms", "here",
         "there", "copy", "DRAM", "L1 hit", "L2 hit", "L1 busy", "issue", "technique (schedule)"
  for (n = 1; n <= count; ++n) print lines[n]
  print "\n| text | stencil | technique | ms | here | there | of the copy | DRAM | L1 hit | L2 hit | L1 busy | issue |"
  print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
  for (n = 1; n <= count; ++n) print marks[n]
}
