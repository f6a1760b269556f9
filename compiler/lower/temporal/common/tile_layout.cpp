#include "lower/temporal/common/tile_layout.h"

#include <algorithm>
#include <optional>

#include "lower/boundary/ghost_cell.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::index;
using kernel::pick;

void TemporalTile::lay_out(kernel::Kernel& kernel, Body& body) {
  map_threads(body);
  name_rows(body);
  if (!temporal_.resident_tile) declare_prefetch(body);
  kernel.shared = shared_;
}

ExprPtr TemporalTile::constant(const std::string& wanted, int64_t value) const {
  if (value < 2) return index(value);
  for (const Context::Named& one : context_.constants)
    if (one.wanted == wanted && one.value == value) return kernel::named(value, one.name);
  const std::string name = context_.names.claim(wanted);
  context_.constants.push_back({wanted, name, value});
  return kernel::named(value, name);
}

std::string TemporalTile::spelt(const Factors& factors) const {
  std::string text;
  for (const auto& [wanted, value] : factors)
    if (value != 1) {
      const ExprPtr factor = constant(wanted, value);
      const auto* number = kernel::as<kernel::Int>(factor);
      text += (text.empty() ? "" : " * ") +
              (number->name.empty() ? std::to_string(value) : number->name);
    }
  return text.empty() ? "1" : text;
}

void TemporalTile::spell_registers(kernel::Buffer& buffer, const Factors& rows) const {
  buffer.registers.text = spelt({{"width", buffer.registers}});
  buffer.rows.text = spelt(rows);
}

void TemporalTile::give_constants(kernel::Kernel& kernel) const {
  for (const Context::Named& one : context_.constants)
    kernel.constants.emplace_back(one.name, one.value);
}

ExprPtr TemporalTile::own() const { return kernel::mul(lane_, width()); }

ExprPtr TemporalTile::in_grid(const ExprPtr& at, int axis) const {
  return kernel::both(kernel::bin(BinOp::ge, at, index(0)),
                      kernel::bin(BinOp::lt, at, extent(axis)));
}
ExprPtr TemporalTile::in_rows(const ExprPtr& y) const { return in_grid(y, context_.rank() - 1); }

const Stepped& TemporalTile::stepped(int field) const {
  return *std::find_if(fields.begin(), fields.end(),
                       [&](const Stepped& one) { return one.field == field; });
}

kernel::Stmt TemporalTile::prefetch(const ExprPtr& row, const ExprPtr& slot,
                                    const ExprPtr& before_slot, bool at_ends) const {
  std::vector<ExprPtr> args = {row, slot};
  if (before_slot) args.push_back(before_slot);
  return {kernel::Perform{prefetch_, !prefetch_tells_ends ? -1 : at_ends ? 1 : 0, args}};
}

// The lane, and the tile and the rows of its warp.
void TemporalTile::map_threads(Body& body) {
  Names& names = context_.names;
  lane_ =
      declare("lane", kernel::make(kernel::Type::index, kernel::Place{kernel::Place::thread, 0}),
              names, body);
  if (is_tile()) {
    declare_warp(body);
    map_tile(body);
  } else {
    body.push_back({kernel::Let{context_.axes[0], kernel::add(first_cell, own())}});
    x = kernel::var(context_.axes[0]);
  }
  if (is_column())
    map_column(body);
  else
    map_row(body);
  declare_stores(body);
}

