// What the names of a stencil mean.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ast/ast.h"
#include "ir/ir.h"

namespace stencilc::sema {

// A compile-time number that has no type yet: it adopts the type of what it meets.
struct Literal {
  bool integral = false;
  int64_t integer = 0;
  double real = 0;  // also the value of an integral literal
};

// What an expression evaluates to: a typed IR expression, a literal, or nothing after an error that
// was reported.
struct Operand {
  enum Kind { failed, literal, typed } kind = failed;
  Literal number;
  ir::ExprPtr expr;
};

struct Weights {  // const f32 w[-2..2, -2..2] = {...}
  ast::Ident name;
  ir::Type type;
  std::vector<std::pair<int, int>> ranges;
  std::vector<ir::Scalar> values;  // the last index fastest
};

struct Let {
  ast::Ident name;
  ast::ExprPtr value;
  bool active = false;  // being evaluated: a second visit is a cycle
  int uses = 0;
  std::map<ir::Offset, Operand> instances;  // by the offset it is read at
};

struct Symbol {
  enum Kind { axis, extent, param, constant, weights, field, let, function } kind;
  int index = 0;
  ast::Range declared;
  int uses = 0;
};

// Everything declared in one stencil; indices of symbols point into these lists.
struct Scope {
  std::map<std::string, Symbol> symbols;
  std::set<std::string>
      rejected;  // names with a declaration that was reported: nothing more is said of them
  bool partial =
      false;  // the parser left statements out: a name that is not here may be declared in them
  ir::Stencil stencil;
  std::vector<ir::Scalar> constants;  // scalar consts, and params fixed by -D
  std::set<std::string> defined;      // the latter
  ir::Type real = ir::Type::f32;      // of integers beside a fraction: f64 where a field is
  std::vector<Weights> weights;
  std::vector<Let> lets;
  std::vector<const ast::Function*> functions;
  std::vector<ast::Range> field_sites;  // where each field is declared
  std::vector<std::vector<std::string>>
      future_reads;  // by field: fields whose [t+1] its update reads
  std::vector<std::pair<std::string, ast::Range>>
      future_sites;         // the reads themselves, of the update in work
  int current_update = -1;  // the field being assigned, or -1

  std::vector<std::string> names() const;  // for did-you-mean
};

}  // namespace stencilc::sema
