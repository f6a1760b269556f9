#include "kernel/pieces.h"

#include <algorithm>

namespace stencilc::kernel {
namespace {

// Does a launch write nothing of the grids but its window, in buffers that no other part reads?
bool writes_apart(const Module& module, const Launch& one) {
  for (size_t b = 0; b < one.buffer_args.size(); ++b) {
    const BufferArg& arg = one.buffer_args[b];
    if (arg.kind != BufferArg::grid || !one.kernel.buffers[b].writable) continue;
    const Grid& grid = module.grids[static_cast<size_t>(arg.index)];
    if (one.beside_window.low != 0 || one.beside_window.high != 0) return false;
    const bool rotates = grid.role == Grid::stepped && grid.buffers > 1;
    if (!rotates && (grid.beside.low != 0 || grid.beside.high != 0)) return false;
  }
  return true;
}

bool parts_are_plain(const Module& module) {
  return module.halo.empty() && module.places.empty() && module.colors == 0 &&
         std::all_of(module.grids.begin(), module.grids.end(),
                     [](const Grid& grid) { return grid.textures.empty() && grid.halo.empty(); });
}

// Is a launch of several steps taken on pieces of so many planes?
bool is_taken(const Launch& launch, const std::array<int64_t, 3>& extents, int64_t planes) {
  const int rank = launch.kernel.rank;
  int64_t cells = planes;
  for (int a = 0; a < rank; ++a) {
    if (extents[static_cast<size_t>(a)] < launch.least[a]) return false;
    if (a + 1 < rank) cells *= extents[static_cast<size_t>(a)];
  }
  return (launch.most == 0 || extents[0] <= launch.most) && cells >= launch.least_cells;
}

}  // namespace

LegReads leg_reads(const Module& module, const Grid& grid, int64_t steps) {
  return leg_reads(module, grid, steps, 0);
}
LegReads leg_reads(const Module& module, const Grid& grid, int64_t steps, int level) {
  if (!grid.used || !is_cut(module, grid)) return {};
  const int64_t more = std::max<int64_t>(steps - 1, 0);
  const Planes& beside = level == 0 ? grid.beside : grid.before;
  return {beside.low + more * module.window.step.low, beside.high + more * module.window.step.high};
}

int64_t planes_beside(const Module& module, int64_t steps) {
  int64_t most = 0;
  for (const Grid& grid : module.grids)
    if (grid.used) most = std::max<int64_t>(most, std::max(grid.beside.low, grid.beside.high));
  return most + std::max<int64_t>(steps - 1, 0) *
                    std::max(module.window.step.low, module.window.step.high);
}

bool is_cut(const Module& module, const Grid& grid) {
  const int last = static_cast<int>(module.extents.size()) - 1;
  return std::find(grid.axes.begin(), grid.axes.end(), last) != grid.axes.end();
}

int64_t plane_bytes(const Module& module, const Grid& grid, const std::array<int64_t, 3>& extents) {
  constexpr int64_t kPitch = 64;  // elements, as the mesh rounds rows
  const bool whole = grid.axes.size() == module.extents.size();
  const std::vector<int>& halo = whole ? module.halo : grid.halo;
  int64_t elements = 1;
  bool row = true;
  for (size_t k = 0; k + 1 < grid.axes.size(); ++k) {
    const int64_t cells =
        extents[static_cast<size_t>(grid.axes[k])] + (halo.empty() ? 0 : 2 * halo[k]);
    elements *= row ? (cells + kPitch - 1) / kPitch * kPitch : cells;
    row = false;
  }
  return elements * bytes_of(grid.element);
}

bool one_step_splits(const Module& module) {
  return parts_are_plain(module) && module.steps &&
         std::all_of(module.launches.begin(), module.launches.end(), [&](const Launch& one) {
           return !one.kernel.steps.empty() || one.after_steps || writes_apart(module, one);
         });
}

bool several_steps_split(const Module& module) {
  return parts_are_plain(module) &&
         std::all_of(module.launches.begin(), module.launches.end(), [](const Launch& one) {
           return one.kernel.steps.empty() ? !one.after_steps : !one.after_a_step;
         });
}

bool one_step_counts(const Module& module) {
  if (module.launches.size() != 1) return false;
  const Kernel& kernel = module.launches[0].kernel;
  return kernel.steps.empty() && !kernel.partition.borders.empty();
}

bool legs_repeat(const Module& module) {
  return parts_are_plain(module) && module.steps && !module.time && module.series.empty() &&
         module.temporaries.empty() &&
         std::none_of(module.launches.begin(), module.launches.end(),
                      [](const Launch& one) { return one.after_a_step; });
}

Legs legs_of(const Module& module, const std::array<int64_t, 3>& extents, int pieces) {
  const size_t last = module.extents.size() - 1;
  Legs legs;
  legs.thinnest = extents[last] / pieces;
  if (legs.thinnest == 0) return legs;
  std::array<int64_t, 3> shape = extents;
  if (!module.window.grid.empty()) shape[last] = legs.thinnest;
  int number = -1;
  legs.counts = one_step_counts(module);
  for (const Launch& one : module.launches) {
    if (one.kernel.steps.empty()) continue;
    ++number;
    if (!is_taken(one, shape, legs.thinnest)) continue;
    legs.launch = number;
    legs.launch_steps = one.kernel.most_steps;
    legs.counts = !one.kernel.partition.borders.empty();
    break;
  }
  legs.steps = legs.launch_steps;
  if (pieces == 1 && !module.window.wraps) return legs;
  // Around a periodic axis two pieces are neighbours on both sides, and one is its own.
  const int64_t sides = module.window.wraps && pieces <= 2 ? 2 : 1;
  while (legs.steps > 0 && sides * planes_beside(module, legs.steps) > legs.thinnest) --legs.steps;
  return legs;
}

}  // namespace stencilc::kernel
