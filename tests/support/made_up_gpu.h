// A GPU that is made up: programs `nvcc` and `nvidia-smi` in a folder, for a search without one.
#pragma once

#include <string>

#include "support/cli.h"

namespace stencilc::test {

// A library that pretends, compiled once: how long a step takes depends on the schedule in the
// header block of the source. The fastest are those that cannot be taken: vectors of 8 are not
// built, columns of 16 spill, rows of 256 threads end their process, and sums by scatter are wrong,
// but in launches of several steps, which take 1.6 ms a step. Among all others
// coarsened,threads=128x2,vector=2,coarsen=y8 is the fastest, at 1 ms.
inline void make_up_gpu(const Workplace& here) {
  here.program("nvcc", R"(if [ "$1" = --version ]; then echo "made up, release 13.0"; exit 0; fi
while [ "$1" != -o ]; do shift; done
out=$2 source=$3 folder=$(dirname "$3")
schedule=$(sed -n 's|^// Schedule: ||p' "$source")
echo "$schedule" >>"$MADE_UP/built"
bits=1 crashes=0 milliseconds=$(echo "$schedule" | awk -F, '
  function off(value, best) { value = log(value / best) / log(2); return value < 0 ? -value : value }
  { seconds = 1
    if ($1 == "naive") seconds += 2
    for (i = 2; i <= NF; ++i) {
      split($i, part, "=")
      if (part[1] == "threads") { split(part[2], t, "x"); seconds += 0.1 * off(t[1], 128) + 0.1 * off(t[2], 2) }
      if (part[1] == "vector") seconds += 0.2 * off(part[2], 2)
      if (part[1] == "coarsen") { axis = substr(part[2], 1, 1); seconds += 0.1 * off(substr(part[2], 2), 8) + (axis != "y") }
      if (part[1] == "resident") seconds += 0.3
      if (part[1] == "steps") several = 1
    }
    if (several) seconds = 1.6
    printf "%.4f", seconds }')
case $schedule in
  *coarsen=y16*) echo "no room"; exit 1 ;;
  *=y16*) milliseconds=0.1
    echo "ptxas info : Compiling entry function 'void laplace2d::step<int>()' for 'sm_90'"
    echo "    96 bytes stack frame, 96 bytes spill stores, 96 bytes spill loads"
    echo "ptxas info : Used 255 registers" ;;
  *threads=256*) milliseconds=0.1 crashes=1 ;;
  *steps=*) ;;
  *scatter*) milliseconds=0.1 bits=2 ;;
esac
echo "$milliseconds $bits $crashes" >"$folder/figures"
if [ ! -e "$MADE_UP/made_up.so" ]; then
  gcc -shared -fPIC -I "$folder" -o "$folder/made_up.so" -x c - <<'END' && mv "$folder/made_up.so" "$MADE_UP"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "stencil/bench_call.h"
static double milliseconds;
static int bits, crashes;
// The figures stand beside the library.
static void read_figures(void) {
  Dl_info own;
  char path[4096];
  dladdr((void*)read_figures, &own);
  snprintf(path, sizeof path, "%s", own.dli_fname);
  strcpy(strrchr(path, '/'), "/figures");
  FILE* file = fopen(path, "r");
  if (!file || fscanf(file, "%lf %d %d", &milliseconds, &bits, &crashes) != 3) abort();
  fclose(file);
}
static int rounds(const struct stencil_bench* bench, double seconds) {
  struct stencil_round round;
  if (bench->checked_steps > 0) *bench->checksum = bits;
  for (double last = 0; bench->next(bench->context, last, &round);)
    last = seconds * (double)(round.runs * round.steps);
  return 0;
}
int stencilc_bench_call(struct stencil_host_call* call, const struct stencil_bench* bench) {
  call->message[0] = 0;
  read_figures();
  if (crashes) abort();
  return rounds(bench, 1e-3 * milliseconds);
}
int stencilc_copy_call(struct stencil_host_call* call, const struct stencil_bench* bench, int64_t* bytes) {
  call->message[0] = 0;
  *bytes = 4000000000;
  return rounds(bench, 1e-3);
}
END
fi
exec cp "$MADE_UP/made_up.so" "$out"
)");
  here.program("nvidia-smi", R"(case $* in
  *compute_cap*) echo 9.0 ;;
  *driver_version*) echo "Made-up GPU, 1.0, 1 MHz, 1 MHz, 1 W" ;;
  *) echo "Made-up GPU" ;;
esac
)");
}

// A line of the shell beside it.
inline Finished beside_made_up_gpu(const Workplace& here, const std::string& line) {
  return here.shell("export MADE_UP=\"$PWD\" PATH=\"$PWD:$PATH\"\n" + line);
}

}  // namespace stencilc::test
