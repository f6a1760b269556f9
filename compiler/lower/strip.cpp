#include "lower/strip.h"

#include <algorithm>
#include <optional>

#include "lower/anywhere.h"
#include "lower/fill.h"
#include "lower/standing.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

void Strip::lay_out(Body& body) {
  stand(body);
  name_rows(body);
  declare_ask(body);
}

ExprPtr Strip::own() const { return kernel::mul(lane_, index(schedule_.vector)); }

ExprPtr Strip::in_rows(const ExprPtr& y) const {
  return kernel::both(kernel::bin(BinOp::ge, y, index(0)), kernel::bin(BinOp::lt, y, extent(1)));
}

const Stepped& Strip::stepped(int field) const {
  return *std::find_if(fields.begin(), fields.end(),
                       [&](const Stepped& one) { return one.field == field; });
}

kernel::Stmt Strip::ask(const ExprPtr& row, const ExprPtr& place) const {
  return {kernel::Perform{ask_, -1, {row, place}}};
}

// The lane, the strip of its warp and the rows that it stores.
void Strip::stand(Body& body) {
  Names& names = context_.names;
  const auto thread = [](int axis) {
    return kernel::make(kernel::Type::index, kernel::Place{kernel::Place::thread, axis});
  };
  const auto block = [](int axis) {
    return kernel::make(kernel::Type::index, kernel::Place{kernel::Place::block, axis});
  };
  const int vector = schedule_.vector, chunk = schedule_.coarsen, warps = schedule_.threads[1];
  const int stored = temporal_.stored_lanes() * vector;
  lane_ = declare("lane", thread(0), names, body);
  warp_ = warps == 1 ? index(0) : declare("warp", thread(1), names, body);
  body.push_back({kernel::Note{"A warp has a strip of 32 vectors, of which it stores " +
                               std::to_string(temporal_.stored_lanes()) +
                               ": those at the ends lack neighbours."}});
  const ExprPtr last =
      declare("last_strip", kernel::bin(BinOp::idiv, kernel::add(extent(0), -1), index(stored)),
              names, body);
  body.push_back({kernel::Note{"The strips at the rim take longest, and come first."}});
  const ExprPtr column = declare("column", block(1), names, body);
  const ExprPtr number = declare(
      "number", pick(kernel::bin(BinOp::eq, column, index(0)), last, kernel::add(column, -1)),
      names, body);
  first_cell = declare(
      "strip", kernel::add(kernel::mul(number, index(stored)), -temporal_.left_lanes * vector),
      names, body);
  body.push_back({kernel::Let{context_.axes[0], kernel::add(first_cell, own())}});
  x = kernel::var(context_.axes[0]);
  first =
      declare("first_" + context_.axes[1],
              kernel::mul(kernel::add(kernel::mul(block(0), index(warps)), warp_), index(chunk)),
              names, body);
  const ExprPtr full = kernel::add(first, chunk);
  behind = declare("behind_" + context_.axes[1],
                   pick(kernel::bin(BinOp::lt, full, extent(1)), full, extent(1)), names, body);
  whole =
      declare("whole",
              kernel::both(kernel::var(context_.aligned, kernel::Type::boolean),
                           kernel::both(kernel::bin(BinOp::ge, x, index(0)),
                                        kernel::bin(BinOp::le, kernel::add(x, vector), extent(0)))),
              names, body);
  const int low = temporal_.left_lanes, high = temporal_.right_lanes;
  if (low + high > 0)
    stores = declare("stores",
                     kernel::both(kernel::bin(BinOp::ge, lane_, index(low)),
                                  kernel::bin(BinOp::lt, lane_, index(kLanes - high))),
                     names, body);
}

kernel::Buffer Strip::shared(const std::string& name, kernel::Type element, int rows) {
  kernel::Buffer buffer;
  buffer.name = context_.names.claim(name);
  buffer.element = element;
  buffer.writable = true;
  buffer.shared = true;
  buffer.registers = cells();
  buffer.rows = rows;
  return buffer;
}

