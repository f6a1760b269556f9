#include "lower/lower.h"

#include <set>
#include <string>

#include "lower/traversals.h"

namespace stencilc::lower {
namespace {

kernel::Grid::Role role_of(ir::Role role) {
  return role == ir::Role::stepped ? kernel::Grid::stepped
         : role == ir::Role::input ? kernel::Grid::input
                                   : kernel::Grid::output;
}

std::string level_name(const std::string& field, int level) {
  return level == 0    ? field
         : level == -1 ? field + "_prev"
                       : field + "_prev" + std::to_string(-level);
}

// Claims the names users see first, so that they keep the spelling of the .stn wherever C++ allows
// it.
void claim_names(Context& context, kernel::Module& module) {
  const ir::Stencil& stencil = context.stencil;
  for (const std::string& axis : stencil.axes) context.axes.push_back(context.names.claim(axis));
  for (const std::string& axis : stencil.axes)
    context.extents.push_back(context.names.claim("n" + axis));
  for (const ir::Field& field : stencil.fields) {
    kernel::Grid grid;
    grid.element = type_of(field.type);
    grid.role = role_of(field.role);
    grid.levels = field.role == ir::Role::stepped ? field.levels() : 1;
    grid.buffers = field.buffers();
    for (int level = 0; level < grid.levels; ++level)
      grid.level_names.push_back(context.names.claim(level_name(field.name, -level)));
    grid.name = grid.level_names[0];
    module.grids.push_back(std::move(grid));
  }
  for (const ir::Param& param : stencil.params) {
    context.params.push_back(context.names.claim(param.name));
    module.params.push_back({context.params.back(), type_of(param.type), param.has_default,
                             param.value.real, param.value.integer});
  }
  context.pitch = context.names.claim("pitch");
  context.plane = context.names.claim("plane");
  module.extents = context.extents;
  if (stencil.rank() > 1) module.strides.push_back(context.pitch);
  if (stencil.rank() > 2) module.strides.push_back(context.plane);
}

// The buffers of the kernel: what a step writes, then what it reads. A buffer that is the oldest
// level before the step and t+1 behind it is one argument.
void claim_buffers(Context& context, kernel::Module& module) {
  const ir::Stencil& stencil = context.stencil;
  const auto add = [&](kernel::Buffer buffer, int grid, int slot) {
    module.kernel.buffers.push_back(buffer);
    module.buffer_args.push_back({grid, slot});
    return buffer;
  };
  context.targets.resize(stencil.fields.size());
  context.levels.resize(stencil.fields.size());
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    const kernel::Grid& grid = module.grids[f];
    if (field.role == ir::Role::input) continue;
    std::string name = grid.name;
    if (field.role == ir::Role::stepped && grid.buffers > 1)
      name = context.names.claim(field.name + "_new");
    context.targets[f] = add({name, grid.element, true}, static_cast<int>(f), grid.buffers - 1);
  }
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    const kernel::Grid& grid = module.grids[f];
    if (field.role == ir::Role::output) continue;
    for (int level = 0; level < grid.levels; ++level) {
      const bool is_target =
          field.role == ir::Role::stepped && field.overwrites_oldest && level == field.oldest_level;
      context.levels[f].push_back(is_target ? context.targets[f]
                                            : add({grid.level_names[level], grid.element, false},
                                                  static_cast<int>(f), level));
    }
  }
}

// Takes away the arguments that the body never touches: params nobody reads, a level between two
// that are read.
void drop_unused(kernel::Module& module) {
  kernel::Kernel& kernel = module.kernel;
  const std::set<std::string> used = kernel::used_names(kernel.body);
  for (kernel::ScalarParam& param : module.params) param.used = used.count(param.name) != 0;
  std::erase_if(kernel.params, [&](const kernel::Param& param) { return !used.count(param.name); });
  for (kernel::Grid& grid : module.grids) grid.used = false;
  size_t kept = 0;
  for (size_t b = 0; b < kernel.buffers.size(); ++b) {
    if (!used.count(kernel.buffers[b].name)) continue;
    module.grids[module.buffer_args[b].grid].used = true;
    kernel.buffers[kept] = kernel.buffers[b];
    module.buffer_args[kept++] = module.buffer_args[b];
  }
  kernel.buffers.resize(kept);
  module.buffer_args.resize(kept);
}

}  // namespace

kernel::Module lower(const ir::Stencil& stencil, const plan::Schedule& schedule,
                     plan::Target target) {
  kernel::Module module;
  Context context(stencil);
  module.name = Names().claim_global(stencil.name);
  context.names.claim(module.name +
                      "_run");  // the C entry, which is called where fields are in scope
  claim_names(context, module);
  claim_buffers(context, module);
  kernel::Kernel& kernel = module.kernel;
  kernel.name = "step";
  kernel.rank = stencil.rank();
  for (const std::string& param : context.params)
    kernel.params.push_back({param, module.params[&param - context.params.data()].type});
  for (const std::string& extent : context.extents)
    kernel.params.push_back({extent, kernel::Type::index});
  for (const std::string& stride : module.strides)
    kernel.params.push_back({stride, kernel::Type::index});
  for (int a = 0; a < 3; ++a) {
    kernel.threads[a] = schedule.threads[a];
    kernel.tile[a] = schedule.tile()[a];
  }
  module.steps = stencil.steps();
  lower_invariants(context);
  kernel.body =
      target == plan::Target::cpu ? lower_loops(context) : lower_blocks(context, schedule);
  drop_unused(module);
  return module;
}

}  // namespace stencilc::lower
