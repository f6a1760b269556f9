#include "lower/texture_loads.h"

#include <algorithm>

#include "lower/boundary/interior_split.h"
#include "lower/cell/addressing.h"

namespace stencilc::lower {
namespace {

// Values of a texel: those that a thread moves at once, 16 bytes at most. Cells on their way into
// shared memory are fetched one by one.
int texel_of(const plan::Schedule& schedule, kernel::Type element) {
  constexpr int kMost = 16;
  if (schedule.shared == plan::Shared::loads) return 1;
  return std::min(schedule.vector, kMost / kernel::bytes_of(element));
}

}  // namespace

void fetch_by_textures(Context& context, const plan::Schedule& schedule) {
  if (schedule.loads != plan::Loads::texture) return;
  for (size_t f = 0; f < context.levels.size(); ++f) {
    if (!ir::has_all_axes(context.stencil, context.stencil.fields[f])) continue;
    for (kernel::Buffer& level : context.levels[f])
      if (!level.writable) level.texel = texel_of(schedule, level.element);
    if (!context.launch.stores_field(context.stencil, static_cast<int>(f)))
      context.next[f].texel = texel_of(schedule, context.next[f].element);
  }
}

std::string loaded_all_the_same(const Context& context) {
  std::vector<ir::ExprPtr> values = values_of(context, true);
  for (const ir::ExprPtr& value : values_of(context, false)) values.push_back(value);
  for (const ir::ExprPtr& node : ir::nodes_of(values)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || !in_memory(context, *read)) continue;
    const kernel::Buffer& buffer = buffer_of(context, *read);
    const std::string field = "`" + context.stencil.fields[read->field].name + "`";
    if (buffer.writable) return "it stores into the memory of " + field + " that it reads";
    if (buffer.texel == 0) return field + " does not have all axes";
  }
  return "";
}

}  // namespace stencilc::lower
