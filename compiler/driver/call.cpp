#include "driver/call.h"

#include <array>
#include <cstring>

namespace stencilc::driver {

data::Extents extents_of(const ir::Field& field, const data::Extents& extents) {
  data::Extents own;
  for (size_t a = 0; a < extents.size(); ++a)
    if (field.along[a]) own.push_back(extents[a]);
  return own;
}

data::Extents halo_of(const ir::Stencil& stencil, size_t field) {
  const ir::Offset halo = ir::ghost_halo(stencil, static_cast<int>(field));
  return extents_of(stencil.fields[field],
                    data::Extents(halo.begin(), halo.begin() + stencil.rank()));
}

data::Extents array_extents(const ir::Stencil& stencil, size_t field,
                            const data::Extents& extents) {
  data::Extents own = extents_of(stencil.fields[field], extents);
  const data::Extents halo = halo_of(stencil, field);
  for (size_t a = 0; a < own.size(); ++a) own[a] += 2 * halo[a];
  return own;
}

data::Element element_of(ir::Type type) {
  constexpr std::array kElements = {data::Element::boolean, data::Element::i8,  data::Element::u8,
                                    data::Element::i16,     data::Element::u16, data::Element::i32,
                                    data::Element::i64,     data::Element::f16, data::Element::bf16,
                                    data::Element::f32,     data::Element::f64};
  return kElements[static_cast<size_t>(type)];
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

}  // namespace stencilc::driver
