#include "driver/execute/arguments.h"

#include <cstring>
#include <utility>

namespace stencilc::driver {
namespace {

// The coordinates of a list of points, in the order that the call needs.
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

void Packed::add(const std::vector<ir::Scalar>& values) {
  std::vector<std::byte> packed;
  for (const ir::Scalar& value : values) {
    packed.resize(packed.size() + ir::bytes(value.type));
    put(value, packed.data() + packed.size() - ir::bytes(value.type));
  }
  add(std::move(packed));
}

void Packed::add(std::vector<std::byte> packed) {
  bytes.push_back(std::move(packed));
  at.push_back(bytes.back().data());
}

Arguments packed(const HostData& host) {
  Arguments arguments;
  for (const ir::Scalar& param : host.params) arguments.params.add({param});
  for (const std::vector<ir::Scalar>& values : host.weights) arguments.weights.add(values);
  for (const ir::Scalar& reduction : host.reductions) arguments.reductions.add({reduction});
  for (size_t n = 0; n < host.points.size(); ++n) {
    arguments.points.add(coordinates(host, n));
    arguments.point_counts.push_back(static_cast<int64_t>(host.points[n].size()));
  }
  for (const SeriesValues& values : host.series) arguments.series.add(values.bytes);
  return arguments;
}

stencil_host_call call_of(const HostData& host, const Arguments& arguments) {
  stencil_host_call call = {};
  call.rank = static_cast<int32_t>(host.extents.size());
  call.extents = host.extents.data();
  call.params = arguments.params.at.data();
  call.weights = arguments.weights.at.data();
  call.reductions = arguments.reductions.at.data();
  call.points = arguments.points.at.data();
  call.point_counts = arguments.point_counts.data();
  call.series = arguments.series.at.data();
  call.series_steps = host.series_steps;
  call.first = host.first;
  call.devices = host.devices.data();
  call.device_count = static_cast<int32_t>(host.devices.size());
  return call;
}

}  // namespace stencilc::driver