// What stands for the rows of each field, in memory and near the rim.
void Strip::name_rows(Body& body) {
  const int warps = schedule_.threads[1];
  for (size_t f = 0; f < context_.stencil.fields.size(); ++f) {
    if (context_.stencil.fields[f].role != ir::Role::stepped) continue;
    const kernel::Buffer& memory = context_.levels[f][0];
    Stepped one;
    one.field = static_cast<int>(f);
    one.row.name = context_.names.claim(memory.name + "_row");
    one.row.element = memory.element;
    one.row.writable = true;
    one.row.registers = schedule_.vector;
    one.ahead = shared(memory.name + "_ahead", memory.element, warps * depth());
    body.push_back({kernel::Array{one.ahead}});
    if (temporal_.held > 0) {
      one.held =
          shared(memory.name + "_held", memory.element, warps * temporal_.steps * temporal_.held);
      one.held_at = context_.names.claim(memory.name + "_held_at");
      body.push_back({kernel::Array{one.held}});
    }
    fields.push_back(one);
  }
  for (Stepped& one : fields) {
    declare_at(one, body);
    if (one.held_at.empty()) continue;
    body.push_back({kernel::Note{"The same of a later time step, of which the last " +
                                 std::to_string(temporal_.held) +
                                 (temporal_.held == 1 ? " row is" : " rows are") + " held."}});
    body.push_back({cell_of_held(one)});
  }
}

void Strip::declare_at(Stepped& one, Body& body) {
  const std::string name = context_.stencil.fields[one.field].name;
  kernel::Local local;
  Names names = context_.names;
  std::vector<ExprPtr> at;
  for (const std::string& axis : context_.axes) {
    local.params.push_back(names.claim("cell_" + axis));
    at.push_back(kernel::var(local.params.back()));
  }
  if (std::optional<Places> places = places_anywhere(context_, one.field, 0, at, names)) {
    one.at = context_.names.claim(name + "_place");
    one.beyond = places->beyond;
    local.body = std::move(places->body);
    body.push_back({kernel::Note{"Where a cell of " + name +
                                 " is in memory, or what stands for it beyond the rim."}});
  } else {
    one.at = context_.names.claim(name + "_at");
    local.body = cell_anywhere(context_, one.field, 0, at, names);
    body.push_back(
        {kernel::Note{"A cell of " + name + ", by its boundary where it lies beyond the rim."}});
  }
  local.name = one.at;
  body.push_back({std::move(local)});
}

// The row of the ring of held rows where row y of time step t+k is.
ExprPtr Strip::held_row(const ExprPtr& y, const ExprPtr& k) const {
  ExprPtr row = kernel::add(kernel::mul(warp_, index(temporal_.steps)), k);
  if (temporal_.held == 1) return row;
  return kernel::add(kernel::mul(row, index(temporal_.held)),
                     kernel::bin(BinOp::mod, y, index(temporal_.held)));
}

// Beyond the ends of the marched axis alone: what lies beside a strip is made by columns().
kernel::Local Strip::cell_of_held(const Stepped& one) {
  kernel::Local local{one.held_at, {}, {}, ""};
  Names names = context_.names;
  for (const std::string& axis : context_.axes) local.params.push_back(names.claim("cell_" + axis));
  local.params.push_back(names.claim("k"));
  const ExprPtr x = kernel::var(local.params[0]), k = kernel::var(local.params[2]);
  const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>& at, bool, Names&,
                         Body&) -> ExprPtr {
    return kernel::make(
        one.held.element,
        kernel::Load{one.held, kernel::bin(BinOp::sub, x, first_cell), held_row(at[1], k)});
  };
  local.body =
      cell_anywhere(context_, one.field, 0, {x, kernel::var(local.params[1])}, names, fetch, 1);
  return local;
}

