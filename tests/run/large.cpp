#include "run/large.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "driver/execute/arguments.h"

namespace stencilc::run_test {
namespace {

int32_t no_round(void*, double, stencil_round*) { return 0; }

}  // namespace

std::string print(const LargeCase& test) {
  return fmt::format("{}, {} steps", data::to_string(test.extents), test.steps);
}

LargeCase large_case(const driver::Compiled& compiled, int64_t cells) {
  constexpr int64_t kSteps = 23;
  constexpr double kPart = 4099 * 3001;  // cells of a plane
  constexpr std::array<double, 2> kPlane = {4099, 3001};
  constexpr std::array<double, 3> kSpace = {301, 203, 157};
  const double scale = static_cast<double>(cells) / kPart;
  LargeCase test;
  test.steps = compiled.module.steps ? kSteps : 1;
  const int rank = compiled.stencil.rank();
  for (int a = 0; a < rank; ++a) {
    const double extent = rank == 1   ? 1000003 * scale
                          : rank == 2 ? kPlane[a] * std::sqrt(scale)
                                      : kSpace[a] * std::cbrt(scale);
    test.extents.push_back(static_cast<int64_t>(extent) | 1);
  }
  for (size_t a = 0; a < compiled.module.multiples.size(); ++a) {  // colours around a periodic axis
    const int64_t multiple = compiled.module.multiples[a];
    test.extents[a] = (test.extents[a] + multiple - 1) / multiple * multiple;
  }
  return test;
}

Checksum checksum(BenchCall bench, const driver::Compiled& compiled, const LargeCase& test) {
  // What is no grid is as on a small grid: it depends on no extent.
  driver::HostData host = driver::make_data(
      compiled.stencil, {data::Extents(test.extents.size(), 16), test.steps, "random", 1});
  host.extents = test.extents;
  host.buffers.clear();
  const driver::Arguments arguments = driver::packed(host);
  stencil_host_call call = driver::call_of(host, arguments);
  Checksum result;
  const stencil_bench run = {1, nullptr, no_round, test.steps, &result.sum};
  if (bench(&call, &run) != 0) result.problem = call.message;
  return result;
}

}  // namespace stencilc::run_test
