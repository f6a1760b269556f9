#include "lower/sweep.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;

namespace {

std::string next_name(const Context& context, const ir::Update& update) {
  return context.stencil.fields[update.field].name + "_next";
}

// low <= at < extent - high, along the axes where that says something. Null: everywhere.
ExprPtr domain(const Context& context, const ir::Update& update, const std::vector<ExprPtr>& at) {
  ExprPtr inside;
  for (int a = 0; a < context.rank(); ++a) {
    if (update.low[a] != 0)
      inside = kernel::both(inside, kernel::bin(BinOp::ge, at[a], kernel::index(update.low[a])));
    if (update.high[a] != 0)
      inside = kernel::both(inside, kernel::bin(BinOp::lt, kernel::add(at[a], update.high[a]),
                                                kernel::var(context.extents[a])));
  }
  return inside;
}

// The cell's own value at level t.
ir::Read centre(const ir::Update& update) { return {update.field, 0, {}}; }

void store(const Context& context, const ir::Update& update, const ExprPtr& i, const ExprPtr& value,
           Body& body) {
  body.push_back({kernel::Store{context.targets[update.field], i, value}});
}

}  // namespace

bool has_edges(const ir::Stencil& stencil) {
  const ir::Reach reach = ir::reach(stencil);
  return reach.low != ir::Offset{} || reach.high != ir::Offset{};
}

void interior_cell(Context& context, const std::vector<ExprPtr>& at, const ExprPtr& i,
                   Cell::Tap tap, Names& names, Body& body) {
  Cell cell(context, at, std::move(tap), names, body);
  std::vector<ExprPtr> values;
  for (const ir::Update& update : context.stencil.updates) {
    body.push_back({kernel::Line{update.line}});
    values.push_back(cell.value(update.value));
    body.push_back({kernel::Line{0}});
    // Every value before the first store: a store may overwrite the oldest level of a field that
    // others read.
    if (context.stencil.updates.size() > 1)
      values.back() = cell.named(values.back(), next_name(context, update));
  }
  for (size_t u = 0; u < values.size(); ++u)
    store(context, context.stencil.updates[u], i, values[u], body);
}

void edge_cell(Context& context, const std::vector<ExprPtr>& at, const ExprPtr& i, Names& names,
               Body& body) {
  const std::vector<ir::Update>& updates = context.stencil.updates;
  EdgeTaps everywhere(context, at, i, names, body);
  Cell cell(context, at, std::ref(everywhere), names, body);
  std::vector<ExprPtr> values;
  std::vector<ExprPtr> guards;
  for (const ir::Update& update : updates) {
    const ExprPtr inside = domain(context, update, at);
    const ir::Field& field = context.stencil.fields[update.field];
    guards.push_back(field.role == ir::Role::output ? inside : nullptr);
    body.push_back({kernel::Line{update.line}});
    if (!inside) {
      values.push_back(cell.value(update.value));
      if (updates.size() > 1) values.back() = cell.named(values.back(), next_name(context, update));
      body.push_back({kernel::Line{0}});
      continue;
    }
    // Outside its domain a stepped field keeps level t, an output is not written.
    const std::string name = names.claim(next_name(context, update));
    const kernel::Type type = type_of(field.type);
    const ExprPtr start = field.role == ir::Role::output ? constant(ir::Scalar{field.type})
                                                         : interior_tap(context, i, centre(update));
    body.push_back({kernel::Let{name, start, true}});
    kernel::If guarded{inside, {}, {}};
    Names inner = names;
    EdgeTaps taps(context, at, i, inner, guarded.yes);
    Cell part(context, at, std::ref(taps), inner, guarded.yes);
    const ExprPtr value = part.value(update.value);
    guarded.yes.push_back({kernel::Assign{name, value}});
    body.push_back({std::move(guarded)});
    body.push_back({kernel::Line{0}});
    values.push_back(kernel::var(name, type));
  }
  for (size_t u = 0; u < updates.size(); ++u) {
    if (!guards[u]) {
      store(context, updates[u], i, values[u], body);
      continue;
    }
    kernel::If guarded{guards[u], {}, {}};
    store(context, updates[u], i, values[u], guarded.yes);
    body.push_back({std::move(guarded)});
  }
}

}  // namespace stencilc::lower
