// The stencil IR: what is computed, and nothing about how.
//
// sema builds it with every name resolved and every type known; canonicalise() (numerics.h) fixes
// the order of every rounding; from then on the interpreter, the planner and lowering read it and
// nobody changes it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ir/type.h"

namespace stencilc::ir {

inline constexpr int kMaxRank = 3;

// A displacement in cells along x, y, z; axes beyond the rank are 0.
using Offset = std::array<int, kMaxRank>;

// What lies beyond the rim of a field: the table in docs/language.md. `zero` is `constant` with the
// value 0.
enum class Edge : uint8_t { none, fixed, clamp, reflect, mirror, periodic, constant };
std::string_view name(Edge edge);

struct Boundary {
  bool given = false;  // without one, every read must stay at offset 0
  Edge edge = Edge::none;
  Scalar value;  // of `constant`, in the field's type
};

// stepped: u[t+1] = ...; its levels rotate. input: never assigned. output: assigned without a time
// index, never read.
enum class Role : uint8_t { stepped, input, output };

struct Field {
  std::string name;
  Type type = Type::f32;
  Role role = Role::input;
  Boundary boundary;
  int oldest_level = 0;  // 0: only level t is read; 1: t-1 too ...
  bool overwrites_oldest =
      false;  // t+1 goes into the buffer of the oldest level: it is read at the centre only
  // Buffers of a stepped field: its levels, and one for t+1 unless it overwrites the oldest.
  int levels() const { return oldest_level + 1; }
  int buffers() const { return role == Role::stepped ? levels() + !overwrites_oldest : 1; }
};

struct Param {
  std::string name;
  Type type = Type::f32;
  bool has_default = false;
  Scalar value;
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Constant {
  Scalar value;
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
struct Read {  // the field at the cell plus `offset`; beyond the rim its boundary says what
  int field = 0;
  int level = 0;  // 0: t, -1: t-1, ...
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
  std::variant<Constant, ParamRef, Coordinate, Extent, Read, Apply, Cast, Named, Sum> node;
};

template <class Node>
ExprPtr make(Type type, Node node) {
  return std::make_shared<const Expr>(Expr{type, std::move(node)});
}
template <class Node>
const Node* as(const ExprPtr& expr) {
  return expr ? std::get_if<Node>(&expr->node) : nullptr;
}

// field[t+1] = value (stepped) or field = value (output), at the cells whose reads of `fixed` and
// `none` fields stay inside: low[a] <= cell < extent - high[a] along each axis. Elsewhere a stepped
// field keeps level t, an output is not written.
struct Update {
  int field = 0;
  ExprPtr value;
  Offset low = {}, high = {};
  uint32_t source = 0;  // byte of the .stn where the statement begins
  int line = 0;         // and its line there, from 1; 0: unknown
  bool everywhere() const { return low == Offset{} && high == Offset{}; }
};

// One stencil. All updates read levels t and older, so they run in one sweep, in any order.
struct Stencil {
  std::string name;
  std::vector<std::string> axes;  // x first: the contiguous one
  std::vector<Param> params;
  std::vector<Field> fields;
  std::vector<Update> updates;
  int rank() const { return static_cast<int>(axes.size()); }
  bool steps() const;  // any stepped field: a run takes a number of steps
};

std::vector<ExprPtr> nodes_of(const Stencil& stencil);  // each once, children first
std::vector<ExprPtr> children(const Expr& expr);

// How far the reads of a stencil go: the largest offset against (low) and along (high) each axis.
struct Reach {
  Offset low = {}, high = {};
};
Reach reach(const Stencil& stencil);

// Sets oldest_level, overwrites_oldest of the fields and low, high of the updates from the reads.
void infer(Stencil& stencil);

// The IR as text: --emit=ir.
std::string print(const Stencil& stencil);
std::string print(const ExprPtr& expr, const Stencil& stencil);

}  // namespace stencilc::ir
