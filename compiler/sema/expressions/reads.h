// Evaluates names, with and without offsets: fields and lets, weights, series, reductions, and the
// arguments of functions.
#pragma once

#include <optional>
#include <vector>

#include "diag/diagnostic.h"
#include "sema/expressions/arguments.h"
#include "sema/expressions/frame.h"
#include "sema/expressions/lookup.h"
#include "sema/expressions/statement.h"
#include "sema/symbols/scope.h"

namespace stencilc::sema {

class Expressions;

// u[x-1, t+1]: the displacement and the time index.
struct Site {
  ir::Offset offset = {};
  int time = 0;
};

class Reads {
 public:
  // `expressions` evaluates lets and indices.
  Reads(Expressions& expressions, Arguments& arguments, Lookup& lookup, Statement& statement,
        Scope& scope, diag::Engine& engine)
      : expressions_(expressions),
        arguments_(arguments),
        lookup_(lookup),
        statement_(statement),
        scope_(scope),
        engine_(engine) {}

  Operand name(const ast::Name& name, const ast::Range& at, const Frame& frame);
  Operand access(const ast::Access& access, const ast::Range& at, const Frame& frame);

  // Nothing after an error. `field`: the field that is read, which may lack axes.
  std::optional<Site> site(const std::vector<ast::ExprPtr>& args, const ast::Range& at,
                           const Frame& frame, const ir::Field* field = nullptr);

 private:
  struct SiteArg {
    enum Kind { number, axis, time, failed } kind = failed;
    int axis_index = 0;
    int64_t offset = 0;
  };

  SiteArg site_arg(const ast::ExprPtr& arg, const Frame& frame);
  bool check_offset(int64_t offset, const ast::Range& at);
  bool check_axis(const ir::Field* field, int axis, const ast::Range& at);
  std::optional<int> level(int field, int time, const ast::Range& at);
  bool check_boundary(int field, const ir::Offset& offset, const ast::Range& at);
  Operand read_series(int series, const std::vector<ast::ExprPtr>& args, const ast::Range& at,
                      const Frame& frame);
  Operand read_reduction(int reduction, const ast::Range& at);
  Operand read_field(int field, const Site& site, const ast::Range& at, const Frame& frame);
  Operand read_let(int let, const Site& site, const ast::Range& at, const Frame& frame);
  Operand read_weights(int weights, const std::vector<ast::ExprPtr>& args, const ast::Range& at,
                       const Frame& frame);
  Operand read_argument(const Frame::Binding& binding, const ir::Offset& offset,
                        const ast::Range& at, const Frame& frame);

  Expressions& expressions_;
  Arguments& arguments_;
  Lookup& lookup_;
  Statement& statement_;
  Scope& scope_;
  diag::Engine& engine_;
};

}  // namespace stencilc::sema
