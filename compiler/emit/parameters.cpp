#include "emit/parameters.h"

#include "emit/spell.h"

namespace stencilc::emit {

std::vector<std::string> parameters(const kernel::Kernel& kernel, Dialect dialect) {
  const std::string restricted = dialect == Dialect::cuda ? "* __restrict__ " : "* __restrict ";
  std::vector<std::string> items;
  for (const kernel::Kernel::Map& map : kernel.maps)
    items.push_back("const __grid_constant__ st::Map " + map.name);
  for (const kernel::Buffer& buffer : kernel.buffers)
    items.push_back(
        buffer.constants != 0 ? "const stencil::Weights<" + spell(buffer.element) + ", " +
                                    std::to_string(buffer.constants) + "> " + buffer.name
        : buffer.texel != 0 ? "const st::Texture<" + texture_arguments(buffer) + "> " + buffer.name
        : buffer.entries
            ? "const st::Entries " + buffer.name
            : (buffer.writable ? "" : "const ") + spell(buffer.element) + restricted + buffer.name);
  for (const kernel::Param& param : kernel.params)
    items.push_back(spell(param.type) + " " + param.name);
  return items;
}

std::string partition_type(const kernel::Kernel& kernel) {
  return kernel.rank == 3 ? "st::Columns " : "st::Partition ";
}

}  // namespace stencilc::emit
