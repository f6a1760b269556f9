#include "driver/execute/call.h"

#include <array>
#include <cassert>

#include "driver/execute/arguments.h"
#include "driver/execute/processes.h"
#include "runtime/include/stencil/communicator.h"

namespace stencilc::driver {

data::Extents extents_of(const ir::Field& field, const data::Extents& extents) {
  assert(extents.size() <= field.along.size());
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

data::Planes planes_of(const ir::Stencil& stencil, size_t field, const HostData& host) {
  const size_t cut = static_cast<size_t>(stencil.rank()) - 1;
  const int64_t extent = array_extents(stencil, field, host.extents).back();
  if (host.communicator == nullptr || !stencil.fields[field].along[cut]) return {0, extent};
  const int64_t halo = halo_of(stencil, field).back(), end = host.planes.first + host.planes.count;
  const int64_t first = host.planes.first == 0 ? 0 : host.planes.first + halo;
  return {first, (end == host.extents[cut] ? extent : end + halo) - first};
}

data::Element element_of(ir::Type type) {
  constexpr std::array kElements = {data::Element::boolean, data::Element::i8,  data::Element::u8,
                                    data::Element::i16,     data::Element::u16, data::Element::i32,
                                    data::Element::i64,     data::Element::f16, data::Element::bf16,
                                    data::Element::f32,     data::Element::f64};
  return kElements[static_cast<size_t>(type)];
}

namespace {

int call_apart(const Machine& machine, HostData& host, Arguments& arguments,
               stencil_host_call& call) {
  std::vector<Written> arrays, results;
  for (data::Array& array : host.buffers)
    arrays.push_back({array.bytes.data(), array.bytes.size()});
  for (Packed* list : {&arguments.reductions, &arguments.series})
    for (std::vector<std::byte>& values : list->bytes)
      results.push_back({values.data(), values.size()});
  return call_in_processes(machine, call, host.processes, arrays, results);
}

}  // namespace

std::string call(const Machine& machine, HostData& host, int64_t steps,
                 std::vector<double>& seconds) {
  std::vector<void*> buffers;
  for (data::Array& array : host.buffers) buffers.push_back(array.bytes.data());
  Arguments arguments = packed(host);
  if (seconds.empty()) seconds.resize(1);
  stencil_host_call call = call_of(host, arguments);
  call.buffers = buffers.data();
  call.steps = steps;
  call.repeats = static_cast<int32_t>(seconds.size());
  call.seconds = seconds.data();
  call.pieces = host.cuts.empty() ? 0 : static_cast<int32_t>(host.cuts.size() - 1);
  call.cuts = host.cuts.data();
  call.leg_steps = host.leg_steps;
  call.forgets = host.forgets ? 1 : 0;
  call.communicator = static_cast<stencil_communicator*>(host.communicator);
  const int code =
      host.processes == 0 ? machine.call(&call) : call_apart(machine, host, arguments, call);
  host.leg_steps = call.leg_steps;
  host.steps_taken = call.steps_taken;
  for (size_t r = 0; r < host.reductions.size(); ++r)
    host.reductions[r] = take(host.reductions[r].type, arguments.reductions.bytes[r].data());
  for (size_t s = 0; s < host.series.size(); ++s)
    for (size_t i = 0; i < host.series[s].size(); ++i) {
      ir::Scalar& value = host.series[s][i];
      value = take(value.type, arguments.series.bytes[s].data() + i * ir::bytes(value.type));
    }
  const std::vector<std::string> faults = machine.faults();
  if (!faults.empty()) return faults.front();
  return code == 0 ? "" : std::string(call.message);
}

}  // namespace stencilc::driver
