// Loops that are peeled at the ends of the grid: the cells, rows or planes that read beyond an end
// run the variant for that, those between the interior variant.
#pragma once

#include <functional>
#include <string>

#include "lower/boundary/interior_split.h"
#include "plan/schedule/schedule.h"

namespace stencilc::lower {

// Why the ends of a launch are not peeled, though the schedule requests it; empty: they are.
// `one_variant`: cells near the boundary have to compute as those inside do.
std::string why_checked(const Context& context, const plan::Schedule& schedule, bool one_variant);

// The stream of a block, whose first cell is at `first` along the streamed axis; `inside`: is it
// inside along the others?
struct Stream {
  int axis;
  kernel::ExprPtr first, inside;
};

// The loop over the cells k of a stream as a function of k and the flag, which is false for cells
// inside.
void peel(const Context& context, const Stream& stream, kernel::For loop, const std::string& flag,
          Names& names, kernel::Body& body);

// Where cells near the boundary have statements of their own: `edge_cell` for the one whose
// coordinate is the axis's name, as a function; `interior` for those from `begin` to before `end`.
kernel::Body peel_cells(const Context& context, const Stream& stream, const kernel::ExprPtr& count,
                        const std::function<kernel::Body(const Names& names)>& edge_cell,
                        const std::function<kernel::Body(const kernel::ExprPtr& begin,
                                                         const kernel::ExprPtr& end)>& interior);

// A row of a loop nest, whose place along the other axes is `at`: its cells inside by the loop
// `fast`, the others one by one. Both go along the first axis, by its name.
void peel_row(const Context& context, const std::vector<kernel::ExprPtr>& at, kernel::For fast,
              const std::function<kernel::Body(const Names& names)>& interior_cell,
              const std::function<kernel::Body(const Names& names)>& edge_cell, Names& names,
              kernel::Body& body);

// A stream of rows or planes in three sections: those near the low end of the grid, those inside,
// and those near the high end. A loop over the sections has the text of the first and the last
// once.
class Sections {
 public:
  // Declares where those inside begin and end, if what is `inside` does so, in a stream that goes
  // to before `last`.
  struct Span {
    kernel::ExprPtr first, end;
  };
  Sections(const Span& inside, const kernel::ExprPtr& last, Names& names, kernel::Body& body);

  // The loop, from a section on; fill in the body. `what`: "Rows".
  kernel::For loop(const std::string& what, const kernel::ExprPtr& first, Names& names,
                   kernel::Body& body);
  // In it: is this the section of those inside? Where does it end, and where would one that is not
  // inside?
  const kernel::ExprPtr& is_inside() const { return second_; }
  kernel::ExprPtr end() const;
  kernel::ExprPtr end_of_edge() const;
  const kernel::ExprPtr& end_inside() const { return inside_.end; }

 private:
  Span inside_;
  kernel::ExprPtr last_, first_, second_;
};

}  // namespace stencilc::lower