// Rows are copied ahead: each lane copies its own vector, and waits for no other.
void Strip::declare_ask(Body& body) {
  kernel::Local local{context_.names.claim("ask"), {}, {}, ""};
  Names names = context_.names;
  for (const char* param : {"row", "place"}) local.params.push_back(names.claim(param));
  const ExprPtr row = kernel::var(local.params[0]), place = kernel::var(local.params[1]);
  for (const Stepped& one : fields)
    local.body.push_back({kernel::AsyncCopy{one.ahead,
                                            ahead_row(place),
                                            own(),
                                            context_.levels[one.field][0],
                                            linear(context_, {x, row}),
                                            schedule_.vector,
                                            kernel::both(whole, in_rows(row)),
                                            one.at,
                                            {x, row},
                                            one.beyond}});
  local.body.push_back({kernel::Commit{}});
  ask_ = local.name;
  body.push_back({kernel::Note{"Each lane copies its vector of a row some rows ahead."}});
  body.push_back({std::move(local)});
}
ExprPtr Strip::ahead_row(const ExprPtr& place) const {
  return kernel::add(kernel::mul(warp_, index(depth())), place);
}

Body Strip::columns(int field, const kernel::Sides& sides, const ExprPtr& y, const Names& names) {
  Body body;
  const auto place = [&](const ExprPtr& cell) { return kernel::add(sides.own, cell); };
  const auto& ends = context_.stencil.fields[field].boundary.sides[0];
  // The cell so far beyond an end, whose last cell is `last` of the lane's own.
  const auto make = [&](int end, int distance, const ExprPtr& last, Names& inner, Body& to) {
    const plan::Beyond kind = plan::beyond(ends[end]);
    const int back = kind == plan::Beyond::next    ? distance
                     : kind == plan::Beyond::again ? distance - 1
                                                   : 0;
    const ExprPtr source = kernel::add(last, end == 0 ? back : -back);
    const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>&, bool, Names&, Body&) {
      return kernel::make(sides.to.element, kernel::Load{sides.to, place(source), sides.row});
    };
    const ExprPtr ghost = lower::declare(
        "beyond_" + context_.axes[0],
        end == 0 ? index(-distance) : kernel::add(extent(0), distance - 1), inner, to);
    EdgeTaps taps(context_, {ghost, y}, {end == 0 ? -1 : 1, 0, 0}, inner, to, fetch);
    const ExprPtr value = taps(ir::Read{field, 0, {}});
    const ExprPtr at = place(kernel::add(last, end == 0 ? -distance : distance));
    to.push_back({kernel::Store{sides.to, at, value, sides.row}});
  };
  if (plan::is_open(ends[0]) && sides.left > 0) {
    kernel::If low{kernel::bin(BinOp::eq, x, index(0)), {}, {}};
    Names inner = names;
    for (int d = 1; d <= sides.left; ++d) make(0, d, index(0), inner, low.yes);
    body.push_back({std::move(low)});
  }
  if (plan::is_open(ends[1]) && sides.right > 0) {
    Names inner = names;
    // Lanes before the last cell's read beyond it, too.
    For loop = unrolled(inner.claim("v"), 0, schedule_.vector + sides.right - 1);
    const ExprPtr v = kernel::var(loop.name);
    kernel::If high{kernel::bin(BinOp::eq, kernel::add(x, v), kernel::add(extent(0), -1)), {}, {}};
    make(1, 1, v, inner, high.yes);
    for (int d = 2; d <= sides.right; ++d) {
      kernel::If there{
          kernel::bin(BinOp::lt, v, index(schedule_.vector + sides.right - d)), {}, {}};
      Names own = inner;
      make(1, d, v, own, there.yes);
      high.yes.push_back({std::move(there)});
    }
    loop.body.push_back({std::move(high)});
    body.push_back({std::move(loop)});
  }
  return body;
}

}  // namespace stencilc::lower
