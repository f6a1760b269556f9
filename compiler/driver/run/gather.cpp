#include "driver/run/gather.h"

#include <vector>

#include "runtime/include/stencil/communicator.h"

namespace stencilc::driver {
namespace {

// Planes of the grid.
struct Planes {
  int64_t first, count;
};

// Where the planes of a process are in an array: its own, and at the ends of the grid the halo.
struct Bytes {
  std::byte* at;
  int64_t count;
};
Bytes bytes_of(data::Array& array, int64_t halo, int64_t all, const Planes& planes) {
  const int64_t plane = static_cast<int64_t>(array.bytes.size()) / (all + 2 * halo);
  const int64_t end = planes.first + planes.count;
  const int64_t first = planes.first == 0 ? 0 : planes.first + halo,
                behind = end == all ? all + 2 * halo : end + halo;
  return {array.bytes.data() + first * plane, (behind - first) * plane};
}

}  // namespace

std::string gather(const ir::Stencil& stencil, HostData& host) {
  stencil::Communicator* const processes = host.communicator;
  if (processes == nullptr) return "";
  const size_t count = static_cast<size_t>(processes->size());
  const Planes mine{host.first_plane, host.planes_here};
  std::vector<Planes> of(count);
  stencil::Status status =
      processes->gather(&mine, of.data(), std::vector<int64_t>(count, int64_t{sizeof mine}));
  const size_t cut = static_cast<size_t>(stencil.rank()) - 1;
  std::vector<stencil::Transfer> messages;
  size_t slot = 0;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    data::Array& array = host.buffers[slot];
    slot += field.role == ir::Role::stepped ? static_cast<size_t>(field.levels()) : 1;
    if (field.role == ir::Role::input || !field.along[cut]) continue;
    const int64_t halo = ir::ghost_halo(stencil, static_cast<int>(f))[cut];
    const auto message = [&](bool sends, int process, const Planes& planes) {
      const Bytes bytes = bytes_of(array, halo, host.extents[cut], planes);
      messages.push_back({sends, process, static_cast<int>(f), bytes.at, bytes.count});
    };
    if (processes->rank() != 0) message(true, 0, mine);
    for (size_t p = 1; p < count && processes->rank() == 0; ++p)
      message(false, static_cast<int>(p), of[p]);
  }
  if (status.ok()) status = processes->exchange(std::move(messages));
  return status.message();
}

}  // namespace stencilc::driver
