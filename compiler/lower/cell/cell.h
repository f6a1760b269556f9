// The computation of one cell: stencil IR in, kernel statements out. Where the cell stands and how
// a neighbour is read is the traversal's business and comes in as a function.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "kernel/build.h"
#include "lower/context/context.h"

namespace stencilc::lower {

// Roughly how many characters the expression takes in the emitted text.
int width(const kernel::ExprPtr& expr);

// The invariant parts of what the kernel computes; of a launch of many steps those that are the
// same at all of them.
Invariants invariants_of(const Context& context, bool many_steps = false);

// Where the ghost cell of a temporary lies among all of it.
kernel::ExprPtr ghost_place(const Context& context, int field,
                            const std::vector<kernel::ExprPtr>& at);
// The extents and the widths of its ghost cells, which follow the first arguments of ghost_place
// and ghost_x.
void add_ghost_shape(const Context& context, int field, std::vector<kernel::ExprPtr>& args);

class Cell {
 public:
  using Tap = std::function<kernel::ExprPtr(const ir::Read& read)>;
  // `at` holds the cell's coordinates. Statements go to `body`; their names are claimed from
  // `names`, those of its scope.
  Cell(const Context& context, std::vector<kernel::ExprPtr> at, Tap tap, Names& names,
       kernel::Body& body, CellContext here = {})
      : context_(context),
        at_(std::move(at)),
        tap_(std::move(tap)),
        names_(names),
        body_(body),
        here_(std::move(here)) {}

  // The same cell in a scope within that of `outer`, with what was computed there.
  Cell(const Cell& outer, Tap tap, Names& names, kernel::Body& body)
      : context_(outer.context_),
        at_(outer.at_),
        tap_(std::move(tap)),
        names_(names),
        body_(body),
        here_(outer.here_),
        values_(outer.values_) {}

  kernel::ExprPtr value(const ir::ExprPtr& expr);
  // so_far + the term, rounded once; `so_far` null: the term.
  kernel::ExprPtr added(const ir::Sum::Term& term, const kernel::ExprPtr& so_far,
                        kernel::Type type);
  // From here on the value of the expression is that.
  void take(const ir::ExprPtr& expr, const kernel::ExprPtr& value) {
    values_[context_.numbering().id(expr)] = value;
  }
  // The value as a variable or a number: what may stand anywhere without being computed twice.
  kernel::ExprPtr named(const kernel::ExprPtr& value, const std::string& wanted);

 private:
  kernel::ExprPtr compute(const ir::ExprPtr& expr);
  kernel::ExprPtr compute_apply(const ir::Apply& apply, const ir::ExprPtr& expr);
  kernel::ExprPtr compute_sum(const ir::Sum& sum, const ir::ExprPtr& expr, const std::string& name);
  kernel::ExprPtr over_number(const ir::Apply& apply, const kernel::ExprPtr& dividend,
                              kernel::Type type);
  std::string name_of(const ir::Read& read) const;
  void fit(std::vector<kernel::ExprPtr>& args, int spent = 0);

  const Context& context_;
  std::vector<kernel::ExprPtr> at_;
  Tap tap_;
  Names& names_;
  kernel::Body& body_;
  const CellContext here_;
  std::map<int, kernel::ExprPtr> values_;
};

}  // namespace stencilc::lower
