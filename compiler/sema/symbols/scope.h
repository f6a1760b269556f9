// Holds the meaning of the names of a stencil.
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

// A compile-time number without a type, which takes the type of the other operand.
struct Literal {
  bool integral = false;
  int64_t integer = 0;
  double real = 0;                    // also the value of an integer literal
  std::optional<ir::Fraction> exact;  // the exact number, if it is known
};

// The result of evaluating an expression: a typed IR expression, a literal, or nothing after a
// reported error.
struct Operand {
  enum Kind { failed, literal, typed } kind = failed;
  Literal number;
  ir::ExprPtr expr;
};

struct Weights {  // const f32 w[-2..2, -2..2] = {...}   or   weights w[-2..2, -2..2];
  ast::Ident name;
  std::vector<std::pair<int, int>> ranges;
  std::vector<ir::Constant> values;  // the last index changes fastest
  int run_time = -1;  // index in the weights of the stencil, if the values are given at run time
};

struct Let {
  ast::Ident name;
  ast::ExprPtr value;
  bool active = false;  // is being evaluated; a second visit is a cycle
  int uses = 0;
  std::map<ir::Offset, Operand> instances;  // by the offset at which it is read
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
  bool of_file = false;  // declared outside of stencils, for all of them
};

// All declarations of a stencil; indices of symbols refer to these lists.
struct Scope {
  std::map<std::string, Symbol> symbols;
  std::set<std::string>
      rejected;  // names whose declaration was reported, about which nothing more is reported
  // Where the text declares its names, those that are not yet among the symbols included.
  std::map<std::string, ast::Range> declarations;
  bool partial = false;      // the parser left out statements, which may declare unknown names
  bool file_failed = false;  // an error outside of stencils was reported
  ir::Stencil stencil;
  std::vector<ir::Constant> constants;  // scalar consts, and params fixed by -D
  std::set<std::string> defined;        // of these, the params
  ir::Type real = ir::Type::f32;  // for integers combined with a fraction: f64 if a field has it
  std::vector<Weights> weights;
  std::vector<Let> lets;
  std::vector<const ast::Function*> functions;
  std::vector<ast::Range> field_sites;  // where each field is declared
  std::map<int, ast::Range> bounded;    // fields with a boundary, and the position of the boundary
  std::map<int, size_t> bounded_by;     // the same, and the number of the item that states it
  // Fields that were reported to lack a boundary: the side, or "" for a field without any.
  std::set<std::pair<int, std::string>> without_boundary;
  bool too_many_fields = false;    // was reported
  std::set<std::string> too_many;  // other kinds that were reported
  bool boundaries_known =
      false;  // false while the values of boundaries are resolved, which read no field
  bool reductions_known = false;  // their types are known, so expressions can use them
  // The positions of reads of fields, series and reductions in the file.
  std::unordered_map<const ir::Expr*, ast::Range> sites;

  std::vector<std::string> names() const;  // for "did you mean"
};

}  // namespace stencilc::sema
