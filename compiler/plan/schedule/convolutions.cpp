#include "plan/schedule/convolutions.h"

#include <algorithm>

#include "ir/node_map.h"

namespace stencilc::plan {
namespace {

// Visits each value once, from the roots down.
struct Search {
  const ir::Stencil& stencil;
  const Launch& launch;
  Convolutions found;
  ir::NodeSet seen = {};

  void in(const ir::ExprPtr& expr) {
    if (!expr || !seen.insert(expr.get())) return;
    if (const auto* sum = ir::as<ir::Sum>(expr)) {
      auto box = ir::box_sum(*sum);
      if (box && ir::has_all_axes(stencil, stencil.fields[box->field]) &&
          (box->level != 1 || !launch.stores_field(stencil, box->field))) {
        found.sums.push_back({expr, std::move(*box)});
        return;
      }
    }
    if (ir::as<ir::Read>(expr)) found.others.push_back(expr);
    ir::for_each_child(*expr, [&](const ir::ExprPtr& child) { in(child); });
  }
};

}  // namespace

Convolutions convolutions_of(const ir::Stencil& stencil, const Launch& launch,
                             const std::vector<ir::ExprPtr>& values) {
  Search search{stencil, launch, {}, {}};
  for (const ir::ExprPtr& value : values) search.in(value);
  return std::move(search.found);
}

bool convolves(const ir::Stencil& stencil) {
  return std::any_of(stencil.updates.begin(), stencil.updates.end(), [&](const auto& update) {
    return std::any_of(update.cases.begin(), update.cases.end(), [&](const ir::Case& one) {
      return !convolutions_of(stencil, {}, {one.value}).sums.empty();
    });
  });
}

}  // namespace stencilc::plan
