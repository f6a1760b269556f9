// Value numbering of IR expressions: equal expressions get equal numbers, wherever they stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/ir.h"
#include "ir/label.h"
#include "ir/node_map.h"

namespace stencilc::lower {

class Numbering {
 public:
  // `roots`: the values that are wanted; each is one use.
  explicit Numbering(const std::vector<ir::ExprPtr>& roots);

  int id(const ir::ExprPtr& expr);
  // How many places use the value: edges from different values, and roots.
  int uses(const ir::ExprPtr& expr) { return uses_[id(expr)]; }
  // Is the value the same in every cell?
  bool invariant(const ir::ExprPtr& expr) { return invariant_[id(expr)]; }
  // Can the integer operation that makes this value leave its type? (From the ranges of what is
  // stored in the fields.)
  bool may_wrap(const ir::ExprPtr& expr) { return may_wrap_[id(expr)]; }

 private:
  struct Interval {
    double low = 0, high = 0;
  };
  Interval interval(const ir::Expr& expr, const std::vector<int>& args, bool& wraps) const;

  ir::NodeMap<int> known_;
  std::vector<ir::ExprPtr> keep_;  // what known_ points at stays alive
  std::unordered_map<std::vector<int64_t>, int, ir::LabelHash> numbers_;
  std::vector<int> uses_;
  std::vector<bool> invariant_, may_wrap_;
  std::vector<Interval> intervals_;
};

}  // namespace stencilc::lower
