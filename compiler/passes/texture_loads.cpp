#include "passes/texture_loads.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include "kernel/rewrite.h"

namespace stencilc::passes {
namespace {

constexpr int kMostBytes = 16;  // of a texel

void fetch_in(const kernel::Module& module, kernel::Launch& launch) {
  kernel::Kernel& kernel = launch.kernel;
  std::map<std::string, kernel::Buffer> grids;
  for (size_t b = 0; b < kernel.buffers.size(); ++b) {
    const kernel::BufferArg& arg = launch.buffer_args[b];
    if (arg.kind != kernel::BufferArg::grid) continue;
    kernel::Buffer& buffer = kernel.buffers[b];
    const bool has_all_axes = module.grids[arg.index].axes.size() == module.extents.size();
    if (has_all_axes && !buffer.writable)
      buffer.texel = std::min(kernel.texel, kMostBytes / kernel::bytes_of(buffer.element));
    grids[buffer.name] = buffer;
  }
  kernel::change_buffers(kernel.body, [&](kernel::Buffer& buffer, bool loads) {
    const auto grid = grids.find(buffer.name);
    if (grid == grids.end()) return false;
    buffer.texel = grid->second.texel;
    if (buffer.texel == 0 && loads && launch.loaded.empty()) launch.loaded = buffer.name;
    return buffer.texel != 0;
  });
  if (launch.loaded.empty()) return;
  // The name of the grid, not that of a level.
  for (size_t b = 0; b < kernel.buffers.size(); ++b)
    if (kernel.buffers[b].name == launch.loaded) {
      const std::string name = "`" + module.grids[launch.buffer_args[b].index].name + "`";
      launch.loaded = kernel.buffers[b].writable
                          ? "it stores into the memory of " + name + " that it reads"
                          : name + " does not have all axes";
      return;
    }
}

}  // namespace

void fetch_through_textures(kernel::Module& module) {
  for (kernel::Launch& launch : module.launches)
    if (launch.kernel.texel != 0) fetch_in(module, launch);
}

}  // namespace stencilc::passes
