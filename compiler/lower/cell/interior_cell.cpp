#include "lower/cell/interior_cell.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;

ExprPtr in_color(const Context& context, const std::vector<ExprPtr>& at) {
  const ir::Colors& colors = context.stencil.colors;
  if (colors.count() == 0 || context.launch.stores.empty()) return nullptr;
  ExprPtr sum = kernel::index(colors.shift);
  for (int a = 0; a < context.rank(); ++a)
    sum = kernel::add(sum, kernel::mul(kernel::index(colors.factor[a]), at[a]));
  return kernel::bin(BinOp::eq, kernel::bin(BinOp::mod, sum, kernel::index(colors.count())),
                     kernel::var(context.color));
}

kernel::Fold fold_of(ir::Reduction::Kind kind) {
  constexpr kernel::Fold kFolds[] = {kernel::Fold::sum, kernel::Fold::product, kernel::Fold::least,
                                     kernel::Fold::greatest, kernel::Fold::sum};
  return kFolds[kind];
}

ExprPtr identity_of(const Context& context, size_t n) {
  const ir::Reduction& reduction = context.stencil.reductions[context.launch.combines[n].reduction];
  return kernel::make(type_of(reduction.type), kernel::Identity{fold_of(reduction.kind)});
}

ExprPtr row_of(const Context& context, const std::vector<ExprPtr>& at) {
  if (context.rank() == 1) return kernel::index(0);
  if (context.rank() == 2) return at[1];
  return kernel::add(kernel::mul(at[2], context.box.extent(1)), at[1]);
}

namespace {

constexpr int kChoiceWidth = 60;

// In a variable of the fold's type: what C++ converts silently has another.
ExprPtr with_type(const ExprPtr& value, Cell& cell, const std::string& wanted, Names& names,
                  Body& body) {
  if (!kernel::as<kernel::Convert>(value)) return cell.named(value, wanted);
  const std::string name = names.claim(wanted);
  body.push_back({kernel::Let{name, value}});
  return kernel::var(name, value->type);
}

}  // namespace

Sink store_at(const Context& context, ExprPtr i) {
  return [&context, i = std::move(i)](int field, const ExprPtr& value, bool) {
    return kernel::Stmt{kernel::Store{context.targets[field], i, value, nullptr}};
  };
}

std::vector<ExprPtr> interior_cell(const Context& context, const std::vector<ExprPtr>& at,
                                   Cell::Tap tap, const Sink& sink, Names& names, Body& body,
                                   const CellContext& here) {
  Cell cell(context, at, std::move(tap), names, body, here);
  std::vector<ExprPtr> values, guards, folds;
  for (const plan::Stored& stored : context.launch.stores) {
    const ir::Update& update = context.stencil.updates[stored.update];
    values.push_back(nullptr);
    guards.push_back(nullptr);
    if (stored.skipped) continue;
    body.push_back({kernel::Line{update.cases[0].line}});
    if (stored.when) guards.back() = cell.named(cell.value(stored.when), "written");
    values.back() = cell.value(stored.value);
    body.push_back({kernel::Line{0}});
    // Every value before the first store: a store may overwrite the oldest level of a field that
    // others read.
    if (context.launch.stores.size() > 1)
      values.back() =
          cell.named(values.back(), context.stencil.fields[update.field].name + "_next");
  }
  for (size_t n = 0; n < context.launch.combines.size() && context.folds; ++n) {
    const plan::Combined& one = context.launch.combines[n];
    const ir::Reduction& reduction = context.stencil.reductions[one.reduction];
    ExprPtr value = identity_of(context, n);
    if (!one.skipped) {
      body.push_back({kernel::Line{reduction.line}});
      value = cell.value(one.value);
      if (one.mask) {
        ExprPtr mask = cell.value(one.mask);
        const ExprPtr identity = identity_of(context, n);
        const auto too_wide = [&] {
          return width(mask) + width(value) + width(identity) > kChoiceWidth;
        };
        if (too_wide()) value = cell.named(value, reduction.name + "_value");
        if (too_wide()) mask = cell.named(mask, reduction.name + "_counts");
        value = kernel::make(value->type, kernel::Pick{mask, value, identity});
      }
      value = with_type(value, cell, reduction.name + "_here", names, body);
      body.push_back({kernel::Line{0}});
    }
    folds.push_back(value);
  }
  for (size_t s = 0; s < values.size(); ++s) {
    if (!values[s]) continue;
    const ir::Update& update = context.stencil.updates[context.launch.stores[s].update];
    kernel::Stmt store = sink(update.field, values[s], !guards[s]);
    if (guards[s])
      body.push_back({kernel::If{guards[s], {std::move(store)}, {}}});
    else
      body.push_back(std::move(store));
  }
  return folds;
}

}  // namespace stencilc::lower
