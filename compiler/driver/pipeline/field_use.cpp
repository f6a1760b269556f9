#include "driver/pipeline/field_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace stencilc::driver {
namespace {

// "clamp", or "x periodic, y.lo constant 1, y.hi clamp".
std::string boundary_text(const ir::Stencil& stencil, const ir::Boundary& boundary) {
  const auto text = [&](const ir::Side& side) {
    std::string kind(side.given ? ir::name(side.edge) : "not given");
    return side.value ? kind + " " + ir::print(side.value, stencil) : kind;
  };
  std::string sides;
  bool same = true;
  for (int a = 0; a < stencil.rank(); ++a) {
    const std::string low = text(boundary.sides[a][0]), high = text(boundary.sides[a][1]);
    same &= low == text(boundary.sides[0][0]) && low == high;
    const std::string& axis = stencil.axes[a];
    sides += fmt::format("{}{}", sides.empty() ? "" : ", ",
                         low == high ? fmt::format("{} {}", axis, low)
                                     : fmt::format("{0}.lo {1}, {0}.hi {2}", axis, low, high));
  }
  return same ? text(boundary.sides[0][0]) : sides;
}

}  // namespace

std::vector<FieldUse> fields_of(const ir::Stencil& stencil, const plan::Plan& plan) {
  std::vector<FieldUse> fields;
  std::vector<std::map<int, std::vector<ir::Offset>, std::greater<>>> points(stencil.fields.size());
  for (const ir::ExprPtr& node : ir::nodes_of(stencil)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read) continue;
    std::vector<ir::Offset>& seen = points[read->field][read->level];
    if (std::find(seen.begin(), seen.end(), read->offset) == seen.end())
      seen.push_back(read->offset);
  }
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    FieldUse use{
        std::string(ir::name(field.type)), field.name, field.role, {}, 0, "", plan.buffers[f]};
    for (const auto& [level, offsets] : points[f]) {
      use.points.emplace_back(level, static_cast<int>(offsets.size()));
      for (const ir::Offset& offset : offsets)
        for (const int along : offset) use.radius = std::max(use.radius, std::abs(along));
    }
    if (use.radius > 0) use.boundary = boundary_text(stencil, field.boundary);
    fields.push_back(std::move(use));
  }
  return fields;
}

}  // namespace stencilc::driver
