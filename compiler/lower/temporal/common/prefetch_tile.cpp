// Rows of a tile that a block holds: where they come from, and which of them warps lend.
#include <set>

#include "lower/boundary/ghost_cell.h"
#include "lower/context/build.h"
#include "lower/temporal/common/tile_layout.h"
#include "plan/temporal/resident_tile.h"

namespace stencilc::lower {

using kernel::Body;
using kernel::ExprPtr;
using kernel::index;

const std::vector<int>& Strip::lent_levels(int field) const {
  if (lent_.empty()) {
    std::vector<std::set<int>> levels(context_.stencil.fields.size());
    for (const plan::Launch& pass : plan::passes_of(context_.stencil))
      for (const plan::PassRead& read : plan::reads_of_pass(context_.stencil, pass))
        if (read.below + read.above > 0) levels[read.field].insert(read.level);
    for (const std::set<int>& of_field : levels)
      lent_.emplace_back(of_field.begin(), of_field.end());
  }
  return lent_[field];
}

int Strip::lent_places(int field) const {
  return temporal_.dwells ? static_cast<int>(lent_levels(field).size()) : temporal_.steps - 1;
}

ExprPtr Strip::lent_level(const ExprPtr& turn, int n, const ExprPtr& p, const ExprPtr& row) const {
  const int rows = schedule_.threads[1] * lent();
  ExprPtr place = kernel::add(turn, plan::lending_turns(context_.rank()) * n);
  if (p) place = kernel::add(kernel::mul(place, index(schedule_.planes)), p);
  return kernel::add(kernel::mul(place, index(rows)), row);
}

void Strip::name_dwelling(Stepped& one, Body& body) {
  const ir::Field& field = context_.stencil.fields[one.field];
  const bool output = field.role == ir::Role::output;
  const kernel::Buffer& memory =
      output ? context_.targets[one.field] : context_.levels[one.field][0];
  if (const int places = lent_places(one.field); places > 0)
    one.lent = shared(field.name + "_lent", memory.element,
                      plan::lending_turns(context_.rank()) * places * schedule_.planes *
                          schedule_.threads[1] * lent(),
                      body);
  Names names = context_.names;
  std::vector<ExprPtr> at;
  for (const std::string& axis : context_.axes) at.push_back(kernel::var("cell_" + axis));
  if (output) return;
  if (const std::optional<Places> places = places_anywhere(context_, one.field, 0, at, names))
    one.beyond = places->beyond;
  one.at = declare_cell(one.field, 0, field.name + "_at", body);
  if (plan::has_before(field))
    one.before_at = declare_cell(one.field, -1, field.name + "_prev_at", body);
}

std::string Strip::declare_cell(int field, int level, const std::string& wanted, Body& body) {
  kernel::Local local{context_.names.claim(wanted), {}, {}, ""};
  Names names = context_.names;
  std::vector<ExprPtr> at;
  for (const std::string& axis : context_.axes) {
    local.params.push_back(names.claim("cell_" + axis));
    at.push_back(kernel::var(local.params.back()));
  }
  local.body = cell_anywhere(context_, field, level, at, names);
  wrap_once(local.body);
  body.push_back({kernel::Note{"A cell of " + context_.stencil.fields[field].name +
                               (level == 0 ? "" : " at t-1") +
                               ", by its boundary where it lies beyond the rim."}});
  body.push_back({local});
  return local.name;
}

kernel::Stmt Strip::load_row(const kernel::Copy& to, const std::string& cell,
                             const std::vector<ExprPtr>& at, Names& names, Body& body) const {
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
