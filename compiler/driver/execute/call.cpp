#include "driver/execute/call.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <utility>

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

ir::Scalar SeriesValues::operator[](size_t i) const {
  return take(type, bytes.data() + i * static_cast<size_t>(ir::bytes(type)));
}

void SeriesValues::push_back(const ir::Scalar& value) {
  bytes.resize(bytes.size() + static_cast<size_t>(ir::bytes(type)));
  set(size() - 1, value);
}

void SeriesValues::set(size_t i, const ir::Scalar& value) {
  put(value, bytes.data() + i * static_cast<size_t>(ir::bytes(type)));
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

std::vector<ir::Scalar> reductions_of(const HostData& host, const Arguments& arguments) {
  std::vector<ir::Scalar> values;
  for (size_t r = 0; r < host.reductions.size(); ++r)
    values.push_back(take(host.reductions[r].type, arguments.reductions.bytes[r].data()));
  return values;
}

// Between the call of a library and a watcher.
class Watched : public Look {
 public:
  Watched(const HostData& host, const Arguments& arguments, stencil_host_call& call,
          const Watcher& watcher)
      : host_(host), arguments_(arguments), call_(call), watcher_(watcher) {
    call.watcher = this;
    call.repeats = 1;
    call.next = [](stencil_host_call* by, int64_t done) {
      Watched& own = *static_cast<Watched*>(by->watcher);
      own.done_ = done;
      return own.watcher_(own);
    };
  }

  int64_t done() const override { return done_; }
  bool content() const override { return done_ > 0 && call_.content != 0; }
  double seconds() const override { return call_.seconds[0]; }
  std::vector<ir::Scalar> reductions() const override { return reductions_of(host_, arguments_); }
  SeriesValues series(size_t index, size_t values) const override {
    const ir::Type type = host_.series[index].type;
    const std::vector<std::byte>& all = arguments_.series.bytes[index];
    const size_t bytes = std::min(all.size(), values * static_cast<size_t>(ir::bytes(type)));
    return {type, {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(bytes)}};
  }

  bool fetch(const std::vector<data::Array*>& to) const override {
    const std::vector<void*> buffers = memory_of(to), no_series(host_.series.size(), nullptr);
    return fetch_into(buffers.data(), no_series.data());
  }
  bool depart(const std::vector<bool>& slots) const override {
    if (call_.depart == nullptr) return false;
    std::vector<void*> chosen;
    for (size_t slot = 0; slot < slots.size(); ++slot)
      chosen.push_back(slots[slot] ? call_.buffers[slot] : nullptr);
    void* const* buffers = chosen.data();
    std::swap(call_.buffers, buffers);
    const bool departed = call_.depart(call_.departing) != 0;
    std::swap(call_.buffers, buffers);
    return departed;
  }
  bool arrive(const std::vector<data::Array*>& to) const override {
    return call_.arrive(call_.arriving, memory_of(to).data()) == 0;
  }
  bool fetch_series() const override {
    std::vector<void*> nothing(host_.buffers.size(), nullptr);
    return fetch_into(nothing.data(), call_.series);
  }

 private:
  static std::vector<void*> memory_of(const std::vector<data::Array*>& arrays) {
    std::vector<void*> memory;
    for (data::Array* array : arrays)
      memory.push_back(array == nullptr ? nullptr : array->bytes.data());
    return memory;
  }

  bool fetch_into(void* const* buffers, void* const* series) const {
    std::swap(call_.buffers, buffers);
    std::swap(call_.series, series);
    const bool fetched = call_.fetch(call_.fetching) == 0;
    std::swap(call_.buffers, buffers);
    std::swap(call_.series, series);
    return fetched;
  }

  const HostData& host_;
  const Arguments& arguments_;
  stencil_host_call& call_;
  const Watcher& watcher_;
  int64_t done_ = 0;
};

}  // namespace

std::string call(const Machine& machine, HostData& host, int64_t steps,
                 std::vector<double>& seconds, const Watcher& watcher) {
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
  std::optional<Watched> watched;
  if (watcher) watched.emplace(host, arguments, call, watcher);
  const int code =
      host.processes == 0 ? machine.call(&call) : call_apart(machine, host, arguments, call);
  host.leg_steps = call.leg_steps;
  host.steps_taken = call.steps_taken;
  host.reductions = reductions_of(host, arguments);
  for (size_t s = 0; s < host.series.size(); ++s)
    host.series[s].bytes = std::move(arguments.series.bytes[s]);
  const std::vector<std::string> faults = machine.faults();
  if (!faults.empty()) return faults.front();
  return code == 0 ? "" : std::string(call.message);
}

}  // namespace stencilc::driver
