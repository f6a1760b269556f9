// The rounds that a benchmark asks for, one after the other. For bench_cuda.h and bench_cpu.h.
#pragma once

#include <chrono>
#include <cstdio>
#include <thread>

#include "bench_values.h"

namespace stencil {
inline namespace STENCIL_TARGET {
namespace bench {

// fill() gives the grids their first values; run(steps) starts a run.
template <typename Fill, typename Run>
Status time_rounds(const stencil_bench& bench, Fill fill, Run run) {
  Watch watch;
  Status status;
  stencil_round round{};
  for (double seconds = 0; status.ok() && bench.next(bench.context, seconds, &round) != 0;) {
    if (round.refill != 0) status = fill();
    if (round.rest > 0) std::this_thread::sleep_for(std::chrono::duration<double>(round.rest));
    watch.start();
    for (int64_t n = 0; n < round.runs && status.ok(); ++n) status = run(round.steps);
    const Status stopped = watch.stop(seconds);
    if (status.ok()) status = stopped;
  }
  return status;
}

inline Status time_copies(const stencil_bench& bench, int64_t* bytes) {
  Copies copies;
  const Status made = copies.make(bench.seed);
  *bytes = copies.bytes();
  if (!made.ok()) return made;
  return time_rounds(
      bench, [] { return Status(); }, [&](int64_t times) { return copies.run(times); });
}

inline int returned(const Status& status, stencil_host_call* call) {
  std::snprintf(call->message, sizeof call->message, "%s", status.message());
  return static_cast<int>(status.code());
}

}  // namespace bench
}  // namespace STENCIL_TARGET
}  // namespace stencil
