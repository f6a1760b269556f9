// Rows of a tile that a block holds: where they come from, and which of them warps exchange.
#include <set>

#include "lower/boundary/ghost_cell.h"
#include "lower/context/build.h"
#include "lower/temporal/common/tile_layout.h"
#include "plan/temporal/resident_tile.h"

namespace stencilc::lower {

using kernel::Body;
using kernel::ExprPtr;
using kernel::index;

const std::vector<int>& TemporalTile::exchanged_levels(int field) const {
  if (exchanged_levels_.empty()) {
    std::vector<std::set<int>> levels(context_.stencil.fields.size());
    for (const plan::Launch& pass : plan::passes_of(context_.stencil))
      for (const plan::PassRead& read : plan::reads_of_pass(context_.stencil, pass))
        if (read.below + read.above > 0) levels[read.field].insert(read.level);
    for (const std::set<int>& of_field : levels)
      exchanged_levels_.emplace_back(of_field.begin(), of_field.end());
  }
  return exchanged_levels_[field];
}

int TemporalTile::halo_places(int field) const {
  return temporal_.resident_tile ? static_cast<int>(exchanged_levels(field).size())
                                 : temporal_.steps - 1;
}

ExprPtr TemporalTile::halo_level(const ExprPtr& parity, int n, const ExprPtr& p,
                                 const ExprPtr& row) const {
  ExprPtr slot = kernel::add(parity, plan::halo_buffers(context_.rank()) * n);
  if (p) slot = kernel::add(kernel::mul(slot, constant("tile_planes", schedule_.planes)), p);
  return kernel::add(kernel::mul(slot, step_halo()), row);
}

void TemporalTile::name_resident_field(Stepped& one, Body& body) {
  const ir::Field& field = context_.stencil.fields[one.field];
  const bool output = field.role == ir::Role::output;
  const kernel::Buffer& memory =
      output ? context_.targets[one.field] : context_.levels[one.field][0];
  if (const int places = halo_places(one.field); places > 0)
    one.halo = shared(field.name + "_halo", memory.element,
                      {{"halo_buffers", plan::halo_buffers(context_.rank())},
                       {"halo_levels", places},
                       {"tile_planes", schedule_.planes},
                       {"step_halo", schedule_.threads[1] * halo_rows()}},
                      body);
  Names names = context_.names;
  std::vector<ExprPtr> at;
  for (const std::string& axis : context_.axes) at.push_back(kernel::var("cell_" + axis));
  if (output) return;
  if (const std::optional<Places> places = places_anywhere(context_, one.field, 0, at, names))
    one.ghost = places->ghost;
  one.at = declare_cell(one.field, 0, field.name + "_at", body);
  if (plan::has_before(field))
    one.before_at = declare_cell(one.field, -1, field.name + "_prev_at", body);
}

std::string TemporalTile::declare_cell(int field, int level, const std::string& wanted,
                                       Body& body) {
  kernel::Local local{context_.names.claim(wanted), {}, {}, ""};
  Names names = context_.names;
  std::vector<ExprPtr> at;
  for (const std::string& axis : context_.axes) {
    local.params.push_back(names.claim("cell_" + axis));
    at.push_back(kernel::var(local.params.back()));
  }
  local.body = cell_anywhere(context_, field, level, at, names);
  wrap_once(local.body);
  body.push_back(
      {kernel::Note{"A cell of " + context_.stencil.fields[field].name +
                    (level == 0 ? "" : " at t-1") + "; outside the grid it is a ghost cell."}});
  body.push_back({local});
  return local.name;
}

kernel::Stmt TemporalTile::load_row(const kernel::Copy& to, const std::string& cell,
                                    const std::vector<ExprPtr>& at, Names& names,
                                    Body& body) const {
  kernel::Copy copy = to;
  std::vector<ExprPtr> from = {from_}, here = {x};
  for (size_t n = 0; n < at.size(); ++n) {
    const int axis = static_cast<int>(n) + 1;
    from.push_back(wraps(axis)
                       ? declare("from_" + context_.axes[axis], wrapped(at[n], axis), names, body)
                       : at[n]);
    here.push_back(at[n]);
  }
  copy.from_at = linear(context_, from);
  return {kernel::Fill{copy, loads_, cell, here}};
}

}  // namespace stencilc::lower
