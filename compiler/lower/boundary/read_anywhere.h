// Reads of a cell that may itself lie outside the grid, and so may its neighbours: of ghost cells
// of temporaries, and of the cells around a block that values are staged for.
#pragma once

#include <array>
#include <vector>

#include "lower/boundary/ghost_value.h"

namespace stencilc::lower {

class ReadAnywhere {
 public:
  // `at`: the cell, in variables. Statements go to the body.
  ReadAnywhere(const Context& context, const std::vector<kernel::ExprPtr>& at, Names& names,
               kernel::Body& body)
      : context_(context),
        at_(at),
        names_(names),
        body_(body),
        taps_(EdgeTaps::anywhere(context, at, names, body)) {}

  kernel::ExprPtr operator()(const ir::Read& read);

 private:
  std::vector<kernel::ExprPtr> place(const ir::Offset& offset) const;
  kernel::ExprPtr by_sides(const ir::Read& read, int axis, std::array<int, 3> outside, Names& names,
                           kernel::Body& body);

  const Context& context_;
  const std::vector<kernel::ExprPtr>& at_;
  Names& names_;
  kernel::Body& body_;
  EdgeTaps taps_;
};

}  // namespace stencilc::lower
