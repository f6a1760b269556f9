#include "emit/call_arguments.h"

#include <algorithm>

#include "emit/signature.h"

namespace stencilc::emit {
namespace {

// u[1], u_textures.at[1], c
std::string grid_argument(const kernel::Module& module, const kernel::Buffer& buffer,
                          const kernel::BufferArg& arg) {
  const kernel::Grid& grid = module.grids[arg.index];
  const std::string slot = "[" + std::to_string(rotates(grid) ? arg.slot : 0) + "]";
  if (buffer.texel != 0) return grid.textures + ".at" + slot;
  return grid.name + (rotates(grid) ? slot : "");
}

std::string entry_array(const kernel::Module& module, const kernel::BufferArg& arg) {
  const std::string& places = module.places[arg.index].name;
  if (arg.kind == kernel::BufferArg::weight) return places + ".weight()";
  if (arg.kind == kernel::BufferArg::entries) return places + ".entries()";
  if (arg.kind == kernel::BufferArg::chain) return places + (arg.slot == 0 ? ".next()" : ".head()");
  return places + ".cell(" + std::to_string(arg.slot) + ")";
}

}  // namespace

std::vector<std::string> call_arguments(const kernel::Module& module,
                                        const kernel::Launch& launch) {
  std::vector<std::string> items;
  for (const kernel::Launch::MapArg& arg : launch.map_args)
    items.push_back(arg.maps + "[" + std::to_string(arg.slot) + "]");
  for (size_t n = 0; n < launch.buffer_args.size(); ++n) {
    using Arg = kernel::BufferArg;
    const Arg& arg = launch.buffer_args[n];
    if (arg.kind == Arg::partials)
      items.push_back(module.reductions[arg.index].partials + ".partials()");
    else if (arg.kind == Arg::result)
      items.push_back(module.reductions[arg.index].partials + ".result()");
    else if (arg.kind == Arg::weights)
      items.push_back(module.weights[arg.index].name);
    else if (arg.kind == Arg::table)
      items.push_back(module.tables[arg.index].name);
    else if (arg.kind == Arg::series)
      items.push_back(module.series[arg.index].name + ".at(t)");
    else if (arg.kind == Arg::sampled)
      items.push_back(module.sampled[arg.index].name + ".data()");
    else if (arg.kind == Arg::temporary)
      items.push_back(module.temporaries[arg.index].name + ".cells()");
    else if (arg.kind == Arg::ghosts)
      items.push_back(module.temporaries[arg.index].name + ".ghosts()");
    else if (arg.kind != Arg::grid)
      items.push_back(entry_array(module, arg));
    else
      items.push_back(grid_argument(module, launch.kernel.buffers[n], arg));
  }
  for (const kernel::Param& param : launch.kernel.params) {
    const bool own = std::any_of(module.grids.begin(), module.grids.end(),
                                 [&](const kernel::Grid& g) { return g.pitch == param.name; });
    const bool wide = own || (!param.name.empty() && param.name == launch.edge_rows);
    items.push_back(wide ? "static_cast<Index>(" + param.name + ")" : param.name);
  }
  const kernel::Kernel::Partition& partition = launch.kernel.partition;
  if (!partition.name.empty()) items.push_back(partition.name);
  if (!partition.borders.empty()) items.push_back(partition.borders);
  return items;
}

std::vector<std::string> aligned_items(const kernel::Module& module) {
  std::vector<std::string> items = {"shape"};
  for (const kernel::Grid& grid : module.grids) {
    if (!grid.used || !has_all_axes(module, grid)) continue;
    if (!rotates(grid)) items.push_back(grid.name);
    for (int n = 0; n < grid.buffers && rotates(grid); ++n)
      items.push_back(grid.name + "[" + std::to_string(n) + "]");
  }
  return items;
}

}  // namespace stencilc::emit
