// Loading the vectors of a thread's panes.
#pragma once

#include <map>

#include "lower/panes.h"

namespace stencilc::lower {

// Ends of an axis that a coordinate may lie beyond.
enum Beyond : int { below = -1, nowhere = 0, above = 1, either = 2 };

// In interior blocks a run of vectors is loaded as such. Near the rim it is, where it lies inside;
// otherwise each cell is what the boundary of the field says.
class Fill {
 public:
  // `fixed`: the thread's cells all have one x, so that what is inside along x is asked once.
  Fill(Context& context, const Patch& patch, bool edges, bool fixed)
      : context_(context), patch_(patch), edges_(edges), fixed_(fixed) {}

  // Names for each run whether it lies inside, along x: whole_m1 for vector -1 alone.
  void declare_inside(const std::vector<Pane>& panes, const std::vector<kernel::ExprPtr>& at,
                      Names& names, kernel::Body& body);

  // Is the run of vectors of a row inside, along x, and can it be moved as such?
  kernel::ExprPtr inside(const std::vector<kernel::ExprPtr>& at, int vector, int count) const;

  // Loads a run; `at` is the thread's first cell, i its place. `axis`, `ends`: the axis along which
  // the plane of the thread itself may lie beyond the rim, and where.
  void operator()(const Pane& pane, const Run& run, const std::vector<kernel::ExprPtr>& at,
                  const kernel::ExprPtr& i, int axis, Beyond ends, const Names& names,
                  kernel::Body& body) const;

 private:
  struct Row;
  void row(const Pane& pane, const Run& run, const Row& row, const Names& names,
           kernel::Body& body) const;
  void by_cell(const Pane& pane, const Run& run, const Row& row, const Names& names,
               kernel::Body& body) const;
  void cells(const Pane& pane, const Row& row, int first, int behind, Names names,
             kernel::Body& body) const;

  Context& context_;
  const Patch patch_;
  const bool edges_, fixed_;
  std::map<std::pair<int, int>, kernel::ExprPtr> inside_;  // by the first vector and their number
};

// i of the first cell of row r.
kernel::ExprPtr row_start(const Context& context, const Patch& patch, const kernel::ExprPtr& i,
                          const kernel::ExprPtr& r);
// The index of row r in the registers of a plane; null, where it has one row.
kernel::ExprPtr row_in(const Pane::Plane& plane, const kernel::ExprPtr& r);

// An unrolled loop over name = first .. behind-1 of type index; fill in the body.
kernel::For unrolled(const std::string& name, int first, int behind);

}  // namespace stencilc::lower
