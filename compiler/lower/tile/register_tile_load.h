// Loading the vectors of a thread's register tiles.
#pragma once

#include <map>

#include "lower/boundary/ghost_row.h"
#include "lower/context/build.h"
#include "lower/tile/register_tile.h"

namespace stencilc::lower {

// Ends of an axis that a plane may lie beyond.
enum class Ends { none, low, high, both };

// In interior blocks a run of vectors is loaded as such. Near the boundary it is, where it lies
// inside; otherwise each cell is what the boundary of the field says.
class Fill {
 public:
  // `one_x`: the thread's cells all have one x, so that what is inside along x is asked once.
  // `by_rows`: near the boundary a row beyond it is another one where the boundary allows that
  // (rows.h).
  // `flags`: of the variant, where it serves blocks inside, too.
  Fill(const Context& context, const Patch& patch, bool edges, bool one_x, bool by_rows,
       EdgeFlags flags = {})
      : context_(context),
        patch_(patch),
        edges_(edges),
        one_x_(one_x),
        by_rows_(by_rows),
        flags_(std::move(flags)) {}

  // The same, with what it has declared, in a part of the text that has these flags.
  Fill in(EdgeFlags flags) const {
    Fill there = *this;
    there.flags_ = std::move(flags);
    return there;
  }

  // Near the boundary: names for each run whether it lies inside along x (whole_m1 for vector -1
  // alone), and a function for each register tile's field, u_at(x, y), that gives a cell wherever
  // it lies; or two, by rows.
  void declare(const std::vector<RegisterTile>& tiles, const std::vector<kernel::ExprPtr>& at,
               Names& names, kernel::Body& body);

  // Is the run of vectors of a row inside, along x, and can it be moved as such? Asked near the
  // boundary alone.
  kernel::ExprPtr inside(const std::vector<kernel::ExprPtr>& at, int vector, int count) const;

  // The functions that declare() made, by field and level.
  const std::map<std::pair<int, int>, std::string>& cells() const { return cells_; }

  // Loads a run; `at` is the thread's first cell, i its place. `axis`, `ends`: the axis along which
  // the thread's own plane may lie outside the grid, and where.
  void operator()(const RegisterTile& regs, const Run& run, const std::vector<kernel::ExprPtr>& at,
                  const kernel::ExprPtr& i, int axis, Ends ends, const Names& names,
                  kernel::Body& body) const;

 private:
  // Where the cells of a run stand along the axes, from vector 0 on, and whether its rows are
  // inside.
  struct There {
    std::vector<kernel::ExprPtr> at;
    kernel::ExprPtr rows;  // null: they are
  };
  bool asks_each(const Run& run) const;
  There there(const RegisterTile& regs, const Run& run, const std::vector<kernel::ExprPtr>& at,
              const kernel::ExprPtr& r, int axis, Ends ends) const;
  // With lanes: vector 0 and what of the run lies beside it; is all of that inside along x?
  Span beside(const RegisterTile& regs, const Run& run) const;
  kernel::ExprPtr has_sides(const std::vector<kernel::ExprPtr>& at, const Span& cells) const;
  kernel::Sides sides(const RegisterTile& regs, const Run& run, const kernel::Copy& own,
                      const There& place) const;
  void declare_cells(const RegisterTile& regs, Names& names, kernel::Body& body);

  const Context& context_;
  const Patch patch_;
  const bool edges_, one_x_, by_rows_;
  EdgeFlags flags_;
  std::map<std::pair<int, int>, kernel::ExprPtr> inside_;  // by the first vector and their number
  std::map<std::pair<int, int>, kernel::ExprPtr> beside_;  // by what `beside` says
  std::map<std::pair<int, int>, std::string> cells_;  // by field and level: the function's name
  std::map<std::pair<int, int>, RowFunctions> rows_;  // likewise
};

// How far from the boundary a thread's cells have to be for whole vectors of all they read to lie
// inside, and what else is read around a block. Where a halo lies outside the grid vectors may end,
// too.
ir::Reach margin_of(const Context& context, const Patch& patch, const ir::Reach& around);

// i of the first cell of row r.
kernel::ExprPtr row_start(const Context& context, const Patch& patch, const kernel::ExprPtr& i,
                          const kernel::ExprPtr& r);
// So many vectors from there, along x.
kernel::ExprPtr by_vectors(const kernel::ExprPtr& at, int vectors, const Patch& patch);
// The index of row r in the registers of a plane; null, where it has one row.
kernel::ExprPtr row_in(const RegisterTile::Plane& plane, const kernel::ExprPtr& r);

// The registers of a thread's next cells: what was in a plane is now in the one below.
void move_planes(const std::vector<RegisterTile>& tiles, const Patch& patch, const Names& names,
                 kernel::Body& body);

// Is it the vector of the thread's own cells alone?
bool is_own(const Run& run);

}  // namespace stencilc::lower
