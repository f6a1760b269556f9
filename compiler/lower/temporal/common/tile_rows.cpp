#include "lower/temporal/common/tile_rows.h"

#include <algorithm>
#include <optional>
#include <set>

#include "lower/boundary/ghost_cell.h"
#include "lower/context/build.h"
#include "plan/temporal/resident_tile.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

const Stepped& TileRows::stepped(int field) const {
  return *std::find_if(fields.begin(), fields.end(),
                       [&](const Stepped& one) { return one.field == field; });
}

kernel::Buffer TileRows::shared(const std::string& name, kernel::Type element,
                                const Factors& factors, Body& body) {
  int rows = 1;
  for (const auto& [wanted, value] : factors) rows *= static_cast<int>(value);
  kernel::Buffer buffer;
  buffer.name = context_.names.claim(name);
  buffer.element = element;
  buffer.writable = true;
  buffer.shared = true;
  buffer.registers = layout_.cells();
  buffer.rows = rows;
  buffer.rows.text = layout_.spelt(factors);
  buffer.registers.text = layout_.spelt({{"row_cells", layout_.cells()}});
  body.push_back({kernel::Array{
      buffer, false,
      shared_ > 0 ? context_.count(buffer.name + "_offset", shared_) : kernel::Count(0)}});
  shared_ += rows * layout_.cells() * kernel::bytes_of(element);
  return buffer;
}

// What stands for the rows of each field, in memory and near the boundary.
void TileRows::declare(Body& body) {
  const int warps = schedule_.threads[1];
  for (size_t f = 0; f < context_.stencil.fields.size(); ++f) {
    const ir::Role role = context_.stencil.fields[f].role;
    if (role != ir::Role::stepped && !(temporal_.resident_tile() && role == ir::Role::output))
      continue;
    Stepped one;
    one.field = static_cast<int>(f);
    if (temporal_.resident_tile()) {
      name_resident_field(one, body);
      fields.push_back(one);
      continue;
    }
    const kernel::Buffer& memory = context_.levels[f][0];
    one.row.name = context_.names.claim(memory.name + (layout_.is_tile() ? "_rows" : "_row"));
    one.row.element = memory.element;
    one.row.writable = true;
    one.row.registers = schedule_.vector;
    if (layout_.is_tile()) {
      one.row.rows = (temporal_.steps + 1) * schedule_.rows;
      layout_.spell_registers(one.row, {{"rows", schedule_.rows}});
      one.row.rows.text = "(" + layout_.spelt({{"max_steps", temporal_.steps}}) + " + 1)" +
                          (schedule_.rows > 1 ? " * " + one.row.rows.text : "");
    } else {
      one.row.registers.text = layout_.spelt({{"width", schedule_.vector}});
    }
    const Factors rows =
        layout_.is_tile() ? Factors{{"tile_rows", layout_.tile_rows()}} : Factors{{"warps", warps}};
    const auto with = [](Factors some, const Factors& more) {
      some.insert(some.end(), more.begin(), more.end());
      return some;
    };
    const int steps = temporal_.steps - (layout_.is_tile() ? 1 : 0);
    const Factors of_steps = {{layout_.is_tile() ? "halo_steps" : "max_steps", steps}};
    if (fields.empty()) note_ring(body);
    one.ahead = shared(
        memory.name + "_ring", memory.element,
        with(layout_.is_tile() ? Factors{{"ring_rows", temporal_.loaded_rows(schedule_)}} : rows,
             {{"ring_depth", ring.depth()}}),
        body);
    if (plan::has_before(context_.stencil.fields[f])) {
      const std::string& before = context_.levels[f][1].name;
      one.before = one.row;
      one.before->rows = 1;
      one.before->name =
          layout_.is_tile() ? before + "_row" : context_.names.claim(before + "_row");
      one.before->rows.text.clear();
      const Factors slots = {layout_.is_tile()
                                 ? std::pair<std::string, int64_t>("old_depth", old.depth())
                                 : std::pair<std::string, int64_t>("ring_depth", ring.depth())};
      one.before_ahead = shared(before + "_ring", memory.element, with(rows, slots), body);
      if (layout_.is_tile())
        one.past = shared(memory.name + "_past", memory.element,
                          with({{"past_planes", temporal_.past_planes()}}, rows), body);
    }
    if (layout_.is_tile()) {
      if (fields.empty())
        body.push_back({kernel::Note{
            "Halo rows that warps exchange, double buffered: one barrier a plane is enough."}});
      one.halo = shared(
          memory.name + "_halo", memory.element,
          with({{"halo_buffers", 2}}, with(of_steps, {{"step_halo", warps * halo_rows()}})), body);
    }
    const bool waits =
        !layout_.is_tile() || plan::ghosts_are_copies(context_.stencil.fields[f].boundary, 2);
    if (temporal_.held > 0 && waits) {
      one.held = layout_.is_tile() && temporal_.past_is_held()
                     ? one.past
                     : shared(memory.name + "_held", memory.element,
                              with(with(rows, of_steps), {{"held", temporal_.held}}), body);
      one.held_at = context_.names.claim(memory.name + "_held_at");
    }
    fields.push_back(one);
  }
  for (Stepped& one : fields) {
    if (!temporal_.resident_tile()) declare_at(one, body);
    if (one.held_at.empty()) continue;
    body.push_back({kernel::Note{"A cell of " + context_.stencil.fields[one.field].name +
                                 " at a later time step. The last " +
                                 (temporal_.held == 1 ? "" : std::to_string(temporal_.held) + " ") +
                                 (layout_.is_tile() ? "plane" : "row") +
                                 (temporal_.held == 1 ? " is" : "s are") + " held."}});
    body.push_back({cell_of_held(one)});
  }
  name_inputs(body);
  if (!inputs.empty() ||
      (!layout_.is_column() && std::any_of(fields.begin(), fields.end(), [](const Stepped& one) {
        return one.before.has_value();
      })))
    declare_before_at(body);
}

