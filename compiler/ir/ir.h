// Defines the stencil IR: what is computed, independent of how.
//
// sema builds it with every name resolved and every type known. The pass canonicalise() fixes the
// order of every rounding. After that the interpreter, the planner and lowering read it, and
// nothing changes it.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "ir/factor.h"
#include "ir/fraction.h"
#include "ir/schedule_block.h"
#include "ir/type.h"

namespace stencilc::ir {

inline constexpr int kMaxRank = 3;

// An offset in cells along x, y, z; 0 for axes beyond the rank.
using Offset = std::array<int, kMaxRank>;
inline Offset opposite(const Offset& offset) { return {-offset[0], -offset[1], -offset[2]}; }

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

// The kinds of boundary: see the table in docs/language.md. `zero` is `constant` with the value 0.
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
  bool given = false;  // if false, no read may cross this side
  Edge edge = Edge::none;
  // The value of constant and expr, the slope per cell outward of neumann; in the compute type of
  // the field. It reads no field; its coordinates are those of the ghost cell.
  ExprPtr value;
};
struct Boundary {
  std::array<std::array<Side, 2>, kMaxRank>
      sides;                  // [axis][0 before the first cell, 1 after the last]
  bool given() const;         // any side
  bool has(Edge edge) const;  // on any side
};

// stepped: u[t+1] = ..., with rotating levels. input: never assigned. output: assigned without a
// time index. in_place: p = ... in a stencil with colours; one level, which the step changes.
enum class Role : uint8_t { stepped, input, output, in_place };
std::string_view name(Role role);  // "in place"

// A distance in cells before (low) and after (high) the cells of each axis.
struct Reach {
  Offset low = {}, high = {};
};

struct Field {
  std::string name;
  Type type = Type::f32;     // in memory
  Type compute = Type::f32;  // the type to which reads are cast
  Role role = Role::input;
  Boundary boundary;
  std::array<bool, kMaxRank> along = {true, true, true};  // the axes it has
  int oldest_level = 0;  // 0: only level t is read; 1: t-1 as well ...
  int levels() const { return oldest_level + 1; }
  // An output that is no grid of the caller: a value that the launches of one step keep in memory.
  bool temporary = false;
  // Of a temporary: a set-up value, an input of the steps that launches before them compute.
  bool setup = false;
  // Of a temporary: the ghost cells of it that others read and that are computed, too.
  Offset ghosts = {};
  // The halo that the caller fills, where the reads no longer tell it (ghost_halo).
  std::optional<Offset> halo;
};

struct Param {
  std::string name;
  Type type = Type::f32;
  bool has_default = false;
  Scalar value;
};

// weights w[-2..2, -2..2]: values given to each run; the last index changes fastest.
struct Weights {
  std::string name;
  Type type = Type::f32;
  std::vector<std::pair<int, int>> ranges;
  int count() const;
};

