// A row of a launch of several steps whose cells are held as bits: each lane has 32 of them, a word
// for each bit, and a step is a circuit of operations on words.
#pragma once

#include "ir/bits.h"
#include "lower/temporal/stream_2d/row_steps.h"

namespace stencilc::lower {

class BitRow : protected RowSteps {
 protected:
  BitRow(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal);

  // Declares what time steps keep, and which cells of a lane lie in the grid.
  void declare_bits(kernel::Body& body);
  // As one_row.
  kernel::Body row_of_bits(bool edges);

 private:
  // What a lane holds of a field: the row that arrives, and for each time step those before it that
  // later rows are computed with, from `low` on.
  struct Held {
    int field = 0, low = 0;
    kernel::Buffer arrived;
    std::vector<kernel::Buffer> rows;
  };
  kernel::Body step(const kernel::ExprPtr& k, Names names);
  // Gives cells outside the grid what stands there. `values`: of the bits, in row y.
  void set_outside(const Held& held, const kernel::ExprPtr& y, std::vector<kernel::ExprPtr>& values,
                   Names& names, kernel::Body& body) const;

  ir::Bits bits_;
  std::vector<Held> held_;
  kernel::ExprPtr in_row_;  // the cells of a lane that do; null: that is not asked
  bool edges_ = false;
};

}  // namespace stencilc::lower
