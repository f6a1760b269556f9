// Evaluates expressions at one cell of a state.
#pragma once

#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "interp/interpreter.h"

namespace stencilc::interp {

// What a cell can read: level t and older levels in the state, and the results of this step so far.
struct View {
  const ir::Stencil& stencil;
  const State& state;
  const std::vector<Grid>& next;  // [field]: level t+1 or the output
};

class Cell {
 public:
  // `point` is the index of the current point in its list, for series.
  explicit Cell(const View& view, const Extents& at = {}, int64_t point = -1)
      : view_(view), at_(at), point_(point) {}

  // Moves to another cell and clears the cache. Use one object for a walk over many cells; it
  // allocates memory only for the first one.
  void move_to(const Extents& at) {
    at_ = at;
    ++visit_;
  }

  ir::Scalar value(const ir::ExprPtr& expr);
  bool applies(const ir::Domain& domain);

 private:
  ir::Scalar one(const ir::Constant& node, const ir::Expr&) { return node.value; }
  ir::Scalar one(const ir::ParamRef& node, const ir::Expr&);
  ir::Scalar one(const ir::Coordinate& node, const ir::Expr&);
  ir::Scalar one(const ir::Extent& node, const ir::Expr&);
  ir::Scalar one(const ir::Time&, const ir::Expr&);
  ir::Scalar one(const ir::WeightRef& node, const ir::Expr&);
  ir::Scalar one(const ir::SeriesRef& node, const ir::Expr&);
  ir::Scalar one(const ir::ReductionRef& node, const ir::Expr&);
  ir::Scalar one(const ir::Read& node, const ir::Expr&);
  // The interpreter computes every value where it is read.
  ir::Scalar one(const ir::GhostRef&, const ir::Expr&) { throw std::logic_error("a temporary"); }
  ir::Scalar one(const ir::Apply& node, const ir::Expr& expr);
  ir::Scalar one(const ir::Cast& node, const ir::Expr& expr);
  ir::Scalar one(const ir::Named& node, const ir::Expr& expr);
  ir::Scalar one(const ir::Sum& node, const ir::Expr& expr);

  struct Known {
    int64_t visit = -1;  // the visit in which the value was computed
    ir::Scalar value;
  };

  const View& view_;
  Extents at_;
  const int64_t point_;
  int64_t visit_ = 0;
  std::unordered_map<const ir::Expr*, Known> named_;
};

// The cells of a field along each axis; 1 along an axis that it does not have.
Extents extents_of(const ir::Field& field, const Extents& extents);
// The number of cells of one level, halo included.
int64_t cells(const ir::Field& field, const Extents& extents, const ir::Offset& halo);
// The index in a level of a cell of the field or of its halo.
int64_t place(const ir::Stencil& stencil, const State& state, int field, const Extents& cell);

// The value of a cell of the field, or of a ghost cell.
ir::Scalar read(const View& view, const ir::Read& read, const Extents& at);

}  // namespace stencilc::interp
