// The syntax tree of a .stn file: what was written, names unresolved, every node with its place in the text.
//
// parse builds it, sema reads it and builds ir::Stencil from it; nothing is ever annotated here. Offsets, time indices and
// weight indices are plain expressions in `Access::args`: what they mean is sema's business.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "diag/diagnostic.h"

namespace stencilc::ast {

using diag::Range;

struct Ident {
  std::string name;
  Range at;
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

// 2, 0.25, 1e-4: `integral` when written without point and exponent.
struct Number {
  double value = 0;
  bool integral = false;
  int64_t integer = 0;  // valid when integral
};
struct Bool {
  bool value = false;
};
struct Name {  // u, dt, x, nx
  std::string name;
};
struct Access {  // u[x-1, t+1], w[i, j], u[-1, 0, 0]
  Ident base;
  std::vector<ExprPtr> args;
};
struct Unary {
  enum Op { neg, not_ } op;
  ExprPtr operand;
};
struct Binary {
  enum Op { add, sub, mul, div, mod, pow, lt, le, gt, ge, eq, ne, and_, or_ } op;
  ExprPtr left, right;
};
struct Ternary {
  ExprPtr condition, yes, no;
};
struct NamedArg {  // order = 8
  Ident name;
  ExprPtr value;
};
struct Call {  // sqrt(x), sat_u8(e), laplacian(u, order = 4), blend(a, b)
  Ident function;
  std::vector<ExprPtr> args;
  std::vector<NamedArg> named;
};
struct WindowRange {  // i in -2..2, both ends included
  Ident variable;
  ExprPtr first, last;
};
struct Window {  // sum(i in -2..2, j in -2..2 : w[i,j] * u[x+i, y+j])
  enum Kind { sum, prod, min, max } kind;
  std::vector<WindowRange> ranges;
  ExprPtr body;
};
struct Expr {
  Range at;
  std::variant<Number, Bool, Name, Access, Unary, Binary, Ternary, Call, Window> node;
};

// Makes a node whose destruction does not recurse, however deep the tree below it is.
ExprPtr make(Range at, decltype(Expr::node) node);

// ---- items of a stencil ----

struct Axes {
  std::vector<Ident> names;
};
struct ParamDecl {  // a = 1
  Ident name;
  ExprPtr init;  // null: required
};
struct Params {
  Ident type;
  std::vector<ParamDecl> decls;
};
struct Const {  // const f32 w[-2..2] = { 1, 2, 4, 2, 1 } / 10;   or   const f32 k = 0.5;
  Ident type;
  Ident name;
  struct Extent {
    ExprPtr first, last;
  };
  std::vector<Extent> extents;    // empty: a scalar
  std::vector<ExprPtr> values;    // in the order written, the last index fastest
  ExprPtr divisor;                // "/ 273" behind the braces, or null
};
struct FieldDecl {  // u, sx(x), dst out
  Ident name;
  bool has_axes = false;
  std::vector<Ident> axes;
  bool has_role = false;
  Ident role;  // in, out, inout, readonly
};
struct Boundary {  // clamp, constant 0.5, zero
  Ident kind;
  ExprPtr value;  // of `constant`, or null
};
struct Fields {  // one boundary for all the fields of the declaration
  Ident type;
  std::vector<FieldDecl> decls;
  bool has_boundary = false;
  Boundary boundary;
};
struct Let {
  Ident name;
  ExprPtr value;
};
struct Update {  // u[t+1] = e;   dst = e;
  Ident target;
  bool has_args = false;
  std::vector<ExprPtr> args;
  Range target_at;  // the whole left side
  ExprPtr value;
};
struct Function {  // fn blend(a, b) = 0.5*(a + b);   in a stencil or beside it
  Ident name;
  std::vector<Ident> params;
  ExprPtr value;
};

struct Item {
  Range at;
  std::variant<Axes, Params, Const, Fields, Let, Update, Function> node;
};

struct Stencil {
  Ident name;
  std::vector<Item> items;
  Range at;
};

struct Program {
  std::vector<Function> functions;  // file scope
  std::vector<Stencil> stencils;
};

// The tree as indented text: --emit=ast.
std::string print(const Program& program);

}  // namespace stencilc::ast
