#include "passes/unused_arguments.h"

#include <set>
#include <string>
#include <vector>

namespace stencilc::passes {
namespace {

void drop_from(kernel::Module& module, kernel::Launch& launch) {
  kernel::Kernel& kernel = launch.kernel;
  const std::set<std::string> used = kernel::used_names(kernel.body);
  for (kernel::ScalarParam& param : module.params) param.used |= used.count(param.name) != 0;
  std::erase_if(kernel.params, [&](const kernel::Param& param) { return !used.count(param.name); });
  size_t kept = 0;
  for (size_t b = 0; b < kernel.buffers.size(); ++b) {
    if (!used.count(kernel.buffers[b].name)) continue;
    const kernel::BufferArg& arg = launch.buffer_args[b];
    if (arg.kind == kernel::BufferArg::grid) module.grids[arg.index].used = true;
    if (arg.kind == kernel::BufferArg::series) module.series[arg.index].used = true;
    if (arg.kind == kernel::BufferArg::table) module.tables[arg.index].used = true;
    if (arg.kind == kernel::BufferArg::weights) module.weights[arg.index].used = true;
    kernel.buffers[kept] = kernel.buffers[b];
    launch.buffer_args[kept++] = arg;
  }
  kernel.buffers.resize(kept);
  launch.buffer_args.resize(kept);
}

}  // namespace

void drop_unused_arguments(kernel::Module& module) {
  const std::set<std::string> of_host =
      kernel::used_names({module.launch_values.begin(), module.launch_values.end()});
  for (kernel::ScalarParam& param : module.params) param.used |= of_host.count(param.name) != 0;
  for (kernel::Launch& launch : module.launches) drop_from(module, launch);
}

}  // namespace stencilc::passes
