#include "driver/measure/measure.h"

#include <utility>

#include "driver/execute/arguments.h"

namespace stencilc::driver {
namespace {

constexpr uint64_t kSeed = 1;

int32_t next_round(void* rounds, double seconds, stencil_round* round) {
  return static_cast<Rounds*>(rounds)->next(seconds, *round);
}

// The steps of the only round, and 0 after it.
int32_t next_single(void* steps, double, stencil_round* round) {
  *round = {1, std::exchange(*static_cast<int64_t*>(steps), 0), 0, 0};
  return round->steps > 0;
}

std::string call_bench(const Library& library, const HostData& host, const stencil_bench& bench) {
  std::string problem;
  const auto function = reinterpret_cast<decltype(&stencilc_bench_call)>(
      find_function(library, "stencilc_bench_call", problem));
  if (!function) return problem;
  const Arguments arguments = packed(host);
  stencil_host_call call = call_of(host, arguments);
  return function(&call, &bench) == 0 ? "" : call.message;
}

}  // namespace

std::string measure(const Library& library, const HostData& host, const Timing& timing,
                    Times& times) {
  Rounds rounds(timing);
  const std::string failed = call_bench(library, host, {kSeed, &rounds, next_round, 0, nullptr});
  times = rounds.times();
  return failed;
}

std::string measure_checked(const Library& library, const HostData& host, const Timing& timing,
                            Times& times, uint64_t& checksum) {
  constexpr int64_t kCheckedSteps = 4;
  Rounds rounds(timing);
  const std::string failed =
      call_bench(library, host, {kSeed, &rounds, next_round, kCheckedSteps, &checksum});
  times = rounds.times();
  return failed;
}

std::string measure_copy(const Library& library, const Timing& timing, Times& times,
                         int64_t& bytes) {
  std::string problem;
  const auto function = reinterpret_cast<decltype(&stencilc_copy_call)>(
      find_function(library, "stencilc_copy_call", problem));
  if (!function) return problem;
  Rounds rounds(timing);
  const stencil_bench bench{kSeed, &rounds, next_round, 0, nullptr};
  stencil_host_call call = {};
  const int code = function(&call, &bench, &bytes);
  times = rounds.times();
  return code == 0 ? "" : call.message;
}

std::string make_grids(const Library& library, const HostData& host) {
  int64_t steps = 0;
  return call_bench(library, host, {kSeed, &steps, next_single, 0, nullptr});
}

std::string run_once(const Library& library, const HostData& host, int64_t steps) {
  return call_bench(library, host, {kSeed, &steps, next_single, 0, nullptr});
}

}  // namespace stencilc::driver
