// What a caller must know of an emitted file, as JSON.
#include <nlohmann/json.hpp>

#include "driver/compile.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "generated/version.h"

namespace stencilc::driver {

using nlohmann::ordered_json;

std::string manifest(const Compiled& compiled) {
  const ir::Stencil& stencil = compiled.stencil;
  const kernel::Module& module = compiled.module;
  ordered_json fields = ordered_json::array(), params = ordered_json::array();
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    constexpr const char* kRoles[] = {"stepped", "input", "output"};
    ordered_json entry = {{"name", field.name},
                          {"argument", module.grids[f].name},
                          {"type", ir::name(field.type)},
                          {"role", kRoles[static_cast<int>(field.role)]},
                          {"levels", module.grids[f].level_names},
                          {"buffers", field.buffers()}};
    if (field.boundary.given) entry["boundary"] = ir::name(field.boundary.edge);
    if (field.boundary.given && field.boundary.edge == ir::Edge::constant)
      entry["boundary_value"] = ir::print(field.boundary.value);
    fields.push_back(std::move(entry));
  }
  for (size_t p = 0; p < stencil.params.size(); ++p) {
    const ir::Param& param = stencil.params[p];
    ordered_json entry = {
        {"name", param.name}, {"argument", module.params[p].name}, {"type", ir::name(param.type)}};
    if (param.has_default) entry["default"] = ir::print(param.value);
    params.push_back(std::move(entry));
  }
  const ir::Reach reach = ir::reach(stencil);
  const auto along = [&](const ir::Offset& offset) {
    return std::vector<int>(offset.begin(), offset.begin() + stencil.rank());
  };
  const ordered_json root = {{"stencilc", kVersion},
                             {"stencil", stencil.name},
                             {"namespace", module.name},
                             {"c_entry", emit::c_name(module)},
                             {"axes", stencil.axes},
                             {"fields", fields},
                             {"params", params},
                             {"steps", module.steps},
                             {"reach", {{"low", along(reach.low)}, {"high", along(reach.high)}}},
                             {"schedule", plan::print(compiled.schedule, stencil)}};
  return root.dump(2) + "\n";
}

}  // namespace stencilc::driver