void TileRows::declare_at(Stepped& one, Body& body) {
  const std::string name = context_.stencil.fields[one.field].name;
  kernel::Local local;
  Names names = context_.names;
  std::vector<ExprPtr> at;
  for (const std::string& axis : context_.axes) {
    local.params.push_back(names.claim("cell_" + axis));
    at.push_back(kernel::var(local.params.back()));
  }
  if (std::optional<Places> places = places_anywhere(context_, one.field, 0, at, names)) {
    one.ghost = places->ghost;
    if (layout_.is_column()) return;  // which copies rows, or lays that in their place
    one.at = context_.names.claim(name + "_index");
    local.body = std::move(places->body);
    body.push_back({kernel::Note{"Where a cell of " + name +
                                 " is in memory, or -1 for a constant ghost cell."}});
  } else {
    one.at = context_.names.claim(name + "_at");
    local.body = cell_anywhere(context_, one.field, 0, at, names);
    body.push_back({kernel::Note{"A cell of " + name + "; outside the grid it is a ghost cell."}});
  }
  local.name = one.at;
  if (layout_.is_tile()) wrap_once(local.body);
  body.push_back({std::move(local)});
}

std::string TileRows::declare_cell(int field, int level, const std::string& wanted, Body& body) {
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

// What is asked for lies less than an extent beyond an end.
void TileRows::wrap_once(Body& body) const {
  for (kernel::Stmt& stmt : body) {
    auto* let = std::get_if<kernel::Let>(&stmt.node);
    const auto* call = let ? kernel::as<kernel::Call>(let->value) : nullptr;
    if (!call || call->function != kernel::Fn::wrap) continue;
    const auto* end = kernel::as<kernel::Var>(call->args[1]);
    for (int a = 0; end && a < context_.rank(); ++a) {
      if (end->name != kernel::as<kernel::Var>(layout_.extent(a))->name) continue;
      let->value = layout_.wrapped(ExprPtr(call->args[0]), a);
      break;  // `call` and `end` were parts of the value
    }
  }
}

// Beyond the ends of the streamed axis alone: what lies beside a tile is made by columns().
kernel::Local TileRows::cell_of_held(const Stepped& one) const {
  kernel::Local local{one.held_at, {}, {}, ""};
  Names names = context_.names;
  for (const std::string& axis : context_.axes) local.params.push_back(names.claim("cell_" + axis));
  local.params.push_back(names.claim("k"));
  const ExprPtr k = kernel::var(local.params.back());
  std::vector<ExprPtr> place;
  for (int a = 0; a < context_.rank(); ++a) place.push_back(kernel::var(local.params[a]));
  const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>& at, bool, Names& inner,
                         Body& body) -> ExprPtr {
    ExprPtr row =
        layout_.is_tile()
            ? held_row(at[2], k, kernel::bin(BinOp::sub, place[1], layout_.first_tile_row()))
            : held_row(at[1], k);
    if (temporal_.held > 1) row = lower::declare("held_row", row, inner, body);
    return kernel::make(
        one.held.element,
        kernel::Load{one.held, kernel::bin(BinOp::sub, place[0], layout_.first_cell), row});
  };
  local.body = cell_anywhere(context_, one.field, 0, place, names, fetch, context_.rank() - 1);
  return local;
}

