#include "driver/run/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "driver/pipeline/workspace.h"
#include "driver/run/recorder.h"
#include "driver/system/memory.h"
#include "kernel/pieces.h"
#include "runtime/include/stencil/communicator.h"

namespace stencilc::driver {
namespace {

double product(const data::Extents& extents) {
  double cells = 1;
  for (const int64_t extent : extents) cells *= static_cast<double>(extent);
  return cells;
}

// The arrays of the host: all levels that a run starts with, and the copies that are written.
double arrays(const Options& options, const ir::Stencil& stencil, const HostData& host) {
  const std::vector<bool> copied = recorded_slots(options, stencil);
  double bytes = 0;
  size_t slot = 0;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    data::Extents extents = array_extents(stencil, f, host.extents);
    extents.back() = planes_of(stencil, f, host).count;
    const double level = product(extents) * ir::bytes(field.type);
    for (int n = field.role == ir::Role::stepped ? field.levels() : 1; n > 0; --n)
      bytes += level * (copied[slot++] ? 1 + kFrames : 1);
  }
  return bytes;
}

// The grids: all buffers of each field, whose rows begin at multiples of 64 cells.
double grids(const Compiled& compiled, const data::Extents& extents) {
  const kernel::Module& module = compiled.module;
  double bytes = 0;
  for (size_t g = 0; g < module.grids.size(); ++g) {
    const kernel::Grid& grid = module.grids[g];
    const bool whole = grid.axes.size() == module.extents.size();
    const std::vector<int>& halo = whole ? module.halo : grid.halo;
    data::Extents own;
    for (size_t a = 0; a < grid.axes.size(); ++a)
      own.push_back(extents[static_cast<size_t>(grid.axes[a])] +
                    (a < halo.size() ? 2 * halo[a] : 0));
    own[0] = (own[0] + 63) / 64 * 64;
    bytes += product(own) * kernel::bytes_of(grid.element) * grid.buffers;
  }
  return bytes;
}

double workspace(const Compiled& compiled, const data::Extents& extents) {
  const ir::Stencil& placed = compiled.plan.stencil ? *compiled.plan.stencil : compiled.stencil;
  std::array<int64_t, 3> all = {1, 1, 1};
  std::ranges::copy(extents, all.begin());
  return static_cast<double>(workspace_bytes(placed, all));
}

// How many pieces the grid is cut into: on GPUs, in the memory of the CPU target, or of processes.
int pieces_of(const HostData& host) {
  return host.communicator != nullptr ? host.communicator->size()
                                      : std::max(1, static_cast<int>(host.devices.size()));
}

// The largest piece, with the planes beside it that its legs read.
data::Extents piece_of(const Compiled& compiled, const HostData& host) {
  data::Extents extents = host.extents;
  const int pieces = pieces_of(host);
  if (pieces == 1) return extents;
  std::array<int64_t, 3> all = {1, 1, 1};
  std::ranges::copy(extents, all.begin());
  const int steps =
      std::max(1, static_cast<int>(kernel::legs_of(compiled.module, all, pieces).steps));
  extents.back() =
      (extents.back() + pieces - 1) / pieces + 2 * kernel::planes_beside(compiled.module, steps);
  return extents;
}

// What does not fit, or "".
std::string what_is_missing(const Memory& needed, const MemoryLeft& left, int pieces) {
  if (left.host && needed.host > *left.host)
    return fmt::format("the run needs {} of memory, and {} are left", print_bytes(needed.host),
                       print_bytes(*left.host));
  if (left.device && needed.device > *left.device)
    return fmt::format("the run needs {} of {}GPU, and {} are left", print_bytes(needed.device),
                       pieces > 1 ? "each " : "the ", print_bytes(*left.device));
  return "";
}

// Sizes that people would choose: multiples of 64 where there are many cells.
int64_t rounded(double extent) {
  const auto whole = static_cast<int64_t>(extent);
  return std::max<int64_t>(1, whole >= 256 ? whole / 64 * 64 : whole);
}

}  // namespace

Memory memory_of(const Options& options, const Compiled& compiled, const HostData& host) {
  const data::Extents piece = piece_of(compiled, host);
  const double computed = grids(compiled, piece) + workspace(compiled, piece);
  Memory memory{arrays(options, compiled.stencil, host), 0};
  if (options.compilation.target == plan::Target::cpu)
    memory.host += computed * (host.communicator != nullptr ? 1 : pieces_of(host));
  else
    memory.device = computed;
  return memory;
}

MemoryLeft memory_left(const Memory& needed) {
  constexpr double kMuch = 256 << 20;
  return {host_memory_left(), needed.device < kMuch ? std::nullopt : gpu_memory_left()};
}

std::string too_large(const Options& options, const Compiled& compiled, const HostData& host,
                      const MemoryLeft& left) {
  const auto missing = [&](const data::Extents& extents) {
    HostData other;
    other.extents = extents;
    other.devices = host.devices;
    other.communicator = host.communicator;
    other.planes = {0, std::max<int64_t>(1, extents.back() / pieces_of(host))};
    return what_is_missing(memory_of(options, compiled, other), left, pieces_of(host));
  };
  const std::string why =
      what_is_missing(memory_of(options, compiled, host), left, pieces_of(host));
  if (why.empty()) return "";
  // The largest grid of about the same shape, by bisection.
  double fits = 0, fails = 1;
  data::Extents best;
  for (int tries = 0; tries < 40; ++tries) {
    const double scale = (fits + fails) / 2;
    data::Extents extents;
    for (const int64_t extent : host.extents)
      extents.push_back(rounded(scale * static_cast<double>(extent)));
    if (missing(extents).empty()) {
      fits = scale;
      best = extents;
    } else {
      fails = scale;
    }
  }
  if (best.empty()) return why;
  return fmt::format("{}; a grid of {} would fit", why, data::to_string(best));
}

}  // namespace stencilc::driver
