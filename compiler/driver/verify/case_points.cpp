#include "driver/verify/case_points.h"

#include <cmath>

namespace stencilc::driver {
namespace {

// The number of points of a list: none in some cases, more than the threads of a block in others.
int count_points(const Case& test, int rank, size_t list, bool linear) {
  const uint64_t number = test.seed + list;
  if (number % 5 == 3) return 0;
  return number % 7 == 5 ? 300 >> (linear ? rank : 0) : 11;
}

}  // namespace

void make_points(const ir::Stencil& stencil, const Case& test, HostData& host) {
  const int64_t steps = test.steps < 0 ? stencil.iterate.limit : test.steps;
  host.series_steps = host.first + steps;
  uint64_t state = test.seed * 2654435761u + 1;
  const auto random = [&] {  // in [0, 1)
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 40) / static_cast<double>(1u << 24);
  };
  const auto along = [&](int kind, double extent, bool linear) {
    if (kind == 0) return 0.0;
    if (kind == 1) return extent - 1;
    if (kind == 2) return extent;
    if (kind == 3) return -0.375;
    if (kind == 4) return linear ? std::nan("") : -2147483648.0;
    return random() * extent;
  };
  for (const ir::Points& list : stencil.points) {
    const int count = count_points(test, stencil.rank(), host.points.size(), list.linear);
    std::vector<std::array<double, ir::kMaxRank>> places;
    for (int p = 0; p < count; ++p) {
      std::array<double, ir::kMaxRank> place = {};
      for (int a = 0; a < stencil.rank(); ++a) {
        const int kind = p < 5 ? p : static_cast<int>(random() * 24);
        place[a] = along(kind, static_cast<double>(host.extents[a]), list.linear);
        if (!list.linear) place[a] = std::floor(place[a]);
      }
      places.push_back(p == 7 ? places[5] : place);
    }
    host.points.push_back(std::move(places));
    host.linear.push_back(list.linear);
  }
  for (const ir::Series& series : stencil.series) {
    const size_t count = host.points[series.points].size() * static_cast<size_t>(host.series_steps);
    host.series.push_back({series.type, {}});
    for (size_t i = 0; i < count; ++i)
      host.series.back().push_back(
          ir::convert(ir::make_real(ir::Type::f64, random() * 8 - 4), series.type));
  }
}

}  // namespace stencilc::driver