void TileRows::name_resident_field(Stepped& one, Body& body) {
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

// Of fields that no step makes: rows that wait in shared memory.
void TileRows::name_inputs(Body& body) {
  for (const int field : temporal_.inputs()) {
    const kernel::Buffer& memory = context_.levels[field][0];
    Waiting one;
    one.field = field;
    one.ahead = shared(memory.name + "_ring", memory.element,
                       {{"warps", schedule_.threads[1]}, {"ring_depth", ring.depth()}}, body);
    one.row.name = context_.names.claim(memory.name + "_row");
    one.row.element = memory.element;
    one.row.writable = true;
    one.row.registers = schedule_.vector;
    inputs.push_back(std::move(one));
  }
}

// It is read at the cell itself: outside the grid nothing is, but for what wraps around.
void TileRows::declare_before_at(Body& body) {
  before_at_ = context_.names.claim(inputs.empty() ? "before_index" : "own_index");
  kernel::Local local{before_at_, {}, {}, ""};
  Names names = context_.names;
  std::vector<ExprPtr> at;
  for (int a = 0; a < context_.rank(); ++a) {
    local.params.push_back(names.claim("cell_" + context_.axes[a]));
    const ExprPtr cell = kernel::var(local.params.back());
    at.push_back(kernel::call(kernel::Type::index,
                              layout_.wraps(a) ? kernel::Fn::wrap : kernel::Fn::clamp,
                              {cell, layout_.extent(a)}));
  }
  local.body.push_back({kernel::Return{linear_of_any(context_, at)}});
  const std::string what = inputs.empty() ? "a cell of t-1" : "a cell that is read by itself";
  body.push_back({kernel::Note{
      "Where " + what + " is in memory" +
      (layout_.wraps(0) || layout_.wraps(1) ? "." : "; none outside the grid is read.")}});
  body.push_back({std::move(local)});
}

// Why the ring is as deep as it is, and why warps that stream on their own need no barrier.
void TileRows::note_ring(Body& body) const {
  const auto rows_or_planes = [](int count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  if (layout_.is_tile()) {
    const int others = ring.behind();
    body.push_back({kernel::Note{"Prefetch ring of planes. The prefetch distance is " +
                                 rows_or_planes(schedule_.ahead, "plane") + "; " +
                                 (temporal_.unassigned_rows < 0
                                      ? "the slot of the previous plane is still read."
                                      : rows_or_planes(others, "more slot") +
                                            " hold planes for cells that no step assigns.")}});
    return;
  }
  const int more = ring.behind();
  body.push_back(
      {kernel::Note{"Prefetch ring of rows, one for each warp. The prefetch distance is " +
                    rows_or_planes(schedule_.ahead, "row") +
                    (more > 0 ? "; " + rows_or_planes(more, "more slot") +
                                    " hold rows until the last step has read them"
                              : "") +
                    ". A lane reads only what it copied itself, so no barrier is needed."}});
}

std::vector<std::vector<int>> TileRows::levels_exchanged(const ir::Stencil& stencil,
                                                         const plan::Temporal& temporal) {
  std::vector<std::vector<int>> result;
  if (!temporal.resident_tile()) return result;
  std::vector<std::set<int>> levels(stencil.fields.size());
  for (const plan::Launch& pass : plan::passes_of(stencil))
    for (const plan::PassRead& read : plan::reads_of_pass(stencil, pass))
      if (read.below + read.above > 0) levels[read.field].insert(read.level);
  for (const std::set<int>& of_field : levels)
    result.emplace_back(of_field.begin(), of_field.end());
  return result;
}

int TileRows::halo_places(int field) const {
  return temporal_.resident_tile() ? static_cast<int>(exchanged_levels(field).size())
                                   : temporal_.steps - 1;
}

ExprPtr TileRows::ahead_row(const ExprPtr& slot, const ExprPtr& row) const {
  return kernel::add(
      kernel::mul(slot, layout_.constant("ring_rows", temporal_.loaded_rows(schedule_))),
      kernel::add(row, temporal_.below));
}

ExprPtr TileRows::ahead_row(const ExprPtr& slot) const {
  return kernel::add(kernel::mul(layout_.warp, index(ring.count())), slot);
}

// The row of the ring of held rows where row y of time step t+k is.
ExprPtr TileRows::held_row(const ExprPtr& y, const ExprPtr& k) const {
  ExprPtr row =
      kernel::add(kernel::mul(layout_.warp, layout_.constant("max_steps", temporal_.steps)), k);
  if (temporal_.held == 1) return row;
  const ExprPtr held = layout_.constant("held", temporal_.held);
  return kernel::add(kernel::mul(row, held), kernel::bin(BinOp::mod, y, held));
}

ExprPtr TileRows::held_row(const ExprPtr& z, const ExprPtr& k, const ExprPtr& row) const {
  if (temporal_.past_is_held()) return past_row(k, index(0), row);
  ExprPtr plane = kernel::add(k, -1);
  if (temporal_.held > 1)
    plane = kernel::add(kernel::mul(plane, layout_.constant("held", temporal_.held)),
                        kernel::bin(BinOp::mod, z, layout_.constant("held", temporal_.held)));
  return kernel::add(kernel::mul(plane, layout_.constant("tile_rows", layout_.tile_rows())), row);
}

ExprPtr TileRows::past_row(const ExprPtr& k, const ExprPtr& slot, const ExprPtr& row) const {
  const ExprPtr plane = kernel::add(kernel::mul(k, index(past.count())), slot);
  return kernel::add(kernel::mul(plane, layout_.constant("tile_rows", layout_.tile_rows())), row);
}

ExprPtr TileRows::before_row(const ExprPtr& slot, const ExprPtr& row) const {
  return kernel::add(kernel::mul(slot, layout_.constant("tile_rows", layout_.tile_rows())), row);
}

ExprPtr TileRows::halo_row(const ExprPtr& parity, const ExprPtr& k, const ExprPtr& row) const {
  const ExprPtr step = kernel::add(
      kernel::mul(parity, layout_.constant("halo_steps", temporal_.steps - 1)), kernel::add(k, -1));
  return kernel::add(kernel::mul(step, step_halo()), row);
}

ExprPtr TileRows::halo_of(const ExprPtr& of, int row) const {
  return kernel::add(kernel::mul(of, layout_.constant("warp_halo", halo_rows())), row);
}

ExprPtr TileRows::halo_level(const ExprPtr& parity, int n, const ExprPtr& p,
                             const ExprPtr& row) const {
  ExprPtr slot = kernel::add(parity, plan::halo_buffers(context_.rank()) * n);
  if (p)
    slot = kernel::add(kernel::mul(slot, layout_.constant("tile_planes", schedule_.planes)), p);
  return kernel::add(kernel::mul(slot, step_halo()), row);
}

kernel::Stmt TileRows::load_row(const kernel::Copy& to, const std::string& cell,
                                const std::vector<ExprPtr>& at, const ExprPtr& held, Names& names,
                                Body& body) const {
  kernel::Copy copy = to;
  std::vector<ExprPtr> from = {layout_.load_x}, here = {layout_.x};
  for (size_t n = 0; n < at.size(); ++n) {
    const int axis = static_cast<int>(n) + 1;
    from.push_back(layout_.wraps(axis) ? lower::declare("from_" + context_.axes[axis],
                                                        layout_.wrapped(at[n], axis), names, body)
                                       : at[n]);
    here.push_back(at[n]);
  }
  copy.from_at = held ? linear(context_, from) : linear_of_any(context_, from);
  return {kernel::Fill{copy, held ? held : layout_.loads_whole, cell, here}};
}

// The constant outside the grid, as a row of each of some places, of which `row` says where it is.
Body TileRows::constant_rows(const kernel::Buffer& to, const ExprPtr& constant, int places,
                             const std::function<ExprPtr(const ExprPtr&)>& row) const {
  Names names = context_.names;
  For each = unrolled(names.claim("n"), 0, places);
  each.mark = For::plain;
  For loop = unrolled(names.claim("v"), 0, layout_.width());
  loop.body.push_back({kernel::Store{to, kernel::add(layout_.own(), kernel::var(loop.name)),
                                     constant, row(kernel::var(each.name))}});
  each.body.push_back({std::move(loop)});
  Body body;
  body.push_back({std::move(each)});
  return body;
}

}  // namespace stencilc::lower
