#include "driver/pipeline/workspace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/include/stencil/workspace.h"

namespace stencilc::driver {
namespace {

// The shape of a stencil::Grid, with the halo of the widest.
stencil::Shape shape_of(const ir::Stencil& stencil, const std::array<int64_t, 3>& extents) {
  stencil::Halo<3> halo;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Offset own = ir::ghost_halo(stencil, static_cast<int>(f));
    if (stencil.fields[f].along[0])
      for (int a = 0; a < stencil.rank(); ++a)
        halo.at[a] = std::max(halo.at[a], static_cast<int64_t>(own[a]));
  }
  if (stencil.rank() == 1)
    return stencil::padded_shape<1>({extents[0]}, stencil::Halo<1>{{halo.at[0]}});
  if (stencil.rank() == 2)
    return stencil::padded_shape<2>({extents[0], extents[1]},
                                    stencil::Halo<2>{{halo.at[0], halo.at[1]}});
  return stencil::padded_shape<3>({extents[0], extents[1], extents[2]}, halo);
}

// "(nx + 2) * (ny + 4) - nx * ny"
std::string ghost_cells(const kernel::Module& module, const kernel::Temporary& one) {
  std::vector<std::string> with, without;
  for (size_t a = 0; a < module.extents.size(); ++a) {
    const std::string& extent = module.extents[a];
    with.push_back(one.ghosts[a] == 0 ? extent
                                      : fmt::format("({} + {})", extent, 2 * one.ghosts[a]));
    without.push_back(extent);
  }
  return fmt::format("{} - {}", fmt::join(with, " * "), fmt::join(without, " * "));
}

}  // namespace

std::vector<std::string> kept_values(const ir::Stencil& placed) {
  std::vector<std::string> names;
  for (const ir::Field& field : placed.fields)
    if (field.temporary) names.push_back(field.name);
  return names;
}

std::vector<std::string> setup_values_of(const ir::Stencil& placed) {
  std::vector<std::string> names;
  for (const ir::Field& field : placed.fields)
    if (field.setup) names.push_back(field.name);
  return names;
}

uint64_t workspace_bytes(const ir::Stencil& placed, const std::array<int64_t, 3>& extents) {
  if (kept_values(placed).empty()) return 0;
  stencil::WorkspaceSize size(shape_of(placed, extents));
  for (const ir::Field& field : placed.fields)
    if (field.temporary)
      size.add(static_cast<size_t>(ir::bytes(field.type)),
               {{field.ghosts[0], field.ghosts[1], field.ghosts[2]}});
  return size.bytes();
}

std::string workspace_formula(const kernel::Module& module) {
  if (module.temporaries.empty()) return "0";
  // Elements from the first cell to the end of the last row.
  std::string span = module.extents[0];
  for (size_t a = 1; a < module.extents.size(); ++a)
    span += fmt::format(" + ({} - 1) * {}", module.extents[a], module.strides[a - 1]);
  if (module.extents.size() > 1) span = "(" + span + ")";
  std::string text = std::to_string(stencil::detail::kValueAlignment);
  for (const kernel::Temporary& one : module.temporaries) {
    const int bytes = kernel::bytes_of(one.type);
    std::string value =
        fmt::format("up({} * {}, {})", bytes, span, stencil::detail::kGhostAlignment);
    if (!one.ghosts.empty()) value += fmt::format(" + {} * ({})", bytes, ghost_cells(module, one));
    text += fmt::format(" + up({}, {})", value, stencil::detail::kValueAlignment);
  }
  return text;
}

}  // namespace stencilc::driver
