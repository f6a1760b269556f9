#include "driver/compare.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "data/generate.h"
#include "interp/cell.h"

namespace stencilc::driver {
namespace {

template <class T>
T checked(data::Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error());
  return std::move(*result);
}

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
  state.series = host.series;
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

// More steps than this take the interpreter too long.
constexpr int64_t kMaxIterated = 200;

int64_t capped(int64_t value, int64_t most) { return std::max<int64_t>(1, std::min(value, most)); }

}  // namespace

data::Extents extents_of(const ir::Field& field, const data::Extents& extents) {
  data::Extents own;
  for (size_t a = 0; a < extents.size(); ++a)
    if (field.along[a]) own.push_back(extents[a]);
  return own;
}

data::Element element_of(ir::Type type) {
  constexpr std::array kElements = {data::Element::boolean, data::Element::i8,  data::Element::u8,
                                    data::Element::i16,     data::Element::u16, data::Element::i32,
                                    data::Element::i64,     data::Element::f16, data::Element::bf16,
                                    data::Element::f32,     data::Element::f64};
  return kElements[static_cast<size_t>(type)];
}

std::string print(const Case& test) {
  return fmt::format("{}, {} step{} of {} data, seed {}", data::to_string(test.extents), test.steps,
                     test.steps == 1 ? "" : "s", test.data, test.seed);
}

std::vector<Case> awkward_cases(const Compiled& compiled, uint64_t seed) {
  const ir::Stencil& stencil = compiled.stencil;
  const ir::Reach reach = ir::reach(stencil);
  const int rank = stencil.rank();
  // Whole tiles of a 3-D block hold thousands of cells; the longest axes are kept short where the
  // others are long.
  const int64_t most = rank == 3 ? 40 : rank == 2 ? 140 : 5000;
  const auto sizes = [&](auto of_axis) {
    data::Extents extents;
    for (int a = 0; a < rank; ++a) extents.push_back(capped(of_axis(a), most));
    return extents;
  };
  const auto radius = [&](int a) {
    return static_cast<int64_t>(std::max(reach.low[a], reach.high[a]));
  };
  const auto tile = [&](int a) {
    return static_cast<int64_t>(compiled.module.launches[0].kernel.tile[a]);
  };
  constexpr std::array<int64_t, 3> kPrimes = {67, 13, 7}, kOthers = {37, 29, 5};
  std::vector<data::Extents> list = {
      sizes([](int) { return 1; }),
      sizes(radius),
      sizes([&](int a) { return 2 * radius(a) + 1; }),
      sizes([&](int a) { return tile(a) - 1; }),
      sizes(tile),
      sizes([&](int a) { return tile(a) + 1; }),
      sizes([&](int a) { return 3 * tile(a); }),
      sizes([&](int a) {
        return a == 0 ? 64 : tile(a) + 1;
      }),  // rows without padding, where a cell too far is a cell of the next row
      sizes([&](int a) { return kPrimes[a]; }),
      sizes([&](int a) { return kOthers[rank - 1 - a]; }),
  };
  for (int thin = 0; thin < rank && rank > 1; ++thin)  // one cell wide along one axis
    list.push_back(sizes([&](int a) { return a == thin ? 1 : 2 * tile(a) + 3; }));
  for (data::Extents& extents : list)  // colours around a periodic axis
    for (size_t a = 0; a < compiled.module.multiples.size(); ++a) {
      const int64_t multiple = compiled.module.multiples[a];
      extents[a] = (extents[a] + multiple - 1) / multiple * multiple;
    }
  std::vector<Case> cases;
  const ir::Iterate& iterate = stencil.iterate;
  if (iterate.given && iterate.limit <= kMaxIterated)
    cases.push_back({sizes([&](int a) { return kPrimes[a]; }), -1, "random", seed});
  for (size_t i = 0; i < list.size(); ++i) {
    // Around a wild value everything becomes NaN in a few steps: one step shows more.
    cases.push_back(
        {list[i], compiled.module.steps ? static_cast<int64_t>(i % 3 + 1) : 1, "random", seed + i});
    if (i % 3 == 0) cases.push_back({list[i], 1, "wild", seed + i});
  }
  return cases;
}