void TemporalTile::map_row(Body& body) {
  Names& names = context_.names;
  body.push_back(
      {kernel::Note{wraps(0) ? "Lanes outside the row load the cells that wrap around."
                             : "Lanes outside the row load any cell: their ghost cells are "
                               "computed from the row."}});
  const ExprPtr in_row =
      kernel::both(kernel::bin(BinOp::ge, x, index(0)), kernel::bin(BinOp::lt, x, extent(0)));
  from_ =
      declare("from_" + context_.axes[0],
              wraps(0) ? wrapped(x, 0) : pick(unless_inside(0, in_row), x, index(0)), names, body);
  ExprPtr loads = unless_inside(
      0, kernel::both(kernel::var(context_.aligned, kernel::Type::boolean),
                      kernel::bin(BinOp::le, kernel::add(from_, width()), extent(0))));
  if (wraps(0)) {
    // Where a grid is narrower than a tile, that may wrap more than once.
    // A condition that is too long for a line stands in two.
    if (temporal_.bits) loads = declare("fits", loads, names, body);
    if (!is_tile()) loads = kernel::both(loads, kernel::bin(BinOp::ge, from_, index(0)));
    loads = kernel::both(loads,
                         kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, from_, width()), index(0)));
  }
  loads_ = declare("loads", loads, names, body);
  if (temporal_.ends_with_rows) {
    ExprPtr follow = kernel::bin(BinOp::le, kernel::add(from_, width()), extent(0));
    if (wraps(0)) follow = kernel::both(kernel::bin(BinOp::ge, from_, index(0)), follow);
    if (!wraps(0) && corner)
      follow = kernel::either(kernel::make(kernel::Type::boolean, kernel::Not{corner}), follow);
    body.push_back({kernel::Note{"A tile that was shifted copies its cells one by one."}});
    follow_ = declare("contiguous", follow, names, body);
  }
  whole = declare(
      "whole",
      kernel::both(kernel::var(context_.aligned, kernel::Type::boolean),
                   kernel::both(kernel::bin(BinOp::ge, x, index(0)),
                                kernel::bin(BinOp::le, kernel::add(x, width()), extent(0)))),
      names, body);
}

// All of its vectors lie in rows, or wrap around.
void TemporalTile::map_column(Body& body) {
  Names& names = context_.names;
  whole = kernel::var(context_.aligned, kernel::Type::boolean);
  from_ = x;
  loads_ = unless_inside(0, whole);
  if (wraps(0)) {
    body.push_back({kernel::Note{"Lanes outside the row load the cells that wrap around."}});
    from_ = declare("from_" + context_.axes[0], wrapped(x, 0), names, body);
    if (schedule_.vector > 1)
      loads_ = kernel::both(
          loads_, unless_inside(0, kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, from_, width()),
                                               index(0))));
  }
  loads_ = declare("loads", loads_, names, body);
}

bool TemporalTile::wraps(int axis) const {
  return std::any_of(context_.stencil.fields.begin(), context_.stencil.fields.end(),
                     [&](const ir::Field& field) {
                       return field.role == ir::Role::stepped &&
                              field.boundary.sides[axis][0].edge == ir::Edge::periodic;
                     });
}

// Less than an extent beyond the ends.
ExprPtr TemporalTile::wrapped(const ExprPtr& at, int axis) const {
  const ExprPtr end = extent(axis);
  return pick(kernel::bin(BinOp::lt, at, index(0)), kernel::add(at, end),
              pick(kernel::bin(BinOp::ge, at, end), kernel::bin(BinOp::sub, at, end), at));
}

kernel::Buffer TemporalTile::shared(const std::string& name, kernel::Type element,
                                    const Factors& factors, Body& body) {
  int rows = 1;
  for (const auto& [wanted, value] : factors) rows *= static_cast<int>(value);
  kernel::Buffer buffer;
  buffer.name = context_.names.claim(name);
  buffer.element = element;
  buffer.writable = true;
  buffer.shared = true;
  buffer.registers = cells();
  buffer.rows = rows;
  buffer.rows.text = spelt(factors);
  buffer.registers.text = spelt({{"row_cells", cells()}});
  const kernel::Count place(shared_,
                            shared_ > 0 ? spelt({{buffer.name + "_offset", shared_}}) : "");
  body.push_back({kernel::Array{buffer, false, place}});
  shared_ += rows * cells() * kernel::bytes_of(element);
  return buffer;
}

