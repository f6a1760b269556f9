// What the names of a stencil mean.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ast/ast.h"
#include "ir/ir.h"

namespace stencilc::sema {

// A compile-time number that has no type yet: it adopts the type of what it meets.
struct Literal {
  bool integral = false;
  int64_t integer = 0;
  double real = 0;                    // also the value of an integral literal
  std::optional<ir::Fraction> exact;  // the number itself, where a real is known so well
};

// What an expression evaluates to: a typed IR expression, a literal, or nothing after an error that
// was reported.
struct Operand {
  enum Kind { failed, literal, typed } kind = failed;
  Literal number;
  ir::ExprPtr expr;
};

struct Weights {  // const f32 w[-2..2, -2..2] = {...}   or   weights w[-2..2, -2..2];
  ast::Ident name;
  std::vector<std::pair<int, int>> ranges;
  std::vector<ir::Constant> values;  // the last index fastest
  int run_time = -1;                 // place in the stencil's weights, where there are no values
};

struct Let {
  ast::Ident name;
  ast::ExprPtr value;
  bool active = false;  // being evaluated: a second visit is a cycle
  int uses = 0;
  std::map<ir::Offset, Operand> instances;  // by the offset it is read at
};

struct Symbol {
  enum Kind {
    axis,
    extent,
    param,
    constant,
    weights,
    field,
    let,
    function,
    reduction,
    color,
    points,
    series
  } kind;
  int index = 0;
  ast::Range declared;
  int uses = 0;
  bool of_file = false;  // declared beside the stencils, for all of them
};

// Everything declared in one stencil; indices of symbols point into these lists.
struct Scope {
  std::map<std::string, Symbol> symbols;
  std::set<std::string>
      rejected;  // names with a declaration that was reported: nothing more is said of them
  bool partial =
      false;  // the parser left statements out: a name that is not here may be declared in them
  bool file_failed = false;  // an error in what is declared beside the stencils was reported
  ir::Stencil stencil;
  std::vector<ir::Constant> constants;  // scalar consts, and params fixed by -D
  std::set<std::string> defined;        // the latter
  ir::Type real = ir::Type::f32;        // of integers beside a fraction: f64 where a field is
  std::vector<Weights> weights;
  std::vector<Let> lets;
  std::vector<const ast::Function*> functions;
  std::vector<ast::Range> field_sites;  // where each field is declared
  std::map<int, ast::Range> bounded;    // fields with a boundary, and where it stands
  // Fields that a report says to lack a boundary: the side, or "" for a field without any.
  std::set<std::pair<int, std::string>> without_boundary;
  bool too_many_fields = false;         // was reported
  std::set<std::string> too_many;       // what else there is too much of: was reported
  bool boundaries_known = false;        // not yet in the values of boundaries, which read no field
  bool reductions_known = false;        // their types are: expressions may name them
  // Where the reads of fields, series and reductions stand in the text.
  std::unordered_map<const ir::Expr*, ast::Range> sites;

  std::vector<std::string> names() const;  // for did-you-mean
};

}  // namespace stencilc::sema
