// Defines the syntax tree of a .stn file: what was written, with unresolved names, and the position
// of every node in the file.
//
// parse builds it, and sema builds ir::Stencil from it; nothing is added to it later. Offsets, time
// indices and weight indices are plain expressions in `Access::args`; sema interprets them.
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

// 2, 0.25, 1e-4: `integral` if it is written without point and exponent.
struct Number {
  double value = 0;
  bool integral = false;
  int64_t integer = 0;  // valid if integral
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

// Makes a node whose destruction does not recurse, however deep the tree is.
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
  std::vector<Extent> extents;  // empty: a scalar
  std::vector<ExprPtr> values;  // in the order of the text; the last index changes fastest
  ExprPtr divisor;              // "/ 273" after the braces, or null
};
struct FieldDecl {  // u, sx(x), dst out
  Ident name;
  bool has_axes = false;
  std::vector<Ident> axes;
  bool has_role = false;
  Ident role;  // in, out, inout, readonly
};
struct BoundaryKind {  // clamp, constant 0.5
  Ident kind;
  ExprPtr value;  // or null
};
struct BoundarySide {  // x: periodic   y.lo: constant 1
  Ident axis;
  bool has_end = false;
  Ident end;  // lo, hi
  BoundaryKind kind;
};
struct Boundary {  // one kind for all sides, or { side: kind; ... }
  Range at;
  BoundaryKind whole;  // used if `sides` is empty
  std::vector<BoundarySide> sides;
};
struct Fields {  // one compute type and one boundary for all the fields of the declaration
  Ident type;
  std::vector<FieldDecl> decls;
  bool has_compute = false;
  Ident compute;
  bool has_boundary = false;
  Boundary boundary;
};
struct Boundaries {  // boundary u, v { x: periodic; }
  std::vector<Ident> fields;
  Boundary boundary;
};
struct WeightsDecl {  // w[-2..2, -2..2]
  Ident name;
  std::vector<Const::Extent> extents;
};
struct Weights {  // weights f32 w[-2..2], v[-1..1];
  bool has_type = false;
  Ident type;
  std::vector<WeightsDecl> decls;
};
struct Let {
  Ident name;
  ExprPtr value;
};
struct Where {  // on x >= 1, y < ny-1 where mask   after an update or a reduction
  std::vector<ExprPtr> on;
  ExprPtr mask;  // or null
};
struct Update {  // u[t+1] = e;   dst = e on x == 0;   u[t+1] += e;
  Ident target;
  bool has_args = false;
  std::vector<ExprPtr> args;
  Range target_at;  // the whole left side
  enum Op { assign, add, sub, mul, div } op = assign;
  ExprPtr value;
  Where where;
};
struct Reduce {  // reduce res = max(abs(u[t+1] - u)) where mask;
  Ident name;
  Ident kind;  // sum, prod, min, max, norm2
  ExprPtr value;
  Where where;
};
struct Iterate {  // iterate 100 times;   iterate until res < tol, check every 50, limit 20000;
  ExprPtr times;  // if null, the rest is used
  ExprPtr until, every, limit;  // every and limit may be null
};
struct Color {  // color red, black by (x+y) % 2;
  std::vector<Ident> names;
  ExprPtr value;  // the whole right side, `%` included
};
struct Points {  // points src, rec linear;
  struct Decl {
    Ident name;
    bool linear = false;
  };
  std::vector<Decl> decls;
};
struct Series {  // series f32 amp(src), trace(rec);
  struct Decl {
    Ident name, points;
  };
  Ident type;
  std::vector<Decl> decls;
};
struct Inject {   // inject u[t+1] += amp[t] at src;
  Update update;  // op is add or sub
  Ident points;
};
struct Sample {  // sample trace[t] = u at rec;
  Update update;
  Ident points;
};
struct Schedule {  // schedule for sm_90, sm_100 { coarsened, threads = 32x8 }
  struct Part {
    Ident name;
    bool has_value = false;
    Ident value;
    std::vector<Part> shape;  // launch = gx(naive, threads = 32x4)
  };
  std::vector<Ident> targets;  // after `for`
  std::vector<Part> parts;
};
struct Function {  // fn blend(a, b) = 0.5*(a + b);   inside or outside of a stencil
  Ident name;
  std::vector<Ident> params;
  ExprPtr value;
};
struct Use {         // use "file.stn";
  std::string path;  // as written between the quotes
  Range at;          // of the string
};

struct Item {
  Range at;
  std::variant<Axes, Params, Const, Fields, Let, Update, Function, Boundaries, Weights, Reduce,
               Iterate, Color, Points, Series, Inject, Sample, Schedule>
      node;
};

struct Stencil {
  Ident name;
  std::vector<Item> items;
  Range at;
};

struct Program {  // one file; the driver reads what it uses
  std::vector<Use> uses;
  std::vector<Const> constants;     // file scope
  std::vector<Function> functions;  // file scope
  std::vector<Stencil> stencils;
};

// Prints the tree as indented text, for --emit=ast.
std::string print(const Program& program);

}  // namespace stencilc::ast
