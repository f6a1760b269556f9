// Places in the planes that a block goes through.
#pragma once

#include <algorithm>
#include <vector>

#include "kernel/build.h"
#include "lower/context/context.h"

namespace stencilc::lower::march {

constexpr int kAxis = 2;  // along which the block goes

inline kernel::ExprPtr below(const kernel::ExprPtr& a, const kernel::ExprPtr& b) {
  return kernel::bin(kernel::BinOp::lt, a, b);
}
inline kernel::ExprPtr part_of(const kernel::ExprPtr& a, int parts, kernel::BinOp op) {
  if (parts == 1) return op == kernel::BinOp::mod ? kernel::index(0) : a;
  return kernel::bin(op, a, kernel::index(parts));
}

inline ir::Offset beside(ir::Offset offset, int rows) {
  offset[1] += rows;
  return offset;
}

inline ir::Offset planes_ahead(int planes) {
  ir::Offset offset = {};
  offset[kAxis] = planes;
  return offset;
}

// The place in a plane of rows of so many cells, at an offset from a cell of the block. What does
// not change from one access to the next stands in front.
inline kernel::ExprPtr place_in(int cells, const ir::Reach& around,
                                const std::vector<kernel::ExprPtr>& local,
                                const ir::Offset& offset) {
  return kernel::add(kernel::add(kernel::mul(local[1], kernel::index(cells)), local[0]),
                     (around.low[1] + offset[1]) * cells + around.low[0] + offset[0]);
}

// Registers of 32 bits.
inline int words_of(size_t values, kernel::Type type) {
  return static_cast<int>(values) * std::max(1, kernel::bytes_of(type) / 4);
}

}  // namespace stencilc::lower::march