namespace {

// Points in the grid, on its rim and beyond it, two of them in one place; series of random values.
void make_points(const ir::Stencil& stencil, const Case& test, HostData& host) {
  const int64_t steps = test.steps < 0 ? stencil.iterate.limit : test.steps;
  host.series_steps = host.first + steps;
  uint64_t state = test.seed * 2654435761u + 1;
  const auto random = [&] {  // in [0, 1)
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 40) / static_cast<double>(1u << 24);
  };
  for (const ir::Points& list : stencil.points) {
    host.points.emplace_back();
    host.linear.push_back(list.linear);
    for (int p = 0; p < 7; ++p) {
      std::array<double, ir::kMaxRank> place = {};
      for (int a = 0; a < stencil.rank(); ++a) {
        const auto extent = static_cast<double>(host.extents[a]);
        place[a] = p == 0 ? 0 : p == 1 ? extent - 1 : p == 2 ? extent : random() * extent;
        if (!list.linear) place[a] = std::floor(place[a]);
      }
      if (p == 5) place = host.points.back()[3];
      host.points.back().push_back(place);
    }
  }
  for (const ir::Series& series : stencil.series) {
    const size_t count = host.points[series.points].size() * static_cast<size_t>(host.series_steps);
    host.series.emplace_back();
    for (size_t i = 0; i < count; ++i)
      host.series.back().push_back(
          ir::convert(ir::make_real(ir::Type::f64, random() * 8 - 4), series.type));
  }
}

}  // namespace

HostData make_data(const ir::Stencil& stencil, const Case& test) {
  HostData host;
  host.extents = test.extents;
  host.first = static_cast<int64_t>(test.seed % 3);
  uint64_t seed = test.seed * 1000;
  for (const ir::Field& field : stencil.fields) {
    const int levels = field.role == ir::Role::stepped ? field.levels() : 1;
    for (int level = 0; level < levels; ++level) {
      const data::Element element = element_of(field.type);
      if (field.role == ir::Role::output) {  // poison: what is not written shows
        host.buffers.push_back(
            checked(data::generate(field.type == ir::Type::boolean ? "constant:1" : "constant:77",
                                   element, extents_of(field, host.extents), 0)));
        continue;
      }
      host.buffers.push_back(
          checked(data::generate(test.data, element, extents_of(field, host.extents), ++seed)));
    }
  }
  int n = 0;
  for (const ir::Param& param : stencil.params) {
    if (param.has_default)
      host.params.push_back(param.value);
    else if (ir::is_float(param.type))
      host.params.push_back(ir::make_real(param.type, 0.0625 + 0.0371 * ++n));
    else
      host.params.push_back(
          ir::Scalar{param.type, 0, param.type == ir::Type::boolean ? 1 : ++n % 5 + 1});
  }
  for (const ir::Weights& weights : stencil.weights) {
    host.weights.emplace_back();
    for (int i = 0; i < weights.count(); ++i)
      host.weights.back().push_back(
          ir::is_float(weights.type)
              ? ir::make_real(weights.type, 0.03125 + 0.0173 * ++n)
              : ir::convert(ir::make_integer(ir::Type::i64, ++n % 7 - 2), weights.type));
  }
  for (const ir::Reduction& reduction : stencil.reductions)
    host.reductions.push_back(interp::identity(reduction));
  make_points(stencil, test, host);
  return host;
}

namespace {

// The value as bytes of its type, at `to`.
void put(const ir::Scalar& scalar, std::byte* to) {
  data::visit(element_of(scalar.type), [&](auto zero) {
    const auto value = ir::is_float(scalar.type) ? static_cast<decltype(zero)>(scalar.real)
                                                 : static_cast<decltype(zero)>(scalar.integer);
    std::memcpy(to, &value, sizeof value);
  });
}
ir::Scalar take(ir::Type type, const std::byte* from) {
  return data::visit(element_of(type), [&](auto zero) {
    auto value = zero;
    std::memcpy(&value, from, sizeof value);
    if constexpr (data::is_real_type<decltype(zero)>)
      return ir::Scalar{type, static_cast<double>(value), 0};
    else
      return ir::Scalar{type, 0, static_cast<int64_t>(value)};
  });
}

// Typed values one behind the other, and where each list of them begins.
struct Packed {
  std::vector<std::vector<std::byte>> bytes;
  std::vector<void*> at;

