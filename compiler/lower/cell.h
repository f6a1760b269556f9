// The computation of one cell: stencil IR in, kernel statements out. Where the cell stands and how
// a neighbour is read is the traversal's business and comes in as a function.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "kernel/build.h"
#include "lower/names.h"
#include "lower/numbering.h"

namespace stencilc::lower {

kernel::Type type_of(ir::Type type);
kernel::ExprPtr constant(const ir::Scalar& value);

// What all parts of one kernel share.
struct Context {
  const ir::Stencil& stencil;
  Numbering numbering;
  Names names;
  std::vector<std::string> axes, extents;  // C++ names
  std::string pitch, plane;
  std::vector<std::string> params;
  std::vector<std::vector<kernel::Buffer>> levels;  // [field][-level]; inputs have one
  std::vector<kernel::Buffer> targets;              // [field]: where t+1 or the output goes
  kernel::Body invariants;  // values that are the same in every cell, computed once at the top
  std::map<int, kernel::ExprPtr> invariant_values;  // by value number

  explicit Context(const ir::Stencil& s) : stencil(s), numbering(s) {}
  int rank() const { return stencil.rank(); }
  // The C++ name of a value read at an offset: u, u_xm1, u_xp2_ym1.
  std::string name_at(const std::string& base, const ir::Offset& offset) const;
};

// Lowers the invariant parts of all updates into context.invariants.
void lower_invariants(Context& context);

class Cell {
 public:
  using Tap = std::function<kernel::ExprPtr(const ir::Read& read)>;
  // `at` holds the cell's coordinates. Statements go to `body`; their names are claimed from
  // `names`, those of its scope.
  Cell(Context& context, std::vector<kernel::ExprPtr> at, Tap tap, Names& names, kernel::Body& body)
      : context_(context), at_(std::move(at)), tap_(std::move(tap)), names_(names), body_(body) {}

  kernel::ExprPtr value(const ir::ExprPtr& expr);
  // The value as a variable or a number: what may stand anywhere without being computed twice.
  kernel::ExprPtr named(const kernel::ExprPtr& value, const std::string& wanted);

 private:
  kernel::ExprPtr compute(const ir::ExprPtr& expr);
  kernel::ExprPtr compute_apply(const ir::Apply& apply, const ir::ExprPtr& expr);
  kernel::ExprPtr compute_sum(const ir::Sum& sum, const ir::ExprPtr& expr, const std::string& name);
  void fit(std::vector<kernel::ExprPtr>& args, int spent = 0);

  Context& context_;
  std::vector<kernel::ExprPtr> at_;
  Tap tap_;
  Names& names_;
  kernel::Body& body_;
  std::map<int, kernel::ExprPtr> values_;
};

}  // namespace stencilc::lower
