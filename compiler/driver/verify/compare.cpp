#include "driver/verify/compare.h"

#include <fmt/format.h>

#include <cmath>

#include "interp/cell.h"

namespace stencilc::driver {
namespace {

ir::Scalar scalar_at(const data::Array& array, ir::Type type, int64_t i) {
  return data::visit(array.element, [&](auto zero) {
    const auto value = array.as<decltype(zero)>()[i];
    if constexpr (data::is_real_type<decltype(zero)>)
      return ir::Scalar{type, static_cast<double>(value), 0};
    else
      return ir::Scalar{type, 0, static_cast<int64_t>(value)};
  });
}

interp::State to_state(const ir::Stencil& stencil, const HostData& host) {
  interp::Extents extents = {1, 1, 1};
  for (size_t a = 0; a < host.extents.size(); ++a) extents[a] = host.extents[a];
  interp::State state = interp::make_state(stencil, extents);
  state.params = host.params;
  state.weights = host.weights;
  state.points = host.points;
  state.series.resize(host.series.size());
  for (size_t s = 0; s < host.series.size(); ++s)
    for (size_t i = 0; i < host.series[s].size(); ++i) state.series[s].push_back(host.series[s][i]);
  state.time = host.first;
  size_t slot = 0;
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    for (interp::Grid& level : state.fields[f]) {
      const data::Array& array = host.buffers[slot++];
      for (size_t i = 0; i < level.size(); ++i)
        level[i] = scalar_at(array, stencil.fields[f].type, static_cast<int64_t>(i));
    }
  return state;
}

bool agree(const ir::Scalar& a, const ir::Scalar& b, double tolerance) {
  if (ir::same_bits(a, b)) return true;
  if (!ir::is_float(a.type)) return tolerance != 0 && std::abs(a.integer - b.integer) <= 1;
  if (std::isnan(a.real) || std::isnan(b.real)) return std::isnan(a.real) && std::isnan(b.real);
  return tolerance != 0 && std::abs(a.real - b.real) <= tolerance * std::max(1.0, std::abs(b.real));
}

}  // namespace

interp::State expected(const ir::Stencil& stencil, const Case& test) {
  interp::State state = to_state(stencil, make_data(stencil, test));
  interp::run(stencil, state, test.steps);
  return state;
}

std::string compare(const Compiled& compiled, const Machine& machine, const Case& test,
                    double tolerance) {
  return compare(compiled, machine, test, expected(compiled.stencil, test), tolerance);
}

std::string compare(const Compiled& compiled, const Machine& machine, const Case& test,
                    const interp::State& expected, double tolerance) {
  const ir::Stencil& stencil = compiled.stencil;
  HostData host = make_data(stencil, test);
  std::vector<double> seconds;
  machine.set_devices(test.cuts.empty() ? 0 : static_cast<int>(test.cuts.size()) - 1, test.seed);
  const std::string failed = call(machine, host, test.steps, seconds);
  if (!failed.empty()) return failed;
  if (test.steps < 0 && stencil.iterate.until && host.first + host.steps_taken != expected.time)
    return fmt::format("the run took {} steps, but the interpreter took {}", host.steps_taken,
                       expected.time - host.first);
  size_t slot = 0;
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    for (size_t level = 0; level < expected.fields[f].size(); ++level) {
      const data::Array& array = host.buffers[slot++];
      const interp::Grid& grid = expected.fields[f][level];
      for (size_t i = 0; i < grid.size(); ++i) {
        const ir::Scalar got = scalar_at(array, stencil.fields[f].type, static_cast<int64_t>(i));
        if (agree(got, grid[i], tolerance)) continue;
        const interp::Extents own = interp::extents_of(stencil.fields[f], expected.extents);
        const ir::Offset& halo = expected.halos[f];
        const int64_t nx = own[0] + 2 * halo[0], ny = own[1] + 2 * halo[1];
        const auto at = static_cast<int64_t>(i);
        return fmt::format(
            "`{}`{} at cell ({}, {}, {}) is {}, but {} in the interpreter", stencil.fields[f].name,
            level == 0 ? "" : fmt::format(" at level t-{}", level), at % nx - halo[0],
            at / nx % ny - halo[1], at / (nx * ny) - halo[2], ir::print(got), ir::print(grid[i]));
      }
    }
  for (size_t r = 0; r < stencil.reductions.size(); ++r)
    if (!agree(host.reductions[r], expected.reductions[r], tolerance))
      return fmt::format("the reduction `{}` is {}, but {} in the interpreter",
                         stencil.reductions[r].name, ir::print(host.reductions[r]),
                         ir::print(expected.reductions[r]));
  for (size_t s = 0; s < stencil.series.size(); ++s)
    for (size_t i = 0; i < host.series[s].size(); ++i) {
      if (agree(host.series[s][i], expected.series[s][i], tolerance)) continue;
      const size_t count = host.points[stencil.series[s].points].size();
      return fmt::format("the series `{}` at step {} and point {} is {}, but {} in the interpreter",
                         stencil.series[s].name, i / count, i % count, ir::print(host.series[s][i]),
                         ir::print(expected.series[s][i]));
    }
  return "";
}

bool is_transcendental(const ir::Stencil& stencil) {
  for (const ir::ExprPtr& node : ir::nodes_of(stencil))
    if (const auto* apply = ir::as<ir::Apply>(node); apply && ir::is_transcendental(apply->op))
      return true;
  return false;
}

}  // namespace stencilc::driver