// What stands for the rows of each field, in memory and near the boundary.
void TemporalTile::name_rows(Body& body) {
  const int warps = schedule_.threads[1];
  for (size_t f = 0; f < context_.stencil.fields.size(); ++f) {
    const ir::Role role = context_.stencil.fields[f].role;
    if (role != ir::Role::stepped && !(temporal_.resident_tile && role == ir::Role::output))
      continue;
    Stepped one;
    one.field = static_cast<int>(f);
    if (temporal_.resident_tile) {
      name_resident_field(one, body);
      fields.push_back(one);
      continue;
    }
    const kernel::Buffer& memory = context_.levels[f][0];
    one.row.name = context_.names.claim(memory.name + (is_tile() ? "_rows" : "_row"));
    one.row.element = memory.element;
    one.row.writable = true;
    one.row.registers = schedule_.vector;
    if (is_tile()) {
      one.row.rows = (temporal_.steps + 1) * schedule_.rows;
      spell_registers(one.row, {{"rows", schedule_.rows}});
      one.row.rows.text = "(" + spelt({{"max_steps", temporal_.steps}}) + " + 1)" +
                          (schedule_.rows > 1 ? " * " + one.row.rows.text : "");
    } else {
      one.row.registers.text = spelt({{"width", schedule_.vector}});
    }
    const Factors rows =
        is_tile() ? Factors{{"tile_rows", tile_rows()}} : Factors{{"warps", warps}};
    const auto with = [](Factors some, const Factors& more) {
      some.insert(some.end(), more.begin(), more.end());
      return some;
    };
    const int steps = temporal_.steps - (is_tile() ? 1 : 0);
    const Factors of_steps = {{is_tile() ? "halo_steps" : "max_steps", steps}};
    if (fields.empty()) note_ring(body);
    one.ahead =
        shared(memory.name + "_ring", memory.element,
               with(is_tile() ? Factors{{"ring_rows", temporal_.loaded_rows(schedule_)}} : rows,
                    {{"ring_depth", depth()}}),
               body);
    if (plan::has_before(context_.stencil.fields[f])) {
      const std::string& before = context_.levels[f][1].name;
      one.before = one.row;
      one.before->rows = 1;
      one.before->name = is_tile() ? before + "_row" : context_.names.claim(before + "_row");
      one.before->rows.text.clear();
      const Factors slots = {is_tile()
                                 ? std::pair<std::string, int64_t>("old_depth", schedule_.ahead + 1)
                                 : std::pair<std::string, int64_t>("ring_depth", depth())};
      one.before_ahead = shared(before + "_ring", memory.element, with(rows, slots), body);
      if (is_tile())
        one.past = shared(memory.name + "_past", memory.element,
                          with({{"past_planes", temporal_.past_planes()}}, rows), body);
    }
    if (is_tile()) {
      if (fields.empty())
        body.push_back({kernel::Note{
            "Halo rows that warps exchange, double buffered: one barrier a plane is enough."}});
      one.halo = shared(
          memory.name + "_halo", memory.element,
          with({{"halo_buffers", 2}}, with(of_steps, {{"step_halo", warps * halo_rows()}})), body);
    }
    const bool waits =
        !is_tile() || plan::ghosts_are_copies(context_.stencil.fields[f].boundary, 2);
    if (temporal_.held > 0 && waits) {
      one.held =
          is_tile() && temporal_.past_is_held()
              ? one.past
              : shared(memory.name + "_held", memory.element,
                       with(with(rows, of_steps), {{is_tile() ? "held" : "held", temporal_.held}}),
                       body);
      one.held_at = context_.names.claim(memory.name + "_held_at");
    }
    fields.push_back(one);
  }
  for (Stepped& one : fields) {
    if (!temporal_.resident_tile) declare_at(one, body);
    if (one.held_at.empty()) continue;
    body.push_back({kernel::Note{"A cell of " + context_.stencil.fields[one.field].name +
                                 " at a later time step. The last " +
                                 (temporal_.held == 1 ? "" : std::to_string(temporal_.held) + " ") +
                                 (is_tile() ? "plane" : "row") +
                                 (temporal_.held == 1 ? " is" : "s are") + " held."}});
    body.push_back({cell_of_held(one)});
  }
  name_inputs(body);
  if (!inputs.empty() ||
      (!is_column() && std::any_of(fields.begin(), fields.end(),
                                   [](const Stepped& one) { return one.before.has_value(); })))
    declare_before_at(body);
  for (Stepped& one : fields)
    if (is_tile() && !one.halo.name.empty()) declare_beside(one, body);
}

void TemporalTile::declare_at(Stepped& one, Body& body) {
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
    if (is_column()) return;  // which copies rows, or lays that in their place
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
  if (is_tile()) wrap_once(local.body);
  body.push_back({std::move(local)});
}

// What is asked for lies less than an extent beyond an end.
void TemporalTile::wrap_once(Body& body) const {
  for (kernel::Stmt& stmt : body) {
    auto* let = std::get_if<kernel::Let>(&stmt.node);
    const auto* call = let ? kernel::as<kernel::Call>(let->value) : nullptr;
    if (!call || call->function != kernel::Fn::wrap) continue;
    const auto* end = kernel::as<kernel::Var>(call->args[1]);
    for (int a = 0; end && a < context_.rank(); ++a) {
      if (end->name != context_.extents[a]) continue;
      let->value = wrapped(ExprPtr(call->args[0]), a);
      break;  // `call` and `end` were parts of the value
    }
  }
}

