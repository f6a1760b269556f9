#include "emit/step_launches.h"

#include <algorithm>
#include <numeric>

#include "emit/signature.h"
#include "emit/writer.h"

namespace stencilc::emit {

bool takes_any_steps(const kernel::Module& module) {
  return std::any_of(module.launches.begin(), module.launches.end(),
                     [](const kernel::Launch& one) { return one.kernel.any_steps; });
}

std::vector<int> step_counts(const kernel::Module& module, const kernel::Kernel& kernel) {
  std::vector<int> counts = {kernel.most_steps};
  if (takes_any_steps(module)) return counts;
  // In space variants are long: each compiles for as long as the rest of a file.
  const int most = kernel.rank == 3 ? kernel.most_steps / 2 : kernel.most_steps - 1;
  for (int count = 16; count > 1; count /= 2)
    if (count <= most) counts.push_back(count);
  return counts;
}

std::string large_enough(const kernel::Launch& launch, const std::string& planes) {
  std::vector<std::string> conditions;
  for (int a = 0; a < launch.kernel.rank; ++a)
    if (launch.least[a] > 1)
      conditions.push_back("shape.n" + std::string(1, "xyz"[a]) +
                           " >= " + std::to_string(launch.least[a]));
  if (launch.most > 0) conditions.push_back("shape.nx <= " + std::to_string(launch.most));
  if (launch.least_cells > 1) {
    const std::string last = launch.kernel.rank == 3 ? "shape.nz" : "shape.ny";
    conditions.push_back(
        std::string("shape.nx * ") + (launch.kernel.rank == 3 ? "shape.ny * " : "") +
        (planes.empty() ? last : planes) + " >= " + std::to_string(launch.least_cells));
  }
  return join(conditions, " && ");
}

int period(const kernel::Module& module, bool several) {
  int result = 1;
  for (const kernel::Grid& grid : module.grids) {
    if (!rotates(grid)) continue;
    const int count = grid.buffers - (several ? 0 : grid.spare);
    result = std::lcm(result, count / std::gcd(count, several ? 1 + grid.spare : 1));
  }
  return result;
}

bool can_replay(const kernel::Module& module, const kernel::Launch& launch) {
  return launch.kernel.early && launch.map_args.empty() && !counts_steps(module);
}

bool can_replay_steps(const kernel::Module& module) {
  if (!module.steps || launch_of_steps(module) || !module.series.empty() ||
      reduces_on_request(module))
    return false;
  for (const kernel::Grid& grid : module.grids)
    if (!grid.halo.empty() || !grid.textures.empty()) return false;
  return std::all_of(module.launches.begin(), module.launches.end(),
                     [&](const kernel::Launch& one) {
                       if (one.before_steps) return true;
                       return can_replay(module, one) && one.places < 0 && one.folds.empty() &&
                              one.when == kernel::Launch::always;
                     });
}

const kernel::Launch& first_of_step(const kernel::Module& module) {
  return *std::find_if(module.launches.begin(), module.launches.end(),
                       [](const kernel::Launch& one) { return !one.before_steps; });
}

const kernel::Launch* launch_of_steps(const kernel::Module& module) {
  for (const kernel::Launch& one : module.launches)
    if (!one.kernel.steps.empty()) return &one;
  return nullptr;
}

bool counts_steps(const kernel::Module& module) {
  for (const kernel::Launch& launch : module.launches) {
    for (const kernel::Param& param : launch.kernel.params)
      if (param.name == "t") return true;
    for (const kernel::BufferArg& arg : launch.buffer_args)
      if (arg.kind == kernel::BufferArg::series) return true;
  }
  return false;
}

}  // namespace stencilc::emit
