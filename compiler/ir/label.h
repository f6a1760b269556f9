// What tells expressions apart: two are equal if their labels and their children are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/ir.h"

namespace stencilc::ir {

// Adds what a node is, apart from its children.
void add_label(const Expr& expr, std::vector<int64_t>& to);

// Of labels, and of the numbers of children behind them.
struct LabelHash {
  size_t operator()(const std::vector<int64_t>& words) const;
};

}  // namespace stencilc::ir