// The row of the ring of held rows where row y of time step t+k is.
ExprPtr TemporalTile::held_row(const ExprPtr& y, const ExprPtr& k) const {
  ExprPtr row = kernel::add(kernel::mul(warp, constant("max_steps", temporal_.steps)), k);
  if (temporal_.held == 1) return row;
  const ExprPtr held = constant("held", temporal_.held);
  return kernel::add(kernel::mul(row, held), kernel::bin(BinOp::mod, y, held));
}

ExprPtr TemporalTile::row_of(const ExprPtr& of, const ExprPtr& r) const {
  return kernel::add(kernel::mul(of, warp_rows()), r);
}

ExprPtr TemporalTile::ahead_row(const ExprPtr& slot, const ExprPtr& row) const {
  return kernel::add(kernel::mul(slot, constant("ring_rows", temporal_.loaded_rows(schedule_))),
                     kernel::add(row, temporal_.below));
}

ExprPtr TemporalTile::held_row(const ExprPtr& z, const ExprPtr& k, const ExprPtr& row) const {
  if (temporal_.past_is_held()) return past_row(k, index(0), row);
  ExprPtr plane = kernel::add(k, -1);
  if (temporal_.held > 1)
    plane = kernel::add(kernel::mul(plane, constant("held", temporal_.held)),
                        kernel::bin(BinOp::mod, z, constant("held", temporal_.held)));
  return kernel::add(kernel::mul(plane, constant("tile_rows", tile_rows())), row);
}

ExprPtr TemporalTile::halo_row(const ExprPtr& parity, const ExprPtr& k, const ExprPtr& row) const {
  const ExprPtr step = kernel::add(kernel::mul(parity, constant("halo_steps", temporal_.steps - 1)),
                                   kernel::add(k, -1));
  return kernel::add(kernel::mul(step, step_halo()), row);
}

ExprPtr TemporalTile::halo_of(const ExprPtr& of, int row) const {
  return kernel::add(kernel::mul(of, constant("warp_halo", halo_rows())), row);
}

ExprPtr TemporalTile::past_row(const ExprPtr& k, const ExprPtr& slot, const ExprPtr& row) const {
  const ExprPtr plane = kernel::add(kernel::mul(k, constant("past_depth", temporal_.past())), slot);
  return kernel::add(kernel::mul(plane, constant("tile_rows", tile_rows())), row);
}

ExprPtr TemporalTile::before_row(const ExprPtr& slot, const ExprPtr& row) const {
  return kernel::add(kernel::mul(slot, constant("tile_rows", tile_rows())), row);
}

// Beyond the ends of the streamed axis alone: what lies beside a tile is made by columns().
kernel::Local TemporalTile::cell_of_held(const Stepped& one) {
  kernel::Local local{one.held_at, {}, {}, ""};
  Names names = context_.names;
  for (const std::string& axis : context_.axes) local.params.push_back(names.claim("cell_" + axis));
  local.params.push_back(names.claim("k"));
  const ExprPtr k = kernel::var(local.params.back());
  std::vector<ExprPtr> place;
  for (int a = 0; a < context_.rank(); ++a) place.push_back(kernel::var(local.params[a]));
  const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>& at, bool, Names& inner,
                         Body& body) -> ExprPtr {
    ExprPtr row = is_tile() ? held_row(at[2], k, kernel::bin(BinOp::sub, place[1], below_))
                            : held_row(at[1], k);
    if (temporal_.held > 1) row = declare("held_row", row, inner, body);
    return kernel::make(one.held.element,
                        kernel::Load{one.held, kernel::bin(BinOp::sub, place[0], first_cell), row});
  };
  local.body = cell_anywhere(context_, one.field, 0, place, names, fetch, context_.rank() - 1);
  return local;
}

AtStep::AtStep(Context& context, const ExprPtr& k, Names& names, Body& body)
    : context_(context), first_(context.time) {
  if (first_.empty()) return;
  const ExprPtr steps = kernel::make(kernel::Type::i64, kernel::Convert{k});
  context_.time = names.claim("now");
  body.push_back({kernel::Let{
      context_.time, kernel::bin(BinOp::add, kernel::var(first_, kernel::Type::i64), steps)}});
}

}  // namespace stencilc::lower
