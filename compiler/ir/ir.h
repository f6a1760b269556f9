// The stencil IR: what is computed, and nothing about how.
//
// sema builds it with every name resolved and every type known; the pass canonicalise() fixes
// the order of every rounding; from then on the interpreter, the planner and lowering read it and
// nobody changes it.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/factor.h"
#include "ir/fraction.h"
#include "ir/schedule_block.h"
#include "ir/type.h"

namespace stencilc::ir {

inline constexpr int kMaxRank = 3;

// A displacement in cells along x, y, z; axes beyond the rank are 0.
using Offset = std::array<int, kMaxRank>;

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

// What lies beyond the rim of a field: the table in docs/language.md. `zero` is `constant` with the
// value 0.
enum class Edge : uint8_t {
  none,
  fixed,
  clamp,
  reflect,
  mirror,
  antireflect,
  periodic,
  constant,
  expr,
  neumann,
  ghost
};
std::string_view name(Edge edge);

struct Side {
  bool given = false;  // without one, no read may cross this side
  Edge edge = Edge::none;
  // Of constant and expr the value, of neumann the slope per cell outward; in the field's compute
  // type. It reads no field; coordinates in it are those of the ghost cell.
  ExprPtr value;
};
struct Boundary {
  std::array<std::array<Side, 2>, kMaxRank>
      sides;                  // [axis][0 below the first cell, 1 beyond the last]
  bool given() const;         // any side
  bool has(Edge edge) const;  // on any side
};

// stepped: u[t+1] = ...; its levels rotate. input: never assigned. output: assigned without a time
// index. in_place: of a coloured stencil, p = ...; one level, which the step changes.
enum class Role : uint8_t { stepped, input, output, in_place };
std::string_view name(Role role);  // "in place"

struct Field {
  std::string name;
  Type type = Type::f32;     // in memory
  Type compute = Type::f32;  // what reads are cast to
  Role role = Role::input;
  Boundary boundary;
  std::array<bool, kMaxRank> along = {true, true, true};  // the axes it has
  int oldest_level = 0;                                   // 0: only level t is read; 1: t-1 too ...
  int levels() const { return oldest_level + 1; }
};

struct Param {
  std::string name;
  Type type = Type::f32;
  bool has_default = false;
  Scalar value;
};

// weights w[-2..2, -2..2]: values given to each run, the last index fastest.
struct Weights {
  std::string name;
  Type type = Type::f32;
  std::vector<std::pair<int, int>> ranges;
  int count() const;
};

struct Constant {
  Scalar value;
  // Of a float: the number it was rounded from, where that is known. Nothing that is computed
  // depends on it.
  std::optional<Fraction> written;
};
struct ParamRef {
  int param = 0;
};
struct Coordinate {  // the cell's index along an axis, plus `offset` when a let is read beside the
                     // cell; i64
  int axis = 0;
  int offset = 0;
};
struct Extent {  // nx, ny, nz; i64
  int axis = 0;
};
struct Time {  // the number of the step; i64
};
struct WeightRef {  // one of the run-time weights
  int array = 0, element = 0;
};
struct SeriesRef {  // amp[t] at the point in work
  int series = 0;
};
struct ReductionRef {  // in the condition of `iterate until`
  int reduction = 0;
};
struct Read {  // the field at the cell plus `offset`; beyond the rim its boundary says what
  int field = 0;
  // 0: t, -1: t-1, ...; 1: t+1, or what this step made of an output. Within the update of the field
  // itself, 1 is what its earlier cases made of the cell.
  int level = 0;
  Offset offset = {};
};
struct Apply {
  Op op;
  std::vector<ExprPtr> args;
};
struct Cast {  // f32(e) or, where saturate, sat_u8(e)
  bool saturate = false;
  ExprPtr value;
};
struct Named {  // a `let`, evaluated at an offset: a value of its own that no rounding rule looks
                // through (numerics.h)
  std::string name;
  int let = 0;
  Offset offset = {};
  ExprPtr value;
};
// A linear sum in its one order: acc = bias, or weight*tap of the first term where there is no
// bias; then, for each further term, acc = fma(weight, tap, acc). A weight reads no field; a tap is
// a Read or a widening Cast of one.
struct Sum {
  struct Term {
    ExprPtr weight;
    ExprPtr tap;
  };
  ExprPtr bias;  // null: none
  std::vector<Term> terms;
};

struct Expr {
  Type type;
  std::variant<Constant, ParamRef, Coordinate, Extent, Time, WeightRef, SeriesRef, ReductionRef,
               Read, Apply, Cast, Named, Sum>
      node;
  // Of the tree; make() sets them:
  int height = 1;
  bool reads = false;   // is there a Read in it?
  bool varies = false;  // or a Coordinate or a SeriesRef: may cells or points differ?
  bool counts = false;  // does it take the number of the step?
};

// Calls `with` for each of the expressions that this one is made of, in their order.
template <class With>
void for_each_child(const Expr& expr, With&& with) {
  if (const auto* apply = std::get_if<Apply>(&expr.node)) {
    for (const ExprPtr& arg : apply->args) with(arg);
  } else if (const auto* sum = std::get_if<Sum>(&expr.node)) {
    if (sum->bias) with(sum->bias);
    for (const Sum::Term& term : sum->terms) {
      with(term.weight);
      with(term.tap);
    }
  } else if (const auto* cast = std::get_if<Cast>(&expr.node)) {
    with(cast->value);
  } else if (const auto* named = std::get_if<Named>(&expr.node)) {
    with(named->value);
  }
}
std::vector<ExprPtr> children(const Expr& expr);

template <class Node>
ExprPtr make(Type type, Node node) {
  Expr expr{type, std::move(node)};
  expr.reads = std::is_same_v<Node, Read>;
  expr.varies = expr.reads || std::is_same_v<Node, Coordinate> || std::is_same_v<Node, SeriesRef>;
  expr.counts = std::is_same_v<Node, Time>;
  int below = 0;
  for_each_child(expr, [&](const ExprPtr& child) {
    below = std::max(below, child->height);
    expr.reads |= child->reads;
    expr.varies |= child->varies;
    expr.counts |= child->counts;
  });
  expr.height = below + 1;
  return std::make_shared<const Expr>(std::move(expr));
}
template <class Node>
const Node* as(const ExprPtr& expr) {
  return expr ? std::get_if<Node>(&expr->node) : nullptr;
}

// One comparison of `on`: at[axis] < bound (upper) or at[axis] >= bound, where the bound is
// `offset` or, from_end, extent + offset.
struct Limit {
  int axis = 0;
  bool upper = false;
  bool from_end = false;
  int offset = 0;
};
inline constexpr int kMaxLimit = 64;  // of |offset|; what lies further inside is part of the mask

// The cells a statement applies to: those within all limits, where the mask holds, and whose reads
// of `fixed` and `none` sides stay inside: low[a] <= cell < extent - high[a].
struct Domain {
  std::vector<Limit> limits;
  ExprPtr mask;  // bool; null: everywhere
  Offset low = {}, high = {};
  bool everywhere() const { return limits.empty() && !mask && low == Offset{} && high == Offset{}; }
};

// One statement: field[t+1] = value on domain.
struct Case {
  ExprPtr value;  // in the type the field has in memory
  Domain domain;
  uint32_t source = 0;  // byte of the .stn where the statement begins
  int line = 0;         // and its line there, from 1; 0: unknown
};

// All statements of one field, in their order: each may read what the ones before made of the cell.
// Where none applies, a stepped field keeps level t, an output is not written.
struct Update {
  int field = 0;
  std::vector<Case> cases;
};

// reduce name = kind(value) on domain: over all cells; after the updates of a step where it reads
// t+1, else before them, and then the updates may read it.
struct Reduction {
  std::string name;
  enum Kind : uint8_t { sum, prod, min, max, norm2 } kind = sum;
  Type type = Type::f32;
  ExprPtr value;  // of norm2: the square
  Domain domain;
  bool after = false;  // infer() sets it
  uint32_t source = 0;
  int line = 0;
};
std::string_view name(Reduction::Kind kind);

// iterate: how many steps a run takes when its caller does not say.
struct Iterate {
  bool given = false;
  int64_t limit = 0;  // steps
  ExprPtr until;      // bool, of reductions, params and constants; null: `limit` steps
  int64_t every = 1;  // steps between two looks at `until`
};

// color red, black by (x + y) % 2: the cells with (sum of factor * coordinate + shift) mod count
// == c are updated in place, for c = 0 .. count-1, each colour with what the ones before made.
struct Colors {
  std::vector<std::string> names;  // empty: the stencil is not coloured
  std::array<int64_t, kMaxRank> factor = {};
  int64_t shift = 0;
  int count() const { return static_cast<int>(names.size()); }
};

// points src: places given at run time; of a linear list real coordinates, between the cells.
struct Points {
  std::string name;
  bool linear = false;
};
// series f32 amp(src): a value for each step and each point, given or (output) filled.
struct Series {
  std::string name;
  Type type = Type::f32;
  int points = 0;
  bool output = false;
};
// inject u[t+1] += value at points: for each point in order, after the updates.
struct Injection {
  int field = 0;
  ExprPtr value;  // in the field's compute type; reads at offset 0 only
  int points = 0;
  uint32_t source = 0;
  int line = 0;
};
// sample series[t] = value at points: before the updates, or after them where it reads t+1.
struct Sample {
  int series = 0;
  ExprPtr value;  // in the series' type; reads at offset 0 only
  int points = 0;
  bool after = false;
  uint32_t source = 0;
  int line = 0;
};

// One stencil. The updates stand in an order in which each reads t+1 only of those before it.
struct Stencil {
  std::string name;
  std::vector<std::string> axes;  // x first: the contiguous one
  std::vector<Param> params;
  std::vector<Weights> weights;
  std::vector<Field> fields;
  std::vector<Update> updates;
  std::vector<Reduction> reductions;
  Iterate iterate;
  Colors colors;
  std::vector<Points> points;
  std::vector<Series> series;
  std::vector<Injection> injections;
  std::vector<Sample> samples;
  std::vector<Separable> separable;      // of the updates, as written
  std::vector<ScheduleBlock> schedules;  // how, for the planner alone: print() leaves them out
  int rank() const { return static_cast<int>(axes.size()); }
  bool steps() const;      // any stepped field or colour: a run takes a number of steps
  bool uses_time() const;  // does a run need the number of its first step?
  // The update that assigns the field, or -1.
  int update_of(int field) const;
};

// Every expression a stencil holds; of a mutable stencil, the places to rewrite.
std::vector<const ExprPtr*> roots(const Stencil& stencil);
std::vector<ExprPtr*> roots(Stencil& stencil);

std::vector<ExprPtr> nodes_of(const Stencil& stencil);  // each once, children first
std::vector<ExprPtr> nodes_of(const std::vector<ExprPtr>& roots);

// The expression with every read and coordinate moved by `offset`.
ExprPtr displace(const ExprPtr& expr, const Offset& offset);
// The same, where values that the program has no name for (their `let` is negative) are one node at
// one offset: those that were moved before are taken from `moved`, the others put there.
using MovedValues = std::map<std::pair<int, Offset>, ExprPtr>;  // by `let` and offset
ExprPtr displace(const ExprPtr& expr, const Offset& offset, MovedValues& moved);

// Does the field have every axis of the stencil?
bool has_all_axes(const Stencil& stencil, const Field& field);

// How far reads go: the largest offset against (low) and along (high) each axis.
struct Reach {
  Offset low = {}, high = {};
};
Reach reach(const Stencil& stencil);
Reach reach(const std::vector<ExprPtr>& roots);

// What sides hold that no read of a cell meets does not matter: they become what the other end is,
// or `fixed` where no read meets that either.
void drop_unmet_sides(Stencil& stencil);

// The cells beyond each end of an axis that the caller of a run fills: where the field has a
// `ghost` side along the axis, as many as reads of it reach in either direction; otherwise 0.
Offset ghost_halo(const Stencil& stencil, int field);

// Sets oldest_level of the fields, low and high of the domains and `after` of the reductions from
// the reads.
void infer(Stencil& stencil);

// The IR as text: --emit=ir.
std::string print(const Stencil& stencil);
std::string print(const ExprPtr& expr, const Stencil& stencil);

}  // namespace stencilc::ir