struct Constant {
  Scalar value;
  // For a float: the number from which it was rounded, if that is known. No computed value depends
  // on it.
  std::optional<Fraction> written;
};
struct ParamRef {
  int param = 0;
};
struct Coordinate {  // the index of the cell along an axis, plus `offset` if a let is read at a
                     // neighbour; i64
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
struct SeriesRef {  // amp[t] at the current point
  int series = 0;
};
struct ReductionRef {  // in the condition of `iterate until`, or in an update
  int reduction = 0;
};
struct Read {  // the field at the cell plus `offset`; ghost cells are defined by its boundary
  int field = 0;
  // 0: t, -1: t-1, ...; 1: t+1, or the result of this step for an output. Inside the update of the
  // field itself, 1 is what earlier cases assigned to the cell.
  int level = 0;
  Offset offset = {};
};
// A ghost cell of a temporary, as it was computed: the value of its sides.
struct GhostRef {
  int field = 0;
};
struct Apply {
  Op op;
  std::vector<ExprPtr> args;
};
struct Cast {  // f32(e), or with `saturate` sat_u8(e)
  bool saturate = false;
  ExprPtr value;
};
struct Named {  // a `let` or an argument of a function, evaluated at an offset: a value of its own
                // that rounding rules do not look into (numerics.h)
  std::string name;
  int let = 0;  // from kFirstArgument on: an argument
  Offset offset = {};
  ExprPtr value;
};
// A linear sum in a fixed order: acc = bias, or weight*tap of the first term without a bias; then
// for each further term acc = fma(weight, tap, acc). A weight reads no field; a tap is a Read or a
// widening Cast of one.
struct Sum {
  struct Term {
    ExprPtr weight;
    ExprPtr tap;
  };
  ExprPtr bias;  // null: none
  std::vector<Term> terms;
};

constexpr int kFirstArgument = 1 << 20;
inline bool is_argument(const Named& named) { return named.let >= kFirstArgument; }

struct Expr {
  Type type;
  std::variant<Constant, ParamRef, Coordinate, Extent, Time, WeightRef, SeriesRef, ReductionRef,
               Read, GhostRef, Apply, Cast, Named, Sum>
      node;
  // Properties of the tree, which make() sets:
  int height = 1;
  bool reads = false;  // contains a Read
  bool varies =
      false;  // contains a Read, Coordinate, SeriesRef or GhostRef, so that cells can differ
  bool counts = false;  // depends on the step number
};

// Calls `with` for each operand of this expression, in order.
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

// The read of a tap, which may be cast to the type in which its field is computed and to that of
// the sum. Null: the expression is no read.
const Read* read_of_tap(const ExprPtr& tap);

template <class Node>
ExprPtr make(Type type, Node node) {
  Expr expr{type, std::move(node)};
  expr.reads = std::is_same_v<Node, Read>;
  expr.varies = expr.reads || std::is_same_v<Node, Coordinate> || std::is_same_v<Node, SeriesRef> ||
                std::is_same_v<Node, GhostRef>;
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

// One comparison of `on`: at[axis] < bound (upper) or at[axis] >= bound. The bound is `offset`, or
// with from_end extent + offset.
struct Limit {
  int axis = 0;
  bool upper = false;
  bool from_end = false;
  int offset = 0;
};
inline constexpr int kMaxLimit = 64;  // for |offset|; larger ones are part of the mask

// The cells to which a statement applies: those within all limits, where the mask is true, and
// whose reads across `fixed` and `none` sides stay inside: low[a] <= cell < extent - high[a].
struct Domain {
  std::vector<Limit> limits;
  ExprPtr mask;  // bool; null: everywhere
  Offset low = {}, high = {};
  bool everywhere() const { return limits.empty() && !mask && low == Offset{} && high == Offset{}; }
};

// One statement: field[t+1] = value on domain.
struct Case {
  ExprPtr value;  // in the memory type of the field
  Domain domain;
  uint32_t source = 0;  // byte of the .stn file where the statement starts
  int line = 0;         // and its line, starting with 1; 0: unknown
};

// All statements of one field, in order. Each can read what earlier ones assigned to the cell.
// Where none applies, a stepped field keeps level t, and an output is not written.
struct Update {
  int field = 0;
  std::vector<Case> cases;
  bool apart = false;  // a launch begins with it, also where it could share the one before
};

// reduce name = kind(value) on domain, over all cells. It is computed after the updates of a step
// if it reads t+1, otherwise before them; then the updates can read it.
struct Reduction {
  std::string name;
  enum Kind : uint8_t { sum, prod, min, max, norm2 } kind = sum;
  Type type = Type::f32;
  ExprPtr value;  // for norm2: the square
  Domain domain;
  bool after = false;  // infer_levels() sets it
  uint32_t source = 0;
  int line = 0;
};
std::string_view name(Reduction::Kind kind);

// iterate: the number of steps of a run if the caller does not give one.
struct Iterate {
  bool given = false;
  int64_t limit = 0;  // steps
  ExprPtr until;      // bool, of reductions, params and constants; null: take `limit` steps
  int64_t every = 1;  // steps between two checks of `until`
};

// color red, black by (x + y) % 2: the cells with (sum of factor * coordinate + shift) mod count ==
// c are updated in place, for c = 0 .. count-1; each colour reads the results of those before it.
struct Colors {
  std::vector<std::string> names;  // empty: no colours
  std::array<int64_t, kMaxRank> factor = {};
  int64_t shift = 0;
  int count() const { return static_cast<int>(names.size()); }
};

// points src: positions given at run time; for a linear list real coordinates, which can be between
// cells.
struct Points {
  std::string name;
  bool linear = false;
};
// series f32 amp(src): a value for each step and point; an input, or (output) a result.
struct Series {
  std::string name;
  Type type = Type::f32;
  int points = 0;
  bool output = false;
};
// inject u[t+1] += value at points: for each point in order, after the updates.
struct Injection {
  int field = 0;
  ExprPtr value;  // in the compute type of the field; reads have offset 0
  int points = 0;
  uint32_t source = 0;
  int line = 0;
};
// sample series[t] = value at points: before the updates, or after them if it reads t+1.
struct Sample {
  int series = 0;
  ExprPtr value;  // in the type of the series; reads have offset 0
  int points = 0;
  bool after = false;
  uint32_t source = 0;
  int line = 0;
};

// An argument of one call, which may be a value of its own (docs/language.md, "Numbers").
struct Argument {
  std::string name;          // of the function and its parameter: face_x_p
  std::set<Offset> read_at;  // where the function reads it, from the cell of the call
};

// One stencil. The updates are in an order in which each reads t+1 only of earlier ones.
struct Stencil {
  std::string name;
  std::vector<std::string> axes;  // x first, which is contiguous in memory
  std::vector<Param> params;
  std::vector<Weights> weights;
  std::vector<Field> fields;
  std::vector<Update> updates;
  std::vector<Update> setups;  // of set-up values, before the first step; the planner makes them
  std::vector<Reduction> reductions;
  Iterate iterate;
  Colors colors;
  std::vector<Points> points;
  std::vector<Series> series;
  std::vector<Injection> injections;
  std::vector<Sample> samples;
  std::vector<Argument> arguments;       // by Named::let - kFirstArgument; none after canonicalise
  std::vector<Separable> separable;      // of the updates, as written
  std::vector<ScheduleBlock> schedules;  // for the planner only; print() leaves them out
  int rank() const { return static_cast<int>(axes.size()); }
  bool steps()
      const;  // whether a run takes a number of steps: there is a stepped field or a colour
  bool uses_time() const;  // whether a run needs the number of its first step
  // The update that assigns the field, or -1.
  int update_of(int field) const;
  // The update or the set-up that does; null: there is none.
  const Update* maker_of(int field) const;
};

// Every expression of a stencil; for a mutable stencil, pointers for rewriting.
std::vector<const ExprPtr*> roots(const Stencil& stencil);
std::vector<ExprPtr*> roots(Stencil& stencil);

std::vector<ExprPtr> nodes_of(const Stencil& stencil);  // each once, children first
std::vector<ExprPtr> nodes_of(const std::vector<ExprPtr>& roots);

// The expression with every read and coordinate shifted by `offset`.
ExprPtr displace(const ExprPtr& expr, const Offset& offset);
// The same, but values without a name in the program (their `let` is negative) become one node for
// each offset: nodes that were shifted before are taken from `moved`, others are added to it.
using MovedValues = std::map<std::pair<int, Offset>, ExprPtr>;  // by `let` and offset
ExprPtr displace(const ExprPtr& expr, const Offset& offset, MovedValues& moved);

// The expression with each of its operands, the bias, weights and taps of a sum and the value of a
// name among them, replaced by what `of` makes of it. Itself where none changes. An operand may be
// null, and `of` then has to return null.
ExprPtr with_operands(const ExprPtr& expr, const std::function<ExprPtr(const ExprPtr&)>& of);

// Whether the field has every axis of the stencil.
bool has_all_axes(const Stencil& stencil, const Field& field);

// The reach of reads: the largest offset against (low) and along (high) each axis.
Reach reach(const Stencil& stencil);
Reach reach(const std::vector<ExprPtr>& roots);

// Replaces boundary sides that no read reaches by the kind of the other end, or by `fixed` if no
// read reaches that one either.
void drop_unmet_sides(Stencil& stencil);

// The width of the halo that the caller of a run fills, along each axis: the reach of reads in
// either direction if the field has a `ghost` side along the axis, otherwise 0.
Offset ghost_halo(const Stencil& stencil, int field);
std::vector<Offset> ghost_halos(const Stencil& stencil);  // by field

// The cells where all that the expressions read stays inside at sides without values.
Domain domain_of(const Stencil& stencil, const std::vector<ExprPtr>& exprs);

// Sets low and high of the domains from the reads as they are written. A pass that drops a read
// does not change which cells a statement assigns.
void infer_domains(Stencil& stencil);

// Sets oldest_level of the fields and `after` of the reductions from the reads that are left.
void infer_levels(Stencil& stencil);

// Prints the IR as text, for --emit=ir.
std::string print(const Stencil& stencil);
std::string print(const ExprPtr& expr, const Stencil& stencil);

}  // namespace stencilc::ir
