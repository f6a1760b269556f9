// How a cell reads its neighbours.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "lower/cell.h"

namespace stencilc::lower {

// (z * plane + y * pitch + x), for coordinates as wide as the rank.
kernel::ExprPtr linear(const Context& context, const std::vector<kernel::ExprPtr>& at);
// i + offset, where i is the linear index of a cell.
kernel::ExprPtr shifted(const Context& context, kernel::ExprPtr i, const ir::Offset& offset);

// Reads of a cell none of whose neighbours lies beyond the rim.
kernel::ExprPtr interior_tap(const Context& context, const kernel::ExprPtr& i,
                             const ir::Read& read);

// Reads of a cell near the rim, each by the boundary of its field. What the reads share (a clamped
// row, a test) is computed once.
class EdgeTaps {
 public:
  EdgeTaps(Context& context, std::vector<kernel::ExprPtr> at, kernel::ExprPtr i, Names& names,
           kernel::Body& body)
      : context_(context), at_(std::move(at)), i_(std::move(i)), names_(names), body_(body) {}

  kernel::ExprPtr operator()(const ir::Read& read);

 private:
  kernel::ExprPtr mapped(ir::Edge edge, int axis, int offset);
  kernel::ExprPtr has(int axis, int offset);
  kernel::ExprPtr name(const std::string& wanted, const kernel::ExprPtr& value);

  Context& context_;
  std::vector<kernel::ExprPtr> at_;
  kernel::ExprPtr i_;
  Names& names_;
  kernel::Body& body_;
  std::map<std::tuple<ir::Edge, int, int>, kernel::ExprPtr> known_;
};

}  // namespace stencilc::lower
