#include "lower/tile/partial_sums.h"

#include <algorithm>
#include <set>

#include "lower/cell/addressing.h"

namespace stencilc::lower {

using kernel::ExprPtr;

namespace {

bool is_built_by_planes(const Context& context, const ir::Sum& sum, int axis) {
  if (sum.bias && !context.numbering().invariant(sum.bias)) return false;
  int last = 0;
  std::set<int> planes;
  for (const ir::Sum::Term& term : sum.terms) {
    const ir::Read* read = ir::read_of_tap(term.tap);
    if (!read || !context.numbering().invariant(term.weight)) return false;
    if (!ir::has_all_axes(context.stencil, context.stencil.fields[read->field]) ||
        !in_memory(context, *read))
      return false;
    const int along = read->offset[axis];
    if (!planes.empty() && along < last) return false;
    last = along;
    planes.insert(along);
  }
  return planes.size() > 1;
}

// Collects the sums from the roots down, and the reads that lie in none of them.
struct Search {
  const Context& context;
  const int axis;
  std::vector<ir::ExprPtr> sums, reads;
  std::set<int> seen;

  void in(const ir::ExprPtr& expr) {
    if (!expr || !seen.insert(context.numbering().id(expr)).second) return;
    const auto* sum = ir::as<ir::Sum>(expr);
    if (sum && is_built_by_planes(context, *sum, axis)) {
      sums.push_back(expr);
      return;
    }
    if (ir::as<ir::Read>(expr)) reads.push_back(expr);
    for (const ir::ExprPtr& child : ir::children(*expr)) in(child);
  }
};

}  // namespace

PlaneSums sums_along(const Context& context, const std::vector<ir::ExprPtr>& values, int axis,
                     const kernel::Count& width, const kernel::Count& rows, Names& names) {
  Search search{context, axis, {}, {}, {}};
  for (const ir::ExprPtr& value : values) search.in(value);
  PlaneSums result;
  result.others = search.reads;
  bool first = true;
  for (const ir::ExprPtr& expr : search.sums)
    for (const ir::Sum::Term& term : ir::as<ir::Sum>(expr)->terms) {
      const int along = ir::read_of_tap(term.tap)->offset[axis];
      result.low = first ? along : std::min(result.low, along);
      result.high = first ? along : std::max(result.high, along);
      first = false;
    }
  for (const ir::ExprPtr& expr : search.sums) {
    PlaneSum sum;
    sum.expr = expr;
    sum.planes.resize(result.high - result.low + 1);
    for (const ir::Sum::Term& term : ir::as<ir::Sum>(expr)->terms) {
      ir::Offset back = {};
      back[axis] = -ir::read_of_tap(term.tap)->offset[axis];
      sum.planes[-back[axis] - result.low].push_back(term);
      result.taps.push_back(ir::displace(term.tap, back));
    }
    for (size_t n = 0; n < sum.planes.size(); ++n) {
      kernel::Buffer partial;
      partial.name = names.claim(n + 1 == sum.planes.size() ? "sum" : "sum" + std::to_string(n));
      partial.element = type_of(expr->type);
      partial.writable = true;
      partial.registers = width;
      partial.rows = rows;
      sum.partials.push_back(partial);
    }
    result.sums.push_back(std::move(sum));
  }
  return result;
}

void add_plane(const PlaneSums& sums, const ExprPtr& r, const ExprPtr& v, Cell& cell,
               kernel::Body& body) {
  const auto at = [&](const PlaneSum& sum, int n) {
    const kernel::Buffer& partial = sum.partials[n];
    return std::pair(partial, partial.rows > 1 ? r : nullptr);
  };
  add_plane(sums, 0, sums.high - sums.low + 1, at, v, cell, body);
}

void add_plane(const PlaneSums& sums, int first, int end, const PartialAt& at, const ExprPtr& v,
               Cell& cell, kernel::Body& body, const InsteadOf& instead) {
  for (const PlaneSum& one : sums.sums) {
    const auto& bias = ir::as<ir::Sum>(one.expr)->bias;
    const auto place = [&](int n) {
      const auto [buffer, row] = at(one, n);
      return kernel::make(buffer.element, kernel::Load{buffer, v, row});
    };
    int start = 0;  // the first plane that the sum reads
    while (one.planes[start].empty()) ++start;
    // From the last plane of a sum to the first, so that what a plane adds to is not its own.
    for (int n = end; n-- > std::max(first, start);) {
      ExprPtr so_far = n > start ? place(n - 1) : bias ? cell.value(bias) : nullptr;
      const auto store = [&](const ExprPtr& value) {
        const auto [buffer, row] = at(one, n);
        body.push_back({kernel::Store{buffer, v, value, row}});
        so_far = place(n);
      };
      for (const ir::Sum::Term& term : one.planes[n])
        store(cell.added(term, so_far, type_of(one.expr->type)));
      if (one.planes[n].empty()) store(so_far);
      if (const std::optional<Instead> other = instead ? instead(one, n) : std::nullopt)
        store(kernel::make(so_far->type, kernel::Pick{other->where, other->value, so_far}));
    }
  }
}

}  // namespace stencilc::lower