  void add(const std::vector<ir::Scalar>& values) {
    std::vector<std::byte> packed;
    for (const ir::Scalar& value : values) {
      packed.resize(packed.size() + ir::bytes(value.type));
      put(value, packed.data() + packed.size() - ir::bytes(value.type));
    }
    bytes.push_back(std::move(packed));
    at.push_back(bytes.back().data());
  }
};

// The places of a list as the call takes them.
std::vector<ir::Scalar> coordinates(const HostData& host, size_t list) {
  std::vector<ir::Scalar> result;
  for (const auto& place : host.points[list])
    for (size_t a = 0; a < host.extents.size(); ++a)
      result.push_back(host.linear[list]
                           ? ir::make_real(ir::Type::f64, place[a])
                           : ir::make_integer(ir::Type::i32, static_cast<int64_t>(place[a])));
  return result;
}

}  // namespace

std::string call(const Machine& machine, HostData& host, int64_t steps,
                 std::vector<double>& seconds) {
  std::vector<void*> buffers;
  for (data::Array& array : host.buffers) buffers.push_back(array.bytes.data());
  Packed params, weights, reductions;
  for (const ir::Scalar& param : host.params) params.add({param});
  for (const std::vector<ir::Scalar>& values : host.weights) weights.add(values);
  for (const ir::Scalar& reduction : host.reductions) reductions.add({reduction});
  Packed points, series;
  std::vector<int64_t> point_counts;
  for (size_t n = 0; n < host.points.size(); ++n) {
    points.add(coordinates(host, n));
    point_counts.push_back(static_cast<int64_t>(host.points[n].size()));
  }
  for (const std::vector<ir::Scalar>& values : host.series) series.add(values);
  if (seconds.empty()) seconds.resize(1);
  stencil_host_call call = {};
  call.rank = static_cast<int32_t>(host.extents.size());
  call.extents = host.extents.data();
  call.buffers = buffers.data();
  call.params = params.at.data();
  call.weights = weights.at.data();
  call.reductions = reductions.at.data();
  call.points = points.at.data();
  call.point_counts = point_counts.data();
  call.series = series.at.data();
  call.series_steps = host.series_steps;
  call.first = host.first;
  call.steps = steps;
  call.repeats = static_cast<int32_t>(seconds.size());
  call.seconds = seconds.data();
  const int code = machine.call(&call);
  host.steps_taken = call.steps_taken;
  for (size_t r = 0; r < host.reductions.size(); ++r)
    host.reductions[r] = take(host.reductions[r].type, reductions.bytes[r].data());
  for (size_t s = 0; s < host.series.size(); ++s)
    for (size_t i = 0; i < host.series[s].size(); ++i) {
      ir::Scalar& value = host.series[s][i];
      value = take(value.type, series.bytes[s].data() + i * ir::bytes(value.type));
    }
  const std::vector<std::string> faults = machine.faults();
  if (!faults.empty()) return faults.front();
  return code == 0 ? "" : std::string(call.message);
}

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
  const std::string failed = call(machine, host, test.steps, seconds);
  if (!failed.empty()) return failed;
  if (test.steps < 0 && stencil.iterate.until && host.first + host.steps_taken != expected.time)
    return fmt::format("the run took {} steps; the interpreter took {}", host.steps_taken,
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
        const int64_t nx = own[0], ny = own[1], at = static_cast<int64_t>(i);
        return fmt::format("`{}`{} at cell ({}, {}, {}) is {}; the interpreter says {}",
                           stencil.fields[f].name,
                           level == 0 ? "" : fmt::format(" at level t-{}", level), at % nx,
                           at / nx % ny, at / (nx * ny), ir::print(got), ir::print(grid[i]));
      }
    }
  for (size_t r = 0; r < stencil.reductions.size(); ++r)
    if (!agree(host.reductions[r], expected.reductions[r], tolerance))
      return fmt::format("the reduction `{}` is {}; the interpreter says {}",
                         stencil.reductions[r].name, ir::print(host.reductions[r]),
                         ir::print(expected.reductions[r]));
  for (size_t s = 0; s < stencil.series.size(); ++s)
    for (size_t i = 0; i < host.series[s].size(); ++i) {
      if (agree(host.series[s][i], expected.series[s][i], tolerance)) continue;
      const size_t count = host.points[stencil.series[s].points].size();
      return fmt::format("the series `{}` at step {} and point {} is {}; the interpreter says {}",
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
