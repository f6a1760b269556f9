#include "emit/signature.h"

#include <algorithm>

#include "emit/spell.h"

namespace stencilc::emit {

bool rotates(const kernel::Grid& grid) {
  return grid.role == kernel::Grid::stepped && grid.buffers > 1;
}

bool has_halves(const kernel::Module& module) {
  const auto half = [](kernel::Type type) { return kernel::is_half(type); };
  return std::any_of(module.grids.begin(), module.grids.end(),
                     [&](const kernel::Grid& grid) { return half(grid.element); }) ||
         std::any_of(module.params.begin(), module.params.end(),
                     [&](const kernel::ScalarParam& param) { return half(param.type); });
}

namespace {
std::string c_type(kernel::Type type) {
  return type == kernel::Type::f16    ? "stencil_f16"
         : type == kernel::Type::bf16 ? "stencil_bf16"
                                      : spell(type);
}
}  // namespace

std::string c_name(const kernel::Module& module) { return module.name + "_run"; }

std::vector<std::string> shape_names(const kernel::Module& module, const std::string& prefix) {
  std::vector<std::string> names;
  for (const std::string& extent : module.extents) names.push_back(prefix + extent);
  for (const std::string& stride : module.strides) names.push_back(prefix + stride);
  return names;
}

std::vector<std::string> c_parameters(const kernel::Module& module, Dialect dialect) {
  std::vector<std::string> items;
  for (const kernel::Grid& grid : module.grids) {
    const std::string type = c_type(grid.element);
    if (rotates(grid))
      items.push_back(type + "* " + grid.name + "[" + std::to_string(grid.buffers) + "]");
    else
      items.push_back((grid.role == kernel::Grid::input ? "const " : "") + type + "* " + grid.name);
  }
  for (const std::string& name : shape_names(module, "int64_t ")) items.push_back(name);
  for (const kernel::ScalarParam& param : module.params)
    items.push_back(c_type(param.type) + " " + param.name);
  if (module.steps) items.push_back("int64_t steps");
  if (dialect == Dialect::cuda) items.push_back("cudaStream_t stream");
  return items;
}

std::vector<std::string> run_parameters(const kernel::Module& module) {
  std::vector<std::string> items = {"const Args& args"};
  if (module.steps) items.push_back("stencil::Steps steps");
  items.push_back("stencil::Stream stream");
  return items;
}

}  // namespace stencilc::emit
