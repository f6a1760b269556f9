#include "lower/boundary/unassigned_cells.h"

#include <algorithm>

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;
using kernel::index;

ExprPtr in_domain(const Context& context, const ir::Domain& domain, int axis, const ExprPtr& at) {
  int first = domain.low[axis], end = domain.high[axis];
  ExprPtr all;
  const ExprPtr extent = context.box.extent(axis);
  for (const ir::Limit& limit : domain.limits) {
    if (limit.axis != axis) continue;
    if (!limit.upper && !limit.from_end)
      first = std::max(first, limit.offset);
    else if (limit.upper && limit.from_end)
      end = std::max(end, -limit.offset);
    else if (limit.upper)
      all = kernel::both(all, kernel::bin(BinOp::lt, at, index(limit.offset)));
    else
      all = kernel::both(all, kernel::bin(BinOp::ge, at, kernel::add(extent, limit.offset)));
  }
  if (end > 0) all = kernel::both(kernel::bin(BinOp::lt, kernel::add(at, end), extent), all);
  if (first > 0) all = kernel::both(kernel::bin(BinOp::ge, at, index(first)), all);
  return all;
}

bool assigns_all(const Context& context, const ir::Domain& domain) {
  for (int a = 0; a < context.rank(); ++a)
    if (in_domain(context, domain, a, kernel::var(context.axes[a]))) return false;
  return !domain.mask;
}

bool same_cells(const Context& context, const ir::Domain& one, const ir::Domain& other) {
  if (assigns_all(context, one) && assigns_all(context, other)) return true;
  const auto mask_of = [&](const ir::Domain& domain) {
    return domain.mask ? context.numbering().id(domain.mask) : -1;
  };
  const auto same_limit = [](const ir::Limit& a, const ir::Limit& b) {
    return a.axis == b.axis && a.upper == b.upper && a.from_end == b.from_end &&
           a.offset == b.offset;
  };
  return one.low == other.low && one.high == other.high && mask_of(one) == mask_of(other) &&
         std::equal(one.limits.begin(), one.limits.end(), other.limits.begin(), other.limits.end(),
                    same_limit);
}

bool limits(const std::vector<ir::Case>& cases, int axis) {
  return std::any_of(cases.begin(), cases.end(), [&](const ir::Case& one) {
    return one.domain.low[axis] > 0 || one.domain.high[axis] > 0 || !one.domain.limits.empty();
  });
}

bool launch_limits(const Context& context, int axis) {
  return std::any_of(context.launch.stores.begin(), context.launch.stores.end(),
                     [&](const plan::Stored& stored) {
                       return limits(context.stencil.updates[stored.update].cases, axis);
                     });
}

bool step_limits(const Context& context, int axis) {
  return std::any_of(context.stencil.updates.begin(), context.stencil.updates.end(),
                     [&](const ir::Update& update) { return limits(update.cases, axis); });
}

const ir::Domain* only_box(const ir::Update& update) {
  const ir::Domain& domain = update.cases[0].domain;
  return update.cases.size() == 1 && domain.limits.empty() && !domain.mask ? &domain : nullptr;
}

bool assigns_one_box(const Context& context) {
  if (context.launch.stores.size() != 1) return false;
  const ir::Domain* box = only_box(context.stencil.updates[context.launch.stores[0].update]);
  return box && !box->everywhere();
}

bool has_masks(const Context& context) {
  for (const plan::Stored& stored : context.launch.stores)
    for (const ir::Case& one : context.stencil.updates[stored.update].cases)
      if (one.domain.mask) return true;
  return false;
}

bool assigns_all_along(const Context& context, int axis) {
  const std::vector<plan::Stored>& stores = context.launch.stores;
  return !launch_limits(context, axis) && !has_masks(context) &&
         std::none_of(stores.begin(), stores.end(),
                      [](const plan::Stored& stored) { return stored.skipped; });
}

ExprPtr is_unassigned(const Context& context, const ir::Domain& box, int axis, int end,
                      const CellOfThread& cell) {
  const int cells = unassigned_cells(box, axis, end);
  if (cells == 0) return nullptr;
  const bool few = cell.number && cells < cell.count, one = cell.in_grid && cells == 1;
  ExprPtr may;
  if (end == 0) {
    if (few) may = kernel::bin(BinOp::lt, cell.number, index(cells));
    return kernel::both(may, one ? kernel::bin(BinOp::eq, cell.at, index(0))
                                 : kernel::bin(BinOp::lt, cell.at, index(cells)));
  }
  if (few)
    may =
        kernel::either(cell.ragged, kernel::bin(BinOp::ge, cell.number, index(cell.count - cells)));
  return kernel::both(may, kernel::bin(one ? BinOp::eq : BinOp::ge, kernel::add(cell.at, cells),
                                       context.box.extent(axis)));
}

ExprPtr is_unassigned(const Context& context, const ir::Domain& box, int axis,
                      const CellOfThread& cell) {
  return kernel::either(is_unassigned(context, box, axis, 0, cell),
                        is_unassigned(context, box, axis, 1, cell));
}

ExprPtr any_unassigned(const Context& context, const ir::Domain& box,
                       const std::vector<ExprPtr>& at, int count) {
  ExprPtr any;
  const auto add = [&](const ExprPtr& one) { any = any ? kernel::bin(BinOp::or_, any, one) : one; };
  for (int a = 0; a < context.rank(); ++a) {
    const int high = box.high[a] + (a == 0 ? count : 1);
    if (box.low[a] > 0) add(kernel::bin(BinOp::lt, at[a], index(box.low[a])));
    if (box.high[a] > 0)
      add(kernel::bin(BinOp::gt, kernel::add(at[a], high), context.box.extent(a)));
  }
  return any;
}

}  // namespace stencilc::lower
