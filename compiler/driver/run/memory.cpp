#include "driver/run/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "driver/pipeline/workspace.h"
#include "driver/run/outputs.h"
#include "driver/run/recorder.h"
#include "driver/run/together.h"
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

// What a run writes while it goes on, and at its end.
struct Written {
  explicit Written(const Needs& needs)
      : recorded(recorded_slots(needs.options, needs.compiled.stencil)),
        changed(changed_slots(needs.compiled.stencil)),
        saves(!needs.options.long_run.checkpoint.empty()),
        gathered(recorded.size(), false) {
    for (const int field :
         gathered_fields(needs.options, needs.compiled.stencil, static_cast<size_t>(needs.runs)))
      gathered[newest_slot(needs.compiled.stencil, field)] = true;
  }
  std::vector<bool> recorded, changed;
  bool saves;
  std::vector<bool> gathered;  // by the first process, at the end
};

// The arrays of a process: all levels that a run starts with, and the copies that are written. Of
// several processes the first one has copies of the whole fields.
double arrays(const Needs& needs, const Written& written, bool first) {
  const ir::Stencil& stencil = needs.compiled.stencil;
  const bool alone = needs.host.communicator == nullptr;
  double bytes = 0, between = 0, at_end = 0, read = 0;
  for (size_t slot = 0; slot < written.recorded.size(); ++slot) {
    const size_t f = field_of_slot(stencil, slot);
    data::Extents extents = array_extents(stencil, f, needs.host.extents);
    const double whole = product(extents) * ir::bytes(stencil.fields[f].type);
    extents.back() = planes_of(stencil, f, needs.host).count;
    const double own = product(extents) * ir::bytes(stencil.fields[f].type);
    bytes += own * needs.runs;
    if (written.recorded[slot] && (alone || first)) between += kFrames * whole;
    if (alone) continue;
    if (written.recorded[slot] && written.changed[slot]) between += own;
    if (first && !written.changed[slot] && (written.recorded[slot] || written.saves))
      between += whole;
    if (first && written.gathered[slot]) at_end += whole * needs.runs;
    if (!needs.options.long_run.resume.empty()) read = std::max(read, whole);
  }
  return bytes + std::max({between, at_end, read});
}

// The series of a process: for the run, for its call, and for checkpoints, which have words.
double series(const Needs& needs, const Written& written, bool cpu) {
  const ir::Stencil& stencil = needs.compiled.stencil;
  double bytes = 0;
  for (const ir::Series& one : stencil.series) {
    const double values =
        static_cast<double>(needs.host.points[static_cast<size_t>(one.points)].size()) *
        static_cast<double>(needs.host.series_steps);
    const int copies = (cpu ? 3 : 2) + (written.saves && one.output ? kFrames : 0);
    bytes += values * (copies * ir::bytes(one.type) + (written.saves ? 8 : 0));
  }
  return bytes;
}

// The copies on a GPU of what is on its way to the host.
double copies(const Needs& needs, const Written& written) {
  if (needs.host.communicator != nullptr || needs.host.devices.size() > 1) return 0;
  const ir::Stencil& stencil = needs.compiled.stencil;
  double bytes = 0;
  for (size_t slot = 0; slot < written.recorded.size(); ++slot) {
    if (!written.recorded[slot] || !written.changed[slot]) continue;
    const size_t f = field_of_slot(stencil, slot);
    bytes +=
        product(array_extents(stencil, f, needs.host.extents)) * ir::bytes(stencil.fields[f].type);
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
std::string what_is_missing(const Needs& needs, const MemoryLeft& left) {
  const Memory needed = memory_of(needs);
  const auto of_host = [](double bytes, const std::string& what, double free) {
    return fmt::format("the run needs {} of memory{}, and {} are left", print_bytes(bytes), what,
                       print_bytes(free));
  };
  if (left.process && needed.process > *left.process)
    return of_host(needed.process, needs.here > 1 ? " in each process" : "", *left.process);
  if (left.machine && needed.machine > *left.machine)
    return of_host(
        needed.machine,
        needs.here > 1 ? fmt::format(" for its {} processes on this machine", needs.here) : "",
        *left.machine);
  if (left.device && needed.device > *left.device)
    return fmt::format("the run needs {} of {}GPU, and {} are left", print_bytes(needed.device),
                       pieces_of(needs.host) > 1 ? "each " : "the ", print_bytes(*left.device));
  return "";
}

// Sizes that people would choose: multiples of 64 where there are many cells.
int64_t rounded(double extent) {
  const auto whole = static_cast<int64_t>(extent);
  return std::max<int64_t>(1, whole >= 256 ? whole / 64 * 64 : whole);
}

}  // namespace

Memory memory_of(const Needs& needs) {
  const Written written(needs);
  const HostData& host = needs.host;
  const data::Extents piece = piece_of(needs.compiled, host);
  const double computed = grids(needs.compiled, piece) + workspace(needs.compiled, piece);
  const bool cpu = needs.options.compilation.target == plan::Target::cpu;
  const double of_grids = !cpu ? 0 : computed * (host.communicator ? 1 : pieces_of(host));
  const double each = of_grids + series(needs, written, cpu);
  const double first = arrays(needs, written, true) + each;
  const double other = arrays(needs, written, false) + each;
  Memory memory;
  memory.process = host.communicator == nullptr || host.communicator->rank() == 0 ? first : other;
  memory.machine = (needs.here - 1) * other + (needs.first_is_here ? first : other);
  if (cpu) return memory;
  memory.device = computed;
  memory.copies = copies(needs, written);
  return memory;
}

MemoryLeft memory_left(const Memory& needed) {
  constexpr double kMuch = 256 << 20;
  return {process_memory_left(), machine_memory_left(),
          needed.device < kMuch ? std::nullopt : gpu_memory_left()};
}

std::string too_large(const Needs& needs, const MemoryLeft& left) {
  const HostData& host = needs.host;
  const auto missing = [&](const data::Extents& extents) {
    HostData other;
    other.extents = extents;
    other.devices = host.devices;
    other.communicator = host.communicator;
    other.points = host.points;
    other.series_steps = host.series_steps;
    other.planes = {0, std::max<int64_t>(1, extents.back() / pieces_of(host))};
    return what_is_missing(
        {needs.options, needs.compiled, other, needs.runs, needs.here, needs.first_is_here}, left);
  };
  const std::string why = what_is_missing(needs, left);
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
