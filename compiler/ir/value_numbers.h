// Numbers of values: equal for expressions that compute the same from the same operands.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/label.h"

namespace stencilc::ir {

// The name of a value does not tell it from others.
class ValueNumbers {
 public:
  int of(const ExprPtr& expr) {
    if (const auto* named = as<Named>(expr)) return of(named->value);
    if (const auto found = known_.find(expr.get()); found != known_.end()) return found->second;
    std::vector<int64_t> key;
    add_label(*expr, key);
    for_each_child(*expr, [&](const ExprPtr& child) { key.push_back(of(child)); });
    const auto place = numbers_.try_emplace(std::move(key), static_cast<int>(numbers_.size()));
    keep_.push_back(expr);
    return known_[expr.get()] = place.first->second;
  }

 private:
  std::unordered_map<const Expr*, int> known_;
  std::vector<ExprPtr> keep_;  // what known_ points at stays alive
  std::unordered_map<std::vector<int64_t>, int, LabelHash> numbers_;
};

}  // namespace stencilc::ir
